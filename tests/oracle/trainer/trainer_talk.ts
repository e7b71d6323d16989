/** Questions of a policy to a server that trains, the same when they are recorded, replayed and asked again. */
import assert from "node:assert/strict";
import { ServedModel } from "../../../src/gfn/policies/language_model/served_model.ts";
import type { NamedTensor } from "../../../src/base/safetensors.ts";
import type { ModelConfig } from "../../../src/models/decoder/mod.ts";
import { openCheckpoint, readWeights } from "../../../src/models/mod.ts";
import { writeRandomCheckpoint } from "../../../src/models/store/random_checkpoint.ts";
import { TrainedModel } from "../../../src/models/training/trained_model.ts";
import type {
  HeadRow,
  TokenTree,
  TrainerConfig,
  TrainerRecord,
  TrainerRequest,
} from "../../../src/models/training/mod.ts";
import { TinkerServer } from "../../../src/oracle/trainer/tinker_server.ts";
import { TrainedModels } from "../../../src/oracle/trainer/trained_models.ts";
import type { Exchange } from "../recording.ts";

/** Of the adapter; SkyRL-tx has no other alpha. */
export const adapter = { rank: 8, alpha: 32, targets: "all-linear" } as const;

/** Traffic of SkyRL-tx 0.3.0 with the tiny model, by `SLUICE_RECORD=1 deno task contract:skyrl`. */
export const skyrlTraffic = new URL("../../golden/skyrl_traffic.json", import.meta.url);

/** @returns What was recorded, in order. */
export function skyrlExchanges(): Exchange[] {
  return JSON.parse(Deno.readTextFileSync(skyrlTraffic));
}

/** The tiny model in a folder that transformers 4 reads, with a fresh adapter here. */
export function tinyModel(folder: string): TrainedModel {
  writeRandomCheckpoint(folder, "contract");
  const { config, file } = openCheckpoint(folder);
  const weights = readWeights(file, config);
  file.close();
  return new TrainedModel({
    ...{ config, weights, adapter, base: { name: "contract", sha256: "" }, seedKey: "contract" },
  });
}

const begin = 0;
/** Of the tiny model any ids do; of SmolLM2 random ones are where single precision is worst. */
const texts = { tiny: [begin, 5, 9, 14, 7, 3], smollm2: [begin, 504, 3575, 282, 4649, 314] };
const gradients = [-1, 0.5, -2, 0.75, 1.25];
const rate = 1e-3;

/** Answers of a server. */
export interface TrainerTalk {
  readonly ids: readonly number[];
  readonly record: TrainerRecord;
  /** log p of a text, before a step of AdamW and after. */
  readonly scores: readonly (readonly number[])[];
  /** The adapter before the step, after it, and after a step of plain descent from there. */
  readonly adapters: readonly (readonly NamedTensor[])[];
  readonly written: readonly {
    readonly ids: readonly number[];
    readonly logProbs: readonly number[];
  }[];
}

/** @param asked.config Of the model that the server has. */
export async function trainAt(
  { url, base, config }: {
    readonly url: string;
    readonly base: string;
    readonly config: ModelConfig;
  },
): Promise<TrainerTalk> {
  const trainer: TrainerConfig = {
    ...{ url, base_model: base, rank: adapter.rank, adapters: 2, max_concurrency: 1 },
    ...{ retries: 8, timeout: 330, pause: 1 },
  };
  const models = new TrainedModels(new TinkerServer(trainer));
  const link = async (request: TrainerRequest) => await models.answer(request);
  const about = { name: "contract", sha256: "", architecture: config.architecture };
  const parts = { trainer, seed: 7, config, base: about };
  const ids = texts[config.vocabulary < 1000 ? "tiny" : "smollm2"];
  const [tree, rows] = chainOf(ids, 1);
  try {
    const served = new ServedModel({ ...parts, link });
    const record = await served.tried(begin);
    const first = await served.pass(tree, rows);
    const fresh = await served.parameters();
    await first.backward(gradients.map((one) => Float64Array.of(one)));
    await served.step({ learningRate: rate });
    const second = await served.pass(tree, rows);
    const stepped = await served.parameters();
    const written = await served.write(
      [0, 1, 0].map((i) => ({ prompt: [begin, 5], most: 4, end: 2, seed: `${i}` })),
      { temperature: 1, topP: 1 },
    );
    const scores = [first, second].map(({ logProbabilities }) =>
      logProbabilities.map(([one]) => one)
    );
    const from = checkpointOf(stepped);
    const place = { trainer, handle: "descent", from, seed: 7 };
    const text = { ids, logProbs: scores[1], gradients };
    const adam = { learning_rate: 1e3, beta1: 0, beta2: 0, eps: 1e6, weight_decay: 0 };
    await models.answer({ op: "train", ...place, texts: [text], adam });
    const saved = await models.answer({ op: "save", ...place });
    const moved = new ServedModel({ ...parts, link: () => Promise.resolve(saved) });
    return { ids, record, scores, adapters: [fresh, stepped, await moved.parameters()], written };
  } finally {
    await models.close();
  }
}

/** The name of weights and moments on the server. */
function checkpointOf(tensors: readonly NamedTensor[]): string {
  const named = tensors.find(({ name }) => name === "server.checkpoint")!;
  return JSON.parse(String.fromCodePoint(...named.values)).weights;
}

