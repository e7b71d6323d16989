/** Stage kinds without behaviour, shaped like the built-in ones, and a pipeline in memory. */
import { resolve } from "node:path";
import { z } from "zod";
import { InputError, renderDiagnostics } from "../../../src/base/diagnostic.ts";
import type { Port, PortType } from "../../../src/pipeline/contract/port.ts";
import type { StageKind } from "../../../src/pipeline/contract/stage.ts";
import { filePath, modulePath } from "../../../src/pipeline/contract/path_param.ts";
import { type ResolveOptions, resolvePipeline } from "../../../src/pipeline/read/resolve.ts";
import type { ResolvedPipeline } from "../../../src/pipeline/read/resolved.ts";

function port(name: string, optional = false): Port<never> {
  const type: PortType<never> = {
    name,
    encode: () => Promise.resolve(new Uint8Array()),
    decode: () => Promise.reject(new Error("internal: a fake port holds nothing")),
  };
  return { type, description: `a ${name}`, optional };
}

type Names = Readonly<Record<string, string>>;

function fake(kind: string, params: z.ZodType, inputs: Names, outputs: Names): StageKind {
  const ports = (names: Names) =>
    Object.fromEntries(
      Object.entries(names).map(([name, type]) => [
        name,
        port(type.replace("?", ""), type.endsWith("?")),
      ]),
    );
  const open = () => {
    throw new Error("internal: a fake kind cannot run");
  };
  const description = `A fake ${kind}.`;
  return {
    kind,
    version: 1,
    description,
    params,
    inputs: ports(inputs),
    outputs: ports(outputs),
    open,
  };
}

const column = z.strictObject({
  role: z.enum(["response", "predictor", "trials", "ignore"]),
  resolution: z.number().positive().optional(),
});
const schedule = z.union([
  z.number().positive(),
  z.strictObject({
    start: z.number(),
    schedule: z.enum(["cosine", "linear"]).default("linear"),
    end: z.number().default(0),
  }),
]);
const exploration = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({
    kind: z.literal("epsilon_uniform"),
    start: z.number().min(0).max(1),
    end: z.number().min(0).max(1).default(0),
    until: z.number().min(0).max(1).default(1),
  }),
  z.strictObject({ kind: z.literal("tempered"), temperature: z.number().positive() }),
]);

const list: readonly StageKind[] = [
  fake(
    "dataset",
    z.strictObject({ path: filePath(), columns: z.record(z.string(), column).default({}) }),
    {},
    { data: "dataset" },
  ),
  fake("grammar", z.strictObject({ path: filePath() }), {}, { environment: "environment" }),
  fake(
    "target",
    z.strictObject({
      executor: z.enum(["native", "pymc"]).default("native"),
      log_reward: z.array(z.strictObject({
        judge: z.union([z.enum(["elpd_loo", "log_prior"]), modulePath()]),
        weight: z.number().default(1),
      })).min(1),
    }),
    { environment: "environment", data: "dataset?" },
    { target: "target" },
  ),
  fake(
    "sft",
    z.strictObject({
      policy: z.enum(["table", "transformer"]),
      steps: z.int().min(1),
      learning_rate: schedule,
    }),
    { environment: "environment" },
    { policy: "policy", initial: "policy" },
  ),
  fake(
    "sample",
    z.strictObject({ batch_size: z.int().min(1), exploration: exploration.optional() }),
    { policy: "policy", environment: "environment" },
    { trajectories: "trajectories" },
  ),
  fake(
    "sandbox_execute",
    z.strictObject({}),
    { trajectories: "trajectories", target: "target" },
    { executions: "executions" },
  ),
  fake(
    "judge",
    z.strictObject({}),
    { executions: "executions", target: "target" },
    { log_reward: "log_reward" },
  ),
  fake(
    "learn",
    z.strictObject({
      objective: z.union([
        z.enum(["sub_trajectory_balance", "trajectory_balance", "detailed_balance"]),
        modulePath(),
      ]),
      flow: z.enum(["learned", "exact_where_terminable"]).default("learned"),
      lambda: z.number().positive().default(1),
      residual_loss: z.enum(["squared", "log_cosh"]).default("squared"),
      replay: z.strictObject({
        capacity: z.int().min(1),
        fraction: z.number().min(0).max(1).default(0.25),
      }).optional(),
      learning_rate: schedule,
    }),
    { policy: "policy", trajectories: "trajectories", log_reward: "log_reward" },
    { policy: "policy" },
  ),
  {
    ...fake("evaluate_kl", z.strictObject({}), { policy: "policy", target: "target" }, {
      evaluation: "evaluation",
    }),
    wired: { compare: port("policy", true) },
  },
];

export const fakeKinds: ReadonlyMap<string, StageKind> = new Map(list.map((k) => [k.kind, k]));

/** Files by path relative to the project's folder. */
export type Project = Readonly<Record<string, string>>;

const home = resolve("/project");

/** Options to read `pipelines/p.toml` of a project that exists in memory only. */
export function optionsFor(project: Project, more: Partial<ResolveOptions> = {}): ResolveOptions {
  const texts = new Map(Object.entries(project).map(([name, text]) => [resolve(home, name), text]));
  const inFolder = (folder: string) =>
    [...texts.keys()].filter((path) => resolve(path, "..") === folder)
      .map((path) => path.slice(folder.length + 1));
  return {
    path: "pipelines/p.toml",
    kinds: fakeKinds,
    sluiceRoot: resolve("/sluice"),
    cwd: home,
    files: {
      readText: (path) => {
        const text = texts.get(path);
        return text === undefined ? Promise.reject(new Error("not found")) : Promise.resolve(text);
      },
      exists: (path) => Promise.resolve(texts.has(path)),
      list: (folder) => Promise.resolve(inFolder(folder)),
    },
    ...more,
  };
}

/** Resolves `pipelines/p.toml` of a project in memory. */
export function resolveProject(
  project: Project,
  more: Partial<ResolveOptions> = {},
): Promise<ResolvedPipeline> {
  return resolvePipeline(optionsFor(project, more));
}

/** Messages that a user reads when a pipeline is wrong. */
export async function messagesOf(
  pipeline: string,
  more: Partial<ResolveOptions> = {},
  others: Project = {},
): Promise<string> {
  try {
    await resolveProject({ ...others, "pipelines/p.toml": pipeline }, more);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return renderDiagnostics(error.diagnostics, error.sources ?? new Map());
  }
  return "no errors";
}

/** The pipeline of the design: every feature of the format at its usual place. */
export const dugongs: Project = {
  "data/dugongs.csv": "age,length\n1,1.8\n",
  "grammars/growth_curves.toml": "",
  "configs/sft_small.toml": 'policy = "transformer"\nsteps = 100\nlearning_rate = 1e-3\n',
  "pipelines/p.toml": Deno.readTextFileSync(new URL("./dugongs.toml", import.meta.url)),
};
