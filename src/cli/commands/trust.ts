/** `sluice trust`: whose scores are believed, and where links of a project may lead. */
import type { Command } from "@commander-js/extra-typings";
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
    .description("whose scores are believed, and where links may lead")
    .argument("[action]", "add or rm; the list is printed without one")
    .argument("[what]", "a key, 64 digits, or a folder outside of the project")
    .addHelpText("after", example)
    .action((action, what) => {
      const terminal = session.terminal();
      const change = action === undefined ? undefined : changes[action as keyof typeof changes];
      if (action !== undefined && (!change || what === undefined)) {
        terminal.problem("Cannot change what is trusted: wanted add or rm, and a key or a folder");
        session.exit = 2;
        return;
      }
      const trust = change ? change(what!) : readTrust();
      const { keyId, ofProject } = openSealer(projectHere(undefined));
      terminal.out(listed(trust, keyId, ofProject));
    });
}

const changes = { add: addTrust, rm: removeTrust };

function listed({ keys, folders }: Trust, own: string, ofProject: boolean): string {
  return [
    `${ofProject ? "key of this project" : "your key"}  ${own}`,
    ...keys.map((key) => `trusted key  ${key}`),
    ...folders.map((folder) => `trusted folder  ${folder}`),
  ].join("\n");
}
