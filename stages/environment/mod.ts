/** Stage kind `environment`: an environment of one's own, from a module of the project. */
import { z } from "../../src/base/zod.ts";
import { port, ports } from "../ports/mod.ts";
import { defineStage, modulePath } from "../../src/pipeline/contract/mod.ts";

export default defineStage({
  kind: "environment",
  version: 1,
  description: "Your own environment, the default export of a module.",
  params: z.strictObject({
    path: modulePath().describe("a module made with defineEnvironment"),
    parameters: z.record(z.string(), z.unknown()).default({}).describe("argument of `create`"),
  }),
  inputs: {},
  outputs: { environment: port(ports.environment, "the environment") },
  check: "run",
  async run(context, _inputs, { path, parameters }) {
    const { makeOwnEnvironment } = await import("./own_environment.ts");
    const environment = makeOwnEnvironment(context, path, parameters);
    context.log(
      `${environment.actionNames.length} actions, at most ${environment.maxActions} each`,
    );
    return { environment };
  },
});
