"""The page of the ops is the one that the tests give, and no cell of it is blank."""

from __future__ import annotations

import pytest

from minitorch_lab.ops.op import OPS

from . import table

COLUMNS = [*table.COLUMNS, *table.DTYPES]


def test_the_page_is_what_the_tests_give() -> None:
    assert table.PAGE.read_text(encoding="utf-8") == table.page(), "run python -m tests.ops.table"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.name)
def test_a_cell_is_a_number_or_a_reason(column: table.Column) -> None:
    assert {name for name, count in column.cases.items() if count} <= set(OPS)
    for op in OPS.values():
        assert table.cell(column, op).strip("0"), f"{op.name} × {column.name}: no case, and no reason"


def test_a_column_names_a_test_that_is_there() -> None:
    for column in COLUMNS:
        path, _, name = column.test.partition("::")
        assert f"def {name}(" in (table.PAGE.parents[2] / path).read_text(encoding="utf-8")
