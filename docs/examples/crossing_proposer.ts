/** A proposer of one's own: crosses two of the best known objects, where the child is legal. */
import { defineProposer, isWay } from "sluice";

export default defineProposer({
  name: "crossing",
  version: 1,
  propose({ environment, count, known, random, parameters: { parents = 50 } }) {
    if (known.length < 2) return [];
    const parent = () => known[random.below(Math.min(known.length, Number(parents)))].actions;
    const children = Array.from({ length: count }, () => {
      const [head, tail] = [parent(), parent()];
      const cut = random.below(head.length);
      return [...head.slice(0, cut), ...tail.slice(cut)];
    });
    return children.filter((child) => isWay(environment, child));
  },
});
