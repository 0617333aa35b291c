"""What a measurement's process executes: one implementation a file.

Each function takes `data`, `config` and `seed` as `mcbench.fit` gives them, and what the entry
adds; it returns a mapping of names to measured values.
"""
