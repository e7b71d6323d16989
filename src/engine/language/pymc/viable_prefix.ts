/** Whether a text can be the beginning of a program: its syntax, its names, its calls of PyMC. */
import { distributionNames } from "../distributions/table.ts";
import { pythonBuiltins } from "../interpreter/builtins.ts";
import { arrayFunctions } from "../numpy/library.ts";
import { modules, submodules } from "../interpreter/modules.ts";
import { keywords } from "../syntax/cursor.ts";
import { lastStatement } from "../syntax/last_statement.ts";
import { lastWord, longerName } from "../syntax/last_word.ts";
import { parse, parseOpen } from "../syntax/parser.ts";
import { Source } from "../syntax/source.ts";
import type { Token } from "../syntax/tokens.ts";
import { likenessOf } from "./likeness.ts";
import { inference, pmNames } from "./names.ts";

/** Names that may follow `pm.`. */
const pymcMembers: ReadonlySet<string> = new Set([
  ...distributionNames,
  ...pmNames,
  ...inference,
  ...Object.keys(arrayFunctions.pm),
  ...["modelcontext", "logit", "distributions", "gp", "transforms"],
]);

/** Names that every program has. */
const given: readonly string[] = [...pythonBuiltins, "data", "__name__"];

/** Modules that a program may import, by the first part of their names. */
const importable = new Set(Object.keys(modules).flatMap((name) => [name, name.split(".")[0]]));

/**
 * Whether some program begins so, as far as syntax, names and members of `pm` tell: names are assigned or
 * imported before they are read, `pm.` is followed by what is known of PyMC. It never refuses the beginning
 * of a program that is read without findings; it may let pass what no program begins with, so that a writer
 * that it guides may end where nothing can follow. It does refuse one construct: a generator in the
 * brackets of a call whose variables have more than one letter, and whose element is more than a name.
 *
 * @param text May end inside a word.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { canBegin } from "./viable_prefix.ts";
 * const begin = 'import pymc as pm\nwith pm.Model():\n    a = pm.Norm';
 * assert(canBegin(begin));
 * assert(!canBegin(begin + "xy")); // no distribution is called so
 * assert(!canBegin(begin + 'al("a", 0, sigm)')); // nothing is called sigm
 * assert(canBegin(begin + 'al("a", 0, sigm')); // the keyword sigma
 * ```
 */
export function canBegin(text: string): boolean {
  const part = lastStatement(text);
  if (!part) return goesOn(text, programScope);
  const scope = scopeAfter(part.before);
  return scope !== undefined && goesOn(part.around + part.open, scope);
}

/** Whether a text can go on, given names that were bound before it. */
function goesOn(text: string, scope: NamesBefore): boolean {
  const { name, completions } = lastWord(text);
  return completions.some((end) => {
    const tokens = parseOpen(new Source(text + end, "program.py"));
    if (!tokens) return false;
    const isOpen = name !== "" && [" ", `${longerName} `].includes(end);
    const open = isOpen ? { name, end: text.length + end.length - 1 } : nothingOpen;
    return namesHold(tokens, open, scope) !== undefined;
  });
}

/** Names that can be read, and what imported ones stand for. */
interface NamesBefore {
  readonly bound: ReadonlySet<string>;
  readonly aliases: ReadonlyMap<string, string>;
}

const programScope: NamesBefore = { bound: new Set(given), aliases: new Map() };

/** Scopes of beginnings that were asked about; each is asked about for many continuations. */
const scopes = new Map<string, NamesBefore | undefined>();

/** Words that are distinguished where a text goes on: of every program, and its own. */
interface KnownWords {
  readonly general: ReadonlySet<string>;
  readonly own: ReadonlySet<string>;
}

/** Names after whole statements; undefined if these begin no program. */
function scopeAfter(text: string): NamesBefore | undefined {
  if (scopes.has(text)) return scopes.get(text);
  const tokens = parseOpen(new Source(text, "program.py"));
  const scope = tokens && namesHold(tokens, nothingOpen, programScope);
  if (scopes.size > 10_000) scopes.clear();
  scopes.set(text, scope);
  return scope;
}

/** Whether a text is a program by the same rules. */
export function canEnd(text: string): boolean {
  const source = new Source(text, "program.py");
  if (!parse(source).ok) return false;
  const tokens = parseOpen(new Source(`${text}\n`, "program.py"));
  return tokens !== undefined && namesHold(tokens, nothingOpen, programScope) !== undefined;
}

/** Words of every program: keywords, names, modules. */
const generalWords: ReadonlySet<string> = new Set([
  ...keywords,
  ...given,
  ...[...importable].flatMap((name) => name.split(".")),
]);

