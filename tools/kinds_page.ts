/** Makes the page of stage kinds, each with its ports and keys: `schemas/keys.md`. */
import { helpedKinds, keysOf, portsOf } from "../src/cli/kind_help.ts";

const beginning = `# Keys of stages

Ports and keys of every stage kind. \`sluice kinds KIND\` prints them in a terminal, and
[stages](../docs/stages.md) tells how kinds behave and which rows they write.

Paths of keys: \`mix[].share\` is a key of each item, \`columns.NAME.role\` one below a name of yours,
\`policy(mlp).width\` one of a table with \`kind = "mlp"\`.
`;

/** The page, from the declarations of the kinds. */
export function kindsPageText(): string {
  return [beginning, ...helpedKinds.map(sectionOf)].join("\n");
}

function sectionOf(kind: (typeof helpedKinds)[number]): string {
  const { inputs, outputs } = portsOf(kind);
  const parts = [
    ["Inputs", inputs.map(({ name, words }) => `- \`${name}\`: ${plain(words)}`)],
    ["Outputs", outputs.map(({ name, words }) => `- \`${name}\`: ${plain(words)}`)],
    [
      "Keys",
      keysOf(kind).map(({ head, meaning, values }) => {
        return `- \`${head}\`: ${plain(meaning)} (\`${values}\`)`;
      }),
    ],
  ] as const;
  const told = parts.filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `**${title}**\n\n${lines.join("\n")}\n`);
  return [`## \`${kind.kind}\`\n`, `${plain(kind.description)}\n`, ...told].join("\n");
}

/** A text without signs that Markdown, HTML or Vue would read; text in backticks stays. */
function plain(text: string): string {
  return text.split(/(`[^`]+`)/).map((part, i) =>
    i % 2 === 1 ? part : part.replaceAll(/[\\*_[\]|]/g, (sign) => `\\${sign}`)
      .replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;")
  ).join("");
}
