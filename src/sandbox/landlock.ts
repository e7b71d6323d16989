/** Landlock: which files a confined program may read, write or execute; everything else is denied. */
import type { Step } from "./plan.ts";
import { Block, cString } from "./plan.ts";

/** Rights below a path. */
export type FileAccess = "read" | "execute" | "write";

/** A file or folder that a confined program may use. */
export interface PathRule {
  readonly path: string;
  readonly kind: "file" | "directory" | "device";
  /** `execute` includes reading, `write` includes both reading and making and removing files. */
  readonly access: FileAccess;
  /** Whether it may be missing; then there is nothing to be used. */
  readonly optional?: boolean;
}

/** Rights on files (linux/landlock.h). */
export const landlockRights = {
  execute: 1 << 0,
  writeFile: 1 << 1,
  readFile: 1 << 2,
  readDir: 1 << 3,
  removeDir: 1 << 4,
  removeFile: 1 << 5,
  makeDir: 1 << 7,
  makeReg: 1 << 8,
  refer: 1 << 13,
  truncate: 1 << 14,
} as const;
/** Rights that a version of the interface can deny, by the version that brought them. */
const handledSince: readonly (readonly [abi: number, mask: number])[] = [
  [1, 0x1fff],
  [2, landlockRights.refer],
  [3, landlockRights.truncate],
  [5, 1 << 15],
];
const tcpBindAndConnect = 3;
const abstractSocketsAndSignals = 3;

/** Oldest version of the interface that counts as a layer: Linux 5.13. */
export const minimumLandlockAbi = 1;

const [openPath, closeOnExec] = [0o10000000, 0o2000000];
const currentFolder = -100;
const [rulesetFd, pathFd] = [3, 4];
const pathBeneath = 1;

/** The rights that this version of the interface can deny. */
export function handledRights(abi: number): number {
  return handledSince.reduce((sum, [since, mask]) => since <= abi ? sum | mask : sum, 0);
}

/** The rights of a rule, without those that the interface does not know or the kind cannot have. */
export function ruleRights({ kind, access }: PathRule, abi: number): number {
  const read = landlockRights.readFile | landlockRights.readDir;
  const wanted = {
    read,
    execute: read | landlockRights.execute,
    write: read | landlockRights.writeFile | landlockRights.truncate | landlockRights.removeDir |
      landlockRights.removeFile |
      landlockRights.makeDir | landlockRights.makeReg | landlockRights.refer,
  }[access];
  const ofFiles = landlockRights.execute | landlockRights.writeFile | landlockRights.readFile |
    landlockRights.truncate;
  return wanted & handledRights(abi) & (kind === "directory" ? ~0 : ofFiles);
}

/**
 * The steps that confine the process and all it starts. Descriptors above 2 must be closed before,
 * privileges given up for good: then the kernel's answers are known beforehand.
 */
export function landlockSteps(
  rules: readonly PathRule[],
  abi: number,
  handled: number = handledRights(abi),
): Step[] {
  const attributes = [handled, tcpBindAndConnect, abstractSocketsAndSignals];
  const size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  const ruleset = new Block(
    new Uint8Array(BigUint64Array.from(attributes, BigInt).buffer, 0, size),
  );
  return [
    {
      call: "landlock_create_ruleset",
      args: [ruleset, size, 0],
      label: "landlock_create_ruleset",
      expect: rulesetFd,
    },
    ...rules.flatMap((rule) => {
      const allowed = ruleRights(rule, abi) & handled;
      return allowed === 0 ? [] : ruleSteps(rule, allowed);
    }),
    { call: "landlock_restrict_self", args: [rulesetFd, 0], label: "landlock_restrict_self" },
    { call: "close", args: [rulesetFd], label: "close the ruleset" },
  ];
}

function ruleSteps(rule: PathRule, allowed: number): Step[] {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(allowed), true);
  view.setInt32(8, pathFd, true);
  const args = [rulesetFd, pathBeneath, new Block(bytes), 0];
  const missing = rule.optional ? { expect: "any" } as const : {};
  return [
    {
      call: "openat",
      args: [currentFolder, cString(rule.path), openPath | closeOnExec],
      label: `open ${rule.path}`,
      expect: rule.optional ? "any" : pathFd,
    },
    { call: "landlock_add_rule", args, label: `landlock_add_rule ${rule.path}`, ...missing },
    { call: "close", args: [pathFd], label: "close a path", ...missing },
  ];
}
