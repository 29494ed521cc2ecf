"""Matches by correspondence: due dates, the hours of people, and who is told of decisions."""
