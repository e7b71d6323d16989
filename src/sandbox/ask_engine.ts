/** Asks a container engine a question; its command is started by the launcher, as containers are. */
import type { ConfinementContainer, ConfinementHost } from "./confinement.ts";
import { engineStep, supervised } from "./confinement.ts";
import { encodePlan } from "./plan.ts";

/** Output of the engine's command, and its exit status. */
interface EngineAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Milliseconds after which a question counts as not answered. */
const patienceMs = 30_000;

/** The answer to a command of the engine's. */
export async function askEngine(
  container: ConfinementContainer,
  host: ConfinementHost,
  args: readonly string[],
): Promise<EngineAnswer> {
  const steps = [...supervised(host), engineStep(container, args)];
  const child = new Deno.Command(host.launcher, {
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(patienceMs),
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(encodePlan(steps, host.arch)).catch(() => {});
  writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
