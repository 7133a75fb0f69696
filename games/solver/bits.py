"""Count and find bits in one machine instruction, which numba does not offer by itself."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from games.solver.compiling import inlined

_NONZERO = ir.Constant(ir.IntType(1), 1)


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:
    """Return how many bits of a word are set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest(typing_context: Any, word: Any) -> Any:
    """Return the index of the lowest set bit of a word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], _NONZERO)

    return types.int64(types.int64), generate


@intrinsic
def _leading_zeros(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], _NONZERO)

    return types.int64(types.int64), generate


@inlined
def highest(word: int) -> int:
    """Return the index of the highest set bit of a word that is not zero."""
    return 63 - _leading_zeros(word)


@inlined
def below(index: int) -> int:
    """Return a word with every bit under an index set."""
    return (1 << index) - 1
