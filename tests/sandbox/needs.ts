/** Tests that need the kernel's layers and Python: skipped, visibly, where those are not. */
import { existsSync } from "node:fs";
import { examineHost } from "../../src/sandbox/host.ts";

const { host, layers } = await examineHost();
const missing = [
  ...layers.filter(({ ok }) => !ok).map(({ layer }) => layer),
  ...(existsSync("/usr/bin/python3") ? [] : ["python3"]),
];

/** Whether this process may do what only root may. */
export const asRoot = host?.asRoot ?? false;

/** A test that runs where levels L2 and L3 can be had. */
export function sandboxTest(name: string, fn: () => Promise<void>): void {
  const ignore = missing.length > 0;
  Deno.test({ name: ignore ? `${name} (skipped: needs ${missing.join(", ")})` : name, ignore, fn });
}
