/** A supervisor to be killed: one program at each level, named by a token, that never ends. */
import { pythonProgram } from "../../src/sandbox/python_program.ts";
import { runProgram } from "../../src/sandbox/run_program.ts";
import { requireHost } from "../../src/sandbox/run_python.ts";
import { kernelLevels } from "./python_run.ts";

const [script, token] = Deno.args;
const host = await requireHost();
await Promise.all(kernelLevels.map((level) => {
  const options = { python: "/usr/bin/python3", script, arguments: [token] };
  return runProgram(pythonProgram(options, level), level, host);
}));
