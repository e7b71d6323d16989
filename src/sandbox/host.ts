/** Layers of the sandbox on this machine: asked of the kernel itself, through the launcher. */
import { fileURLToPath } from "node:url";
import type { ConfinementHost } from "./confinement.ts";
import { minimumLandlockAbi } from "./landlock.ts";
import { launcherImage } from "./launcher_image.ts";
import type { LimitCeilings, LimitName } from "./limits.ts";
import { resources } from "./limits.ts";
import { Block, encodePlan } from "./plan.ts";
import type { Step } from "./plan.ts";
import type { Architecture } from "./syscall_numbers.ts";
import { architectures } from "./syscall_numbers.ts";

/** One layer of the sandbox on this machine. */
export interface LayerFinding {
  /** Part of the machine that was asked for. */
  readonly layer: "launcher" | "landlock" | "seccomp" | "bubblewrap";
  /** Whether a confinement may rely on it. */
  readonly ok: boolean;
  /** Version, path or reason, in a few words. */
  readonly found: string;
  /** How to get it where it is missing. */
  readonly remedy: string;
}

/** All layers, and the host's facts for a confinement, where the layers of level L2 exist. */
export interface HostOffer {
  /** One finding for each layer that was examined. */
  readonly layers: readonly LayerFinding[];
  /** Present where launcher, Landlock and seccomp are all there. */
  readonly host?: ConfinementHost;
}

const bubblewrapPaths = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"];

/** The path of the launcher for a processor: a committed file beside this one. */
export function launcherPath(arch: Architecture): string {
  return fileURLToPath(new URL(`./launch_${arch}`, import.meta.url));
}

let examined: Promise<HostOffer> | undefined;

/**
 * Examines the machine, once per process.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { examineHost } from "./host.ts";
 * const { layers, host } = await examineHost();
 * const missing = layers.filter(({ ok }) => !ok).map(({ layer, remedy }) => `${layer}: ${remedy}`);
 * assert(host || missing.length > 0);
 * ```
 */
export function examineHost(): Promise<HostOffer> {
  return examined ??= examine();
}

async function examine(): Promise<HostOffer> {
  const arch = architectures.find((name) => name === Deno.build.arch);
  if (Deno.build.os !== "linux" || !arch) return { layers: [noLinux()] };
  const path = launcherPath(arch);
  const bubblewrap = bubblewrapPaths.find(exists);
  const answers = await ask(path, arch);
  if ("problem" in answers) {
    return { layers: [launcherFinding(path, answers.problem), bubblewrapFinding(bubblewrap)] };
  }
  const { landlockAbi, seccomp, uid, ceilings } = answers;
  const layers = [
    launcherFinding(path),
    landlockFinding(landlockAbi),
    seccompFinding(seccomp),
    bubblewrapFinding(bubblewrap),
  ];
  if (!layers.slice(0, 3).every(({ ok }) => ok)) return { layers };
  const common = { arch, landlockAbi, launcher: path, supervisor: Deno.pid, ceilings };
  return { layers, host: { ...common, asRoot: uid === 0, bubblewrap } };
}

interface Answers {
  readonly landlockAbi: number;
  readonly seccomp: boolean;
  readonly uid: number;
  readonly ceilings: LimitCeilings;
}

const limitNames = Object.keys(resources) as LimitName[];
/** Three numbers of 32 bits, padding, and a soft and a hard limit of 64 bits for each resource. */
const [limitsAt, limitSize] = [16, 16];
const answerSize = limitsAt + limitSize * limitNames.length;

/** Has the launcher ask the kernel and write the answers to its standard output. */
async function ask(
  path: string,
  arch: Architecture,
): Promise<Answers | { readonly problem: string }> {
  try {
    const same = await isCurrent(path, arch);
    if (!same) return { problem: "its bytes are not those that this version was made with" };
    const command = new Deno.Command(path, {
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    });
    const child = command.spawn();
    const writer = child.stdin.getWriter();
    await writer.write(questions(arch));
    const { stdout } = await child.output();
    await writer.close().catch(() => {});
    return stdout.length === answerSize ? readAnswers(stdout) : { problem: "it gave no answer" };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : `${error}` };
  }
}

