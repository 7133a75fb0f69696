"""The machinery of a process: batching, publish/subscribe, limits, threads, caches, traces, triggers."""
