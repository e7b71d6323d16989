/** Checks a program against a data set: from text to the canonical graph, or to all findings. */
import type { Dataset } from "../../../base/dataset.ts";
import type { Diagnostic } from "../../../base/diagnostic.ts";
import { canonicalise } from "../ir/canonical.ts";
import type { CheckResult } from "../ir/program.ts";
import { checkCarriedNumbers } from "./carried_numbers.ts";
import { ModelCheck } from "./model_check.ts";
import { noteCodeColumns } from "./code_columns.ts";
import { warnConstantColumns } from "./constant_columns.ts";
import { checkLimitColumns } from "./limit_columns.ts";
import { limits } from "../syntax/limits.ts";
import { checkLiterals } from "./literals.ts";
import { parse } from "../syntax/parser.ts";
import { checkShared } from "./shared_latents.ts";
import { type Place, Source, SyntaxFailure } from "../syntax/source.ts";
import { checkModelFunction } from "./model.ts";
import { originsOf } from "../ir/origins.ts";
import { statedBy } from "../ir/stated.ts";
import { cycleOfRows, rowsInOrder } from "../../../base/row_cycle.ts";
import { checkEarlierRows } from "./rows/earlier_rows.ts";
import { checkRowOrder, type RowOrder, type RowRule } from "./rows/row_order.ts";
import type { Statement } from "../syntax/tree.ts";

/** Options of a check, beside text and data. */
export interface CheckOptions {
  /**
   * Whether rows may change places without a program noticing: `exchangeable` by default; `judged`
   * where a score has settled that, and the text is only read once more.
   */
  readonly rows?: RowOrder | "judged";
  /**
   * If rows follow each other in time: how many come first and are not judged. Then they are ordered, and
   * earlier rows of the response may predict later ones.
   */
  readonly time?: { readonly first: number };
}

export type { RowOrder };

/**
 * Parses and checks program text in the subset of PyMC that `docs/language.md` describes.
 *
 * The program reaches the data as `data["column"]`, or as the argument of
 * `def gen_model(observed_data):`. All findings are collected; `file` is the name that they carry.
 * The result depends on the text and on the data set alone. Nothing is thrown for a wrong program.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { checkProgram } from "./check.ts";
 *
 * const values = Float64Array.of(1.5, 2.5, 2.1);
 * const data = makeDataset("d", [{ name: "y", role: "response", type: "real", values }]);
 * const result = checkProgram(
 *   `with pm.Model() as model:
 *     mu = pm.Normal("mu", 0, 10)
 *     pm.Normal("y", mu, 1, observed=data["y"])`,
 *   data,
 * );
 * assert.ok(result.ok);
 * assert.equal(result.program.parameters[0].name, "mu");
 * ```
 */
export function checkProgram(
  text: string,
  dataset: Dataset,
  file = "program.py",
  { rows = "exchangeable", time }: CheckOptions = {},
): CheckResult {
  const source = new Source(text, file);
  const tooLarge = checkSize(source);
  if (tooLarge) return { ok: false, diagnostics: [tooLarge.toDiagnostic(source)] };
  const parsed = parse(source);
  if (!parsed.ok) return { ok: false, diagnostics: [parsed.failure.toDiagnostic(source)] };
  const isTimed = time !== undefined;
  const checking = new ModelCheck(source, dataset, isTimed);
  const stopped = run(() => {
    checkLiterals(checking, parsed.statements);
    readModel(checking, parsed.statements);
  });
  if (stopped) return { ok: false, diagnostics: withStop(checking, stopped) };
  const readAgain = () => {
    const order = cycleOfRows(dataset.rows, [text, dataset.digest]);
    const again = new ModelCheck(source, rowsInOrder(dataset, order), isTimed);
    const stopped = run(() => readModel(again, parsed.statements));
    if (stopped) again.findings.add(stopped.toDiagnostic(source));
    return { order, checking: again };
  };
  if (checking.findings.errors === 0 && time) checkEarlierRows(checking, time.first);
  const rule = isTimed && rows === "exchangeable" ? "ordered" : rows;
  if (rule !== "exchangeable" && checking.sortedAt) refuseSorting(checking, checking.sortedAt);
  return finish(checking, { rows: rule, text, readAgain });
}

/** Where rows have an order it is that of the file. */
function refuseSorting(checking: ModelCheck, place: Place): void {
  const message = "Cannot sort the rows: they have an order, and the file has another than this";
  const hint =
    'write the sorted frame to a file, .to_csv("sorted.csv", index=False), and score that';
  checking.error("lh/rows-left-out", message, place, hint);
}

function readModel(checking: ModelCheck, statements: readonly Statement[]): void {
  checking.run(statements);
  if (checking.modelFunction) checkModelFunction(checking, checking.modelFunction);
}

function withStop({ findings, source }: ModelCheck, stopped: SyntaxFailure): Diagnostic[] {
  return [...findings.diagnostics, stopped.toDiagnostic(source)];
}

