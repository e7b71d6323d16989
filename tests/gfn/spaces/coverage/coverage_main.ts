/**
 * How often a space of regressions answers right: `deno task coverage:spaces [sets] [seed] [rows]`.
 * Each set has a strong term (0.8), a weak one (0.2) and one that is absent, of noise 1.
 */
import { answerOf, differenceOf } from "../../../../src/answers/mod.ts";
import { defaultSchedule, scoreNow } from "../../../../src/engine/mod.ts";
import { exp } from "../../../../src/base/math/elementary.ts";
import { logSumExp } from "../../../../src/base/math/log_sum_exp.ts";
import { grammarEnvironment } from "../../../../src/gfn/grammar/environment.ts";
import { spaceGrammar } from "../../../../src/gfn/spaces/space.ts";
import { expectedLogScore, type LinearPriors, type Rows } from "./fresh_rows.ts";
import { datasetOf, simulate, type TermName, termNames } from "./simulated.ts";

const [sets, seed, rows] = [100, 1, 100].map((usual, i) => Number(Deno.args[i] ?? usual));
const freshRows = 2_000;

const held = new Map<string, readonly [number, number]>();
function count(name: string, isIn: boolean): void {
  const [inside, of] = held.get(name) ?? [0, 0];
  held.set(name, [inside + Number(isIn), of + 1]);
}

for (let set = 0; set < sets; set++) judge(set);
for (const [name, [inside, of]] of held) {
  const share = inside / of;
  const error = Math.sqrt((share * (1 - share)) / of);
  const shown = `${(100 * share).toFixed(1)} ± ${(100 * error).toFixed(1)} %`;
  console.log(`${name.padEnd(52)} ${inside} of ${of}: ${shown}`);
}

/** One data set: all eight programs, the answer, and what is true of fresh rows. */
function judge(set: number): void {
  const seen = simulate(rows, seed, set);
  const fresh = simulate(freshRows, seed, set, "fresh");
  const dataset = datasetOf(seen);
  const formula = `y ~ ${termNames.map((name) => `[${name}]`).join(" + ")}`;
  const spec = spaceGrammar(dataset, { space: "regression", formula, families: ["normal"] });
  const programs = [...grammarEnvironment(spec).enumerate()].map(({ text, features, logPrior }) => {
    const { score } = scoreNow(text, dataset, defaultSchedule);
    if (!score) throw new Error(`no score of set ${set}: ${features.join()}`);
    const terms = termNames.filter((name) => features.includes(name));
    const expected = rows * expectedOf(text, terms, seen, fresh);
    return {
      terms,
      logPrior,
      pointwise: Float64Array.from(score.elpdPointwise),
      mcse: score.mcse,
      expected,
    };
  });
  const scored = { programs, set };
  inclusion(scored);
  differences(scored);
}

interface Scored {
  readonly terms: readonly TermName[];
  readonly logPrior: number;
  readonly pointwise: Float64Array;
  readonly mcse: number;
  /** ELPD of as many fresh rows as there are. */
  readonly expected: number;
}

/** What the exact posterior of the program's own priors expects of fresh rows. */
function expectedOf(text: string, terms: readonly TermName[], seen: Rows, fresh: Rows): number {
  const number = (pattern: RegExp) => Number(pattern.exec(text)![1]);
  const centre = (name: string) =>
    Number(
      new RegExp(`data\\["${name}"\\] ([+-] [\\d.e-]+)`).exec(text)?.[1].replace(" ", "") ?? 0,
    );
  const design = ({ x, y }: Rows): Rows => ({
    x: x.map((row) => [1, ...terms.map((name) => row[termNames.indexOf(name)] + centre(name))]),
    y,
  });
  const priors: LinearPriors = {
    mean: [number(/"intercept", mu=([-\d.e]+)/), ...terms.map(() => 0)],
    width: [
      number(/"intercept", mu=[-\d.e]+, sigma=([\d.e-]+)/),
      ...terms.map((name) => number(new RegExp(`"b_${name}", mu=0, sigma=([\\d.e-]+)`))),
    ],
    rate: number(/lam=([\d.e-]+)/),
  };
  return expectedLogScore(design(seen), design(fresh), priors);
}

/** Terms found and claimed, the true answers' intervals, and the 95 % set of models. */
function inclusion({ programs }: { readonly programs: readonly Scored[] }): void {
  const elpd = programs.map(({ pointwise }) => pointwise.reduce((sum, one) => sum + one, 0));
  const answer = answerOf({
    ...{ programs: programs.length, failed: 0, priorWeight: 1, rows, unit: "row", effects: [] },
    derivations: new Int32Array(programs.length).fill(1),
    logPrior: Float64Array.from(programs, ({ logPrior }) => logPrior),
    logReward: Float64Array.from(programs, ({ logPrior }, i) => logPrior + elpd[i]),
    pointwise: Float64Array.from(programs.flatMap(({ pointwise }) => [...pointwise])),
    mcse: Float64Array.from(programs, ({ mcse }) => mcse),
    questions: termNames.map((question) => ({
      question,
      answers: [{ answer: "out", prior: 0.5 }, { answer: "in", prior: 0.5 }],
      given: Int32Array.from(programs, ({ terms }) => Number(terms.includes(question))),
    })),
  });
  const truths = shares(programs.map(({ expected, logPrior }) => expected + logPrior));
  for (const name of termNames) {
    const { target, lo, hi } = answer.questions.find(({ question }) => question === name)!
      .answers.find((one) => one.answer === "in")!;
    if (name === "strong") count("strong term found (target ≥ 0.9)", target >= 0.9);
    else count(`${name} term claimed (target > 0.9)`, target > 0.9);
    const real = truths.reduce(
      (sum, share, i) => sum + (programs[i].terms.includes(name) ? share : 0),
      0,
    );
    count(`90 % interval holds the weight of ${name}`, lo! - 1e-9 <= real && real <= hi! + 1e-9);
  }
  const weights = shares(programs.map(({ logPrior }, i) => logPrior + elpd[i]));
  const order = [...weights.keys()].sort((a, b) => weights[b] - weights[a]);
  let sum = 0;
  const set = order.filter((k) => {
    const isNeeded = sum < 0.95;
    sum += weights[k];
    return isNeeded;
  });
  count("smallest 95 % set of models holds the true one", set.some((k) => isTrue(programs[k])));
}

function isTrue({ terms }: Scored): boolean {
  return terms.join() === "strong,weak";
}

/** 90 % intervals of ELPD differences between the true model and those one term away. */
function differences({ programs }: { readonly programs: readonly Scored[] }): void {
  const one = programs.find(isTrue)!;
  for (const name of termNames) {
    const others = termNames.filter((term) => one.terms.includes(term) !== (term === name));
    const other = programs.find(({ terms }) => terms.join() === others.join())!;
    const { elpd, se } = differenceOf(one.pointwise, other.pointwise);
    const real = one.expected - other.expected;
    const word = name === "absent" ? "with" : "without";
    count(`90 % interval of ΔELPD holds it, ${word} ${name}`, Math.abs(elpd - real) <= 1.645 * se);
    if (Math.abs(elpd) >= 4) {
      count("… where the difference is 4 nats or more", Math.abs(elpd - real) <= 1.645 * se);
    } else count("… where it is below 4 nats", Math.abs(elpd - real) <= 1.645 * se);
  }
}

function shares(logs: readonly number[]): number[] {
  const total = logSumExp(Float64Array.from(logs));
  return logs.map((one) => exp(one - total));
}
