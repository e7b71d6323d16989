/** Rows of inputs: at random within their bounds, as questions draw them, on grids, and entries of a catalogue. */
import { inputError } from "../../base/diagnostic.ts";
import { RandomStream } from "../../base/random.ts";
import { drawBeta, drawNormal } from "../../numerics/math/mod.ts";
import {
  type Experiment,
  type Input,
  type InputDraw,
  inputsOf,
  latentGoal,
  questionDraws,
} from "./experiment.ts";
import { readRule, type Rule } from "./rules.ts";

/** Values of the inputs of one row; codes of categories. */
export type InputRow = Readonly<Record<string, number>>;

/** Draws after which rules count as impossible. */
const mostTries = 10_000;

/**
 * A row at random: each input evenly within its bounds, rows that break a rule drawn again.
 *
 * @throws Error if no row obeys the rules.
 */
export function randomRow(experiment: Experiment, random: RandomStream): InputRow {
  if (isListed(experiment)) return questionRow(experiment, random);
  return drawRow(experiment, random, new Map());
}

/** A row as questions draw it. */
export function questionRow(experiment: Experiment, random: RandomStream): InputRow {
  if (isListed(experiment)) {
    const entries = entriesOf(experiment);
    return entries[random.below(entries.length)];
  }
  return drawRow(experiment, random, questionDraws(experiment));
}

function drawRow(
  experiment: Experiment,
  random: RandomStream,
  draws: ReadonlyMap<string, InputDraw>,
): InputRow {
  const inputs = inputsOf(experiment);
  const rules = rulesOf(experiment);
  for (let tries = 0; tries < mostTries; tries++) {
    const row = Object.fromEntries([...inputs].map(([name, input]) => {
      const draw = draws.get(name);
      return [
        name,
        draw && input.type !== "category" ? drawn(draw, input, random) : even(input, random),
      ];
    }));
    if (rules.every((rule) => rule.holds(row))) return row;
  }
  throw new Error(`no row of experiment "${experiment.name}" obeys its rules`);
}

const readRules = new WeakMap<Experiment, readonly Rule[]>();

/** The rules of an experiment, which were checked when it was read. */
export function rulesOf(experiment: Experiment): readonly Rule[] {
  const names = [...inputsOf(experiment).keys()];
  const rules = readRules.get(experiment) ??
    experiment.rules.map((text) => readRule(text, names) as Rule);
  readRules.set(experiment, rules);
  return rules;
}

function even(input: Input, random: RandomStream): number {
  if (input.type === "category") return random.below(input.levels.length);
  if (input.type === "integer") return input.low + random.below(input.high - input.low + 1);
  return rounded(input.low + (input.high - input.low) * random.uniform(), input.round);
}

function drawn(
  draw: InputDraw,
  input: Exclude<Input, { type: "category" }>,
  random: RandomStream,
): number {
  const whole = input.type === "integer" ? 1 : undefined;
  const step = input.type === "integer" ? 1 : input.round;
  const within = (x: number) => Math.min(input.high, Math.max(input.low, x));
  switch (draw.draw) {
    case "uniform":
      if (whole) return draw.low + random.below(Math.round(draw.high - draw.low) + 1);
      return rounded(draw.low + (draw.high - draw.low) * random.uniform(), step);
    case "beta": {
      const share = drawBeta(random, draw.a, draw.b);
      return within(
        rounded(draw.low + (draw.high - draw.low) * share, draw.round ?? step),
      );
    }
    case "normal":
      for (let tries = 0; tries < mostTries; tries++) {
        const x = rounded(draw.mean + draw.sd * drawNormal(random), step);
        if (x >= input.low && x <= input.high) return x;
      }
      return within(draw.mean);
  }
}

/** Decimal steps are written as decimals. */
function rounded(x: number, step: number | undefined): number {
  return step === undefined ? x : Number((Math.round(x / step) * step).toPrecision(12));
}

/** Whether all rows that there are stand in the file. */
export function isListed({ inputs: { catalogue } }: Experiment): boolean {
  return catalogue === "all" || (catalogue !== undefined && "rows" in catalogue);
}

