/** Numbers given to flags: read strictly, so that a mistyped one is reported and not guessed. */
import { inputError } from "../base/diagnostic.ts";

/** A flag's parser for whole numbers of at least `least`. @throws InputError from the parser. */
export function wholeNumber(flag: string, least: number): (text: string) => number {
  return reader(
    flag,
    (value) => Number.isInteger(value) && value >= least,
    `a whole number of at least ${least}`,
  );
}

/** A flag's parser for numbers above 0. @throws InputError from the parser. */
export function positiveNumber(flag: string): (text: string) => number {
  return reader(flag, (value) => Number.isFinite(value) && value > 0, "a number above 0");
}

function reader(
  flag: string,
  fits: (value: number) => boolean,
  wanted: string,
): (text: string) => number {
  return (text) => {
    const value = text.trim() === "" ? NaN : Number(text);
    if (fits(value)) return value;
    throw inputError("cli/number", `Cannot use ${flag} ${JSON.stringify(text)}: wanted ${wanted}`);
  };
}
