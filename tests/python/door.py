"""The Python door, used as its page says: python -m unittest tests/python/door.py, with the wheel and PyMC."""
import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
import pymc as pm
import pytensor.tensor as pt
import sluice
from sluice import _families
from sluice._data import file_of
from sluice._model import CannotWrite, program_of
from sluice._script import model_of

ROOT = Path(__file__).resolve().parents[2]
frame = pd.read_csv(ROOT / "data" / "dugongs.csv")
rows = len(frame)
random = np.random.default_rng(1)
site = np.arange(rows) % 4
counts = random.poisson(3, rows)

PROGRAM = """import numpy as np
import pymc as pm
with pm.Model() as model:
    a = pm.Normal("a", 2, 1)
    b = pm.Normal("b", 0, 1)
    s = pm.HalfNormal("s", 1)
    pm.Normal("y", a + b * np.log(data["age"]), s, observed=data["length"])
"""


def curve():
    a, b = pm.Normal("a", 2, 1), pm.Normal("b", 0, 1)
    pm.Normal("y", a + b * pt.log(pm.Data("age", frame.age)), pm.HalfNormal("s", 1), observed=frame.length)


def sites():
    mu, tau, z = pm.Normal("mu", 0, 1), pm.HalfCauchy("tau", 1), pm.Normal("z", 0, 1, dims="site")
    a = pm.Deterministic("a", mu + tau * z, dims="site")
    b, s = pm.Normal("b", 0, 1), pm.Exponential("s", 2.0)
    pm.StudentT("y", nu=4, mu=a[site] + b * frame.age.values, sigma=s, observed=frame.length)


def overdispersed():
    b, alpha = pm.Normal("b", 0, 1, shape=2), pm.Gamma("alpha", 2, 0.5)
    design = np.column_stack([np.ones(rows), frame.age])
    pm.NegativeBinomial("y", mu=pm.math.exp(pt.dot(design, b)), alpha=alpha, observed=counts)


def inflated():
    pm.ZeroInflatedPoisson("y", psi=pm.Beta("psi", 1, 1), mu=pm.LogNormal("l", 0, 1), observed=counts)


def binary():
    pm.Bernoulli("y", logit_p=pm.Normal("b", 0, 2) * frame.age.values, observed=(counts > 3).astype(int))


def trials():
    p = pm.Beta("p", 2, 2, shape=4)
    pm.Binomial("y", n=np.full(rows, 12), p=p[site], observed=counts)


def planes():
    ab, s = pm.Normal("ab", 0, 1, shape=(4, 2)), pm.HalfNormal("s", 1)
    pm.Normal("y", ab[site, 0] + ab[site, 1] * frame.age.values, s, observed=frame.length)


def positive():
    rate, shape = pm.InverseGamma("rate", 2, 1), pm.Weibull("shape", 2, 1.5)
    growth = pm.math.clip(shape * pt.sqrt(frame.age.values), 0.1, 9)
    pm.Gamma("y", alpha=shape, beta=rate / growth, observed=frame.length)


def censored():
    mu = pm.Normal("mu", 0, 1) * frame.age.values
    pm.Censored("y", pm.Normal.dist(mu, pm.HalfNormal("s", 1)), lower=None, upper=2.6, observed=np.minimum(frame.length, 2.6))


def truncated():
    pm.Truncated("y", pm.Gamma.dist(pm.HalfNormal("a", 2), 1), lower=0.5, observed=frame.length)


def hurdles():
    pm.HurdlePoisson("y", psi=pm.Beta("psi", 1, 1), mu=pm.LogNormal("l", 0, 1), observed=counts)


def amounts():
    pm.HurdleGamma("y", psi=pm.Beta("psi", 1, 1), alpha=pm.HalfNormal("a", 1), beta=0.5, observed=frame.length)


def mixtures():
    w, mu = pm.Dirichlet("w", [1, 2]), pm.Normal("mu", [1, 3], 1)
    pm.NormalMixture("y", w=w, mu=mu, sigma=pm.HalfNormal("s", 1), observed=frame.length)


