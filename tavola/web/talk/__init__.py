"""Talk on pages: statements as they are composed, read and answered, and their outcomes."""
