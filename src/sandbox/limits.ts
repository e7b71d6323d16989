/** Resource limits of a confined program, checked, and the steps that set them. */
import { InputError } from "../base/diagnostic.ts";
import type { Step } from "./plan.ts";
import { Block } from "./plan.ts";

/** Upper bounds that the kernel enforces, whatever the supervisor is doing. */
export interface ResourceLimits {
  /** Seconds of CPU time of all threads together. */
  readonly cpuSeconds: number;
  /** Bytes of writable private memory, thread stacks included (RLIMIT_DATA). */
  readonly dataBytes: number;
  /** Bytes of the largest file that may be written. */
  readonly fileBytes: number;
  /** Descriptors. */
  readonly openFiles: number;
  /** Processes and threads of the user; of the program alone where it has a user of its own. */
  readonly processes: number;
}

/** Numbers of the limits, the same on both processors (asm-generic/resource.h). */
export const resources = {
  cpu: 0,
  fileSize: 1,
  data: 2,
  core: 4,
  processes: 6,
  openFiles: 7,
  lockedMemory: 8,
  pendingSignals: 11,
  messageQueues: 12,
  nice: 13,
  realtimePriority: 14,
} as const;

/** Largest value of each limit: an unreachable bound is none. */
const largest: Readonly<Record<keyof ResourceLimits, number>> = {
  cpuSeconds: 30 * 24 * 3600,
  dataBytes: 2 ** 40,
  fileBytes: 2 ** 40,
  openFiles: 1 << 20,
  processes: 1 << 20,
};
/** Files may be forbidden altogether; nothing works with zero of anything else. */
const mayBeZero: ReadonlySet<string> = new Set(["fileBytes"]);

/**
 * Checks that every limit is a whole number within its bounds.
 *
 * @throws InputError with one finding for each limit that is not.
 */
export function checkLimits(limits: ResourceLimits): void {
  const findings = Object.entries(largest).flatMap(([name, most]) => {
    const value: unknown = limits[name as keyof ResourceLimits];
    const least = mayBeZero.has(name) ? 0 : 1;
    const good = typeof value === "number" && Number.isSafeInteger(value) && value >= least &&
      value <= most;
    if (good) return [];
    const message = `Cannot set the limit ${name}: ${value}; wanted a whole number from ${least}` +
      ` to ${most}`;
    return [{ code: "sandbox/limit", severity: "error" as const, message }];
  });
  if (findings.length > 0) throw new InputError(findings);
}

/** Name of a limit that is set. */
export type LimitName = keyof typeof resources;

/** Limits of the supervisor itself, at most: only the administrator can raise them. */
export type LimitCeilings = Partial<Readonly<Record<LimitName, number>>>;

/**
 * The steps that set all limits but those left out, soft and hard alike; the CPU limit kills one
 * second later.
 *
 * @throws InputError if one of them is none.
 */
export function limitSteps(
  limits: ResourceLimits,
  ceilings: LimitCeilings = {},
  without: readonly LimitName[] = [],
): Step[] {
  checkLimits(limits);
  return wantedLimits(limits).filter(([name]) => !without.includes(name))
    .map(([name, soft, hard = soft]) => {
      const ceiling = ceilings[name] ?? Infinity;
      return limitStep(name, Math.min(soft, ceiling), Math.min(hard, ceiling));
    });
}

function wantedLimits(
  limits: ResourceLimits,
): (readonly [name: LimitName, soft: number, hard?: number])[] {
  return [
    ["cpu", limits.cpuSeconds, limits.cpuSeconds + 1],
    ["data", limits.dataBytes],
    ["fileSize", limits.fileBytes],
    ["openFiles", limits.openFiles],
    ["processes", limits.processes],
    ["core", 0],
    ["lockedMemory", 0],
    ["pendingSignals", 256],
    ["messageQueues", 0],
    ["nice", 0],
    ["realtimePriority", 0],
  ];
}

function limitStep(name: LimitName, soft: number, hard: number): Step {
  const value = new Block(new Uint8Array(BigUint64Array.of(BigInt(soft), BigInt(hard)).buffer));
  return { call: "prlimit64", args: [0, resources[name], value, 0], label: `limit ${name}` };
}
