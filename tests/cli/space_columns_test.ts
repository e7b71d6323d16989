/** Columns of a formula: constant predictors, and texts that differ in every row, are refused. */
import assert from "node:assert/strict";
import { columnsOfSpace, columnsRead } from "../../src/cli/space_columns.ts";
import { responseAsked } from "../../src/cli/space_options.ts";
import type { InspectedColumn } from "../../src/data/inspect.ts";

const common = { missing: 0, rows: 3 };
const columns = [
  { ...common, name: "y", role: "response", type: "real", distinct: 3, range: [1, 3] },
  { ...common, name: "k", role: "ignore", type: "real", distinct: 1, range: [5, 5] },
  { ...common, name: "n", role: "ignore", type: "count", distinct: 1, range: [9, 9] },
  { ...common, name: "id", role: "ignore", type: "category", distinct: 3, remark: "one each" },
] as unknown as InspectedColumn[];

const roleOf = (formula: string, name: string) =>
  columnsOfSpace(columns, { space: "regression", formula }).find((one) => one.name === name)!.role;

Deno.test("a predictor that is the same in every row is refused by name", () => {
  assert.throws(() => roleOf("y ~ [k]", "k"), /"k" as a predictor: it is the same in every row/);
});

Deno.test("trials may be the same in every row", () => {
  assert.equal(roleOf("y | trials(n) ~ 1", "n"), "predictor");
});

Deno.test("a text of which every row has its own is refused as a predictor, and is a group if asked", () => {
  assert.throws(() => roleOf("y ~ [id]", "id"), /"id" as a predictor: one each/);
  assert.equal(roleOf("y ~ [(1 | id)]", "id"), "group");
});

Deno.test("words are ordered levels in the order that is said, and never as they are sorted", () => {
  const levels = ["mild", "none", "severe"];
  const response = { ...common, name: "pain", role: "response", type: "category", levels };
  const orderedBy = (order?: readonly string[]) =>
    columnsOfSpace([response as unknown as InspectedColumn], { space: "ordinal", levels: order })[0]
      .order;
  assert.throws(() => orderedBy(), /"pain": .* are words/);
  assert.deepEqual(orderedBy(["none", "mild", "severe"]), ["none", "mild", "severe"]);
  for (const order of [["none", "mild"], ["none", "mild", "mild"], ["none", "mild", "sever"]]) {
    assert.throws(() => orderedBy(order), /by --levels none,mild/);
  }
});

Deno.test("an event in words or in ones and twos is taken in the order that is said", () => {
  const eventOf = (held: Partial<InspectedColumn>, levels?: readonly string[]) => {
    const status = { ...common, name: "status", role: "predictor", type: "category", ...held };
    const both = [...columns, status] as unknown as InspectedColumn[];
    const asked = { space: "survival", formula: "y | event(status) ~ 1", levels } as const;
    return columnsOfSpace(both, asked).find(({ role }) => role === "event")!;
  };
  const words = { levels: ["censored", "dead"], distinct: 2 };
  const ones = { type: "count", range: [1, 2], distinct: 2 } as const;
  assert.throws(() => eventOf(words), /"status" as the event: it holds censored and dead/);
  assert.throws(() => eventOf(ones), /it holds 1 and 2/);
  const kinds = { type: "count", range: [0, 2], distinct: 3 } as const;
  for (const order of [undefined, ["0", "2"]]) {
    assert.throws(() => eventOf(kinds, order), /it holds 3 values from 0 to 2, wanted two values/);
  }
  const three = { levels: ["alive", "dead", "moved"], distinct: 3 };
  assert.throws(() => eventOf(three), /it holds alive, dead, moved, wanted two values/);
  assert.throws(() => eventOf(words, ["censored", "died"]), /it holds censored and dead/);
  assert.deepEqual(eventOf(words, ["dead", "censored"]).order, ["dead", "censored"]);
  assert.deepEqual(eventOf(ones, ["1", "2"]).order, ["1", "2"]);
  assert.deepEqual(eventOf({ levels: ["No", "Yes"], distinct: 2 }).order, ["No", "Yes"]);
  assert.equal(eventOf({ type: "binary", range: [0, 1], distinct: 2 }).order, undefined);
});

