/** Stage kind `hypergrid`: a grid to walk, with its own reward. */
import { z } from "zod";
import { port, ports } from "../ports/mod.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";

export default defineStage({
  kind: "hypergrid",
  version: 1,
  description: "A grid {0 … height − 1}^ndim with modes near its corners (Bengio et al. 2021).",
  params: z.strictObject({
    ndim: z.int().positive().default(2).describe("number of dimensions"),
    height: z.int().min(2).default(8).describe("cells per dimension"),
    r0: z.number().positive().default(0.1).describe("reward everywhere"),
    r1: z.number().min(0).default(0.5).describe("added in the outer region"),
    r2: z.number().min(0).default(2).describe("added on the modes"),
  }),
  inputs: {},
  outputs: { environment: port(ports.environment, "the grid") },
  async run(_context, _inputs, params) {
    const { builtInEnvironments } = await import("../../src/gfn/environments/mod.ts");
    return { environment: builtInEnvironments.get("hypergrid")!(params) };
  },
});
