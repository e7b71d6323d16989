"""Asks CPython for the values of random arithmetic: tests/golden/python_arithmetic.json.

Run with CPython 3.11:
    python3.11 tools/golden/python_arithmetic.py > tests/golden/python_arithmetic.json
"""
import json
import math
import platform
import random
import sys

OPERATORS = ["+", "-", "*", "/", "**"]


def expression(rng, depth):
    """Text with as few parentheses as chance has it, so that precedence decides."""
    kind = rng.random()
    if depth == 0 or kind < 0.2:
        return rng.choice(["1", "2", "3", "0.5", "1.5e0", "0x2", "1_0", ".25", "4."])
    if kind < 0.35:
        return f"-{expression(rng, depth - 1)}"
    if kind < 0.5:
        return f"({expression(rng, depth - 1)})"
    if kind < 0.6:
        return f"abs({expression(rng, depth - 1)})"
    operator = rng.choice(OPERATORS)
    left, right = expression(rng, depth - 1), expression(rng, depth - 1)
    return rng.choice([f"{left} {operator} {right}", f"{left}{operator}{right}"])


def value(text):
    """A finite real number, or None."""
    try:
        found = eval(text, {"abs": abs})
        return float(found) if math.isfinite(found) and abs(found) < 1e100 else None
    except (ArithmeticError, TypeError):
        return None


def main():
    rng = random.Random(20)
    rows = {}
    while len(rows) < 300:
        text = expression(rng, 4)
        found = value(text) if len(text) > 8 else None
        if found is not None:
            rows[text] = found
    document = {
        "program": "tools/golden/python_arithmetic.py",
        "version": "CPython " + platform.python_version(),
        "command": "python3.11 tools/golden/python_arithmetic.py"
        " > tests/golden/python_arithmetic.json",
        "expressions": [{"text": text, "value": found} for text, found in rows.items()],
    }
    json.dump(document, sys.stdout, indent=1)
    print()


main()
