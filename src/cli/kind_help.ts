/** Writes the help of a stage kind: its ports and keys, as `sluice kinds` and the site print it. */
import type { StageSignature } from "../pipeline/contract/mod.ts";
import {
  declarationOf,
  keysOfKind,
  type KindKey,
  loopSignature,
  type PortDeclarations,
} from "../pipeline/read/mod.ts";
import { wrapped } from "../report/format.ts";
import { builtInKinds } from "../../stages/mod.ts";

/** The built-in kinds, and the loop around stages. */
export const helpedKinds: readonly StageSignature[] = [...builtInKinds.values(), loopSignature];

/** Names and descriptions of the kinds in lines of at most `width` columns. */
export function kindList(width: number): string {
  const wide = Math.max(...helpedKinds.map(({ kind }) => kind.length)) + 2;
  return helpedKinds.map(({ kind, description }) => {
    const lines = wrapped(description, width - wide).replace(/\n {2}/g, `\n${" ".repeat(wide)}`);
    return `${kind.padEnd(wide)}${lines}`;
  }).join("\n");
}

/** Help of a kind in lines of at most `width` columns. */
export function kindHelp(kind: StageSignature, width: number): string {
  const { inputs, outputs, wired = {} } = declarationOf(kind);
  const named = Object.entries(wired).filter(([name]) => !name.includes("."))
    .map(([path, { type }]) => ({
      path,
      values: `a table { NAME = "stage.port" }`,
      required: false,
      meaning: `${type} by names of your own`,
    }));
  return [
    wrapped(`${kind.kind}: ${kind.description}`, width),
    ...part("inputs", ports(inputs, width)),
    ...part("outputs", ports(outputs, width)),
    ...part("keys", [...keysOfKind(kind), ...named].map((key) => keyLines(key, width))),
  ].join("\n");
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", `${title}:`, ...lines] : [];
}

function ports(all: PortDeclarations, width: number): string[] {
  return Object.entries(all).map(([name, { type, optional, description }]) => {
    const of = type === name ? [] : [`a ${type}`];
    const words = [...of, ...(optional ? ["optional"] : []), ...(description ? [description] : [])];
    return `  ${wrapped(`${name}: ${words.join("; ")}`, width - 4).replaceAll("\n", "\n  ")}`;
  });
}

/** The key with its default, and its meaning with the values that it takes below. */
function keyLines({ path, required, standard, meaning, values }: KindKey, width: number): string {
  const given = standard === undefined || isEmpty(standard)
    ? ""
    : ` = ${JSON.stringify(standard).replaceAll(",", ", ")}`;
  const text = wrapped(`${meaning} [${plain(values)}]`, width - 6).replace(/^ {2}/gm, "");
  return `  ${path}${required ? " (required)" : given}\n      ${text.replaceAll("\n", "\n      ")}`;
}

/** Values without limits that go without saying. */
function plain(values: string): string {
  return values.replaceAll(/ of at least 1 (character|item)/g, "");
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