/**
 * Words that the next letters of a text may spell: keywords, names that it holds or every program has,
 * modules; behind a point members of `pm`, and what was named before. Any other word is as good as any
 * other.
 */
export function knownWords(text: string): KnownWords {
  const general = /\.\s*[A-Za-z0-9_]*$/.test(text) ? pymcMembers : generalWords;
  return { general, own: new Set(text.match(/[A-Za-z_][A-Za-z0-9_]*/g)) };
}

/** A key of texts that go on alike, but for their own words: {@linkcode likenessOf}. */
export function likeness(text: string): string | undefined {
  return likenessOf(text, generalWords, scopeAfter);
}

/** A name that may go on: its text so far, and where it ends among the tokens. */
interface OpenName {
  readonly name: string;
  readonly end: number;
}

const nothingOpen: OpenName = { name: "", end: -1 };

/** A name that nothing was assigned to, in brackets inside of which a `for` may still bind it. */
interface Unbound {
  readonly name: string;
  /** Brackets that are open around it. */
  readonly level: number;
}

/** All names that are bound, if all that are read are known by then; undefined otherwise. */
function namesHold(
  tokens: readonly Token[],
  open: OpenName,
  before: NamesBefore,
): NamesBefore | undefined {
  const bound = new Set(before.bound);
  const targets = assignedLater(tokens);
  const unbound: Unbound[] = [];
  const aliases = new Map(before.aliases);
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token.kind === "op" && ")]}".includes(token.text)) {
      if (!closes(unbound, token.level, bound)) return undefined;
    }
    if (token.kind !== "name" || keywords.has(token.text)) continue;
    const isOpen = token.end === open.end;
    const last = tokens[i - 1]?.text ?? "";
    if (last === ".") {
      if (!memberHolds(tokens, i, isOpen ? open.name : undefined, aliases)) return undefined;
      continue;
    }
    if (isImported(tokens, i)) {
      if (!importHolds(tokens, i, isOpen ? open.name : undefined, { bound, aliases })) {
        return undefined;
      }
      continue;
    }
    if (binds(tokens, i)) {
      bound.add(token.text);
      continue;
    }
    if (isKeyword(tokens, i, isOpen)) continue;
    if (bound.has(token.text) || targets.has(token.start)) continue;
    if (isOpen && [...bound].some((one) => one.startsWith(open.name))) continue;
    if (isOpen && startsStatement(tokens, i)) continue;
    if (!mayBeBoundLater(tokens, i)) return undefined;
    unbound.push({ name: token.text, level: token.level });
  }
  return unbound.every(({ level }) => level > 0) ? { bound, aliases } : undefined;
}

/**
 * Whether a comprehension around a name may still bind it: in `[` and `{`, and where the name is one
 * letter also in the brackets of a call.
 */
function mayBeBoundLater(tokens: readonly Token[], i: number): boolean {
  let depth = 0;
  for (let k = i - 1; k >= 0; k--) {
    const { kind, text } = tokens[k];
    if (kind !== "op") continue;
    if (")]}".includes(text)) depth++;
    else if ("([{".includes(text) && depth-- === 0) {
      if (text !== "(" || tokens[i].text.length === 1) return true;
      depth = 0;
    }
  }
  return false;
}

/** At a closing bracket: a name inside of it may still be bound in the brackets around it. */
function closes(unbound: Unbound[], level: number, bound: ReadonlySet<string>): boolean {
  const left = unbound.filter(({ name }) => !bound.has(name))
    .map((one) => ({ ...one, level: Math.min(one.level, level) }));
  unbound.splice(0, unbound.length, ...left);
  return left.every((one) => one.level > 0);
}

/** Places of names that are assigned in the statement which they begin: `a, b = …`, `a: int`, `a += 1`. */
function assignedLater(tokens: readonly Token[]): ReadonlySet<number> {
  const found = new Set<number>();
  let [line, isTarget]: [Token[], boolean] = [[], true];
  const end = (isAssigned: boolean) => {
    if (isAssigned) { for (const { start } of line) found.add(start); }
    [line, isTarget] = [[], false];
  };
  for (const token of tokens) {
    if (["newline", "indent", "dedent"].includes(token.kind) || isSeparator(token)) {
      [line, isTarget] = [[], true];
    } else if (!isTarget) continue;
    else if (token.kind === "open") end(line.length > 0);
    else if (token.kind === "name" && !keywords.has(token.text)) line.push(token);
    else if (token.text === "=") end(true);
    else if (token.text === ":") end(line.length === 1);
    else if (!["(", ")", "[", "]", ",", "*"].includes(token.text)) end(false);
  }
  return found;
}

