/** Names of the model's variables: strings that are valid, not reserved and given once. */
import type { Arguments, GivenValue } from "../interpreter/bind.ts";
import type { ModelState } from "./model_state.ts";
import { isReservedName } from "./names.ts";
import type { Place } from "../syntax/source.ts";
import { describeValue, touchesResponse } from "../interpreter/values.ts";

/** Names become names of files and columns: nothing that a path or a table could take for its own. */
const pattern = /^(?:\d\|)?[\p{ID_Start}_](?:[\p{ID_Continue} .,:|()-]{0,62}[\p{ID_Continue})])?$/u;

/** The text of an argument that must be a string. */
export function textArgument(
  checking: ModelState,
  { value, place }: GivenValue,
  owner: string,
): string | undefined {
  if (value.kind === "text") return value.value;
  if (value.kind === "invalid") return undefined;
  if (touchesResponse(value)) {
    checking.refuseResponse(value, place);
    return undefined;
  }
  const message = `Cannot name ${owner}: wanted a string, found ${describeValue(value)}`;
  checking.error("names/variable-name", message, place, `write ${owner}("name", ...)`);
  return undefined;
}

/** Claims a name for a variable of the model; false, with a finding, if it cannot be had. */
export function declareVariable(checking: ModelState, name: string, place: Place): boolean {
  const { variables, source } = checking;
  const first = variables.get(name);
  if (first) {
    const line = source.lineOf(first.start);
    const message = `Cannot name a variable "${name}": line ${line} has one of that name`;
    checking.error("lh/duplicate-name", message, place, "choose another name");
  } else if (isReservedName(name)) {
    const message = `Cannot name a variable "${name}": the name is reserved for results`;
    checking.error("lh/reserved-name", message, place, "choose another name");
  } else if (!pattern.test(name)) {
    const message = `Cannot name a variable ${JSON.stringify(name.slice(0, 64))}`;
    const hint =
      "use up to 64 letters, digits, underscores, blanks and .,:|()-, beginning with a letter";
    checking.error("names/variable-name", message, place, hint);
  } else {
    variables.set(name, place);
    return true;
  }
  return false;
}

/** The variable's name, claimed; undefined with a finding if there is none to be had. */
export function variableName(
  checking: ModelState,
  args: Arguments,
  given: GivenValue | undefined,
): string | undefined {
  const callee = checking.text(args.call.callee);
  const found = given ?? args.positional[0] ?? args.keywords.get("name");
  if (!found) {
    const message = `Cannot check ${callee}: the variable has no name`;
    checking.error("names/missing-argument", message, args.call, `write ${callee}("name", ...)`);
    return undefined;
  }
  const name = textArgument(checking, found, callee);
  return name !== undefined && declareVariable(checking, name, found.place) ? name : undefined;
}
