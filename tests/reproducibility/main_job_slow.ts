/** The main job at full size, as users start it. */
import { runMainJob } from "./main_job.ts";

Deno.test("the main job reaches the target with seed 20", () => runMainJob(20));
