"""Identities with which players sign in: accounts at issuers that the operator trusts, and passkeys."""
