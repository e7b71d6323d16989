/** Test that no worker outlives a supervisor which was killed without warning. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { fakeWorker } from "./fake.ts";

const supervisor = fileURLToPath(new URL("./supervisor_main.ts", import.meta.url));

Deno.test("workers that are computing are gone soon after their supervisor's SIGKILL", async () => {
  const args = [
    "run",
    "--no-prompt",
    "--allow-read",
    `--allow-run=${Deno.execPath()}`,
    supervisor,
    fakeWorker,
  ];
  const options = { args, stdin: "null", stdout: "piped", stderr: "inherit" } as const;
  const child = new Deno.Command(Deno.execPath(), options).spawn();
  const pids = await firstLine(child.stdout);
  assert.equal(pids.length, 2);
  assert.deepEqual(pids.filter(isAlive), pids);
  child.kill("SIGKILL");
  await child.status;
  // At once on an idle machine; a busy one may take seconds to let them notice.
  const deadline = performance.now() + 10_000;
  while (pids.some(isAlive) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(pids.filter(isAlive), []);
});

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<number[]> {
  let text = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream() as never)) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  return JSON.parse(text) as number[];
}

/** A signal that changes nothing tells whether a process exists; a zombie counts as gone. */
function isAlive(pid: number): boolean {
  try {
    Deno.kill(pid, "SIGCONT");
  } catch {
    return false;
  }
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  if (Deno.build.os !== "linux") return false;
  const { stdout } = new Deno.Command("ps", { args: ["-o", "stat=", "-p", `${pid}`] }).outputSync();
  const state = new TextDecoder().decode(stdout).trim();
  return state === "" || state.startsWith("Z");
}
