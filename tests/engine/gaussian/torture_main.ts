/** Prints a table of random linear-Gaussian programs against brute force: `deno task torture [count]`. */
import { trial } from "./torture.ts";

const count = Number(Deno.args[0] ?? 200);
let faults = 0;
console.log("seed  exact      error     mcse      ms  method  program");
for (let seed = 0; seed < count; seed++) {
  const { name, method, exact, elpd, mcse, fault, took } = trial(seed);
  if (fault) faults += 1;
  const cells = [
    `${seed}`.padStart(4),
    exact.toFixed(3).padStart(10),
    (elpd - exact).toFixed(4).padStart(9),
    mcse.toExponential(1).padStart(8),
    took.toFixed(0).padStart(6),
    method.padEnd(20),
    name,
    fault ? `: ${fault}` : "",
  ];
  console.log(cells.join("  "));
}
console.log(`${faults} of ${count} beyond 4 errors + 0.02 nats, unresolved or without a score`);
if (faults > 0) Deno.exit(1);
