"""The site on a home screen: its manifest, and a table for practice that needs no line."""
