"""What a game tells of answers that come late: whether they still mean what they meant when they were asked."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tavola.core.view import View

Unchanged = Callable[["View", "View", int], bool]
"""`unchanged(then, now, number)`: whether an action means the same to a seat in both of its views.

Where whoever comes first acts, the others are asked anew with every change. Who answers what he was asked before is
heard if what he chose is legal now and unchanged: the same bargain, for what he held when he saw it. It is legal in
both views, and depends on nothing but them.
"""
