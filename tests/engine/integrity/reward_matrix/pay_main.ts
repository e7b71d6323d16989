/** Prints what attacks are paid, a line of JSON each: `deno run pay_main.ts native|pymc NAMES [limited]`. */
import { dugongs } from "../../density/data.ts";
import { families } from "./attacks.ts";
import { native, pay, throughPymc } from "./pay.ts";

const [where, names, limited] = Deno.args;
const only: readonly string[] = JSON.parse(names);
const data = dugongs(0.01);
const root = new URL("../../../../", import.meta.url).pathname;
const door = where === "pymc" ? throughPymc(root) : native;
for (const family of families) {
  for (const attack of family.attacks(data)) {
    if (!only.includes(attack.name)) continue;
    const { gradientsWithout = 400_000, ...rest } = attack;
    // Without a defence, programs burn all that they may.
    const allowed = limited ? { ...rest, maxGradients: gradientsWithout } : rest;
    console.log(JSON.stringify({ family: family.name, ...await pay(allowed, data, door) }));
  }
}