function isSeparator({ text, kind, level }: Token): boolean {
  return kind === "op" && level === 0 && text === ";";
}

/** `NAME =` at the head of a statement, `as NAME`, `for NAME in`, parameters of functions. */
function binds(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1]?.text ?? "";
  if (["as", "def", "class", "lambda"].includes(before)) return true;
  const [token, next] = [tokens[i], tokens[i + 1]?.text];
  if (next === "=" && token.level === 0) return true;
  let k = i - 1;
  while (
    k >= 0 && [",", "(", ")", "*", "[", "]"].includes(tokens[k].text) || isPlainName(tokens[k])
  ) k--;
  const opener = tokens[k]?.text ?? "";
  if (opener === "for" || opener === "def" || opener === "lambda") return true;
  return isAssignedTuple(tokens, i);
}

function isPlainName(token: Token | undefined): boolean {
  return token !== undefined && token.kind === "name" && !keywords.has(token.text);
}

/** `a, b = …` and `[a, b] = …`. */
function isAssignedTuple(tokens: readonly Token[], i: number): boolean {
  const isPart = (token: Token | undefined) =>
    token !== undefined &&
    (isPlainName(token) || [",", "(", ")", "[", "]", "*"].includes(token.text));
  let begin = i;
  while (begin > 0 && isPart(tokens[begin - 1])) begin--;
  if (begin > 0 && !["newline", "indent", "dedent"].includes(tokens[begin - 1].kind)) {
    if (!isSeparator(tokens[begin - 1])) return false;
  }
  let end = i;
  while (isPart(tokens[end + 1])) end++;
  return tokens[end + 1]?.text === "=" || tokens[end + 1]?.text === ":";
}

/** Whether a name begins a statement, and may become what is assigned to. */
function startsStatement(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1];
  return !before || ["newline", "indent", "dedent"].includes(before.kind) || isSeparator(before);
}

/** `NAME=` among arguments; one that may go on can be such a name where an argument begins. */
function isKeyword(tokens: readonly Token[], i: number, isOpen: boolean): boolean {
  const [before, token, next] = [tokens[i - 1], tokens[i], tokens[i + 1]];
  if (token.level === 0 || !["(", ","].includes(before?.text ?? "")) return false;
  return next?.text === "=" || next?.text === "for" || isOpen || next?.kind === "open";
}

function isImported(tokens: readonly Token[], i: number): boolean {
  for (let k = i - 1; k >= 0; k--) {
    const { kind, text } = tokens[k];
    if (kind === "newline" || kind === "indent" || kind === "dedent") return false;
    if (text === "import" || text === "from") return true;
    if (text === "=" || text === ":") return false;
  }
  return false;
}

/** A name in an import statement: a module that is known, or a name that it binds. */
function importHolds(
  tokens: readonly Token[],
  i: number,
  openName: string | undefined,
  { bound, aliases }: { readonly bound: Set<string>; readonly aliases: Map<string, string> },
): boolean {
  const [before, { text }] = [tokens[i - 1].text, tokens[i]];
  if (before === "as") {
    bound.add(text);
    const of = tokens.slice(0, i - 1).findLastIndex(({ text }) => text === "import");
    aliases.set(text, tokens.slice(of + 1, i - 1).map(({ text }) => text).join(""));
    return true;
  }
  let first = i - 1;
  while (first > 0 && !["import", "from"].includes(tokens[first].text)) first--;
  const isModule = tokens[first].text === "from" || tokens[first - 1] === undefined ||
    !tokens.slice(lineStart(tokens, first), first).some(({ text }) => text === "from");
  if (tokens[i + 1]?.text !== "." && tokens[i + 1]?.text !== "as") bound.add(text);
  if (!isModule || before === ".") return true;
  if (openName) return [...importable].some((one) => one.startsWith(openName));
  return importable.has(text);
}

function lineStart(tokens: readonly Token[], i: number): number {
  let at = i;
  while (at > 0 && tokens[at - 1].kind !== "newline") at--;
  return at;
}

/** Checks the member after `pm.`. */
function memberHolds(
  tokens: readonly Token[],
  i: number,
  openName: string | undefined,
  aliases: ReadonlyMap<string, string>,
): boolean {
  const of = tokens[i - 2];
  const isPymc = of?.kind === "name" && tokens[i - 3]?.text !== "." &&
    (aliases.get(of.text) ?? of.text) === "pymc";
  if (!isPymc) return true;
  const { text } = tokens[i];
  if (pymcMembers.has(text) || `pm.${text}` in submodules) return true;
  return openName !== undefined && [...pymcMembers].some((one) => one.startsWith(openName));
}
