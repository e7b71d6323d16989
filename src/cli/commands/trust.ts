/** `sluice trust`: whose scores are accepted, and where links of a project may lead. */
import type { Command } from "@commander-js/extra-typings";
import { inputError } from "../../base/diagnostic.ts";
import { openSealer } from "../../base/seal.ts";
import { addTrust, readTrust, removeTrust, type Trust } from "../../base/trust.ts";
import type { Session } from "../session.ts";
import { projectHere } from "../project_here.ts";

const example = `
Scores that others computed are executed again unless their key is listed. A key
is what "sluice trust" prints on the machine of its owner.

Example:
  sluice trust
  sluice trust add 3c1f…64 digits
  sluice trust add /data/shared`;

export function addCommand(root: Command, session: Session): void {
  root.command("trust")
    .description("list and change trusted keys of scores and folders of links")
    .argument("[action]", "add or rm; without it the list is printed")
    .argument("[what]", "key of 64 digits, or a folder outside the project")
    .addHelpText("after", example)
    .action((action, what) => {
      const terminal = session.terminal();
      const root = projectHere(undefined);
      if (action === undefined) terminal.out(listed(readTrust(), root));
      else terminal.out(listed(change(action, what), root));
    });
}

/** @throws InputError `trust/usage`. */
function change(action: string, what: string | undefined): Trust {
  if (action === "add" && what !== undefined) return addTrust(what);
  if (action === "rm" && what !== undefined) return removeTrust(what);
  const message = "Cannot change what is trusted: wanted add or rm, and a key or a folder";
  throw inputError("trust/usage", message, undefined, "see sluice trust --help");
}

function listed({ keys, folders }: Trust, root: string): string {
  const { keyId: own, ofProject } = openSealer(root);
  return [
    `${ofProject ? "key of this project" : "your key"}  ${own}`,
    ...keys.map((key) => `trusted key  ${key}`),
    ...folders.map((folder) => `trusted folder  ${folder}`),
  ].join("\n");
}
