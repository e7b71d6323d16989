/** Reads the training files of synth-ai, and writes what they ask for as a pipeline; the rest is listed. */
import { inputError } from "../../src/base/diagnostic.ts";
import { isRecord } from "../../src/base/record.ts";
import { parseTomlFile } from "../../src/pipeline/toml/mod.ts";

/** A pipeline, and what of the file it does not say. */
export interface Converted {
  /** TOML, with what was left out as comments on top. */
  readonly pipeline: string;
  /** `path: why`, one for each key that nothing stands for. */
  readonly leftOut: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Converts a file for supervised fine-tuning or reinforcement learning.
 *
 * @param text Of the file.
 * @param file Its name, for messages.
 * @throws InputError if it is no TOML, or neither of the two.
 */
export function convertSynth(text: string, file: string): Converted {
  const source = new Source(parseTomlFile(text, file).value as Values);
  const isSft = source.has("job") || source.text("algorithm.method") === "sft";
  const isRl = source.has("training") || source.has("rollout") || source.has("services");
  if (!isSft && !isRl) {
    const message =
      `Cannot convert ${file}: it has neither [job] nor [training], [rollout], [services]`;
    throw inputError("convert/kind", message, undefined, "name an RL or SFT file of synth-ai");
  }
  const name = nameOf(
    source.text("model.label") ?? file.replace(/^.*\//, "").replace(/\.toml$/, ""),
  );
  const lines = isSft ? sft(source) : reinforcement(source);
  const leftOut = source.leftOut(isSft ? sftReasons : rlReasons);
  const notes = leftOut.map((one) => `# left out: ${one}`);
  return {
    pipeline: [...notes, "format = 1", `name = "${name}"`, ...lines, ""].join("\n"),
    leftOut,
  };
}

/** The values of a file; those that were read are no longer among what is left out. */
class Source {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #read = new Set<string>();

  constructor(readonly tables: Values) {
    this.#values = new Map(flat(tables));
  }

  has(table: string): boolean {
    return isRecord(this.tables[table]);
  }

  /** The first of these paths that is there. */
  get(...paths: readonly string[]): unknown {
    const found = paths.find((path) => this.#values.has(path));
    if (found === undefined) return undefined;
    this.#read.add(found);
    return this.#values.get(found);
  }

  text(...paths: readonly string[]): string | undefined {
    const value = this.get(...paths);
    return typeof value === "string" ? value : undefined;
  }

  number(...paths: readonly string[]): number | undefined {
    const value = this.get(...paths);
    return typeof value === "number" ? value : undefined;
  }

  /** Paths that were not read, with the reason of their table, of their key, or none. */
  leftOut(reasons: Values): string[] {
    return [...this.#values.keys()].filter((path) => !this.#read.has(path)).map((path) => {
      const parts = path.split(".");
      const known = parts.map((_, i) => parts.slice(0, parts.length - i).join("."))
        .find((one) => Object.hasOwn(reasons, one));
      return `${path}: ${known === undefined ? "nothing here reads it" : reasons[known]}`;
    });
  }
}

function* flat(value: Values, before = ""): Generator<readonly [string, unknown]> {
  for (const [key, one] of Object.entries(value)) {
    if (isRecord(one)) yield* flat(one, `${before}${key}.`);
    else yield [`${before}${key}`, one];
  }
}

/** Fine-tuning: texts, `sft` on the file, the policy's adapter. */
function sft(source: Source): string[] {
  source.get("algorithm.method", "algorithm.type");
  source.get("algorithm.type");
  source.get("training.mode");
  const context = source.number("hyperparameters.sequence_length") ?? 512;
  const model = modelOf(source, "job.model", "model.base", "model.source");
  const key = (name: string, value: unknown) =>
    value === undefined ? [] : [`${name} = ${toml(value)}`];
  const accumulate = source.number("hyperparameters.gradient_accumulation_steps");
  return [
    "",
    `[stages.texts] # ${model.how}`,
    'kind = "tokens"',
    `model = "${model.name}"`,
    `most_tokens = ${context}`,
    "",
    "[stages.tuned]",
    'kind = "sft"',
    'inputs = { environment = "texts" }',
    `file = ${toml(source.text("job.data", "job.data_path") ?? "train.jsonl")}`,
    ...key("validation_file", source.text("data.validation_path", "job.validation_path")),
    ...key("epochs", source.number("hyperparameters.n_epochs") ?? 1),
    ...key(
      "batch_size",
      source.number("hyperparameters.batch_size", "hyperparameters.per_device_batch"),
    ),
    ...key("accumulate", accumulate),
    ...key("weight_decay", source.number("hyperparameters.weight_decay")),
    learningRate(source, "hyperparameters"),
    policy(source, model.name, context),
  ];
}

/** Objectives by the names of methods; balance objectives stand beside them in the table of the docs. */
const objectives: Readonly<Record<string, string>> = {
  grpo: "grpo",
  gspo: "grpo",
  policy_gradient: "reinforce",
  reinforce: "reinforce",
};

/** Reinforcement learning: a task of one's own, a loop of sampling and learning, a benchmark. */
function reinforcement(source: Source): string[] {
  const model = modelOf(source, "model.source", "model.base");
  source.get("algorithm.type");
  source.get("model.trainer_mode");
  source.get("model.label");
  const method = source.text("algorithm.variety", "algorithm.method") ?? "policy_gradient";
  source.get("algorithm.method");
  const objective = objectives[method] ?? "trajectory_balance";
  const steps = (source.number("training.num_epochs") ?? 1) *
    (source.number("training.iterations_per_epoch") ?? 1);
  const batch = source.number("rollout.episodes_per_batch", "training.batch_size") ?? 32;
  source.get("training.batch_size");
  const group = source.number("training.group_size");
  const interval = source.number("training.weight_sync_interval") ?? 1;
  const samples = [source.get("evaluation.instances")].flatMap((one) =>
    typeof one === "number"
      ? [Math.max(2, one)]
      : Array.isArray(one)
      ? [Math.max(2, one.length)]
      : []
  );
  return [
    "",
    "[stages.task] # the task app as an environment that states its reward: docs/environments.md",
    'kind = "environment"',
    'path = "./task.ts"',
    "",
    `[stages.texts] # ${model.how}`,
    'kind = "tokens"',
    `model = "${model.name}"`,
    'inputs = { environment = "task" }',
    "",
    "[stages.start]",
    'kind = "policy"',
    'inputs = { environment = "texts" }',
    policy(source, model.name, source.number("model.max_seq_len") ?? 512),
    "",
    "[stages.train]",
    'kind = "loop"',
    `steps = ${steps}`,
    ...(interval > 1 ? [`staleness = ${interval - 1}`] : []),
    'state = { policy = "start.policy" }',
    'next = { policy = "learn.policy" }',
    "",
    "[stages.train.stages.sample]",
    'kind = "sample"',
    'inputs = { policy = "state.policy", environment = "texts" }',
    `batch_size = ${batch}${
      group === undefined ? "" : ` # in groups of ${group} where prompts are wired`
    }`,
    "",
    `[stages.train.stages.learn] # ${method}`,
    'kind = "learn"',
    'inputs = { policy = "state.policy", trajectories = "sample.trajectories" }',
    `objective = "${objective}"`,
    ...(interval > 1 ? ['stale = "uncorrected"'] : []),
    learningRate(source, "training"),
    ...(samples.length === 0 ? [] : [
      "",
      "[stages.answers]",
      'kind = "benchmark"',
      'inputs = { policy = "train.policy", environment = "texts" }',
      `samples = ${samples[0]}`,
      "best_of = 1",
    ]),
  ];
}

/** The name of a model in a project, and how it comes there. */
function modelOf(source: Source, ...paths: readonly string[]) {
  const asked = source.text(...paths) ?? "MODEL";
  const name = asked.replace(/^.*\//, "").toLowerCase();
  return { name, how: `once: sluice model add FOLDER --name ${name} (${asked})` };
}

function learningRate(source: Source, table: string): string {
  const start = source.number(`${table}.learning_rate`) ?? 1e-4;
  const warmUp = source.number(`${table}.warmup_ratio`);
  return `learning_rate = { start = ${start}, schedule = "constant"${
    warmUp === undefined ? "" : `, warm_up = ${warmUp}`
  } }`;
}

/** The adapter; ranks are multiples of four here. */
function policy(source: Source, model: string, context: number): string {
  const lora = "training.lora";
  const rank = Math.max(4, 4 * Math.ceil((source.number(`${lora}.r`, `${lora}.rank`) ?? 16) / 4));
  const alpha = source.number(`${lora}.alpha`) ?? 2 * rank;
  const targets = source.get(`${lora}.target_modules`);
  const maps = Array.isArray(targets) && !targets.includes("all-linear")
    ? `, targets = ${toml(targets)}`
    : "";
  const dropout = source.number(`${lora}.dropout`);
  const left = dropout ? `, dropout = ${dropout}` : "";
  const adapter = `{ rank = ${rank}, alpha = ${alpha}${maps}${left} }`;
  return `policy = { kind = "language_model", model = "${model}", adapter = ${adapter}, context = ${context}, backend = "blas" }`;
}

function nameOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "") || "converted";
}

