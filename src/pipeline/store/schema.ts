/** The tables of a run's database: their columns and their types. */
import type { Row } from "./row.ts";
import { checkEvaluation } from "./evaluation_facts.ts";

/** Types that columns have. `JSON` holds JSON text; times are UTC. */
export type ColumnType =
  | "VARCHAR"
  | "BOOLEAN"
  | "INTEGER"
  | "BIGINT"
  | "DOUBLE"
  | "TIMESTAMP"
  | "JSON"
  | "DOUBLE[]"
  | "INTEGER[]";

/** One table. Every table also has the column `run_id`, first. */
interface TableSchema {
  /**
   * Owner of a row: a `stage` (columns `stage` and `step` come after `run_id`; step 0 is outside a
   * loop), or the `run` as a whole.
   */
  readonly scope: "stage" | "run";
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Columns that make a row one of its kind within the run, if any. */
  readonly key?: readonly string[];
  /** A second row with the same key: `keep` the first, `replace` it, or `refuse` the second. */
  readonly onRepeat?: "keep" | "replace" | "refuse";
  /** @throws TypeError (`internal:`) if a row lacks a required column. */
  readonly check?: (row: Row) => void;
}

const runTables = {
  run: {
    scope: "run",
    key: ["run_id"],
    onRepeat: "replace",
    columns: {
      pipeline: "VARCHAR",
      name: "VARCHAR",
      status: "VARCHAR",
      seed: "BIGINT",
      started_at: "TIMESTAMP",
      ended_at: "TIMESTAMP",
      parent_run_id: "VARCHAR",
      git_commit: "VARCHAR",
      git_dirty: "BOOLEAN",
      argv: "JSON",
      host: "VARCHAR",
      versions: "JSON",
      meta: "JSON",
    },
  },
  param: {
    scope: "run",
    columns: {
      path: "VARCHAR",
      value: "JSON",
      source: "VARCHAR",
      file: "VARCHAR",
      line: "INTEGER",
      col: "INTEGER",
    },
  },
  stage_run: {
    scope: "run",
    key: ["stage", "attempt"],
    onRepeat: "replace",
    columns: {
      stage: "VARCHAR",
      attempt: "INTEGER",
      kind: "VARCHAR",
      fingerprint: "VARCHAR",
      status: "VARCHAR",
      cached: "BOOLEAN",
      reason: "JSON",
      started_at: "TIMESTAMP",
      ended_at: "TIMESTAMP",
      exit_code: "INTEGER",
      signal: "VARCHAR",
      wall_ms: "DOUBLE",
      cpu_ms: "DOUBLE",
      peak_memory_kib: "BIGINT",
      log_path: "VARCHAR",
    },
  },
  artifact: {
    scope: "run",
    key: ["sha256"],
    onRepeat: "keep",
    columns: { sha256: "VARCHAR", type: "VARCHAR", bytes: "BIGINT", media_type: "VARCHAR" },
  },
  stage_io: {
    scope: "run",
    columns: {
      stage: "VARCHAR",
      direction: "VARCHAR",
      port: "VARCHAR",
      sha256: "VARCHAR",
      source: "VARCHAR",
    },
  },
  access: {
    scope: "run",
    columns: {
      stage: "VARCHAR",
      attempt: "INTEGER",
      permission: "VARCHAR",
      value: "VARCHAR",
      declared: "BOOLEAN",
      allowed: "BOOLEAN",
    },
  },
} as const satisfies Record<string, TableSchema>;

const programTables = {
  program: {
    scope: "run",
    key: ["sha256"],
    onRepeat: "keep",
    columns: {
      sha256: "VARCHAR",
      text: "VARCHAR",
      canonical_hash: "VARCHAR",
      log_prior: "DOUBLE",
      scored_as: "VARCHAR",
    },
  },
  execution: {
    scope: "run",
    key: ["program", "data", "engine"],
    onRepeat: "keep",
    columns: {
      program: "VARCHAR",
      data: "VARCHAR",
      engine: "VARCHAR",
      engine_version: "VARCHAR",
      schedule: "VARCHAR",
      status: "VARCHAR",
      class: "VARCHAR",
      canonical_hash: "VARCHAR",
      elpd_loo: "DOUBLE",
      elpd_raw: "DOUBLE",
      se: "DOUBLE",
      p_loo: "DOUBLE",
      mcse: "DOUBLE",
      elpd_pointwise: "DOUBLE[]",
      pareto_k: "DOUBLE[]",
      good_k: "DOUBLE",
      exact_refits: "INTEGER[]",
      capped_points: "INTEGER",
      rhat_max: "DOUBLE",
      ess_bulk_min: "DOUBLE",
      divergences: "INTEGER",
      gradients: "BIGINT",
      chains: "INTEGER",
      tune: "INTEGER",
      draws: "INTEGER",
      params: "JSON",
      diagnostics: "JSON",
      wall_ms: "DOUBLE",
      cpu_ms: "DOUBLE",
      max_rss_kib: "BIGINT",
      memo: "BOOLEAN",
      sandbox_level: "VARCHAR",
      elpd_reward: "DOUBLE",
      loo_method: "VARCHAR",
      unit: "VARCHAR",
      unresolved: "INTEGER[]",
      attestation: "VARCHAR",
      literals: "DOUBLE",
      log_marginal_likelihood: "DOUBLE",
      evidence_mcse: "DOUBLE",
    },
  },
} as const satisfies Record<string, TableSchema>;

