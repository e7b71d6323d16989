/** Placeholders for the response: of its shape and type, and nothing of its values. */
import type { Column } from "../../base/dataset.ts";
import { RandomStream } from "../../base/random.ts";

/**
 * `[rows]`: numbers that a response of this type might have, drawn from the program's text so that
 * the same text meets the same ones. Real ones lie in (0, 1), where every family has a density.
 */
export function placeholder(
  { type, values, categories }: Column,
  key: readonly string[],
): number[] {
  const random = new RandomStream("placeholder", ...key);
  const whole = (end: number) => random.below(end);
  return Array.from(values, () => {
    switch (type) {
      case "real":
        return 0.05 + 0.9 * random.uniform();
      case "binary":
        return whole(2);
      case "category":
        return whole(categories?.length ?? 2);
      case "count":
        return 1 + whole(9);
    }
  });
}
