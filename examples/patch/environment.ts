/** An environment of patches: site after site a line is left or replaced; the text is a diff. */
import { defineEnvironment, type OwnEnvironment } from "sluice";
import { log } from "sluice/numerics/math";
import { sites } from "./edits.ts";
import { type Edit, patchOf } from "./patch.ts";

/** The choice at each site so far: 0 leaves the line. */
type Chosen = readonly number[];

const counts = sites.map(({ instead }) => instead.length + 1);
/** Choices of a site are actions of its own. */
const starts = counts.map((_, site) => counts.slice(0, site).reduce((a, b) => a + b, 0));
const exit = counts.reduce((a, b) => a + b, 0);

/** Text of a patch that changes nothing: objects are texts that are not empty. */
export const nothing = "# nothing is changed\n";

export default defineEnvironment<Chosen>({
  name: "patch",
  version: 1,
  create(): OwnEnvironment<Chosen> {
    const logPriorOf = (chosen: Chosen) =>
      chosen.reduce((sum, _, site) => sum - log(counts[site]), 0);
    const editsOf = (chosen: Chosen) =>
      chosen.flatMap((choice, site): Edit[] => {
        const { instead, ...place } = sites[site];
        return choice === 0 ? [] : [{ ...place, instead: instead[choice - 1] }];
      });
    const terminal = (chosen: Chosen) => {
      if (chosen.length < sites.length) throw new Error("internal: the exit is not legal here");
      return {
        text: patchOf(editsOf(chosen)) || nothing,
        logPrior: logPriorOf(chosen),
        actions: [...chosen.map((choice, site) => starts[site] + choice), exit],
        features: editsOf(chosen).map(({ instead }) => instead.trim()),
      };
    };
    return {
      actionNames: [
        ...sites.flatMap(({ line, instead }) => [`leave ${line.trim()}`, ...instead.map(trimmed)]),
        "end",
      ],
      exitAction: exit,
      maxActions: sites.length + 1,
      count: counts.reduce((a, b) => a * b, 1),
      initialState: () => [],
      legalActions: ({ length: site }) =>
        Uint8Array.from({ length: exit + 1 }, (_, action) => isLegal(site, action) ? 1 : 0),
      step(chosen, action) {
        if (action === exit || !isLegal(chosen.length, action)) {
          throw new Error("internal: that is illegal");
        }
        return [...chosen, action - starts[chosen.length]];
      },
      logPrior: ({ length: site }) =>
        Float64Array.from({ length: exit + 1 }, (_, action) => {
          if (!isLegal(site, action)) return -Infinity;
          return site === sites.length ? 0 : -log(counts[site]);
        }),
      terminal,
      *enumerate() {
        let some: Chosen[] = [[]];
        for (const count of counts) {
          some = some.flatMap((chosen) =>
            Array.from({ length: count }, (_, choice) => [...chosen, choice])
          );
        }
        for (const chosen of some) yield terminal(chosen);
      },
    };
  },
});

function isLegal(site: number, action: number): boolean {
  if (site === sites.length) return action === exit;
  return action >= starts[site] && action < starts[site] + counts[site];
}

function trimmed(line: string): string {
  return line.trim();
}
