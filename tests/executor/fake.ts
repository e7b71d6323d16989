/** Shared by the tests of exec: the toy worker, a data set, and short limits. */
import { makeDataset } from "../../src/base/dataset.ts";
import { defaultWorkerLimits, type ExecutionOutcome } from "../../src/executor/worker_process.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";
import { denoCommand } from "../../src/base/deno_command.ts";
import { probeNames } from "../../src/executor/messages.ts";
import { denoLauncher, type Launcher, workerFlags } from "../../src/sandbox/launcher.ts";
import { bundleEngine } from "../../src/executor/bundle_engine.ts";

/** The toy worker as one script, gone when the test file ends. */
export const fakeWorker = Deno.makeTempFileSync({ suffix: ".js" });
Deno.writeTextFileSync(fakeWorker, await bundleEngine("tests/executor/fake_worker.ts"));
Deno.chmodSync(fakeWorker, 0o644); // a confined worker may be another user
globalThis.addEventListener("unload", () => Deno.removeSync(fakeWorker));

export const dataset = makeDataset("toy", [
  { name: "y", role: "response", type: "real", values: Float64Array.of(1, 2), resolution: 0.1 },
]);

export const schedule = defaultSchedule;

export const limits = { ...defaultWorkerLimits, wallMs: 1500 };

export const poolOptions = { dataset, schedule, limits, workerFile: fakeWorker, workers: 2 };

/** A launcher of workers that end at their first job, whatever it is, if `fails` says so of their number. */
export function failingLauncher(
  fails: (start: number) => boolean,
): Launcher & { readonly started: number } {
  const launcher = {
    level: "L1" as const,
    started: 0,
    start(worker: string, cpuSeconds: number) {
      return fails(++launcher.started) ? mute() : denoLauncher.start(worker, cpuSeconds);
    },
  };
  return launcher;
}

/** A worker that says hello, and ends when it hears of a job. */
function mute() {
  const text = `${hello()}
  let heard = "";
  for await (const chunk of Deno.stdin.readable) {
    heard += new TextDecoder().decode(chunk);
    if (heard.includes('"kind":"job"')) Deno.exit(3);
  }`;
  const module = `data:text/javascript,${encodeURIComponent(text)}`;
  return { command: denoCommand(["run", ...workerFlags, module]) };
}

/** The script of a worker that says hello, and never answers; gone when the test file ends. */
export function silentWorker(): string {
  const path = Deno.makeTempFileSync({ suffix: ".js" });
  Deno.writeTextFileSync(path, `${hello()}\nfor await (const _ of Deno.stdin.readable);`);
  Deno.chmodSync(path, 0o644);
  globalThis.addEventListener("unload", () => Deno.removeSync(path));
  return path;
}

function hello(): string {
  const message = { kind: "hello", denoVersion: Deno.version.deno, probes: allDenied };
  return `const say = (json) => {
    const body = JSON.stringify(json);
    Deno.stdout.writeSync(new TextEncoder().encode(body.length + "\\n" + body));
  };
  say(${JSON.stringify(message)});`;
}

const allDenied = Object.fromEntries(probeNames.map((name) => [name, "denied"]));

/** The status, or what ended an undecided program. */
export function endOf({ execution: { status, diagnostics } }: ExecutionOutcome): string {
  return status === "undecided" ? diagnostics[0].code.replace("exec/", "") : status;
}
