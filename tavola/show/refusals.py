"""A refusal that can be said in any language: its template, and what fills it."""

from tavola.core.errors import Refusal


class TranslatableRefusal(Refusal):
    """A refusal whose English `message` is the template that catalogues know; `values` fill it."""

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(message.format_map(values) if values else message)
        self.message, self.values = message, values
