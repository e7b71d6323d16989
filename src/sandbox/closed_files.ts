/** Files that only their owner may read: at level L3 a program that root starts is another user. */
import { MissingPartError } from "../base/diagnostic.ts";
import type { KernelLevel } from "./attestation.ts";
import type { ConfinementHost } from "./confinement.ts";
import type { Binding } from "./namespaces.ts";

const othersMay: Readonly<Record<"read" | "execute", number>> = { read: 0o4, execute: 0o5 };

/**
 * Why a program could not read what is bound for it, or undefined if it can. Where no root is
 * concerned, the program's user is the owner of everything that its author may read.
 */
export function closedFile(
  bindings: readonly Pick<Binding, "path" | "kind">[],
  level: KernelLevel,
  { asRoot }: Pick<ConfinementHost, "asRoot">,
): { readonly problem: string; readonly remedy: string } | undefined {
  if (level !== "L3" || !asRoot) return undefined;
  const closed = bindings.find(isClosed);
  if (!closed) return undefined;
  const { path, kind } = closed;
  const problem = `${path} is closed to other users (mode ${octal(modeOf(path))}), ` +
    "and at level L3 a program that root starts is another user";
  const recursive = kind === "directory" ? "-R " : "";
  return { problem, remedy: `open it: chmod ${recursive}a+rX ${path}` };
}

/** @throws MissingPartError for the first file that the program could not read. */
export function requireOpen(...[bindings, level, host]: Parameters<typeof closedFile>): void {
  const closed = closedFile(bindings, level, host);
  if (closed) throw new MissingPartError(`Cannot run it: ${closed.problem}`, closed.remedy);
}

function isClosed({ path, kind }: Pick<Binding, "path" | "kind">): boolean {
  if (kind === "device") return false;
  const wanted = othersMay[kind === "directory" ? "execute" : "read"];
  return (modeOf(path) & wanted) !== wanted;
}

/** Permission bits; all of them where the system has none, or there is no such file. */
function modeOf(path: string): number {
  try {
    return (Deno.statSync(path).mode ?? 0o777) & 0o777;
  } catch {
    return 0o777;
  }
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}
