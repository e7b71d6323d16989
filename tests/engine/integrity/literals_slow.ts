/** All forgeries by constants, honest programs and one blind search: the page's claims hold. */
import assert from "node:assert/strict";
import { forgeries } from "./literals/forgeries.ts";
import { furtherForgeries } from "./literals/further_forgeries.ts";
import { givenForgeries } from "./literals/given_forgeries.ts";
import { grounds } from "./literals/grounds.ts";
import { chargeOf, collections } from "./literals/honest_programs.ts";
import { charged, isOverpaid } from "./literals/pay.ts";
import { search, searchGiven } from "./literals/search.ts";

Deno.test("no forgery earns more than honesty once its constants are charged", () => {
  const all = [...forgeries, ...furtherForgeries, ...givenForgeries];
  const wrong = all.filter((one) => isOverpaid(one, charged(one.text, grounds[one.about])));
  assert.deepEqual(wrong.map(({ name }) => name), []);
});

Deno.test("no honest program is charged more than 3 nats", () => {
  const programs = Object.values(collections).flatMap((all) => all());
  const charges = programs.flatMap((one) => chargeOf(one) ?? []);
  assert.ok(charges.length > 190);
  assert.ok(Math.min(...charges) > -3);
});

Deno.test("20,000 blind tries on shuffled residuals come to next to nothing", () => {
  const nets = [0, 1, 2, 3].map((shuffle) => search(20_000, shuffle).net);
  assert.ok(nets.reduce((a, b) => a + b) / nets.length < 0.5, `${nets}`);
});

Deno.test("trying arithmetic on numbers that cost little comes to next to nothing", () => {
  const nets = [0, 1].map((shuffle) => searchGiven(shuffle).net);
  assert.ok(nets.reduce((a, b) => a + b) / nets.length < 0.5, `${nets}`);
});
