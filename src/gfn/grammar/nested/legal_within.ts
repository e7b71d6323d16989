/** Legal choices anywhere within nested holes. */
import { type Place, placeKey, type Rooms } from "./rooms.ts";

/** Actions that some filling of the places takes. */
export function legalWithin(rooms: Rooms, entries: readonly Place[]): Set<number> {
  const actions = new Set<number>();
  const seen = new Set<string>();
  const queue = [...entries];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    if (seen.has(placeKey(place))) continue;
    seen.add(placeKey(place));
    for (const action of rooms.legal(place)) {
      actions.add(action);
      const { normal } = rooms.grammar.actions[action];
      const counts = normal ? rooms.chainLengths(place, action) : [2];
      for (const count of counts) queue.push(...rooms.inner(place, action, count));
    }
  }
  return actions;
}
