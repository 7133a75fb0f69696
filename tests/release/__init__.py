"""Make a release and check it from its files alone: `make release`, `make dist`, `make release-check`."""
