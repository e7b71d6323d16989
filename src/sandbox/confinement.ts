/** Puts the layers together: from a program and a level to the launcher's input. */
import { denoIdentity } from "../base/deno_command.ts";
import { sha256 } from "../base/digest.ts";
import { encodeFrame } from "../base/frames.ts";
import { attestationHash, noRouteSteps, probesAt, probeSteps } from "./attestation.ts";
import type { KernelLevel, Place } from "./attestation.ts";
import { containerArguments, type ContainerEngine } from "./container/engine.ts";
import { dieWithKeeper, keeperSteps } from "./keeper.ts";
import type { PathRule } from "./landlock.ts";
import { handledRights, landlockSteps } from "./landlock.ts";
import { launcherImage } from "./launcher_image.ts";
import { execNameOffset } from "./launcher_layout.ts";
import { limitSteps } from "./limits.ts";
import type { LimitCeilings, LimitName, ResourceLimits } from "./limits.ts";
import { bubblewrapArguments, insideLauncher } from "./namespaces.ts";
import type { Binding, World } from "./namespaces.ts";
import type { Step } from "./plan.ts";
import { Block, cString, encodePlan, Pointers } from "./plan.ts";
import { dropRoot, noCapabilities, noNewPrivileges } from "./privileges.ts";
import { encodedFilter } from "./seccomp_filter.ts";
import type { Architecture, SyscallName } from "./syscall_numbers.ts";

/** A program to be confined: its command, the files that it may use, and its limits. */
export interface ConfinedProgram {
  /** The command, an absolute path first, given where each bound path is found. */
  readonly command: (at: (hostPath: string) => string) => readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Where it stands at level L2; the root if left out. */
  readonly folder?: string;
  readonly world: World;
  readonly limits: ResourceLimits;
  /** Milliseconds until the keeper kills it; without it the supervisor keeps the time. */
  readonly wallMs?: number;
}

/** Parts of the host that confinement uses. */
export interface ConfinementHost {
  /** Processor for which plans and filters are written. */
  readonly arch: Architecture;
  /** Version of Landlock's interface, from 1; it decides which rights can be denied. */
  readonly landlockAbi: number;
  /** Whether the supervisor is root, so that the program must give up its user. */
  readonly asRoot: boolean;
  /** Path of the launcher, and of bubblewrap if there is one. */
  readonly launcher: string;
  /** Absolute path of `bwrap`; level L3 needs it. */
  readonly bubblewrap?: string;
  /** Process that starts the launcher. */
  readonly supervisor: number;
  /** Limits that the supervisor itself is under. */
  readonly ceilings?: LimitCeilings;
  /** A container in which the launcher is started, instead of bubblewrap. */
  readonly container?: ConfinementContainer;
}

/** A container engine that was found, and the image that programs run in. */
export interface ConfinementContainer {
  /** Engine that starts it. */
  readonly engine: ContainerEngine;
  /** Absolute path of the engine's command. */
  readonly file: string;
  /** Name by content, as `imageName` has it. */
  readonly image: string;
  /** Runtime of the engine; its own choice if left out. */
  readonly runtime?: string;
  /** Variables of the engine's command. */
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments that a test adds, or leaves out by their first words. */
  readonly changed?: (args: readonly string[]) => readonly string[];
}

/** Layers that a test leaves out, to see which one stops an attack. */
export interface LayerChanges {
  /** Layers that are not set up. */
  readonly without?: readonly ("landlock" | "seccomp" | "privileges" | "attestation")[];
  /** System calls that the filter lets through in addition. */
  readonly extraCalls?: readonly SyscallName[];
  /** True: the filter does not look at the processor that a call is made for. */
  readonly anyArch?: boolean;
  /** Limits that are not set. */
  readonly unlimited?: readonly LimitName[];
  /** Rights on files that Landlock does not deny. */
  readonly undenied?: number;
  /** Options of bubblewrap that are left out. */
  readonly withoutOptions?: readonly string[];
}

/** A confinement, ready to be started once. */
export interface Confinement {
  /** Level of the layers that are put together. */
  readonly level: KernelLevel;
  /** Bytes that the launcher reads from its standard input before anything else. */
  readonly preamble: Uint8Array<ArrayBuffer>;
  /** First frame on standard output, when all probes were answered as they must. */
  readonly nonce: string;
  /** Begins the keeper's report. */
  readonly mark: Uint8Array<ArrayBuffer>;
  /** SHA-256 of all parts of the confinement; the same for the same program, limits and host. */
  readonly attestation: string;
}

/** A user of its own for each program of root's: 30000 to 59999, no system's own range. */
const [firstUser, users] = [30_000, 30_000];
let started = 0;

