/** Columns that conditions choose between: `np.where` and `np.select` of words, and `np.select` of numbers. */
import { broadcast, joinOrigins, numeric, shapeOf, widest } from "../interpreter/arrays.ts";
import { type Arguments, carriesResponse } from "../interpreter/bind.ts";
import type { Checking } from "../interpreter/checking.ts";
import { invalid, type NumericValue, type Value } from "../interpreter/values.ts";
import { wordColumn, wordsIn } from "../interpreter/words.ts";

/** `np.where(condition, "a", "b")`; undefined where no choice is a word. */
export function whereOfWords(checking: Checking, args: Arguments): Value | undefined {
  const [condition, a, b] = args.positional.map(({ value }) => value);
  if (!b || condition.kind !== "numeric" || (!isWord(a) && !isWord(b))) return undefined;
  return chosenWords(checking, args, [condition], [a], b);
}

function isWord(value: Value): boolean {
  return value.kind === "text" || (value.kind === "numeric" && value.labels !== undefined);
}

/** A word for each row: of the first choice whose condition holds, or of the last. */
function chosenWords(
  checking: Checking,
  { call }: Arguments,
  conditions: readonly Value[],
  choices: readonly Value[],
  otherwise: Value,
): Value | undefined {
  const flags = conditions.map((one) =>
    one.kind === "numeric" ? checking.graph.valueOf(one.node)?.values : undefined
  );
  const rows = flags[0]?.length;
  if (rows === undefined || flags.some((one) => one?.length !== rows)) return undefined;
  const words = [...choices, otherwise].map((one) =>
    one.kind === "text" ? Array.from({ length: rows }, () => one.value) : wordsIn(checking, one)
  );
  if (words.some((one) => one?.length !== rows)) return undefined;
  const chosen = Array.from({ length: rows }, (_, row) => {
    const k = flags.findIndex((one) => one![row] !== 0);
    return words[k < 0 ? choices.length : k]![row];
  });
  return wordColumn(checking, chosen, call);
}

/** `np.select([c1, c2], [x1, x2], default=0)`. */
export function selected(checking: Checking, args: Arguments): Value {
  const { call, positional, keywords } = args;
  const [conditions, choices] = positional.map(({ value }) =>
    value.kind === "sequence" ? value.items : []
  );
  const given = (positional[2] ?? keywords.get("default"))?.value;
  if ([...conditions ?? [], ...choices ?? [], given ?? invalid].some(carriesResponse)) {
    return checking.derive(call);
  }
  const fits = conditions?.length > 0 && conditions.length === choices?.length;
  if (fits && choices.some(isWord)) {
    const otherwise = given ?? { kind: "text", value: "0" } as const;
    const made = chosenWords(checking, args, conditions, choices, otherwise);
    if (made) return made;
  }
  if (!fits || choices.some(isWord)) {
    const message = "Cannot call np.select: wanted lists of conditions and of as many choices";
    return checking.error("names/wrong-kind", message, call);
  }
  let made = given
    ? numeric(checking, given, call, "np.select")
    : { kind: "numeric", node: checking.graph.scalar(0), dtype: "int", origin: "python" } as const;
  for (let k = choices.length - 1; k >= 0 && made; k--) {
    const test = numeric(checking, conditions[k], call, "np.select");
    const x = numeric(checking, choices[k], call, "np.select");
    made = test && x && chosen(checking, test, x, made, args);
  }
  return made ? { ...made, origin: made.origin === "series" ? "numpy" : made.origin } : invalid;
}

function chosen(
  checking: Checking,
  test: NumericValue,
  x: NumericValue,
  otherwise: NumericValue,
  { call }: Arguments,
): NumericValue | undefined {
  const shape = broadcast(checking, [test, x, otherwise], call);
  if (!shape || shapeOf(checking, test).length === 0) return undefined;
  checking.allocate(shape.reduce((a, b) => a * b, 1), call);
  const node = checking.graph.where(test.node, x.node, otherwise.node);
  return {
    kind: "numeric",
    node,
    dtype: widest(x, otherwise),
    origin: joinOrigins(test, x, otherwise),
  };
}