/** A counted limit ends the check at once. */
function run(check: () => void): SyntaxFailure | undefined {
  try {
    return void check();
  } catch (error) {
    if (error instanceof SyntaxFailure) return error;
    throw error;
  }
}

function checkSize(source: Source): SyntaxFailure | undefined {
  const { text, lines } = source;
  const bytes = text.length > limits.bytes ? text.length : new TextEncoder().encode(text).length;
  if (bytes > limits.bytes) {
    const message = `Cannot read the program: more than ${limits.bytes} bytes`;
    return new SyntaxFailure("syntax/limit", message, { start: 0, end: 1 });
  }
  if (lines <= limits.lines + 1) return checkCharacters(text);
  const message = `Cannot read the program: more than ${limits.lines} lines`;
  return new SyntaxFailure("syntax/limit", message, { start: 0, end: 1 });
}

/** Text that CPython would read differently from its characters. */
function checkCharacters(text: string): SyntaxFailure | undefined {
  const zero = text.indexOf("\0");
  if (zero >= 0) {
    const message = "Cannot parse: source code string cannot contain null bytes";
    return new SyntaxFailure("syntax/character", message, { start: zero, end: zero + 1 });
  }
  const lone = text.search(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/,
  );
  if (lone >= 0) {
    const message = "Cannot parse: half of a surrogate pair";
    return new SyntaxFailure("syntax/character", message, { start: lone, end: lone + 1 });
  }
  const cookie = /^(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)/.exec(text);
  if (!cookie || /^utf-?8$/i.test(cookie[1])) return undefined;
  const message = `Cannot read the encoding ${cookie[1]}: programs are UTF-8`;
  const place = { start: cookie[0].length - cookie[1].length, end: cookie[0].length };
  return new SyntaxFailure("unsupported/encoding", message, place, "leave the coding line out");
}

/**
 * The program of a check that has come to its end, or all findings.
 *
 * @param rule its rule about the order of rows; left out: none.
 */
export function finish(checking: ModelCheck, rule?: RowRule): CheckResult {
  checkShared(checking);
  checkLimitColumns(checking);
  for (const value of checking.derived) {
    if (!value.reported && !value.isShown) checking.refuseResponse(value, value.place);
  }
  const { findings, likelihood } = checking;
  if (!checking.observedSeen && !checking.excused) refuseUnobserved(checking);
  if (findings.errors === 0 && !likelihood) {
    const message = "Cannot check the program: its likelihood could not be read";
    checking.error("unsupported/program", message, checking.modelPlace ?? { start: 0, end: 0 });
  }
  if (findings.errors === 0 && !checkCarriedNumbers(checking) && rule) {
    checkRowOrder(checking, rule);
  }
  const { diagnostics } = findings;
  if (findings.errors > 0 || !likelihood) return { ok: false, diagnostics };
  const program = canonicalise(checking.graph, checking, likelihood);
  for (const unused of program.unused) {
    const name = checking.parameters[unused].name;
    const message = `"${name}" has no influence on the likelihood`;
    const place = checking.parameterPlaces[unused];
    findings.warning("names/unused-variable", message, place, "leave it out");
  }
  warnConstantColumns(checking, program.checked);
  noteCodeColumns(checking, program.checked);
  for (const { name, place } of checking.latents.filter(({ used }) => !used)) {
    const message = `"${name}" has no influence on the likelihood, and is left out`;
    findings.warning("names/unused-variable", message, place, "leave it out");
  }
  const { checked } = program;
  const origins = originsOf(checking.graph, checked.nodes, statedBy(checking.dataset));
  return { ok: true, program: { ...checked, coords: coordsOf(checking), origins, diagnostics } };
}

/** Labels of named axes, where the program gives them. */
function coordsOf({ dimensions }: ModelCheck): Record<string, readonly (string | number)[]> {
  const labelled = [...dimensions].flatMap(([name, { labels }]) =>
    labels ? [[name, labels] as const] : []
  );
  return Object.fromEntries(labelled);
}

function refuseUnobserved(checking: ModelCheck): void {
  const name = checking.response?.name ?? "response";
  const { modelPlace, priorMode } = checking;
  if (priorMode) {
    const message = "Cannot score the program: observed=None samples from the prior";
    checking.error("lh/unobserved", message, priorMode, `write observed=data["${name}"]`);
  } else if (modelPlace) {
    const message = "Cannot score the program: no variable is observed";
    const hint = `give the likelihood observed=data["${name}"]`;
    checking.error("lh/unobserved", message, modelPlace, hint);
  } else {
    const message = "Cannot score the program: it has no model";
    const other = checking.uncalled.values().next().value;
    const hint = other
      ? "call the function gen_model: the host calls `def gen_model(observed_data):` only"
      : "write `with pm.Model() as model:`";
    checking.error("names/no-model", message, other ?? { start: 0, end: 0 }, hint);
  }
}
