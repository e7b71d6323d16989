/** Remarks of `init` and `rank` on columns, and the page of commands that they write. */
import assert from "node:assert/strict";
import { spacePipeline, spaceReadme } from "../../src/cli/space_pipeline.ts";
import { inspectTable } from "../../src/data/inspect.ts";
import { parseTable } from "../../src/data/raw_table.ts";

const rows = Array.from({ length: 20 }, (_, i) => {
  return `${300 + Math.floor(i / 4)},${1 + (i % 7) / 2},${200 + 7 * i},${i % 9}`;
});
const text = ["person,hours,reaction,seen", ...rows, ""].join("\n");
const table = await parseTable(new TextEncoder().encode(text), "d.csv");

const remarksOf = (response: string, asked: Record<string, unknown> = {}) =>
  spacePipeline(
    {
      ...{ name: "d", path: "d.csv", columns: inspectTable(table, response), response },
      ...asked,
    } as Parameters<typeof spacePipeline>[0],
  ).remarks;

Deno.test("large whole numbers, and numbers that stand in blocks, are asked about until it is said", () => {
  const [person, response, seen, ...others] = remarksOf("reaction");
  assert.match(person, /^person: equal numbers stand together.*--group person$/);
  assert.match(seen, /^seen: the values 0, 1, .*write factor\(seen\) in the formula/);
  assert.match(
    response,
    /^reaction: whole numbers from 200 to 333, read as measurements to 1: .*--families poisson/,
  );
  assert.deepEqual(others, []);
  assert.deepEqual(
    remarksOf("reaction", { group: "person", resolution: 1 }).filter((one) =>
      !one.startsWith("hours") && !one.startsWith("seen")
    ),
    [],
  );
});

Deno.test("an exposure is asked about, and not where the formula has it as one", () => {
  const said = (formula: string) =>
    remarksOf("seen", { formula }).filter((one) => one.startsWith("hours"));
  assert.match(said("seen ~ [hours]")[0], /offset/);
  assert.deepEqual(said("seen ~ 1 + offset(log(hours))"), []);
});

Deno.test("whole numbers that are few are asked about where the formula reads them as amounts", () => {
  const said = (formula: string) =>
    remarksOf("reaction", { formula }).filter((one) => one.startsWith("seen"));
  assert.match(said("reaction ~ [seen]")[0], /--category seen$/);
  for (const term of ["factor(seen)", "poly(seen, 2)", "mo(seen)"]) {
    assert.deepEqual(said(`reaction ~ [${term}]`), []);
  }
});

Deno.test("commands to be copied are those of a checkout", () => {
  const page = spaceReadme("d", "my data/d.toml", { formula: "y ~ [x]", families: ["normal"] });
  assert.match(page, /^ {4}deno task sluice run 'my data\/d\.toml' {2}# score/m);
  assert.doesNotMatch(page, /^ {4}sluice/m);
});

Deno.test("the group that is to be left out stands before other groups of the formula", () => {
  const columns = inspectTable(table, "reaction");
  const asked = (group: string) => {
    const formula = "reaction ~ (1 | person/seen)";
    return spacePipeline({ name: "d", path: "d.csv", columns, formula, group }).toml;
  };
  for (const [group, other] of [["person", "seen"], ["seen", "person"]]) {
    const groups = [...asked(group).matchAll(/^(\w+) = { role = "group"/gm)].map(([, name]) =>
      name
    );
    assert.deepEqual(groups, [group, other]);
  }
});

Deno.test("columns that are not read are those that the formula does not name, and no group of it", () => {
  const columns = inspectTable(table, "reaction");
  const formula = "reaction ~ [hours] + [(1 | person)]";
  const { toml } = spacePipeline({ name: "d", path: "d.csv", columns, formula });
  assert.match(toml, /^# Not in the formula, and so not read: "seen"\.$/m);
});
