/** Experiments of `deno task bench:learning`: tasks with their targets, objectives, and ablations. */

/** A task of the benchmark: one pipeline, its budget, and what must be reached. */
export interface Task {
  readonly id: string;
  /** As a heading of bench/results/learning.md. */
  readonly title: string;
  /** Relative to the root. */
  readonly pipeline: string;
  /** Laid over the pipeline for every variant, as after `--set`. */
  readonly sets: readonly string[];
  /** The target that must be reached, as a sentence. */
  readonly wanted: string;
  readonly variants: readonly Variant[];
}

/** One way to learn a task. */
export interface Variant {
  readonly id: string;
  readonly label: string;
  readonly sets: readonly string[];
  /** Names of measures and the largest value that may come out, for every seed. */
  readonly targets?: Readonly<Record<string, number>>;
}

const learn = (text: string) => `stages.train.stages.learn.${text}`;
const sample = (text: string) => `stages.train.stages.sample.${text}`;

type Targets = Readonly<Record<string, number>>;

function variant(id: string, label: string, sets: readonly string[], targets?: Targets): Variant {
  return { id, label, sets: sets.map(learn), ...(targets && { targets }) };
}

const tb = (targets?: Targets) =>
  variant("tb", "trajectory balance", ['objective="trajectory_balance"'], targets);
const varGrad = (targets?: Targets) =>
  variant("vargrad", "log-partition variance", ['objective="log_partition_variance"'], targets);
const db = (targets?: Targets) =>
  variant("db", "detailed balance", ['objective="detailed_balance"'], targets);
const subTb = (targets?: Targets) =>
  variant("subtb", "SubTB(0.9), flow learned", [
    'objective="sub_trajectory_balance"',
    'flow="learned"',
    "lambda=0.9",
  ], targets);
/** As Tiapkin et al. (2024) set λ where objects are long and only their ends are rewarded. */
const longSubTb = variant("subtb_19", "SubTB(1.9), flow learned", [
  'objective="sub_trajectory_balance"',
  'flow="learned"',
  "lambda=1.9",
]);
const hybrid = (targets?: Targets) =>
  variant("hybrid", "SubTB(1), flow exact where terminable", [
    'objective="sub_trajectory_balance"',
    'flow="exact_where_terminable"',
    "lambda=1.0",
  ], targets);
const modified = (targets?: Targets) =>
  variant("modified", "modified SubTB(1)", [
    'objective="modified_sub_trajectory_balance"',
    "lambda=1.0",
  ], targets);
/** Objectives that are right for the policy's own trajectories only are given no others. */
const onPolicy = sample('exploration={kind="epsilon_uniform",start=0.0,end=0.0}');
const reinforce: Variant = {
  id: "reinforce",
  label: "REINFORCE, KL to the prior",
  sets: [learn('objective="reinforce"'), learn("kl=1.0"), onPolicy],
};
const grpo: Variant = {
  id: "grpo",
  label: "GRPO, KL to the prior",
  sets: [learn('objective="grpo"'), learn("kl=1.0"), onPolicy],
};

const pipeline = (name: string) => `pipelines/benchmarks/${name}.toml`;

const sparse = [
  "stages.grid.r0=1e-3",
  sample('exploration={kind="epsilon_uniform",start=0.1,end=0.1}'),
];

