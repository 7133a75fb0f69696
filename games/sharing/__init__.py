"""Results to show to others: how a pyramid fell, without its cards, as shades and as pictures."""
