/** Holds the function by which programs observe values that are known to lie between two numbers. */

/** The lower end of an interval that has none: a number, for JSON has no infinity. */
export const noLower: number = -1e308;
/** The upper end of an interval that has none. */
export const noUpper = 1e308;

/** Number beyond which an end counts as infinite. */
export const farthestEnd = 1e300;

/**
 * Text that real PyMC runs, and that the reader knows by its wording: where `lower` is `upper` the density of
 * a value, elsewhere the probability of all that lies between them. PyMC has no distribution for it.
 */
export const intervalCensored = `\
def interval_censored(name, family, lower, upper, observed, **parameters):
    floor = 0 if family in (pm.LogNormal, pm.Gamma, pm.Weibull, pm.Exponential) else -1e300
    left, right, known = lower <= floor, upper > 1e300, lower == upper
    low = np.where(left, upper, lower)
    high = np.where(left | right | known, low + 1, upper)
    def logp(y, *values):
        dist = family.dist(**dict(zip(parameters, values)), shape=len(observed))
        below, above = pm.logcdf(dist, low), pm.logcdf(dist, high)
        beyond, between = pm.math.log1mexp(below), pm.math.logdiffexp(above, below)
        censored = pm.math.switch(left, below, pm.math.switch(right, beyond, between))
        return pm.math.switch(known, pm.logp(dist, pm.math.switch(known, y, high)), censored)
    return pm.CustomDist(name, *parameters.values(), logp=logp, observed=observed)
`;

/** Whether a text defines that function: its lines, but for blank ones. */
export function isIntervalCensored(text: string): boolean {
  const lines = (all: string) => all.split("\n").map((line) => line.trimEnd()).filter(Boolean);
  return lines(text).join("\n") === lines(intervalCensored).join("\n");
}
