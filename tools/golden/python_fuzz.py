"""Mutated texts, CPython's verdict on each, and a digest of the tree of those that it accepts.

Run with CPython 3.11:
    python3.11 tools/golden/python_fuzz.py 5000 > tests/golden/python_fuzz.json
    python3.11 tools/golden/python_fuzz.py 100000 > tests/golden/python_fuzz_long.json

The texts are not stored: tests/engine/python/fuzzed_texts.ts makes the same ones from the same seeds.
"""

import ast
import hashlib
import itertools
import json
import platform
import re
import struct
import sys
import warnings

warnings.filterwarnings("ignore")
MASK = 0xFFFFFFFF

BASES = [
    "with pm.Model() as m:\n    a = pm.Normal('a', 0, 1)\n    pm.Normal('y', a, 1, observed=d['y'])\n",
    "def f(x, y=2, *rest, k=3, **more):\n    return x + y * k\n",
    "for i, (a, b) in enumerate(zip(xs, ys)):\n    if i > 2:\n        break\n    else:\n        continue\n",
    "x = [i ** 2 for i in range(10) if i % 2 == 0 if i]\n",
    "y = {k: v for k, v in d.items()}\nz = {a, b, *c}\nw = {**p, 'q': 1}\n",
    "f = lambda a, b=1, *c, d, **e: (a, b)\n",
    "s = f'b_{i}' 'tail' f\"{x!r:>10} {{}} {y:.2f}\"\n",
    "a = b = c[1:2, ::3, ..., None] = d.e.f(1, *g, h=2, **i)\n",
    "x += 1\ny //= 2\nz **= 3\nw @= v\n",
    "a: int = 3\nb: float\n",
    "if a < b <= c != d and not e or f in g and h not in i and j is not None:\n    pass\nelif k:\n    pass\nelse:\n    pass\n",
    "import numpy as np, math\nfrom a.b import (c, d as e)\nfrom . import f\n",
    "t = (1,)\nu = ()\nv = 1, 2\n*p, q = r\n",
    "g = sum(x * y for x, y in zip(a, b))\nh = (i for i in j)\n",
    "k = a if b else c if d else e\n",
    "n = 0x1F + 0b101 - 0o17 * 1_000.5e-3 / .5 // 2. % 3j\n",
    "o = -x ** -y + ~z @ w << 1 >> 2 & 3 | 4 ^ 5\n",
    "'''doc'''\n\"a\\x41\\n\" r'\\d' b'bytes'\n",
    "while x:\n    x = f(x)\nelse:\n    y = 1\n",
    "class A:\n    b = 1\n    def c(self):\n        return self.b\n",
    "x = a[b][c](d).e if f else [g, *h][0]\n",
    "with (a as b, c as d):\n    pass\nwith e, f as (g, h): pass\n",
    "def gen(data):\n    x = data['x']; y = data[\"y\"]\n    # note\n\n    return x, y\n",
    "print(a, b, sep='')\nlist(map(f, xs))\n",
    "μ = 1\nβ0 = μ * 2\n",
]
TOKENS = (
    "( ) [ ] { } , : ; . = == != <= := -> + - * ** / // % @ & | ^ ~ < > += x y 1 2.5 'a' f'{x}' None True "
    "if else elif for in not and or is lambda def return with as import from while pass break continue "
    "class del try yield await async global * ... \\ # ! $ 0 01 1_0 1e5 0x ' \""
).split(" ") + ["\n", "    ", "\t", " ", "\n    ", "é", "²", "“"]


def random(seed):
    """Mulberry32."""
    state = seed & MASK

    def draw(n):
        nonlocal state
        state = (state + 0x6D2B79F5) & MASK
        t = state
        t = ((t ^ (t >> 15)) * (t | 1)) & MASK
        t = (t ^ ((t + (((t ^ (t >> 7)) * (t | 61)) & MASK)) & MASK)) & MASK
        return ((t ^ (t >> 14)) & MASK) % n

    return draw


