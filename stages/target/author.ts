/** Whether the author saw the response; if so, only held-out rows are evidence. */
import type { Author } from "../ports/author.ts";
import type { Dataset } from "../../src/base/dataset.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import { type Environment, writesFreely } from "../../src/gfn/environments/mod.ts";
import { builtInJudges, type Judge } from "../../src/engine/score/judges/mod.ts";
import type { Target, WrittenPrompt } from "../ports/values.ts";

/** All of them. */
export const authors = ["blind", "informed"] as const satisfies readonly Author[];

/**
 * A grammar and the other built-in environments are known to be blind; others are not, nor is a
 * language model, which may write any text. An author prompted with values of the response is
 * informed.
 *
 * @throws InputError if such an author is called blind.
 */
export function authorOf(
  asked: Author | undefined,
  environment: Pick<Environment, "kind" | "spec" | "written">,
  prompts: readonly WrittenPrompt[] = [],
): Author {
  const shown = prompts.find(({ informed }) => informed);
  if (shown && asked === "blind") throw wasShown(shown.id);
  if (shown) return "informed";
  const kind = environment.written?.of.kind ?? environment.kind;
  return asked ?? (kind === "custom" || writesFreely(environment) ? "informed" : "blind");
}

function wasShown(id: string) {
  const message = `Cannot take the author for blind: prompt "${id}" shows values of the response`;
  const hint =
    'leave out author = "blind", or response = true in the stage that writes the prompts';
  return inputError("target/informed", message, undefined, hint);
}

/**
 * Refuses to reward answers to a prompt that shows values of the response by a target that does not
 * know of it.
 *
 * @param shown The prompt; undefined if none shows any.
 * @throws InputError with the wire to add.
 */
export function requireInformed(target: Target, shown: string | undefined): void {
  if (shown === undefined || !target.dataset || target.author === "informed") return;
  const message =
    `Cannot reward answers to prompt "${shown}": it shows values of the response, and ` +
    "the target takes the author of programs for blind";
  const hint = "wire the prompts into the target as well (prompts = …), which then rewards by " +
    "withheld rows, or leave out response = true in the stage that writes them";
  throw inputError("target/informed", message, undefined, hint);
}

/** True of a judge that rewards rows which an informed author may have read. */
export function looksAtShownRows({ uses, needsHoldout }: Judge): boolean {
  return uses === "execution" && !needsHoldout;
}

/** The judge to name instead. */
export const unseenJudge: string =
  [...builtInJudges.values()].find((one) => one.needsHoldout)!.name;

const column = "holdout = { share = 0.2 } in the stage that reads the data";

/**
 * Refuses to reward what an informed author wrote by rows that it may have read.
 *
 * @throws InputError with the lines to add.
 */
export function requireUnseenRows(author: Author, judges: readonly Judge[], data: Dataset): void {
  if (author === "blind") return;
  const seeing = judges.find(looksAtShownRows);
  if (!seeing && data.holdout) return;
  const what = seeing ? `by ${seeing.name}` : "the programs";
  const message = `Cannot reward ${what}: the author of the programs may have seen the ` +
    'response (author = "informed"), and could have learnt it by heart';
  const line = seeing ? `{ judge = "${unseenJudge}" } in log_reward` : "";
  const add = [line, data.holdout ? "" : column].filter((one) => one !== "").join(", and ");
  const hint = `write ${add}; or author = "blind" here, if the author did not see it`;
  throw inputError("target/informed", message, undefined, hint);
}
