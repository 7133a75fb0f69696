"""The desk: pages of the admin where reviewers read games, weigh evidence and decide cases."""
