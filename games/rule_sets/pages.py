"""The pages about rules: an overview, and a page for each with pictures, examples, figures and tips."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import translation

from games.deals.certify import is_certifiable
from games.doors.kept_pages import keep_lasting
from games.doors.pages import reading_page
from games.players.readers import page
from games.rule_sets.pairs import rank_pairs
from games.rule_sets.sketches import sketch
from games.rule_sets.texts import examples_of, history_of, tips_for
from games.rule_sets.win_rates import win_rate
from games.rules import RULE_SETS, RuleSet, UnknownRuleSet
from games.rules.prose import paragraphs


@reading_page
def all_rules(request: HttpRequest) -> HttpResponse:
    listed = [(rules, sketch(rules), win_rate(rules)) for rules in RULE_SETS.values()]
    return keep_lasting(page(request, "games/rules.html", {"rule_sets": listed}, section="rules"))


@reading_page
def rule_set(request: HttpRequest, name: str) -> HttpResponse:
    try:
        rules = RULE_SETS[name]
    except UnknownRuleSet as error:
        raise Http404(str(error)) from error
    if rules.slug != name:
        return redirect("web:rule-set", rules.slug, permanent=True)
    return keep_lasting(page(request, "games/rule_set.html", _context(rules), section="rules"))


def _context(rules: RuleSet) -> dict[str, object]:
    return {
        "rules": rules,
        "text": paragraphs(rules, translation),
        "aliases": RULE_SETS.aliases(rules.slug),
        "sketch": sketch(rules),
        "pairs": rank_pairs(rules),
        "examples": examples_of(rules),
        "tips": tips_for(rules),
        "history": history_of(rules),
        "rate": win_rate(rules),
        "is_certifiable": is_certifiable(rules),
    }


urlpatterns = [
    path("rules/", all_rules, name="rules"),
    path("rules/<slug:name>/", rule_set, name="rule-set"),
]