/** The tasks, the quickest first. */
export const tasks: readonly Task[] = [
  {
    id: "hypergrid_16",
    title: "Hypergrid 16 × 16, R0 = 0.1, 32,000 trajectories",
    pipeline: pipeline("hypergrid"),
    sets: [],
    wanted: "TV ≤ 0.003 for TB, VarGrad and SubTB(0.9); ≤ 0.0005 with exact flows",
    variants: [
      tb({ tv: 0.003 }),
      varGrad({ tv: 0.003 }),
      subTb({ tv: 0.003 }),
      db(),
      hybrid({ tv: 0.0005 }),
      modified({ tv: 0.0005 }),
      reinforce,
      grpo,
    ],
  },
  {
    id: "hypergrid_16_sparse",
    title: "Hypergrid 16 × 16, R0 = 0.001, 32,000 trajectories",
    pipeline: pipeline("hypergrid"),
    sets: sparse,
    wanted:
      "TV ≤ 0.03 for SubTB(0.9), ≤ 0.012 with exact flows. Trajectory balance as published, with " +
      "log Z from 0 and no exploration, collapses; with log Z from the first batch and exploration " +
      "it does not",
    variants: [
      tb(),
      {
        id: "tb_plain",
        label: "trajectory balance, log Z from 0, no exploration",
        sets: [
          learn('objective="trajectory_balance"'),
          learn("log_z_start=0.0"),
          sample('exploration={kind="epsilon_uniform",start=0.0,end=0.0}'),
        ],
      },
      varGrad(),
      subTb({ tv: 0.03 }),
      db(),
      hybrid({ tv: 0.012 }),
      modified({ tv: 0.012 }),
    ],
  },
  {
    id: "expression",
    title: "Expressions, 3,477 programs, 48,000 trajectories, table",
    pipeline: pipeline("expression"),
    sets: [],
    wanted: "TV ≤ 0.05 with exact flows, every sample a program",
    variants: [tb(), varGrad(), subTb(), hybrid({ tv: 0.05 }), reinforce, grpo],
  },
  {
    id: "expression_long",
    title: "Expressions, 200,000 trajectories, table",
    pipeline: pipeline("expression"),
    sets: ["stages.train.steps=6250", "stages.train.stages.progress.every=1250"],
    wanted: "KL(target‖policy) ≤ 0.01 with exact flows",
    variants: [tb(), hybrid({ kl_target_policy: 0.01 })],
  },
  {
    id: "numbers",
    title: "Numbers 0 … 99, 16,000 trajectories, table",
    pipeline: pipeline("numbers"),
    sets: [],
    wanted: "KL(target‖policy) ≤ 0.001",
    variants: [
      tb({ kl_target_policy: 0.001 }),
      varGrad({ kl_target_policy: 0.001 }),
      subTb(),
      hybrid({ kl_target_policy: 0.001 }),
      reinforce,
      grpo,
    ],
  },
  {
    id: "conjugate_programs",
    title: "Conjugate programs, 4,374 of them, 96,000 trajectories, transformer",
    pipeline: pipeline("conjugate_programs"),
    sets: [],
    wanted: "KL(target‖policy) ≤ 0.01 and log Z within 0.01 with exact flows",
    variants: [
      tb(),
      varGrad(),
      subTb(),
      hybrid({ kl_target_policy: 0.01, log_z_error: 0.01 }),
      reinforce,
      grpo,
    ],
  },
  {
    id: "hypergrid_8_4",
    title: "Hypergrid 8⁴, R0 = 0.1",
    pipeline: pipeline("hypergrid"),
    sets: ["stages.grid.ndim=4", "stages.grid.height=8", "stages.train.steps=4000"],
    wanted: "TV ≤ 0.05 for the best objective",
    variants: [tb(), varGrad(), subTb(), hybrid({ tv: 0.05 }), modified({ tv: 0.05 })],
  },
  {
    id: "hypergrid_20_4",
    title: "Hypergrid 20⁴, R0 = 0.1: 160,000 cells",
    pipeline: pipeline("hypergrid"),
    sets: [
      "stages.grid.ndim=4",
      "stages.grid.height=20",
      "stages.train.steps=8000",
      "stages.train.stages.progress.every=2000",
    ],
    wanted: "none; the exact TV is reported",
    variants: [tb(), hybrid(), modified()],
  },
  {
    id: "bit_sequence",
    title: "Bit sequences n = 16, k = 1, β = 2: 65,536 leaves, transformer",
    pipeline: pipeline("bit_sequence"),
    sets: [],
    wanted: "TV ≤ 0.05 (uniform: 0.782)",
    variants: [tb({ tv: 0.05 }), varGrad(), subTb(), longSubTb],
  },
  {
    id: "qm9_strings",
    title: "Strings built from both ends: 161,051 objects, 16 ways to each",
    pipeline: pipeline("qm9_strings"),
    sets: [],
    wanted: "none",
    variants: [tb(), varGrad(), subTb()],
  },
];

