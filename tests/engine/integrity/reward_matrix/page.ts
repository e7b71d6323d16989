/** The rows of the reward matrix: an attack at a front end, and what it is paid without a defence. */
import { dugongs } from "../../density/data.ts";
import { families } from "./attacks.ts";
import type { Attack } from "./attack.ts";
import type { Pay } from "./pay.ts";

/** An attack's reward, with its family. */
export interface Found extends Pay {
  readonly family: string;
}

/** Figures by front end (`native`, `pymc`) or by the defence that was left out. */
type Figures = Readonly<Record<string, readonly Found[]>>;

const doorNames: Readonly<Record<string, string>> = { native: "native", pymc: "PyMC" };

/** All rows, by family, attack and front end. */
export function matrixRows(figures: Figures, defences: readonly string[]) {
  const doors = Object.keys(doorNames).filter((door) => door in figures);
  return families.flatMap((family) =>
    family.attacks(dugongs(0.01)).flatMap((attack) =>
      doors.map((door) => ({ kind: family.name, ...rowOf(attack, door, figures, defences) }))
    )
  );
}

function rowOf(attack: Attack, door: string, figures: Figures, defences: readonly string[]) {
  const own = of(figures[door], attack);
  const changed = door !== "native" ? [] : defences.flatMap((defence) => {
    const other = of(figures[defence], attack);
    return told(other) === told(own) ? [] : [`${defence}: ${told(other)}`];
  });
  return {
    attack: attack.name,
    front_end: doorNames[door],
    honest: attack.honest?.toFixed(1) ?? "",
    paid: told(own),
    left_out: changed.join("; "),
  };
}

function of(found: readonly Found[], { name }: Attack): Found {
  return found.find((one) => one.name === name)!;
}

/** A reward to a tenth of a nat, so that noise shows no difference, or the code of the refusal. */
function told({ refused, reward }: Found): string {
  return refused ?? reward!.toFixed(1);
}
