"""Arrays without reference counts: counting cost the kernels two thirds of their time.

numba counts a reference to an array wherever a function, inlined or not, is given one. A borrowed array has no owner to
count for. It lives no longer than the array it was borrowed from, which the caller of the outermost kernel, or a
variable of that kernel, has to keep.
"""

from typing import Any

from numba import types
from numba.core import cgutils

from games.solver.compiling import intrinsic


@intrinsic
def borrowed(typing_context: Any, value: Any) -> Any:
    """Return an array, or a tuple with arrays, that is not counted."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if isinstance(value, types.Array):
            return _without_owner(context, builder, value, args[0])
        fields = [builder.extract_value(args[0], i) for i in range(len(value))]
        for i, kind in enumerate(value):
            if isinstance(kind, types.Array):
                fields[i] = _without_owner(context, builder, kind, fields[i])
        return context.make_tuple(builder, value, fields)

    return value(value), generate


def _without_owner(context: Any, builder: Any, kind: types.Array, array: Any) -> Any:
    struct = context.make_array(kind)(context, builder, array)
    struct.meminfo = cgutils.get_null_value(struct.meminfo.type)
    struct.parent = cgutils.get_null_value(struct.parent.type)
    return struct._getvalue()
