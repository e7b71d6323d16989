/** Time of `sluice check` on a broken pipeline of 200 stages, from the start of the process. */

const main = new URL("../src/cli/main.ts", import.meta.url).pathname;
const config = new URL("../deno.json", import.meta.url).pathname;

/** `check [repetitions]`: 11 by default, after one to warm the caches. */
export async function benchCheck([repetitions = "11"]: readonly string[]) {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/broken.toml`;
  await Deno.writeTextFile(file, brokenPipeline(200));
  const times: number[] = [];
  for (let i = 0; i <= Number(repetitions); i++) {
    const started = performance.now();
    const { code, stderr } = await check(file);
    if (i > 0) times.push(performance.now() - started);
    else console.log(lastLine(stderr), `(exit ${code})`);
  }
  await Deno.remove(folder, { recursive: true });
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))].toFixed(0);
  console.log(`check of 200 broken stages: median ${at(0.5)} ms, least ${at(0)}, most ${at(1)}`);
}

function check(file: string): Promise<Deno.CommandOutput> {
  const grants = ["--allow-read", "--allow-env"];
  const args = ["run", "--no-prompt", "--no-check", `--config=${config}`, ...grants, main, "check"];
  return new Deno.Command("deno", { args: [...args, file], stderr: "piped" }).output();
}

function lastLine(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).trim().split("\n").at(-1) ?? "";
}

/** Every stage has a mistyped key, a wrong type and an input that is not there. */
function brokenPipeline(stages: number): string {
  const head = 'format = 1\nname = "broken"\nseed = 1\n';
  const stage = (i: number) =>
    `[stages.s${i}]\nkind = "sample"\ninputs = { policy = "s${i}x.policy" }\n` +
    `batch_sise = 3\ntemperature = "hot"\n`;
  return head + Array.from({ length: stages }, (_, i) => stage(i)).join("\n");
}
