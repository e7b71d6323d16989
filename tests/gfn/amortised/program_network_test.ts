/** The network of many data sets: exact gradients, no order of predictors, flows that balance. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { askedAmong, dataPrompt } from "../../../src/gfn/amortised/data_prompt.ts";
import { lossNames } from "../../../src/gfn/amortised/loss_names.ts";
import { flowLoss } from "../../../src/gfn/amortised/losses.ts";
import { prefixFlows, pushForces } from "../../../src/gfn/amortised/prefix_flows.ts";
import { programLayout, ProgramNetwork } from "../../../src/gfn/amortised/program_network.ts";
import { everyBegun, summarisePrograms } from "../../../src/gfn/amortised/program_summaries.ts";
import { actionsOf, questionsEnvironment } from "../../../src/gfn/amortised/questions.ts";
import { drawRows } from "../../../src/gfn/amortised/simulated.ts";
import { simulation } from "../../../src/gfn/amortised/simulation.ts";
import { type StandardRows, standardRows } from "../../../src/gfn/amortised/standard_rows.ts";
import { summarise } from "../../../src/gfn/amortised/summary.ts";
import { checkEnvironment } from "../../../src/gfn/environments/check_environment.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import { parameterCount } from "../../../src/gfn/parameters/parameter_layout.ts";
import { createPolicy, loadPolicy } from "../../../src/gfn/policies/create_policy.ts";
import { makeBatch } from "../../../src/gfn/trajectories/batch.ts";

const shape = { layers: 2, width: 8, hidden: 8 };

function rowsOf(predictors: number, seed = "data"): StandardRows {
  const given = simulation.parse({ rows: [24, 24], predictors: [predictors, predictors] });
  return standardRows(drawRows(given, new RandomStream(seed)));
}

/** Parameters away from the zeros and ones at which they begin. */
function someParameters(): Float64Array {
  const random = new RandomStream("parameters");
  return Float64Array.from({ length: parameterCount(programLayout(shape)) }, () => {
    return 0.6 * random.uniform() - 0.3;
  });
}

for (const name of lossNames) {
  Deno.test(`gradients of ${name} are those of finite differences, in every tensor`, () => {
    const summary = summarise(rowsOf(3));
    const programs = summarisePrograms(summary);
    const rewards = programs.begun.map((one, m) => one + Math.sin(m));
    const network = new ProgramNetwork(shape);
    const values = someParameters();
    const gradient = new Float64Array(values.length);
    const flows = network.flows({ values, gradient }, summary, programs);
    flows.back(flowLoss(name, flows.values, rewards).force);
    const lossAt = (at: number, moved: number) => {
      const other = values.slice();
      other[at] += moved;
      return flowLoss(name, network.flows({ values: other }, summary, programs).values, rewards)
        .loss;
    };
    for (const { name: tensor, offset, size } of programLayout(shape)) {
      for (const at of [offset, offset + (size >> 1), offset + size - 1]) {
        const slope = (lossAt(at, 1e-5) - lossAt(at, -1e-5)) / 2e-5;
        assert.ok(Math.abs(slope - gradient[at]) < 1e-7, `${tensor}: ${slope} ${gradient[at]}`);
      }
    }
  });
}

Deno.test("the order and the signs of predictors make no difference to what a program gets", () => {
  const { rows, columns, y } = rowsOf(4);
  const order = [2, 0, 3, 1];
  const moved = {
    rows,
    columns: order.map((j) => j === 3 ? columns[j].map((one) => -one) : columns[j]),
    y: y.map((one) => -one),
  };
  const [plain, other] = [{ rows, columns, y }, moved].map((data) => {
    const summary = summarise(data);
    const values = someParameters();
    return new ProgramNetwork(shape).flows({ values }, summary, summarisePrograms(summary)).values;
  });
  for (let bits = 0; bits < 16; bits++) {
    const image = order.reduce((sum, j, k) => sum + ((bits >> j) & 1) * 2 ** k, 0);
    assert.ok(Math.abs(plain[bits] - other[image]) < 1e-9, `${bits} ${image}`);
  }
});

