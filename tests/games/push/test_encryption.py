"""Messages are encrypted as RFC 8291 has them, with a key that all processes derive from the same secret."""

from cryptography.hazmat.primitives.asymmetric import ec
from pytest_django.fixtures import Settings

from games.push.encryption import decoded, encoded, seal, server_key

# The example of RFC 8291, appendix A.
TEXT = b"When I grow up, I want to be a watermelon"
OWN = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard_is_encrypted_as_there() -> None:
    own = ec.derive_private_key(int.from_bytes(decoded(OWN)), ec.SECP256R1())
    assert encoded(seal(TEXT, decoded(POINT), decoded(AUTH), own, decoded(SALT))) == SEALED


def test_the_key_is_a_point_that_depends_on_the_servers_secret_alone(settings: Settings) -> None:
    settings.SECRET_KEY = "a" * 50
    first = server_key()
    settings.SECRET_KEY = "b" * 50
    second = server_key()
    settings.SECRET_KEY = "a" * 50
    assert first == server_key() != second
    assert (len(decoded(first)), decoded(first)[0]) == (65, 4)
