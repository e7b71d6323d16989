/** Tests of formulas: their parts, and the places where they cannot be read. */
import assert from "node:assert/strict";
import { InputError } from "../../../src/base/diagnostic.ts";
import { parseFormula } from "../../../src/gfn/spaces/formula/parse.ts";

const partsOf = (formula: string) =>
  parseFormula(formula).parts.map(({ source, asked, names }) => [source, asked, names.length]);

const termsOf = (formula: string) =>
  parseFormula(formula).parts.flatMap(({ alternatives }) =>
    alternatives.flat().map(({ source }) => source)
  );

Deno.test("brackets are questions, with the source that stands in them", () => {
  const formula = "beetles ~ [temp|poly( temp,2 ) | spline(temp,5)]+[canopy]  + [(1|site)] + x";
  assert.deepEqual(partsOf(formula), [
    ["temp | poly(temp, 2) | spline(temp, 5)", true, 3],
    ["canopy", true, 1],
    ["(1 | site)", true, 1],
    ["x", false, 1],
  ]);
});

Deno.test("a * b is both and their product; of three, every product", () => {
  assert.deepEqual(termsOf("y ~ a * b"), ["a", "b", "a:b"]);
  assert.deepEqual(termsOf("y ~ a * b * c"), ["a", "b", "c", "a:b", "a:c", "b:c", "a:b:c"]);
  assert.deepEqual(termsOf("y ~ [a + b]"), ["a", "b"]);
});

Deno.test("intercepts are left out by 0 and by - 1", () => {
  for (const formula of ["y ~ 0 + x", "y ~ x - 1", "y ~ x + 0"]) {
    assert.equal(parseFormula(formula).intercept, false, formula);
    assert.deepEqual(termsOf(formula), ["x"]);
  }
  assert.equal(parseFormula("y ~ 1 + x").intercept, true);
  assert.deepEqual(parseFormula("y ~ 1").parts, []);
});

Deno.test("the left side has a logarithm, or trials", () => {
  assert.deepEqual(parseFormula("log(y) ~ x").response, { column: "y", by: "log" });
  assert.deepEqual(parseFormula("y | trials(n) ~ x").response, { column: "y", trials: "n" });
  assert.deepEqual(parseFormula("`body mass` ~ x").response, { column: "body mass" });
});

Deno.test("the left side is a question in brackets, and other parameters have parts", () => {
  const { response, others } = parseFormula("[y|log(y)] | error(se) ~ x; sigma ~ [x] + z");
  assert.deepEqual(response, {
    ...{ column: "y", asked: { source: "y | log(y)", by: [undefined, "log"] }, error: "se" },
  });
  const [{ parameter, parts }] = others;
  assert.equal(parameter, "sigma");
  assert.deepEqual(parts.map(({ source, asked }) => [source, asked]), [
    ["sigma: x", true],
    ["sigma: z", false],
  ]);
});

Deno.test("groups have intercepts and slopes, together or apart, crossed by a colon", () => {
  const [{ alternatives: [[term]] }] = parseFormula("y ~ (1 + x || g:h)").parts;
  assert.deepEqual(term, {
    ...{ kind: "group", source: "(1 + x || g:h)", intercept: true, correlated: false },
    ...{ slopes: [{ kind: "column", column: "x" }], groups: ["g", "h"] },
  });
  const [{ alternatives: [[slope]] }] = parseFormula("y ~ (0 + x | g)").parts;
  assert.ok(slope.kind === "group" && !slope.intercept && slope.correlated);
});

Deno.test("nested groups are one for each depth, one part as it is written", () => {
  assert.deepEqual(termsOf("y ~ (1 + x | g/h/k)"), [
    ...["(1 + x | g)", "(1 + x | g:h)", "(1 + x | g:h:k)"],
  ]);
  assert.deepEqual(partsOf("y ~ [(1|g/h)]"), [["(1 | g/h)", true, 1]]);
});

Deno.test("a term counts once where it is always in; a question wants it nowhere else", () => {
  assert.deepEqual(termsOf("y ~ x * z + x + (1 | g) + (1 | g)"), ["x", "z", "x:z", "(1 | g)"]);
  assert.deepEqual(termsOf("y ~ [x | poly(x, 2)] + [z | x:z]"), ["x", "poly(x, 2)", "z", "x:z"]);
  const twice = ["x + [x]", "[x] + x", "[x] + [x + z]", "x + [x * z]", "z:x + [x:z]"];
  for (const terms of twice) assert.throws(() => parseFormula(`y ~ ${terms}`), /stands twice/);
  assert.throws(
    () => parseFormula("y ~ [(1 | g)] + (1 + x || g)"),
    /the intercept of g stands twice, the second time in \(1 \+ x \|\| g\)/,
  );
});

