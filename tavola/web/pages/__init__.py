"""The pages of the site, in rooms and outside them, and their forms."""
