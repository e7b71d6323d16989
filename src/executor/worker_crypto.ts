/** SHA-256 for the engine worker: loading Deno's `node:crypto` costs more than the engine itself. */

/** The part of `node:crypto` that the engine uses. */
export function createHash(_algorithm: "sha256"): Hash {
  return new Hash();
}

/** Content is kept until the digest is asked for; nearly always it is given at once. */
class Hash {
  #content: Uint8Array = new Uint8Array(0);

  update(content: Uint8Array | string): Hash {
    const more = typeof content === "string" ? new TextEncoder().encode(content) : content;
    this.#content = this.#content.length === 0 ? more : joined(this.#content, more);
    return this;
  }

  digest(_encoding: "hex"): string {
    const words = sha256Words(this.#content);
    return [...words].map((word) => word.toString(16).padStart(8, "0")).join("");
  }
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array {
  const all = new Uint8Array(before.length + after.length);
  all.set(before);
  all.set(after, before.length);
  return all;
}

interface Constants {
  /** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
  readonly rounds: Int32Array;
  /** Of the square roots of the first 8. */
  readonly start: Uint32Array;
}

let constants: Constants | undefined;

/** FIPS 180-4, sections 4.2.2 and 5.3.3; made when they are first needed, not when a worker starts. */
function sha256Constants(): Constants {
  return constants ??= {
    rounds: Int32Array.from(fractionalParts(64, cubeRoot)),
    start: fractionalParts(8, Math.sqrt),
  };
}

/** The digest's eight words (FIPS 180-4, section 6.2). */
function sha256Words(content: Uint8Array): Uint32Array {
  const { rounds, start } = sha256Constants();
  const state = start.slice();
  const view = new DataView(padded(content).buffer);
  for (let at = 0; at < view.byteLength; at += 64) mixBlock(state, view, at, rounds);
  return state;
}

/** A one bit, zeros, and the length in bits as the last 8 bytes of a whole block. */
function padded(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const size = Math.ceil((content.length + 9) / 64) * 64;
  const bytes = new Uint8Array(size);
  bytes.set(content);
  bytes[content.length] = 0x80;
  new DataView(bytes.buffer).setBigUint64(size - 8, BigInt(content.length) * 8n);
  return bytes;
}

const schedule = new Int32Array(64);

/** One block of 64 bytes; no arrays are made in it, for every program of a run has some of these. */
function mixBlock(state: Uint32Array, view: DataView, at: number, rounds: Int32Array): void {
  const w = schedule;
  for (let t = 0; t < 16; t++) w[t] = view.getInt32(at + 4 * t);
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15], y = w[t - 2];
    const sigma0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const sigma1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[t] = (w[t - 16] + sigma0 + w[t - 7] + sigma1) | 0;
  }
  let a = state[0] | 0, b = state[1] | 0, c = state[2] | 0, d = state[3] | 0;
  let e = state[4] | 0, f = state[5] | 0, g = state[6] | 0, h = state[7] | 0;
  for (let t = 0; t < 64; t++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + sum1 + ((e & f) ^ (~e & g)) + rounds[t] + w[t]) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g, g = f, f = e, e = (d + t1) | 0;
    d = c, c = b, b = a, a = (t1 + t2) | 0;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

function rotate(x: number, bits: number): number {
  return (x >>> bits) | (x << (32 - bits));
}

/** 32 bits of the 47 or more that a double has behind the point. */
function fractionalParts(count: number, root: (n: number) => number): Uint32Array {
  return Uint32Array.from(primes(count), (prime) => Math.floor((root(prime) % 1) * 2 ** 32));
}

/** By Newton's method, which more than halves the distance each time. */
function cubeRoot(n: number): number {
  let x = n;
  for (let i = 0; i < 30; i++) x = (2 * x + n / (x * x)) / 3;
  return x;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found;
}
