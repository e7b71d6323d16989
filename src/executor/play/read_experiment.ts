/** Reads the file of an experiment; every finding has its place. */
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import { parseTomlFile, readDocument } from "../../pipeline/toml/mod.ts";
import type { DescribedWorld } from "./answer_of_world.ts";
import {
  type Experiment,
  experimentParams,
  type Input,
  type InputDraw,
  inputsOf,
  latentGoal,
  questionDraws,
} from "./experiment.ts";
import { readRule } from "./rules.ts";

/**
 * Reads an experiment. Its program is not read here: a worker does that.
 *
 * @param file how messages name the text.
 * @throws InputError with every finding.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readExperiment } from "./read_experiment.ts";
 * const { questions, goal } = readExperiment(
 *   `format = 1
 * name = "line"
 * program = "with pm.Model(): …"
 * response = { name = "y", type = "real" }
 * inputs.x = { type = "real", low = 0, high = 1 }
 * story = "A line."
 * plain_story = "A line."
 * words = "at {x} it is {y}"
 * `,
 *   "line.toml",
 * );
 * assert.equal(questions.count, 10);
 * assert.equal(goal, "predictions");
 * ```
 */
export function readExperiment(text: string, file: string): Experiment {
  const document = parseTomlFile(text, file);
  const experiment = readDocument(document, experimentParams, "Cannot read the experiment");
  const spanOf = (path: Path) =>
    document.spanOf(path, "value") ?? document.spanOf(path.slice(0, -1), "key");
  const findings = [...findingsOf(experiment, finder("the experiment", spanOf))];
  if (findings.length > 0) throw new InputError(findings, new Map([[file, document.text]]));
  return experiment;
}

/**
 * The experiment of a module, by the description of its world.
 *
 * @param path the module's, absolute.
 * @throws InputError with every finding.
 */
export function readOwnExperiment(
  { version, has_density, text, keys }: DescribedWorld,
  path: string,
): Experiment {
  const whole = { format: 1, program: text, ...keys };
  const parsed = experimentParams.safeParse(whole);
  const found = finder(path, () => undefined);
  if (!parsed.success) {
    throw new InputError(
      parsed.error.issues.map((issue) =>
        found([], `${issue.path.join(".") || "the definition"}: ${issue.message}`)
      ),
    );
  }
  const unversioned = Number.isInteger(version)
    ? []
    : [found([], "version: wanted a whole number")];
  const findings = [...unversioned, ...findingsOf(parsed.data, found)];
  if (findings.length > 0) throw new InputError(findings);
  return { ...parsed.data, module: { path, version, has_density } };
}

type Path = (string | number)[];
type Found = (path: Path, message: string, hint?: string) => Diagnostic;

function finder(what: string, spanOf: (path: Path) => Span | undefined): Found {
  return (path, message, hint) => ({
    code: "experiment/wrong-value",
    severity: "error",
    message: `Cannot read ${what}: ${message}`,
    span: spanOf(path),
    ...(hint && { hint }),
  });
}

function* findingsOf(experiment: Experiment, found: Found): Generator<Diagnostic> {
  const inputs = inputsOf(experiment);
  const { response, rules, words } = experiment;
  if (inputs.size === 0) yield found(["inputs"], "it has no inputs: there is nothing to ask");
  if (inputs.has(response.name)) {
    yield found(["response", "name"], `the response "${response.name}" is an input as well`);
  }
  for (const [name, input] of inputs) {
    if (input.type !== "category" && !(input.low < input.high)) {
      yield found(
        ["inputs", name, "low"],
        `inputs.${name} goes from ${input.low} to ${input.high}`,
        "write the lower bound first",
      );
    }
  }
  yield* questionFindings(experiment, inputs, found);
  yield* goalFindings(experiment, found);
  for (const [k, text] of rules.entries()) {
    const rule = readRule(text, [...inputs.keys()]);
    if (typeof rule === "string") yield found(["rules", k], `rule "${text}": ${rule}`);
  }
  const known = [...inputs.keys(), response.name];
  for (const [, name] of words.matchAll(/\{([^{}]*)\}/g)) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    const hint = near ? `did you mean "{${near}}"?` : `known are ${known.join(", ")}`;
    yield found(
      ["words"],
      `words name {${name}}, which is neither an input nor the response`,
      hint,
    );
  }
  yield* catalogueFindings(experiment, inputs, found);
}

