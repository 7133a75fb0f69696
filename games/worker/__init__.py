"""The worker: periodic tasks, and the record of their runs."""
