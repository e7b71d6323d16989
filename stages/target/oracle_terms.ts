/** Terms of a log reward that oracles answer, with the oracles that the wires lead to. */
import type { Environment } from "../../src/gfn/environments/mod.ts";
import { PromptTemplate } from "../../src/models/text/mod.ts";
import { atParameter } from "../common/at_parameter.ts";
import type { OracleRecord } from "../../src/oracle/oracle.ts";
import { prompts } from "../common/oracle_rewards.ts";
import type { OracleTerm } from "../ports/values.ts";

/** A term as a pipeline writes it. */
type WrittenTerm =
  | { readonly judge: unknown }
  | Omit<OracleTerm, "name" | "oracle"> & {
    readonly oracle: string;
  };

/**
 * The oracle terms among those of a target.
 *
 * @param wired Oracles by the wire as written.
 * @throws InputError if a template cannot be used, or a model has no conversation.
 */
export function oracleTerms(
  terms: readonly WrittenTerm[],
  wired: Readonly<Record<string, OracleRecord>>,
): OracleTerm[] {
  const asked = terms.flatMap((one) => "judge" in one ? [] : [one]);
  return asked.map(({ oracle: name, ...rest }) => {
    const term = { ...rest, name, oracle: wired[name] };
    prompts(term)("x"); // a faulty template is reported before any text is scored
    return term;
  });
}

/**
 * Applies templates to the first object of the environment, before any oracle is opened.
 *
 * @throws InputError at the template that cannot be read, or raises.
 */
export async function tryTemplates(
  terms: readonly WrittenTerm[],
  environment: Environment | undefined,
): Promise<void> {
  const [first] = Number.isFinite(environment?.count) ? environment!.enumerate() : [];
  for (const [i, term] of terms.entries()) {
    if ("judge" in term || term.template === undefined) continue;
    const text = term.template;
    await atParameter(["log_reward", i, "template"], () => {
      const template = new PromptTemplate(text, { known: ["x"], required: ["x"] });
      if (first) template.render({ x: first.text });
    });
  }
}
