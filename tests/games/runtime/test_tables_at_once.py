from __future__ import annotations

from django.db.migrations import CreateModel, RunPython
from django.db.migrations.state import ProjectState
from django.db.models import CASCADE, BigAutoField, ForeignKey

from games.runtime.tables_at_once import CreateModels, at_once


def creation(name: str, **fields: ForeignKey[object, object]) -> CreateModel:
    return CreateModel(name, [("id", BigAutoField(primary_key=True)), *fields.items()])


def test_models_that_follow_each_other_are_created_together_and_all_else_in_its_turn() -> None:
    one, other, third, between = creation("One"), creation("Other"), creation("Third"), RunPython(RunPython.noop)
    first, middle, last = at_once([one, other, between, third])
    assert isinstance(first, CreateModels)
    assert isinstance(last, CreateModels)
    assert (first.operations, middle, last.operations) == ([one, other], between, [third])


def test_the_classes_of_models_are_made_once_and_when_they_are_asked_for() -> None:
    state = ProjectState()
    made = state.apps
    (both,) = at_once([creation("One"), creation("Other", one=ForeignKey("games.One", CASCADE))])
    both.state_forwards("games", state)
    assert "apps" not in vars(state)
    assert state.apps is not made
    other = state.apps.get_model("games", "other")
    assert other._meta.get_field("one").related_model is state.apps.get_model("games", "one")
