"""Core: what Python itself and compiled libraries say in errors of anybody's code, and Python's exception types.

Code that raises such a message itself exists too; then only the frame tells the two apart.
"""

import builtins
import sys

BUILTIN_TYPES = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)

# Literal words of messages of CPython 3.8 to 3.14, values taken out, as `plain_words` gives them.
_MESSAGES = (
    "object has no attribute",
    "module has no attribute",
    "type object has no attribute",
    "partially initialized module has no attribute most likely due to a circular import",
    "name is not defined",
    "no module named",
    "cannot import name from",
    "object is not callable",
    "object is not iterable",
    "object is not subscriptable",
    "object is not an iterator",
    "object does not support item assignment",
    "object does not support item deletion",
    "object cannot be interpreted as an integer",
    "object does not support the context manager protocol",
    "object does not support the asynchronous context manager protocol",
    "missing required positional argument",
    "missing required positional arguments",
    "missing required keyword only argument",
    "missing required keyword only arguments",
    "takes positional arguments but were given",
    "takes positional argument but were given",
    "takes no arguments",
    "got an unexpected keyword argument",
    "got multiple values for argument",
    "got multiple values for keyword argument",
    "unsupported operand type s for and",
    "not supported between instances of and",
    "invalid literal for int with base",
    "could not convert string to float",
    "too many values to unpack expected",
    "not enough values to unpack expected got",
    "unhashable type",
    "list index out of range",
    "tuple index out of range",
    "string index out of range",
    "list indices must be integers or slices not",
    "string indices must be integers",
    "must be str not",
    "expected str bytes or os pathlike object not",
    "a bytes like object is required not",
    "sequence item expected str instance found",
    "division by zero",
    "maximum recursion depth exceeded",
    "dictionary changed size during iteration",
    "cannot unpack non iterable object",
    "argument of type is not iterable",
    "is not a valid",
    "is not in list",
    "pop from empty list",
    "no such file or directory",
    "permission denied",
    "connection refused",
    "command returned non zero exit status",
    "can only concatenate not to",
    "object of type has no len",
    "object of type is not json serializable",
    "local variable referenced before assignment",
    "cannot access local variable where it is not associated with a value",
    "can t pickle objects",
    "cannot pickle object",
    "coroutine was never awaited",
    "event loop is closed",
    "time data does not match format",
    "invalid syntax",
    "unexpected indent",
    "expected an indented block",
)
# Literal words of messages that the compiled parts of NumPy and PyTorch say of anybody's arrays.
_OF_ARRAYS = (
    "index is out of bounds for axis with size",
    "operands could not be broadcast together with shapes",
    "cannot reshape array of size into shape",
    "setting an array element with a sequence",
    "only integers slices ellipsis numpy newaxis none and integer or boolean arrays are valid indices",
    "the truth value of an array with more than one element is ambiguous use a any or a all",
    "all the input array dimensions except for the concatenation axis must match exactly",
    "mat1 and mat2 shapes cannot be multiplied and",
    "the size of tensor a must match the size of tensor b at non singleton dimension",
    "expected all tensors to be on the same device but found at least two devices and",
    "cuda out of memory tried to allocate",
    "cuda error device side assert triggered",
    "shape is invalid for input of size",
)
_DIGITS = str.maketrans("", "", "0123456789")
# One text, for one search instead of many; no letters have a line break.
_SAID = "\n".join(message.replace(" ", "").translate(_DIGITS) for message in (*_MESSAGES, *_OF_ARRAYS))


def is_builtin_type(name: str) -> bool:
    """Say whether a type, bare or qualified, is one of Python's own or of its standard library."""
    module, _, last = name.rpartition(".")
    if module in ("", "builtins"):
        return last in BUILTIN_TYPES
    return is_of_standard_library(name)


def is_said_by_python(letters: str) -> bool:
    """Say whether a template's literal letters, in lower case, are such a message or a part of one, numbers aside."""
    return letters.translate(_DIGITS) in _SAID


def is_of_standard_library(name: str) -> bool:
    """Say whether a qualified type is one of the standard library: `subprocess.CalledProcessError`."""
    module = name.partition(".")[0]
    return "." in name and module in sys.stdlib_module_names
