"""The checks of 9: right answers of several kinds, and every wrong one is told what it is."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.lessons import lesson_09_precision as lesson
from minitorch_lab.lessons.lesson_09_precision import formats, master, scaling
from minitorch_lab.lessons.lesson_09_precision.formats import Format, rounded_to
from tests.notebooks.inject import parts_of

SOLUTIONS = Path(__file__).parents[1] / "notebooks/solutions/s09_training_and_precision.py"


def right(exercise: str, name: str) -> Any:
    """A function of the solutions."""
    space: dict[str, Any] = {"lesson": lesson, "math": math, "np": np, "ml": ml}
    exec(parts_of(SOLUTIONS.read_text("utf-8"))[f"{exercise}-exercise"], space)
    return space[name]


TRAIN_STEP, ROUNDED, DTYPES = right("pieces", "train_step"), right("rounded", "rounded"), right("dtypes", "dtypes")
SCALER, UPDATED = right("scaler", "scaler"), right("updated", "updated")


def told(verdict: Any, text: str) -> None:
    assert verdict.state == "not yet"
    assert text in verdict.text


def test_what_cannot_be_asked_at_all_is_told_so() -> None:
    checks = (lesson.check_train_step, lesson.check_rounded, lesson.check_dtypes, lesson.check_scaler)
    for check in (*checks, lesson.check_updated):
        for answer in (None, 3, "x", [1], {}, lambda: None, lambda *_: None, lambda *_: object(), lambda *_: "?"):
            assert not check(answer).done
            assert check(answer).text


# ---- a step in pieces -----------------------------------------------------------------------------------------------
def pieces(
    weigh: Any = lambda n, whole, k: n / whole, *, anew: bool = False, each: bool = False, zero: bool = True,
    step: bool = True, full: bool = False, rows_at_once: Any = lambda rows: rows, gives: Any = lambda total: total,
) -> Any:  # fmt: skip
    def train_step(model: Any, optimizer: Any, loss: Any, x: Any, target: Any, rows: int) -> Any:
        rows, total = rows_at_once(rows), 0.0
        starts = [at for at in range(0, len(x), rows) if not full or at + rows <= len(x)]
        if zero:
            optimizer.zero_grad()
        for at in starts:
            if anew:
                optimizer.zero_grad()
            piece = x[at : at + rows]
            part = loss(model(piece), target[at : at + rows]) * weigh(len(piece), len(x), len(starts))
            part.backward()
            if each:
                optimizer.step()
            total += part.item()
        if step and not each:
            optimizer.step()
        return gives(total)

    return train_step


@pytest.mark.parametrize(
    ("train_step", "text"),
    [
        (pieces(lambda n, whole, k: 1.0), "8 rows, 4 at once: the gradients of your pieces are added as they are"),
        (pieces(lambda n, whole, k: 1 / k), "10 rows, 4 at once: you divide by the number of pieces"),
        (pieces(lambda n, whole, k: n), "the sum is not divided by all of them yet"),
        (pieces(lambda n, whole, k: 1 / whole), "you divide the mean over a piece by all rows"),
        (pieces(lambda n, whole, k: 1 / n), "by its rows once more"),
        (pieces(anew=True), "only that of the last piece is left"),
        (pieces(each=True), "the next piece meets other weights"),
        (pieces(each=True, anew=True), "those are several small steps"),
        (pieces(zero=False), "Begin with zero_grad()"),
        (pieces(step=False), "no weight has moved"),
        (pieces(full=True), "the last piece is missing"),
        (pieces(rows_at_once=lambda rows: rows + 1), "the model sees 5 rows at once"),
        (pieces(gives=lambda total: None), "You return None, and a step returns its loss"),
        (pieces(gives=lambda total: 2 * total), "pieces count in it as they do in the gradient"),
        (pieces(lambda n, whole, k: -n / whole), "the weights are not those of one step with all rows"),
        (pieces(gives=lambda total: total.nothing), "your step stops with AttributeError"),
    ],
)
def test_wrong_steps_are_told_what_they_are(train_step: Any, text: str) -> None:
    told(lesson.check_train_step(train_step), text)


def test_right_steps() -> None:
    for train_step in (TRAIN_STEP, pieces(rows_at_once=lambda rows: 1), pieces(gives=ml.tensor)):
        assert lesson.check_train_step(train_step).done
    assert lesson.check_train_step(pieces(rows_at_once=lambda rows: 100)).state == "not written yet"


# ---- formats --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("form", "dtype"), [((5, 10), np.float16), ((8, 23), np.float32), ((5, 2), "float8_e5m2")])
def test_rounding_is_numpys(form: tuple[int, int], dtype: Any) -> None:
    dtype = np.dtype(getattr(ml_dtypes, dtype) if isinstance(dtype, str) else dtype)
    drawn = np.random.default_rng(0).normal(size=2000) * 2.0 ** np.random.default_rng(1).integers(-30, 18, 2000)
    some = drawn.astype("float32").astype("float64") if dtype.itemsize == 1 else drawn
    with np.errstate(over="ignore"):
        wanted = some.astype("float32").astype(dtype) if dtype.itemsize == 1 else some.astype(dtype)
    assert [rounded_to(x, *form) for x in some.tolist()] == wanted.astype("float64").tolist()


def test_rounding_to_bfloat16_is_that_of_the_tensors() -> None:
    with np.errstate(over="ignore"):
        some = [x for x in formats.asked(Format(8, 7)) if np.float32(x) == x]
    assert len(some) > 12
    assert [rounded_to(x, 8, 7) for x in some] == ml.tensor(some).to(ml.bfloat16).tolist()


def test_what_a_format_says_of_itself_is_what_numpy_says() -> None:
    for name, dtype in (("float16", np.float16), ("float32", np.float32)):
        form, info = formats.FORMATS[name], np.finfo(dtype)
        said = form.largest, form.smallest_normal, form.smallest, form.spacing
        assert said == (info.max, info.smallest_normal, info.smallest_subnormal, info.eps)
        assert form.bits == info.bits


def test_bits_are_those_of_memory() -> None:
    for x in (0.1, -2.5, 1e-7, 1e-8, 70000.0, 65504.0, 0.0, -0.0, -1e-8):
        sign, field, rest = lesson.bits(x, "float16").partition(" =")[0].split(" ")
        with np.errstate(over="ignore"):
            assert int(sign + field + rest, 2) == int(np.float16(x).view("uint16"))
    assert lesson.bits(float("nan"), "float16").endswith("= nan")


def changed(**how: Any) -> Any:
    return lambda x, e, m: rounded_to(x, e, m, **how)


@pytest.mark.parametrize(
    ("rounded", "text"),
    [
        (changed(nearest=int), "You cut off what does not fit"),
        (changed(nearest=math.floor), "You go down in any case"),
        (changed(nearest=formats.away), "you take the larger one each time"),
        (formats.flushed, "the subnormal ones"),
        (changed(lowest=-2000), "your steps go on getting smaller"),
        (changed(beyond=lambda y, largest: math.copysign(largest, y)), "not the largest number once more"),
        (changed(beyond=lambda y, largest: y), "beyond it there is only infinity"),
        (lambda x, e, m: rounded_to(x, e, m - 1), "One bit too few"),
        (lambda x, e, m: rounded_to(x, e, m + 1), "One bit too many"),
        (lambda x, e, m: rounded_to(x, e, m, lowest=3 - 2 ** (e - 1)), "one too high"),
        (lambda x, e, m: rounded_to(x, e, m, lowest=1 - 2 ** (e - 1)), "one too low"),
        (lambda x, e, m: abs(rounded_to(x, e, m)), "You have lost the sign"),
        (lambda x, e, m: rounded_to(x, 5, 10), "in bfloat16"),
        (lambda x, e, m: rounded_to(x, e, m) if math.isfinite(x) else 0.0, "Infinity and NaN stay what they are"),
        (lambda x, e, m: math.ldexp(round(math.frexp(x)[0] * 2 ** (m + 1)), 0), "and you give"),
        (lambda x, e, m: str(x), "It is one number, a float"),
        (lambda x, e, m: int(x) / 0, "for x = 1.0, your function stops with ZeroDivisionError"),
    ],
)
def test_wrong_roundings_are_told_what_they_are(rounded: Any, text: str) -> None:
    told(lesson.check_rounded(rounded), text)


def test_right_roundings() -> None:
    for styled in (float, np.float64, np.array, ml.tensor, lambda y: np.array([y])):
        of = (lambda x, e, m: ml.tensor(ROUNDED(x, e, m), dtype=ml.float64)) if styled is ml.tensor else (
            lambda x, e, m, styled=styled: styled(ROUNDED(x, e, m)))  # fmt: skip
        assert lesson.check_rounded(of).done
    assert lesson.check_rounded(lambda x, e, m: x).state == "not written yet"


def test_the_picture_of_rounding_is_drawn_by_the_reader_s_function() -> None:
    assert repr(lesson.roundoff(ROUNDED)).startswith("Near 1 you lose up to: bfloat16 0.26%, float16 0.04%")
    assert lesson.roundoff(lambda x, e, m: x).state == "not written yet"
    told(lesson.roundoff(lambda x, e, m: x / 0), "stops with ZeroDivisionError")


# ---- dtypes ---------------------------------------------------------------------------------------------------------
def by_op(low: Any, full: Any, widest: Any) -> Any:
    """Dtypes op by op, from those of the inputs and the low one."""

    def dtypes(program: Any, given: Any, to: str) -> Any:
        known = dict(given)
        for name, op, reads in program:
            rule = {"low": low, "float32": full, "widest": widest}[lesson.runs_in(op)]
            known[name] = rule([known[each] for each in reads], to)
        return known

    return dtypes


def kept(dtype: Any) -> Any:
    return lambda inputs, low: "float64" if "float64" in inputs else low if dtype == "low" else dtype


WIDEST = lambda inputs, low: lesson.widest(inputs)  # noqa: E731


@pytest.mark.parametrize(
    ("dtypes", "text"),
    [
        (by_op(WIDEST, kept("float32"), WIDEST), "A product runs in the low dtype, whatever its inputs had"),
        (by_op(kept("low"), WIDEST, WIDEST), "exp adds up or overflows, so it runs in float32"),
        (by_op(kept("low"), kept("float32"), kept("low")), "is no product: autocast casts nothing for it"),
        (by_op(kept("low"), kept("float32"), kept("float32")), "runs in the widest dtype of its inputs"),
        (by_op(lambda inputs, low: low, kept("float32"), WIDEST), "float64 is left as it is"),
        (lambda program, given, low: {}, "y is missing: the result of matmul(x, w)"),
        (lambda program, given, low: [], "you return a list. It is a dict"),
        (lambda program, given, low: program[9], "your function stops with IndexError"),
    ],
)
def test_wrong_dtypes_are_told_what_they_are(dtypes: Any, text: str) -> None:
    told(lesson.check_dtypes(dtypes), text)


def test_right_dtypes() -> None:
    as_objects = lambda *given: {name: getattr(ml, dtype) for name, dtype in DTYPES(*given).items()}  # noqa: E731
    for dtypes in (DTYPES, as_objects, by_op(kept("low"), kept("float32"), WIDEST)):
        assert lesson.check_dtypes(dtypes).done
    low = lambda program, given, low: {name: low for name, _, _ in program}  # noqa: E731
    assert lesson.check_dtypes(low).state == "not written yet"


# ---- a scaler -------------------------------------------------------------------------------------------------------
def scaled(change: Any) -> Any:
    """The right scaler, and what becomes of its answer: from the question and the three to three."""
    return lambda grads, scale, good, interval: change(
        grads, scale, good, interval, SCALER(grads, scale, good, interval)
    )


def after(skipped: Any = None, finite: Any = None) -> Any:
    """Another answer where the step is skipped, or where it is not."""

    def change(grads: Any, scale: float, good: int, interval: int, three: Any) -> Any:
        other = skipped if three[0] is None else finite
        return three if other is None else other(grads, scale, good, interval, *three)

    return scaled(change)


@pytest.mark.parametrize(
    ("scaler", "text"),
    [
        (after(lambda g, s, n, i, _, new, count: (g, new, count)), "every weight that they touch is lost for good"),
        (after(lambda g, s, n, i, _, new, count: (None, s, count)), "and the scale stays"),
        (after(lambda g, s, n, i, _, new, count: (None, 1.5, count)), "It backs off to a half"),
        (after(lambda g, s, n, i, _, new, count: (None, new, n)), "counted in a row, and this one ends it"),
        (after(None, lambda g, s, n, i, out, new, count: (None, new, count)), "and every entry is finite"),
        (after(None, lambda g, s, n, i, out, new, count: (g, new, count)), "Divide them by it"),
        (after(None, lambda g, s, n, i, out, new, count: ([x * s for x in g], new, count)), "multiply by the scale"),
        (after(None, lambda g, s, n, i, out, new, count: ([x / new for x in g], new, count)), "by the new scale"),
        (after(None, lambda g, s, n, i, out, new, count: (out[:1], new, count)), "the gradients are [["),
        (after(None, lambda g, s, n, i, out, new, count: (out, s, count)), "and this is number 4. Yours stays"),
        (after(None, lambda g, s, n, i, out, new, count: (out, 2 * s, 0)), "your scale grows already"),
        (after(None, lambda g, s, n, i, out, new, count: (out, 3 * new, count)), "from 8 to 24, and should be 8"),
        (after(None, lambda g, s, n, i, out, new, count: (out, new, n + 1)), "It begins again at 0"),
        (after(None, lambda g, s, n, i, out, new, count: (out, new, 0)), "that makes 1, and you count 0"),
        (lambda grads, *more: SCALER([g[:1] for g in grads], *more), "the gradients are"),
        (lambda *given: SCALER(*given)[:2], "Return three"),
        (lambda *given: (None, None, None), "the scale and the count are numbers"),
        (lambda grads, *more: grads[7], "your scaler stops with IndexError"),
    ],
)
def test_wrong_scalers_are_told_what_they_are(scaler: Any, text: str) -> None:
    told(lesson.check_scaler(scaler), text)


def test_right_scalers() -> None:
    lists = after(None, lambda g, s, n, i, out, new, count: [[x.tolist() for x in out], np.float32(new), float(count)])
    for scaler in (SCALER, lists):
        assert lesson.check_scaler(scaler).done
    assert lesson.check_scaler(lambda grads, scale, good, interval: (grads, scale, good)).state == "not written yet"


def test_a_run_with_the_right_scaler_is_one_with_the_engine_s() -> None:
    ran = scaling.run_with(SCALER, epochs=2)
    ml.manual_seed(0)
    model = ml.nn.Sequential(ml.nn.Linear(64, 32), ml.nn.ReLU(), ml.nn.Linear(32, 10))
    optimizer = ml.optim.SGD(model.parameters(), lr=0.5)
    scaler, losses, scales = ml.amp.GradScaler("cpu", 2.0**24, growth_interval=20), [], []
    for _ in range(2):
        for x, label in ml.data.DataLoader(ml.data.Digits(), 64, shuffle=True, drop_last=True):
            optimizer.zero_grad()
            with ml.autocast("cpu", dtype=ml.float16):
                loss = ml.nn.functional.cross_entropy(model(x), label)
            losses.append(loss.item())
            scales.append(scaler.get_scale())
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
    assert (ran.scales, ran.losses) == (scales, losses)
    assert ran.skipped


def test_the_picture_of_a_scaler_survives_any_scaler() -> None:
    told(lesson.scale_curve(lambda *given: None), "your scaler stops with TypeError")
    told(lesson.scale_curve(lambda *given: given[9]), "your scaler stops with IndexError")


# ---- master weights -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("updated", "text"),
    [
        (master.rounded_each_time, "it is lost there. Keep float32 from the first step to the last"),
        (master.small_products, "lr · g is still float16"),
        (master.summed_first, "where a sum loses small parts"),
        (lambda w, grads, lr: master.master(w, grads, -lr), "the weights go up the slope"),
        (lambda w, grads, lr: master.master(w, grads, 1.0), "lr is missing"),
        (lambda w, grads, lr: master.master(w, grads[:1], lr), "only the first gradient is used"),
        (lambda w, grads, lr: w - lr * sum(g.astype("float32") for g in grads), "more digits than float16 holds"),
        (lambda w, grads, lr: master.master(w, grads, lr) * 2, "and it is ["),
        (lambda w, grads, lr: 1.0, "It is one weight for each that came"),
        (lambda w, grads, lr: None, "It is one weight for each that came"),
        (lambda w, grads, lr: grads[9999], "your function stops with IndexError"),
    ],
)
def test_wrong_updates_are_told_what_they_are(updated: Any, text: str) -> None:
    told(lesson.check_updated(updated), text)


def test_right_updates() -> None:
    for updated in (UPDATED, master.master, lambda *given: master.master(*given, kind="float64").tolist()):
        assert lesson.check_updated(updated).done
    assert lesson.check_updated(master.lost).state == "not written yet"


# ---- pictures -------------------------------------------------------------------------------------------------------
def test_pictures_say_what_they_show() -> None:
    some = np.array([0.0, 1e-8, 1e-5, 0.5], "float32")
    assert repr(lesson.histogram({"g": some}, "A gradient.")) == (
        "A gradient. g: 33% become 0 in float16, 33% are subnormal."
    )
    assert repr(lesson.losses({"one": [2.0, 1.0], "two": [1.5]}, "Two.")) == "Two. At the end: one 1.00, two 1.50."
