/** Runs one attack in one configuration and says whether it had an effect. */
import type { KernelLevel } from "../../src/sandbox/attestation.ts";
import type { ConfinedProgram, LayerChanges } from "../../src/sandbox/confinement.ts";
import { linkedFiles } from "../../src/sandbox/deno_program.ts";
import type { Binding } from "../../src/sandbox/namespaces.ts";
import { pythonProgram } from "../../src/sandbox/python_program.ts";
import { requireHost } from "../../src/sandbox/run_python.ts";
import { runProgram } from "../../src/sandbox/run_program.ts";
import { workerFlags } from "../../src/sandbox/launcher.ts";
import type { Attack } from "./catalogue.ts";
import { attackFile, pythonText } from "./catalogue.ts";
import type { Configuration } from "./expected.ts";
import type { HostFixture } from "./host_fixture.ts";

/** Outcome of an attack. */
export interface Outcome {
  readonly open: boolean;
  /** The verdict's line, or the status of a program that did not come so far. */
  readonly said: string;
}

const python = "/usr/bin/python3";
const limits = { wallMs: 20_000, cpuSeconds: 1, dataBytes: 512 << 20, scratchBytes: 16 << 20 };
const evidenceMs = 1200;

/** Effects that only the host can see: the attack's own word does not count. */
const evidence: Readonly<Record<string, (host: HostFixture) => Promise<boolean>>> = {
  "FW-04": (host) => Promise.resolve(host.takes(`/tmp/${host.facts.token}`)),
  "PX-04": async (host) => {
    await new Promise((resolve) => setTimeout(resolve, evidenceMs));
    return host.takes(`${host.facts.folder}/marker-PX-04`);
  },
};

/** Parts of the layers that are left out, or older than this kernel's. */
export interface Weakened {
  readonly changes?: LayerChanges;
  /** Version of Landlock's interface that is asked for; this kernel's, if left out. */
  readonly landlockAbi?: number;
}

/** Has an attack's file run somewhere: path of the file, arguments, status and output. */
export type RunsAttacks = (
  script: string,
  args: readonly string[],
) => Promise<{ readonly stdout: Uint8Array; readonly status: string }>;

/** Runs an attack in Python elsewhere than at the levels of this machine. */
export async function runAttackBy(
  attack: Attack,
  host: HostFixture,
  run: RunsAttacks,
): Promise<Outcome> {
  return await observed(attack, host, async () => {
    const facts = JSON.stringify({ ...host.facts, attack: attack.id });
    const { stdout, status } = await run(writeScript(attack, host), [facts]);
    return verdict(new TextDecoder().decode(stdout), status);
  });
}

/** Runs it. */
export async function runAttack(
  attack: Attack,
  configuration: Configuration,
  host: HostFixture,
  weakened: Weakened = {},
): Promise<Outcome> {
  return await observed(attack, host, () => perform(attack, configuration, host, weakened));
}

async function observed(
  attack: Attack,
  host: HostFixture,
  act: () => Promise<string>,
): Promise<Outcome> {
  await host.hits();
  host.restore();
  const said = await act();
  const seen = evidence[attack.id];
  const touched = await host.hits() > 0;
  if (seen) return { open: await seen(host), said };
  return { open: touched || said === "ok" || said.startsWith("OPEN"), said };
}

async function perform(
  attack: Attack,
  configuration: Configuration,
  host: HostFixture,
  { changes, landlockAbi }: Weakened,
): Promise<string> {
  const calls = attack.language === "python" ? host.facts.calls : {};
  const facts = JSON.stringify({ ...host.facts, calls, attack: attack.id });
  const script = writeScript(attack, host);
  const args = attack.language === "python" ? [facts] : [attack.id, facts];
  if (configuration === "none" || configuration === "L1") {
    return await unconfined(attack, configuration, script, args, host.facts.folder);
  }
  const program = confinedProgram(attack, script, args, configuration);
  const own = await requireHost();
  const offer = landlockAbi === undefined ? own : { ...own, landlockAbi };
  const run = await runProgram(program, configuration, offer, { changes });
  return verdict(new TextDecoder().decode(run.stdout), run.status);
}

function confinedProgram(
  { language }: Attack,
  script: string,
  args: readonly string[],
  level: KernelLevel,
): ConfinedProgram {
  if (language === "python") {
    const { command, ...rest } = pythonProgram({ python, script, limits }, level);
    return { ...rest, command: (at) => [...command(at), ...args] };
  }
  const deno = Deno.execPath();
  const bindings: Binding[] = [
    { path: deno, inside: "/deno", kind: "file", access: "execute" },
    { path: script, inside: "/attack.js", kind: "file", access: "read" },
    ...linkedFiles(),
  ];
  return {
    command: (at) => [at(deno), ...permitted, at(script), ...args],
    environment: { HOME: "/nonexistent", DENO_DIR: "/nonexistent/deno", NO_COLOR: "1" },
    world: { bindings, links: [["/proc/self/exe", "/deno"]] },
    limits: {
      ...{ cpuSeconds: 10, dataBytes: 1200 << 20, fileBytes: 0, openFiles: 64 },
      processes: level === "L3" ? 64 : 8192,
    },
    wallMs: 15_000,
  };
}

/** Every permission: the kernel alone can stop the attack then. */
const permitted = ["run", "-A", "--no-config", "--no-lock", "--no-code-cache", "--no-npm"];

async function unconfined(
  { language }: Attack,
  configuration: Configuration,
  script: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  const flags = configuration === "L1" ? ["run", ...workerFlags] : permitted;
  const [command, before] = language === "python"
    ? [python, ["-I", "-B", script]]
    : [Deno.execPath(), [...flags, script]];
  const denoDir = configuration === "L1" ? "/dev/null/deno" : `${cwd}/deno-dir`;
  const child = new Deno.Command(command, {
    ...{ args: [...before, ...args], stdin: "null", stdout: "piped", stderr: "null", cwd },
    env: { DENO_DIR: denoDir, NO_COLOR: "1" },
    clearEnv: configuration === "L1",
  });
  const { stdout, code } = await child.output();
  return verdict(new TextDecoder().decode(stdout), code === 0 ? "ok" : `exit ${code}`);
}

/** The verdict, if there is one; otherwise how the program ended. */
function verdict(stdout: string, status: string): string {
  return stdout.split("\n").findLast((line) => /^(OPEN|DENIED)\b/.test(line)) ?? status;
}

function writeScript({ language, file, id }: Attack, host: HostFixture): string {
  if (id === "JS-04") return writeText(`${host.facts.folder}/static.js`, staticImport(host));
  if (language === "javascript") return attackFile(file);
  return writeText(`${host.facts.folder}/${file}`, pythonText(file));
}

function staticImport(host: HostFixture): string {
  return `import text from "file://${host.facts.secret}" with { type: "text" };\n` +
    `console.log("OPEN", text.length);\n`;
}

function writeText(path: string, text: string): string {
  Deno.writeTextFileSync(path, text);
  Deno.chmodSync(path, 0o644); // a confined program may be another user
  return path;
}
