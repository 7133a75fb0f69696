from games.accounts.wire import ClaimLink, Ticket

CLAIM_LINK = ClaimLink("https://pyramid.example/account/claim/WzEsIiJd:1vxZQp:0Xk3Vt1kX5qL8w2n9c7d4s6h/", 900)
TICKET = Ticket("WzEsIiJd:1vxZQp:0Xk3Vt1kX5qL8w2n9c7d4s6h", 60)
