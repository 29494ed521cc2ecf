"""Who may come in: connections, hosts, origins, rate limits, and who is asking."""
