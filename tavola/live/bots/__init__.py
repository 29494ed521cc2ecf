"""The bots of rooms: thinking and its processes, bots from outside, bargaining, and the voices of the cast."""
