"""The frame of all pages, and pages about the site itself."""
