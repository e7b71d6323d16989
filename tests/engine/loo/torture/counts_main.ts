/** Prints a table of random count programs against quadrature: `deno task torture:counts [count] [first]`. */
import { countTrial } from "./counts.ts";

const count = Number(Deno.args[0] ?? 100);
const first = Number(Deno.args[1] ?? 0);
let faults = 0;
console.log("seed  exact      error     mcse  worst row  by       ms  method  program");
for (let seed = first; seed < first + count; seed++) {
  const { name, method, exact, elpd, mcse, worst, away, fault, took } = countTrial(seed);
  if (fault) faults += 1;
  const cells = [
    `${seed}`.padStart(4),
    exact.toFixed(3).padStart(10),
    (elpd - exact).toFixed(4).padStart(9),
    mcse.toExponential(1).padStart(8),
    `${worst}`.padStart(3),
    away.toFixed(4).padStart(7),
    took.toFixed(0).padStart(6),
    method.padEnd(21),
    name,
    fault ? `: ${fault}` : "",
  ];
  console.log(cells.join("  "));
}
console.log(`${faults} of ${count} beyond 4 errors + 0.02 nats, or without a score`);
if (faults > 0) Deno.exit(1);
