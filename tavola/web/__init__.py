"""Tavola in the browser: pages that work without scripts, and are live with them. Refers to no particular game."""

from tavola.web.app import application
from tavola.web.serve.server import serve
from tavola.web.serve.settings import SiteSettings

__all__ = ["SiteSettings", "application", "serve"]
