/** Checks that a production may have a normal form: that it makes no two programs one. */
import type { Findings } from "./findings.ts";
import type { GrammarPath, Places } from "./places.ts";
import type { HoleSpec, ProductionSpec } from "./spec.ts";
import { holesOf, parseTemplate } from "./template.ts";

/** Operators whose two operands may change places. */
const commutativeSigns = ["+", "*", "&", "|", "^", "and", "or"];

/** Operators whose brackets do not count. */
const associativeSigns = [...commutativeSigns, "@"];

/** Functions of two arguments that may change places, by the last part of their names. */
const symmetricFunctions = ["maximum", "minimum", "logaddexp", "add", "mul", "eq", "hypot"];

/** Reports a normal form that the text does not have. Phrases may have any, since their meaning is unknown. */
export function checkNormalForm(
  hole: HoleSpec,
  production: ProductionSpec,
  path: GrammarPath,
  places: Places,
  findings: Findings,
): void {
  const { name, text, associative, commutative, operands } = production;
  const add = (key: string, problem: string, hint: string) => {
    const message = `Cannot use production "${name}": ${problem}`;
    findings.add("normal-form", message, places([...path, key], "value"), hint);
  };
  if (operands !== undefined && !associative) {
    const hint = "write associative = true, or leave operands out";
    add("operands", "it has operands, but is not associative", hint);
  }
  const key = commutative ? "commutative" : "associative";
  if (!associative && !commutative) return;
  const [one, two, ...others] = holesOf(parseTemplate(text));
  if (!two || others.length > 0 || one.hole !== two.hole) {
    const hint = "a normal form is for a text with two operands, as in ({kernel} + {kernel})";
    return add(key, `it is ${key}, but has not two holes of one name`, hint);
  }
  if (associative && one.hole !== hole.name) {
    const hint = `let both holes be {${hole.name}}`;
    return add("associative", `it is associative, but its holes are not {${hole.name}}`, hint);
  }
  if (hole.type === "phrase") return;
  const around = { ...parted(text, one.hole), type: hole.type };
  if (commutative && !isCommutative(around)) {
    add("commutative", twoPrograms(text, around.between, true), signs(commutativeSigns));
  }
  if (associative && !isAssociative(around)) {
    add("associative", twoPrograms(text, around.between, false), signs(associativeSigns));
  }
}

interface Parted {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

function parted(text: string, hole: string): Parted {
  const [before, between, after] = text.split(`{${hole}}`).map((part) => part.trim());
  return { before, between, after };
}

type Around = Parted & { readonly type: HoleSpec["type"] };

function isCommutative({ before, between, after }: Around): boolean {
  if (isPlain(before, after)) return commutativeSigns.includes(between);
  const call = /(?:^|\.)(\w+)\($/.exec(before);
  return between === "," && call !== null && symmetricFunctions.includes(call[1]) && after === ")";
}

function isAssociative({ before, between, after, type }: Around): boolean {
  if (type === "statements" || type === "arguments") {
    return before === "" && after === "" && ["", ","].includes(between);
  }
  return isPlain(before, after) && associativeSigns.includes(between);
}

/** Nothing but brackets around. */
function isPlain(before: string, after: string): boolean {
  return /^\(*$/.test(before) && after === ")".repeat(before.length);
}

function twoPrograms(text: string, between: string, isSwap: boolean): string {
  const [one, two] = isSwap ? ["a, b", "b, a"] : ["(a, b), c", "a, (b, c)"];
  return `its normal form makes two derivations one program: with ${JSON.stringify(between)} ` +
    `between its holes, ${one} and ${two} in ${JSON.stringify(text)} need not mean the same`;
}

function signs(known: readonly string[]): string {
  return `leave the key out, or put one of these between the holes: ${known.join(" ")}`;
}
