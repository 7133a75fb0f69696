"""Test vectors: what others must recompute, right and wrong, in docs/vectors/ as JSON. `make vectors` writes them."""
