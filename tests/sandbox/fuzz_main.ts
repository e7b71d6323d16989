/** `deno task fuzz [seconds] [first seed]`: fuzzes with new seeds until the time is up. */
import { fuzzCalls, fuzzExecution, fuzzFrames } from "./fuzz.ts";
import { kernelLevels } from "./python_run.ts";

const [seconds = "60", first = `${Date.now() % 2 ** 31}`] = Deno.args;
const end = performance.now() + 1000 * Number(seconds);
let seed = Number(first);
console.log(`seeds from ${seed} on`);
for (; performance.now() < end; seed++) {
  for (let i = 0; i < 200; i++) {
    await fuzzFrames(200 * seed + i);
    fuzzExecution(200 * seed + i);
  }
  for (const level of kernelLevels) await fuzzCalls(seed, level, 2000);
}
console.log(`seeds to ${seed - 1} without a finding`);
