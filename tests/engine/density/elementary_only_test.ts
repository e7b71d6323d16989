/** No function whose bits differ between JavaScript engines stands in the code of Sluice or its examples. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";

const root = new URL("../../../", import.meta.url);
const forbidden =
  /Math\.(exp|log|log1p|expm1|pow|sin|cos|tan|tanh|sinh|cosh|asin|acos|atan|atan2|cbrt|hypot|log2|log10)\b/;

/** Allowed: angles that are rounded to 32 bits, as PyTorch rounds them, and the digits of reports. */
const exceptions = /^src\/(models\/decoder\/rotary_tables\.ts$|report\/)/;

Deno.test("Sluice uses its own elementary functions", () => {
  const offending: string[] = [];
  let files = 0;
  for (const folder of ["src", "stages", "docs/examples"]) {
    const names = readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" });
    for (const name of names.filter((one) => one.endsWith(".ts"))) {
      if (exceptions.test(`${folder}/${name}`)) continue;
      files++;
      const lines = readFileSync(new URL(`${folder}/${name}`, root), "utf8").split("\n");
      lines.forEach((line, i) => {
        const code = line.replace(/^\s*(\*|\/\/|\/\*).*/, "");
        if (forbidden.test(code)) offending.push(`${folder}/${name}:${i + 1}: ${line.trim()}`);
      });
    }
  }
  assert.ok(files > 100, `${files} files were read`);
  assert.deepEqual(offending, []);
});
