/** Prints what every attack is paid, a line of JSON each: `deno run pay_main.ts native|pymc [NAME]`. */
import { dugongs } from "../../density/data.ts";
import { families } from "./attacks.ts";
import { native, pay, throughPymc } from "./pay.ts";

const [where = "native", only] = Deno.args;
const data = dugongs(0.01);
const root = new URL("../../../../", import.meta.url).pathname;
const door = where === "pymc" ? throughPymc(root) : native;
for (const family of families) {
  for (const attack of family.attacks(data)) {
    if (only && !attack.name.includes(only)) continue;
    console.log(JSON.stringify({ family: family.name, ...await pay(attack, data, door) }));
  }
}
