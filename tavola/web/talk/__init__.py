"""Talk on the page: statements as they are composed, read, answered, and what became of them."""
