from datetime import timedelta

from games.bots.wire import OwnBot, OwnBots
from games.keys.wire import SignedIn
from games.players.examples import ROBOT, STARTED

NEW_BOT = SignedIn(ROBOT, "c40e8d" + "0" * 58, STARTED + timedelta(days=30))
OWN_BOTS = OwnBots([OwnBot(ROBOT, STARTED, tokens=1)], most=5)