def text_of(seed):
    draw = random(seed)
    pieces = re.findall(r"[A-Za-z_0-9]+|[^A-Za-z_0-9]", BASES[draw(len(BASES))])
    for _ in range(1 + draw(3)):
        if not pieces:
            break
        at, kind = draw(len(pieces)), draw(4)
        token = TOKENS[draw(len(TOKENS))]
        if kind == 0:
            del pieces[at]
        elif kind == 1:
            pieces.insert(at, token)
        elif kind == 2:
            pieces[at] = token
        else:
            other = draw(len(pieces))
            pieces[at], pieces[other] = pieces[other], pieces[at]
    return "".join(pieces)


def points(text):
    return ",".join(str(ord(c)) for c in text)


def number(value):
    try:
        as_float = float(value)
    except OverflowError:
        as_float = float("inf")
    return struct.pack(">d", as_float).hex()


def many(nodes):
    return " ".join(dump(node) for node in nodes)


OPERATORS = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**",
    "MatMult": "@", "LShift": "<<", "RShift": ">>", "BitAnd": "&", "BitOr": "|", "BitXor": "^",
    "UAdd": "+", "USub": "-", "Invert": "~", "Not": "not", "Eq": "==", "NotEq": "!=", "Lt": "<",
    "LtE": "<=", "Gt": ">", "GtE": ">=", "In": "in", "NotIn": "not in", "Is": "is",
    "IsNot": "is not", "And": "and", "Or": "or",
}


def op(node):
    return OPERATORS[type(node).__name__]


def parameters(args):
    plain = args.posonlyargs + args.args
    defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
    parts = [f"(plain {a.arg} {dump(d)})" for a, d in zip(plain, defaults)]
    if args.vararg:
        parts.append(f"(star {args.vararg.arg} -)")
    parts += [f"(keyword_only {a.arg} {dump(d)})" for a, d in zip(args.kwonlyargs, args.kw_defaults)]
    if args.kwarg:
        parts.append(f"(double_star {args.kwarg.arg} -)")
    return " ".join(parts)


def formatted(values):
    parts = []
    for value in values:
        if isinstance(value, ast.Constant):
            parts.append(points(value.value))
        else:
            conversion = "" if value.conversion == -1 else chr(value.conversion)
            specs = [] if value.format_spec is None else value.format_spec.values
            spec = "".join(v.value if isinstance(v, ast.Constant) else "<field>" for v in specs)
            parts.append(f"(field {dump(value.value)} {conversion} {points(spec)})")
    return " ".join(parts)


def clauses(generators):
    return " ".join(f"(for {dump(g.target)} {dump(g.iter)} ({many(g.ifs)}))" for g in generators)


def constant(node):
    value = node.value
    if value is None or value is True or value is False:
        return str(value)
    if value is Ellipsis:
        return "..."
    if isinstance(value, complex):
        return f"(number {number(value.imag)} j)"
    if isinstance(value, (int, float)):
        return f"(number {number(value)})"
    if isinstance(value, bytes):
        return f"(bytes {points(value.decode('latin-1'))})"
    return f"(string {points(value)})"


