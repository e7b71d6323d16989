/** Reads a formula. */
import { inputError } from "../../../base/diagnostic.ts";
import { nearest } from "../../../base/nearest.ts";
import type { Factor, Formula, ParameterParts, Part, Response, Term } from "./formula.ts";
import { columnFunctions, levelFunctions, responseWords } from "./formula.ts";
import {
  functionsElsewhere,
  leftElsewhere,
  leftFunctionsElsewhere,
  responseElsewhere,
} from "./functions_elsewhere.ts";
import { withoutRepeats } from "./repeated.ts";
import { spanOf, type Token, tokensOf } from "./tokens.ts";

/**
 * Reads a formula such as `beetles ~ [temp | poly(temp, 2)] + [canopy] + (1 | site)`: `[x]` may be
 * left out, `[a | b]` is one of them, `a * b` is `a + b + a:b`; `(1 + x | g)` are effects of the
 * levels of g (Bates et al. 2015, J. Statistical Software 67(1), table 2; `||` without correlation;
 * `(1 | g/h)` is `(1 | g) + (1 | g:h)`).
 * `[y | log(y)] ~ …` asks about the left side, `…; sigma ~ [x]` about another parameter.
 *
 * @throws InputError `formula/…` with the column of the text that cannot be read, and how to mend it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseFormula } from "./parse.ts";
 * const { response, parts } = parseFormula("log(y) ~ [x | poly(x, 2)] + (1 | site)");
 * assert.deepEqual(response, { column: "y", by: "log" });
 * assert.deepEqual(parts.map(({ source, asked }) => [source, asked]), [
 *   ["x | poly(x, 2)", true], ["(1 | site)", false],
 * ]);
 * ```
 */
export function parseFormula(formula: string): Formula {
  return new FormulaReader(tokensOf(formula)).formula();
}

const wordsWanted = "trials(…), event(…), se(…), cens(…) or trunc(…)";

const columnOfAll = "add a column to the file that holds it in every row";

/** Hints about a second argument of a word behind the bar. */
const saidHints: ReadonlyMap<string, string> = new Map([
  ["error", "known errors beside noise of unknown spread are y | se(s) ~ … + (1 | row)"],
]);

const ofLevels = 'an effect of each level is factor(x), or factor(x, ref = "b") against b';

/** Signs behind a response, and the notation to write instead. */
const leftHints: ReadonlyMap<string, string> = new Map([
  ["/", "successes a among n are a | trials(n) ~ …; else add the ratio to the file as a column"],
  ["=", "a formula is `response ~ terms`; that a response has a value is a column of 0 and 1"],
]);

/** Signs behind a term, and the notation to write instead. */
const laterHints: ReadonlyMap<string, string> = new Map([
  ["/", "a / b is a + a:b; levels of b within those of a (1 | a/b)"],
  ["-", "leave the term out"],
  [",", "families are --families poisson; further parameters are joined by ;, `y ~ x; sigma ~ x`"],
  ["|", "effects of a group stand in brackets: (1 | g), (1 + x | g)"],
  ["=", "a comparison is a column of its own in the file, of 0 and 1"],
]);

/** Hints about a further argument of a function. */
const argumentHints: ReadonlyMap<string, string> = new Map([
  ["poly", "leave it out: powers are of the standardised number, and the models those of raw ones"],
  ["log", "leave it out: any logarithm is log(x), only its unit differs"],
  ["spline", "leave it out: spline(x, 5) bends at 5 quantiles"],
  ["exp", "a column of its own in the file has sums and products"],
  ["sqrt", "a column of its own in the file has sums and products"],
]);

/** Terms that `*` joins: of six there are 63 products. */
const mostCrossed = 6;

type Items = { readonly terms: Term[]; readonly intercept?: boolean };

/** Hints about a text or sign where a name should stand. */
const nameHints: ReadonlyMap<string, string> = new Map([
  ["text", "names stand without quotes, or in backticks: `body mass`"],
  [":", "functions stand without their package: poly(x, 2), and no terms::poly(x, 2)"],
  ["", "y ~ 1 has no terms"],
]);

/** Ends a hint where a name may have been meant that is more than one word, as `mass [g]`. */
const inBackticks = "; names with blanks or brackets stand in backticks, as `mass [g]`";

class FormulaReader {
  #at = 0;

