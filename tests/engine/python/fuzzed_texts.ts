/** Mutated texts, the same as those of tools/golden/python_fuzz.py, and trees as texts. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { parse } from "../../../src/engine/language/syntax/parser.ts";
import { Source } from "../../../src/engine/language/syntax/source.ts";
import type {
  Comprehension,
  Expression,
  FormattedString,
  FunctionParameter,
  Statement,
} from "../../../src/engine/language/syntax/tree.ts";

/** Contents of the golden file. */
export interface FuzzGolden {
  readonly version: string;
  readonly bases: readonly string[];
  readonly tokens: readonly string[];
  /** SHA-256 of all texts. */
  readonly texts: string;
  /** One word for each text: the digest of its tree, or `-17` for seventeen that are rejected. */
  readonly verdicts: string;
}

/** Mulberry32. */
function random(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1) >>> 0;
    t = (t ^ (t + (Math.imul(t ^ (t >>> 7), t | 61) >>> 0))) >>> 0;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** The text of a seed. */
function textOf({ bases, tokens }: FuzzGolden, seed: number): string {
  const draw = random(seed);
  const pieces = bases[draw(bases.length)].match(/[A-Za-z_0-9]+|[^A-Za-z_0-9]/gu) ?? [];
  const edits = 1 + draw(3);
  for (let i = 0; i < edits && pieces.length > 0; i++) {
    const [at, kind] = [draw(pieces.length), draw(4)];
    const token = tokens[draw(tokens.length)];
    if (kind === 0) pieces.splice(at, 1);
    else if (kind === 1) pieces.splice(at, 0, token);
    else if (kind === 2) pieces[at] = token;
    else {
      const other = draw(pieces.length);
      [pieces[at], pieces[other]] = [pieces[other], pieces[at]];
    }
  }
  return pieces.join("");
}

/** Our parser's verdict on a text: the digest of its tree, or the code of its refusal. */
function verdictOf(text: string): { readonly tree?: string; readonly code?: string } {
  const parsed = parse(new Source(text, "program.py"));
  if (!parsed.ok) return { code: parsed.failure.code };
  const tree = many(parsed.statements.map(dumpStatement));
  return { tree: createHash("sha256").update(tree).digest("hex").slice(0, 6) };
}

/** CPython's verdict on each text: the digest of its tree, or undefined. */
function verdictsOf({ verdicts }: FuzzGolden): (string | undefined)[] {
  return verdicts.split(" ").flatMap((word) =>
    word.startsWith("-") ? new Array<undefined>(Number(word.slice(1))).fill(undefined) : [word]
  );
}

/** Fails unless the parser accepts only what CPython does, with its tree; counts what it accepts. */
export function compareTexts(golden: FuzzGolden): { accepted: number; outside: number } {
  assert.match(golden.version, /^CPython 3\.11\./);
  const verdicts = verdictsOf(golden);
  const texts = verdicts.map((_, seed) => textOf(golden, seed));
  const digest = createHash("sha256").update(texts.join("\0")).digest("hex");
  assert.equal(digest, golden.texts, "the texts are those of the golden file");
  let [accepted, outside] = [0, 0];
  for (const [seed, verdict] of verdicts.entries()) {
    const { tree, code } = verdictOf(texts[seed]);
    if (tree !== undefined) {
      assert.equal(tree, verdict, JSON.stringify(texts[seed]));
      accepted++;
    } else if (verdict !== undefined) {
      assert.match(`${code}`, /^unsupported\/|^syntax\/limit/, JSON.stringify(texts[seed]));
      outside++;
    }
  }
  return { accepted, outside };
}

function many(parts: readonly string[]): string {
  return parts.join(" ");
}

function points(text: string): string {
  return Array.from(text, (c) => c.codePointAt(0)).join(",");
}

