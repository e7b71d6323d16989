/** Constants of elementary functions, at fixed places of the memory that all modules share. */
import { constantBytes, firstConstant, sharedMemory } from "./memory.ts";

// An immediate of two lanes takes three instructions wherever it stands, and V8 moves none of them
// out of a loop; a load takes one.

const places = new Map<string, number>();

/** Address of two lanes of this number. There is room for those that functions are made of. */
export function constantAddress(value: number): number {
  const key = Object.is(value, -0) ? "-0" : `${value}`;
  const known = places.get(key);
  if (known !== undefined) return known;
  const offset = 16 * places.size;
  if (offset === constantBytes) throw new Error("internal: no room for another constant");
  const address = firstConstant + offset;
  new Float64Array(sharedMemory().buffer, address, 2).fill(value);
  places.set(key, address);
  return address;
}
