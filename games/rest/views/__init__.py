"""One class per endpoint: read the request, call one service, write the answer."""
