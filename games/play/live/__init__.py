"""Games being played in this process: one object for each, shared by REST, sockets and pages."""
