"""Correspondence matches: due dates, the hours of people, and notification of decisions."""
