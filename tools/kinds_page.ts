/** Writes the site's page of stage kinds, each with its ports and keys as `sluice kinds` prints them. */
import { helpedKinds, kindHelp } from "../src/cli/kind_help.ts";

const beginning = `# Keys of stages

Ports and keys of every stage kind, as \`sluice kinds KIND\` prints them. [Stages](stages.md) tells
their meaning and rows. Paths of keys: \`mix[].share\` is a key of each item, \`columns.NAME.role\`
one below a name of yours, \`policy(mlp).width\` one of a table with \`kind = "mlp"\`.
`;

/** The page, from the declarations of the kinds. */
export function kindsPageText(): string {
  const sections = helpedKinds.map((kind) =>
    `## \`${kind.kind}\`\n\n\`\`\`text\n${kindHelp(kind, 96)}\n\`\`\`\n`
  );
  return [beginning, ...sections].join("\n");
}

if (import.meta.main) await Deno.writeTextFile(Deno.args[0], kindsPageText());
