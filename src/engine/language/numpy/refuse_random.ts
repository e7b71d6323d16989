/** Refuses random variables as arguments of NumPy's functions, and names the replacement. */
import type { CallSite } from "../interpreter/arrays.ts";
import { elementwise } from "./elementwise.ts";

/** NumPy does not work on random variables. */
export function refuseRandom(site: CallSite): undefined {
  const name = site.text.split(".").at(-1) ?? "";
  const message = `Cannot call ${site.text} on a random variable: NumPy only works on data`;
  if (["array", "asarray", "hstack", "column_stack"].includes(name)) {
    const place = site.place;
    const stack = "write pm.math.stack([...])";
    return void site.checking.error("names/numpy-on-random-variable", message, place, stack);
  }
  const same = Object.hasOwn(elementwise["pm.math"], name);
  const kin = [
    "stack",
    "concatenate",
    "dot",
    "matmul",
    "where",
    "sum",
    "mean",
    "prod",
    "max",
    "min",
  ];
  const hint = same || kin.includes(name) ? `write pm.math.${name}` : "write it with pm.math";
  const place = site.place;
  site.checking.error("names/numpy-on-random-variable", message, place, hint);
}
