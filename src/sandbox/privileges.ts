/** Giving up privileges for good: capabilities, the root user, and all means to get them back. */
import type { Step } from "./plan.ts";
import { Block } from "./plan.ts";

const [dropFromBounds, setNoNewPrivs, setKeepCaps] = [24, 38, 8];
/** CAP_CHECKPOINT_RESTORE of Linux 5.9, the last one so far; more are tried for later kernels. */
const lastCapability = 40;
const capabilityVersion = 0x2008_0522;

/** A user and group without a name, which one confined program has for itself. */
interface OwnUser {
  readonly uid: number;
}

/**
 * The steps of a process that started with all privileges: nothing in the bounding set, another
 * user if one is given, no capability.
 */
export function dropRoot(user?: OwnUser): Step[] {
  const bounds = Array.from({ length: lastCapability + 1 }, (_, capability): Step => ({
    call: "prctl",
    args: [dropFromBounds, capability, 0, 0, 0],
    label: `drop capability ${capability}`,
    expect: "any", // a kernel may not know it; capabilities that are left are refused below
  }));
  return [...bounds, ...(user ? becomeUser(user) : []), noCapabilities()];
}

function becomeUser({ uid }: OwnUser): Step[] {
  return [
    { call: "prctl", args: [setKeepCaps, 0, 0, 0, 0], label: "keep no capabilities" },
    { call: "setgroups", args: [0, 0], label: "setgroups" },
    { call: "setresgid", args: [uid, uid, uid], label: "setresgid" },
    { call: "setresuid", args: [uid, uid, uid], label: "setresuid" },
  ];
}

/** Clears the effective, permitted and inheritable sets. */
export function noCapabilities(): Step {
  const header = new Block(new Uint8Array(Uint32Array.of(capabilityVersion, 0).buffer));
  return { call: "capset", args: [header, new Block(new Uint8Array(24))], label: "capset" };
}

/** Nothing that is executed from now on can have more privileges than its caller. */
export const noNewPrivileges: Step = {
  call: "prctl",
  args: [setNoNewPrivs, 1, 0, 0, 0],
  label: "no_new_privs",
};
