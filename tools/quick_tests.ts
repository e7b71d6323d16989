/** Runs the quick tests and all examples in a few isolates: `deno task test`. */
import { type Example, examplesOf } from "./quick_tests/examples.ts";

/**
 * So many isolates share all files: each loads the modules of its neighbours once. More than there
 * are processors, so that a long one holds up the end less.
 */
const isolates = 8;

const root = new URL("../", import.meta.url);

/** Tracked and new files below a folder, in their order, that end in one of these. */
async function filesBelow(places: readonly string[], ends: readonly string[]): Promise<string[]> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...places];
  const { stdout, success } = await new Deno.Command("git", { args, cwd: root }).output();
  if (!success) {
    throw new Error("git ls-files failed: tests are found in a clone of the repository");
  }
  const files = new TextDecoder().decode(stdout).split("\n");
  return [...new Set(files)].filter((file) => ends.some((end) => file.endsWith(end))).sort();
}

async function textOf(file: string): Promise<string> {
  return await Deno.readTextFile(new URL(file, root)).catch(() => "");
}

/** Neighbours stay together: they import the same modules. */
function chunks<T>(all: readonly T[], count: number): (readonly T[])[] {
  const size = Math.ceil(all.length / count);
  return Array.from({ length: count }, (_, i) => all.slice(i * size, (i + 1) * size))
    .filter((some) => some.length > 0);
}

/** A module that imports files of tests. */
function moduleOfTests(files: readonly string[]): string {
  return files.map((file) => `import "${new URL(file, root).href}";\n`).join("");
}

/** A module with one test for each example, each in a module of its own. */
function moduleOfExamples(folder: URL, examples: readonly Example[]): string {
  return examples.map(({ name, code }, i) => {
    const own = new URL(`example_${name.replaceAll(/\W/g, "_")}_${i}.ts`, folder);
    Deno.writeTextFileSync(own, code);
    return `Deno.test("${name}", async () => void await import("${own.href}"));\n`;
  }).join("");
}

/** Processor seconds of the processes that this one has waited for; undefined where the system does not say. */
function secondsOfChildren(): number | undefined {
  try {
    const fields = Deno.readTextFileSync("/proc/self/stat").split(") ")[1].split(" ");
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return undefined;
  }
}

/** Files and folders in a folder, each folder with its first files, which tell the test that left it. */
function leftIn(folder: URL): string[] {
  return [...Deno.readDirSync(folder)].map(({ name, isDirectory }) => {
    const within = isDirectory ? [...Deno.readDirSync(new URL(name, folder))] : [];
    return `  ${[name, ...within.slice(0, 5).map((one) => one.name)].join(" ")}`;
  });
}

if (import.meta.main) {
  const folder = new URL(`file://${await Deno.makeTempDir({ prefix: "quick_tests_" })}/`);
  const tests = await filesBelow(["tests"], ["_test.ts"]);
  const documented = await filesBelow(["mod.ts", "src", "docs", "README.md"], [".ts", ".md"]);
  const examples = (await Promise.all(documented.map(async (file) => {
    return examplesOf(file, await textOf(file), root);
  }))).flat();
  const modules = [
    ...chunks(tests, isolates).map(moduleOfTests),
    ...chunks(examples, 2).map((some) => moduleOfExamples(folder, some)),
  ];
  const paths = modules.map((text, i) => {
    const path = new URL(`group_${String(i).padStart(2, "0")}.ts`, folder);
    Deno.writeTextFileSync(path, text);
    return path.pathname;
  });
  const flags = ["--quiet", "--parallel", "--no-check", "--allow-all", "--config", "deno.json"];
  const args = ["test", ...flags, ...Deno.args, ...paths];
  const own = new URL("temporary/", folder);
  Deno.mkdirSync(own);
  const env = { TMPDIR: own.pathname };
  const { code } = await new Deno.Command(Deno.execPath(), { args, cwd: root, env }).spawn().status;
  const left = leftIn(own);
  if (left.length > 0) console.error(`tests left temporary files:\n${left.join("\n")}`);
  await Deno.remove(folder, { recursive: true });
  const seconds = secondsOfChildren();
  if (seconds !== undefined) console.log(`${Math.round(seconds)} CPU seconds`);
  Deno.exit(code || Math.min(left.length, 1));
}