function toml(value: unknown): string {
  return JSON.stringify(value);
}

const compute = {
  compute: 'one machine: backend = "blas" or "cuda" of the policy, sluice submit for a cluster',
  "hyperparameters.parallelism": "one process computes a model",
};

const sftReasons: Values = {
  ...compute,
  "hyperparameters.train_kind": "an adapter learns",
  "training.use_qlora": "frozen weights are in f32 or bf16: precision of the policy",
};

const rlReasons: Values = {
  ...compute,
  "services.task_url": "a task over HTTP is not asked: write it as an environment, ./task.ts",
  "services.verifier_url":
    "verifiers over HTTP are not asked: reward in the environment, or by oracles",
  services: "nothing over HTTP rewards here but oracles on servers",
  "rollout.env_name": "the environment is ./task.ts",
  "rollout.policy_name": "the policy is that of the loop",
  "rollout.max_turns": "an object is one text: maxActions of the environment",
  "rollout.max_concurrent_rollouts": "a batch is sampled at once",
  "training.gradient_accumulation_steps":
    "learn makes one pass of a batch, which is a tree of tokens",
  "training.max_accumulated_minibatch": "learn makes one pass of a batch",
  "training.log_interval": "every step is a row of metric",
  "evaluation.every_n_iters": "checks with every = N look at a loop as it goes on",
  "evaluation.seeds": "sluice sweep PIPELINE --set seed=0..9",
  judge: "rubrics of a model that answers in texts are not here: oracles score texts",
  rubric: "rubrics of a model that answers in texts are not here: oracles score texts",
};
