"""An issuer that the server trusts as `school`."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from games.identities.issuers import Issuer as Trusted
from tests.games.identities.issuer import Issuer, running_issuer


@pytest.fixture
def school(settings: Settings) -> Iterator[Issuer]:
    with running_issuer() as issuer:
        settings.PYRAMID_SIGN_IN_WITH = [Trusted.read(name, given) for name, given in issuer.settings().items()]
        yield issuer
