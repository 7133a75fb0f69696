"""One class per address: read what was asked, call one service, write the answer."""