function* questionFindings(
  experiment: Experiment,
  inputs: ReadonlyMap<string, Input>,
  found: Found,
): Generator<Diagnostic> {
  const { questions: { balanced }, response } = experiment;
  if (balanced && response.type !== "binary") {
    const message = `questions are balanced, and ${response.name} is of the type ${response.type}`;
    yield found(["questions", "balanced"], message, "leave out balanced, which is of 0 and 1");
  }
  for (const [name, draw] of questionDraws(experiment)) {
    const input = inputs.get(name);
    const at = ["questions", name];
    if (!input) {
      const near = nearest(name, inputs.keys());
      yield found(
        at,
        `questions draw "${name}", which is no input`,
        near && `did you mean "${near}"?`,
      );
    } else if (input.type === "category") {
      yield found(at, `questions draw "${name}", a category: its levels are drawn alike`);
    } else {
      const [low, high] = reachOf(draw, input);
      if (low >= input.low - 1e-9 && high <= input.high + 1e-9) continue;
      yield found(
        at,
        `questions lie outside of what may be asked: ${name} from ${low} to ${high}, asked from ${input.low} to ${input.high}`,
        "narrow the questions, or widen the input",
      );
    }
  }
}

function* goalFindings(experiment: Experiment, found: Found): Generator<Diagnostic> {
  const goal = latentGoal(experiment);
  if (!goal) return;
  const { latents, alike } = goal;
  const twice = latents.find((name, i) => latents.indexOf(name) !== i);
  if (twice) yield found(["goal", "latents"], `the goal names "${twice}" twice`);
  if (experiment.error === "wrong") {
    const message = "latents are numbers, of which none is wrong";
    yield found(["error"], message, 'write error = "squared" or "absolute"');
  }
  const [first] = alike;
  for (const [k, group] of alike.entries()) {
    const at = ["goal", "alike", k];
    const unknown = group.find((name) => !latents.includes(name));
    if (unknown) yield found(at, `"${unknown}" is alike, and not among the goal's latents`);
    if (group.length !== first.length) {
      yield found(at, `groups that are alike have ${first.length} and ${group.length} names`);
    }
  }
  const grouped = alike.flat();
  const shared = grouped.find((name, i) => grouped.indexOf(name) !== i);
  if (shared) yield found(["goal", "alike"], `"${shared}" stands in two groups that are alike`);
}

/** A normal distribution keeps to the input's bounds. */
function reachOf(draw: InputDraw, input: Exclude<Input, { type: "category" }>): [number, number] {
  return draw.draw === "normal" ? [input.low, input.high] : [draw.low, draw.high];
}

/** Combinations that a catalogue of all of them may have. */
const mostEntries = 10_000;

function* catalogueFindings(
  { inputs: { catalogue } }: Experiment,
  inputs: ReadonlyMap<string, Input>,
  found: Found,
): Generator<Diagnostic> {
  const at = ["inputs", "catalogue"];
  if (catalogue === "all") {
    const real = [...inputs].find(([, { type }]) => type === "real");
    if (real) yield found(at, `a catalogue of all combinations has no end: ${real[0]} is real`);
    const count = [...inputs.values()].reduce((all, one) => all * sizeOf(one), 1);
    if (count > mostEntries) {
      yield found(at, `the catalogue has ${count} entries, at most ${mostEntries} are listed`);
    }
  } else if (catalogue && "rows" in catalogue) {
    for (const [k, row] of catalogue.rows.entries()) {
      const missing = [...inputs.keys()].filter((name) => !(name in row));
      const unknown = Object.keys(row).filter((name) => !inputs.has(name));
      if (missing.length > 0) {
        yield found([...at, "rows", k], `entry ${k} lacks ${missing.join(", ")}`);
      }
      if (unknown.length > 0) {
        yield found([...at, "rows", k], `entry ${k} has ${unknown.join(", ")}, no input`);
      }
    }
  }
}

function sizeOf(input: Input): number {
  if (input.type === "category") return input.levels.length;
  return input.type === "integer" ? input.high - input.low + 1 : Infinity;
}
