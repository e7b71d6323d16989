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

/** A flag's parser for ports; 0 is any that is free. @throws InputError from the parser. */
export function portNumber(flag: string): (text: string) => number {
  const isPort = (value: number) => Number.isInteger(value) && value >= 0 && value < 65_536;
  return reader(flag, isPort, "a port: a whole number from 0 to 65535");
}

/** A flag's parser for numbers above 0. @throws InputError from the parser. */
export function positiveNumber(flag: string): (text: string) => number {
  return reader(flag, (value) => Number.isFinite(value) && value > 0, "a number above 0");
}

/** A flag's parser for numbers of either sign. @throws InputError from the parser. */
export function realNumber(flag: string): (text: string) => number {
  return reader(flag, Number.isFinite, "a number");
}

/** A flag's parser for shares. @throws InputError from the parser. */
export function share(flag: string): (text: string) => number {
  return reader(flag, (value) => value > 0 && value <= 1, "a share above 0 and at most 1");
}

const units: Readonly<Record<string, number>> = {
  "": 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** A flag's parser for an amount of memory in bytes: `2GiB`. @throws InputError from the parser. */
export function byteSize(flag: string): (text: string) => number {
  return (text) => {
    const [, digits, unit] = /^\s*(\d+(?:\.\d+)?)\s*(\w*)\s*$/.exec(text) ?? [];
    const bytes = Math.floor(Number(digits) * (units[unit] ?? NaN));
    if (bytes > 0) return bytes;
    const wanted = "a size such as 512MiB or 8GiB";
    throw inputError("cli/size", `Cannot use ${flag} ${JSON.stringify(text)}: wanted ${wanted}`);
  };
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
