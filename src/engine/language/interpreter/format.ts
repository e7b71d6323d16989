/** f-strings, as far as names need them. */
import { numberOf } from "./arrays.ts";
import type { Checking } from "./checking.ts";
import type { FormattedField, FormattedString } from "../syntax/tree.ts";
import { describeValue, ignored, touchesResponse, type Value } from "./values.ts";

/** `f"beta_{i}"`. */
export function formatText(checking: Checking, e: FormattedString): Value {
  let text = "";
  for (const part of e.parts) {
    if (typeof part === "string") text += part;
    else {
      const value = checking.evaluate(part.value);
      if (value.kind === "invalid" || value.kind === "ignored") return value;
      if (touchesResponse(value)) return checking.derive(e, value);
      const formatted = formatField(checking, part, value);
      if (formatted === undefined) return refuseField(checking, part, value);
      text += formatted;
    }
  }
  return { kind: "text", value: text };
}

function refuseField(checking: Checking, field: FormattedField, value: Value): Value {
  if (value.kind === "numeric" && numberOf(checking, value) === undefined) return ignored;
  const message = `Cannot put ${describeValue(value)} into an f-string`;
  return checking.error("unsupported/expression", message, field, "put in numbers and strings");
}

function formatField(
  checking: Checking,
  { conversion, format = "" }: FormattedField,
  value: Value,
): string | undefined {
  if (conversion) return undefined;
  if (value.kind === "text") return format === "" ? value.value : undefined;
  const number = numberOf(checking, value);
  if (number === undefined || value.kind !== "numeric") return undefined;
  if (value.dtype === "bool" && format === "") return number === 0 ? "False" : "True";
  if (format === "") return value.dtype === "int" ? `${number}` : pythonFloat(number);
  const whole = /^(0?)([0-9]{0,2})d$/.exec(format);
  if (whole && value.dtype === "int") {
    return `${number}`.padStart(Number(whole[2]), whole[1] === "0" ? "0" : " ");
  }
  const fixed = /^\.([0-9]{1,2})f$/.exec(format);
  return fixed ? toFixed(number, Number(fixed[1])) : undefined;
}

/** To some decimals; of two that are as near the even one, where JavaScript takes the larger. */
function toFixed(number: number, decimals: number): string {
  const all = number.toFixed(100);
  const point = all.indexOf(".") + 1 + decimals;
  const isHalf = /^50*$/.test(all.slice(point)) && /[02468]\.?$/.test(all.slice(0, point));
  return isHalf ? all.slice(0, point).replace(/\.$/, "") : number.toFixed(decimals);
}

/** `repr` of a float: shortest digits, with a point. */
function pythonFloat(number: number): string {
  if (!Number.isFinite(number)) return number > 0 ? "inf" : number < 0 ? "-inf" : "nan";
  const text = `${number}`;
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return exponential(number);
  return Number.isInteger(number) ? `${text}.0` : text;
}

function exponential(number: number): string {
  const [digits, power] = number.toExponential().split("e");
  const sign = power.startsWith("-") ? "-" : "+";
  return `${digits}e${sign}${power.replace(/^[+-]/, "").padStart(2, "0")}`;
}
