/** The examples that the quick tests run are those of doc comments and pages, with imports that hold anywhere. */
import assert from "node:assert/strict";
import { examplesOf } from "../../tools/quick_tests/examples.ts";

const root = new URL("file:///house/");

Deno.test("an example of a doc comment is its code, and is named by its place", () => {
  const text = [
    "/**",
    " * Words.",
    " *",
    " * ```ts",
    ' * import { a } from "./a.ts";',
    " *",
    " * if (a) {",
    ' *   await import("../b.ts");',
    " * }",
    " * ```",
    " */",
    'export { a } from "./a.ts";',
  ].join("\n");
  assert.deepEqual(examplesOf("src/x/mod.ts", text, root), [{
    name: "src/x/mod.ts:5",
    code: [
      'import { a } from "file:///house/src/x/a.ts";',
      "",
      "if (a) {",
      '  await import("file:///house/src/b.ts");',
      "}",
      "",
    ].join("\n"),
  }]);
});

Deno.test("a page gives every fenced block of TypeScript, those of other languages not", () => {
  const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`;
  const page = block("ts", "one();") + block("toml", "two = 2") + block("ts", 'import "sluice";');
  assert.deepEqual(
    examplesOf("docs/page.md", page, root).map(({ name, code }) => [name, code]),
    [["docs/page.md:2", "one();\n"], ["docs/page.md:8", 'import "sluice";\n']],
  );
});
