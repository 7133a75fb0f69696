from __future__ import annotations

from django.db.migrations import AddConstraint, AddField, AddIndex, CreateModel, RunPython
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import CASCADE, BigAutoField, CheckConstraint, ForeignKey, Index, IntegerField, Q

from games.runtime.tables_at_once import CreateModels, at_once


def creation(name: str, **fields: ForeignKey[object, object]) -> CreateModel:
    return CreateModel(name, [("id", BigAutoField(primary_key=True)), *fields.items()])


def test_models_that_follow_each_other_are_created_together_and_all_else_in_its_turn() -> None:
    one, other, third, between = creation("One"), creation("Other"), creation("Third"), RunPython(RunPython.noop)
    first, middle, last = at_once([one, other, between, third])
    assert isinstance(first, CreateModels)
    assert isinstance(last, CreateModels)
    assert (first.operations, middle, last.operations) == ([one, other], between, [third])


def added(model: str, name: str) -> list[Operation]:
    index, constraint = Index(fields=["id"], name=f"i_{name}"), CheckConstraint(condition=Q(id__gt=0), name=f"c_{name}")
    return [AddIndex(model, index), AddConstraint(model, constraint)]


def test_indexes_and_constraints_are_created_with_their_models_unless_they_may_be_for_what_comes_in_between() -> None:
    field, late = AddField("one", "number", IntegerField()), added("one", "late")
    between = RunPython(RunPython.noop)
    first, *others = at_once(
        [creation("One"), creation("Other"), *added("one", "1"), field, *added("other", "2"), *late, between]
    )
    assert isinstance(first, CreateModels)
    models = [vars(creation)["options"] for creation in first.operations]
    of_one, of_other = ([each.name for each in (*one["indexes"], *one["constraints"])] for one in models)
    assert (of_one, of_other, others) == (["i_1", "c_1"], ["i_2", "c_2"], [field, *late, between])
    later = added("one", "3")
    assert at_once([creation("One"), between, *later])[1:] == [between, *later]


def test_the_classes_of_models_are_made_once_and_when_they_are_asked_for() -> None:
    state = ProjectState()
    made = state.apps
    (both,) = at_once([creation("One"), creation("Other", one=ForeignKey("games.One", CASCADE))])
    both.state_forwards("games", state)
    assert "apps" not in vars(state)
    assert state.apps is not made
    other = state.apps.get_model("games", "other")
    assert other._meta.get_field("one").related_model is state.apps.get_model("games", "one")
