/** Resources of a stage: cores, GPUs, memory and minutes, and whether a machine has them. */

/** Demands of a stage on its machine. */
export interface StageResources {
  /** Cores. */
  readonly cores?: number;
  /** GPUs. */
  readonly gpus?: number;
  /** Bytes. */
  readonly memory?: number;
  /** Minutes that it may take: for schedulers, no limit of its own. */
  readonly minutes?: number;
}

/** Resources of a machine, all or those that are left. */
export type MachineResources = Readonly<Record<"cores" | "gpus" | "memory", number>>;

const counted = ["cores", "gpus", "memory"] as const;

const units: Readonly<Record<string, number>> = { K: 1, M: 2, G: 3, T: 4 };

/**
 * Bytes of a text such as `512M` or `8G`; undefined if it is none. Units are powers of 1,024, as
 * SLURM's.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { bytesOf } from "./resources.ts";
 * assert.equal(bytesOf("8G"), 8 * 1024 ** 3);
 * assert.equal(bytesOf("much"), undefined);
 * ```
 */
export function bytesOf(text: string): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([KMGT])B?$/.exec(text) ?? [];
  return digits === undefined ? undefined : Math.ceil(Number(digits) * 1024 ** units[unit]);
}

/**
 * Resources that are lacking, in words: `1 gpu (0 gpus here)`; empty if all is there.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { lacking } from "./resources.ts";
 * assert.equal(lacking({ gpus: 1 }, { cores: 2, memory: 2 ** 34, gpus: 0 }), "1 gpu (0 gpus here)");
 * ```
 */
export function lacking(wanted: StageResources | undefined, machine: MachineResources): string {
  const short = counted.filter((key) => (wanted?.[key] ?? 0) > machine[key]);
  return short.map((key) => `${amount(key, wanted![key]!)} (${amount(key, machine[key])} here)`)
    .join(", ");
}

/** `2 gpus`, `8 GiB of memory`. */
function amount(key: (typeof counted)[number], value: number): string {
  if (key === "memory") return `${Number((value / 1024 ** 3).toPrecision(3))} GiB of memory`;
  return value === 1 ? `1 ${key.slice(0, -1)}` : `${value} ${key}`;
}

/**
 * The most of each that stages want, for a job that runs them one after the other.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { mostOf } from "./resources.ts";
 * assert.deepEqual(mostOf([{ cores: 2, minutes: 5 }, undefined, { cores: 4, minutes: 1 }]), { cores: 4, minutes: 6 });
 * ```
 */
export function mostOf(stages: readonly (StageResources | undefined)[]): StageResources {
  const wanted = stages.filter((one) => one !== undefined);
  const most = (key: keyof StageResources) => {
    const values = wanted.flatMap((one) => one[key] ?? []);
    return values.length === 0 ? {} : { [key]: Math.max(...values) };
  };
  const minutes = wanted.reduce((sum, one) => sum + (one.minutes ?? 0), 0);
  return {
    ...most("cores"),
    ...most("gpus"),
    ...most("memory"),
    ...minutes > 0 && { minutes },
  };
}

/** Rest of `free` when a stage runs; a sign of −1 gives it back. */
export function without(
  free: MachineResources,
  taken: StageResources | undefined,
  sign = 1,
): MachineResources {
  const { cores = 0, gpus = 0, memory = 0 } = taken ?? {};
  return {
    cores: free.cores - sign * cores,
    gpus: free.gpus - sign * gpus,
    memory: free.memory - sign * memory,
  };
}
