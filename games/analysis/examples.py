from dataclasses import asdict

from games.analysis.analysing import AnalysedAction, Analysis, Verdict
from games.analysis.models import GameAnalysis
from games.play.examples import GAME

_STEPS = (
    AnalysedAction(1, "4d9c", before=29, after=28, cost=0, verdict=Verdict.BEST, best="4d9c"),
    AnalysedAction(2, "6s7s", before=28, after=27, cost=0, verdict=Verdict.BEST, best="6s7s"),
    AnalysedAction(3, "D", before=27, after=27, cost=1, verdict=Verdict.SLOWER, best="3cTs"),
)
ANALYSED = Analysis(shortest=29, lost_at=None, accuracy=83.3, critical=(3,), steps=_STEPS)
PENDING_ANALYSIS = GameAnalysis(game=GAME, done=1, total=4)
ANALYSIS = GameAnalysis(game=GAME, state="done", done=4, total=4, result=asdict(ANALYSED))
