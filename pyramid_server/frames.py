"""WebSocket frames as nearly all of them are (RFC 6455, section 5.2): a whole short message of text.

The parser of `websockets` reads any frame, byte by byte in Python. It is left with all others, and with all that is
wrong.
"""

from struct import Struct

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # written in C where that is installed

WHOLE_TEXT, MASKED = 0x81, 0x80  # the first byte of a text in one frame, and the bit of the second
IN_TWO_BYTES, IN_EIGHT_BYTES = 126, 127  # where the length is, if not in the second byte itself
LONGEST = 4096  # that is read here

_short, _middle, _long = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack


def payload_of(received: bytes, at: int) -> tuple[int, int] | None:
    """Return where the payload of the frame that begins there begins and ends, or None if its head has not arrived."""
    start = at + 2
    if len(received) < start:
        return None
    length = received[at + 1] & ~MASKED
    if length >= IN_TWO_BYTES:
        start += 2 if length == IN_TWO_BYTES else 8
        if len(received) < start:
            return None
        length = int.from_bytes(received[at + 2 : start], "big")
    if received[at + 1] & MASKED:
        start += 4
    return start, start + length


def text_in(received: bytes, at: int, start: int, end: int) -> str | None:
    """Return the text of a frame with this payload, or None if it is not a whole short text of a client."""
    if received[at] != WHOLE_TEXT or not received[at + 1] & MASKED or end > min(len(received), start + LONGEST):
        return None
    try:
        return str(apply_mask(received[start:end], received[start - 4 : start]), "utf-8")
    except UnicodeDecodeError:
        return None


def framed(text: str) -> bytes:
    """Return the frame of a text from a server."""
    payload = text.encode()
    length = len(payload)
    if length < IN_TWO_BYTES:
        return _short(WHOLE_TEXT, length) + payload
    if length < 2**16:
        return _middle(WHOLE_TEXT, IN_TWO_BYTES, length) + payload
    return _long(WHOLE_TEXT, IN_EIGHT_BYTES, length) + payload
