"""Tavola in the browser: pages that work without script, and live with it. Knows no game by name."""

from tavola.web.app import application
from tavola.web.serve.server import serve
from tavola.web.serve.settings import SiteSettings

__all__ = ["SiteSettings", "application", "serve"]
