"""External bots: classes and programs of others, and a search that evaluates positions by Python functions."""