  constructor(readonly tokens: readonly Token[]) {}

  formula(): Formula {
    const response = this.#response();
    this.#expect(
      "~",
      leftHints.get(this.#now.text) ?? "a formula is `response ~ terms`" + inBackticks,
    );
    const { intercept, parts } = this.#terms();
    const others: ParameterParts[] = [];
    while (this.#takes(";")) others.push(this.#other());
    if (this.#now.kind !== "end") throw this.#unexpected('"+" or the end', this.#laterHint());
    return { source: this.#source(0), response, intercept, parts, others };
  }

  /** The likely meaning of a sign behind a term. */
  #laterHint(): string | undefined {
    return laterHints.get(this.#now.text);
  }

  #allColumns(token: Token): Error {
    const message = 'Cannot read the formula: "." is no column';
    const hint = "name the columns, in brackets what is in question; without --formula, by " +
      "--response, every column is asked about";
    return inputError("formula/all", message, spanOf(token), hint);
  }

  #terms(): { readonly intercept: boolean; readonly parts: readonly Part[] } {
    const parts: Part[] = [];
    let intercept = true;
    do {
      if (this.#takes("-")) intercept = this.#one();
      else if (this.#takes("[")) parts.push(this.#bracket());
      else {
        const from = this.#at;
        const items = this.#item();
        intercept = items.intercept ?? intercept;
        const source = this.#source(from);
        if (items.terms.length > 0) parts.push(always(source, items.terms));
      }
      if (this.#takes("-")) intercept = this.#one();
    } while (this.#takes("+"));
    return { intercept, parts: withoutRepeats(parts) };
  }

  /** `sigma ~ [x]`: its questions are called `sigma: x`. */
  #other(): ParameterParts {
    const parameter = nameOf(this.#name("a parameter such as sigma"));
    this.#expect("~", "further parameters are said as `; sigma ~ [x]`");
    const parts = this.#terms().parts.map((part) => ({
      ...part,
      source: `${parameter}: ${part.source}`,
    }));
    return { parameter, parts };
  }

  #response(): Response {
    let response: Response;
    if (this.#takes("[")) response = this.#askedResponse();
    else response = this.#responseItem();
    while (this.#takes("|") || this.#isMore()) {
      response = { ...response, ...this.#said() };
    }
    return response;
  }

  /** `+` behind a word of the response, as brms joins them. */
  #isMore(): boolean {
    return this.tokens[this.#at - 1].text === ")" && this.#takes("+");
  }

  /** `trials(n)`; the bar before it has been taken. */
  #said(): Partial<Response> {
    const word = this.#name(wordsWanted);
    if (word.text === "weights") throw this.#weights(word);
    const known = responseWords.get(word.text);
    const plain = word.text.replace(/^resp_/, "");
    const elsewhere = responseElsewhere.get(plain) ??
      (responseWords.has(plain) || plain === "trunc" ? `write ${plain}(…)` : undefined);
    if (!known && word.text !== "trunc") throw this.#strange(word, wordsWanted, elsewhere);
    this.#expect("(");
    if (!known) return { truncated: this.#bounds() };
    const at = this.#now;
    if (at.kind !== "name") throw this.#strange(at, "a column", columnOfAll);
    const column = nameOf(this.#name("a column"));
    const other = known === "trials" && this.#takes("+")
      ? nameOf(this.#name("a column"))
      : undefined;
    if (known === "censored" && this.#takes(",")) {
      const until = nameOf(this.#name("a column of upper ends", columnOfAll));
      this.#expect(")");
      return { censored: column, until };
    }
    this.#expect(")", saidHints.get(known));
    return other === undefined ? { [known]: column } : trialsOf(column, other);
  }

  /** `lb = 1, ub = 9)`: either, or both. */
  #bounds(): NonNullable<Response["truncated"]> {
    let bounds: { lower?: number; upper?: number } = {};
    const hint =
      "truncated values are y | trunc(lb = 1), y | trunc(lb = 0, ub = 9), the same in all rows";
    do {
      const { text } = this.#name("lb = or ub =", hint);
      this.#expect("=", hint);
      const sign = this.#takes("-") ? -1 : 1;
      const at = this.#now;
      if (at.kind !== "number" || !["lb", "ub"].includes(text)) {
        throw this.#strange(at, "a number", hint);
      }
      this.#at++;
      bounds = { ...bounds, [text === "lb" ? "lower" : "upper"]: sign * Number(at.text) };
    } while (this.#takes(","));
    this.#expect(")");
    return bounds;
  }

  #responseItem(): Response {
    const token = this.#name(
      "a column",
      this.#now.text === "~" ? "name the response: y ~ x" : undefined,
    );
    if (!this.#takes("(")) return { column: nameOf(token) };
    if (token.text === "cbind") return this.#successes();
    if (token.text !== "log") throw this.#strangeLeft(token);
    const response = { column: nameOf(this.#name("a column")), by: "log" } as const;
    this.#expect(")", `log(y + 1) and the like: ${leftElsewhere}`);
    return response;
  }

  /** `successes, failures)`, as R has them. */
  #successes(): Response {
    const column = nameOf(this.#name("a column"));
    this.#expect(",", "successes and failures are cbind(a, b)");
    const other = nameOf(this.#name("a column"));
    this.#expect(")", leftFunctionsElsewhere.get("mvbind"));
    return { column, ...trialsOf(column, other) };
  }

  #strangeLeft(token: Token): Error {
    const message = `Cannot read the formula: there is no function ${token.text} of the response`;
    const own = leftFunctionsElsewhere.get(token.text);
    return inputError(
      "formula/function",
      message,
      spanOf(token),
      own ?? `${leftElsewhere}${inBackticks}`,
    );
  }

  /** `y | log(y)]`; the bracket before it has been taken. */
  #askedResponse(): Response {
    const from = this.#at;
    const first = this.#responseItem();
    this.#expect("|", "an uncertain response is written [y | log(y)]");
    const token = this.#now;
    const second = this.#responseItem();
    if (second.column !== first.column || second.by === first.by) {
      throw this.#strange(token, first.by ? first.column : `log(${first.column})`);
    }
    const source = this.#source(from);
    this.#expect("]");
    return { column: first.column, asked: { source, by: [first.by, second.by] } };
  }

  #weights(token: Token): Error {
    const message = "Cannot weight rows: each datum counts once in a score, or rows could be " +
      "bought";
    const hint = "where a row stands for n equal ones, --frequency n reads the n rows; successes " +
      "among n are y | trials(n), known standard errors y | se(s)";
    return inputError("formula/weights", message, spanOf(token), hint);
  }

  /** Reads a part in brackets, behind the first bracket. */
  #bracket(): Part {
    const from = this.#at;
    const alternatives: Term[][] = [];
    const names: string[] = [];
    do {
      const start = this.#at;
      alternatives.push(this.#sum());
      names.push(this.#source(start));
    } while (this.#takes("|"));
    const source = this.#source(from);
    this.#expect(
      "]",
      "a bracket is [x], or [a | b]; names with blanks stand in backticks, as `mass [g]`",
    );
    return { source, alternatives, names, asked: true };
  }

  #sum(): Term[] {
    const terms: Term[] = [];
    do {
      const token = this.#now;
      const items = this.#item();
      if (items.intercept !== undefined) throw this.#strange(token, "a term");
      terms.push(...items.terms);
    } while (this.#takes("+"));
    return terms;
  }

  /** `0`, `1`, `a * b`, `a:b`, `(1 | g)`, `offset(x)`. */
  #item(): Items {
    const token = this.#now;
    if (token.kind === "number") {
      this.#at++;
      if (token.text !== "0" && token.text !== "1") throw this.#strange(token, "0, 1 or a column");
      return { terms: [], intercept: token.text === "1" };
    }
    if (this.#takes("(")) return { terms: this.#group(this.#at - 1) };
    if (token.text === "offset" && this.#next.text === "(") return { terms: [this.#offset()] };
    const products = [this.#product()];
    while (this.#takes("*")) {
      if (products.length === mostCrossed) throw this.#tooManyCrossed();
      products.push(this.#product());
    }
    return { terms: crossed(products) };
  }

  #tooManyCrossed(): Error {
    const message = `Cannot read the formula: more than ${mostCrossed} terms are joined by "*", ` +
      "which stands for the product of every choice among them";
    const hint = "join fewer, or write the products that are meant: a:b";
    return inputError("formula/crossed", message, spanOf(this.#now), hint);
  }

  #product(): readonly Named[] {
    const factors = [this.#factor()];
    while (this.#takes(":")) factors.push(this.#factor());
    return factors;
  }

  #factor(): Named {
    const from = this.#at;
    const token = this.#name("a column");
    const named = (factor: Factor): Named => ({ factor, source: this.#source(from) });
    if (token.text === ".") throw this.#allColumns(token);
    if (this.#now.text !== "(" || token.text.startsWith("`")) {
      return named({ kind: "column", column: nameOf(token) });
    }
    this.#at++;
    if (!knownFunctions.includes(token.text)) throw this.#strangeFunction(token);
    const column = nameOf(this.#name("a column"));
    const factor = this.#made(token, column);
    this.#expect(")", argumentHints.get(token.text));
    return named(factor);
  }

  /** `, ref = "b"`: the level that the others are compared with. */
  #levelsOf(column: string): Factor {
    if (!this.#takes(",")) return { kind: "levels", column };
    const word = this.#now;
    if (word.text !== "ref" || this.#next.text !== "=") {
      throw this.#unexpected('ref = "level"', ofLevels);
    }
    this.#at += 2;
    const { kind, text } = this.#now;
    if (kind !== "text" && kind !== "number") {
      throw this.#unexpected('a level, as ref = "b"', ofLevels);
    }
    this.#at++;
    return { kind: "levels", column, reference: kind === "text" ? text.slice(1, -1) : text };
  }

  /** Reads the factor that a function makes of a column, up to the parenthesis. */
  #made(token: Token, column: string): Factor {
    if (token.text === "log" && this.#now.text === "+" && this.#next.text === "1") {
      this.#at += 2;
      return { kind: "column", column, by: "log1p" };
    }
    const by = columnFunctions.find((name) => name === token.text);
    if (by) return { kind: "column", column, by };
    if (token.text === "mo") return { kind: "monotonic", column };
    if (levelFunctions.includes(token.text)) return this.#levelsOf(column);
    this.#expect(",", "poly(x, 2) has a degree, spline(x, 5) a number of knots");
    const size = this.#size(token.text === "poly" ? "poly" : "spline");
    return token.text === "poly"
      ? { kind: "poly", column, degree: size }
      : { kind: "spline", column, knots: size };
  }

  #size(of: "poly" | "spline"): number {
    const token = this.#now;
    const [least, most] = of === "poly" ? [2, 5] : [3, 20];
    const size = Number(token.text);
    if (token.kind !== "number" || !Number.isInteger(size) || size < least || size > most) {
      const hint = "poly(x, 2) has a degree, spline(x, 5) a number of knots";
      throw this.#strange(token, `a number from ${least} to ${most}`, hint);
    }
    this.#at++;
    return size;
  }

  #offset(): Term {
    const from = this.#at;
    this.#at += 2;
    const { factor } = this.#factor();
    this.#expect(
      ")",
      "offset(x) and offset(log(x)) have one column; sums and ratios are columns of the file",
    );
    return { kind: "offset", source: this.#source(from), factor };
  }

  /** `1 + x | g)`; the parenthesis before it has been taken. Of nested groups a term for each depth. */
  #group(from: number): Term[] {
    let intercept = true;
    const slopes: Factor[] = [];
    do {
      const token = this.#now;
      if (token.kind === "number") {
        this.#at++;
        if (token.text !== "0" && token.text !== "1") throw this.#strange(token, "0 or 1");
        intercept = token.text === "1";
      } else slopes.push(this.#factor().factor);
    } while (this.#takes("+"));
    const correlated = !this.#takes("||");
    if (correlated) {
      this.#expect(
        "|",
        "effects of a group are (1 | site), or (1 + x | site); of two terms that are joined " +
          "(a + b) write a + b",
      );
    }
    const effects = this.#source(from);
    const nested = [this.#levels()];
    while (this.#takes("/")) nested.push([...nested[nested.length - 1], ...this.#levels()]);
    this.#expect(
      ")",
      this.#now.text === "|"
        ? "effects that share a name, (1 | name | g), are not there: write (1 | g)"
        : undefined,
    );
    return nested.map((tokens) => ({
      kind: "group",
      source: `${effects} ${tokens.map(({ text }) => text).join(":")})`,
      intercept,
      slopes,
      groups: tokens.map(nameOf),
      correlated,
    }));
  }

  /** `g`, or `g:h`. */
  #levels(): Token[] {
    const groups: Token[] = [];
    do {
      const token = this.#name("a group");
      if (this.#now.text === "(") throw this.#strangeFunction(token);
      groups.push(token);
    } while (this.#takes(":"));
    return groups;
  }

  get #now(): Token {
    return this.tokens[this.#at];
  }

  get #next(): Token {
    return this.tokens[Math.min(this.#at + 1, this.tokens.length - 1)];
  }

  #takes(sign: string): boolean {
    if (this.#now.kind !== "sign" || this.#now.text !== sign) return false;
    this.#at++;
    return true;
  }

  /** The 1 of `- 1`, which leaves the intercept out. */
  #one(): false {
    const token = this.#now;
    const hint =
      "- 1 leaves the intercept out; a term that is not meant is left out of the formula";
    if (token.text !== "1") throw this.#strange(token, "1", hint);
    this.#at++;
    return false;
  }

  #name(wanted: string, hint?: string): Token {
    const token = this.#now;
    if (token.kind !== "name") {
      throw this.#unexpected(
        wanted,
        hint ?? nameHints.get(token.kind === "text" ? "text" : token.text),
      );
    }
    this.#at++;
    return token;
  }

  #expect(sign: string, hint?: string): void {
    if (!this.#takes(sign)) throw this.#unexpected(`"${sign}"`, hint);
  }

  /** Source read since a token, single-spaced. */
  #source(from: number): string {
    return spaced(this.tokens.slice(from, this.#at));
  }

  #unexpected(wanted: string, hint?: string): Error {
    return this.#strange(this.#now, wanted, hint);
  }

  #strange(token: Token, wanted: string, hint?: string): Error {
    const found = token.kind === "end"
      ? "it ends"
      : `${token.kind === "text" ? token.text : `"${token.text}"`} stands`;
    const message = `Cannot read the formula: ${found} where ${wanted} is wanted`;
    return inputError("formula/syntax", message, spanOf(token), hint);
  }

  #strangeFunction(token: Token): Error {
    if (token.text === "weights") return this.#weights(token);
    const name = token.text.replace(/^(np|numpy|mgcv|splines|survival|brms|rms)\./, "");
    const known = [...columnFunctions, "factor", "poly", "spline", "mo"];
    const meant = nearest(name, known);
    const message = `Cannot read the formula: there is no function ${token.text}`;
    const own = functionsElsewhere.get(name) ?? functionsElsewhere.get(name.toLowerCase());
    const hint = own ??
      `${meant ? `did you mean ${meant}? ` : ""}known: ${known.join(", ")}${inBackticks}`;
    return inputError("formula/function", message, spanOf(token), hint);
  }
}

/** Functions of a predictor that there are. */
const knownFunctions: readonly string[] = [
  ...columnFunctions,
  ...levelFunctions,
  ...["poly", "spline", "mo"],
];

/** Trials that are two columns together. */
function trialsOf(a: string, b: string): Pick<Response, "trials" | "trialsOf"> {
  return { trials: `${a} + ${b}`, trialsOf: [a, b] };
}

interface Named {
  readonly factor: Factor;
  readonly source: string;
}

function always(source: string, terms: readonly Term[]): Part {
  return { source, alternatives: [terms], names: [source], asked: false };
}

/** `a * b` is `a + b + a:b`: every product of some of them, smaller ones first. */
function crossed(products: readonly (readonly Named[])[]): Term[] {
  const subsets = Array.from({ length: 2 ** products.length - 1 }, (_, i) => i + 1)
    .map((bits) => products.filter((_, k) => (bits >> k) & 1))
    .sort((a, b) => a.length - b.length);
  return subsets.map((some) => {
    const named = some.flat();
    const source = named.map((one) => one.source).join(":");
    return { kind: "product", source, factors: named.map(({ factor }) => factor) };
  });
}

function nameOf({ text }: Token): string {
  return text.startsWith("`") ? text.slice(1, -1) : text;
}

/** Signs that stand between blanks. */
const apart = new Set(["+", "~", "|", "||", "*", "-", "="]);

function spaced(tokens: readonly Token[]): string {
  const written = tokens.map(({ text }) => {
    if (apart.has(text)) return ` ${text} `;
    return text === "," || text === ";" ? `${text} ` : text;
  });
  return written.join("").trim();
}
