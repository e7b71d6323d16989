/** Writes the help of a stage kind: its ports and keys, as `sluice kinds` and the site print them. */
import type { StageSignature } from "../pipeline/contract/mod.ts";
import {
  declarationOf,
  isParameterPath,
  keysOfKind,
  type KindKey,
  loopSignature,
  type PortDeclarations,
} from "../pipeline/read/mod.ts";
import { wrapped } from "../report/wrapped.ts";
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
  const { inputs, outputs } = portsOf(kind);
  return [
    wrapped(`${kind.kind}: ${kind.description}`, width),
    ...part("inputs", inputs.map((port) => portLines(port, width))),
    ...part("outputs", outputs.map((port) => portLines(port, width))),
    ...part("keys", keysOf(kind).map((key) => keyLines(key, width))),
  ].join("\n");
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", `${title}:`, ...lines] : [];
}

/** A port by its name, and its type and meaning in words. */
interface PortHelp {
  readonly name: string;
  readonly words: string;
}

/** Ports of a kind. */
export function portsOf(kind: StageSignature) {
  const { inputs, outputs } = declarationOf(kind);
  return { inputs: portHelp(inputs), outputs: portHelp(outputs) };
}

function portHelp(all: PortDeclarations): PortHelp[] {
  return Object.entries(all).map(([name, { type, optional, description }]) => {
    const of = type === name ? [] : [`a ${type}`];
    const words = [...of, ...(optional ? ["optional"] : []), ...(description ? [description] : [])];
    return { name, words: words.join("; ") };
  });
}

/** A key with its default (`steps = 60`), its meaning and its values. */
interface KeyHelp {
  readonly head: string;
  readonly meaning: string;
  readonly values: string;
}

/** Keys of a kind, those that hold wires by name last. */
export function keysOf(kind: StageSignature): KeyHelp[] {
  const named = Object.entries(declarationOf(kind).wired ?? {})
    .filter(([name]) => !isParameterPath(name))
    .map(([head, { type }]) => {
      return { head, meaning: `a ${type} by names of your own`, values: 'NAME = "stage.port"' };
    });
  return [...keysOfKind(kind).map(keyHelp), ...named];
}

function keyHelp({ path, required, standard, meaning, values }: KindKey): KeyHelp {
  const given = standard === undefined || isEmpty(standard)
    ? ""
    : ` = ${JSON.stringify(standard).replaceAll(",", ", ")}`;
  const plain = values.replaceAll(/ of at least 1 (character|item)/g, "");
  return { head: `${path}${required ? " (required)" : given}`, meaning, values: plain };
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function portLines({ name, words }: PortHelp, width: number): string {
  return `  ${wrapped(`${name}: ${words}`, width - 4).replaceAll("\n", "\n  ")}`;
}

function keyLines({ head, meaning, values }: KeyHelp, width: number): string {
  const text = wrapped(`${meaning} [${values}]`, width - 6).replace(/^ {2}/gm, "");
  return `  ${head}\n      ${text.replaceAll("\n", "\n      ")}`;
}
