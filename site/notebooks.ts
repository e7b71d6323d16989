/** An executed notebook as a page: text, code, and what the code showed. */

/** Fields of a notebook that are read (nbformat 4). */
interface Notebook {
  readonly cells: readonly Cell[];
}

interface Cell {
  readonly cell_type: string;
  readonly source: Lines;
  readonly outputs?: readonly Output[];
}

interface Output {
  readonly text?: Lines;
  readonly data?: Readonly<Record<string, Lines>>;
}

type Lines = string | readonly string[];

/** Markdown for VitePress; HTML of outputs stands as it is, and is not read as a template. */
export function notebookPage(json: string): string {
  const { cells } = JSON.parse(json) as Notebook;
  return cells.map(cellPage).join("\n\n") + "\n";
}

function cellPage({ cell_type, source, outputs = [] }: Cell): string {
  if (cell_type === "markdown") return textOf(source);
  const shown = outputs.map(outputPage).filter((part) => part !== "");
  return [`\`\`\`python\n${textOf(source)}\n\`\`\``, ...shown].join("\n\n");
}

function outputPage({ text, data = {} }: Output): string {
  const html = data["text/html"],
    png = data["image/png"],
    plain = data["text/plain"] ?? text;
  if (html !== undefined) {
    return `<div class="output" v-pre>${oneBlock(textOf(html))}</div>`;
  }
  if (png !== undefined) {
    const bytes = textOf(png).replace(/\s/g, "");
    return `<div class="output"><img alt="" src="data:image/png;base64,${bytes}"></div>`;
  }
  return plain === undefined ? "" : `\`\`\`txt\n${textOf(plain).trimEnd()}\n\`\`\``;
}

/** An empty line would end the block of HTML; styles of a whole page belong to no cell. */
function oneBlock(html: string): string {
  return html.replace(/<style[^]*?<\/style>/g, "").replace(/\n\s*\n/g, "\n");
}

function textOf(lines: Lines): string {
  return typeof lines === "string" ? lines : lines.join("");
}
