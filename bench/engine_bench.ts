/** Gradients of generated code beside the same arithmetic in C, and what compiling costs. */
import process from "node:process";
import { compileLogDensity } from "../src/engine/inference/density/compile.ts";
import { dugongs, hierarchy, logistic, poisson, type TimedProgram } from "./engine_programs.ts";

const cases: readonly [string, string, number, TimedProgram][] = [
  ["dugongs 27 x 4", "dugongs", 27, dugongs()],
  ["Poisson cubic 40 x 4", "poisson", 40, poisson()],
  ["logistic 200 x 10", "logistic", 200, logistic(200)],
  ["logistic 1000 x 10", "logistic", 1000, logistic(1000)],
  ["logistic 10000 x 10", "logistic", 10000, logistic(10000)],
  ["1000 latent effects, 5000 rows", "", 5000, hierarchy(1000)],
];

/** CPU milliseconds of this process so far. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** `engine`: needs gcc; times are CPU times of the whole process. */
export async function benchEngine(): Promise<void> {
  const reference = await buildReference();
  console.log("nanoseconds per gradient: generated, gcc -O2, ratio; ms to compile and run once");
  for (const [title, name, rows, timed] of cases) {
    const calls = Math.ceil(6e6 / rows);
    const own = nanoseconds(timed, calls);
    const other = name && reference ? await runReference(reference, name, rows, calls) : NaN;
    const compile = compileTime(timed, rows > 1000 ? 10 : 100);
    const ratio = (own / other).toFixed(2);
    console.log(
      `${title.padEnd(32)} ${own.toFixed(0).padStart(8)} ${other.toFixed(0).padStart(8)} ` +
        `${ratio.padStart(5)} ${compile.toFixed(2).padStart(7)}`,
    );
  }
}

function nanoseconds({ program, dataset, position }: TimedProgram, calls: number): number {
  const density = compileLogDensity(program, dataset);
  const gradient = new Float64Array(position.length);
  const q = position.slice();
  let best = Infinity;
  for (let round = 0; round < 4; round++) {
    const begin = cpu();
    for (let k = 0; k < calls; k++) {
      q[1] += 1e-9;
      density.logDensity(q, gradient, 0);
    }
    best = Math.min(best, cpu() - begin);
  }
  return best / calls * 1e6;
}

function compileTime({ program, dataset, position }: TimedProgram, times: number): number {
  const gradient = new Float64Array(position.length);
  let best = Infinity;
  for (let round = 0; round < 4; round++) {
    const begin = cpu();
    for (let k = 0; k < times; k++) {
      compileLogDensity(program, dataset).logDensity(position, gradient, 0);
    }
    best = Math.min(best, cpu() - begin);
  }
  return best / times;
}

async function buildReference(): Promise<string | undefined> {
  const source = new URL("engine_reference.c", import.meta.url).pathname;
  const binary = `${await Deno.makeTempDir()}/engine_reference`;
  const gcc = new Deno.Command("gcc", { args: ["-O2", "-o", binary, source, "-lm"] });
  try {
    return (await gcc.output()).success ? binary : undefined;
  } catch {
    return undefined;
  }
}

async function runReference(
  binary: string,
  name: string,
  rows: number,
  calls: number,
): Promise<number> {
  const args = [name, `${rows}`, `${calls}`];
  const { stdout } = await new Deno.Command(binary, { args }).output();
  return parseFloat(new TextDecoder().decode(stdout));
}

if (import.meta.main) await benchEngine();
