/** Text of unknown origin that looks like what it is. */

/**
 * Control characters and marks of writing direction as their code: a text must look like what it is.
 * Line ends and tabs stay.
 */
export function visible(text: string): string {
  return text.toWellFormed().replace(
    // deno-lint-ignore no-control-regex
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
