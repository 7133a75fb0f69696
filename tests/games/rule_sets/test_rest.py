from __future__ import annotations

import pytest

from games.rule_sets.rest import RuleFields
from games.rules import RULE_SETS
from games.rules.prose import describe
from tests.games.api import Api, refusal

pytestmark = pytest.mark.usefixtures("clock")


def test_anyone_lists_every_rule_set(anyone: Api) -> None:
    listed = anyone.get("/api/rules/").json()["rule_sets"]
    assert [rules["slug"] for rules in listed] == list(RULE_SETS)
    for rules in listed:
        known = RULE_SETS[rules["slug"]]
        assert rules["fields"] == known.fields
        assert (rules["title"], rules["fingerprint"]) == (known.title, known.fingerprint)
        assert rules["text"] == describe(known)


def test_an_alias_names_the_same_rules(anyone: Api) -> None:
    by_slug = anyone.get("/api/rules/relaxed/").json()
    assert by_slug == anyone.get("/api/rules/msc/").json() == anyone.get("/api/rules/Relaxed/").json()
    assert by_slug["aliases"] == ["microsoft-solitaire-collection", "msc"]


def test_unknown_rules_are_refused_with_the_names_that_there_are(anyone: Api) -> None:
    response = anyone.get("/api/rules/spider/")
    assert refusal(response) == (404, "unknown_rule_set")
    assert "'spider'" in response.json()["message"]
    assert "par-pyramid" in response.json()["message"]


def test_the_document_knows_every_field_of_a_rule_set() -> None:
    assert list(RuleFields.__struct_fields__) == list(RULE_SETS["standard"].fields)
