/** Fuzzing with fixed seeds; `deno task fuzz` goes on with others. */
import { fuzzCalls, fuzzExecution, fuzzFrames } from "./fuzz.ts";
import { sandboxTest } from "./needs.ts";
import { kernelLevels } from "./python_run.ts";

Deno.test("two thousand damaged streams of frames are read without a surprise", async () => {
  for (let seed = 0; seed < 2000; seed++) await fuzzFrames(seed);
});

Deno.test("five thousand damaged executions decode to the same or to nothing", () => {
  for (let seed = 0; seed < 5000; seed++) fuzzExecution(seed);
});

for (const level of kernelLevels) {
  sandboxTest(`random system calls from inside touch nothing at ${level}`, async () => {
    for (let seed = 0; seed < 6; seed++) await fuzzCalls(seed, level, 400);
  });
}
