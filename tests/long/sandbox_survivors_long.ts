/** Tests that nothing outlives a run: not its own end, not its supervisor's sudden one. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { sandboxTest } from "../sandbox/needs.ts";
import { runText } from "../sandbox/python_run.ts";

const supervisor = fileURLToPath(new URL("../sandbox/supervisor_main.ts", import.meta.url));

sandboxTest("all programs are gone within 2 s of their supervisor's SIGKILL", async () => {
  const script = Deno.makeTempFileSync({ suffix: ".py" });
  Deno.writeTextFileSync(script, "import time\nwhile True: time.sleep(60)");
  Deno.chmodSync(script, 0o644);
  const token = `token-${crypto.randomUUID()}`;
  const child = new Deno.Command(Deno.execPath(), {
    ...{ args: ["run", "-A", supervisor, script, token], stdin: "null", stdout: "null" },
  }).spawn();
  await until(() => named(token).length >= 3); // the supervisor and two programs
  child.kill("SIGKILL");
  await child.status;
  await until(() => named(token).length === 0);
  Deno.removeSync(script);
  assert.deepEqual(named(token), []);
});

sandboxTest("a hundred runs leave no process, descriptor or file behind", async () => {
  await runText("print(1)", "L3");
  const before = census();
  for (let i = 0; i < 10; i++) {
    await Promise.all(Array.from({ length: 10 }, (_, k) => runText(kinds[k % 5], levelOf(k))));
  }
  await until(() => census().processes <= before.processes);
  assert.deepEqual(census(), before);
});

const kinds = [
  "print(1)",
  "import os; os.abort()",
  "print('x' * 2000000)",
  "import os; os.fork()",
  "import os, sys; os.close(1); os.close(2)",
];
const levelOf = (k: number) => k < 5 ? "L2" as const : "L3" as const;

/** Processes of the sandbox, descriptors of this process, files for temporary use. */
function census() {
  const launchers = pids().filter((pid) => /launch_|bwrap|program-/.test(commandLine(pid)));
  const files = [...Deno.readDirSync("/tmp")].filter(({ name }) => name.startsWith("program-"));
  const descriptors = [...Deno.readDirSync("/proc/self/fd")];
  return { processes: launchers.length, files: files.length, descriptors: descriptors.length };
}

function named(token: string): number[] {
  return pids().filter((pid) => commandLine(pid).includes(token));
}

function pids(): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter(Number.isInteger);
}

function commandLine(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`);
  } catch {
    return "";
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds() && waited < 2000; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
