/** All forgeries by constants, honest programs and one blind search: what the page says holds. */
import assert from "node:assert/strict";
import { quantile } from "../../../src/numerics/math/mod.ts";
import { forgeries } from "./literals/forgeries.ts";
import { furtherForgeries } from "./literals/further_forgeries.ts";
import { grounds } from "./literals/grounds.ts";
import { chargeOf, collections } from "./literals/honest_programs.ts";
import { charged, isOverpaid } from "./literals/pay.ts";
import { search } from "./literals/search.ts";

Deno.test("no forgery earns more than honesty once its constants are charged", () => {
  const wrong = [...forgeries, ...furtherForgeries].filter((one) =>
    isOverpaid(one, charged(one.text, grounds[one.about]))
  );
  assert.deepEqual(wrong.map(({ name }) => name), []);
});

Deno.test("nineteen of twenty honest programs are charged less than 4 nats", () => {
  const programs = Object.values(collections).flatMap((all) => all().filter((_, i) => i % 3 === 0));
  const charges = programs.flatMap((one) => chargeOf(one) ?? []);
  assert.ok(charges.length > 60);
  assert.ok(quantile(Float64Array.from(charges).sort(), 0.05) > -4);
});

Deno.test("20,000 blind tries on shuffled residuals come to next to nothing", () => {
  const nets = [0, 1, 2, 3].map((shuffle) => search(20_000, shuffle).net);
  assert.ok(nets.reduce((a, b) => a + b) / nets.length < 0.5, `${nets}`);
});
