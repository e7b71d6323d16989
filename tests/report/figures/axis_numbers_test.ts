/** Numbers of axes in pictures, as they are drawn. */
import assert from "node:assert/strict";
import { pictureSvg, type TopLevelSpec } from "../../../src/report/figures/svg.ts";

/** The texts of a picture of points, whose axes are these. */
async function textsOf(xs: readonly number[], x: object = {}): Promise<string[]> {
  const values = xs.map((at) => ({ at, y: at }));
  const specification = {
    data: { values },
    layer: [
      { mark: "point", encoding: { x: { field: "at", type: "quantitative", ...x } } },
      { mark: "rule", encoding: { x: { field: "y", type: "quantitative" } } },
    ],
  } as unknown as TopLevelSpec;
  const svg = await pictureSvg(specification, "p");
  return Array.from(svg.matchAll(/>([^<>]+)<\/text>/g), ([, text]) => text);
}

Deno.test("years have no comma, and very small and large numbers an exponent", async () => {
  const zero = { scale: { zero: false } };
  assert.ok((await textsOf([1965, 1970, 1975], zero)).includes("1970"));
  assert.ok((await textsOf([1e-12, 4e-12], zero)).includes("2e-12"));
  assert.ok((await textsOf([1e12, 4e12], zero)).includes("2e+12"));
});

Deno.test("an axis that says a format of its own keeps it in all layers", async () => {
  assert.ok((await textsOf([0, 1], { axis: { format: ".0%" } })).includes("100%"));
});
