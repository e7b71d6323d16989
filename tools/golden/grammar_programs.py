"""Expands a grammar independently of Sluice, builds every program in real PyMC, records a digest.

Run: python tools/golden/grammar_programs.py --build
Writes tests/golden/grammar_programs.json. Without --build the programs are only expanded.
"""

import argparse
import hashlib
import json
import math
import platform
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def holes_of(text):
    return HOLE.findall(text.replace("{{", "").replace("}}", ""))


def trimmed(text):
    return text.rstrip("\n")


class Grammar:
    def __init__(self, path):
        doc = tomllib.loads(Path(path).read_text())
        self.exit = doc.get("exit", 1.0)
        self.template = doc["template"]
        self.holes = {name: hole["productions"] for name, hole in doc["holes"].items()}
        self.clauses = doc.get("clauses", [])
        self.optional = {clause["hole"] for clause in self.clauses}

    def legal(self, hole, chosen):
        for production in self.holes[hole]:
            if not all(name in chosen for name in production.get("requires", [])):
                continue
            wanted = production.get("requires_any", [])
            if wanted and not any(name in chosen for name in wanted):
                continue
            if any(name in chosen for name in production.get("excludes", [])):
                continue
            yield hole, production

    def derivations(self):
        """Every derivation: (productions in order, log prior, clauses' choices)."""
        yield from self._walk(holes_of(self.template), [], [], 0, self.exit, 0.0)

    def _walk(self, agenda, open_clauses, path, clause, exit_weight, log_prior):
        agenda, open_clauses = list(agenda), list(open_clauses)
        while agenda and agenda[0] in self.optional:
            open_clauses.append(agenda.pop(0))
        chosen = {production["name"] for _, production in path}
        if agenda:
            choices = list(self.legal(agenda[0], chosen))
            total = math.fsum(production["weight"] for _, production in choices)
            for hole, production in choices:
                rest = holes_of(production.get("text", "")) + agenda[1:]
                step = math.log(production["weight"] / total)
                yield from self._walk(
                    rest, open_clauses, path + [(hole, production)], clause, exit_weight, log_prior + step
                )
            return
        choices = [
            (i, hole, production)
            for i in range(clause, len(self.clauses))
            if self.clauses[i]["hole"] in open_clauses
            for hole, production in self.legal(self.clauses[i]["hole"], chosen)
        ]
        total = math.fsum([exit_weight] + [production["weight"] for _, _, production in choices])
        for i, hole, production in choices:
            step = math.log(production["weight"] / total)
            yield from self._walk(
                holes_of(production.get("text", "")),
                open_clauses,
                path + [(hole, production)],
                i + 1,
                self.clauses[i].get("exit", 1.0),
                log_prior + step,
            )
        yield path, log_prior + math.log(exit_weight / total)

    def render(self, path):
        mandatory = [(h, p) for h, p in path]
        taken = {}
        queue = []
        for hole, production in mandatory:
            if hole in self.optional:
                taken[hole] = production
        # Replays the derivation in order: holes are filled depth first, clauses at the end.
        order = iter(mandatory)
        filled = {}

        def expand(text, key):
            for number, hole in enumerate(holes_of(text)):
                if hole in self.optional:
                    queue.append(hole)
                    continue
                got, production = next(order)
                assert got == hole, (got, hole)
                filled[(key, number)] = production
                expand(production.get("text", ""), (key, number))

        expand(self.template, ())
        for hole, production in order:
            expand(production.get("text", ""), ("clause", hole))
        return self._text(self.template, (), filled, taken)

    def _text(self, text, key, filled, taken):
        lines = []
        numbers = iter(range(10**6))
        for line in trimmed(text).split("\n"):
            def piece(match):
                hole, number = match.group(1), next(numbers)
                if hole in self.optional:
                    if hole in taken:
                        return self._text(taken[hole].get("text", ""), ("clause", hole), filled, taken)
                    clause = next(c for c in self.clauses if c["hole"] == hole)
                    return trimmed(clause.get("default", ""))
                return self._text(filled[(key, number)].get("text", ""), (key, number), filled, taken)

            indent = line[: len(line) - len(line.lstrip())]
            filled_line = HOLE.sub(piece, line)
            if filled_line.strip() == "" and line.strip() != "":
                continue
            lines += [filled_line.split("\n")[0]] + [
                indent + more if more else more for more in filled_line.split("\n")[1:]
            ]
        return "\n".join(lines) + ("\n" if key == () else "")


def build_all(texts):
    import pandas as pd
    import pymc as pm

    data = pd.read_csv(ROOT / "data" / "dugongs.csv")
    for text in texts:
        namespace = {"data": data}
        exec(compile(text, "program", "exec"), namespace)
        assert len(namespace["model"].observed_RVs) == 1, text
    return pm.__version__


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--grammar", default="grammars/growth_curves.toml")
    options = parser.parse_args()
    grammar = Grammar(ROOT / options.grammar)
    programs = [(path, log_prior, grammar.render(path)) for path, log_prior in grammar.derivations()]
    texts = sorted(text for _, _, text in programs)
    lengths = [len(path) + 1 for path, _, _ in programs]
    summary = {
        "command": "python tools/golden/grammar_programs.py --build",
        "grammar": options.grammar,
        "python": platform.python_version(),
        "pymc": build_all(texts) if options.build else None,
        "count": len(programs),
        "distinct_texts": len(set(texts)),
        "actions_min": min(lengths),
        "actions_max": max(lengths),
        "prior_mass": math.fsum(math.exp(log_prior) for _, log_prior, _ in programs),
        "prior_entropy": -math.fsum(math.exp(lp) * lp for _, lp, _ in programs),
        "texts_sha256": hashlib.sha256("\0".join(texts).encode()).hexdigest(),
    }
    print(json.dumps(summary, indent=2))
    if options.build and options.grammar == parser.get_default("grammar"):  # the file is of that one
        (ROOT / "tests" / "golden").mkdir(exist_ok=True)
        out = ROOT / "tests" / "golden" / "grammar_programs.json"
        out.write_text(json.dumps(summary, indent=2) + "\n")


if __name__ == "__main__":
    main()
