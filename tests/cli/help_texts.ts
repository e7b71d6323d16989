/** Every description that a user meets: of commands and options, of keys, ports and columns. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { home, read } from "../docs/markdown.ts";

/** Descriptions in the sources of commands, and in the schemas of files. */
export function descriptions(): string[] {
  return [...ofCommands(), ...ofSchemas()];
}

/** Texts given to `.description`, `.option`, `.argument` and `new Option`, joined where they break. */
function ofCommands(): string[] {
  return filesIn("src/cli").filter((file) => file.endsWith(".ts")).flatMap((file) => {
    const source = read(file).replace(/"\s*\+\s*"/g, "");
    const calls = source.matchAll(
      /(?:\.(?:option|argument|requiredOption)|new Option)\(\s*"[^"]*",\s*"([^"]*)"|\.description\(\s*"([^"]*)"/g,
    );
    return [...calls].map(([, option, command]) => option ?? command);
  });
}

function ofSchemas(): string[] {
  const found = new Set<string>();
  for (const file of filesIn("schemas")) {
    JSON.parse(read(file), (key, value) => {
      if (key === "description" && typeof value === "string") found.add(value);
      return value;
    });
  }
  return [...found];
}

function filesIn(folder: string): string[] {
  return readdirSync(join(home, folder), { recursive: true }).map((name) => join(folder, `${name}`))
    .filter((file) => /\.(ts|json)$/.test(file));
}
