/** A throw-away project for tests: a folder, the fake kinds, and runs of pipelines written inline. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { resolvePipeline } from "../../../src/pipeline/read/resolve.ts";
import type { ResolvedPipeline } from "../../../src/pipeline/read/resolved.ts";
import type { PlannedStage, RunObserver } from "../../../src/pipeline/plan/observer.ts";
import { findSluiceHome } from "../../../src/pipeline/project/project.ts";
import type { RunOptions } from "../../../src/pipeline/run/options.ts";
import type { RunOutcome } from "../../../src/pipeline/run/run.ts";
import { planPipeline, runPipeline } from "../../../src/pipeline/run/run.ts";
import type { StageKind } from "../../../src/pipeline/contract/stage.ts";
import { findEarlier } from "../../../src/pipeline/store/earlier_output.ts";
import { RunDatabase } from "../../../src/pipeline/store/database.ts";
import { executorService } from "../../../src/executor/service.ts";
import adder from "./kinds/adder.ts";
import asks from "./kinds/asks.ts";
import counter from "./kinds/counter.ts";
import crashing from "./kinds/crashing.ts";
import executes from "./kinds/executes.ts";
import failing from "./kinds/failing.ts";
import looksLate from "./kinds/looks_late.ts";
import observeWalk from "./kinds/observe_walk.ts";
import randomWalk from "./kinds/random_walk.ts";
import readsFile from "./kinds/reads_file.ts";
import writes from "./kinds/writes.ts";
import walkStart from "./kinds/walk_start.ts";

const fakeKinds = [
  adder,
  asks,
  counter,
  crashing,
  executes,
  failing,
  looksLate,
  observeWalk,
  randomWalk,
  readsFile,
  walkStart,
  writes,
];

export const kinds: ReadonlyMap<string, StageKind> = new Map(
  (fakeKinds as unknown as StageKind[]).map((kind) => [kind.kind, kind]),
);

/** Absolute path of a fake kind's file. */
export function kindFile(kind: string): string {
  return fileURLToPath(new URL(`./kinds/${kind}.ts`, import.meta.url));
}

/** A project in a temporary folder. */
export class TestProject {
  private constructor(readonly root: string) {}

  static make(): TestProject {
    const root = Deno.makeTempDirSync({ prefix: "sluice-test-" });
    Deno.writeTextFileSync(join(root, "deno.json"), "{}");
    return new TestProject(root);
  }

  /** Path of a file of the project. */
  path(...names: string[]): string {
    return join(this.root, ...names);
  }

  /** Writes a file and returns its path. */
  write(name: string, text: string): string {
    Deno.writeTextFileSync(this.path(name), text);
    return this.path(name);
  }

  async resolve(toml: string, sets: readonly string[] = []): Promise<ResolvedPipeline> {
    const path = this.write("pipeline.toml", toml);
    const earlier = (text: string) => findEarlier(this.root, text);
    return await resolvePipeline({ path, sets, kinds, earlier, sluiceRoot: findSluiceHome().root });
  }

  options(more: Partial<RunOptions> = {}): RunOptions {
    const services = [executorService({ root: this.root })];
    return { projectRoot: this.root, builtInKindFile: kindFile, services, ...more };
  }

  async plan(toml: string, sets: readonly string[] = []): Promise<readonly PlannedStage[]> {
    return await planPipeline(await this.resolve(toml, sets), this.options());
  }

  async run(
    toml: string,
    { sets = [], ...more }: Partial<RunOptions> & { sets?: readonly string[] } = {},
  ): Promise<RunOutcome> {
    return await runPipeline(await this.resolve(toml, sets), this.options(more));
  }

  /** Rows of a query over one run, as JSON. */
  async query(runId: string, sql: string): Promise<readonly (readonly unknown[])[]> {
    const opened = await RunDatabase.open(this.path("runs", runId, "run.duckdb"));
    if (opened.kind === "damaged") throw new Error(opened.message);
    const rows = await opened.database.select(sql);
    opened.database.abandon();
    return rows.map((row) => row.map((cell) => typeof cell === "bigint" ? Number(cell) : cell));
  }

  /** Ids of runs, oldest first. */
  runs(): string[] {
    return [...Deno.readDirSync(this.path("runs"))].map(({ name }) => name).sort();
  }

  remove(): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

/** Runs a test with a project of its own. */
export async function withProject(test: (project: TestProject) => Promise<void>): Promise<void> {
  const project = TestProject.make();
  try {
    await test(project);
  } finally {
    project.remove();
  }
}

/** An observer that keeps warnings. */
export function warningKeeper(): RunObserver & { readonly warnings: string[] } {
  const warnings: string[] = [];
  return { warnings, warning: ({ message }) => void warnings.push(message) };
}

/** Three stages in a row. */
export const sumPipeline = `
format = 1
name = "sum"
seed = 1

[stages.left]
kind = "counter"
count = 3

[stages.right]
kind = "counter"
count = 4

[stages.sum]
kind = "adder"
most = 5
inputs = { a = "left", b = "right" }

[stages.more]
kind = "adder"
inputs = { a = "sum" }

[[checks]]
sql = "select count(*) = 2 from metric where name = 'sum'"
`;

/** A loop that walks. */
export const walkPipeline = `
format = 1
name = "walk"
seed = 7

[stages.start]
kind = "walk_start"

[stages.train]
kind = "loop"
steps = 60
checkpoint_every = 7
state = { walk = "start.walk" }
next = { walk = "move.walk" }

[stages.train.stages.move]
kind = "random_walk"
inputs = { walk = "state.walk" }

[stages.train.stages.look]
kind = "observe_walk"
every = 10
inputs = { walk = "move.walk" }

[stages.end]
kind = "observe_walk"
inputs = { walk = "train.walk" }
`;
