/** Digests of the bits that scoring and running give: changes of layout must keep them. */
import assert from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Dataset } from "../../src/base/dataset.ts";
import { sha256 } from "../../src/base/digest.ts";
import { defaultSchedule, type Schedule } from "../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../src/engine/score/score.ts";
import { withProject } from "../cli/command_line.ts";
import { dugongs } from "../engine/density/data.ts";
import { readCases } from "../engine/python/catalogue.ts";
import { datasets, rowsOf } from "../engine/python/corpus_data.ts";

/** Contents of tests/golden/bits.json. */
export interface Bits {
  /** The command that makes the file. */
  readonly made: string;
  /** By program, `[graph, score]`: the canonical hash, and a digest of every number of the score. */
  readonly scores: Readonly<Record<string, readonly string[]>>;
  /** By run and table, a digest of the rows. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const shortSchedule: Schedule = {
  ...defaultSchedule,
  tune: 50,
  draws: 50,
  targetMcse: 10,
  maxMcse: 100,
};

/** Graph and score of every golden program: those compared with PyMC, and those of the corpus. */
export function scoreBits(): Record<string, readonly string[]> {
  const golden = JSON.parse(read("../golden/dugongs_elpd.json")) as {
    programs: { text: string }[];
  };
  const compared = golden.programs.map(({ text }, i) =>
    [`compared/${i}`, bitsOf(text, dugongs(), defaultSchedule)] as const
  );
  const corpus = Object.entries(datasets).flatMap(([name, data]) =>
    readCases(read(`../engine/python/corpus/${name}.txt`)).map(({ title, program }) =>
      [
        `${name}/${title}`,
        bitsOf(program, data, { ...shortSchedule, rows: rowsOf(title) }),
      ] as const
    )
  );
  return Object.fromEntries([...compared, ...corpus]);
}

function bitsOf(text: string, data: Dataset, schedule: Schedule): readonly string[] {
  const { programHash, status, score } = scoreNow(text, data, schedule);
  if (!score) return [programHash ?? "", status];
  const { elpdLoo, elpdRaw, elpdReward, se, pLoo, mcse, gradients } = score;
  const numbers = [elpdLoo, elpdRaw, elpdReward, se, pLoo, mcse, gradients];
  const all = Float64Array.of(...numbers, ...score.elpdPointwise, ...score.paretoK);
  return [programHash ?? "", sha256(new Uint8Array(all.buffer))];
}

/** Tables whose rows a run's seed decides, and the columns that tell nothing of circumstances. */
const selections: Readonly<Record<string, string>> = {
  trajectory: "stage, step, idx, length, tokens, log_prior, log_pf, log_pb, log_reward, replayed",
  execution: "program, status, canonical_hash, elpd_loo, elpd_raw, elpd_reward, se, p_loo, mcse, " +
    "elpd_pointwise, pareto_k, gradients, divergences",
  judgement: "stage, step, idx, program, judge, score",
  evaluation:
    "stage, step, trajectories, distinct_evaluations, measure, subject_kind, subject, value, mcse, ci_lo, ci_hi, n",
  enumeration: "stage, step, idx, program, tokens, log_prior, log_reward, log_target, log_policy",
  inclusion: "stage, step, production, prior, target, policy",
  attribution: "stage, step, text, kl_target_policy, kl_policy_target, share",
  metric: "stage, step, name, value",
};

/** Leaves out rows of a pipeline's gate, which scores the best programs on rows in another order. */
const others: Readonly<Record<string, string>> = {
  evaluation: "where stage <> 'integrity'",
  execution: "where data = (select mode(data) from execution)",
};

/** Digests of a finished run's tables; doubles are compared by the digits that identify them. */
export async function rowBits(database: string): Promise<Record<string, string>> {
  const instance = await DuckDBInstance.create(database, { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  const digests: Record<string, string> = {};
  for (const [table, columns] of Object.entries(selections)) {
    const some = others[table] ?? "";
    const rows = await connection.runAndReadAll(`select ${columns} from "${table}" ${some}`);
    const lines = rows.getRowsJson().map((row) => JSON.stringify(row)).sort();
    digests[table] = sha256(lines.join("\n"));
  }
  connection.closeSync();
  instance.closeSync();
  return digests;
}

/** Digests of the main job's rows under overlays, run from an empty project. */
export async function rowsOfMainJob(...overlays: string[]): Promise<Record<string, string>> {
  let digests = {};
  await withProject(["pipelines", "configs", "grammars", "data"], async (project) => {
    const { code, err } = await project.sluice(
      ...["run", "pipelines/dugongs.toml", ...overlays, "--quiet"],
    );
    assert.equal(code, 0, err);
    const [run] = [...Deno.readDirSync(`${project.root}/runs`)];
    digests = await rowBits(`${project.root}/runs/${run.name}/run.duckdb`);
  });
  return digests;
}

/** The committed file. */
export function goldenBits(): Bits {
  return JSON.parse(read("../golden/bits.json"));
}

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, import.meta.url));
}