/**
 * Prepares one start of a program.
 *
 * @throws InputError if a limit is not one.
 */
export function confine(
  program: ConfinedProgram,
  level: KernelLevel,
  host: ConfinementHost,
  changes: LayerChanges = unchanged,
): Confinement {
  const nonce = crypto.randomUUID();
  const mark = crypto.getRandomValues(new Uint8Array(16));
  const uid = firstUser + (host.supervisor * 64 + started++) % users;
  const inner = keeperSteps(
    innerSteps({ program, level, host, changes, nonce, uid }),
    { mark, wallMs: program.wallMs },
  );
  const around = () =>
    host.container ? containerStep(program, host, uid) : bubblewrap(program, host, changes);
  const outer = level === "L3" ? [...supervised(host), around()] : [];
  const start = level === "L3" ? closeOthers : supervised(host);
  const plans = [outer, [...start, ...inner]].filter((steps) => steps.length > 0);
  const preamble = concat(plans.map((steps) => encodePlan(steps, host.arch)));
  const attestation = attestationOf(program, level, host, changes);
  return { level, preamble, nonce, mark, attestation };
}

const unchanged: LayerChanges = {};

interface Attested {
  readonly level: KernelLevel;
  readonly host: ConfinementHost;
  readonly attestation: string;
}

/** By program: to describe a confinement costs half of what it costs to prepare one. */
const attested = new WeakMap<ConfinedProgram, Attested>();

function attestationOf(
  program: ConfinedProgram,
  level: KernelLevel,
  host: ConfinementHost,
  changes: LayerChanges,
): string {
  const found = attested.get(program);
  const same = found?.level === level && found.host === host && changes === unchanged;
  if (same) return found.attestation;
  const known = { program, level, host, changes, nonce: "", uid: firstUser };
  const plan = sha256(encodePlan(innerSteps(known), host.arch));
  const attestation = attestationHash({ ...describe(program, level, host, changes), plan });
  if (changes === unchanged) attested.set(program, { level, host, attestation });
  return attestation;
}

interface Inner {
  readonly program: ConfinedProgram;
  readonly level: KernelLevel;
  readonly host: ConfinementHost;
  readonly changes: LayerChanges;
  readonly nonce: string;
  readonly uid: number;
}

/** From privileges and limits to the program itself. */
function innerSteps({ program, level, host, changes, nonce, uid }: Inner): Step[] {
  const without = (layer: string) => changes.without?.includes(layer as "seccomp") ?? false;
  const at = whereIs(program.world.bindings, level);
  const [file, ...rest] = program.command(at);
  const name = new Block(cString(file).bytes, execNameOffset);
  const environment = Object.entries(program.environment).map(([key, value]) => `${key}=${value}`);
  const hello = encodeFrame({ kind: "attested", nonce });
  const place: Place = host.container ? "container" : level;
  return [
    ...(without("privileges") ? [] : giveUp(host, level, uid)),
    dieWithKeeper,
    ...(host.container ? noRouteSteps() : []),
    ...(level === "L2" ? [standIn(program.folder ?? "/")] : []),
    ...limitSteps(program.limits, host.ceilings, changes.unlimited),
    noNewPrivileges,
    ...(without("landlock") ? [] : landlockSteps(
      pathRules(program.world, level),
      host.landlockAbi,
      handledRights(host.landlockAbi) & ~(changes.undenied ?? 0),
    )),
    ...(without("seccomp") ? [] : seccompSteps(host.arch, changes)),
    ...(without("attestation") ? [] : probeSteps(place)),
    {
      call: "write",
      args: [1, new Block(hello), hello.length],
      label: "attest",
      expect: hello.length,
    },
    {
      call: "execve",
      args: [name, Pointers.ofTexts([file, ...rest]), Pointers.ofTexts(environment)],
      label: `start ${file}`,
    },
  ];
}

function giveUp({ asRoot }: ConfinementHost, level: KernelLevel, uid: number): Step[] {
  return asRoot ? dropRoot(level === "L3" ? { uid } : undefined) : [noCapabilities()];
}

/** Out of the supervisor's working folder. */
function standIn(folder: string): Step {
  return { call: "chdir", args: [cString(folder)], label: "chdir" };
}

/** The filter learns the process's own id, then holds from the next call on. */
function seccompSteps(arch: Architecture, changes: LayerChanges): Step[] {
  const { bytes, ownPid } = encodedFilter({
    arch,
    extra: changes.extraCalls,
    anyArch: changes.anyArch,
  });
  const filter = new Block(bytes);
  const marks = ownPid.map((offset): Step => ({
    call: "getpid",
    label: "getpid",
    expect: "any",
    store: { block: filter, offset },
  }));
  const header = new Pointers([bytes.length / 8, filter]);
  const args = [setSeccomp, filterMode, header, 0, 0];
  return [...marks, { call: "prctl", args, label: "seccomp" }];
}

