/** Latents of rows, integrated out: the spelling of the hierarchy must not matter. */
import assert from "node:assert/strict";
import { compileLogDensity } from "../../src/density/compile.ts";
import { finish, sampleChains } from "../../src/infer/sample_chains.ts";
import { checkProgram } from "../../src/lang/check.ts";
import { integratedPosterior } from "../../src/loo/integrated.ts";
import { rowLatent } from "../../src/predict/row_latent.ts";
import { columnsOf } from "../../src/predict/draws.ts";
import { assertClose } from "../density/closeness.ts";
import { hierarchyText, schools } from "./schools.ts";

function integrated(text: string) {
  const checked = checkProgram(text, schools);
  assert.ok(checked.ok);
  const latent = rowLatent(checked.program, columnsOf(schools));
  const density = compileLogDensity(checked.program, schools, { latent });
  const options = { chains: 4, tune: 50, draws: 50 };
  const result = finish(sampleChains(density, options, ["latents"], { used: 0, limit: 1e6 }));
  assert.ok(result.kind === "chains");
  const names = checked.program.parameters.map(({ name }) => name);
  return { names, posterior: integratedPosterior(density, result.chainSet) };
}

/** Integrated log likelihoods where every latent has the same value. */
function valuesAt({ names, posterior }: ReturnType<typeof integrated>, at: Record<string, number>) {
  const position = names.flatMap((name) =>
    name in at ? [at[name]] : new Array<number>(8).fill(at.latent)
  );
  const out = new Float64Array(8);
  posterior.logLikelihood(Float64Array.from(position), 0, out, 0);
  return out;
}

for (const law of ["Laplace", "StudentT", "Normal"] as const) {
  Deno.test(`the integral over ${law} latents is that of the other spelling, at all scales`, () => {
    const centred = integrated(hierarchyText(law, "centred"));
    const other = integrated(hierarchyText(law, "non-centred"));
    for (const [mu, tau] of [[4, 2], [-5, 0], [8, -2], [0, -4]]) {
      const a = valuesAt(centred, { mu, tau, latent: mu });
      const b = valuesAt(other, { mu, tau, latent: 0 });
      for (let i = 0; i < 8; i++) {
        assertClose(a[i], b[i], law === "Laplace" ? 3e-3 : 1e-5, `${mu}, ${tau}`);
      }
    }
  });
}
