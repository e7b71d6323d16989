/** Draws the pictures of a page, and gives them as files too. */
import { type Picture, widths } from "../figures/picture.ts";
import { pictureSvg, standaloneSvg } from "../figures/svg.ts";
import type { DrawnPicture } from "./drawn.ts";

/** One picture in both widths. */
export async function draw(picture: Picture): Promise<DrawnPicture> {
  const page = await pictureSvg(picture.draw(widths.page), `page_${picture.name}`);
  const phone = await pictureSvg(picture.draw(widths.phone), `phone_${picture.name}`);
  return { picture, page, phone };
}

/** Contents by name. */
export type PictureFiles = ReadonlyMap<string, string | Uint8Array>;

/** A picture as files by their names: SVG with colours for a dark background, and PNG. */
export async function pictureFiles(
  { picture: { name }, page }: DrawnPicture,
): Promise<PictureFiles> {
  const { pngOf } = await import("../figures/png.ts");
  return new Map<string, string | Uint8Array>([
    [`${name}.svg`, standaloneSvg(page)],
    [`${name}.png`, await pngOf(page)],
  ]);
}
