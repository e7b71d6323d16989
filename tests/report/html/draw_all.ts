/** Draws all pictures of a page at once, as the report's worker does one by one. */
import { draw } from "../../../src/report/html_report/draw.ts";
import type { Drawn, DrawnPicture } from "../../../src/report/html_report/drawn.ts";
import type { Picture } from "../../../src/report/figures/picture.ts";

/** All pictures in both widths. */
export async function drawAll(pictures: readonly Picture[]): Promise<Drawn> {
  const drawn: [string, DrawnPicture][] = [];
  for (const picture of pictures) drawn.push([picture.name, await draw(picture)]);
  return new Map(drawn);
}
