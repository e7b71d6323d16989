/** `deno task bench answers [PROGRAMS] [ROWS]`: seconds from the scores of programs to their answer. */
import { cpuUsage } from "node:process";
import { answerOf } from "../src/answers/answer.ts";
import type { ScoredSpace } from "../src/answers/scored_space.ts";
import { fillNormal } from "../src/numerics/math/random_normal.ts";
import { RandomStream } from "../src/base/random.ts";

/** Answers of each question: as many as growth curves of dugongs have. */
const questionSizes = [16, 7, 4, 2];

/** Times an answer from random scores, three times. */
export function benchAnswers(
  [programs = "5216", rows = "27"]: readonly string[],
): Promise<void> {
  const space = randomSpace(Number(programs), Number(rows));
  for (let i = 0; i < 3; i++) {
    const [started, before] = [performance.now(), cpuUsage()];
    const { bootstrap_tv } = answerOf(space);
    const [wall, cpu] = [(performance.now() - started) / 1000, cpuUsage(before).user / 1e6];
    const size = `${programs} programs, ${rows} rows`;
    const tv = bootstrap_tv!.median.toFixed(3);
    console.log(`${size}: ${cpu.toFixed(2)} s of processor, ${wall.toFixed(2)} s, TV ${tv}`);
  }
  return Promise.resolve();
}

function randomSpace(programs: number, rows: number): ScoredSpace {
  const stream = new RandomStream("bench", "answers");
  const [own, shared] = [new Float64Array(programs * rows), new Float64Array(rows)];
  fillNormal(stream, own);
  fillNormal(stream, shared);
  const pointwise = own.map((one, at) => shared[at % rows] + 0.2 * one);
  const logPrior = new Float64Array(programs).fill(-Math.log(programs));
  const logReward = logPrior.slice();
  pointwise.forEach((one, at) => logReward[Math.floor(at / rows)] += one);
  return {
    ...{ programs, failed: 0, logPrior, priorWeight: 1, logReward, pointwise, rows, unit: "row" },
    derivations: new Int32Array(programs).fill(1),
    mcse: new Float64Array(programs).fill(0.03),
    questions: questionSizes.map((size, q) => ({
      question: `question ${q}`,
      answers: Array.from({ length: size }, (_, a) => ({ answer: `${a}`, prior: 1 / size })),
      given: Int32Array.from({ length: programs }, (_, k) => k % size),
    })),
    effects: [],
  };
}
