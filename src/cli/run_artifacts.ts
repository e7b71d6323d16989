/** Artifacts of a project, as commands read them. */

/** The bytes of an artifact, or undefined if the store no longer has them whole. */
export async function readArtifact(root: string, digest: string): Promise<Uint8Array | undefined> {
  const { ObjectStore } = await import("../store/objects.ts");
  const result = new ObjectStore(root).get(digest);
  return result.kind === "found" ? result.bytes : undefined;
}