/** Values of a grid of about `count` rows, every input spread over its bounds; rows that break a rule are left out. */
export function gridRows(experiment: Experiment, count: number): readonly InputRow[] {
  const inputs = [...inputsOf(experiment)];
  const side = Math.max(2, Math.round(count ** (1 / inputs.length)));
  return productOf(inputs.map(([name, input]) => [name, spread(input, side)]), experiment);
}

function spread(input: Input, side: number): number[] {
  if (input.type === "category") return input.levels.map((_, code) => code);
  const { low, high } = input;
  const whole = input.type === "integer";
  const count = whole ? Math.min(side, high - low + 1) : side;
  const at = (k: number) => low + (high - low) * k / Math.max(1, count - 1);
  const values = Array.from(
    { length: count },
    (_, k) => whole ? Math.round(at(k)) : rounded(at(k), input.round),
  );
  return [...new Set(values)];
}

/** Number of entries that may be queries, without those that are questions; undefined where inputs are a free choice. */
export function queriesAtMost(experiment: Experiment): number | undefined {
  const { catalogue } = experiment.inputs;
  if (!catalogue) return undefined;
  if (!isListed(experiment)) return (catalogue as { readonly entries: number }).entries;
  const { length } = entriesOf(experiment);
  return length - (latentGoal(experiment) ? 0 : Math.min(experiment.questions.count, length - 1));
}

/** @throws InputError `play/catalogue` if there are fewer entries than queries: each is asked once. */
export function requireEntries(experiment: Experiment, budget: number): void {
  const most = queriesAtMost(experiment);
  if (most === undefined || most >= budget) return;
  const message =
    `Cannot play experiment "${experiment.name}": its catalogue has ${most} entries ` +
    `that are no questions, the budget is ${budget}`;
  throw inputError("play/catalogue", message, undefined, "lower the budget, or add entries");
}

/** The entries that an episode's catalogue has, or undefined where inputs are a free choice. */
export function catalogueOf(
  experiment: Experiment,
  key: readonly (string | number)[],
): readonly InputRow[] | undefined {
  const { catalogue } = experiment.inputs;
  if (!catalogue) return undefined;
  if (catalogue === "all" || "rows" in catalogue) return entriesOf(experiment);
  const random = new RandomStream(...key, "catalogue");
  return Array.from({ length: catalogue.entries }, () => randomRow(experiment, random));
}

const listedEntries = new WeakMap<Experiment, readonly InputRow[]>();

/** All rows that there are, where they stand in the file. */
function entriesOf(experiment: Experiment): readonly InputRow[] {
  const known = listedEntries.get(experiment) ?? listEntries(experiment);
  listedEntries.set(experiment, known);
  return known;
}

function listEntries(experiment: Experiment): readonly InputRow[] {
  const { catalogue } = experiment.inputs;
  const inputs = [...inputsOf(experiment)];
  if (typeof catalogue === "object" && "rows" in catalogue) {
    return catalogue.rows.map((row) =>
      Object.fromEntries(inputs.map(([name, input]) => [name, codeOf(input, row[name])]))
    );
  }
  return productOf(inputs.map(([name, input]) => [name, allOf(input)]), experiment);
}

/** Every combination of values that obeys the rules. */
function productOf(
  inputs: readonly (readonly [name: string, values: readonly number[]])[],
  experiment: Experiment,
): readonly InputRow[] {
  let rows: InputRow[] = [{}];
  for (const [name, values] of inputs) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })));
  }
  const rules = rulesOf(experiment);
  return rows.filter((row) => rules.every((rule) => rule.holds(row)));
}

/** Every value of an input that is no real number; categories by their codes. */
export function allOf(input: Input): number[] {
  if (input.type === "category") return input.levels.map((_, code) => code);
  const { low, high } = input;
  return Array.from({ length: high - low + 1 }, (_, k) => low + k);
}

function codeOf(input: Input, value: string | number): number {
  return input.type === "category" ? input.levels.indexOf(`${value}`) : Number(value);
}
