/** Where an oracle on a server is: at its own URL, or at that of the service that is wired. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { ServerConfig, ServiceProcess } from "../../src/oracle/oracle.ts";

type Asked = Omit<ServerConfig, "url" | "service"> & { readonly url?: string | undefined };

/** The server as its oracle asks it. @throws InputError as {@link requireService}. */
export function servedBy(asked: Asked, service: ServiceProcess | undefined): ServerConfig {
  requireService(asked, service !== undefined);
  const { url = service?.url ?? "", ...rest } = asked;
  return { ...rest, url, ...(service && { service }) };
}

/** @throws InputError unless a server has a URL or a service, and no other oracle has one. */
export function requireService(
  { kind, ...rest }: { readonly kind: string },
  isWired: boolean,
): void {
  const url = "url" in rest ? rest.url : undefined;
  if (kind !== "server") {
    if (!isWired) return;
    const message = `Cannot serve an oracle of kind "${kind}": it is asked on this machine`;
    throw inputError("oracle/service", message, undefined, 'leave out service, or kind = "server"');
  }
  if ((url === undefined) === isWired) return;
  const what = isWired ? "both a URL and a service" : "neither a URL nor a service";
  const message = `Cannot ask an oracle on a server: it has ${what}`;
  const hint = 'write url = "http://…", or wire inputs = { service = "…" }';
  throw inputError("oracle/service", message, undefined, hint);
}