function bits(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

function parameters(list: readonly FunctionParameter[]): string {
  return many(list.map((p) => `(${p.form} ${p.name.id} ${dump(p.default)})`));
}

function clauses({ clauses }: Comprehension): string {
  return many(
    clauses.map(({ target, over, tests }) =>
      `(for ${dump(target)} ${dump(over)} (${many(tests.map(dump))}))`
    ),
  );
}

/** Texts next to one another are one text. */
function formatted(parts: FormattedString["parts"]): string {
  const merged: string[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") merged.push(points(text));
    text = "";
  };
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else {
      flush();
      const { value, conversion = "", format = "" } = part;
      merged.push(`(field ${dump(value)} ${conversion} ${points(format)})`);
    }
  }
  flush();
  return many(merged);
}

function dump(e: Expression | undefined): string {
  if (!e) return "-";
  switch (e.kind) {
    case "number":
      return e.imaginary ? `(number ${bits(e.value)} j)` : `(number ${bits(e.value)})`;
    case "string":
      return `(${e.bytes ? "bytes" : "string"} ${points(e.value)})`;
    case "constant":
      return e.value;
    case "name":
      return e.id;
    case "attribute":
      return `(attribute ${dump(e.object)} ${e.name.id})`;
    case "subscript":
      return `(subscript ${dump(e.object)} ${dump(e.index)})`;
    case "slice":
      return `(slice ${many([0, 1, 2].map((i) => dump(e.parts[i])))})`;
    case "call": {
      const plain = e.arguments.flatMap(({ form, value }) =>
        form === "positional" ? [dump(value)] : form === "star" ? [`(starred ${dump(value)})`] : []
      );
      const keywords = e.arguments.flatMap(({ form, keyword, value }) =>
        form === "keyword" || form === "double_star"
          ? [`(keyword ${keyword?.id ?? "**"} ${dump(value)})`]
          : []
      );
      return `(call ${dump(e.callee)} (${many(plain)}) (${many(keywords)}))`;
    }
    case "unary":
      return `(unary ${e.op} ${dump(e.operand)})`;
    case "binary":
      return `(binary ${e.op} ${dump(e.left)} ${dump(e.right)})`;
    case "boolean":
      return `(boolean ${e.op} ${many(e.operands.map(dump))})`;
    case "comparison":
      return `(comparison ${many(e.ops)} ${many(e.operands.map(dump))})`;
    case "conditional":
      return `(conditional ${dump(e.test)} ${dump(e.then)} ${dump(e.otherwise)})`;
    case "tuple":
    case "list":
    case "set":
      return `(${e.kind} ${many(e.items.map(dump))})`;
    case "dictionary":
      return `(dictionary ${many(e.keys.map((key, i) => `(${dump(key)} ${dump(e.values[i])})`))})`;
    case "starred":
      return `(starred ${dump(e.value)})`;
    case "lambda":
      return `(lambda (${parameters(e.parameters)}) ${dump(e.body)})`;
    case "comprehension":
      return `(comprehension ${e.form} ${dump(e.item)} ${dump(e.value)} ${clauses(e)})`;
    case "formatted":
      return `(formatted ${formatted(e.parts)})`;
  }
}

function dumpStatement(s: Statement): string {
  const body = (statements: readonly Statement[] | undefined) =>
    `(${many((statements ?? []).map(dumpStatement))})`;
  switch (s.kind) {
    case "expression":
      return `(expression ${dump(s.value)})`;
    case "assign": {
      if (s.form === "plain") return `(assign (${many(s.targets.map(dump))}) ${dump(s.value)})`;
      const op = s.form === "augmented" ? ` ${s.op}` : "";
      return `(${s.form}${op} ${dump(s.targets[0])} ${dump(s.value)})`;
    }
    case "return":
      return `(return ${dump(s.value)})`;
    case "pass":
    case "break":
    case "continue":
      return `(${s.kind})`;
    case "import":
      return `(${s.form} ${many(s.imports.map(({ module, name }) => `(${module} ${name})`))})`;
    case "with": {
      const items = s.items.map(({ context, target }) => `(${dump(context)} ${dump(target)})`);
      return `(with (${many(items)}) ${body(s.body)})`;
    }
    case "def":
      return `(def ${s.name.id} (${parameters(s.parameters)}) ${body(s.body)})`;
    case "class":
      return `(class ${body(s.bodies[0])})`;
    default:
      return `(${s.kind} ${many(s.expressions.map(dump))} ${body(s.bodies[0])} ${
        body(s.bodies[1])
      })`;
  }
}
