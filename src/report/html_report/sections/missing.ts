/** Sentences of the page where a result is missing. */
import type { Missing } from "../facts.ts";
import { type Html, markup } from "../html.ts";

/** Why, and what would bring it. */
export function missingNote({ why, mend }: Missing): Html {
  const way = mend === undefined ? undefined : markup` What brings it: <code>${mend}</code>`;
  return markup`<p class="missing">${why}${way}</p>
`;
}
