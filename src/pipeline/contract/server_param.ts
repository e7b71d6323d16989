/** Servers and variables that parameters name: the user is asked for them, their stages do not get them. */
import { placesOf } from "../toml/json_schema.ts";
import type { Parametrised } from "./model_param.ts";

/** What a parameter asks for, beyond the process of its stage. */
interface ServerAsk {
  readonly permission: "net" | "env";
  /** `host:port`, or the name of a variable. */
  readonly value: string;
}

/** The servers and variables that the parameters of one stage name. */
export function serverAsks({ params, declaration }: Parametrised): ServerAsk[] {
  const schema = declaration.paramsJsonSchema;
  if (!JSON.stringify(schema ?? {}).includes('"server-url"')) return [];
  return [...placesOf(schema, params)].flatMap(({ value, schemas }): ServerAsk[] => {
    const has = (format: string) => schemas.some((one) => one.format === format);
    if (typeof value !== "string") return [];
    if (has("server-url")) return [{ permission: "net", value: hostOf(value) }];
    return has("variable-name") ? [{ permission: "env", value }] : [];
  });
}

/** `host:port` of all servers that stages name: the user was asked for them with all else outside. */
export function hostsNamed(stages: readonly Parametrised[]): string[] {
  const units = stages.flatMap((stage) => [stage, ...stage.loop?.stages ?? []]);
  const asked = units.flatMap(serverAsks).filter(({ permission }) => permission === "net");
  return [...new Set(asked.map(({ value }) => value))];
}

/** Host and port of a URL, as permissions name them. */
export function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
