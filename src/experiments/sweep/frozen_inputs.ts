/** Data and code that a sweep was made with: its points refuse to run with others. */
import { InputError } from "../../base/diagnostic.ts";
import type { PipelineLock } from "../../pipeline/plan/mod.ts";

/** Digests of files, by `stage: file "path"` and `code path`. */
type FrozenInputs = Readonly<Record<string, string>>;

/** Digests of files in a lock. */
export function frozenInputs({ stages }: PipelineLock): FrozenInputs {
  const all = Object.entries(stages).flatMap(([stage, { values, code }]) => [
    ...Object.entries(values).filter(([path]) => path.endsWith(".content"))
      .map(([path, digest]) => [`${stage}: ${fileName(path)}`, String(digest)]),
    ...Object.entries(code).map(([path, digest]) => [`code ${path}`, digest]),
  ]);
  return Object.fromEntries(all);
}

function fileName(path: string): string {
  const name = path.replace(/^(loop\.stages\.\d+\.)?(params\.)?/, "").replace(/\.content$/, "");
  return `file "${name}"`;
}

/**
 * Refuses files that changed since the sweep was made. A file that only the values of this point
 * name is its own.
 *
 * @throws InputError `sweep/changed` for each.
 */
export function requireFrozen(sweep: string, frozen: FrozenInputs, lock: PipelineLock): void {
  const now = frozenInputs(lock);
  const changed = Object.keys(frozen).filter((name) => name in now && frozen[name] !== now[name]);
  if (changed.length === 0) return;
  throw new InputError(changed.map((name) => ({
    code: "sweep/changed",
    severity: "error" as const,
    message: `Cannot run a point of ${sweep}: ${name} changed since the sweep was made`,
    hint: "bring it back and work with --retry, or make a new sweep: what did not change is cached",
  })));
}