const oracleTables = {
  oracle: {
    scope: "stage",
    columns: {
      kind: "VARCHAR",
      model: "VARCHAR",
      model_sha256: "VARCHAR",
      computes: "VARCHAR",
      begin_id: "INTEGER",
      begin_token: "VARCHAR",
      begin_is_added: "BOOLEAN",
      end_id: "INTEGER",
      end_token: "VARCHAR",
      system_text: "VARCHAR",
      chat_template: "VARCHAR",
      probe: "JSON",
      permissions: "VARCHAR",
    },
  },
  prompt: {
    scope: "stage",
    columns: {
      id: "VARCHAR",
      text: "VARCHAR",
      shows: "JSON",
      informed: "BOOLEAN",
      held_out: "BOOLEAN",
      data: "VARCHAR",
      messages: "JSON",
      model_sha256: "VARCHAR",
    },
  },
  oracle_call: {
    scope: "run",
    key: ["target", "term", "program", "draw"],
    onRepeat: "keep",
    columns: {
      target: "VARCHAR",
      term: "INTEGER",
      oracle: "VARCHAR",
      of: "VARCHAR",
      weight: "DOUBLE",
      program: "VARCHAR",
      model_sha256: "VARCHAR",
      prompt_ids: "INTEGER[]",
      ids: "INTEGER[]",
      log_probs: "DOUBLE[]",
      seconds: "DOUBLE",
      cost: "DOUBLE",
      memo: "BOOLEAN",
      temperature: "DOUBLE",
      draw: "VARCHAR",
    },
  },
} as const satisfies Record<string, TableSchema>;

const learningTables = {
  event: {
    scope: "stage",
    columns: {
      wall: "TIMESTAMP",
      level: "VARCHAR",
      kind: "VARCHAR",
      message: "VARCHAR",
      detail: "JSON",
    },
  },
  metric: { scope: "stage", columns: { name: "VARCHAR", value: "DOUBLE", wall: "TIMESTAMP" } },
  trajectory: {
    scope: "stage",
    columns: {
      idx: "INTEGER",
      length: "INTEGER",
      tokens: "INTEGER[]",
      terminal: "VARCHAR",
      program: "VARCHAR",
      log_prior: "DOUBLE",
      log_pf: "DOUBLE",
      log_pb: "DOUBLE",
      log_reward: "DOUBLE",
      replayed: "BOOLEAN",
      meta: "JSON",
      prompt: "VARCHAR",
      staleness: "INTEGER",
    },
  },
  transition: {
    scope: "stage",
    columns: {
      idx: "INTEGER",
      t: "INTEGER",
      action: "INTEGER",
      log_pf: "DOUBLE",
      log_pb: "DOUBLE",
      log_flow: "DOUBLE",
    },
  },
  judgement: {
    scope: "stage",
    columns: {
      idx: "INTEGER",
      program: "VARCHAR",
      judge: "VARCHAR",
      version: "VARCHAR",
      score: "DOUBLE",
      components: "JSON",
    },
  },
} as const satisfies Record<string, TableSchema>;

const proofTables = {
  evaluation: {
    scope: "stage",
    key: ["stage", "step", "seed", "group", "measure", "subject_kind", "subject"],
    onRepeat: "refuse",
    check: checkEvaluation,
    columns: {
      trajectories: "BIGINT",
      distinct_evaluations: "BIGINT",
      value: "DOUBLE",
      mcse: "DOUBLE",
      ci_lo: "DOUBLE",
      ci_hi: "DOUBLE",
      n: "BIGINT",
      method: "VARCHAR",
      measure: "VARCHAR",
      subject_kind: "VARCHAR",
      subject: "VARCHAR",
      seed: "BIGINT",
      group: "VARCHAR",
    },
  },
  enumeration: {
    scope: "stage",
    columns: {
      idx: "INTEGER",
      program: "VARCHAR",
      features: "JSON",
      tokens: "INTEGER[]",
      canonical_hash: "VARCHAR",
      status: "VARCHAR",
      raised: "BOOLEAN",
      log_prior: "DOUBLE",
      log_reward: "DOUBLE",
      log_target: "DOUBLE",
      log_policy: "DOUBLE",
    },
  },
  candidate: {
    scope: "stage",
    columns: {
      idx: "INTEGER",
      program: "VARCHAR",
      programs: "INTEGER",
      features: "JSON",
      answers: "JSON",
      status: "VARCHAR",
      log_prior: "DOUBLE",
      log_reward: "DOUBLE",
      mcse: "DOUBLE",
      pointwise: "DOUBLE[]",
      unit: "VARCHAR",
      raised_to: "DOUBLE",
      p_loo: "DOUBLE",
      literals: "DOUBLE",
    },
  },
  inclusion: {
    scope: "stage",
    columns: { production: "VARCHAR", prior: "DOUBLE", target: "DOUBLE", policy: "DOUBLE" },
  },
  attribution: {
    scope: "stage",
    columns: {
      prefix: "JSON",
      text: "VARCHAR",
      kl_target_policy: "DOUBLE",
      kl_policy_target: "DOUBLE",
      share: "DOUBLE",
      target_mass: "DOUBLE",
      policy_mass: "DOUBLE",
    },
  },
} as const satisfies Record<string, TableSchema>;