def families():
    parts = [pm.Normal.dist(pm.Normal("m", 2, 1), 0.3), pm.StudentT.dist(nu=4, mu=2, sigma=pm.HalfNormal("s", 1))]
    pm.Mixture("y", w=[0.4, 0.6], comp_dists=parts, observed=frame.length)


def steps():
    walk = pm.GaussianRandomWalk("walk", sigma=pm.HalfNormal("tau", 1), init_dist=pm.Normal.dist(0, 2), shape=4)
    total = pt.cumsum(pm.Dirichlet("d", np.ones(4)))
    pm.Normal("y", walk[site] + total[site], 1, observed=frame.length)


def regressed():
    rho = pm.Normal("rho", 0, 0.5, shape=2)
    pm.AR("y", rho, sigma=pm.HalfNormal("s", 1), constant=True, init_dist=pm.Normal.dist(0, 5), observed=frame.length)


def correlated():
    chol, _, _ = pm.LKJCholeskyCov("chol", n=2, eta=2, sd_dist=pm.Exponential.dist(1.0), compute_corr=True)
    ab = pm.MvNormal("ab", mu=[2, 0], chol=chol, shape=(4, 2))
    centred = pm.ZeroSumNormal("centred", sigma=0.5, shape=4)
    pm.Normal("y", ab[site, 0] + ab[site, 1] * frame.age.values + centred[site], 1, observed=frame.length)


def shares():
    table = random.multinomial(9, [0.2, 0.3, 0.5], rows)
    pm.Multinomial("y", n=9, p=pm.Dirichlet("p", np.ones(3)), observed=table)


def carried():
    x, decay = frame.age.values, pm.Beta("decay", 2, 2)
    lags = pt.stack([np.concatenate([np.zeros(k), x[: rows - k]]) for k in range(4)])
    pm.Normal("y", pt.dot(decay ** np.arange(4), lags), pm.HalfNormal("s", 9), observed=frame.length)


class Frames(unittest.TestCase):
    def test_types_of_a_frame_travel(self):
        folder = Path(tempfile.mkdtemp(prefix="sluice-"))
        self.addCleanup(shutil.rmtree, folder)
        typed = pd.DataFrame({
            "y": [1.5, np.nan, 0.1 + 0.2], "site": pd.Categorical([4, 1, 4], categories=[4, 2, 1]),
            "dose": pd.Categorical(["low", "high", "low"], ["low", "high"], ordered=True),
            "code": ["1", "2", "1"], "flag": [True, False, True],
            "when": pd.to_datetime(["2024-01-31", None, "2024-03-31"]),
        })
        table = json.loads(file_of(typed, folder).read_text())
        fields = {field["name"]: field for field in table["schema"]["fields"]}
        self.assertEqual(fields["site"]["constraints"]["enum"], [4, 1])
        self.assertEqual((fields["dose"]["ordered"], fields["site"]["ordered"]), (True, False))
        self.assertEqual(fields["code"]["type"], "string")
        self.assertEqual(table["data"][0], {"y": 1.5, "site": 4, "dose": "low", "code": "1",
                                            "flag": True, "when": "2024-01-31"})
        self.assertEqual((table["data"][1]["y"], table["data"][1]["when"]), (None, None))
        self.assertEqual(table["data"][2]["y"], 0.1 + 0.2)
        with self.assertRaisesRegex(ValueError, "two columns are called 'y'"):
            file_of(pd.DataFrame([[1, 2]], columns=["y", "y"]), folder)


def built(build):
    with pm.Model(coords={"site": list("ABCD")}) as model:
        build()
    return model


