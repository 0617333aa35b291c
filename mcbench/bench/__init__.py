"""The benchmark of the fast solvers: time, memory and accuracy beside other implementations.

A section (`mcbench.bench.sections`) lists entries: an estimator of this project or a peer on a
problem. Each measurement of an entry is a run of mcbench in a process of its own
(`mcbench.bench.measures`), and what is compared is computed by the harness in float64 from the
coefficients or weights that came back, never taken from the solver's own word.
"""
