/** Answers of a world of one's own: latents, responses and densities, by streams that keys name. */
import { inputError } from "../../base/diagnostic.ts";
import { log, logSumExp } from "../../numerics/math/mod.ts";
import type { Key, LatentsJson, RowsJson, SeenJson } from "../theories/messages.ts";
import {
  type ExperimentDefinition,
  type WorldLatents,
  WorldRandom,
  type WorldRow,
} from "./own_world.ts";

/** Requests to a world of one's own. */
export type WorldAsk =
  /** The keys of the file, and whether there are densities. Answer: `DescribedWorld`. */
  | { readonly op: "describe" }
  /** Latents of an episode for each key. Answer: `LatentsJson[]`. */
  | { readonly op: "latents"; readonly keys: readonly Key[] }
  /** Responses `[draws · copies, rows]`, null where they overflow. */
  | {
    readonly op: "responses";
    readonly latents: LatentsJson;
    readonly at: RowsJson;
    readonly key: Key;
    readonly copies: number;
  }
  /** log p of each row's response, averaged over draws `[rows]`; null where it is 0. */
  | { readonly op: "densities"; readonly latents: LatentsJson; readonly at: SeenJson };

/** A world without its functions. */
export interface DescribedWorld {
  /** Its version. */
  readonly version: number;
  /** Whether it has `logDensity`. */
  readonly has_density: boolean;
  /** The functions' texts, instead of a program. */
  readonly text: string;
  /** As an experiment's file has them. */
  readonly keys: Readonly<Record<string, unknown>>;
}

/** The answer to one request. @throws InputError if the world gives no number. */
export function answerOfWorld(world: ExperimentDefinition, ask: WorldAsk): unknown {
  switch (ask.op) {
    case "describe":
      return described(world);
    case "latents":
      return ask.keys.map((key) => latentsOf(world, key));
    case "responses":
      return responsesOf(world, ask);
    case "densities":
      return densitiesOf(world, ask);
  }
}

function described(world: ExperimentDefinition): DescribedWorld {
  const { version, begin, respond, logDensity, ...keys } = world;
  const texts = [begin, respond, ...(logDensity ? [logDensity] : [])].map(String);
  return { version, has_density: logDensity !== undefined, text: texts.join("\n\n"), keys };
}

function latentsOf(world: ExperimentDefinition, key: Key): LatentsJson {
  const drawn = world.begin(new WorldRandom(...key, "latents"));
  const names = Object.keys(drawn ?? {}).sort();
  const values = names.map((name) => drawn[name]);
  const wrong = values.findIndex((value) => !Number.isFinite(value));
  if (names.length === 0) throw refused(world, "begin gives no latents", "return { name: number }");
  if (wrong >= 0) {
    throw refused(
      world,
      `begin gives ${values[wrong]} for ${names[wrong]}`,
      "give a finite number",
    );
  }
  return { names, draws: 1, parameters: values.map((value) => [value]) };
}

function responsesOf(
  world: ExperimentDefinition,
  { latents, at, key, copies }: Extract<WorldAsk, { op: "responses" }>,
): (number | null)[] {
  const rows = rowsOf(world, at);
  return worldsOf(latents).flatMap((one, draw) =>
    Array.from({ length: copies }, (_, copy) =>
      rows.map((row, k) => {
        const value = world.respond(one, row, new WorldRandom(...key, draw, copy, k));
        if (typeof value !== "number") throw noNumber(world, "respond", value, row);
        return Number.isFinite(value) ? value : null;
      })).flat()
  );
}

function densitiesOf(
  world: ExperimentDefinition,
  { latents, at }: Extract<WorldAsk, { op: "densities" }>,
): (number | null)[] {
  const worlds = worldsOf(latents);
  return rowsOf(world, at).map((row, k) => {
    const logs = worlds.map((one) => world.logDensity!(one, row, at.response[k]));
    const wrong = logs.find((value) => typeof value !== "number" || Number.isNaN(value));
    if (wrong !== undefined) throw noNumber(world, "logDensity", wrong, row);
    const mean = logSumExp(Float64Array.from(logs)) - log(worlds.length);
    return Number.isFinite(mean) ? mean : null;
  });
}

/** Latents of each draw. */
function worldsOf({ names, draws, parameters }: LatentsJson): WorldLatents[] {
  return Array.from(
    { length: draws },
    (_, draw) => Object.fromEntries(names.map((name, k) => [name, parameters[k][draw]])),
  );
}

/** Rows with the levels of categories instead of their codes. */
function rowsOf({ inputs }: ExperimentDefinition, { rows, columns }: RowsJson): WorldRow[] {
  const named = Object.entries(columns).map(([name, values]) => {
    const input = inputs[name] as { readonly levels?: readonly string[] } | undefined;
    return [name, input?.levels ? values.map((code) => input.levels![code]) : values] as const;
  });
  return Array.from(
    { length: rows },
    (_, row) => Object.fromEntries(named.map(([name, values]) => [name, values[row]])),
  );
}

function noNumber(world: ExperimentDefinition, by: string, value: unknown, row: WorldRow): Error {
  const found = `${by} gives ${JSON.stringify(value) ?? value} at ${JSON.stringify(row)}`;
  return refused(world, found, "give a number");
}

function refused({ name }: ExperimentDefinition, found: string, hint: string): Error {
  return inputError(
    "experiment/world",
    `Cannot play experiment "${name}": ${found}`,
    undefined,
    hint,
  );
}
