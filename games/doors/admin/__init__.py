"""Lists, filters and cells of the admin."""
