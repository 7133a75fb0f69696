"""Bodies and query strings that the API accepts."""
