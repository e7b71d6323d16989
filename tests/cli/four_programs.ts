/** A grammar of four programs: a line or a logarithm of the age, normal noise or Student's. */

/** As a file, which reads the columns `age` and `length`. */
export const fourPrograms = `format = 1
name = "four_programs"
exit = 1.0
template = '''
import pymc as pm

with pm.Model() as model:
    age = data["age"]
    a = pm.Normal("a", 2, 1)
    b = pm.Normal("b", 0, 1)
    s = pm.HalfNormal("s", 1)
    {curve}
    {noise}
'''

[holes.curve]
type = "statements"
productions = [
  { name = "linear", weight = 2.0, text = "mu = a + b * age / 30" },
  { name = "logarithmic", weight = 1.0, text = "mu = a + b * pm.math.log(1 + age) / 3" },
]

[holes.noise]
type = "statements"
productions = [
  { name = "normal", weight = 2.0, text = 'pm.Normal("y", mu, s, observed=data["length"])' },
  { name = "student", weight = 1.0, text = 'pm.StudentT("y", 4, mu, s, observed=data["length"])' },
]
`;
