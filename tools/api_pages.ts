/** Writes the site's pages of the API: each door with what it exports, as `deno doc` prints it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiPage, doors } from "../site/api_doors.ts";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Output of `deno doc` on a module of this checkout. */
async function printed(path: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", path],
    env: { NO_COLOR: "1" },
  }).output();
  if (!success) throw new Error(`Cannot document ${path}: ${decode(stderr)}`);
  return decode(stdout);
}

/**
 * The page of a door.
 *
 * @param name As it is imported, `sluice/gfn`.
 * @param text What `deno doc` prints of it.
 * @param root URL of the checkout; exports that come from elsewhere are left out.
 */
export function apiPageText(name: string, text: string, root: string): string {
  const parts = text.split(/^Defined in (\S+):\d+:\d+$/m).slice(1);
  const sections = parts.flatMap((place, i) =>
    i % 2 === 0 && place.startsWith(root)
      ? [section(parts[i + 1].trim(), place.slice(root.length))]
      : []
  );
  return [`# \`${name}\`\n`, ...new Set(sections)].join("\n");
}

/** A symbol: its name, its signature, its comment, and the file that it stands in. */
function section(block: string, place: string): string {
  const [signature, ...rest] = block.split("\n");
  const comment = rest.map((line) => line.replace(/^ {2}/, "")).join("\n").trim();
  const members = /^(?:abstract )?(?:class|interface|enum|namespace)\b/.test(signature);
  const body = members ? `\`\`\`ts\n${comment}\n\`\`\`` : prose(comment);
  return `## ${nameOf(signature)}\n\n\`\`\`ts\n${signature}\n\`\`\`\n\n${body}\n\n\`${place}\`\n`;
}

function nameOf(signature: string): string {
  const words = /^(?:(?:async|abstract|declare) )*[a-z]+\*? ([\w$]+)/.exec(signature);
  return words?.[1] ?? escaped(signature.split("(")[0]);
}

/** A comment as Markdown: tags begin paragraphs, what they say is not indented, code stays as it is. */
function prose(comment: string): string {
  const plain = comment.replace(/\{@link(?:code)? ([^}]+)\}/g, "`$1`")
    .replace(/^@example\n/gm, "\n").replace(/^@(\w+)/gm, "\n**$1**").replace(/^ {4}/gm, "");
  return plain.split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m)
    .map((part, i) => i % 2 === 0 ? escaped(part) : part).join("").trim();
}

function escaped(text: string): string {
  return text.replace(/[<>{}]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

if (import.meta.main) {
  const [folder] = Deno.args;
  const root = new URL("..", import.meta.url);
  for (const [name, path] of doors) {
    const file = join(folder, apiPage(name));
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, apiPageText(name, await printed(join(root.pathname, path)), root.href));
  }
}
