"""`mcbench completion`: the script that makes a shell complete mcbench's commands."""

from argparse import ArgumentParser, Namespace

SUMMARY = "print the script with which TAB completes commands in a shell"
EXAMPLES = """\
  source <(mcbench completion bash)
  mcbench completion zsh > ~/.zsh/completions/_mcbench
  mcbench completion fish > ~/.config/fish/completions/mcbench.fish

It completes commands, options, overrides such as dataset=, solver= and
+experiment=, the runs of show and diff, papers and their items.
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], metavar="{bash,zsh,fish}")


def main(args: Namespace) -> int:
    """Print the script."""
    from mcbench.completion import script

    print(script(args.shell))
    return 0
