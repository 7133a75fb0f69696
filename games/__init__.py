"""Pyramid Solitaire as a service: rules, deals, durable games, and the REST, WebSocket and web interfaces to them."""
