/** New rows with a level that was not estimated, files that are not there, responses that hold nothing. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeDataset } from "../../src/base/dataset.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { missingFile } from "../../src/cli/input_file.ts";
import { newRows } from "../../src/cli/new_rows.ts";
import { refusedRows, withKnownLevels } from "../../src/cli/refused_rows.ts";
import { spacePipeline } from "../../src/cli/space_pipeline.ts";
import { inspectFile } from "../../src/cli/inspect_file.ts";
import { separations } from "../../src/gfn/spaces/mod.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const folder = temporaryFolder();
const written = (name: string, text: string) => {
  Deno.writeTextFileSync(join(folder, name), text);
  return join(folder, name);
};
const common = { role: "predictor", type: "category" } as const;
const data = makeDataset("cats", [
  { name: "y", role: "response", type: "real", values: Float64Array.of(1, 2, 3, 4) },
  { ...common, name: "sex", categories: ["F", "M"], values: Float64Array.of(0, 1, 0, 1) },
  {
    ...common,
    name: "site",
    role: "group",
    categories: ["a", "b"],
    values: Float64Array.of(0, 0, 1, 1),
  },
  { name: "race", role: "predictor", type: "real", values: Float64Array.of(1, 2, 3, 1) },
]);
const texts = [
  'eta + b * (data["sex"] == 1) + c * (data["race"] == 2) + effect_site[data["site"]]',
];
const file = written("new.csv", "sex,site,race\nF,a,1\nN,a,1\nM,z,3\nF,b,4\n");

Deno.test("a row with an unknown level of a factor is refused, of a group it is not", async () => {
  const rows = await newRows(file, data);
  const refused = refusedRows(rows, data, texts);
  assert.deepEqual([...refused], [
    [1, 'sex is "N", which no row of the data has (F, M)'],
    [3, 'race is "4", which no row of the data has (1, 2, 3)'],
  ]);
  assert.deepEqual([...refusedRows(rows, data, ["nothing of them"])], []);
  const sound = withKnownLevels(rows, data, refused);
  assert.deepEqual([...sound.columns.get("sex")!], [0, 0, 1, 0]);
  assert.deepEqual([...sound.columns.get("race")!], [1, 1, 3, 1]);
  assert.equal(sound.columns.get("site")![2], 2, "a new group is drawn from its population");
  assert.throws(() => withKnownLevels(rows, data, refused, 0), /Cannot predict: sex is "N"/);
  const all = new Map([0, 1, 2, 3].map((row) => [row, "no"]));
  assert.throws(() => withKnownLevels(rows, data, all), InputError);
});

Deno.test("a file that lacks a predictor of the programs is refused, with the name that was meant", async () => {
  const misspelt = written("misspelt.csv", "sex,rase\nF,1\n");
  await assert.rejects(newRows(misspelt, data, texts), ({ message, diagnostics }) => {
    assert.match(
      message,
      /Cannot predict at .*misspelt\.csv: it lacks site, race, which programs read/,
    );
    assert.match(diagnostics[0].hint, /add these columns, or give values: --at "x=1,2"/);
    return true;
  });
  const race = ['b * data["race"]'];
  await assert.rejects(newRows(misspelt, data, race), ({ diagnostics }) => {
    assert.match(diagnostics[0].hint, /^is "rase" a misspelt "race"\? add the column/);
    return true;
  });
  const { columns } = await newRows(misspelt, data, ['(data["sex"] == 1)']);
  assert.deepEqual([...columns.keys()], ["sex"]); // predictors that no program reads may lack
});

Deno.test("a level that is a number is known however it is written", async () => {
  const race = { ...common, name: "race", categories: ["1", "2"], values: Float64Array.of(0, 1) };
  const y = { name: "y", role: "response", type: "real", values: Float64Array.of(1, 2) } as const;
  const { columns, unseen } = await newRows(
    written("codes.csv", "race\n2.0\n1\n7\n"),
    makeDataset("d", [y, race]),
  );
  assert.deepEqual([...columns.get("race")!], [1, 0, 2]);
  assert.deepEqual([...unseen], [["race", ["7"]]]);
});

Deno.test("a file that is not there is told with the one that may be meant", () => {
  written("dugongs.csv", "a,b\n1,2\n");
  const [{ message, hint }] = missingFile(join(folder, "dugongs.cvs")).diagnostics;
  assert.match(message, /dugongs\.cvs: there is no such file/);
  assert.equal(hint, `did you mean ${join(folder, "dugongs.csv")}?`);
  assert.equal(missingFile(join(folder, "nowhere", "x.csv")).diagnostics[0].hint, undefined);
});

Deno.test("a response without any value is refused by name", async () => {
  const { columns } = await inspectFile(written("na.csv", "y,x\nNA,1\nNA,2\nNA,3\n"), "y");
  const asked = { name: "na", path: "na.csv", columns, formula: "y ~ [x]" };
  assert.throws(() => spacePipeline(asked), /Cannot explain "y": it holds nothing/);
});

Deno.test("a level of which every count is 0 separates, one of a single row does not", () => {
  const counts = (...values: number[]) => {
    const y = {
      name: "deaths",
      role: "response",
      type: "count",
      values: Float64Array.from(values),
    };
    const half = {
      name: "d2",
      role: "predictor",
      type: "binary",
      values: Float64Array.of(0, 0, 1, 1, 0, 1),
    };
    return separations(makeDataset("d", [y, half] as never), ["d2"]).map(({ how }) => how);
  };
  assert.deepEqual(counts(3, 0, 0, 0, 2, 0), ["every row at d2 = 1 has deaths = 0"]);
  assert.deepEqual(counts(3, 0, 0, 1, 2, 0), []);
  assert.deepEqual(counts(0, 0, 0, 0, 0, 0), []);
});