const [setDeathSignal, setSeccomp] = [1, 22];
const filterMode = 2;
const [sigKill, sigTerminate] = [9, 15];

const closeOthers: readonly Step[] = [
  { call: "close_range", args: [3, 0xffff_ffff, 0], label: "close_range" },
];

/**
 * Nothing inherited, and the end with the supervisor, also if it ended just now. An engine hands the
 * signal that it is ended by to its container: killed, it could not.
 */
export function supervised({ supervisor, container }: ConfinementHost): Step[] {
  const signal = container ? sigTerminate : sigKill;
  return [
    ...closeOthers,
    { call: "prctl", args: [setDeathSignal, signal, 0, 0, 0], label: "die with the supervisor" },
    { call: "getppid", label: "the supervisor is gone", expect: supervisor },
  ];
}

/** The step by which an engine's command takes the launcher's place. */
export function engineStep(
  { file, environment }: ConfinementContainer,
  args: readonly string[],
): Step {
  const variables = Object.entries(environment).map(([key, value]) => `${key}=${value}`);
  return {
    call: "execve",
    args: [cString(file), Pointers.ofTexts([file, ...args]), Pointers.ofTexts(variables)],
    label: `start ${file}`,
  };
}

function containerStep(program: ConfinedProgram, host: ConfinementHost, uid: number): Step {
  return engineStep(host.container!, argumentsOfContainer(program, host, uid));
}

/** Bytes of an image's files that are in memory, beside a program's own. */
const sharedBytes = 2 ** 30;

function argumentsOfContainer(
  { world, limits }: ConfinedProgram,
  { container, launcher }: ConfinementHost,
  uid: number,
): readonly string[] {
  const { engine, image, runtime, changed = (args) => args } = container!;
  const own = world.bindings.filter(({ path, inside }) => path !== inside);
  const scratchBytes = world.scratchBytes ?? 0;
  return changed(containerArguments({
    engine,
    image,
    runtime,
    uid,
    scratchBytes,
    files: [{ path: launcher, inside: insideLauncher }, ...own],
    memoryBytes: limits.dataBytes + scratchBytes + sharedBytes,
    processes: limits.processes + keepers,
  }));
}

/** Processes beside the program's own: the keeper. */
const keepers = 1;

function bubblewrap(program: ConfinedProgram, host: ConfinementHost, changes: LayerChanges): Step {
  const { bubblewrap: file, launcher, asRoot } = host;
  if (file === undefined) throw new Error("internal: level L3 without bubblewrap");
  const args = bubblewrapArguments(program.world, launcher, asRoot, changes.withoutOptions);
  const argv = Pointers.ofTexts([file, ...args]);
  return {
    call: "execve",
    args: [cString(file), argv, Pointers.ofTexts([])],
    label: `start ${file}`,
  };
}

function whereIs(
  bindings: readonly Binding[],
  level: KernelLevel,
): (hostPath: string) => string {
  return (hostPath) => {
    if (level !== "L3") return hostPath;
    const inside = bindings.find(({ path }) => path === hostPath)?.inside;
    if (inside === undefined) throw new Error(`internal: ${hostPath} is not bound`);
    return inside;
  };
}

function pathRules({ bindings, scratchBytes }: World, level: KernelLevel): PathRule[] {
  if (level === "L2") return [...bindings];
  const inside = bindings.map((rule) => ({ ...rule, path: rule.inside }));
  const scratch: PathRule = { path: "/tmp", kind: "directory", access: "write" };
  return scratchBytes === undefined ? inside : [...inside, scratch];
}

function describe(
  program: ConfinedProgram,
  level: KernelLevel,
  host: ConfinementHost,
  changes: LayerChanges,
): Record<string, unknown> {
  const { command, environment, world, limits, wallMs } = program;
  const { arch, landlockAbi, asRoot, ceilings, container } = host;
  const around = container
    ? [container.engine, ...argumentsOfContainer(program, host, firstUser)]
    : bubblewrapArguments(world, host.launcher, asRoot);
  const filter = encodedFilter({ arch, extra: changes.extraCalls, anyArch: changes.anyArch });
  return JSON.parse(JSON.stringify({
    level,
    arch,
    landlockAbi,
    asRoot,
    ceilings,
    environment,
    world,
    limits,
    wallMs,
    changes,
    command: command(whereIs(world.bindings, level)),
    launcher: sha256(launcherImage(arch)),
    deno: denoIdentity(),
    filter: sha256(filter.bytes),
    namespaces: level === "L3" ? around : [],
    probes: probesAt(container ? "container" : level),
  }));
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}