class Models(unittest.TestCase):
    def test_a_model_and_its_text_have_the_same_density(self):
        plain = (curve, sites, overdispersed, inflated, binary, trials, planes, positive)
        of_others = (censored, truncated, hurdles, amounts, mixtures, families, steps, regressed, correlated, shares)
        for build in (*plain, *of_others, carried):
            with self.subTest(build.__name__):
                model = built(build)
                text, data = program_of(model, frame)
                again = {"data": data}
                exec(text, again)
                density, written = model.compile_logp(), again["model"].compile_logp()
                for seed in range(3):
                    start = model.initial_point(random_seed=seed)
                    point = {name: value + 0.1 * random.normal(size=np.shape(value)) for name, value in start.items()}
                    self.assertAlmostEqual(float(density(point)), float(written(point)), 9)

    def test_columns_are_found_by_their_values_and_the_response_by_its_own(self):
        text, data = program_of(built(sites), frame)
        self.assertEqual(sorted(data), ["age", "length", "x1"])
        self.assertIn('observed=data["length"]', text)

    def test_what_has_no_words_is_refused_with_the_way_out(self):
        with pm.Model() as custom:
            pm.CustomDist("y", logp=lambda value: -value**2, observed=frame.length)
        with self.assertRaisesRegex(CannotWrite, "give sluice.score the program's text"):
            program_of(custom)
        with pm.Model() as twice:
            pm.Normal("y", 0, 1, observed=frame.length)
            pm.Normal("z", 0, 1, observed=frame.length)
        with self.assertRaisesRegex(CannotWrite, "observes 2 variables"):
            program_of(twice)
        with pm.Model() as gaps:
            pm.Normal("y", pm.Normal("b", 0, 1) * np.full(rows, np.inf), 1, observed=frame.length)
        with self.assertRaisesRegex(CannotWrite, "holds values that are no finite numbers"):
            program_of(gaps)
        with pm.Model() as cut:
            above = pm.distributions.transforms.Interval(1, None)
            pm.Normal("y", pm.Normal("m", 0, 1, transform=above, initval=2), 1, observed=frame.length)
        with self.assertRaisesRegex(CannotWrite, "m has the transform Interval"):
            program_of(cut)
        with pm.Model() as tilted:
            pm.Normal("y", 0, 1, observed=frame.length)
            pm.Potential("bonus", pt.as_tensor(100.0))
        with self.assertRaisesRegex(CannotWrite, "pm.Potential"):
            program_of(tilted)


    def test_names_of_columns_and_variables_are_data_whatever_they_hold(self):
        name = 'x" if __import__("os").abort() else "y'
        with pm.Model() as model:
            slope = pm.Normal("lambda", 0, 1)
            pm.Normal('y"); __import__("os").abort() #', slope * frame.age.values, 1, observed=frame.length)
        text, data = program_of(model, {name: frame.age.values, "length": frame.length.values})
        self.assertEqual(sorted(data), ["length", name])
        self.assertIn('data["x\\" if __import__', text)

    def test_a_family_that_is_written_wrongly_is_caught(self):
        swapped = _families._named("Normal", "sigma", "mu")
        with mock.patch.dict(_families.FAMILIES, normal=swapped):
            with self.assertRaisesRegex(CannotWrite, "has another log density"):
                program_of(built(planes), frame)

    def test_the_response_is_no_predictor_whatever_it_is_called(self):
        y = frame.length.values
        for again in (y, 2 * y - 1, np.column_stack([frame.age, -y])):
            with pm.Model() as model:
                beta = pm.Normal("beta", 0, 1, shape=again.shape[1:])
                pm.Normal("y", pt.dot(again, beta) if again.ndim > 1 else again * beta, 1, observed=y)
            with self.assertRaisesRegex(CannotWrite, "the model holds it twice"):
                program_of(model, frame)


SCRIPT = """
import numpy as np, pandas as pd, pymc as pm
def build(table):
    table = table.query("length > 0").assign(late=lambda t: np.log(t["age"]))
    with pm.Model() as model:
        a, b, s = pm.Normal("a", 2, 1), pm.Normal("b", 0, 1), pm.HalfNormal("s", 1)
        pm.Normal("y", a + b * table["late"].to_numpy(), s, observed=table.length)
    return model
if __name__ == "__main__":
    try:
        with build(pd.read_csv("dugongs.csv")):
            idata = pm.sample()
    except Exception:
        pass
    raise AssertionError("what follows the sampling is not run")
"""


