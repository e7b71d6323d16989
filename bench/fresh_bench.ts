/** Fresh programs from text to result, one after another in a warm process, beside PyMC and ArviZ. */
import { cpuUsage } from "node:process";
import { fileURLToPath } from "node:url";
import { defaultSchedule } from "../src/engine/score/execution/execution.ts";
import { scoreNow } from "../src/engine/score/score.ts";
import {
  type Case,
  cases,
  datasetOf,
  type Priors,
  textOf,
  withConstants,
  withFamilies,
} from "./fresh_programs.ts";
import { withName } from "./with_name.ts";

/** The samplers beside which programs are scored; the faster of them counts. */
const samplers = ["pymc", "nutpie"] as const;

/** In what programs of a case differ from each other. */
interface Variation {
  readonly name: string;
  /** How many texts of a case there are for each of two measurements. */
  count(one: Case, wanted: number): number;
  /** Priors of the n-th program. */
  priors(n: number): Priors;
}

const variations: readonly Variation[] = [
  {
    name: "constants",
    count: (_, wanted) => wanted,
    priors: (n) => withConstants(1 + n / 4000),
  },
  {
    name: "families",
    count: ({ structures }, wanted) => Math.min(wanted, structures >> 1),
    priors: withFamilies,
  },
];

/**
 * `fresh [programs] [pattern]`: 4 × (200 + 125) as it is, and with draws until the error is 0.05, of
 * the cases whose name has the pattern in it. Programs differ in the constants of their priors, so
 * that their structure is known to both sides, and then in the families of their priors, so that it
 * is not. With a Python in SLUICE_PYTHON that has PyMC 5, ArviZ and nutpie, beside `pm.sample` at
 * 4 × (200 + 125) and `az.loo` on such programs.
 */
export async function benchFresh(
  [programs = "200", pattern = ""]: readonly string[],
): Promise<void> {
  const python = Deno.env.get("SLUICE_PYTHON");
  if (!python) {
    console.log("set SLUICE_PYTHON to a Python with PyMC 5 and nutpie for their columns");
  }
  const chosen = withName(cases(), pattern);
  const heads = ["program", "other", "CPU ms, 4 × (200 + 125)", "until 0.05", "its gradients"];
  const peers = samplers.map((sampler) => `${sampler}, CPU s`);
  console.log([...heads, ...peers, "ratio to the faster"].join(" | "));
  for (const one of chosen) {
    for (const variation of variations) await row(one, variation, Number(programs), python);
  }
}

async function row(one: Case, variation: Variation, programs: number, python: string | undefined) {
  const count = variation.count(one, programs);
  const texts = Array.from({ length: 2 * count }, (_, n) => textOf(one, variation.priors(n)));
  const short = measure(one, programs, texts.slice(0, count), 1e9);
  const long = measure(one, programs, texts.slice(count), defaultSchedule.targetMcse);
  const seconds: number[] = [];
  for (const sampler of samplers) {
    seconds.push(python ? await peerSeconds(python, sampler, one, variation) : NaN);
  }
  const ratio = 1000 * Math.min(...seconds) / short.ms;
  const numbers = [short.ms, long.ms, long.gradients, ...seconds, ratio];
  const cells = [one.name, variation.name, ...numbers.map((value) => value.toPrecision(3))];
  console.log(cells.join(" | "));
}

/**
 * Median CPU time of fresh programs, after as many with constants of their own to warm up: while a
 * peer was running, V8 has forgotten what it had compiled.
 */
function measure(one: Case, warmUp: number, texts: readonly string[], targetMcse: number) {
  const dataset = datasetOf(one);
  const schedule = { ...defaultSchedule, tune: 200, targetMcse };
  for (let n = 0; n < warmUp; n++) {
    scoreNow(textOf(one, withConstants(2 + n / 4000)), dataset, schedule);
  }
  const times: number[] = [];
  let gradients = 0;
  for (const text of texts) {
    const before = cpuUsage();
    const { score, diagnostics } = scoreNow(text, dataset, schedule);
    const { user, system } = cpuUsage(before);
    if (!score) throw new Error(diagnostics.map(({ message }) => message).join("; "));
    times.push((user + system) / 1000);
    gradients += score.gradients / texts.length;
  }
  return { ms: medianOf(times), gradients };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Another program on the same data, by which a process of the peer warms up. */
function warmText({ data, response }: Case): string {
  const predictor = Object.keys(data).find((name) => name !== response);
  return `import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0, 1)
    s = pm.HalfNormal("s", 1)
    pm.Normal("obs", a + 0.1 * data["${predictor}"], s, observed=data["${response}"])
`;
}

/**
 * CPU seconds of a sampler of PyMC and `az.loo` for a fresh program in a warm process: the median of
 * three that differ as ours do, after another program. PyTensor and Numba keep what they have compiled
 * in a folder; here that is a new one, so that nothing has been compiled in earlier runs.
 */
async function peerSeconds(
  python: string,
  sampler: string,
  one: Case,
  { priors }: Variation,
): Promise<number> {
  const folder = await Deno.makeTempDir();
  const script = fileURLToPath(new URL("fresh_peer.py", import.meta.url));
  const texts = [warmText(one), ...[11, 22, 33].map((n) => textOf(one, priors(n)))];
  const child = new Deno.Command(python, {
    args: [script, sampler],
    env: { PYTENSOR_FLAGS: `base_compiledir=${folder}`, NUMBA_CACHE_DIR: `${folder}/numba` },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify({ data: one.data, texts })));
  await writer.close();
  const { stdout, success } = await child.output();
  await Deno.remove(folder, { recursive: true });
  if (!success) return NaN;
  const seconds: number[] = JSON.parse(new TextDecoder().decode(stdout)).seconds;
  return medianOf(seconds.slice(1));
}
