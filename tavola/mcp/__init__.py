"""Language models as players: a server of the Model Context Protocol, an extra (`pip install tavola[mcp]`).

A model receives only what a person on its seat would read: sentences of its own view.
"""
