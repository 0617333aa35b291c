"""Readers of the file formats that a user's own data may have, one file each."""
