/** Rows of inputs: at random within their bounds, as questions draw them, on grids, and entries of a catalogue. */
import { RandomStream } from "../../base/random.ts";
import { cos, exp, log } from "../../numerics/math/mod.ts";
import {
  type Experiment,
  type Input,
  type InputDraw,
  inputsOf,
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
  const entries = isListed(experiment) ? catalogueOf(experiment, []) : undefined;
  if (entries) return entries[random.below(entries.length)];
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

/** The rules of an experiment, which were checked when it was read. */
export function rulesOf(experiment: Experiment): readonly Rule[] {
  const names = [...inputsOf(experiment).keys()];
  return experiment.rules.map((text) => readRule(text, names) as Rule);
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
      const share = betaDraw(draw.a, draw.b, random);
      return within(
        rounded(draw.low + (draw.high - draw.low) * share, draw.round ?? step),
      );
    }
    case "normal":
      for (let tries = 0; tries < mostTries; tries++) {
        const x = rounded(draw.mean + draw.sd * normalDraw(random), step);
        if (x >= input.low && x <= input.high) return x;
      }
      return within(draw.mean);
  }
}

/** Decimal steps are written as decimals. */
function rounded(x: number, step: number | undefined): number {
  return step === undefined ? x : Number((Math.round(x / step) * step).toPrecision(12));
}

/** A polar angle and a radius give two normal variates; one is taken. */
function normalDraw(random: RandomStream): number {
  return Math.sqrt(-2 * log(random.uniform())) * cos(2 * Math.PI * random.uniform());
}

/** By two gamma variates (Marsaglia and Tsang 2000). */
function betaDraw(a: number, b: number, random: RandomStream): number {
  const [x, y] = [gammaDraw(a, random), gammaDraw(b, random)];
  return x / (x + y);
}

function gammaDraw(shape: number, random: RandomStream): number {
  if (shape < 1) return gammaDraw(shape + 1, random) * exp(log(random.uniform()) / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normalDraw(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && log(random.uniform()) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
  }
}

/** Whether all rows that there are stand in the file. */
export function isListed({ inputs: { catalogue } }: Experiment): boolean {
  return catalogue === "all" || (catalogue !== undefined && "rows" in catalogue);
}

/** Values of a grid of about `count` rows, every input spread over its bounds; rows that break a rule are left out. */
export function gridRows(experiment: Experiment, count: number): readonly InputRow[] {
  const inputs = [...inputsOf(experiment)];
  const rules = rulesOf(experiment);
  const side = Math.max(2, Math.round(count ** (1 / inputs.length)));
  let rows: InputRow[] = [{}];
  for (const [name, input] of inputs) {
    const values = spread(input, side);
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })));
  }
  return rows.filter((row) => rules.every((rule) => rule.holds(row)));
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

/** The entries that an episode's catalogue has, or undefined where inputs are a free choice. */
export function catalogueOf(
  experiment: Experiment,
  key: readonly (string | number)[],
): readonly InputRow[] | undefined {
  const { catalogue } = experiment.inputs;
  if (!catalogue) return undefined;
  const inputs = inputsOf(experiment);
  if (catalogue === "all") {
    let rows: InputRow[] = [{}];
    for (const [name, input] of inputs) {
      const values = allOf(input);
      rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })));
    }
    const rules = rulesOf(experiment);
    return rows.filter((row) => rules.every((rule) => rule.holds(row)));
  }
  if ("rows" in catalogue) {
    return catalogue.rows.map((row) =>
      Object.fromEntries([...inputs].map(([name, input]) => [name, codeOf(input, row[name])]))
    );
  }
  const random = new RandomStream(...key, "catalogue");
  return Array.from({ length: catalogue.entries }, () => randomRow(experiment, random));
}

function allOf(input: Input): number[] {
  if (input.type === "category") return input.levels.map((_, code) => code);
  const { low, high } = input;
  return Array.from({ length: high - low + 1 }, (_, k) => low + k);
}

function codeOf(input: Input, value: string | number): number {
  return input.type === "category" ? input.levels.indexOf(`${value}`) : Number(value);
}
