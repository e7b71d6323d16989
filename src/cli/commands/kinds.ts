/** `sluice kinds`: the stage kinds, or the ports and keys of one. */
import type { Command } from "@commander-js/extra-typings";
import { inputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import type { Session } from "../session.ts";

const example = `
Paths of keys: mix[].share is a key of each item, columns.NAME.role one below a
name of yours, policy(mlp).width one of a table with kind = "mlp".

Example:
  sluice kinds learn`;

export function addCommand(root: Command, session: Session): void {
  root.command("kinds")
    .description("list the stage kinds, or the ports and keys of one")
    .argument("[kind]", "a stage kind: learn")
    .addHelpText("after", example)
    .action(async (name) => {
      const { helpedKinds, kindHelp, kindList } = await import("../kind_help.ts");
      const terminal = session.terminal();
      if (name === undefined) return terminal.out(kindList(terminal.width));
      const kind = helpedKinds.find((one) => one.kind === name);
      if (!kind) throw unknown(name, helpedKinds.map((one) => one.kind));
      terminal.out(kindHelp(kind, terminal.width));
    });
}

function unknown(name: string, known: readonly string[]) {
  const near = nearest(name, known);
  const hint = near === undefined ? "sluice kinds lists them" : `did you mean "${near}"?`;
  return inputError("pipeline/unknown-kind", `unknown kind "${name}"`, undefined, hint);
}