def dump(n):
    if n is None:
        return "-"
    t = type(n).__name__
    if t == "Constant":
        return constant(n)
    if t == "Name":
        return n.id
    if t == "Attribute":
        return f"(attribute {dump(n.value)} {n.attr})"
    if t == "Subscript":
        return f"(subscript {dump(n.value)} {dump(n.slice)})"
    if t == "Slice":
        return f"(slice {dump(n.lower)} {dump(n.upper)} {dump(n.step)})"
    if t == "Call":
        keywords = " ".join(f"(keyword {k.arg or '**'} {dump(k.value)})" for k in n.keywords)
        return f"(call {dump(n.func)} ({many(n.args)}) ({keywords}))"
    if t == "UnaryOp":
        return f"(unary {op(n.op)} {dump(n.operand)})"
    if t == "BinOp":
        return f"(binary {op(n.op)} {dump(n.left)} {dump(n.right)})"
    if t == "BoolOp":
        return f"(boolean {op(n.op)} {many(n.values)})"
    if t == "Compare":
        return f"(comparison {' '.join(op(o) for o in n.ops)} {dump(n.left)} {many(n.comparators)})"
    if t == "IfExp":
        return f"(conditional {dump(n.test)} {dump(n.body)} {dump(n.orelse)})"
    if t in ("Tuple", "List", "Set"):
        return f"({t.lower()} {many(n.elts)})"
    if t == "Dict":
        return f"(dictionary {' '.join(f'({dump(k)} {dump(v)})' for k, v in zip(n.keys, n.values))})"
    if t == "Starred":
        return f"(starred {dump(n.value)})"
    if t == "Lambda":
        return f"(lambda ({parameters(n.args)}) {dump(n.body)})"
    if t == "DictComp":
        return f"(comprehension dictionary {dump(n.key)} {dump(n.value)} {clauses(n.generators)})"
    if t in ("ListComp", "SetComp", "GeneratorExp"):
        form = {"ListComp": "list", "SetComp": "set", "GeneratorExp": "generator"}[t]
        return f"(comprehension {form} {dump(n.elt)} - {clauses(n.generators)})"
    if t == "JoinedStr":
        return f"(formatted {formatted(n.values)})"
    if t == "Expr":
        return f"(expression {dump(n.value)})"
    if t == "Assign":
        return f"(assign ({many(n.targets)}) {dump(n.value)})"
    if t == "AugAssign":
        return f"(augmented {op(n.op)} {dump(n.target)} {dump(n.value)})"
    if t == "AnnAssign":
        return f"(annotated {dump(n.target)} {dump(n.value)})"
    if t == "Return":
        return f"(return {dump(n.value)})"
    if t in ("Pass", "Break", "Continue"):
        return f"({t.lower()})"
    if t == "Import":
        return f"(import {' '.join(f'({a.name} {a.asname or a.name.split(chr(46))[0]})' for a in n.names)})"
    if t == "ImportFrom":
        module = "." * n.level + (n.module or "")
        names = [f"({module} *)" if a.name == "*" else f"({module}.{a.name} {a.asname or a.name})" for a in n.names]
        return f"(from {' '.join(names)})"
    if t == "With":
        items = " ".join(f"({dump(i.context_expr)} {dump(i.optional_vars)})" for i in n.items)
        return f"(with ({items}) ({many(n.body)}))"
    if t == "FunctionDef":
        return f"(def {n.name} ({parameters(n.args)}) ({many(n.body)}))"
    if t in ("If", "While"):
        return f"({t.lower()} {dump(n.test)} ({many(n.body)}) ({many(n.orelse)}))"
    if t == "For":
        return f"(for {dump(n.target)} {dump(n.iter)} ({many(n.body)}) ({many(n.orelse)}))"
    if t == "ClassDef":
        return f"(class ({many(n.body)}))"
    return f"<{t}>"


def verdict(text):
    """Six hexadecimal digits of the tree's digest, or '-' if CPython rejects the text."""
    try:
        compile(text, "program.py", "exec")
        tree = many(ast.parse(text).body)
    except (SyntaxError, ValueError):
        return "-"
    return hashlib.sha256(tree.encode("utf-8", "surrogatepass")).hexdigest()[:6]


def shortened(verdicts):
    """Words in a row, with -17 for seventeen rejections."""
    words = []
    for rejected, group in itertools.groupby(verdicts, lambda word: word == "-"):
        found = list(group)
        words += [f"-{len(found)}"] if rejected else found
    return " ".join(words)


if __name__ == "__main__":
    count = int(sys.argv[1])
    texts = [text_of(seed) for seed in range(count)]
    json.dump(
        {
            "version": f"CPython {platform.python_version()}",
            "command": f"python3.11 tools/golden/python_fuzz.py {count}",
            "bases": BASES,
            "tokens": TOKENS,
            "texts": hashlib.sha256("\0".join(texts).encode()).hexdigest(),
            "verdicts": shortened([verdict(text) for text in texts]),
        },
        sys.stdout,
        ensure_ascii=False,
        indent=1,
    )