class Scripts(unittest.TestCase):
    def setUp(self):
        self.before = os.getcwd()
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)
        shutil.copy(ROOT / "data" / "dugongs.csv", "dugongs.csv")

    def tearDown(self):
        os.chdir(self.before)
        self.folder.cleanup()

    def test_a_script_is_run_up_to_where_it_samples_and_its_model_scored(self):
        Path("script.py").write_text(SCRIPT)
        own, text = sluice.score("script.py"), sluice.score(PROGRAM, frame)
        self.assertLess(abs(own.elpd_loo - text.elpd_loo), 4 * np.hypot(own.mcse, text.mcse))
        self.assertEqual(pm.sample.__module__, "pymc.sampling.mcmc")

    def test_a_script_that_never_samples_has_built_one_model(self):
        one = "import pymc as pm\nimport pandas as pd\ntable = pd.read_csv('dugongs.csv')\n"
        model = "with pm.Model() as {}:\n    pm.Normal('y', pm.Normal('m', 0, 1), 1, observed=table.length)\n"
        Path("one.py").write_text(one + model.format("first"))
        self.assertEqual(sorted(program_of(*model_of("one.py"))[1]), ["length"])
        Path("two.py").write_text(one + model.format("first") + model.format("second"))
        with self.assertRaisesRegex(ValueError, "two.py built 2 models and drew from none; wanted one"):
            sluice.score("two.py")
        with self.assertRaisesRegex(ZeroDivisionError, "division by zero"):
            Path("bad.py").write_text("1 / 0\n")
            sluice.score("bad.py")


class Scores(unittest.TestCase):
    def test_text_path_and_frame_give_what_the_command_line_gives(self):
        one = sluice.score(PROGRAM, frame, save=True)
        self.assertEqual(one.elpd_loo, float(os.environ["SLUICE_EXPECTED_ELPD"]))
        self.assertEqual(len(one.pointwise), rows)
        self.assertAlmostEqual(one.pointwise.sum(), one.elpd_loo, 9)
        self.assertIn("ELPD-LOO", one._repr_html_())

    def test_a_model_is_the_program_that_it_says(self):
        own, text = sluice.score(built(curve), frame), sluice.score(PROGRAM, frame)
        self.assertEqual(own.result["program_hash"], text.result["program_hash"])
        self.assertLess(abs(own.elpd_loo - text.elpd_loo), 4 * np.hypot(own.mcse, text.mcse))

    def test_arviz_reads_the_draws(self):
        import arviz

        one = sluice.score(PROGRAM, frame, save=True)
        loo = arviz.loo(one.to_inferencedata())
        # 500 draws without control variates: five times their error, as the spread of p_loo tells it.
        self.assertLess(abs(loo.elpd_loo - one.elpd_loo), 5 * one.p_loo / np.sqrt(500 / 4))
        self.assertEqual(set(one.data["posterior"].data_vars), {"a", "b", "s"})

    def test_scores_side_by_side(self):
        line = PROGRAM.replace('np.log(data["age"])', 'data["age"]')
        table = sluice.compare({"line": sluice.score(line, frame), "log": sluice.score(PROGRAM, frame)})
        self.assertEqual(list(table.index), ["log", "line"])
        self.assertGreater(table.elpd_diff["line"], 2 * table.dse["line"])

    def test_what_is_refused_says_what_and_how_to_mend_it(self):
        with self.assertRaisesRegex(sluice.SluiceError, 'pm.Nrmal.*line 7.*did you mean "Normal"'):
            sluice.score(PROGRAM.replace('pm.Normal("y"', 'pm.Nrmal("y"'), frame)
        with self.assertRaisesRegex(ValueError, "two columns are called 'age'"):
            sluice.score(PROGRAM, frame.rename(columns={"length": "age"}))
        with self.assertRaisesRegex(TypeError, "wanted a DataFrame, a dictionary or a path"):
            sluice.score(PROGRAM, [1, 2])
        with self.assertRaisesRegex(TypeError, "program is a int"):
            sluice.score(3, frame)


