/** Layers: where `use`, overlays and `--set` put values, and the messages when they cannot. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { InputError, renderDiagnostics } from "../../../src/base/diagnostic.ts";
import { readLayers } from "../../../src/pipeline/toml/layers.ts";
import { plainValue } from "../../../src/pipeline/toml/located.ts";

type Texts = Readonly<Record<string, string>>;
interface Given {
  readonly overlays?: readonly string[];
  readonly sets?: readonly string[];
}

function layersOf(texts: Texts, given: Given = {}) {
  const home = resolve("/home");
  const textAt = (path: string) => texts[path.slice(home.length + 1).replaceAll("\\", "/")];
  const files = {
    readText: (path: string) => {
      const text = textAt(path);
      return text === undefined ? Promise.reject(new Error("none")) : Promise.resolve(text);
    },
    exists: (path: string) => Promise.resolve(textAt(path) !== undefined),
    list: (folder: string) => Promise.resolve(folder === home ? Object.keys(texts) : []),
  };
  return readLayers({ path: "a.toml", cwd: home, sluiceRoot: resolve("/sluice"), files, ...given });
}

const valueOf = async (texts: Texts, given: Given = {}) =>
  plainValue((await layersOf(texts, given)).root);

async function messageOf(texts: Texts, given: Given = {}): Promise<string> {
  try {
    await layersOf(texts, given);
  } catch (error) {
    assert.ok(error instanceof InputError);
    return renderDiagnostics(error.diagnostics, error.sources ?? new Map());
  }
  return "no errors";
}

Deno.test("use lies under its table, overlays over it, --set over all", async () => {
  const texts = {
    "a.toml": '[t]\nuse = "b.toml"\nfile = "a"\nover = "a"\nset = "a"\n',
    "b.toml": 'used = "b"\nfile = "b"\nover = "b"\nset = "b"\n',
    "c.toml": '[t]\nover = "c"\nset = "c"\n',
    "d.toml": '[t]\nover = "d"\n',
  };
  const given = { overlays: ["@c.toml", "d.toml"], sets: ["t.set=first", "t.set=last"] };
  assert.deepEqual(await valueOf(texts, given), {
    t: { used: "b", file: "a", over: "d", set: "last" },
  });
});

Deno.test("a used file may use another, in any table", async () => {
  const texts = {
    "a.toml": 'use = "b.toml"\n',
    "b.toml": 'x = 1\n[t]\nuse = "c.toml"\n',
    "c.toml": "y = 2\n",
  };
  assert.deepEqual(await valueOf(texts), { x: 1, t: { y: 2 } });
});

Deno.test("tables merge key by key, lists are replaced whole", async () => {
  const texts = { "a.toml": "[t]\nx = { a = 1, b = 2 }\nl = [1, 2]\n" };
  const given = { sets: ["t.x.b=3", "t.l=[4]"] };
  assert.deepEqual(await valueOf(texts, given), { t: { x: { a: 1, b: 3 }, l: [4] } });
});

Deno.test("a table of another kind replaces, a stage of another kind keeps its keys", async () => {
  const texts = {
    "a.toml": '[stages.a]\nkind = "x"\nkept = 1\np = { kind = "old", gone = 1 }\n',
    "o.toml": '[stages.a]\nkind = "y"\np = { kind = "new", here = 2 }\n',
  };
  const wanted = { stages: { a: { kind: "y", kept: 1, p: { kind: "new", here: 2 } } } };
  assert.deepEqual(await valueOf(texts, { overlays: ["o.toml"] }), wanted);
  const sets = ["stages.a.kind=y", "stages.a.p.kind=new", "stages.a.p.here=2"];
  assert.deepEqual(await valueOf(texts, { sets }), wanted);
});

Deno.test("--set takes TOML values, bare words as text, and places in lists", async () => {
  const sets = ["n=2e3", "b=true", 's="q"', "w=native", "d.l=[1, 2]", "d.l.1=5", "t={a=1}"];
  const value = await valueOf({ "a.toml": "" }, { sets });
  const wanted = { n: 2000, b: true, s: "q", w: "native", d: { l: [1, 5] }, t: { a: 1 } };
  assert.deepEqual(value, wanted);
});

Deno.test("a file that uses itself is shown with the way round", async () => {
  const texts = { "a.toml": 'use = "b.toml"\n', "b.toml": '[t]\nuse = "a.toml"\n' };
  assert.equal(
    await messageOf(texts),
    `b.toml:2:7: Cannot read "a.toml": it uses itself: a.toml → b.toml → a.toml
   2 | use = "a.toml"
     |       ^^^^^^^^`,
  );
});

Deno.test("missing and malformed files of all layers are reported at once", async () => {
  const texts = { "a.toml": 'use = "base.tml"\n', "base.toml": "", "o.toml": "x = yes\n" };
  const given = { overlays: ["o.toml", "none/at/all.toml"], sets: ["x", "a..b=1", "y=[1"] };
  assert.equal(
    await messageOf(texts, given),
    `Cannot read none/at/all.toml: there is no file "none/at/all.toml"
  mend: the folder "none/at" is missing or empty; paths are relative to the working directory

--set:1:1: Cannot read --set: found "x", wanted path=value
   1 | x
     | ^
  mend: write --set path=value, for example --set stages.train.steps=2000

--set:2:3: Cannot read --set: a key is missing or malformed
   2 | a..b=1
     |   ^
  mend: write --set path=value, for example --set stages.train.steps=2000

--set:3:5: Cannot read --set as TOML: expected comma or end of structure
   3 | y=[1
     |     ^

a.toml:1:7: Cannot read use: there is no file "base.tml"
   1 | use = "base.tml"
     |       ^^^^^^^^^^
  mend: did you mean "base.toml"?

o.toml:1:5: Cannot read this as TOML: found yes, wanted a value
   1 | x = yes
     |     ^^^
  mend: text is written in quotes: "yes"

6 errors`,
  );
});