function readAnswers(bytes: Uint8Array): Answers {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const hard = (i: number) => view.getBigUint64(limitsAt + limitSize * i + 8, true);
  const bounded = limitNames.map((name, i) => [name, hard(i)] as const)
    .filter(([, value]) => value < 1n << 52n); // more is no limit
  return {
    landlockAbi: view.getInt32(0, true),
    seccomp: view.getInt32(4, true) === 0,
    uid: view.getInt32(8, true),
    ceilings: Object.fromEntries(bounded.map(([name, value]) => [name, Number(value)])),
  };
}

async function isCurrent(path: string, arch: Architecture): Promise<boolean> {
  const [found, wanted] = [await Deno.readFile(path), launcherImage(arch)];
  return found.length === wanted.length && found.every((byte, i) => byte === wanted[i]);
}

function questions(arch: Architecture): Uint8Array<ArrayBuffer> {
  const answers = new Block(new Uint8Array(answerSize));
  const killProcess = new Block(new Uint8Array(Uint32Array.of(0x8000_0000).buffer));
  const [versionOfInterface, isActionAvailable] = [1, 2];
  const to = (offset: number) => ({ expect: "any", store: { block: answers, offset } } as const);
  const steps: Step[] = [
    {
      call: "landlock_create_ruleset",
      args: [0, 0, versionOfInterface],
      label: "landlock",
      ...to(0),
    },
    { call: "seccomp", args: [isActionAvailable, 0, killProcess], label: "seccomp", ...to(4) },
    { call: "geteuid", label: "geteuid", ...to(8) },
    ...limitNames.map((name, i): Step => ({
      call: "prlimit64",
      args: [0, resources[name], 0, { block: answers, offset: limitsAt + limitSize * i }],
      label: `limit ${name}`,
    })),
    { call: "write", args: [1, answers, answerSize], label: "answer", expect: answerSize },
    { call: "exit_group", args: [0], label: "leave" },
  ];
  return encodePlan(steps, arch);
}

function noLinux(): LayerFinding {
  return {
    layer: "launcher",
    ok: false,
    found: `${Deno.build.os} on ${Deno.build.arch}`,
    remedy:
      "levels above L1 need Linux on x86-64 or aarch64: formulas, model spaces and grammars are " +
      "scored at L1, texts of people, language models and Python end with status 3; a virtual machine, " +
      "a container or WSL 2 has a Linux",
  };
}

function launcherFinding(path: string, problem?: string): LayerFinding {
  const found = problem ?? path;
  const remedy = problem?.includes("run access")
    ? `allow it to be started: --allow-run=${Deno.execPath()},${path}`
    : "restore the file, executable, on a file system that allows execution: deno task launcher";
  return { layer: "launcher", ok: problem === undefined, found, remedy };
}

function landlockFinding(abi: number): LayerFinding {
  const ok = abi >= minimumLandlockAbi;
  const found = ok ? `interface ${abi}` : `none (errno ${-abi})`;
  const remedy = "a Linux kernel of 5.13 or newer, with landlock in the list that lsm= enables";
  return { layer: "landlock", ok, found, remedy };
}

function seccompFinding(ok: boolean): LayerFinding {
  const found = ok ? "filters, with kill_process" : "none";
  return { layer: "seccomp", ok, found, remedy: "a kernel with CONFIG_SECCOMP_FILTER" };
}

function bubblewrapFinding(path: string | undefined): LayerFinding {
  const remedy = "install bubblewrap, for example: apt-get install bubblewrap";
  return { layer: "bubblewrap", ok: path !== undefined, found: path ?? "not found", remedy };
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
