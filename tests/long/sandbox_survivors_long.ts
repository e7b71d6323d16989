/** Tests that nothing outlives a run: not its own end, not its supervisor's sudden one. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { launcherPath } from "../../src/sandbox/host.ts";
import { sandboxTest } from "../sandbox/needs.ts";
import { runText } from "../sandbox/python_run.ts";

const launcher = launcherPath(Deno.build.arch as "x86_64");
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
  const dir = Deno.makeTempDirSync({ prefix: "survivors-" });
  Deno.chmodSync(dir, 0o755); // a confined program may be another user
  await runText("print(1)", "L3", {}, { dir });
  const before = census(dir);
  const asleep = runText("import time; time.sleep(1)", "L2", {}, { dir });
  await until(() => census(dir).processes > before.processes);
  assert.ok(census(dir).processes > before.processes, "the census does not see a program");
  await asleep;
  for (let i = 0; i < 10; i++) {
    const ten = Array.from(
      { length: 10 },
      (_, k) => runText(kinds[k % 5], levelOf(k), {}, { dir }),
    );
    await Promise.all(ten);
  }
  await until(() => census(dir).processes <= before.processes);
  assert.deepEqual(census(dir), before);
  Deno.removeSync(dir);
});

const kinds = [
  "print(1)",
  "import os; os.abort()",
  "print('x' * 2000000)",
  "import os; os.fork()",
  "import os, sys; os.close(1); os.close(2)",
];
const levelOf = (k: number) => k < 5 ? "L2" as const : "L3" as const;

/** Processes of these runs, by this copy's launcher or their folder; descriptors; files left. */
function census(dir: string) {
  const [files, descriptors] = [dir, "/proc/self/fd"].map((path) => [...Deno.readDirSync(path)]);
  const processes = named(launcher).length + named(dir).length;
  return { processes, files: files.length, descriptors: descriptors.length };
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
