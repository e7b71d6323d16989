/** Tests that a pipeline's demand on the sandbox holds for its run, its cache and its judges. */
import assert from "node:assert/strict";
import type { SandboxLevel } from "../../../src/base/sandbox_level.ts";
import { executorService } from "../../../src/executor/service.ts";
import { denoLauncher, type Launcher } from "../../../src/sandbox/launcher.ts";
import { fakeWorker } from "../../executor/fake.ts";
import type { TestProject } from "./project.ts";
import { withProject } from "./project.ts";

const pipeline = (level?: string) => `
format = 1
${level === undefined ? "" : `sandbox = { level = "${level}" }`}
[stages.one]
kind = "executes"
program = "score 3"
`;

/** Level that the flag demands, and how workers are made. */
type Demand = { minimumLevel?: SandboxLevel; launcher?: Launcher };

/** Workers at level L1, whatever the machine has. */
const atL1 = { launcher: denoLauncher, workerFile: fakeWorker, workers: 1 };

async function outcomeOf(
  project: TestProject,
  level?: string,
  { minimumLevel, ...executor }: Demand = {},
) {
  const services = [executorService({ root: project.root, ...atL1, ...executor })];
  const outcome = await project.run(pipeline(level), { services, minimumLevel });
  const [{ status, fault }] = outcome.stages;
  return { exit: outcome.exitCode, status, message: fault?.message };
}

Deno.test("a level that the machine does not have ends the run with status 3, by file or by flag", async () => {
  await withProject(async (project) => {
    const message = /ask for level L2 of the sandbox, this machine offers L1/;
    for (const [level, executor] of demands) {
      const { exit, message: said } = await outcomeOf(project, level, executor);
      assert.equal(exit, 3);
      assert.match(said ?? "", message);
    }
    assert.equal((await outcomeOf(project, "L1")).exit, 0);
  });
});

/** The higher of file and flag holds: neither lowers the other. */
const demands = [
  ["L2", {}],
  [undefined, { minimumLevel: "L2" }],
  ["L2", { minimumLevel: "L1" }],
  ["L1", { minimumLevel: "L2" }],
] as const;

Deno.test("what was executed before a level was demanded is neither cached nor recalled", async () => {
  await withProject(async (project) => {
    assert.equal((await outcomeOf(project)).status, "done");
    assert.equal((await outcomeOf(project)).status, "cached");
    const claims = { level: "L2", start: denoLauncher.start } as const; // without an attestation
    const refused = await outcomeOf(project, "L2", { launcher: claims });
    assert.equal(refused.exit, 3);
    assert.match(refused.message ?? "", /Cannot judge an execution: .* without an attestation/);
  });
});
