"""Serializers for the input and output of the API."""
