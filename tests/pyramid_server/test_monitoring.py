"""The dashboards, objectives and alert rules name metrics, labels and codes that the server has."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import yaml
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from games.runtime.objectives import objectives
from games.worker.models import WorkerTask
from pyramid_server import http  # noqa: F401  its metrics exist as soon as it is imported, as in a web process
from pyramid_server.metrics import everything
from tests.processes import PROJECT, free_port, run
from tests.with_servers import started, wait_for

FOLDER = PROJECT / "pyramid_server" / "deployment"
DASHBOARDS = {path.stem: json.loads(path.read_text()) for path in sorted((FOLDER / "dashboards").glob("*.json"))}
FILES = ("alerts.yml", "objectives.yml")
ALL = [
    rule for file in FILES for group in yaml.safe_load((FOLDER / file).read_text())["groups"] for rule in group["rules"]
]
RULES = [rule for rule in ALL if "alert" in rule]
RECORDED = {rule["record"] for rule in ALL if "record" in rule}
PANELS = [panel for dashboard in DASHBOARDS.values() for panel in dashboard["panels"]]
EXPRESSIONS = [target["expr"] for panel in PANELS for target in panel["targets"]] + [rule["expr"] for rule in ALL]

EXPORTER = "prometheus-node-exporter"
OF_MACHINE = re.compile(r"node_\w+")


@pytest.fixture
def exported(db: None) -> dict[str, set[str]]:
    """The names of all exported series, with the names of their labels."""
    WorkerTask.objects.create(name="sweep", every_seconds=3600, last_run_at=timezone.now(), last_seconds=0.1, runs=1)
    families = list(text_string_to_metric_families(everything().decode()))
    samples = {sample.name: set(sample.labels) for family in families for sample in family.samples}
    # A metric with labels, or of when something happened, has no series before.
    endings = {"counter": "_total", "gauge": ""}
    known: dict[str, set[str]] = {each.name + endings[each.type]: set() for each in families if each.type in endings}
    return known | samples


def named(expression: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the metrics in an expression, with the labels by which they are chosen."""
    for name, chosen in re.findall(r"(pyramid_\w+)(?:\{([^}]*)\})?", expression):
        yield name, set(re.findall(r"(\w+)\s*=", chosen))


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_metric_that_is_named_is_exported(exported: dict[str, set[str]], expression: str) -> None:
    metrics, recorded = dict(named(expression)), set(re.findall(r"pyramid:[\w:]+", expression))
    assert metrics or recorded or OF_MACHINE.findall(expression) or expression.startswith("vector(")
    assert (set(metrics) - set(exported), recorded - RECORDED) == (set(), set())


@pytest.mark.skipif(
    not shutil.which(EXPORTER), reason=f"what a machine has is asked of it (apt-get install {EXPORTER})"
)
def test_every_metric_of_a_machine_that_is_named_is_one_of_its_exporter() -> None:
    address = f"127.0.0.1:{free_port()}"
    command = [EXPORTER, f"--web.listen-address={address}", "--collector.disable-defaults", "--collector.filesystem"]
    with started(command, signal.SIGTERM, stderr=subprocess.DEVNULL) as exporter:
        exported = wait_for(exporter, lambda: urlopen(f"http://{address}/metrics").read().decode(), OSError)
    named_by_rules = {name for expression in EXPRESSIONS for name in OF_MACHINE.findall(expression)}
    samples = text_string_to_metric_families(str(exported))
    assert named_by_rules <= {family.name for family in samples if family.samples[0].labels.get("mountpoint")}


def test_the_budget_of_each_objective_is_the_part_that_may_be_missed() -> None:
    budgets = {
        rule["labels"]["objective"]: rule["expr"] for rule in ALL if rule.get("record", "").endswith("budget:ratio")
    }
    assert budgets == {objective.name: f"vector({objective.may_miss})" for objective in objectives.values()}


def test_every_rule_says_whom_it_wakes_what_is_wrong_and_what_to_do() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert set(rule["annotations"]) == {"summary", "description"}
        assert re.fullmatch(r"\d+m", rule["for"])


@pytest.mark.skipif(not shutil.which("promtool"), reason="judged by Prometheus (apt-get install prometheus)")
@pytest.mark.parametrize(
    "judge",
    [["check", "rules", *(str(FOLDER / file) for file in FILES)]]
    + [["test", "rules", str(path)] for path in sorted(Path(__file__).parent.glob("*.test.yml"))],
)
def test_prometheus_takes_the_rules_and_fires_them_on_what_they_are_for(judge: list[str]) -> None:
    judged = run(["promtool", *judge], {**os.environ})
    assert judged.returncode == 0, judged.stdout + judged.stderr


def test_whatever_the_server_sheds_or_refuses_has_a_rule() -> None:
    named_by_rules = {name for rule in RULES for name, _ in named(rule["expr"])}
    assert {"pyramid_shed_total", "pyramid_connections_refused_total", "pyramid_limits_refused_total"} <= named_by_rules


@pytest.mark.parametrize("dashboard", DASHBOARDS.values(), ids=DASHBOARDS)
def test_the_panels_of_a_dashboard_have_names_and_a_place_each(dashboard: dict[str, Any]) -> None:
    panels: list[dict[str, Any]] = dashboard["panels"]
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}
    assert len(places) == len({panel["title"] for panel in panels}) == len({panel["id"] for panel in panels})
    assert len(places) == len(panels)
    assert all(panel["description"] for panel in panels)
    assert len({other["uid"] for other in DASHBOARDS.values()}) == len(DASHBOARDS)
