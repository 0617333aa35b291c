"""Configuration, as package data: holds YAML files only."""
