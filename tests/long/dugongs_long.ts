/** The main job at full size with further seeds; four minutes. */
import { runMainJob } from "../reproducibility/main_job.ts";

for (const seed of [21, 22]) {
  Deno.test(`the main job reaches the target with seed ${seed}`, () => runMainJob(seed));
}
