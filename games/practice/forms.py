from datetime import datetime

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.deals.certify import is_certifiable
from games.deals.grading import Grade
from games.play.models import Game
from games.play.starting import start_practice
from games.play.words import word
from games.players.models import Player
from games.practice.certified import start_certified_practice
from games.rules import RULE_SETS

ANY, CERTIFIED = "any", "certified"


class PracticeForm(forms.Form):
    """The options of a practice game, with the field names of `POST /api/games/`."""

    rules = forms.ChoiceField(
        choices=lambda: [(rules.slug, word(rules.title)) for rules in RULE_SETS.values()],
        initial="standard",
        required=False,
    )
    winnable = forms.ChoiceField(
        label=gettext_lazy("Deals"),
        choices=[(ANY, gettext_lazy("Any")), (CERTIFIED, gettext_lazy("Winnable"))],
        widget=forms.RadioSelect,
        initial=CERTIFIED,
        required=False,
    )
    grade = forms.ChoiceField(
        label=gettext_lazy("How hard"),
        choices=lambda: [("", _("Any")), *((grade.value, capfirst(word(grade))) for grade in Grade)],
        required=False,
        help_text=gettext_lazy("Only for deals that are proved winnable."),
    )

    def clean(self) -> dict[str, str]:
        chosen: dict[str, str] = super().clean() or {}
        chosen["rules"] = chosen.get("rules") or "standard"
        chosen["winnable"] = chosen.get("winnable") or CERTIFIED
        if chosen.get("grade") and chosen.get("winnable") != CERTIFIED:
            self.add_error("grade", _("Only deals that are proved winnable have a grade."))
        if chosen.get("grade") and not is_certifiable(RULE_SETS[chosen["rules"]]):
            self.add_error("rules", _("It takes too long to prove deals of these rules winnable."))
        return chosen

    def start(self, player: Player, now: datetime) -> Game:
        """Start the game: on a winnable deal unless any deal is asked for. Raises a `Refusal`."""
        rules, grade = self.cleaned_data["rules"], self.cleaned_data["grade"]
        if self.cleaned_data["winnable"] == ANY:
            return start_practice(player, rules, now)
        return start_certified_practice(player, rules, Grade(grade) if grade else None, now)
