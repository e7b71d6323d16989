/** Checks that operands in a normal form keep together wherever they stand. */
import type { Findings } from "./findings.ts";
import { type GrammarPath, type Places, spanInText } from "./places.ts";
import type { GrammarSpec, HoleSpec, ProductionSpec } from "./spec.ts";

/**
 * Reports an expression in a normal form that has no brackets, although its hole stands beside
 * another sign elsewhere: `a + b` in `{kernel} * {kernel}` would be `a + (b * c)`.
 */
export function checkBrackets(
  spec: GrammarSpec,
  hole: HoleSpec,
  production: ProductionSpec,
  path: GrammarPath,
  places: Places,
  findings: Findings,
): void {
  const { name, text, associative, commutative } = production;
  const isOpen = (associative || commutative) && hole.type === "expression" && /^\s*\{/.test(text);
  if (!isOpen) return;
  const beside = spec.holes.flatMap(({ productions }) => productions)
    .find((other) => other !== production && standsBesideSign(other.text, hole.name));
  if (!beside) return;
  const message = `Cannot use production "${name}": it has no brackets, and production ` +
    `"${beside.name}" would take a part of it for an operand of its own`;
  const span = spanInText(places([...path, "text"], "value"), text, 0, 0, text.length);
  findings.add("brackets", message, span, `write text = "(${text})"`);
}

function standsBesideSign(text: string, hole: string): boolean {
  const sign = "(?:[-+*/%@&|^<>]|\\b(?:and|or|not)\\b)";
  return new RegExp(`${sign}\\s*\\{${hole}\\}|\\{${hole}\\}\\s*${sign}`).test(text);
}
