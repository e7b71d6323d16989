/** Every door of the package has a tour, which type-checks and runs where only the package is. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pack } from "../../tools/pack.ts";
import { compiledOnce } from "../pack/compiled_once.ts";
import { type Ended, runIn } from "../pack/documented_project.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const doors: Readonly<Record<string, string>> =
  JSON.parse(readFileSync(join(root, "deno.json"), "utf8")).exports;

/** The examples of a module's first comment, as modules that import the package by name. */
function toursOf(module: string): string[] {
  const text = readFileSync(join(root, module), "utf8");
  const comment = text.slice(0, text.indexOf("*/")).replace(/^ \* ?/gm, "");
  const blocks = [...comment.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block);
  return blocks.map((block) => block.replaceAll('from "./mod.ts"', `from "${nameOf(module)}"`));
}

function nameOf(module: string): string {
  const [door] = Object.entries(doors).find(([, file]) => file === module)!;
  return `sluice${door.slice(1)}`;
}

/** A folder with the package in it, and the types of what Node itself brings. */
function installed(): string {
  const folder = Deno.makeTempDirSync({ prefix: "sluice-tours-" });
  const { name, bytes } = pack(root, compiledOnce);
  Deno.writeFileSync(join(folder, name), bytes);
  Deno.writeTextFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const flags = ["--prefer-offline", "--no-audit", "--no-fund"];
  const nodeTypes = "@types/node@24"; // the tours assert with node:assert
  succeeded(runIn(folder, "npm", "install", ...flags, `./${name}`, nodeTypes));
  return folder;
}

Deno.test("the tour of every door runs in a folder that has the package alone", async (test) => {
  const whole = Object.entries(doors).filter(([name]) => name.split("/").length <= 2);
  assert.equal(whole.length, 7);
  const folder = installed();
  try {
    await test.step("every door loads by its name", () => {
      const names = Object.keys(doors).map((name) => `await import("sluice${name.slice(1)}");`);
      Deno.writeTextFileSync(join(folder, "all.ts"), names.join("\n"));
      succeeded(runIn(folder, "npx", "--no", "--", "deno", "run", "--check", "-A", "all.ts"));
    });
    for (const [, module] of whole) {
      const tours = toursOf(module);
      assert(tours.length > 0, `${module} has no tour`);
      for (const [i, tour] of tours.entries()) {
        await test.step(`${nameOf(module)}, ${i + 1} of ${tours.length}`, () => {
          const file = `tour_${nameOf(module).replace("/", "_")}_${i + 1}.ts`;
          Deno.writeTextFileSync(join(folder, file), tour);
          succeeded(runIn(folder, "npx", "--no", "--", "deno", "run", "--check", "-A", file));
        });
      }
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

function succeeded(ended: Ended): void {
  assert.equal(ended.code, 0, ended.all);
}
