/** Servers, variables, commands and images that parameters name: the user is asked for them, their stages do not get them. */
import { shellWords } from "../../base/shell_words.ts";
import { placesOf } from "../toml/json_schema.ts";
import type { Parametrised } from "./model_param.ts";
import type { ServiceRun } from "./service.ts";

/** Request of a parameter for a permission beyond the process of its stage. */
interface ServerAsk {
  readonly permission: "net" | "env" | "run" | "image";
  /** `host:port`, the name of a variable, a command as a shell reads it, or a container's image by its content. */
  readonly value: string;
}

/** The servers, variables, commands and images that the parameters of one stage name. */
export function serverAsks({ params, declaration }: Parametrised): ServerAsk[] {
  const schema = declaration.paramsJsonSchema;
  if (!/"server-url"|"container-image"/.test(JSON.stringify(schema ?? {}))) return [];
  return [...placesOf(schema, params)].flatMap(({ value, schemas }): ServerAsk[] => {
    const has = (format: string) => schemas.some((one) => one.format === format);
    if (Array.isArray(value)) {
      return has("command") ? [{ permission: "run", value: shellWords(value.map(String)) }] : [];
    }
    if (typeof value !== "string") return [];
    if (has("container-image")) return [{ permission: "image", value }];
    if (has("server-url")) return [{ permission: "net", value: hostOf(value) }];
    return has("variable-name") ? [{ permission: "env", value }] : [];
  });
}

/** Servers (`host:port`), variables, commands of services and images that stages name and the user was asked for. */
export function allowedServers(
  stages: readonly Parametrised[],
): Required<Pick<ServiceRun, "hosts" | "variables" | "commands" | "images">> {
  const units = stages.flatMap((stage) => [stage, ...stage.loop?.stages ?? []]);
  const asked = units.flatMap(serverAsks);
  const of = (
    wanted: ServerAsk["permission"],
  ) => [...new Set(asked.filter((one) => one.permission === wanted).map(({ value }) => value))];
  return { hosts: of("net"), variables: of("env"), commands: of("run"), images: of("image") };
}

/**
 * Host and port of a URL, as permissions name them.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { hostOf } from "./server_param.ts";
 * assert.equal(hostOf("https://example.org/v1"), "example.org:443");
 * ```
 */
export function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
