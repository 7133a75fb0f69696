"""Compile the kernels in advance, so that no other process has to wait for it: python -m games.solver"""

from games.solver.preparing import prepare

prepare()
