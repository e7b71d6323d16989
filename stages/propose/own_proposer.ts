/** A proposer of one's own, found by the path of its module. */
import { inputError } from "../../src/base/diagnostic.ts";
import { isProposerDefinition, type ProposerDefinition } from "../../src/gfn/train/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";

/** @throws InputError if the default export was not made with `defineProposer`. */
export function ownProposer(context: StageContext, path: string): ProposerDefinition {
  const definition = context.plugin(path);
  if (isProposerDefinition(definition)) return definition;
  const hint = "write: export default defineProposer({ name, version: 1, propose })";
  const message = `Cannot use the proposer ${path}: its default export is not a proposer`;
  throw inputError("plugin/proposer", message, undefined, hint);
}
