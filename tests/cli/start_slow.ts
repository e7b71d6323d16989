/** Modules that the command line loads before its first line runs: most of the cost of a start. */
import assert from "node:assert/strict";

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly { readonly code?: { readonly specifier?: string } }[];
}

/** Files that Deno loads for a module of the project, whatever path a literal `import()` names. */
async function reachable(file: string): Promise<string[]> {
  const args = ["info", "--json", file];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "null" }).output();
  const { modules, roots } = JSON.parse(new TextDecoder().decode(stdout));
  const found = new Map((modules as Module[]).map((module) => [module.specifier, module]));
  const seen = new Set<string>(roots);
  for (const one of seen) { // a set hands out what is added on the way
    for (const { code } of found.get(one)?.dependencies ?? []) {
      if (code?.specifier) seen.add(code.specifier);
    }
  }
  const own = new URL("../../", import.meta.url).href;
  return [...seen].filter((one) => one.startsWith(own)).map((one) => one.slice(own.length));
}

Deno.test("the version is answered by three files", async () => {
  const files = ["src/base/version.ts", "src/cli/main.ts", "src/cli/version.ts"];
  assert.deepEqual((await reachable("src/cli/main.ts")).sort(), files);
});

Deno.test("the tree of commands loads no command", async () => {
  const files = await reachable("src/cli/run_command.ts");
  assert.deepEqual(files.filter((file) => file.startsWith("src/cli/commands/")), []);
  assert.ok(files.includes("src/cli/command_tree.ts"));
});

Deno.test("check loads what declares stages, nothing that reads or scores programs", async () => {
  const files = await reachable("src/cli/commands/check.ts");
  const rooms = ["interpreter", "numpy", "mcmc", "density"].map((room) => `src/engine/${room}/`);
  assert.deepEqual(files.filter((file) => rooms.some((room) => file.startsWith(room))), []);
  assert.ok(files.includes("stages/target/mod.ts"));
  assert.ok(!files.includes("stages/target/stage.ts"));
});

Deno.test("one file names the validation library, for each that does costs a start 3 ms", async () => {
  const files = await reachable("src/cli/commands/check.ts");
  const root = new URL("../../", import.meta.url);
  const naming = files.filter((file) => {
    return file.endsWith(".ts") && /from "zod"/.test(Deno.readTextFileSync(new URL(file, root)));
  });
  assert.deepEqual(naming, ["src/base/zod.ts"]);
});
