/** How the user called Sluice, for hints and for commands that are to be copied. */
export function commandName(): string {
  return import.meta.url.endsWith(".ts") ? "deno task sluice" : "npx sluice";
}
