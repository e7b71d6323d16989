/** Spellings of one model: derivations that differ in productions of one class alone. */
import type { Environment, TerminalObject } from "../../src/gfn/environments/mod.ts";
import type { GrammarSpec } from "../../src/gfn/grammar/mod.ts";
import { candidatesOf } from "../evaluation/candidates.ts";

/** Derivations beyond which a grammar is not listed for its classes: each spelling is then executed. */
const mostListed = 100_000;

/** All spellings of a model, in the order of the grammar, by the text of each. */
type Spellings = ReadonlyMap<string, readonly TerminalObject[]>;

const known = new WeakMap<Environment, Spellings>();

/** The models of an environment that have several spellings; undefined where none has, or too many. */
export function spellingsOf(environment: Environment): Spellings | undefined {
  const walked = environment.written?.of ?? environment;
  if (!hasClasses(walked) || (walked.count ?? Infinity) > mostListed) return undefined;
  const found = known.get(walked) ?? listed(walked);
  known.set(walked, found);
  return found;
}

function hasClasses({ kind, spec }: Environment): boolean {
  return kind === "grammar" && (spec as GrammarSpec).holes
    .some(({ productions }) => productions.some((one) => one.class !== undefined));
}

function listed(environment: Environment): Spellings {
  const { candidates } = candidatesOf(environment, [...environment.enumerate()]);
  const several = candidates.filter(({ members }) => members.length > 1);
  return new Map(
    several.flatMap(({ members }) => members.map(({ text }) => [text, members] as const)),
  );
}
