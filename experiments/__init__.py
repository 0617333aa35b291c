"""The papers: what each table and figure runs, draws and claims."""
