"""From a function's syntax tree to typed, single-assignment blocks: statements."""

from __future__ import annotations

import ast
from typing import Any

from .expressions import Expressions
from .ir import Block, Constant, Instruction, Type, Value, type_text

ANNOTATED: dict[str, Type] = {"Tensor": "Tensor", "int": "int", "float": "float", "bool": "bool", "str": "str"}


class Lowering(Expressions):
    """Compiles the statements of one function. `env` says which value every variable stands for now."""

    def function(self, tree: ast.FunctionDef) -> tuple[Block, Type]:
        """The blocks of a function, and the type of its result."""
        if tree.args.vararg or tree.args.kwarg:
            raise self.source.refusal(tree, "a function with *args or **kwargs", "Every argument has one type.")
        params = [self.parameter(a) for a in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)]
        block = Block([*params])
        self.env = {p.name: p for p in params}
        self.block = block
        block.results = [self.body(tree.body) or Constant(None, "None")]
        return block, block.results[0].type

    def parameter(self, arg: ast.arg) -> Value:
        """A parameter: a tensor, unless its annotation says otherwise."""
        written = "Tensor" if arg.annotation is None else ast.unparse(arg.annotation).strip("'\"").rpartition(".")[2]
        if written not in ANNOTATED:
            raise self.source.refusal(
                arg, f"the annotation {written}", f"Arguments are {', '.join(ANNOTATED)}.", "Did you mean x: ml.Tensor?"
            )
        return self.fresh(arg.arg, ANNOTATED[written])

    # ---- statements -------------------------------------------------------------------------------------------------
    def body(self, statements: list[ast.stmt]) -> Any:
        """Compile statements in order; what the function returns here, None if it goes on behind them."""
        for i, statement in enumerate(statements):
            if isinstance(statement, ast.Return):
                return Constant(None, "None") if statement.value is None else self.value(statement.value)
            if isinstance(statement, ast.If) and (returns(statement.body) or returns(statement.orelse)):
                return self.leaving(statement, statements[i + 1 :])
            self.statement(statement)
        return None

    def statement(self, node: ast.stmt) -> None:
        """Compile one statement."""
        compile_ = getattr(self, f"on_{type(node).__name__}", None)
        if compile_ is None:
            raise self.source.unsupported(node)
        compile_(node)

    def on_Pass(self, node: ast.Pass) -> None:  # noqa: N802 (named after the node of the syntax tree)
        """Nothing."""

    def on_Expr(self, node: ast.Expr) -> None:  # noqa: N802
        """A call for its effect; a docstring says nothing to the machine."""
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def on_Assign(self, node: ast.Assign) -> None:  # noqa: N802
        """`y = ...`, `a, b = ...`, `x[i] = ...`."""
        value = self.value(node.value)
        for target in node.targets:
            self.assign(target, value)

    def on_AnnAssign(self, node: ast.AnnAssign) -> None:  # noqa: N802
        """`y: int = ...`: the annotation adds nothing to what is known."""
        if node.value is not None:
            self.assign(node.target, self.value(node.value))

    def on_AugAssign(self, node: ast.AugAssign) -> None:  # noqa: N802
        """`x += ...`: in place for a tensor, as in Python."""
        place = ast.copy_location(target_as_value(node.target), node.target)
        old = self.value(place)
        new = self.binary(node, type(node.op).__name__, old, self.value(node.value), inplace=old.type == "Tensor")
        self.assign(node.target, new)

    def assign(self, target: ast.expr, value: Any) -> None:
        """Let a name stand for a value, take a tuple apart, or write into a tensor."""
        if isinstance(target, ast.Name):
            self.env[target.id] = self.renamed(value, target.id)
        elif isinstance(target, ast.Tuple) and isinstance(value.type, tuple) and len(value.type) == len(target.elts):
            for i, part in enumerate(target.elts):
                self.assign(part, self.taken(target, value, i))
        elif isinstance(target, ast.Subscript):
            self.written(target, value)
        else:
            raise self.source.refusal(
                target, "this assignment", f"A {type_text(value.type)} goes into a name, a tuple of names or x[...]."
            )

    def on_If(self, node: ast.If) -> None:  # noqa: N802
        """A choice: the variables that differ between the branches come out of it."""
        test = self.truth(node.test)
        before = dict(self.env)
        blocks, ends = zip(*(self.inside(b, before) for b in (node.body, node.orelse)), strict=True)
        changed = [v for v in dict.fromkeys([*ends[0], *ends[1]]) if ends[0].get(v) is not ends[1].get(v)]
        self.env = {v: x for v, x in ends[0].items() if v not in changed}
        merged = [v for v in changed if v in ends[0] and v in ends[1]]
        for name in merged:
            one, other = ends[0][name].type, ends[1][name].type
            if one != other:
                raise self.source.refusal(
                    node, f"the variable {name} after this if", f"It is {type_text(one)} or {type_text(other)} there.",
                    "Give it one type in both branches.")  # fmt: skip
        for block, end in zip(blocks, ends, strict=True):
            block.results = [end[name] for name in merged]
        outputs = [self.fresh(name, ends[0][name].type) for name in merged]
        self.env.update(zip(merged, outputs, strict=True))
        self.half = {v: node.lineno for v in changed if v not in merged} | self.half
        self.emit(Instruction("if", "if", [test], outputs, node.lineno, blocks=list(blocks)))

    def inside(self, statements: list[ast.stmt], env: dict[str, Any]) -> tuple[Block, dict[str, Any]]:
        """A block with the statements compiled into it, and what the variables stand for at its end."""
        outer, self.block, self.env = self.block, Block(), dict(env)
        self.body(statements)
        block, self.block = self.block, outer
        return block, self.env

    def leaving(self, node: ast.If, rest: list[ast.stmt]) -> Any:
        """A choice in which a branch returns: the rest of the function belongs to the branch that does not."""
        test, before = self.truth(node.test), dict(self.env)
        branches = [b if returns(b) else [*b, *rest] for b in (node.body, node.orelse)]
        blocks: list[Block] = []
        for statements in branches:
            outer, self.block, self.env = self.block, Block(), dict(before)
            self.block.results = [self.body(statements) or Constant(None, "None")]
            blocks.append(self.block)
            self.block = outer
        one, other = (b.results[0].type for b in blocks)
        if one != other:
            raise self.source.refusal(
                node, "the results of this if", f"One way it returns {type_text(one)}, the other {type_text(other)}.",
                "Return one type from both branches.")  # fmt: skip
        output = self.fresh("result", one)
        self.emit(Instruction("if", "if", [test], [output], node.lineno, blocks=blocks))
        return output

    def on_While(self, node: ast.While) -> None:  # noqa: N802
        """A loop: the variables that a round changes are carried from round to round."""
        carried = self.carried(node)
        condition, env = self.round(carried)
        outer, before, self.block, self.env = self.block, self.env, condition, env
        condition.results = [self.truth(node.test)]
        self.block, self.env = outer, before
        body = self.rounds(node, carried, Block(condition.params), env)
        self.loop(node, "while", [], carried, [condition, body])

    def on_For(self, node: ast.For) -> None:  # noqa: N802
        """A loop over a range."""
        call = node.iter
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
            raise self.source.refusal(
                node.iter, "a loop over this", "A script counts: it loops over a range.",
                "Did you mean for i in range(len(x)): ... x[i]?")  # fmt: skip
        if not isinstance(node.target, ast.Name):
            raise self.source.refusal(node.target, "this loop variable", "It is one name.")
        bounds = [self.integer(a) for a in call.args]
        start = Constant(0, "int") if len(bounds) == 1 else bounds[0]
        stop, stride = bounds[0 if len(bounds) == 1 else 1], bounds[2] if len(bounds) > 2 else Constant(1, "int")
        carried = [name for name in self.carried(node) if name != node.target.id]
        body = self.rounds(node, carried, *self.round(carried, (node.target.id,)))
        self.loop(node, "for", [start, stop, stride], carried, [body])
        self.env.pop(node.target.id, None)
        self.half[node.target.id] = node.lineno

    def carried(self, node: ast.While | ast.For) -> list[str]:
        """The variables that stand before a loop and are assigned inside it."""
        if node.orelse:
            raise self.source.refusal(node.orelse[0], "else after a loop", "Nothing leaves a loop early here.")
        stored = [
            n.id for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        ]
        return [name for name in dict.fromkeys(stored) if name in self.env]

    def round(self, carried: list[str], first: tuple[str, ...] = ()) -> tuple[Block, dict[str, Any]]:
        """A block of one round, and what the variables stand for when it starts."""
        params = [*(self.fresh(n, "int") for n in first), *(self.fresh(n, self.env[n].type) for n in carried)]
        return Block(params), {**self.env, **dict(zip((*first, *carried), params, strict=True))}

    def rounds(self, node: ast.While | ast.For, carried: list[str], body: Block, env: dict[str, Any]) -> Block:
        """The body of a loop, compiled into the block of one round."""
        if returns(node.body):
            raise self.source.refusal(
                node, "a return inside this loop", "A loop runs to its end.", "Carry the result out."
            )
        outer, self.block, before, self.env = self.block, body, self.env, dict(env)
        self.body(node.body)
        for name in carried:
            if self.env[name].type != env[name].type:
                raise self.source.refusal(
                    node, f"the variable {name} in this loop",
                    f"It starts as {type_text(env[name].type)} and a round makes it {type_text(self.env[name].type)}.",
                    "Give it one type: start a float with 0.0.")  # fmt: skip
        body.results = [self.env[name] for name in carried]
        self.half |= {v: node.lineno for v in self.env if v not in env}
        self.block, self.env = outer, before
        return body

    def loop(self, node: ast.stmt, kind: str, bounds: list[Any], carried: list[str], blocks: list[Block]) -> None:
        """Add a loop; what it carries are the variables from now on."""
        starts = [self.env[name] for name in carried]
        outputs = [self.fresh(name, start.type) for name, start in zip(carried, starts, strict=True)]
        self.env.update(zip(carried, outputs, strict=True))
        self.emit(Instruction(kind, kind, [*bounds, *starts], outputs, node.lineno, blocks=blocks))


def returns(statements: list[ast.stmt]) -> bool:
    """Whether some statement returns from the function."""
    return any(isinstance(n, ast.Return) for s in statements for n in ast.walk(s))


def target_as_value(target: ast.expr) -> ast.expr:
    """What is assigned to, as an expression that reads it."""
    twin = ast.parse(ast.unparse(target), mode="eval").body
    return ast.fix_missing_locations(twin)
