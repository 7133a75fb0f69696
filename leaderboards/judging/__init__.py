"""Judge the accounts of a whole corpus of records from files. Needs no database and no server."""