/** Experiments that were played. */
const playTables = {
  experiment: {
    scope: "stage",
    columns: {
      name: "VARCHAR",
      version: "INTEGER",
      program: "VARCHAR",
      goal: "JSON",
      error: "VARCHAR",
      calibration_draws: "INTEGER",
      calibration_p: "DOUBLE",
      overflow_share: "DOUBLE",
      published: "JSON",
    },
  },
  episode: {
    scope: "stage",
    columns: {
      experiment: "VARCHAR",
      seed: "BIGINT",
      episode: "INTEGER",
      agent: "VARCHAR",
      status: "VARCHAR",
      reason: "VARCHAR",
      latents: "JSON",
      program: "VARCHAR",
      queries: "INTEGER",
      refusals: "INTEGER",
      nats: "DOUBLE",
      best_nats: "DOUBLE",
      error: "DOUBLE",
      oracle_error: "DOUBLE",
      constant_error: "DOUBLE",
      skill: "DOUBLE",
      log_score: "DOUBLE",
      mcse: "DOUBLE",
      oracle_log_score: "DOUBLE",
      true_share: "DOUBLE",
      overflows: "INTEGER",
      seconds: "DOUBLE",
      tokens: "BIGINT",
      cost: "DOUBLE",
    },
  },
  turn: {
    scope: "stage",
    columns: {
      experiment: "VARCHAR",
      seed: "BIGINT",
      episode: "INTEGER",
      agent: "VARCHAR",
      t: "INTEGER",
      query: "JSON",
      observation: "JSON",
      refused: "BOOLEAN",
      reason: "VARCHAR",
      nats: "DOUBLE",
      nats_low: "DOUBLE",
      nats_high: "DOUBLE",
      best_nats: "DOUBLE",
    },
  },
  question: {
    scope: "stage",
    columns: {
      experiment: "VARCHAR",
      seed: "BIGINT",
      episode: "INTEGER",
      agent: "VARCHAR",
      checkpoint: "INTEGER",
      question: "INTEGER",
      input: "JSON",
      truth: "DOUBLE",
      answer: "DOUBLE",
      oracle: "DOUBLE",
      constant: "DOUBLE",
      error: "DOUBLE",
      oracle_error: "DOUBLE",
      constant_error: "DOUBLE",
    },
  },
} as const satisfies Record<string, TableSchema>;

/** Every table of a run. */
const tables = {
  ...runTables,
  ...programTables,
  ...oracleTables,
  ...learningTables,
  ...proofTables,
  ...playTables,
};

/** Name of a table of a run. */
export type TableName = keyof typeof tables;

/** Names of all tables of a run. */
export const tableNames = Object.keys(tables) as readonly TableName[];

/** All columns of a table with their types, in order. */
export function columnsOf(table: TableName): Readonly<Record<string, ColumnType>> {
  const { scope, columns } = tables[table] as TableSchema;
  if (scope === "run") return { run_id: "VARCHAR", ...columns };
  return { run_id: "VARCHAR", stage: "VARCHAR", step: "BIGINT", ...columns };
}

/** The schema of a table, in its general type. */
export function schemaOf(table: TableName): TableSchema {
  return tables[table];
}

/** Version of the schema that this code writes and reads. */
export const schemaVersion = 1;

/** SQL that makes an empty database. */
export function createStatements(): string[] {
  return [
    ...tableNames.map((table) => createTable(table, columnsOf(table))),
    "create table schema_version (version INTEGER, applied_at TIMESTAMP)",
    `insert into schema_version values (${schemaVersion}, now()::TIMESTAMP)`,
  ];
}

function createTable(table: string, columns: Readonly<Record<string, ColumnType>>): string {
  const list = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return `create table "${table}" (${list.join(", ")})`;
}
