/** A picture on the page: drawn for a page and for a telephone, of which the style shows one. */
import type { Picture } from "../figures/picture.ts";
import { Html, markup } from "./html.ts";

/** A picture with its drawings, which are SVG that Vega has written and escaped. */
export interface DrawnPicture {
  readonly picture: Picture;
  readonly page: string;
  readonly phone: string;
}

/** By the name of the picture. */
export type Drawn = ReadonlyMap<string, DrawnPicture>;

/** The figure, or nothing if there is no such picture; `bare` where the text explains it. */
export function figure(drawn: Drawn, name: string, kind?: "bare"): Html | undefined {
  const found = drawn.get(name);
  if (!found) return undefined;
  const { picture, page, phone } = found;
  const caption = kind === "bare" ? undefined : markup`<figcaption>${picture.caption}</figcaption>`;
  return markup`<figure class="picture">
<div class="page" role="img" aria-label="${picture.alt}">${new Html(page)}</div>
<div class="phone" role="img" aria-label="${picture.alt}">${new Html(phone)}</div>
${caption}</figure>
`;
}
