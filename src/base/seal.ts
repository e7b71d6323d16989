/** Seals: signatures by a user's key, which distinguish the user's files from those of others. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { readIfThere, removeIfThere, writeAtomic } from "./atomic.ts";
import { userFolder } from "./user_folder.ts";

/** Hexadecimal digits of a public key, by which users name one another's. */
export const keyIdLength = 64;

/** Hexadecimal digits of a seal. */
export const sealLength = 128;

/** DER of an Ed25519 key before its 32 bytes (RFC 8410, section 4). */
const spkiPrefix = "302a300506032b6570032100";

/** A key that seals. */
export interface Sealer {
  /** The public key, 64 hexadecimal digits. */
  readonly keyId: string;
  /** True if the key lies in the project, with which it could be shipped. */
  readonly ofProject: boolean;
  /** The seal of a text: 128 hexadecimal digits. */
  seal(text: string): string;
}

/** Whether a seal is that of a text by the key of this id (Ed25519, RFC 8032). */
export function isSealed(text: string, seal: string, keyId: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(keyId) || !/^[0-9a-f]{128}$/.test(seal)) return false;
  return verify(null, bytesOf(text), publicKey(keyId), Buffer.from(seal, "hex"));
}

const publicKeys = new Map<string, KeyObject>();

function publicKey(keyId: string): KeyObject {
  const known = publicKeys.get(keyId);
  if (known) return known;
  const key = createPublicKey({ key: spki(keyId), format: "der", type: "spki" });
  publicKeys.set(keyId, key);
  return key;
}

function spki(keyId: string): Buffer {
  return Buffer.from(spkiPrefix + keyId, "hex");
}

/**
 * The user's own key, made at first use: `key` in the user's folder, readable by its owner only.
 * Where that folder cannot be written, a key of the project in `<root>/.sluice/key`; where that cannot
 * be written either, one that ends with this process.
 */
export function openSealer(root: string): Sealer {
  const folder = userFolder();
  const own = folder && tryKey(join(folder, "key"));
  if (own) return sealerOf(own, false);
  const ofProject = projectKey(root);
  return ofProject ? sealerOf(ofProject, true) : sealerOf(newKey(), false);
}

/** Warning, once a run, of a key that lies in the project. */
export const keyOfProject: string =
  "no folder of the user's can be written: the key of cached results and scores lies in .sluice, where " +
  "the one who shipped the project could have put one; set HOME, or allow to write ~/.config/sluice";

/** The key of a project, beside a `.gitignore` that keeps it out of the repository. */
function projectKey(root: string): Uint8Array | undefined {
  const key = tryKey(join(root, ".sluice", "key"));
  const ignore = join(root, ".sluice", ".gitignore");
  if (key && !readIfThere(ignore)) writeAtomic(ignore, "*\n");
  return key;
}

/** PKCS #8 of a new key; kept nowhere by this function. */
function newKey(): Uint8Array {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "der" });
}

function tryKey(path: string): Uint8Array | undefined {
  try {
    return keyAt(path);
  } catch {
    return undefined;
  }
}

/** PKCS #8 of the key in a file; one that is not there is made. */
function keyAt(path: string): Uint8Array {
  const known = readIfThere(path);
  if (known && isKey(known)) return known;
  if (known) throw new Error(`internal: ${path} holds no key`);
  const made = newKey();
  Deno.mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${crypto.randomUUID()}`;
  Deno.writeFileSync(temporary, made, { createNew: true, mode: 0o600 });
  try {
    // Exclusive: of two processes that begin together one makes the key, and both use it.
    Deno.linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) Deno.renameSync(temporary, path);
  } finally {
    removeIfThere(temporary);
  }
  return readIfThere(path) ?? made;
}

function isKey(bytes: Uint8Array): boolean {
  try {
    return createPrivateKey(pkcs8(bytes)).asymmetricKeyType === "ed25519";
  } catch {
    return false;
  }
}

function sealerOf(bytes: Uint8Array, ofProject: boolean): Sealer {
  const key = createPrivateKey(pkcs8(bytes));
  const der = createPublicKey(key).export({ type: "spki", format: "der" });
  return {
    keyId: der.toString("hex").slice(spkiPrefix.length),
    ofProject,
    seal: (text) => sign(null, bytesOf(text), key).toString("hex"),
  };
}

function pkcs8(bytes: Uint8Array) {
  return { key: Buffer.from(bytes), format: "der" as const, type: "pkcs8" as const };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
