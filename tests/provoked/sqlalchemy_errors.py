"""Tests of match on provoked errors: SQLAlchemy, on SQLite in memory."""

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    bindparam,
    column,
    create_engine,
    false,
    insert,
    inspect,
    literal,
    select,
    table,
    text,
    union,
)
from sqlalchemy.dialects import mysql
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Session, configure_mappers, declarative_base, registry, relationship
from sqlalchemy.pool import QueuePool

from tests.provoked.rows import Rows

ROWS = Rows()


def engine() -> Engine:
    return create_engine("sqlite://")


@ROWS.thrown_at("sqlalchemy/engine/url.py", "_parse_url")
def address_that_is_a_word() -> None:
    create_engine("shelves")


@ROWS.thrown_at("sqlalchemy/util/langhelpers.py", "PluginLoader.load")
def database_that_nobody_speaks() -> None:
    create_engine("shelfdb://localhost/")


@ROWS.thrown_at("sqlalchemy/engine/create.py", "create_engine")
def argument_that_an_engine_does_not_take() -> None:
    create_engine("sqlite://", depth=3)


@ROWS.thrown_at("sqlalchemy/engine/_result_cy.py", "BaseResultInternal._only_one_row")
def no_row_where_one_is_required() -> None:
    with engine().connect() as connection:
        connection.execute(select(literal(1)).where(false())).one()


@ROWS.thrown_at("sqlalchemy/engine/_result_cy.py", "BaseResultInternal._only_one_row")
def two_rows_where_one_is_required() -> None:
    with engine().connect() as connection:
        connection.execute(text("SELECT 1 UNION SELECT 2")).scalar_one()


@ROWS.thrown_at("sqlalchemy/engine/base.py", "Connection.execute")
def text_that_is_executed_as_it_is() -> None:
    with engine().connect() as connection:
        connection.execute("SELECT 1")  # type: ignore[call-overload]


@ROWS.thrown_at("sqlalchemy/engine/base.py", "Connection._revalidate_connection")
def connection_that_is_closed() -> None:
    connection = engine().connect()
    connection.close()
    connection.execute(text("SELECT 1"))


@ROWS.thrown_at("sqlalchemy/engine/base.py", "Connection.begin")
def transaction_within_a_transaction() -> None:
    with engine().connect() as connection:
        connection.begin()
        connection.begin()


@ROWS.thrown_at("sqlalchemy/orm/session.py", "Session.get_bind")
def session_without_an_engine() -> None:
    Session().execute(select(literal(1)))


@ROWS.thrown_at("sqlalchemy/sql/schema.py", "Table._new")
def table_that_is_defined_twice() -> None:
    metadata = MetaData()
    Table("shelf", metadata, Column("id", Integer))
    Table("shelf", metadata, Column("id", Integer))


@ROWS.thrown_at("sqlalchemy/sql/schema.py", "Column._set_parent")
def column_without_a_name() -> None:
    Table("shelf", MetaData(), Column(Integer))


@ROWS.thrown_at("sqlalchemy/sql/schema.py", "ForeignKey._resolve_column")
def foreign_key_to_a_table_that_is_missing() -> None:
    metadata = MetaData()
    child = Table("book", metadata, Column("shelf_id", ForeignKey("shelf.id")))
    _ = next(iter(child.foreign_keys)).column


@ROWS.thrown_at("sqlalchemy/orm/mapper.py", "Mapper._configure_pks")
def mapping_without_a_primary_key() -> None:
    class Shelf(declarative_base()):  # type: ignore[misc]
        __tablename__ = "shelf"
        depth = Column(Integer)


@ROWS.thrown_at("sqlalchemy/orm/decl_base.py", "_DeclarativeMapperConfig._setup_inheriting_columns")
def mapping_without_a_table() -> None:
    class Shelf(declarative_base()):  # type: ignore[misc]
        id = Column(Integer, primary_key=True)


@ROWS.thrown_at("sqlalchemy/orm/clsregistry.py", "_class_resolver._raise_for_name")
def relationship_to_a_class_that_is_missing() -> None:
    mapped = registry()
    try:

        @mapped.mapped
        class Shelf:
            __tablename__ = "shelf"
            id = Column(Integer, primary_key=True)
            books = relationship("Book")

        configure_mappers()
    finally:
        mapped.dispose()


@ROWS.thrown_at("sqlalchemy/orm/loading.py", "_load_scalar_attributes")
def attribute_of_a_detached_row() -> None:
    base = declarative_base()

    class Shelf(base):  # type: ignore[misc, valid-type]
        __tablename__ = "shelf"
        id = Column(Integer, primary_key=True)

    bound = engine()
    base.metadata.create_all(bound)
    with Session(bound) as session:
        shelf = Shelf(id=1)
        session.add(shelf)
        session.commit()
    _ = shelf.id


@ROWS.thrown_at("sqlalchemy/orm/session.py", "Session._validate_persistent")
def refresh_of_a_row_that_was_never_stored() -> None:
    class Shelf(declarative_base()):  # type: ignore[misc]
        __tablename__ = "shelf"
        id = Column(Integer, primary_key=True)

    Session(engine()).refresh(Shelf(id=1))


@ROWS.thrown_at("sqlalchemy/orm/session.py", "Session.add")
def thing_that_is_not_mapped() -> None:
    Session(engine()).add(object())


@ROWS.thrown_at("sqlalchemy/sql/elements.py", "BinaryExpression.__bool__")
def comparison_as_a_condition() -> None:
    if column("depth") < 3:
        raise AssertionError


@ROWS.thrown_at("sqlalchemy/sql/coercions.py", "RoleImpl._raise_for_expected")
def number_where_a_list_is_expected() -> None:
    column("depth").in_(3)  # type: ignore[arg-type]


@ROWS.thrown_at("sqlalchemy/sql/compiler.py", "SQLCompiler.construct_params")
def parameter_without_a_value() -> None:
    with engine().connect() as connection:
        connection.execute(select(bindparam("depth", type_=Integer)))


@ROWS.thrown_at("sqlalchemy/dialects/mysql/base.py", "MySQLTypeCompiler.visit_VARCHAR")
def text_of_no_length() -> None:
    str(Column("colour", String).type.compile(dialect=mysql.dialect()))


@ROWS.thrown_at("sqlalchemy/sql/compiler.py", "GenericTypeCompiler.visit_null")
def column_without_a_type() -> None:
    Table("shelf", MetaData(), Column("colour")).create(engine())


@ROWS.thrown_at("sqlalchemy/sql/crud.py", "_get_crud_params")
def column_that_an_insert_does_not_know() -> None:
    statement = insert(table("shelf", column("depth"))).values(colour="red")
    str(statement)


@ROWS.thrown_at("sqlalchemy/pool/impl.py", "QueuePool._do_get")
def pool_that_is_empty() -> None:
    pool = QueuePool(lambda: engine().raw_connection(), pool_size=1, max_overflow=0, timeout=0.01)
    first = pool.connect()
    try:
        pool.connect()
    finally:
        first.close()


@ROWS.thrown_at("sqlalchemy/inspection.py", "inspect")
def inspection_of_a_number() -> None:
    inspect(3)


@ROWS.thrown_at("sqlalchemy/sql/compiler.py", "SQLCompiler._setup_select_stack")
def union_of_different_widths() -> None:
    str(union(select(literal(1)), select(literal(1), literal(2))))
