"""Language models at the table: a server of the Model Context Protocol, an extra (`pip install tavola[mcp]`).

What a model is shown is what a person on its seat would read: sentences of its own view, and nothing else is here.
"""