class Spaces(unittest.TestCase):
    def setUp(self):
        self.before = os.getcwd()
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)

    def tearDown(self):
        os.chdir(self.before)
        self.folder.cleanup()

    def test_a_formula_is_answered_and_runs_are_asked(self):
        answer = sluice.rank(frame, "length ~ [age | log(age)]", families="normal", progress=False)
        self.assertEqual((answer.programs, answer.models), (2, 2))
        asked = answer.questions.groupby("question").target.sum()
        self.assertTrue(np.allclose(asked, 1))
        found = answer.questions.set_index("answer").target
        self.assertGreater(found["log(age)"], 0.99)
        self.assertIn("log(age)", answer._repr_html_())
        self.assertIn("log(age)", str(answer))
        table = sluice.runs("select count(*) as n from execution where status = 'ok'")
        self.assertGreaterEqual(int(table.n[0]), 2)
        with self.assertRaisesRegex(sluice.SluiceError, '(?s)"aeg".*no such column.*did you mean "age"') as raised:
            sluice.rank(frame, "length ~ [aeg]", progress=False)
        self.assertEqual(raised.exception.status, 2)

    def test_a_run_predicts_new_rows_and_averages_at_values(self):
        run = sluice.rank(frame, "length ~ [age | log(age)]", families="normal", progress=False).run
        new = pd.DataFrame({"age": [5.0, 20.0]}, index=["young", "old"])
        rows = run.predict(new)
        self.assertEqual(list(rows.index), ["young", "old"])
        self.assertTrue(1.9 < rows["mean"]["young"] < 2.4 < rows["mean"]["old"] < 2.8)
        averages = run.predict({"age": [5, 20]})
        self.assertEqual(list(averages.age), ["5", "20"])
        [contrast] = run.predict({"age": [5, 20]}, contrasts=True).itertuples()
        self.assertEqual((contrast.of, contrast.against), ("20", "5"))
        self.assertAlmostEqual(contrast.mean, averages["mean"][1] - averages["mean"][0])
        self.assertEqual((contrast.larger, contrast.equal), (1, 0))
        with self.assertRaisesRegex(sluice.SluiceError, "(?s)has none of the predictors.*run's data have age"):
            run.predict(new.rename(columns={"age": "aeg"}))

    def test_the_next_row_is_a_frame_of_candidates(self):
        found = sluice.next(frame, "length ~ [log(age)]", grid={"age": [1, 20, 40]}, about="effects",
                            batch=2, progress=False)
        nats = list(found.candidates.nats)
        self.assertEqual(nats, sorted(nats, reverse=True))
        self.assertTrue((found.candidates.low <= found.candidates.nats).all())
        self.assertEqual(len(set(found.batch.age)), 2)
        priced = pd.DataFrame({"age": [2.0, 30.0], "price": [1, 5]})
        self.assertIn("nats_per_cost", sluice.next("last", candidates=priced, cost="price", progress=False).candidates)
        with self.assertRaisesRegex(sluice.SluiceError, "no candidates are named"):
            sluice.next("last", progress=False)

    def test_spaces_of_other_kinds_and_their_likeliest_programs(self):
        curves = ["linear", "logarithmic"]
        answer = sluice.rank(frame, "length ~ age", space="growth", curves=curves, families="normal", progress=False)
        best = answer.best(2)
        self.assertEqual(list(best.columns), ["curve", "spread", "family", "model", "target", "program"])
        self.assertEqual(best.curve[0], "logarithmic")
        asked = answer.questions.query("question == 'curve' and answer == 'logarithmic'").target.iloc[0]
        self.assertAlmostEqual(answer.best(100).query("curve == 'logarithmic'").target.sum(), asked, 9)
        one = sluice.score(best.program[0], frame)
        kept = answer.run.query("select log_reward - log_prior as elpd from candidate order by log_reward desc")
        self.assertLess(abs(one.elpd_loo - kept.elpd[0]), 0.2)  # both within a Monte Carlo error of 0.05

    def test_a_pipeline_runs_and_its_certificate_is_at_hand(self):
        shutil.copy(ROOT / "pipelines" / "benchmarks" / "hypergrid.toml", "grid.toml")
        done = sluice.run("grid.toml", set={"seed": 3, "stages.train.steps": 2}, progress=False)
        self.assertIn(done.id, list(sluice.runs("select run_id from run").run_id))
        proof = done.certificate["evaluations"][0]
        self.assertEqual((proof["exact"], proof["policy"]["programs"]["value"]), (True, 256))
        self.assertIn(done.id, done._repr_html_())


if __name__ == "__main__":
    unittest.main()