Deno.test("columns that no formula names are not read: what they lack costs no rows", () => {
  const also = [
    ...columns,
    { ...common, name: "x", role: "predictor", type: "real", distinct: 3, range: [0, 1] },
    { ...common, name: "gaps", role: "predictor", type: "real", missing: 2 },
    { ...common, name: "site", role: "group", type: "category" },
    { ...common, name: "plot", role: "group", type: "category", missing: 1 },
    { ...common, name: "year", role: "time", type: "real" },
  ] as unknown as InspectedColumn[];
  const readFor = (formula: string, group?: string) =>
    columnsRead(also, formula, group).filter(({ role }) => role !== "ignore").map((c) => c.name);
  assert.deepEqual(readFor("y ~ [x]"), ["y", "x", "year"]);
  assert.deepEqual(readFor("y ~ 1", "plot"), ["y", "plot", "year"]);
  assert.deepEqual(readFor("y ~ (1 + gaps | plot)"), ["y", "gaps", "plot", "year"]);
});

const race = { ...common, name: "race", role: "predictor", type: "real", codes: [1, 2, 3] };
const lev = { ...common, name: "lev", role: "predictor", type: "category", levels: [..."abcdefg"] };
const coded = [
  ...columns,
  { ...race, distinct: 3, range: [1, 3], hint: "a code?" },
  { ...lev, distinct: 7 },
] as unknown as InspectedColumn[];

Deno.test("numbers in factor(…) or under --category are names, elsewhere amounts", () => {
  const typeOf = (formula: string, category?: ReadonlyMap<string, readonly string[] | undefined>) =>
    columnsOfSpace(coded, { space: "regression", formula, category })
      .find(({ name }) => name === "race")!;
  assert.equal(typeOf("y ~ [factor(race)]").type, "category");
  assert.equal(typeOf("y ~ C(race):k2 + race").type, "real", "read as numbers too");
  assert.equal(typeOf("y ~ [race]").type, "real");
  assert.equal(typeOf("y ~ [race]", new Map([["race", undefined]])).type, "category");
  const ordered = typeOf("y ~ mo(race)", new Map([["race", ["3", "1", "2"]]]));
  assert.deepEqual([ordered.order, ordered.hint], [["3", "1", "2"], undefined]);
  assert.throws(() => typeOf("y ~ race", new Map([["race", ["1", "2"]]])), /by --category 1,2/);
  assert.throws(() => typeOf("y ~ race", new Map([["rase", undefined]])), /no column "rase"/);
});

Deno.test("words are a group in (… | g) or by --group alone, however many levels they have", () => {
  const roleIn = (formula: string, group?: string) =>
    columnsRead(
      columnsOfSpace(coded, { space: "regression", formula, group }),
      formula,
      group,
    ).find(({ name }) => name === "lev")!.role;
  assert.equal(roleIn("y ~ [lev]"), "predictor");
  assert.equal(roleIn("y ~ race"), "ignore");
  assert.equal(roleIn("y ~ [(1 | lev)]"), "group");
  assert.equal(roleIn("y ~ race", "lev"), "group");
});

Deno.test("the response is that of the formula, which a flag may repeat but not contradict", () => {
  const formula = "log(y) ~ [x]";
  assert.equal(responseAsked("d.csv", { formula }), "y");
  assert.equal(responseAsked("d.csv", { formula, response: "y" }), "y");
  assert.equal(responseAsked("d.csv", { response: "z" }), "z");
  assert.throws(
    () => responseAsked("d.csv", { formula, response: "z" }),
    /Cannot use --response z: the response of the formula is "y"/,
  );
  assert.throws(() => responseAsked("d.csv", {}), /no option names the response/);
});
