"""Commands of people and of the server, and the decisions which events follow from them."""
