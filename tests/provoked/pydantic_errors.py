"""Tests of match on provoked errors: pydantic, the part of it that is written in Python."""

import warnings
from typing import Annotated, Any, Literal, Union

import pydantic
from pydantic import BaseModel, ConfigDict, Field, RootModel, TypeAdapter, create_model, field_validator, validate_call
from pydantic.networks import UrlConstraints

from tests.provoked.rows import Rows

ROWS = Rows()


@ROWS.thrown_at("pydantic/_internal/_fields.py", "collect_model_fields")
def attribute_without_annotation() -> None:
    class Shelf(BaseModel):
        depth = 3


@ROWS.thrown_at("pydantic/_internal/_config.py", "ConfigWrapper.for_model")
def two_configurations() -> None:
    class Shelf(BaseModel):
        model_config = ConfigDict(extra="allow")

        class Config:
            pass


@ROWS.thrown_at("pydantic/_internal/_generate_schema.py", "check_decorator_fields_exist")
def validator_of_a_field_that_is_missing() -> None:
    class Shelf(BaseModel):
        depth: int

        @field_validator("colour")
        @classmethod
        def check(cls, value: Any) -> Any:
            return value


@ROWS.thrown_at("pydantic/_internal/_generate_schema.py", "GenerateSchema._unknown_type_schema")
def type_that_it_does_not_know() -> None:
    class Paint:
        pass

    class Shelf(BaseModel):
        colour: Paint


@ROWS.thrown_at("pydantic/_internal/_mock_val_ser.py", "MockValSer.__getattr__")
def model_with_an_undefined_name() -> None:
    class Shelf(BaseModel):
        colour: "Paint"  # type: ignore[name-defined]  # noqa: F821

    Shelf(colour=1)


@ROWS.thrown_at("pydantic/main.py", "BaseModel.__getattr__")
def attribute_that_a_model_lacks() -> None:
    class Shelf(BaseModel):
        depth: int

    _ = Shelf(depth=1).colour  # type: ignore[attr-defined]


@ROWS.thrown_at("pydantic/main.py", "BaseModel._setattr_handler")
def attribute_that_a_model_does_not_take() -> None:
    class Shelf(BaseModel):
        depth: int

    Shelf(depth=1).colour = "red"  # type: ignore[attr-defined]


@ROWS.thrown_at("pydantic/main.py", "BaseModel.from_orm")
def row_for_a_model_without_attributes() -> None:
    class Shelf(BaseModel):
        depth: int

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Shelf.from_orm(object())


@ROWS.thrown_at("pydantic/main.py", "BaseModel.dict")
def warning_of_an_old_method() -> None:
    class Shelf(BaseModel):
        depth: int

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Shelf(depth=1).dict()


@ROWS.thrown_at("pydantic/fields.py", "FieldInfo.__init__")
def two_defaults() -> None:
    Field(default=1, default_factory=int)  # type: ignore[call-overload]


@ROWS.thrown_at("pydantic/main.py", "create_model")
def made_model_with_a_tuple_of_three() -> None:
    create_model("Shelf", depth=(int, 1, 2))  # type: ignore[call-overload]


@ROWS.thrown_at("pydantic/type_adapter.py", "TypeAdapter.__init__")
def configuration_of_a_model_from_outside() -> None:
    class Shelf(BaseModel):
        depth: int

    TypeAdapter(Shelf, config=ConfigDict(strict=True))


@ROWS.thrown_at("pydantic/validate_call_decorator.py", "_check_function_type")
def checked_call_of_a_number() -> None:
    validate_call(3)  # type: ignore[call-overload]


@ROWS.thrown_at(
    "pydantic/_internal/_discriminated_union.py",
    "_ApplyInferredDiscriminator._infer_discriminator_values_for_inner_schema",
)
def union_by_a_field_of_any_text() -> None:
    class Cat(BaseModel):
        kind: str

    class Dog(BaseModel):
        kind: Literal["dog"]

    TypeAdapter(Annotated[Union[Cat, Dog], Field(discriminator="kind")])  # noqa: UP007


@ROWS.thrown_at("pydantic/root_model.py", "RootModel.__init_subclass__")
def root_model_that_takes_more() -> None:
    class Shelf(RootModel[int]):
        model_config = ConfigDict(extra="allow")


@ROWS.thrown_at("pydantic/networks.py", "UrlConstraints.__get_pydantic_core_schema__")
def constraints_of_an_address_on_a_number() -> None:
    TypeAdapter(Annotated[int, UrlConstraints(max_length=3)])


@ROWS.thrown_at("pydantic/_migration.py", "getattr_migration.wrapper")
def name_of_the_first_version() -> None:
    _ = pydantic.parse_file_as


@ROWS.thrown_at("pydantic/json_schema.py", "GenerateJsonSchema.handle_invalid_for_json_schema")
def schema_of_a_callable() -> None:
    class Shelf(BaseModel):
        paint: pydantic.types.Callable[[int], int]  # type: ignore[name-defined]

    Shelf.model_json_schema()


@ROWS.thrown_at("pydantic/fields.py", "Field")
def alias_that_is_a_number() -> None:
    Field(validation_alias=3)  # type: ignore[call-overload]


@ROWS.thrown_at("pydantic/main.py", "BaseModel.__class_getitem__")
def parameter_for_the_base_model() -> None:
    BaseModel[int]  # type: ignore[index]


@ROWS.thrown_at("pydantic/main.py", "BaseModel.json")
def argument_of_the_first_version() -> None:
    class Shelf(BaseModel):
        depth: int

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Shelf(depth=1).json(encoder=str)
