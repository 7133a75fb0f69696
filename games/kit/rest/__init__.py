"""Addresses of the REST API: reading what clients say, answering, and describing both."""