Deno.test("flow in is flow out, and forces on prefixes are those of finite differences", () => {
  const flows = Float64Array.of(0.3, -1, 2, 0.5, 1, 1, -3, 0.1);
  const levels = prefixFlows(flows, 3);
  assert.deepEqual(levels.map(({ length }) => length), [1, 2, 4, 8]);
  const forces = levels.map(({ length }) => new Float64Array(length));
  forces[1][1] = 2;
  forces[0][0] = -1;
  pushForces(levels, forces);
  const value = (some: Float64Array) => {
    const own = prefixFlows(some, 3);
    return 2 * own[1][1] - own[0][0];
  };
  flows.forEach((_, m) => {
    const [up, down] = [1e-6, -1e-6].map((h) =>
      value(flows.map((one, k) => k === m ? one + h : one))
    );
    assert.ok(Math.abs((up - down) / 2e-6 - forces[3][m]) < 1e-8);
  });
});

const questions = questionsEnvironment({ space: "regression", predictors: 5 }) as Environment;

Deno.test("questions keep the laws of environments, and ask only about what a data set has", () => {
  checkEnvironment(questions);
  const prompt = dataPrompt(summarise(rowsOf(3)));
  let state = questions.initialState(prompt);
  for (const action of [0, 3, 4]) state = questions.step(state, action);
  assert.deepEqual(questions.terminal(state).text, "1 + x2");
});

Deno.test("a policy of kind amortised sums to 1 over the programs of each data set, sampled as scored", async () => {
  const policy = await createPolicy({ kind: "amortised", ...shape }, questions, "seed 1");
  const prompts = [3, 5].map((p) => dataPrompt(summarise(rowsOf(p, `of ${p}`))));
  for (const prompt of prompts) {
    const p = prompt.tokens[1];
    const walks = Array.from({ length: 2 ** p }, (_, bits) => {
      return { actions: actionsOf(questions, bits, p), prompt };
    });
    const batch = makeBatch(questions, walks, walks.map(() => [0]));
    const { logPf } = await policy.score(batch, { grad: false });
    const total = walks.reduce((sum, _, b) => {
      return sum + Math.exp(logPf.subarray(b * batch.T, (b + 1) * batch.T).reduce((x, y) => x + y));
    }, 0);
    assert.ok(Math.abs(total - 1) < 1e-12, `${total}`);
  }
  const random = new RandomStream("sample");
  const options = { count: 4, random, epsilon: 0, temperature: 1 };
  const asked = [0, 1, 1, 0].map((i) => prompts[i]);
  const walks = await policy.sample(questions, { ...options, prompts: asked });
  const batch = makeBatch(questions, walks, walks.map(() => [0]));
  const { logPf } = await policy.score(batch, { grad: false });
  walks.forEach((one, b) => {
    const own = logPf.subarray(b * batch.T, (b + 1) * batch.T).reduce((x, y) => x + y);
    assert.ok(Math.abs(own - one.logPf) < 1e-12);
  });
  const bytes = await policy.save();
  assert.deepEqual(await (await loadPolicy(bytes)).save(), bytes);
});

Deno.test("given that a program is one of some, a policy answers as it would among them", async () => {
  const policy = await createPolicy({ kind: "amortised", ...shape }, questions, "seed 1");
  const summary = summarise(rowsOf(4));
  const prompt = dataPrompt(summary);
  const best = everyBegun(summary).reduce((a, b) => Math.max(a, b));
  const programs = [0, 3, 5, 6, 15];
  const logP = async (asked: typeof prompt) => {
    const walks = programs.map((bits) => ({
      actions: actionsOf(questions, bits, 4),
      prompt: asked,
    }));
    const batch = makeBatch(questions, walks, walks.map(() => [0]));
    const { logPf } = await policy.score(batch, { grad: false });
    return walks.map((_, b) =>
      logPf.subarray(b * batch.T, (b + 1) * batch.T).reduce((x, y) => x + y)
    );
  };
  const [whole, some] = [
    await logP(prompt),
    await logP(askedAmong(prompt, summary, programs, best)),
  ];
  const total = Math.log(whole.reduce((sum, one) => sum + Math.exp(one), 0));
  whole.forEach((one, i) => assert.ok(Math.abs(one - total - some[i]) < 1e-9));
});
