/** A temporary project folder, lent to one test. */

/** Makes a folder, lends it, and removes it. */
export async function inFolder(use: (root: string) => void | Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "sluice-test-" });
  try {
    await use(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
