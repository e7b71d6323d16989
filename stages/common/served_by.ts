/** Places an oracle or a policy at its own URL, or at that of the service that is wired. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { ServiceProcess } from "../../src/base/service_process.ts";

/** Kinds that ask a server, by their names in messages. */
const served: Readonly<Record<string, string>> = {
  server: "an oracle on a server",
  tinker: "a policy that a server trains",
};

/** The configuration of an oracle or policy. */
interface Asking {
  readonly kind: string;
  readonly url?: string | undefined;
}

/** A configuration with its server in place. @throws InputError as {@link requireService}. */
export function servedBy<T extends Asking>(asked: T, service: ServiceProcess | undefined) {
  requireService(asked, service !== undefined);
  const { url = service?.url ?? "", ...rest } = asked;
  return { ...rest, url, ...(service && { service }) };
}

/** @throws InputError unless what asks a server has a URL or a service, and nothing else has one. */
export function requireService({ kind, url }: Asking, isWired: boolean): void {
  const what = served[kind];
  if (what === undefined) {
    if (!isWired) return;
    const message = `Cannot serve what is of kind "${kind}": it is asked on this machine`;
    const hint = `leave out service, or write kind = ${
      Object.keys(served).map((one) => `"${one}"`).join(" or ")
    }`;
    throw inputError("server/service", message, undefined, hint);
  }
  if ((url === undefined) === isWired) return;
  const has = isWired ? "both a URL and a service" : "neither a URL nor a service";
  const message = `Cannot ask ${what}: it has ${has}`;
  const hint = 'write url = "http://…", or wire inputs = { service = "…" }';
  throw inputError("server/service", message, undefined, hint);
}
