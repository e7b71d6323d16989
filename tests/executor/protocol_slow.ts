/** Tests of workers that answer in another way than agreed: each has a status, none a score. */
import assert from "node:assert/strict";
import { denoCommand } from "../../src/base/deno_command.ts";
import { encodeExecution } from "../../src/executor/execution_json.ts";
import { encodeFrame } from "../../src/base/frames.ts";
import { workerFlags } from "../../src/sandbox/launcher.ts";
import { probeNames } from "../../src/executor/messages.ts";
import { WorkerPool } from "../../src/executor/pool.ts";
import { dataset, limits, schedule } from "./fake.ts";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const frame = (json: unknown) => decode(encodeFrame(json));
const hello = frame({
  ...{ kind: "hello", denoVersion: Deno.version.deno },
  probes: Object.fromEntries(probeNames.map((name) => [name, "denied"])),
});

function answer(id = 1): string {
  const diagnostics = [{ code: "syntax/invalid", severity: "error", message: "no" }] as const;
  const rest = { failureClass: "syntax", engine: "fake", engineVersion: "1" } as const;
  const execution = encodeExecution({ status: "rejected", ...rest, diagnostics });
  return frame({ kind: "result", id, execution, cpuMs: 1, rssKib: 1 });
}

/** Says hello, at each job what it is told to, then ends or waits; says `late` at a signal. */
function script(said: string, ends: boolean, late = ""): string {
  return `const write = (text) => Deno.stdout.writeSync(new TextEncoder().encode(text));
Deno.addSignalListener("SIGHUP", () => write(${JSON.stringify(late)}));
write(${JSON.stringify(hello)});
let heard = "";
for await (const chunk of Deno.stdin.readable) {
  heard += new TextDecoder().decode(chunk);
  if (!heard.includes('"kind":"job"')) continue;
  write(${JSON.stringify(said)});
  ${ends ? "break" : "heard = ''"};
}`;
}

function poolOf(script: string): WorkerPool {
  const module = `data:text/javascript,${encodeURIComponent(script)}`;
  const start = () => ({ command: denoCommand(["run", ...workerFlags, module]) });
  const launcher = { level: "L1", start } as const;
  return new WorkerPool({ dataset, schedule, limits, launcher, workers: 1, retries: 0 });
}

async function statusOf(said: string, ends: boolean): Promise<string> {
  const pool = poolOf(script(said, ends));
  const { execution } = await pool.execute({ program: "x" });
  await pool.close();
  return execution.status;
}

const [good, length] = [answer(), answer().indexOf("\n")];
const body = good.slice(length + 1);
const withLength = (n: number) => `${n}\n${body}`;
const size = Number(good.slice(0, length));

const answers: readonly (readonly [name: string, said: string, status: string, ends?: boolean])[] =
  [
    ["as agreed", good, "rejected"],
    ["twice", good + good, "protocol_violation"],
    ["with a trailing byte", `${good}x`, "protocol_violation"],
    ["in a frame too short", withLength(size - 1), "protocol_violation"],
    ["in a frame too long", withLength(size + 1), "no_result", true],
    ["in a frame that never ends", withLength(size + 1), "timeout_wall"],
    ["in a frame beyond the cap", "9999999999\n{}", "output_limit"],
    ["in an empty frame", "0\n", "protocol_violation"],
    ["in a frame of minus one byte", "-1\n", "protocol_violation"],
    ["to another job", answer(2), "protocol_violation"],
    ["with nothing", "", "timeout_wall"],
    ["with nothing, and ends", "", "no_result", true],
  ];

for (const [name, said, status, ends = false] of answers) {
  Deno.test(`a worker that answers ${name} has the status ${status}`, async () => {
    assert.equal(await statusOf(said, ends), status);
  });
}

const late: readonly (readonly [what: string, said: string])[] = [
  ["the same answer again", good],
  ["an answer to a job that has not come yet", answer(2)],
  ["a byte", "x"],
  ["the beginning of a frame", good.slice(0, 9)],
];

for (const [what, said] of late) {
  Deno.test(`a worker that says ${what} between two jobs is ended, and never gets another`, async () => {
    const pool = poolOf(script(good, false, said));
    assert.equal((await pool.execute({ program: "x" })).execution.status, "rejected");
    const [pid] = pool.pids;
    Deno.kill(pid, "SIGHUP");
    await until(() => pool.pids.length === 0);
    const { execution } = await pool.execute({ program: "y" });
    assert.equal(execution.status, "rejected", "the next program pays for it");
    assert.notEqual(pool.pids[0], pid);
    await pool.close();
  });
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 2000 && !condition(); i++) await new Promise((go) => setTimeout(go, 5));
  assert.ok(condition(), "not within 10 s");
}
