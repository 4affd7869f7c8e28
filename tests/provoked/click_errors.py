"""Tests of match on provoked errors: click."""

import io
from collections.abc import Callable

import click
from click.testing import CliRunner

from tests.provoked.rows import Rows

ROWS = Rows()


@click.group()
def shop() -> None:
    pass


@shop.command()
@click.argument("shelf")
@click.option("--depth", type=int, default=1)
@click.option("--colour", required=True)
def stack(shelf: str, depth: int, colour: str) -> None:
    pass


def run(*arguments: str) -> None:
    shop.main(list(arguments), standalone_mode=False)


def raised_within(call: Callable[[], object]) -> None:
    """Make a call that reads from a terminal at which nobody sits."""
    result = CliRunner().invoke(click.command()(call), standalone_mode=False)
    assert result.exception
    raise result.exception


@ROWS.thrown_at("click/parser.py", "_OptionParser._match_long_opt")
def option_that_is_missing() -> None:
    run("stack", "--deep", "3")


@ROWS.thrown_at("click/parser.py", "_OptionParser._match_long_opt")
def short_option_that_is_missing() -> None:
    run("stack", "-x")


@ROWS.thrown_at("click/parser.py", "_OptionParser._get_value_from_state")
def option_without_its_value() -> None:
    run("stack", "a", "--depth")


@ROWS.thrown_at("click/core.py", "Parameter.process_value")
def required_option_that_is_missing() -> None:
    run("stack", "a")


@ROWS.thrown_at("click/core.py", "Parameter.process_value")
def argument_that_is_missing() -> None:
    run("stack", "--colour", "red")


@ROWS.thrown_at("click/core.py", "Group.resolve_command")
def command_that_is_missing() -> None:
    run("unstack")


@ROWS.thrown_at("click/globals.py", "get_current_context")
def context_outside_of_a_command() -> None:
    click.get_current_context()


@ROWS.thrown_at("click/core.py", "Argument._parse_decls")
def argument_with_two_names() -> None:
    click.Argument(["shelf", "colour"])


@ROWS.thrown_at("click/core.py", "Option._parse_decls")
def option_with_a_name_defined_twice() -> None:
    click.Option(["shelf", "colour", "--shelf"])


@ROWS.thrown_at("click/core.py", "Option._validate")
def hidden_prompt_of_a_flag() -> None:
    click.Option(["--shelf"], prompt=True, hide_input=True, is_flag=True)


@ROWS.thrown_at("click/_termui_impl.py", "ProgressBar.__init__")
def progress_of_nothing() -> None:
    click.progressbar()


@ROWS.thrown_at("click/_termui_impl.py", "ProgressBar.__iter__")
def progress_bar_outside_of_with() -> None:
    iter(click.progressbar([1], file=io.StringIO()))


@ROWS.thrown_at("click/termui.py", "prompt.prompt_func")
def question_that_nobody_answers() -> None:
    raised_within(lambda: click.prompt("Colour"))


@ROWS.thrown_at("click/termui.py", "confirm")
def confirmation_that_nobody_gives() -> None:
    raised_within(lambda: click.confirm("Sure?"))


@ROWS.thrown_at("click/core.py", "Context.abort")
def command_that_aborts() -> None:
    click.Context(stack).abort()


@ROWS.thrown_at("click/decorators.py", "command.decorator")
def command_decorated_twice() -> None:
    click.command()(stack)  # type: ignore[call-overload]


@ROWS.thrown_at("click/types.py", "ParamType.fail")
def word_for_an_integer() -> None:
    run("stack", "a", "--depth", "three", "--colour", "red")


@ROWS.thrown_at("click/types.py", "ParamType.fail")
def choice_that_is_not_offered() -> None:
    click.Choice(["red", "green"]).convert("blue", None, None)


@ROWS.thrown_at("click/types.py", "ParamType.fail")
def number_out_of_range() -> None:
    click.IntRange(0, 5).convert("9", None, None)


@ROWS.thrown_at("click/types.py", "ParamType.fail")
def path_that_is_missing() -> None:
    click.Path(exists=True).convert("/no/such/shelf", None, None)


@ROWS.thrown_at("click/core.py", "Context.fail")
def argument_too_many() -> None:
    run("stack", "a", "b", "--colour", "red")
