/** Certifies a policy that answers over standard input and output, a line of JSON for each question. */
import { z } from "../base/zod.ts";
import { inputError } from "../base/diagnostic.ts";
import { certifySamples, type PolicyCertificate } from "../gfn/certificates/mod.ts";
import { type Actions, sequencesEnvironment } from "../gfn/environments/mod.ts";

const about = z.strictObject({
  choices: z.array(z.int()).min(1),
  least: z.int().optional(),
  budget: z.int().min(20).default(200),
  samples: z.int().min(100).max(1_000_000).default(1000),
  list_at_most: z.int().min(0).max(300_000).default(20_000),
  seed: z.string().optional(),
});

const numbers = z.strictObject({ values: z.array(z.number().nullable()) });
const sampled = z.strictObject({ objects: z.array(z.array(z.int())) });

/**
 * Talks with the program that has the policy, until it is certified. The first line read describes
 * objects; the next line answers each question written; the last line written is the certificate.
 * An object is the list of its choices, and `null` is log 0.
 *
 * @param lines Lines of the program.
 * @param write One line to it.
 * @throws InputError for an answer that is none.
 */
export async function certifyByLines(
  lines: AsyncIterator<string>,
  write: (line: string) => void,
): Promise<void> {
  const { choices, least, list_at_most: most, ...cost } = await read(lines, about, "first line");
  const environment = sequencesEnvironment({ choices, ...(least !== undefined && { least }) });
  const end = environment.exitAction;
  const answer = async <T>(
    question: { ask: string; [key: string]: unknown },
    schema: z.ZodType<T>,
  ) => {
    write(JSON.stringify(question));
    return await read(lines, schema, `answer to "${question.ask}"`);
  };
  const valuesOf = async (ask: string, ways: readonly Actions[]) => {
    const objects = ways.map((way) => way.slice(0, -1));
    const { values } = await answer({ ask, objects }, numbers);
    return values.map((one) => one ?? -Infinity);
  };
  const objects = environment.count! <= most ? [...environment.enumerate()] : undefined;
  const found = await certifySamples(environment, {
    logProb: (ways) => valuesOf("log_prob", ways),
    logReward: (some) => valuesOf("log_reward", some.map(({ actions }) => actions)),
    sample: async (count, random) => {
      const question = { ask: "sample", count, seed: random.below(2 ** 32) };
      const drawn = await answer(question, sampled);
      return drawn.objects.map((one) => legal([...one, end], choices, least ?? choices.length));
    },
  }, { ...cost, ...(objects && { objects }) });
  write(JSON.stringify({ certificate: certificateOf(found) }));
}

async function read<T>(
  lines: AsyncIterator<string>,
  schema: z.ZodType<T>,
  what: string,
): Promise<T> {
  const { value: line, done } = await lines.next();
  if (done) throw refused(what, "nothing: standard input has ended");
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw refused(what, `${JSON.stringify(line.slice(0, 60))}, which is no JSON`);
  }
  const { data, error } = schema.safeParse(json);
  if (!error) return data;
  const [{ path, message }] = error.issues;
  throw refused(what, `${path.join(".") || "a value"} is wrong: ${message}`);
}

/** @throws InputError if no object is written so. */
function legal(way: Actions, choices: readonly number[], least: number): Actions {
  const places = way.length - 1;
  const isWhole = places >= least && places <= choices.length;
  if (isWhole && way.slice(0, -1).every((x, k) => x >= 0 && x < choices[k])) return way;
  const wanted = `${least} to ${choices.length} choices, each from 0 to less than there are`;
  throw refused('answer to "sample"', `[${way.slice(0, -1).join(", ")}]; wanted ${wanted}`);
}

function refused(what: string, found: string) {
  const message = `Cannot certify a policy over standard input: the ${what} is ${found}`;
  const hint = "docs/certificates.md, A policy from elsewhere, shows each line";
  return inputError("certify/line", message, undefined, hint);
}

/** The certificate as plain JSON; log 0 is null. */
function certificateOf(found: PolicyCertificate & { readonly seed: string }) {
  const { bounds, correlation, unseen, samples, rewards, seed } = found;
  const { totalVariation, logZ, klPolicyTarget } = bounds;
  const isCounted = unseen.objects === 0; // then the bound is the distance
  const { verdict, reason } = isCounted
    ? { verdict: "exact", reason: "every object was counted" }
    : found;
  return {
    verdict,
    reason,
    seed,
    samples,
    rewards,
    ...(isCounted && { tv_upper: totalVariation.value }),
    tv_lower: totalVariation.value,
    tv_lower_method: totalVariation.sampled
      ? "bound at 95 % confidence"
      : `bound from ${rewards} rewards`,
    log_z_lower: logZ,
    ...(klPolicyTarget && { kl_policy_target_lower: klPolicyTarget }),
    ...(correlation && {
      log_correlation: correlation.pearson,
      rank_correlation: correlation.spearman,
      never_made: correlation.never,
    }),
    unscored_prior: unseen.prior,
    ...(unseen.objects !== undefined && { unscored_objects: unseen.objects, objects: unseen.of }),
    unseen_prior: unseen.set,
    explorers: found.explorers.map(({ name, consultsPolicy, evaluations, logZ, agreement }) => ({
      name,
      consults_policy: consultsPolicy,
      evaluations,
      reliable: agreement.reliable,
      found_missed: agreement.foundMissed,
      ...(agreement.missed && { missed: agreement.missed }),
      ...(logZ && { log_z: logZ }),
      ...(agreement.best && { best: agreement.best.text }),
    })),
  };
}