/**
 * Holds what a server did against the own decoder: log probabilities, one step of AdamW, one gradient, and
 * what it says of the texts that it wrote.
 */
export async function requireAsLocal(talk: TrainerTalk, local: TrainedModel): Promise<void> {
  const { ids, record, scores, adapters: [fresh, stepped, descended], written } = talk;
  assert.equal(record.divides, "length, sequences");
  assert.ok(record.twice < 1e-4);
  const load = (tensors: readonly NamedTensor[]) =>
    local.loadParameters(tensors.filter(({ name }) => name.endsWith("weight")));
  for (const [i, tensors] of [fresh, stepped].entries()) {
    load(tensors);
    const apart = distance(scores[i], logProbsOf(local, ids, 1));
    console.log(`after ${i} steps: farthest ${apart.toExponential(1)} nats`);
    assert.ok(apart < 1e-3);
  }
  load(fresh);
  backward(local, ids);
  const counted = roundings.map((limit) => aboveRounding(local, limit));
  await local.step({ learningRate: rate });
  const steps = [valuesOf(stepped), valuesOf(local.parameters()), valuesOf(fresh)] as const;
  const whole = relative(...steps);
  const without = counted.map((one) => relative(...steps, one));
  const told = without.map((one, i) =>
    `${one.toExponential(1)} without the ${(100 * shareLeftOut(counted[i])).toPrecision(2)} % of ` +
    `gradients below ${roundings[i]} of the largest`
  );
  console.log(`a step of AdamW: ${whole.toExponential(1)} of its length apart, ${told.join(", ")}`);
  const sure = without.at(-1)!;
  assert.ok(whole < 1e-2 && sure < 1e-3);
  load(stepped);
  const [old, now] = [valuesOf(stepped), valuesOf(descended)];
  backward(local, ids);
  let [apart, length] = [0, 0];
  for (const { name, gradient } of local.trained) {
    gradient().forEach((g, i) => {
      apart += ((old.get(name)![i] - now.get(name)![i]) * 1e3 - g) ** 2;
      length += g * g;
    });
  }
  local.zeroGradients();
  const gradient = Math.sqrt(apart / length);
  console.log(`a gradient: ${gradient.toExponential(1)} of its length apart`);
  assert.ok(gradient < 1e-3);
  assert.deepEqual(written[0], written[2]);
  const gaps = written.map(({ ids: own, logProbs }) =>
    distance(logProbs, logProbsOf(local, [begin, 5, ...own], 2))
  );
  assert.ok(Math.max(...gaps) < 1e-3, "written and scored");
}

/** How far answers lie from others, nats a token. */
export function trainerDrift(a: TrainerTalk, b: TrainerTalk): number {
  assert.deepEqual(a.written.map((one) => one.ids), b.written.map((one) => one.ids));
  return Math.max(...a.scores.map((row, i) => distance(row, b.scores[i])));
}

function backward(local: TrainedModel, ids: readonly number[]): void {
  const pass = local.pass(...chainOf(ids, 1), { grad: true });
  pass.backward(gradients.map((one) => Float64Array.of(one)));
  pass.release();
}

function logProbsOf(model: TrainedModel, path: readonly number[], from: number): number[] {
  const { logProbabilities } = model.pass(...chainOf(path, from), { grad: false });
  return logProbabilities.map(([one]) => one);
}

/** All ids behind one another; those from a place on are scored. */
function chainOf(path: readonly number[], from: number): [TokenTree, HeadRow[]] {
  const tree = { ids: Int32Array.from(path), parents: Int32Array.from(path, (_, i) => i - 1) };
  const rows = path.slice(from).map((id, k) => ({
    ...{ node: from + k - 1, legal: "all" as const, picked: Int32Array.of(id) },
  }));
  return [tree, rows];
}

function valuesOf(tensors: readonly NamedTensor[]): ReadonlyMap<string, ArrayLike<number>> {
  return new Map(tensors.map(({ name, values }) => [name, values]));
}

/** Shares of the largest gradient of a map, below which a gradient may be rounding. */
const roundings = [1e-7, 1e-6, 1e-5];

/** Places by tensor. */
type Counted = ReadonlyMap<string, readonly boolean[]>;

/**
 * Where a gradient is above rounding: the first step of AdamW is as long everywhere, so that its sign is
 * chance where the gradient is.
 */
function aboveRounding(model: TrainedModel, limit: number): Counted {
  return new Map(model.trained.map(({ name, gradient }) => {
    const sizes = Array.from(gradient(), Math.abs);
    const largest = sizes.reduce((most, one) => Math.max(most, one), 0);
    return [name, sizes.map((one) => one === 0 || one > limit * largest)];
  }));
}

function shareLeftOut(counted: Counted): number {
  const all = [...counted.values()].flat();
  return all.filter((one) => !one).length / all.length;
}

type Values = ReadonlyMap<string, ArrayLike<number>>;

/** Distance of what was found from what is wanted, as a share of the way from where both began. */
function relative(found: Values, wanted: Values, before: Values, counted?: Counted): number {
  let [apart, moved] = [0, 0];
  for (const [name, values] of wanted) {
    for (let i = 0; i < values.length; i++) {
      if (counted?.get(name)?.[i] === false) continue;
      apart += (found.get(name)![i] - values[i]) ** 2;
      moved += (values[i] - before.get(name)![i]) ** 2;
    }
  }
  return Math.sqrt(apart / moved);
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((one, i) => Math.abs(one - b[i])));
}
