"""The keys that open an account: tokens, browser sessions and tickets."""
