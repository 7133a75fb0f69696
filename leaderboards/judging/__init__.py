"""Judge a whole corpus of records from files: what each account's games amount to. No database, no server."""
