/** Exported programs run in real PyMC, one for each type of data; needs `sluice doctor --install-python`. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { findPython } from "../../../src/executor/pymc/python_environment.ts";
import { exportCases } from "./cases.ts";
import { jacobianOf, type PrintedSpace, printedSpaces } from "./printed_spaces.ts";

/** Real PyMC's log densities of a program at positions. */
interface Ran {
  readonly name: string;
  readonly points: readonly {
    readonly position: Readonly<Record<string, readonly number[]>>;
    readonly logp: string;
  }[];
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Builds the models of all files, and evaluates each at five points. */
function runInPymc(spaces: readonly PrintedSpace[]): readonly Ran[] {
  const jobs = spaces.map(({ name, file, data, program }) => {
    const names = program.parameters.map((one) => one.name);
    return { name, file, names, data: Object.fromEntries(data) };
  });
  const path = Deno.makeTempFileSync({ suffix: ".json" });
  Deno.writeTextFileSync(path, JSON.stringify(jobs));
  const { success, stdout, stderr } = new Deno.Command("/bin/sh", {
    args: ["-c", '"$0" tools/golden/printed_programs.py < "$1"', findPython(root), path],
    // PyTensor compiles nothing: five evaluations need not be fast.
    env: { PYTENSOR_FLAGS: "cxx=,mode=FAST_COMPILE", PYTHONWARNINGS: "ignore" },
    cwd: root,
  }).outputSync();
  Deno.removeSync(path);
  assert.ok(success, new TextDecoder().decode(stderr).slice(-4000));
  return JSON.parse(new TextDecoder().decode(stdout)).programs;
}

/** How far its log density is from that of the graph, at the worst point, relative to its size. */
function farthest(space: PrintedSpace, { points }: Ran): number {
  const { program, dataset } = space;
  const density = compileLogDensity(program, dataset);
  const jacobian = jacobianOf(space);
  return Math.max(...points.map(({ position, logp }) => {
    const wanted = Number(logp) + jacobian;
    const vector = Float64Array.from(program.parameters.flatMap((one) => position[one.name]));
    const value = density.logDensity(vector, new Float64Array(vector.length), 0);
    // Where a probability rounds to 1, PyMC has no finite density, and the engine a very small one.
    if (logp === "-inf") return value < -1e5 ? 0 : Infinity;
    return Math.abs(value - wanted) / (1 + Math.abs(wanted));
  }));
}

Deno.test("an exported program of every type of data runs in PyMC, with the density of its graph", () => {
  const spaces = printedSpaces(exportCases);
  const ran = runInPymc(spaces);
  assert.deepEqual(ran.map(({ name }) => name), spaces.map(({ name }) => name));
  // PyTensor computes with literals in single precision.
  const far = spaces.map((one, i) => [one.name, farthest(one, ran[i])] as const);
  assert.deepEqual(far.filter(([, error]) => !(error <= 1e-7)), []);
});
