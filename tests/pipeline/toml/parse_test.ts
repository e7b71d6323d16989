/** TOML with positions: values, places of keys and values, and syntax errors as users read them. */
import assert from "node:assert/strict";
import { InputError, renderDiagnostics } from "../../../src/base/diagnostic.ts";
import { readSet } from "../../../src/pipeline/toml/sets.ts";
import { parseTomlFile } from "../../../src/pipeline/toml/parse.ts";
import type { Path } from "../../../src/pipeline/toml/path.ts";

const text = `title = "é𝄞" # a comment
x.y = 3
[stages.train]
steps = 800
state = { policy = "w.policy" }
[[checks]]
sql = "a"
[[checks]]
sql = [1, { b = 2 }]
"q.k" = 1979-05-27
`;
const document = parseTomlFile(text, "a.toml");
const at = (path: Path, which: "key" | "value" = "value") => {
  const span = document.spanOf(path, which);
  return span && `${span.line}:${span.column}-${span.endColumn}`;
};

Deno.test("parseTomlFile() gives plain values, dates as text", () => {
  assert.equal(
    JSON.stringify(document.value),
    '{"title":"é𝄞","x":{"y":3},"stages":{"train":{"steps":800,"state":{"policy":"w.policy"}}},' +
      '"checks":[{"sql":"a"},{"sql":[1,{"b":2}],"q.k":"1979-05-27"}]}',
  );
});

Deno.test("spanOf() finds keys and values, columns counted in characters", () => {
  assert.equal(at(["title"]), "1:9-13");
  assert.equal(at(["x", "y"], "key"), "2:3-4");
  assert.equal(at(["stages", "train"], "key"), "3:9-14");
  assert.equal(at(["stages"], "key"), "3:2-8");
  assert.equal(at(["stages", "train", "steps"], "key"), "4:1-6");
  assert.equal(at(["stages", "train", "state", "policy"]), "5:20-30");
  assert.equal(at(["checks", 0], "key"), "6:3-9");
  assert.equal(at(["checks", 1, "sql", 1, "b"]), "9:17-18");
  assert.equal(at(["checks", 1, "q.k"], "key"), "10:1-6");
  assert.equal(at(["nobody"]), undefined);
});

function messageOf(source: string, code = "toml/syntax"): string {
  try {
    parseTomlFile(source, "a.toml");
  } catch (error) {
    assert.ok(error instanceof InputError);
    assert.deepEqual(error.diagnostics.map((d) => d.code), [code]);
    return renderDiagnostics(error.diagnostics, new Map([["a.toml", source]]));
  }
  return "no errors";
}

Deno.test("text without quotes is shown and told to take quotes", () => {
  assert.equal(
    messageOf("seed = 1\nname = dugongs\n"),
    `a.toml:2:8: Cannot read this as TOML: found dugongs, wanted a value
   2 | name = dugongs
     |        ^^^^^^^
  mend: text is written in quotes: "dugongs"`,
  );
});

Deno.test("a missing value is told so", () => {
  assert.equal(
    messageOf("seed =\n"),
    `a.toml:1:7: Cannot read this as TOML: a value is missing
   1 | seed =
     |       ^
  mend: write a value, or remove the key`,
  );
});

Deno.test("a key that is defined twice is named", () => {
  assert.equal(
    messageOf("seed = 1\nseed = 2\n"),
    `a.toml:2:1: Cannot read this as TOML: seed is defined twice
   2 | seed = 2
     | ^^^^
  mend: rename one of the two, or write their keys into one table`,
  );
});

Deno.test("a byte order mark and Windows line ends are taken", () => {
  const windows = parseTomlFile("\ufeffa = 1\r\nb = 2\r\n", "a.toml");
  assert.deepEqual(windows.value, { a: 1, b: 2 });
  assert.equal(windows.spanOf(["b"], "value")?.line, 2);
});

Deno.test("a document that is too deep has its message, with the line", () => {
  const deep = `seed = 1\n${Array(50_000).fill("a").join(".")} = 1\n`;
  assert.match(
    messageOf(deep, "toml/too-deep"),
    /^a\.toml:2:1: Cannot read a\.toml: keys and lists are more than 100 levels deep/,
  );
  const lists = `x = ${"[".repeat(150)}${"]".repeat(150)}`;
  assert.match(messageOf(lists, "toml/too-deep"), /more than 100 levels deep/);
  assert.ok(parseTomlFile(`${Array(90).fill("a").join(".")} = 1`, "a.toml"));
});

Deno.test("a --set whose path is too deep has its message", () => {
  const read = readSet(`${Array(50_000).fill("a").join(".")}=1`, 1, "/");
  assert.ok("diagnostic" in read);
  assert.match(
    read.diagnostic.message,
    /found 50000 keys, one inside the other, wanted at most 100/,
  );
});
