"""The compiled loops and their parts, and the same in plain NumPy (``reference``)."""
