"""Accounts: guests, claiming, signing in, passwords and mail."""
