"""Endpoints of the REST API: read requests, answer them, and describe both."""
