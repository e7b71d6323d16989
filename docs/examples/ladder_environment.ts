/** An environment of one's own: climb a ladder and jump; jumping from a rung pays by its height. */
import { defineEnvironment, type OwnEnvironment } from "sluice";

const [climb, jump] = [0, 1];
const logHalf = -0.6931471805599453;

export default defineEnvironment<number>({
  name: "ladder",
  version: 1,
  create({ rungs = 10, pay = 0.5 }): OwnEnvironment<number> {
    const [top, nats] = [Number(rungs), Number(pay)];
    const terminal = (rung: number) => ({
      text: `rung ${rung}`,
      logPrior: Math.min(rung + 1, top) * logHalf,
      actions: [...Array<number>(rung).fill(climb), jump],
      features: rung === top ? ["top"] : [],
      logReward: nats * rung,
    });
    return {
      actionNames: ["climb", "jump"],
      exitAction: jump,
      maxActions: top + 1,
      count: top + 1,
      initialState: () => 0,
      legalActions: (rung) => Uint8Array.of(rung < top ? 1 : 0, 1),
      step(rung, action) {
        if (action === jump || rung === top) throw new Error("internal: that is illegal");
        return rung + 1;
      },
      logPrior: (rung) => Float64Array.from(rung < top ? [logHalf, logHalf] : [-Infinity, 0]),
      terminal,
      *enumerate() {
        for (let rung = 0; rung <= top; rung++) yield terminal(rung);
      },
      logReward: (rung) => nats * rung,
    };
  },
});