/** One change at a time to the expressions task, whose default is `hybrid` above. */
export const ablations: Task = {
  id: "ablations",
  title: "Ablations on expressions, 48,000 trajectories, flow exact where terminable",
  pipeline: pipeline("expression"),
  sets: [],
  wanted: "one change at a time",
  variants: [
    { id: "default", label: "as the pipeline says", sets: [] },
    {
      id: "replay_uniform",
      label: "replay: 50 % uniform",
      sets: [learn("replay={capacity=4096,fraction=0.5}")],
    },
    {
      id: "replay_prioritised",
      label: "replay: 50 % prioritised",
      sets: [learn('replay={capacity=4096,fraction=0.5,choice="prioritised"}')],
    },
    {
      id: "replay_top",
      label: "replay: 50 %, half from the best tenth",
      sets: [learn('replay={capacity=4096,fraction=0.5,choice="top_fraction"}')],
    },
    {
      id: "replay_diverse",
      label: "replay: 50 % diverse",
      sets: [learn('replay={capacity=4096,fraction=0.5,choice="diverse"}')],
    },
    { id: "no_exploration", label: "no exploration", sets: [sample("exploration.start=0.0")] },
    {
      id: "more_exploration",
      label: "exploration from 0.3",
      sets: [sample("exploration.start=0.3")],
    },
    {
      id: "tempered",
      label: "tempered from 2 instead of uniform exploration",
      sets: [sample("exploration.start=0.0"), sample("temperature={start=2.0,end=1.0}")],
    },
    { id: "lambda_09", label: "λ = 0.9", sets: [learn("lambda=0.9")] },
    { id: "lambda_2", label: "λ = 2", sets: [learn("lambda=2.0")] },
    { id: "learned_flow", label: "flow learned everywhere", sets: [learn('flow="learned"')] },
    { id: "squared", label: "squared residuals", sets: [learn('residual_loss="squared"')] },
    {
      id: "annealed",
      label: "reward exponent from 0.2 over the first half",
      sets: [learn("reward_exponent={start=0.2}")],
    },
    {
      id: "constant_rate",
      label: "learning rate held constant",
      sets: [learn('learning_rate.schedule="constant"')],
    },
    {
      id: "warm_up",
      label: "warm-up over the first tenth",
      sets: [learn("learning_rate.warm_up=0.1")],
    },
    {
      id: "tb_regression",
      label: "trajectory balance, log Z by regression",
      sets: [learn('objective="trajectory_balance"')],
    },
    {
      id: "tb_data",
      label: "trajectory balance, log Z from the data",
      sets: [learn('objective="trajectory_balance"'), learn('log_z="data"')],
    },
    { id: "vargrad", label: "no log Z", sets: [learn('objective="log_partition_variance"')] },
    {
      id: "sft",
      label: "SFT on three good programs first",
      sets: [
        'stages.start.kind="sft"',
        "stages.start.learning_rate=5e-2",
        "stages.start.steps=20",
        'stages.start.examples=[{name="7",derivation=["2","3","*","1","+"]},' +
        '{name="6",derivation=["3","3","+"]},{name="8",derivation=["2","2","+","2","*"]}]',
      ],
    },
  ],
};

/** Key of the results of a variant of a task. */
export function keyOf(task: Task, variant: Variant) {
  const sets = [...task.sets, ...variant.sets];
  return { task: task.id, variant: variant.id, pipeline: task.pipeline, sets };
}
