"""Metrics of the journal, served at `/metrics`."""

from prometheus_client import Counter, Histogram

batch = Histogram(
    "pyramid_journal_batch_changes", "Changes written in one transaction.", buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500)
)
seconds = Histogram(
    "pyramid_journal_batch_seconds",
    "How long a transaction took.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.05, 0.2, 1, 10),
)
conflicts = Counter("pyramid_journal_conflicts_total", "Changes to games that had moved on without us.")
failures = Counter("pyramid_journal_failures_total", "Transactions that the database did not confirm.")
