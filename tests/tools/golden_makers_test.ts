/** Makers of golden files that take names put their cases into the file, and leave the others. */
import assert from "node:assert/strict";

const folder = new URL("../../tools/golden/", import.meta.url);

/** Last step of each maker, which decides which cases stay. */
function writes(name: string): string {
  return Deno.readTextFileSync(new URL(name, folder));
}

/** Makers that read names or numbers of cases from their command line. */
function makersOfSome(): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".py") && /argv\[\d+:\]/.test(writes(name))).sort();
}

/** Faults of a maker: it takes names, and replaces the file by what they made. */
function overwrites(text: string): boolean {
  return !/^from kept_cases import /m.test(text);
}

Deno.test("every maker that is asked for some cases keeps the others", () => {
  assert.deepEqual(makersOfSome(), ["distributions.py", "dugongs_elpd.py", "structured.py"]);
  assert.deepEqual(makersOfSome().filter((name) => overwrites(writes(name))), []);
  const planted = writes("distributions.py").replace("from kept_cases import write_cases\n", "");
  assert.ok(overwrites(planted));
});
