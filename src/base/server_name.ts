/** Parameters that name a server, and the variable of a key: the user is asked for both. */
import { z } from "./zod.ts";

/** The root of a server's interface: http or https, without user, password or query. */
export function serverUrl(): z.ZodString {
  return z.string().refine(isServer, "wanted http://HOST:PORT or https://HOST, without a password")
    .meta({ format: "server-url" });
}

/** A command and its arguments, which the user is asked to allow. */
export function serviceCommand(): z.ZodArray<z.ZodString> {
  return z.array(z.string().min(1)).min(1).meta({ format: "command" });
}

/** The name of a variable of the environment. */
export function variableName(): z.ZodString {
  return z.string().refine(isVariable, "wanted the name of a variable, never a key")
    .meta({ format: "variable-name" });
}

function isServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) &&
    [username, password, search, hash].every((one) => one === "");
}

function isVariable(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(text);
}
