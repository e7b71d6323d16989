/** Prints the programs of the torture set that are refitted by PyMC, with their data, as JSON. */
import { countProgram } from "./count_programs.ts";

/** Every kind of structure and response; of few rows, as each is left out. */
export const refitted = [7, 19, 23, 47, 50, 64, 66, 74, 75, 87, 89, 92];

if (import.meta.main) {
  const programs = refitted.map((seed) => {
    const { name, text, data } = countProgram(seed);
    const columns = data.columns.map(({ name, values }) => [name, [...values]]);
    return [seed, { name, text, data: Object.fromEntries(columns) }];
  });
  console.log(JSON.stringify(Object.fromEntries(programs)));
}
