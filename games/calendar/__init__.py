"""The calendar of daily deals: programme, commitments, certificates and divisions."""
