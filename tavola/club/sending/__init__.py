"""What leaves the site for others: a queue of e-mails and notifications, and how each is sent."""
