/** A project with one stage of the user's own, which doubles a number and may take its time. */
import { CommandLine } from "./command_line.ts";

const stage = `import { defineStage, port, ports, z } from "sluice";
import { factor } from "./helper.ts";
export default defineStage({
  kind: "doubling",
  version: 1,
  description: "Doubles, slowly.",
  params: z.strictObject({
    n: z.int().default(1).describe("a number"),
    ms: z.int().default(0).describe("milliseconds to wait"),
  }),
  inputs: {},
  outputs: { rows: port(ports.table, "one row") },
  async run(_context, _inputs, { n, ms }) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { rows: { rows: [{ value: n * factor }] } };
  },
});
`;

/** `run doubling.toml` runs it. */
export const doublingPipeline = `format = 1
name = "doubling"

[stages.a]
kind = "./doubling.ts"
n = 3
`;

/** Runs a test with such a project, in a folder of a given name. */
export async function withDoubling(
  test: (project: CommandLine) => Promise<void>,
  folder = "",
): Promise<void> {
  const project = CommandLine.make([], folder);
  project.write("helper.ts", "export const factor = 2;\n");
  project.write("doubling.ts", stage);
  project.write("doubling.toml", doublingPipeline);
  try {
    await test(project);
  } finally {
    project.remove();
  }
}
