/** The one WebAssembly memory of a process: programs use it in turn, each with a guest beside it. */

// A memory reserves address space by the gigabyte, so there is one per process.

const pageBytes = 65536;

/** Where constants of elementary functions begin, behind zeros, waste and arguments of guests. */
export const firstConstant = 256;
/** Bytes of these constants. */
export const constantBytes = 2048;
/** Address of the batch of numbers that a function takes at a time. */
export const firstBatch: number = firstConstant + constantBytes;
/** Bytes of these numbers. */
export const batchBytes = 4096;
/** Bytes at the beginning that belong to no tenant. */
export const reservedBytes: number = firstBatch + batchBytes;

/** Owner of the memory: generated code with its constants and values. */
export interface Tenant {
  /** Makes views of the memory again after it has grown. */
  renew(): void;
}

/** User of the memory behind the tenant's part, for example a sampler of its density. */
export interface Guest {
  /** Copies its values out, before the memory is overwritten or views of it end. */
  leave(): void;
}

/**
 * Pages to begin with, 64 MiB of which nothing takes room before it is written: to grow a memory
 * detaches its buffer, upon which V8 discards all optimised code that reads arrays, and later
 * code checks at every read whether the array is still there.
 */
const firstPages = 1024;

let memory: WebAssembly.Memory | undefined;
let tenant: Tenant | undefined;
let guest: Guest | undefined;
let free = reservedBytes;

/**
 * The memory itself, to import.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { sharedMemory } from "./memory.ts";
 * assert(sharedMemory() === sharedMemory()); // one for the process
 * ```
 */
export function sharedMemory(): WebAssembly.Memory {
  return memory ??= new WebAssembly.Memory({ initial: firstPages });
}

/**
 * Whether the memory is as `who` left it.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { isTenant, moveIn } from "./memory.ts";
 * const program = {};
 * moveIn(program as never, 1024);
 * assert(isTenant(program as never));
 * moveIn({} as never, 8);
 * assert(!isTenant(program as never));
 * ```
 */
export function isTenant(who: Tenant): boolean {
  return tenant === who;
}

/**
 * Gives `who` the first `bytes` of the memory; the tenant before has to write its contents again.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { moveIn, sharedMemory } from "./memory.ts";
 * const program = {};
 * moveIn(program as never, 1024);
 * assert(sharedMemory().buffer.byteLength >= 1024);
 * ```
 */
export function moveIn(who: Tenant, bytes: number): void {
  sendAway();
  tenant = undefined;
  ensure(bytes);
  tenant = who;
  free = 16 * Math.ceil(Math.max(bytes, reservedBytes) / 16);
}

/**
 * Whether the bytes behind the tenant are as `who` left them.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { isGuest, lodge } from "./memory.ts";
 * const guest = { leave() {} };
 * lodge(guest, 64);
 * assert(isGuest(guest));
 * ```
 */
export function isGuest(who: Guest): boolean {
  return guest === who;
}

/**
 * Gives `who` as many bytes behind the tenant, from the returned address on.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { lodge, moveIn } from "./memory.ts";
 * moveIn({} as never, 1000);
 * assert(lodge({ leave() {} }, 64) >= 1000); // behind the tenant
 * ```
 */
export function lodge(who: Guest, bytes: number): number {
  sendAway();
  ensure(free + bytes);
  guest = who;
  return free;
}

function sendAway(): void {
  const leaving = guest;
  guest = undefined;
  leaving?.leave();
}

function ensure(bytes: number): void {
  const missing = Math.ceil((bytes - sharedMemory().buffer.byteLength) / pageBytes);
  if (missing <= 0) return;
  sharedMemory().grow(missing);
  tenant?.renew();
}
