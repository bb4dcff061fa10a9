"""`rewrite`: a function whose bytecode calls compiled graphs, and goes on in continuation functions after breaks."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from types import CodeType, FunctionType
from typing import Any

from ....compiler.ir.evaluate import evaluate
from ....compiler.ir.fake import facts_of, in_row_order
from ....compiler.ir.graph import Facts, Graph
from ....errors import ArgumentError, CaptureError
from ....tensors.tensor import Tensor
from .assemble import assemble
from .emit import continuation, inlined, rewritten
from .listing import listing, numbered
from .machine import Machine, Piece, Program, Return
from .refusals import check
from .values import Unknown, constant

MOST_PIECES = 64


class Namespace(dict[str, Any]):
    """The globals of rewritten code: its own names, and behind them those of the user's module as they are now.

    Example:
        >>> names = Namespace({"x": 1}, {"y": 2})
        >>> names["x"], names["y"]
        (1, 2)
    """

    def __init__(self, own: dict[str, Any], behind: dict[str, Any]) -> None:
        super().__init__(own)
        self.behind = behind

    def __missing__(self, name: str) -> Any:
        """A name of the user's module; a KeyError sends Python on to the builtins."""
        return self.behind[name]


class Compiled:
    """A graph as a function. Here "compiled" means run node by node, so gradients flow as in the user's function."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def __call__(self, *tensors: Tensor) -> tuple[Any, ...]:
        """The results of the graph."""
        return evaluate(self.graph, list(tensors))


class Later:
    """A continuation that is given what only the run tells: captured when it is called, once per kind of tensor."""

    def __init__(self, whole: Rewritten, piece: Piece) -> None:
        self.whole, self.piece = whole, piece
        self.kinds: dict[tuple[str, ...], FunctionType] = {}

    def __call__(self, *args: Any) -> Any:
        """Go on, with the graphs for arguments of this kind."""
        kind = tuple(shown(facts_of(x)) if isinstance(x, Tensor) else "" for x in args)
        if kind not in self.kinds:
            self.kinds[kind] = self.whole.later(self.piece, args)
        return self.kinds[kind](*args)


class Rewritten:
    """A rewritten function. Calling it checks the arguments, and runs the bytecode.

    What follows an unknown call may depend on what that gave. It is captured when it is first reached, so `graphs`,
    `breaks`, `listings` and `continuations` grow then.

    Attributes:
        graphs: The graph of every piece; one without content is skipped, and its piece stays as the user wrote it.
        breaks: Why and where each graph ends that does not end with a return.
        listings: Bytecode as text: `original`, `rewritten`, each continuation under its name, each rewritten one under
            `<name> rewritten`, and `final`.
        continuations: The continuation functions by name, as they were cut from the user's bytecode.
        skipped: The names of those that stay so, because there is no content: nothing to compute.
        function: The rewritten function, which calls the continuations' rewritten forms.
        final: The same with every continuation that is known beforehand put in place of its call.
    """

    def __init__(self, program: Program, given: dict[str, Any]) -> None:
        self.program, self.given, self.fn = program, given, program.fn
        self.code: CodeType = self.fn.__code__
        self.numbers = numbered(program.steps)
        self.count = 0  # of pieces so far
        self.graphs: list[Graph] = []
        self.breaks: list[str] = []
        self.continuations: dict[str, FunctionType] = {}
        self.skipped: list[str] = []
        self.listings: dict[str, str] = {"original": listing(self.code), "rewritten": ""}
        own = {name: self.fn.__globals__[name] for name in ("__name__", "__builtins__") if name in self.fn.__globals__}
        self.namespace = Namespace(own, self.fn.__globals__)
        first = Piece(0, 0, given, [])
        self.function: FunctionType = self.captured(first)
        name = self.code.co_name
        self.final = self.made(self.code if skipped(first) else assemble(inlined(first, self.name), self.code, name))
        self.listings["final"] = listing(self.final.__code__)

    # ---- from pieces to functions -----------------------------------------------------------------------------------
    def captured(self, first: Piece) -> Any:
        """The function for a piece, after everything that follows it was captured too, as far as it is known.

        Raises:
            CaptureError: There are too many pieces.
        """
        pieces = explored(self.program, first, self.count)
        self.count += len(pieces)
        codes = {piece: self.written(piece) for piece in pieces if not piece.waits}
        self.graphs += [piece.graph for piece in codes]
        self.breaks += [said(self.program, piece) for piece in codes if not isinstance(piece.end, Return)]
        self.continuations |= {self.name(piece): self.made(self.cut(piece)) for piece in pieces if piece.number}
        functions = {p: Later(self, p) if p.waits else self.made(codes[p]) for p in pieces}
        for piece in pieces[not first.number :]:  # under its own name the user's function stays what it is
            self.namespace[self.name(piece)] = functions[piece]
            self.listings[self.name(piece)] = listing(self.continuations[self.name(piece)].__code__)
        for piece, code in codes.items():
            self.namespace[f"__compiled_fn_{piece.number}"] = Compiled(piece.graph)
            if skipped(piece) and piece.number:
                self.skipped.append(self.name(piece))
            else:
                self.listings[f"{self.name(piece)} rewritten" if piece.number else "rewritten"] = listing(code)
        return functions[first]

    def later(self, piece: Piece, args: tuple[Any, ...]) -> Any:
        """The function for a piece that waited for its arguments; as the user wrote it, if there are too many."""
        told = {
            name: facts_of(x) if isinstance(x, Tensor) else known
            for (name, known), x in zip(piece.given.items(), args, strict=True)
        }
        try:
            return self.captured(Piece(self.count, piece.start, told, piece.stack, True, piece.names, waits=False))
        except CaptureError:
            return self.continuations[self.name(piece)]

    def name(self, piece: Piece) -> str:
        """`__resume_at_12_2`: where it goes on in the original listing, and the number of its graph."""
        where = self.numbers[self.program.steps[piece.start]]
        return f"__resume_at_{where}_{piece.number}" if piece.number else self.code.co_name

    def cut(self, piece: Piece) -> CodeType:
        """The user's bytecode from where a piece starts, as a function of what it needs."""
        steps = continuation(self.program.steps, piece.start, piece.stack)
        return assemble(steps, self.code, self.name(piece), piece.given)

    def written(self, piece: Piece) -> CodeType:
        """The bytecode that calls the graph of a piece; without a graph there is nothing to change."""
        if skipped(piece):
            return self.cut(piece) if piece.number else self.code
        params = piece.given if piece.number else None
        return assemble(rewritten(piece, self.name), self.code, self.name(piece), params)

    def made(self, code: CodeType) -> FunctionType:
        """A function around a code object. Variables of the enclosing function are shared, as the user's are."""
        fn = FunctionType(code, self.namespace, code.co_name, None, self.fn.__closure__)
        if code.co_name == self.code.co_name:  # a continuation gets all that it needs
            fn.__defaults__, fn.__kwdefaults__ = self.fn.__defaults__, self.fn.__kwdefaults__
        return fn

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the rewritten function.

        Raises:
            CaptureError: An argument, or a name outside the function, is not what it was captured with.
        """
        bound = signature(self.fn).bind(*args, **kwargs)
        bound.apply_defaults()
        for name, known in self.given.items():
            given = seen(bound.arguments[name])
            if not alike(given, known):
                raise CaptureError(
                    f"{self.code.co_name} was captured with {name} = {shown(known)} and got {shown(given)}.",
                    "What the graphs took for granted is asked again in every call; TorchDynamo would capture anew.",
                    "Did you mean rewrite(fn, *examples) with examples like these? Or ml.compile, which does that.",
                )
        for name, value in self.program.read.items():
            if self.program.meaning(name) is not value:
                raise CaptureError(
                    f"{name} is not what it was when {self.code.co_name} was captured.",
                    "What the graphs took for granted is asked again in every call; TorchDynamo would capture anew.",
                    "Did you mean to call rewrite() again? Or ml.compile, which does that.",
                )
        return self.function(*bound.args, **bound.kwargs)

    def __repr__(self) -> str:
        """All the listings."""
        return "\n\n".join(f"===== {name} =====\n{text}" for name, text in self.listings.items())


def rewrite(fn: Callable[..., Any], *examples: Any) -> Rewritten:
    """Capture `fn` as TorchDynamo does: graphs, and new bytecode around them.

    The bytecode is walked through with the shapes and dtypes of `examples`; nothing of `fn` runs. Where it cannot be
    known how the function goes on (a jump on an entry, `print`, an unknown call, a write in place) the graph ends, that
    instruction is left for the run, and what comes after it becomes a continuation function, captured in turn.

    Args:
        fn: A plain function: straight lines and `if`, no loops, `try`, `with`, `yield`, or functions inside.
        examples: Its arguments: tensors of any shape, numbers, text; anything else is left alone.

    Raises:
        CaptureError: `fn` has something that is not taken, or breaks too often.
        ArgumentError: The examples do not fit its parameters.

    Example:
        >>> import minitorch_lab as ml
        >>> def leaky_relu(a):
        ...     if a > 0:
        ...         return a
        ...     return 0.1 * a
        >>> leaky = rewrite(leaky_relu, ml.tensor(1.0))
        >>> print(leaky.listings["rewritten"])
         0 LOAD_GLOBAL           __compiled_fn_0
         2 LOAD_FAST             a
         4 CALL                  1
         6 UNPACK_SEQUENCE       1
         8 POP_JUMP_IF_FALSE     to 18
        10 LOAD_GLOBAL           __resume_at_8_1
        12 LOAD_FAST             a
        14 CALL                  1
        16 RETURN_VALUE
        18 LOAD_GLOBAL           __resume_at_12_2
        20 LOAD_FAST             a
        22 CALL                  1
        24 RETURN_VALUE
        >>> leaky(ml.tensor(-2.0))
        tensor(-0.2000)
    """
    check(fn)
    assert isinstance(fn, FunctionType)
    try:
        bound = signature(fn).bind(*examples)
    except TypeError as error:
        raise ArgumentError(f"rewrite(): {error}.", "The examples are the arguments of one call of fn.") from None
    bound.apply_defaults()
    given = {name: seen(value) for name, value in bound.arguments.items()}
    return Rewritten(Program(fn), given)


def explored(program: Program, first: Piece, count: int) -> list[Piece]:
    """A piece and all that come after it, in the order in which they are found, walked through unless they wait.

    Raises:
        CaptureError: With the `count` that there are already, they are too many.
    """
    pieces = [first]
    for piece in pieces:
        if piece.waits:
            continue
        Machine(program, piece).walk()
        for way in piece.ways:
            way.piece.number = count + len(pieces)
            pieces.append(way.piece)
        if count + len(pieces) > MOST_PIECES:
            raise CaptureError(
                f"{program.fn.__name__} breaks into more than {MOST_PIECES} pieces.",
                "Every break makes one more, and a jump on an entry doubles what comes after it.",
                "Did you mean ml.where for some of them? Or ml.compile.",
            )
    return pieces


def seen(value: Any) -> Any:
    """What is taken for granted of an argument: the facts of a tensor, a plain value; of others nothing."""
    return facts_of(value) if isinstance(value, Tensor) else value if constant(value) else Unknown()


def alike(a: Any, b: Any) -> bool:
    """Whether what is known of two arguments is the same. `1`, `1.0` and `True` are equal, and not alike."""
    if isinstance(a, Facts) or isinstance(b, Facts):
        return isinstance(a, Facts) and isinstance(b, Facts) and shown(a) == shown(b)
    return isinstance(b, Unknown) or repr(a) == repr(b)


def shown(known: Any) -> str:
    """What is known of an argument, as text."""
    if not isinstance(known, Facts):
        return "something else" if isinstance(known, Unknown) else repr(known)
    return f"{known} on {known.device}{'' if in_row_order(known) else f' with strides {known.strides}'}"


def skipped(piece: Piece) -> bool:
    """Whether there is no content: nothing to compute, and nothing to break."""
    return piece.empty and isinstance(piece.end, Return)


def said(program: Program, piece: Piece) -> str:
    """Why and where a piece ends."""
    assert not isinstance(piece.end, Return)
    return f"{piece.end.why} ({program.place(piece.end.step)})"
