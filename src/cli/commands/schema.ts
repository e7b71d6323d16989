/** `sluice schema`: the JSON Schema of pipeline files, for editors. */
import type { Command } from "@commander-js/extra-typings";
import type { Session } from "../session.ts";

const example = `
Example:
  sluice schema > pipeline.schema.json
and as the first line of a pipeline:  #:schema ./pipeline.schema.json`;

export function addCommand(root: Command, session: Session): void {
  root.command("schema")
    .description("print the JSON Schema of pipeline files")
    .addHelpText("after", example)
    .action(async () => {
      const { pipelineJsonSchema } = await import("../../pipeline/read/mod.ts");
      const { builtInKinds } = await import("../../../stages/mod.ts");
      session.terminal().data(JSON.stringify(pipelineJsonSchema(builtInKinds), null, 2));
    });
}
