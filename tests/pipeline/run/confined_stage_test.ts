/** Which stages with native code the kernel confines. */
import assert from "node:assert/strict";
import { projectLayout } from "../../../src/pipeline/project/project.ts";
import { confinedStage } from "../../../src/pipeline/process/confined_stage.ts";
import { nativeGrants, noGrants } from "../../../src/pipeline/process/permissions.ts";
import type { StageProcessOptions } from "../../../src/pipeline/process/process.ts";

Deno.test("stages with OpenBLAS are confined; those on a GPU, with TensorFlow or nothing native are not", async () => {
  const home = { root: "/sluice", host: "/sluice/host.ts" };
  const native = nativeGrants(home);
  const asked: string[] = [];
  for (const [name, grants] of Object.entries({ ...native, none: noGrants })) {
    const options = { entry: "/sluice/host.ts", grants, env: {}, home, cwd: "/project" };
    const confine = () => {
      asked.push(name);
      return Promise.resolve(undefined);
    };
    const layout = projectLayout("/project");
    await confinedStage(options as unknown as StageProcessOptions, [], layout, confine);
  }
  assert.deepEqual(asked, ["blas"]);
});
