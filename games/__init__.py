"""One player's attempts at Pyramid Solitaire deals: rules, deals, durable games, and the doors to them."""
