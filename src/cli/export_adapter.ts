/** The adapter that a run has trained, as a folder that PEFT reads, or merged into its model. */
import { join } from "node:path";
import { inputError } from "../base/diagnostic.ts";
import { readArtifact } from "./run_artifacts.ts";

/** Which policy of a run. */
export interface TrainedAdapter {
  /** Folder of the project. */
  readonly root: string;
  readonly run: string;
  /** The output of a stage: `train.policy`. */
  readonly port: string;
}

/**
 * Files by name: those of a PEFT folder, or with `merged` of a checkpoint with its tokenizer.
 *
 * @throws InputError if the run has no such policy, or it is no language model; MissingPartError if
 * its model was not added.
 */
export async function adapterOf(
  { root, run, port }: TrainedAdapter,
  merged: boolean,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const bytes = await policyBytes(root, run, port);
  const { loadPolicy } = await import("../gfn/policies/built_in/mod.ts");
  const policy = await loadPolicy(bytes.slice(bytes.indexOf(10) + 1), { project: root });
  const { LanguageModelPolicy } = await import(
    "../gfn/policies/built_in/mod.ts"
  );
  if (policy instanceof LanguageModelPolicy) {
    if (!merged) return policy.files(false);
    const { ModelStore, publishedTokenizer } = await import("../models/store/mod.ts");
    const tokenizer = publishedTokenizer(new ModelStore(root), policy.header.model!);
    return new Map([...policy.files(true), ...tokenizer]);
  }
  const message = `Cannot export an adapter: ${port} of run ${run} is a policy of kind ` +
    `"${policy.kind}"`;
  throw inputError("export/adapter", message, undefined, "name a policy of a language model");
}

async function policyBytes(root: string, run: string, port: string): Promise<Uint8Array> {
  const { query } = await import("../pipeline/store/sql/mod.ts");
  const sql = `select distinct stage || '.' || port as name, sha256 from stage_io
    where direction = 'out'
      and sha256 in (select a.sha256 from artifact a where a.type = 'policy') order by name`;
  const rows = (await query(root, sql, { run })).objects();
  const found = rows.find(({ name }) => name === port);
  const bytes = found && await readArtifact(root, String(found.sha256));
  if (bytes) return bytes;
  const message = found
    ? `${port} of run ${run} is no longer in the store`
    : `Run ${run} has no policy "${port}"`;
  const known = rows.map(({ name }) => name).join(", ") || "none";
  const hint = found ? "run its pipeline again" : `its policies: ${known}`;
  throw inputError("export/none", message, undefined, hint);
}

/** Names under a folder. */
export function inFolder(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
): [string, Uint8Array][] {
  return [...files].map(([name, bytes]) => [join(folder, name), bytes]);
}
