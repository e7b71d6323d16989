/** Growth for policies of many data sets: curves are those of the space, rewards near the engine's, units unseen. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { compileLogDensity } from "../../../src/engine/inference/mod.ts";
import { checkProgram } from "../../../src/engine/language/mod.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/mod.ts";
import { scoreNow } from "../../../src/engine/score/mod.ts";
import { densityOf, importanceElpd } from "../../../src/gfn/amortised/growth/curve_importance.ts";
import { fittedPrograms } from "../../../src/gfn/amortised/growth/curve_programs.ts";
import { drawGrowth, scoredByDraws } from "../../../src/gfn/amortised/growth/draw_growth.ts";
import { growthQuestions } from "../../../src/gfn/amortised/growth/growth_questions.ts";
import { growthLayout, GrowthNetwork } from "../../../src/gfn/amortised/growth/growth_network.ts";
import { growthPrompt } from "../../../src/gfn/amortised/growth/growth_prompt.ts";
import { growthSimulation } from "../../../src/gfn/amortised/growth/growth_simulation.ts";
import { summariseGrowth } from "../../../src/gfn/amortised/growth/growth_summary.ts";
import {
  curveNames,
  type GrowthScales,
  meanCurves,
  scalesOf,
} from "../../../src/gfn/amortised/growth/mean_curves.ts";
import { noises } from "../../../src/gfn/amortised/growth/noises.ts";
import { pathTree } from "../../../src/gfn/amortised/flow_tree.ts";
import { flowLoss } from "../../../src/gfn/amortised/losses.ts";
import { checkEnvironment } from "../../../src/gfn/environments/check_environment.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import { parameterCount } from "../../../src/gfn/parameters/parameter_layout.ts";
import { createPolicy } from "../../../src/gfn/policies/create_policy.ts";
import { logAnswers } from "../../../src/gfn/train/amortise.ts";
import { growthTexts } from "../../../stages/simulate/engine_rewards.ts";

const random = new RandomStream("growth");
const ages = Float64Array.from({ length: 18 }, (_, i) => 0.5 * (i + 1));
const sizes = ages.map((age) => 10 - 6 * 0.7 ** age + 0.6 * (random.uniform() - 0.5));
const table = (given: Float64Array): Dataset =>
  makeDataset("fish", [
    { name: "size", role: "response", type: "real", values: sizes },
    { name: "age", role: "predictor", type: "real", values: given },
  ]);

Deno.test("every curve under every noise is the program that the space writes", () => {
  const dataset = table(ages);
  const rounded = Object.fromEntries(
    Object.entries(scalesOf({ ages, sizes })).map(([key, x]) => [key, Number(x.toPrecision(2))]),
  ) as unknown as GrowthScales;
  const texts = growthTexts(dataset);
  assert.equal(texts.size, curveNames.length * noises.length);
  for (const [place, text] of texts) {
    const checked = checkProgram(text, dataset);
    assert.ok(checked.ok, text);
    const engine = compileLogDensity(checked.program, dataset);
    const own = densityOf({ program: place }, { ages, sizes }, rounded);
    const priors = meanCurves[curveNames[Math.floor(place / 5)]].priors(rounded);
    const difference = (factor: number) => {
      const at = Float64Array.from({ length: own.width }, (_, a) => {
        if (a < priors.length) return factor * (0.4 + 0.1 * a);
        return a === priors.length ? Math.log(0.5 * factor) : Math.log(0.2);
      });
      let jacobian = 0;
      const coordinates = at.map((one, a) => {
        if (a >= priors.length) return one;
        const [mean, deviation, half] = priors[a];
        if (!half) return mean + deviation * one;
        jacobian += Math.log(deviation * one);
        return Math.log(deviation * one);
      });
      const names = [...text.matchAll(/pm\.\w+\("(\w+)", (?!.*observed)/g)].map(([, name]) => name);
      const position = Float64Array.from(checked.program.parameters, ({ name }) => {
        return coordinates[names.indexOf(name)];
      });
      const value = own.at(at, new Float64Array(ages.length), 0) + jacobian;
      const gradient = new Float64Array(position.length);
      return [value, engine.logDensity(position, gradient, 0)];
    };
    const [near, far] = [difference(1), difference(0.8)];
    const moved = Math.abs(near[0] - far[0]);
    const gap = Math.abs(near[0] - far[0] - (near[1] - far[1]));
    assert.ok(gap < 0.02 + 0.03 * moved, `${place}: ${near} ${far}`);
  }
});

Deno.test("rewards by importance draws are the engine's, but for their Monte Carlo error", () => {
  const data = { ages, sizes };
  const dataset = table(ages);
  const texts = growthTexts(dataset);
  const fitted = fittedPrograms(data).sort((a, b) => b.elpd - a.elpd);
  for (const one of [fitted[0], fitted[3], fitted[30]]) {
    const engine = scoreNow(texts.get(one.program)!, dataset, defaultSchedule).score!.elpdLoo;
    const own = importanceElpd(one, data, scalesOf(data))!;
    assert.ok(Math.abs(own - engine) < 0.4, `${one.program}: ${own} ${engine}`);
  }
});

Deno.test("programs of which ages far from birth tell little have rewards as well", () => {
  const rows = 60;
  const far = Float64Array.from({ length: rows }, (_, i) => [152, 174, 201, 227, 258][i % 5]);
  const grown = far.map((age, i) => 2 + 2.5 * Math.log(age / 100) + 0.6 * Math.sin(7 * i * i));
  const data = { ages: far, sizes: grown };
  const scales = scalesOf(data);
  const some = fittedPrograms(data).filter(({ program }) => program % 20 === 0 || program > 60);
  const without = some.filter((one) => importanceElpd(one, data, scales) === undefined);
  assert.deepEqual(without.map(({ program }) => program), []);
});

const shape = { layers: 1, width: 8, hidden: 8 };
const summary = summariseGrowth({ ages, sizes });

Deno.test("what is foretold does not see units or the order of rows", () => {
  const order = [...ages.keys()].reverse();
  const moved = summariseGrowth({
    ages: Float64Array.from(order, (i) => 365 * ages[i]),
    sizes: Float64Array.from(order, (i) => 0.01 * sizes[i]),
  });
  assert.deepEqual(moved.programs, summary.programs);
  summary.foretold.forEach((one, m) => assert.ok(Math.abs(one - moved.foretold[m]) < 1e-3));
});

Deno.test("gradients of the network of growth are those of finite differences, in every tensor", () => {
  const parameters = new RandomStream("parameters");
  const layout = growthLayout(shape);
  const values = Float64Array.from(
    { length: parameterCount(layout) },
    () => 0.6 * parameters.uniform() - 0.3,
  );
  const rewards = summary.foretold.map((one, m) => one + Math.sin(m));
  const gradient = new Float64Array(values.length);
  const network = new GrowthNetwork(shape);
  const flows = network.flows({ values, gradient }, summary);
  flows.back(flowLoss("cross_entropy", flows.values, rewards).force);
  for (const { name, offset, size } of layout) {
    for (const at of [offset, offset + size - 1]) {
      const loss = (by: number) => {
        const moved = values.map((one, k) => k === at ? one + by : one);
        const found = network.flows({ values: moved }, summary).values;
        return flowLoss("cross_entropy", found, rewards).loss;
      };
      const slope = (loss(1e-5) - loss(-1e-5)) / 2e-5;
      assert.ok(Math.abs(slope - gradient[at]) < 1e-6, `${name}: ${slope} ${gradient[at]}`);
    }
  }
});

Deno.test("flows of a tree of answers balance, and forces on places reach the programs", () => {
  const flows = Float64Array.of(0.3, -1, 2, 0.5);
  const paths = [[0, 2], [0, 3, 5], [0, 3, 6], [1, 2]];
  const tree = pathTree(flows, paths);
  const at = tree.at([0, 3]);
  assert.ok(Math.abs(tree.flows[at] - Math.log(Math.exp(-1) + Math.exp(2))) < 1e-12);
  const forces = new Float64Array(tree.flows.length);
  forces[at] = 2;
  forces[0] = -1;
  const value = (some: Float64Array) => {
    const own = pathTree(some, paths).flows;
    return 2 * own[at] - own[0];
  };
  tree.toPrograms(forces).forEach((force, m) => {
    const [up, down] = [1e-6, -1e-6].map((h) => value(flows.map((x, k) => k === m ? x + h : x)));
    assert.ok(Math.abs((up - down) / 2e-6 - force) < 1e-8);
  });
});

Deno.test("questions about growth keep the laws of environments; ages of 0 leave out four curves", async () => {
  const questions = growthQuestions() as Environment;
  checkEnvironment(questions);
  const policy = await createPolicy({ kind: "amortised", ...shape }, questions, "seed 1");
  const born = ages.map((age, i) => i === 0 ? 0 : age);
  for (const [given, count] of [[ages, 80], [born, 60]] as const) {
    const { programs } = summariseGrowth({ ages: given, sizes });
    assert.equal(programs.length, count);
    const rows = { rows: 18, columns: [given], y: sizes };
    const logs = await logAnswers(policy, questions, { id: "fish", rows, programs });
    const total = logs.reduce((sum, one) => sum + Math.exp(one), 0);
    assert.ok(Math.abs(total - 1) < 1e-9, `${total}`);
  }
  const state = questions.initialState(
    growthPrompt(summariseGrowth({ ages: born, sizes }), "born"),
  );
  assert.equal(questions.legalActions(state).reduce((sum, one) => sum + one), 12);
});

Deno.test("data sets of growth are drawn with streams of their own, and most programs have a reward", () => {
  const simulation = growthSimulation.parse({ rows: [12, 20] });
  const options = { simulation, programs: 8, seed: "seed", called: "training" };
  const [two, one] = [2, 1].map((count) => drawGrowth({ ...options, count }).sets);
  assert.deepEqual(two[0], one[0]);
  const scored = two.map(scoredByDraws);
  assert.ok(scored.every(({ programs }) => programs.length >= 4 && programs.length <= 8));
});