Deno.test("functions of other tools are answered with what is written here", () => {
  const hintOf = (formula: string) => {
    try {
      parseFormula(formula);
    } catch (error) {
      return (error as InputError).diagnostics[0].hint;
    }
  };
  assert.match(hintOf("y ~ s(x)")!, /spline\(x, 5\)/);
  assert.match(hintOf("y ~ I(x)")!, /poly\(x, 2\)/);
  assert.match(hintOf("y ~ x^2")!, /poly\(x, 2\)/);
  assert.match(hintOf("y ~ cat(x)")!, /factor\(x\)/);
  assert.match(hintOf("y ~ np.log(x)")!, /^did you mean log\?/);
  assert.match(hintOf("y ~ x + weights(w)")!, /--frequency n reads the n rows/);
  for (const formula of ["y ~ Length (cm)", "mass [g] ~ length"]) {
    assert.match(hintOf(formula)!, /names with blanks or brackets stand in backticks/, formula);
  }
});

Deno.test("words of R, brms, mgcv and survival each have a mend that can be written", () => {
  const mendOf = (formula: string) => {
    try {
      parseFormula(formula);
    } catch (error) {
      return (error as InputError).diagnostics[0].hint ?? "none";
    }
    return "read";
  };
  const mends: Readonly<Record<string, RegExp>> = {
    "y ~ .": /without --formula/,
    "y ~ (a + b)^2": /a \* b/,
    "y ~ x^2": /poly\(x, 2\)/,
    "y ~ I(x)": /poly\(x, 2\)/,
    "y ~ a / b": /a \+ a:b/,
    "y ~ a %in% b": /a:b/,
    "y ~ a - b": /- 1 leaves the intercept out/,
    "y ~ a * b - a:b": /left out of the formula/,
    "y ~ .^2": /poly\(x, 2\)/,
    "y ~ s(x, bs = 'cr', k = 5)": /spline\(x, 5\)/,
    "y ~ mgcv::s(x)": /spline|terms/,
    "y ~ t2(x, z)": /x:z/,
    "y ~ ti(x, z)": /x:z/,
    "y ~ gp(x)": /gaussian_process/,
    "y ~ HSGP(x, m = 10)": /gaussian_process/,
    "y ~ ma(q = 1)": /time_series/,
    "y ~ arma(p = 1, q = 1)": /time_series/,
    "y ~ lag(x, 1)": /time_series/,
    "y ~ cs(x)": /ordered response/,
    "y ~ mi(x)": /missing = "model"/,
    "y ~ (1 + mmc(a, b) | mm(a, b))": /\(1 \| g\)/,
    "y ~ (1 | ID | g)": /write \(1 \| g\)/,
    "y ~ 1 | g": /\(1 \| g\)/,
    "y ~ us(x | g)": /\(1 \+ x \|\| g\)/,
    "y ~ ar1(time + 0 | g)": /time_series/,
    "y ~ animal(id)": /exchangeable/,
    "y ~ fcor(V)": /y \| se\(s\)/,
    "y ~ car(W)": /\(1 \| region\)/,
    "y ~ poly(x, 2, raw = TRUE)": /models those of raw ones/,
    "y ~ poly(x, degree = 2)": /poly\(x, 2\)/,
    "y ~ log(x, 2)": /only its unit differs/,
    "y ~ np.sin(x)": /column of its own/,
    "y ~ as.numeric(x)": /the column itself/,
    "y ~ ordered(x)": /mo\(x\)/,
    "y ~ C(x, contr.sum)": /ref = "b"/,
    'y ~ Q("body mass")': /backticks/,
    'y ~ "x"': /backticks/,
    "df$y ~ df$x": /the column alone/,
    "y ~ x > 3": /0 and 1/,
    "y ~ x, family = poisson": /--families poisson/,
    "y ~ offset(z / 2)": /columns of the file/,
    "bf(y ~ x, sigma ~ x)": /`y ~ x; sigma ~ x`/,
    "cbind(a, b, c) ~ x": /rank each by a formula of its own/,
    "cbind(a, n - a) ~ x": /cbind\(a, b\)/,
    "y / n ~ x": /a \| trials\(n\)/,
    "prop(y, n) ~ x": /a \| trials\(n\)/,
    "censored(y, c) ~ x": /y \| cens\(c\)/,
    "truncated(y, lb = 1) ~ x": /trunc\(lb = 1/,
    "log(y + 1) ~ x": /log\(y\)/,
    "~ x": /y ~ x/,
    "y | resp_cens(c) ~ x": /write cens/,
    'y | cens("left") ~ x': /in every row/,
    "y | trunc(0, 9) ~ x": /trunc\(lb = 0, ub = 9\)/,
    "y | trunc(lb = low) ~ x": /the same in all rows/,
    "y | se(s, sigma = TRUE) ~ x": /\(1 \| row\)/,
    "y | trials(10) ~ x": /in every row/,
    "y | mi() ~ x": /missing = "model"/,
    "y | thres(3) ~ x": /--levels/,
    "y | dec(d) ~ x": /column of the response/,
    "y | index(i) ~ x": /leave it out/,
    "y | vint(3) ~ x": /sluice rank mine\.py/,
    "sqrt(y) ~ x": /\[y \| log\(y\)\]/,
    "Surv(time, died) ~ x": /time \| event\(died\)/,
    "mvbind(a, b) ~ x": /rank each by a formula of its own/,
    "ordered(y) ~ x": /--space ordinal/,
    "y ~ ar(time, p = 1)": /time_series/,
    "y ~ (1 | gr(g, cov = A))": /\(1 \| g\)/,
    "y ~ (1 | mm(g, h))": /\(1 \| g\)/,
    "y ~ me(x, sx)": /y \| se\(s\)/,
    "y ~ te(x, z)": /x:z/,
    "y ~ s(x, by = g)": /poly\(x, 2\):g/,
    "y ~ scale(x)": /the column itself/,
    "y ~ frailty(g)": /\(1 \| g\)/,
    "y ~ strata(g)": /factor\(g\)/,
    "y ~ relevel(g, 2)": /factor\(x, ref = "b"\)/,
    "y | weights(w) ~ x": /n equal ones/,
    "y | rate(t) ~ x": /offset\(log\(time\)\)/,
    "y | subset(s) ~ x": /leave rows out/,
  };
  for (const [formula, mend] of Object.entries(mends)) assert.match(mendOf(formula), mend, formula);
  for (const formula of ["y ~ -1 + x", "y ~ log(x + 1)", "y | trials(a + b) ~ x", "y ~ C(x)"]) {
    assert.equal(mendOf(formula), "read", formula);
  }
  assert.equal(parseFormula("y ~ -1 + x").intercept, false);
  assert.deepEqual(parseFormula("y ~ log(x + 1)").parts[0].alternatives[0], [
    {
      kind: "product",
      source: "log(x + 1)",
      factors: [{ kind: "column", column: "x", by: "log1p" }],
    },
  ]);
});

Deno.test("the left side has trials of two columns, known errors, limits and truncation", () => {
  const left = (formula: string) => parseFormula(formula).response;
  const sum = { trials: "a + b", trialsOf: ["a", "b"] };
  assert.deepEqual(left("a | trials(a + b) ~ 1"), { column: "a", ...sum });
  assert.deepEqual(left("cbind(a, b) ~ 1"), { column: "a", ...sum });
  assert.deepEqual(left("y | se(s) ~ 1"), { column: "y", error: "s" });
  assert.deepEqual(left("y | cens(c) ~ 1"), { column: "y", censored: "c" });
  assert.deepEqual(left("y | trunc(lb = -1.5, ub = 3) ~ 1").truncated, { lower: -1.5, upper: 3 });
  assert.deepEqual(left("y | trials(n) + se(s) ~ 1"), { column: "y", trials: "n", error: "s" });
});

Deno.test("what cannot be read is named with its column", () => {
  const cases: readonly (readonly [string, number, RegExp])[] = [
    ["y ~", 4, /it ends where a column is wanted/],
    ["y + x", 3, /"\+" stands where "~" is wanted/],
    ["y ~ pol(x, 2)", 5, /there is no function pol/],
    ["y ~ poly(x)", 11, /"\)" stands where "," is wanted/],
    ["y ~ poly(x, 1)", 13, /"1" stands where a number from 2 to 5/],
    ["y ~ [a", 7, /it ends where "\]"/],
    ["y ~ x ^ 2", 7, /"\^" means nothing/],
    ["y ~ x + 3", 9, /"3" stands where 0, 1 or a column/],
    ["y ~ (1 + x)", 11, /"\)" stands where "\|"/],
    ["y ~ [x + 1]", 10, /"1" stands where a term/],
    ["y | wheels(w) ~ x", 5, /"wheels" stands where trials/],
    ["y | weights(w) ~ x", 5, /Cannot weight rows/],
    ["[y | log(z)] ~ x", 6, /"log" stands where log\(y\)/],
    ["y ~ x; ~ z", 8, /"~" stands where a parameter/],
    ["y ~ x x", 7, /"x" stands where "\+" or the end/],
  ];
  for (const [formula, column, message] of cases) {
    assert.throws(() => parseFormula(formula), (error) => {
      assert.ok(error instanceof InputError, formula);
      assert.match(error.diagnostics[0].message, message);
      assert.equal(error.diagnostics[0].span?.column, column, formula);
      return true;
    });
  }
});
