/** The engine worker, bundled by tools/bundle_worker.ts from src/exec/worker_main.ts. */

// src/density/instruction.ts
function runForward(tape, m, g) {
  for (let k = 0; k < tape.length; k++) tape[k].forward(m, g, tape[k]);
}
function runBackward(tape, m, g) {
  for (let k = tape.length - 1; k >= 0; k--) tape[k].backward(m, g, tape[k]);
}

// src/math/power_of_two.ts
var powersOfTwo = normalPowersOfTwo();
function normalPowersOfTwo() {
  const powers = new Float64Array(2046);
  powers[1022] = 1;
  for (let k = 1; k <= 1023; k++) powers[1022 + k] = powers[1021 + k] * 2;
  for (let k = 1; k <= 1022; k++) powers[1022 - k] = powers[1023 - k] / 2;
  return powers;
}
function scaleByPowerOfTwo(value, k) {
  if (k >= -1021 && k <= 1023) return value * powersOfTwo[k + 1022];
  if (k > 1023) return value * 2 * powersOfTwo[k + 1021];
  return value * powersOfTwo[k + 2022] * powersOfTwo[22];
}

// src/math/pow.ts
function head(x) {
  const c = 134217729 * x;
  return c - (c - x);
}
function isOddInteger(y) {
  const a = Math.abs(y);
  return a < 9007199254740992 && a === Math.floor(a) && a % 2 === 1;
}
function pow(x, y) {
  if (y === 0 || x === 1) return 1;
  if (x !== x || y !== y) return NaN;
  if (y === 2) return x * x;
  if (y === 1) return x;
  if (y === -1) return 1 / x;
  const ax = Math.abs(x);
  if (ax === 0 || ax === Infinity || ax === 1 || Math.abs(y) > 1e21) return edgePower(x, y);
  const negative = x < 0;
  if (negative && y !== Math.floor(y)) return NaN;
  const value = positivePower(ax, y);
  return negative && isOddInteger(y) ? -value : value;
}
function edgePower(x, y) {
  const ax = Math.abs(x);
  if (x < 0 && y !== Math.floor(y)) return ax === 1 ? NaN : y > 0 === ax > 1 ? Infinity : 0;
  const size = ax === 1 ? 1 : y > 0 === ax > 1 ? Infinity : 0;
  const odd = isOddInteger(y);
  return odd && (x < 0 || Object.is(x, -0)) ? -size : size;
}
function positivePower(x, y) {
  if (y === 0.5) return Math.sqrt(x);
  let n = 0;
  let a = x;
  for (; a >= 18446744073709552e3; n += 64) a *= 5421010862427522e-35;
  for (; a < 5421010862427522e-35; n -= 64) a *= 18446744073709552e3;
  for (; a >= 65536; n += 16) a *= 152587890625e-16;
  for (; a < 1; n -= 16) a *= 65536;
  const e = 31 - Math.clz32(a | 0);
  a /= 1 << e;
  n += e;
  let offset = 0;
  if (a > 1.224744871391589) {
    if (a < 1.7320508075688772) offset = 1;
    else {
      a *= 0.5;
      n += 1;
    }
  }
  return powerOfReduced(a, offset, n, y);
}
function powerOfReduced(a, offset, n, y) {
  const base = offset === 1 ? 1.5 : 1;
  const logBaseHigh = offset === 1 ? 0.5849624872207642 : 0;
  const logBaseLow = offset === 1 ? 1350039202129749e-23 : 0;
  const difference = a - base;
  const inverse = 1 / (a + base);
  const s = difference * inverse;
  const sHigh = head(s);
  const sumHigh = head(a + base);
  const sumLow = a - (sumHigh - base);
  const sLow = inverse * (difference - sHigh * sumHigh - sHigh * sumLow);
  const s2 = s * s;
  const r = s2 * s2 * (0.5999999999999946 + s2 * (0.4285714285785502 + s2 * (0.33333332981837743 + s2 * (0.272728123808534 + s2 * (0.23066074577556175 + s2 * 0.20697501780033842))))) + sLow * (sHigh + s);
  const square3 = sHigh * sHigh;
  const tHigh = head(3 + square3 + r);
  const tLow = r - (tHigh - 3 - square3);
  const u = sHigh * tHigh;
  const v = sLow * tHigh + tLow * s;
  const pHigh = head(u + v);
  const pLow = v - (pHigh - u);
  const zHigh = 0.9617967009544373 * pHigh;
  const zLow = -7028461650952758e-24 * pHigh + pLow * 0.9617966939259756 + logBaseLow;
  const log2High = head(zHigh + zLow + logBaseHigh + n);
  const log2Low = zLow - (log2High - n - logBaseHigh - zHigh);
  const yHigh = head(y);
  return twoToThe(yHigh * log2High, (y - yHigh) * log2High + y * log2Low);
}
function twoToThe(high, low) {
  const z = high + low;
  if (z >= 1024) return Infinity;
  if (z < -1075) return 0;
  const k = Math.round(z);
  const rest = high - k;
  const t = head(low + rest);
  const u = t * 0.6931471824645996;
  const v = (low - (t - rest)) * 0.6931471805599453 + t * -1904654299957768e-24;
  const w = u + v;
  const lost = v - (w - u);
  const w2 = w * w;
  const c = w - w2 * (0.16666666666666602 + w2 * (-0.0027777777777015593 + w2 * (6613756321437934e-20 + w2 * (-16533902205465252e-22 + w2 * 41381367970572385e-24))));
  const value = 1 - (w * c / (c - 2) - (lost + w * lost) - w);
  return scaleByPowerOfTwo(value, k);
}

// src/math/trigonometric.ts
var twoOverPi = BigInt(
  "0xa2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b"
);

// src/math/elementary.ts
var roundShift = 6755399441055744;
var inverseLn2 = 1.4426950408889634;
var ln2High = 0.6931471803691238;
var ln2Low = 19082149292705877e-26;
function exp(x) {
  if (!(x <= 709.782712893384)) return x > 0 ? Infinity : NaN;
  if (x < -745.1332191019412) return 0;
  const k = x * inverseLn2 + roundShift - roundShift;
  const high = x - k * ln2High;
  const low = k * ln2Low;
  const r = high - low;
  const t = r * r;
  const c = r - t * (0.16666666666666602 + t * (-0.0027777777777015593 + t * (6613756321437934e-20 + t * (-16533902205465252e-22 + t * 41381367970572385e-24))));
  const value = 1 - (low - r * c / (2 - c) - high);
  if (k >= -1021 && k <= 1023) return value * powersOfTwo[(k | 0) + 1022];
  return scaleByPowerOfTwo(value, k | 0);
}
function log(x) {
  if (x >= 4656612873077393e-25 && x < 2147483648) return logNear(x, 0, 0);
  return logFar(x);
}
function logFar(x) {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return Infinity;
  let k = 0;
  let scaled = x;
  for (; scaled >= 2147483648; k += 60) scaled *= 8673617379884035e-34;
  for (; scaled < 4656612873077393e-25; k -= 60) scaled *= 1152921504606847e3;
  return logNear(scaled, k, 0);
}
function logNear(x, k, correction) {
  let e = x >= 1 ? 31 - Math.clz32(x | 0) : -1 - Math.clz32(x * 4294967296);
  let m = x * powersOfTwo[1022 - e];
  if (m > 1.4142135623730951) {
    m *= 0.5;
    e += 1;
  }
  return logKernel(m - 1, e + k, correction);
}
function logKernel(f, k, correction) {
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const odd = z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  const half = 0.5 * f * f;
  return s * (half + even + odd) + (k * ln2Low + correction) - half + f + k * ln2High;
}
function log1p(x) {
  if (x > -0.2928932188134524 && x < 0.41421356237309503) {
    return Math.abs(x) < 5551115123125783e-32 ? x : logKernel(x, 0, 0);
  }
  const u = 1 + x;
  if (!(x > -1 && u < 2147483648)) return log(u);
  const lost = (x > 1 ? 1 - (u - x) : x - (u - 1)) / u;
  return logNear(u, 0, lost);
}
function expm1(x) {
  if (!(x < 40)) return exp(x);
  if (x < -40) return -1;
  if (Math.abs(x) < 5551115123125783e-32) return x;
  const k = Math.abs(x) < 0.34657359027997264 ? 0 : x * inverseLn2 + roundShift - roundShift;
  const high = x - k * ln2High;
  const low = k * ln2Low;
  const r = high - low;
  return expm1Reduced(r, high - r - low, k | 0);
}
function expm1Reduced(r, tail, k) {
  const half = 0.5 * r;
  const square3 = r * half;
  const r1 = 1 + square3 * (-0.03333333333333313 + square3 * (0.0015873015872548146 + square3 * (-793650757867488e-19 + square3 * (4008217827329362e-21 - square3 * 20109921818362437e-23))));
  const t = 3 - r1 * half;
  let e = square3 * ((r1 - t) / (6 - r * t));
  if (k === 0) return r - (r * e - square3);
  e = r * (e - tail) - tail - square3;
  if (k === -1) return 0.5 * (r - e) - 0.5;
  if (k === 1) return r < -0.25 ? -2 * (e - (r + 0.5)) : 1 + 2 * (r - e);
  const power2 = powersOfTwo[k + 1022];
  if (k <= -2 || k > 56) return (1 - (e - r)) * power2 - 1;
  const inverse = powersOfTwo[1022 - k];
  return k < 20 ? (1 - inverse - (e - r)) * power2 : (r - (e + inverse) + 1) * power2;
}
function tanh(x) {
  const a = Math.abs(x);
  if (a > 22) return x > 0 ? 1 : -1;
  if (a < 1) {
    const t2 = expm1(-2 * a);
    return x > 0 ? -t2 / (t2 + 2) : x < 0 ? t2 / (t2 + 2) : x;
  }
  const t = 1 - 2 / (expm1(2 * a) + 2);
  return x < 0 ? -t : t;
}
function sigmoid(x) {
  if (x >= 0) return 1 / (1 + exp(-x));
  const e = exp(x);
  return e / (1 + e);
}

// src/math/gamma.ts
var halfLog2Pi = 0.9189385332046727;
function stirlingTail(x) {
  const r = 1 / x;
  const z = r * r;
  return r * (0.08333333333333333 + z * (-0.002777777777777778 + z * (7936507936507937e-19 + z * (-5952380952380953e-19 + z * (8417508417508417e-19 + z * (-0.001917526917526918 + z * (0.00641025641025641 - z * 0.02955065359477124)))))));
}
var aboutTwo = zetaCoefficients(28);
function zetaCoefficients(length) {
  const out = new Float64Array(length);
  for (let i = 0; i < length; i++) out[i] = (i % 2 === 0 ? 1 : -1) * zetaMinusOne(i + 2) / (i + 2);
  return out;
}
function zetaMinusOne(n) {
  const m = 200;
  const last = 1 / integerPower(m, n);
  let sum2 = last * m / (n - 1) + 0.5 * last + n / 12 * last / m - n * (n + 1) * (n + 2) / 720 * last / (m * m * m);
  for (let k = m - 1; k >= 2; k--) sum2 += 1 / integerPower(k, n);
  return sum2;
}
function integerPower(base, exponent) {
  let power2 = 1;
  for (let i = 0; i < exponent; i++) power2 *= base;
  return power2;
}
function lgammaAboutTwo(e) {
  let sum2 = 0;
  for (let i = aboutTwo.length - 1; i >= 0; i--) sum2 = sum2 * e + aboutTwo[i];
  return e * (0.42278433509846713 + e * sum2);
}
function lgamma(x) {
  if (!(x > 0)) return x === 0 ? Infinity : NaN;
  if (x === Infinity) return Infinity;
  if (x < 0.5) return lgammaAboutTwo(x) - log1p(x) - log(x);
  if (x < 1.5) return lgammaAboutTwo(x - 1) - log1p(x - 1);
  if (x >= 10) return (x - 0.5) * log(x) - x + halfLog2Pi + stirlingTail(x);
  let product = 1;
  let y = x;
  while (y > 2.5) product *= --y;
  return lgammaAboutTwo(y - 2) + log(product);
}
var rootHead = 1.4616321449683622;
var rootTail = 9549995429965697e-32;
function digamma(x) {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return Infinity;
  if (Math.abs(x - rootHead) < 0.2) return digammaNearRoot(x - rootHead - rootTail);
  let sum2 = 0;
  let y = x;
  for (; y < 10; y++) sum2 += 1 / y;
  const r = 1 / y;
  const z = r * r;
  const tail = z * (0.08333333333333333 - z * (0.008333333333333333 - z * (0.003968253968253968 - z * (0.004166666666666667 - z * (0.007575757575757576 - z * (0.02109279609279609 - z * (0.08333333333333333 - z * 0.4432598039215686)))))));
  return log(y) - 0.5 * r - tail - sum2;
}
function digammaNearRoot(e) {
  let sum2 = 0;
  for (let i = digammaTaylor.length - 1; i >= 0; i--) sum2 = sum2 * e + digammaTaylor[i];
  return e * sum2;
}
var digammaTaylor = [
  0.9676722454476212,
  -0.4427631689835921,
  0.258499760955651,
  -0.16394270544240652,
  0.10782405069126237,
  -0.07219956125645471,
  0.04880428816414311,
  -0.03316112647484736,
  0.022597648232218104,
  -0.01542476590494896,
  0.010538791616612175,
  -0.007204534386356869,
  0.004926781395729853,
  -0.003369801655439328,
  0.002305126326734928,
  -0.0015769367714301972,
  0.0010788252019162967,
  -7380709389960052e-19,
  504953265834602e-18,
  -3454680251063077e-19,
  23635601564027053e-20
];

// src/math/normal.ts
var sqrt2Pi = 2.5066282746310002;
var sqrtHalf = 0.7071067811865476;
var log2Pi = 1.8378770664093453;
var nearNumerator = [
  0.12837916709551256,
  -0.3250421072470015,
  -0.02848174957559851,
  -0.005770270296489442,
  -23763016656650163e-21
];
var nearDenominator = [
  1,
  0.39791722395915535,
  0.0650222499887673,
  0.005081306281875766,
  13249473800432164e-20,
  -3960228278775368e-21
];
var oneNumerator = [
  -0.0023621185607526594,
  0.41485611868374833,
  -0.3722078760357013,
  0.31834661990116175,
  -0.11089469428239668,
  0.035478304325618236,
  -0.002166375594868791
];
var oneDenominator = [
  1,
  0.10642088040084423,
  0.540397917702171,
  0.07182865441419627,
  0.12617121980876164,
  0.01363708391202905,
  0.011984499846799107
];
var middleNumerator = [
  -0.009864944034847148,
  -0.6938585727071818,
  -10.558626225323291,
  -62.375332450326006,
  -162.39666946257347,
  -184.60509290671104,
  -81.2874355063066,
  -9.814329344169145
];
var middleDenominator = [
  1,
  19.651271667439257,
  137.65775414351904,
  434.56587747522923,
  645.3872717332679,
  429.00814002756783,
  108.63500554177944,
  6.570249770319282,
  -0.0604244152148581
];
var farNumerator = [
  -0.0098649429247001,
  -0.799283237680523,
  -17.757954917754752,
  -160.63638485582192,
  -637.5664433683896,
  -1025.0951316110772,
  -483.5191916086514
];
var farDenominator = [
  1,
  30.33806074348246,
  325.7925129965739,
  1536.729586084437,
  3199.8582195085955,
  2553.0504064331644,
  474.52854120695537,
  -22.44095244658582
];
function polynomial(coefficients2, x) {
  let sum2 = 0;
  for (let i = coefficients2.length - 1; i >= 0; i--) sum2 = sum2 * x + coefficients2[i];
  return sum2;
}
function erfNear(x) {
  const z = x * x;
  return polynomial(nearNumerator, z) / polynomial(nearDenominator, z);
}
var erfAtOne = 0.8450629115104675;
function erfAboveOne(x) {
  return polynomial(oneNumerator, x - 1) / polynomial(oneDenominator, x - 1);
}
function erfcExponent(x) {
  const s = 1 / (x * x);
  return x < 2.857142857142857 ? polynomial(middleNumerator, s) / polynomial(middleDenominator, s) : polynomial(farNumerator, s) / polynomial(farDenominator, s);
}
function erfcFar(x) {
  if (x >= 28) return 0;
  const c = 1048576 * 128 * x;
  const z = c - (c - x);
  return exp(-z * z - 0.5625) * exp((z - x) * (z + x) + erfcExponent(x)) / x;
}
function erfc(x) {
  const a = Math.abs(x);
  if (a < 0.84375) {
    const y = erfNear(x);
    return x < 0.25 ? 1 - (x + x * y) : 0.5 - (x - 0.5 + x * y);
  }
  if (x !== x) return NaN;
  const upper = a < 1.25 ? 1 - erfAtOne - erfAboveOne(a) : erfcFar(a);
  return x < 0 ? 2 - upper : upper;
}
function normalCdf(x) {
  return 0.5 * erfc(-x * sqrtHalf);
}
function millsRatio(x) {
  const terms = x > 60 ? 6 : x > 12 ? 20 : 70;
  let t = x;
  for (let n = terms; n >= 1; n--) t = x + n / t;
  return 1 / t;
}
function logNormalCdf(x) {
  if (x > 0) return log1p(-0.5 * erfc(x * sqrtHalf));
  if (x > -5) return log(0.5 * erfc(-x * sqrtHalf));
  return x === -Infinity ? x : log(millsRatio(-x)) - 0.5 * (x * x + log2Pi);
}
function logNormalCdfSlope(x) {
  if (x <= -5) return x === -Infinity ? Infinity : 1 / millsRatio(-x);
  return exp(-0.5 * x * x) / (sqrt2Pi * normalCdf(x));
}
var centralNumerator = [
  3.3871328727963665,
  133.14166789178438,
  1971.5909503065513,
  13731.69376550946,
  45921.95393154987,
  67265.7709270087,
  33430.57558358813,
  2509.0809287301227
];
var centralDenominator = [
  1,
  42.31333070160091,
  687.1870074920579,
  5394.196021424751,
  21213.794301586597,
  39307.89580009271,
  28729.085735721943,
  5226.495278852854
];
var outerNumerator = [
  1.4234371107496835,
  4.630337846156546,
  5.769497221460691,
  3.6478483247632045,
  1.2704582524523684,
  0.2417807251774506,
  0.022723844989269184,
  7745450142783414e-19
];
var outerDenominator = [
  1,
  2.053191626637759,
  1.6763848301838038,
  0.6897673349851,
  0.14810397642748008,
  0.015198666563616457,
  5475938084995345e-19,
  10507500716444169e-25
];
var tailNumerator = [
  6.657904643501103,
  5.463784911164114,
  1.7848265399172913,
  0.29656057182850487,
  0.026532189526576124,
  0.0012426609473880784,
  27115555687434876e-21,
  20103343992922881e-23
];
var tailDenominator = [
  1,
  0.599832206555888,
  0.1369298809227358,
  0.014875361290850615,
  7868691311456133e-19,
  18463183175100548e-21,
  1421511758316446e-22,
  20442631033899397e-31
];
function normalQuantile(p) {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r2 = 0.180625 - q * q;
    return q * polynomial(centralNumerator, r2) / polynomial(centralDenominator, r2);
  }
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : NaN;
  const r = Math.sqrt(-log(q < 0 ? p : 1 - p));
  const size = r <= 5 ? polynomial(outerNumerator, r - 1.6) / polynomial(outerDenominator, r - 1.6) : polynomial(tailNumerator, r - 5) / polynomial(tailDenominator, r - 5);
  return q < 0 ? -size : size;
}

// src/density/accumulate.ts
function addScaled(g, n, d, mask, y, sign) {
  if (mask === 0) g[d] += sign * sumOf(g, n, y);
  else for (let i = 0; i < n; i++) g[d + i] += sign * g[y + i];
}
function addProduct(m, g, n, d, mask, y, f, fMask) {
  if (mask === 0) g[d] += fMask === 0 ? m[f] * sumOf(g, n, y) : dotOf(g, m, n, y, f);
  else if (fMask === 0) addMultiple(g, n, d, y, m[f]);
  else for (let i = 0; i < n; i++) g[d + i] += g[y + i] * m[f + i];
}
function addMultiple(g, n, d, y, factor2) {
  for (let i = 0; i < n; i++) g[d + i] += g[y + i] * factor2;
}
function sumOf(g, n, y) {
  let even = 0;
  let odd = 0;
  let i = 0;
  for (; i + 1 < n; i += 2) {
    even += g[y + i];
    odd += g[y + i + 1];
  }
  if (i < n) even += g[y + i];
  return even + odd;
}
function dotOf(g, m, n, y, f) {
  let even = 0;
  let odd = 0;
  let i = 0;
  for (; i + 1 < n; i += 2) {
    even += g[y + i] * m[f + i];
    odd += g[y + i + 1] * m[f + i + 1];
  }
  if (i < n) even += g[y + i] * m[f + i];
  return even + odd;
}

// src/density/log_sum.ts
var productBounds = [1e-150, 1e150];
function sumOfLogs(m, n, at) {
  const [low, high] = productBounds;
  let sum2 = 0;
  let product = 1;
  let other = 1;
  for (let i = 0; i < n; i++) {
    const factor2 = m[at + i];
    let next = product * factor2;
    if (!(next >= low && next <= high)) {
      if (!(factor2 > 0)) return NaN;
      sum2 += log(product) + log(factor2);
      next = 1;
    }
    product = other;
    other = next;
  }
  return sum2 + log(product * other);
}

// src/density/families/normal.ts
var halfLog2Pi2 = 0.9189385332046727;
var halfLog2OverPi = -0.22579135264472744;
var normal = {
  normaliser(_mu, sigma, _c, _d, slope2) {
    slope2[1] = 0;
    slope2[2] = -1 / sigma;
    return sigma > 0 ? -log(sigma) - halfLog2Pi2 : -Infinity;
  },
  kernel(x, mu, sigma, _c, _d, slope2) {
    const z = (x - mu) / sigma;
    const pull = z / sigma;
    slope2[0] = -pull;
    slope2[1] = pull;
    slope2[2] = z * pull;
    return -0.5 * z * z;
  },
  column(m, g, term) {
    return term.mask1 === 0 ? normalColumn(m, g, term, term.x, m[term.p1]) : normalColumnScales(m, g, term, term.x);
  }
};
function normalColumn(m, g, term, x, sigma) {
  if (!(sigma > 0)) return -Infinity;
  const inverse = 1 / sigma;
  const squares = term.mask0 === 0 ? squaresAroundScalar(m, g, term, x, inverse) : squaresAroundVector(m, g, term, x, inverse);
  if (term.free1) g[term.p1] += (squares - term.n) * inverse;
  return -0.5 * squares - term.n * (log(sigma) + halfLog2Pi2);
}
function squaresAroundVector(m, g, term, x, inverse) {
  const { n, p0, free0 } = term;
  const sink = free0 ? p0 : 0;
  const weight = free0 ? inverse : 0;
  let even = 0;
  let odd = 0;
  let i = 0;
  for (; i + 1 < n; i += 2) {
    const z0 = (m[x + i] - m[p0 + i]) * inverse;
    const z1 = (m[x + i + 1] - m[p0 + i + 1]) * inverse;
    even += z0 * z0;
    odd += z1 * z1;
    if (free0) {
      g[sink + i] += z0 * weight;
      g[sink + i + 1] += z1 * weight;
    }
  }
  if (i < n) {
    const z = (m[x + i] - m[p0 + i]) * inverse;
    even += z * z;
    if (free0) g[sink + i] += z * weight;
  }
  return even + odd;
}
function squaresAroundScalar(m, g, term, x, inverse) {
  const { n, p0, free0 } = term;
  const mu = m[p0];
  let squares = 0;
  let sum2 = 0;
  for (let i = 0; i < n; i++) {
    const z = (m[x + i] - mu) * inverse;
    squares += z * z;
    sum2 += z;
  }
  if (free0) g[p0] += sum2 * inverse;
  return squares;
}
function normalColumnScales(m, g, term, x) {
  const { n, p0, mask0, free0, p1, free1 } = term;
  const logs = sumOfLogs(m, n, p1);
  let [squares, sum2, otherSquares, otherSum] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const inverse = 1 / m[p1 + i];
    const z = (m[x + i] - m[p0 + (i & mask0)]) * inverse;
    const square3 = z * z;
    const pull = z * inverse;
    if (free0 && mask0 !== 0) g[p0 + i] += pull;
    if (free1) g[p1 + i] += (square3 - 1) * inverse;
    [squares, otherSquares] = [otherSquares, squares + square3];
    [sum2, otherSum] = [otherSum, sum2 + pull];
  }
  if (free0 && mask0 === 0) g[p0] += sum2 + otherSum;
  return -0.5 * (squares + otherSquares) - logs - n * halfLog2Pi2;
}
var halfNormal = {
  normaliser(sigma, _b, _c, _d, slope2) {
    slope2[1] = -1 / sigma;
    return sigma > 0 ? halfLog2OverPi - log(sigma) : -Infinity;
  },
  kernel(x, sigma, _b, _c, _d, slope2) {
    const z = x / sigma;
    slope2[0] = -z / sigma;
    slope2[1] = z * z / sigma;
    return x >= 0 ? -0.5 * z * z : -Infinity;
  }
};
var logNormal = {
  normaliser: normal.normaliser,
  kernel(x, mu, sigma, _c, _d, slope2) {
    const logX = log(x);
    const z = (logX - mu) / sigma;
    const pull = z / sigma;
    slope2[0] = -(1 + pull) / x;
    slope2[1] = pull;
    slope2[2] = z * pull;
    return x > 0 ? -0.5 * z * z - logX : -Infinity;
  },
  usesLogValue: true,
  column(m, g, term) {
    const ofLog = term.mask1 === 0 ? normalColumn(m, g, term, term.logX, m[term.p1]) : normalColumnScales(m, g, term, term.logX);
    return ofLog - sumOf(m, term.n, term.logX);
  }
};

// src/density/families/bounded.ts
var beta = {
  normaliser(a, b, _c, _d, slope2) {
    if (!(a > 0 && b > 0)) return -Infinity;
    const digammaSum = digamma(a + b);
    slope2[1] = digammaSum - digamma(a);
    slope2[2] = digammaSum - digamma(b);
    return lgamma(a + b) - lgamma(a) - lgamma(b);
  },
  kernel(x, a, b, _c, _d, slope2) {
    slope2[1] = x === 0 && a === 1 ? 0 : log(x);
    slope2[2] = x === 1 && b === 1 ? 0 : log1p(-x);
    slope2[0] = (a === 1 ? 0 : (a - 1) / x) - (b === 1 ? 0 : (b - 1) / (1 - x));
    if (!(x >= 0 && x <= 1) || slope2[1] === -Infinity || slope2[2] === -Infinity) return -Infinity;
    return (a - 1) * slope2[1] + (b - 1) * slope2[2];
  }
};
var uniform = {
  normaliser(lower, upper, _c, _d, slope2) {
    slope2[1] = 1 / (upper - lower);
    slope2[2] = -slope2[1];
    return upper > lower ? -log(upper - lower) : -Infinity;
  },
  kernel(x, lower, upper, _c, _d, slope2) {
    slope2[0] = slope2[1] = slope2[2] = 0;
    return x >= lower && x <= upper ? 0 : -Infinity;
  }
};
var truncatedNormal = {
  normaliser(mu, sigma, lower, upper, slope2) {
    if (!(sigma > 0 && upper > lower)) return -Infinity;
    const a = (lower - mu) / sigma;
    const b = (upper - mu) / sigma;
    const logMass = logNormalInterval(a, b);
    const edgeA = edgeDensity(a, logMass);
    const edgeB = edgeDensity(b, logMass);
    slope2[1] = (edgeB - edgeA) / sigma;
    slope2[2] = ((edgeB === 0 ? 0 : b * edgeB) - (edgeA === 0 ? 0 : a * edgeA) - 1) / sigma;
    slope2[3] = edgeA / sigma;
    slope2[4] = -edgeB / sigma;
    return -log(sigma) - halfLog2Pi2 - logMass;
  },
  kernel(x, mu, sigma, lower, upper, slope2) {
    const z = (x - mu) / sigma;
    const pull = z / sigma;
    slope2[0] = -pull;
    slope2[1] = pull;
    slope2[2] = z * pull;
    slope2[3] = slope2[4] = 0;
    return x >= lower && x <= upper ? -0.5 * z * z : -Infinity;
  }
};
function logNormalInterval(a, b) {
  if (a > 0) return logNormalInterval(-b, -a);
  if (b > 0) return log1p(-(normalCdf(a) + normalCdf(-b)));
  const logUpper = logNormalCdf(b);
  return a === -Infinity ? logUpper : logUpper + log1p(-exp(logNormalCdf(a) - logUpper));
}
function edgeDensity(z, logMass) {
  return exp(-0.5 * z * z - halfLog2Pi2 - logMass);
}

// src/density/families/gamma.ts
function gammaNormaliser(alpha, beta2, slope2) {
  if (!(alpha > 0 && beta2 > 0)) return -Infinity;
  const logBeta = log(beta2);
  slope2[1] = logBeta - digamma(alpha);
  slope2[2] = alpha / beta2;
  return alpha * logBeta - lgamma(alpha);
}
var gamma = {
  normaliser: (alpha, beta2, _c, _d, slope2) => gammaNormaliser(alpha, beta2, slope2),
  kernel(x, alpha, beta2, _c, _d, slope2) {
    const logX = x === 0 && alpha === 1 ? 0 : log(x);
    slope2[0] = (alpha - 1) / x - beta2;
    slope2[1] = logX;
    slope2[2] = -x;
    return x > 0 || logX === 0 ? (alpha - 1) * logX - beta2 * x : -Infinity;
  },
  usesLogValue: true,
  column: gammaColumn
};
function gammaColumn(m, g, term) {
  const { n, x, logX, p0, mask0, free0, p1, mask1, free1 } = term;
  let logShapes = 0;
  let weighted = 0;
  let rateSum = 0;
  const shape = m[p0];
  const logs = sumOf(m, n, logX);
  const logRates = mask1 === 0 ? n * log(m[p1]) : sumOfLogs(m, n, p1);
  for (let i = 0; i < n; i++) {
    const alpha = m[p0 + (i & mask0)];
    const beta2 = m[p1 + (i & mask1)];
    weighted += beta2 * m[x + i];
    const slope2 = alpha / beta2 - m[x + i];
    if (free1 && mask1 !== 0) g[p1 + i] += slope2;
    rateSum += slope2;
    if (mask0 !== 0) logShapes += gammaShapeRow(m, g, term, i);
  }
  if (free1 && mask1 === 0) g[p1] += rateSum;
  if (mask0 !== 0) return logShapes - weighted - logs;
  if (!(shape > 0)) return -Infinity;
  if (free0) g[p0] += logRates - n * digamma(shape) + logs;
  return shape * logRates - n * lgamma(shape) + (shape - 1) * logs - weighted;
}
function gammaShapeRow(m, g, term, i) {
  const alpha = m[term.p0 + i];
  const beta2 = m[term.p1 + (i & term.mask1)];
  if (!(alpha > 0 && beta2 > 0)) return NaN;
  const logRatio = log(beta2) + m[term.logX + i];
  if (term.free0) g[term.p0 + i] += logRatio - digamma(alpha);
  return alpha * logRatio - lgamma(alpha);
}
var inverseGamma = {
  normaliser: (alpha, beta2, _c, _d, slope2) => gammaNormaliser(alpha, beta2, slope2),
  kernel(x, alpha, beta2, _c, _d, slope2) {
    const logX = log(x);
    slope2[0] = (beta2 / x - (alpha + 1)) / x;
    slope2[1] = -logX;
    slope2[2] = -1 / x;
    return x > 0 ? -(alpha + 1) * logX - beta2 / x : -Infinity;
  }
};
var exponential = {
  normaliser(lam, _b, _c, _d, slope2) {
    slope2[1] = 1 / lam;
    return lam > 0 ? log(lam) : -Infinity;
  },
  kernel(x, lam, _b, _c, _d, slope2) {
    slope2[0] = -lam;
    slope2[1] = -x;
    return x >= 0 ? -lam * x : -Infinity;
  }
};
var weibull = {
  normaliser(alpha, beta2, _c, _d, slope2) {
    slope2[1] = 1 / alpha;
    slope2[2] = -1 / beta2;
    return alpha > 0 && beta2 > 0 ? log(alpha) - log(beta2) : -Infinity;
  },
  kernel(x, alpha, beta2, _c, _d, slope2) {
    if (!(x > 0)) return weibullAtZero(x, alpha, beta2, slope2);
    const logRatio = log(x / beta2);
    const power2 = exp(alpha * logRatio);
    const pull = (alpha - 1 - alpha * power2) / x;
    slope2[0] = pull;
    slope2[1] = logRatio - power2 * logRatio;
    slope2[2] = -pull * x / beta2;
    return (alpha - 1) * logRatio - power2;
  }
};
function weibullAtZero(x, alpha, beta2, slope2) {
  slope2[0] = -1 / beta2;
  slope2[1] = 0;
  slope2[2] = 0;
  return x === 0 && alpha === 1 ? 0 : -Infinity;
}

// src/density/families/real_line.ts
var log2 = 0.6931471805599453;
function locationScale(constant2) {
  return (_location, scale, _c, _d, slope2) => {
    slope2[1] = 0;
    slope2[2] = -1 / scale;
    slope2[3] = 0;
    return scale > 0 ? -log(scale) - constant2 : -Infinity;
  };
}
function slopesFromZ(byZ, z, scale, slope2) {
  slope2[0] = byZ / scale;
  slope2[1] = -slope2[0];
  slope2[2] = -z * slope2[0];
}
var laplace = {
  normaliser: locationScale(log2),
  kernel(x, mu, b, _c, _d, slope2) {
    const z = (x - mu) / b;
    slopesFromZ(-Math.sign(z), z, b, slope2);
    return -Math.abs(z);
  }
};
var logistic = {
  normaliser: locationScale(0),
  kernel(x, mu, s, _c, _d, slope2) {
    const z = (x - mu) / s;
    const size = Math.abs(z);
    slopesFromZ(1 - 2 * sigmoid(z), z, s, slope2);
    return -size - 2 * log1p(exp(-size));
  },
  column: logisticColumn
};
var factors = new Float64Array(64);
function logisticColumn(m, g, term) {
  const { n, x, p0, mask0, free0, p1, mask1, free1 } = term;
  if (factors.length < n) factors = new Float64Array(2 * n);
  const logScales = mask1 === 0 ? n * log(m[p1]) : sumOfLogs(m, n, p1);
  let inverse = 1 / m[p1];
  let [sizes, location, scale] = [0, 0, 0];
  let [otherSizes, otherLocation, otherScale] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    if (mask1 !== 0) inverse = 1 / m[p1 + i];
    const z = (m[x + i] - m[p0 + (i & mask0)]) * inverse;
    const size = Math.abs(z);
    const e = exp(-size);
    const factor2 = 1 + e;
    factors[i] = factor2;
    const t = (1 - e) / factor2;
    const pull = (z < 0 ? -t : t) * inverse;
    const stretch = (size * t - 1) * inverse;
    if (free0 && mask0 !== 0) g[p0 + i] += pull;
    if (free1 && mask1 !== 0) g[p1 + i] += stretch;
    [sizes, otherSizes] = [otherSizes, sizes + size];
    [location, otherLocation] = [otherLocation, location + pull];
    [scale, otherScale] = [otherScale, scale + stretch];
  }
  if (free0 && mask0 === 0) g[p0] += location + otherLocation;
  if (free1 && mask1 === 0) g[p1] += scale + otherScale;
  return -(sizes + otherSizes) - 2 * sumOfLogs(factors, n, 0) - logScales;
}
var gumbel = {
  normaliser: locationScale(0),
  kernel(x, mu, beta2, _c, _d, slope2) {
    const z = (x - mu) / beta2;
    const tail = exp(-z);
    slopesFromZ(tail - 1, z, beta2, slope2);
    return -z - tail;
  }
};
var skewNormal = {
  normaliser: locationScale(halfLog2Pi2 - log2),
  kernel(x, mu, sigma, alpha, _d, slope2) {
    const z = (x - mu) / sigma;
    const t = alpha * z;
    const hazard = logNormalCdfSlope(t);
    slopesFromZ(alpha * hazard - z, z, sigma, slope2);
    slope2[3] = z * hazard;
    return -0.5 * z * z + logNormalCdf(t);
  }
};

// src/density/families/student_t.ts
var log22 = 0.6931471805599453;
var logPi = 1.1447298858494002;
var studentT = {
  normaliser(nu, _mu, sigma, _d, slope2) {
    slope2[2] = 0;
    slope2[3] = -1 / sigma;
    return sigma > 0 ? shapeNormaliser(nu, slope2, 1) - log(sigma) : -Infinity;
  },
  kernel(x, nu, mu, sigma, _d, slope2) {
    const z = (x - mu) / sigma;
    const value = tailKernel(z, nu, slope2);
    const pull = -slope2[0] / sigma;
    slope2[0] = -pull;
    slope2[1] = slope2[4];
    slope2[2] = pull;
    slope2[3] = z * pull;
    return value;
  },
  column: (m, g, term) => studentColumn(m, g, term, m[term.p0])
};
function shapeNormaliser(nu, slope2, at) {
  if (!(nu > 0)) return -Infinity;
  slope2[at] = 0.5 * (digamma((nu + 1) / 2) - digamma(nu / 2) - 1 / nu);
  return lgamma((nu + 1) / 2) - lgamma(nu / 2) - 0.5 * (log(nu) + logPi);
}
function tailKernel(z, nu, slope2) {
  const u = z * z / nu;
  const logTail = log1p(u);
  slope2[0] = -(nu + 1) * z / (nu + z * z);
  slope2[4] = 0.5 * ((nu + 1) * u / (nu + z * z) - logTail);
  return -0.5 * (nu + 1) * logTail;
}
var scratch = new Float64Array(5);
var factors2 = new Float64Array(64);
function studentColumn(m, g, term, nu) {
  if (term.mask0 !== 0) return studentColumnGeneral(m, g, term);
  if (!(nu > 0)) return -Infinity;
  const shape = term.free0 ? shapeNormaliser(nu, scratch, 1) : fixedShape(nu);
  if (factors2.length < term.n) factors2 = new Float64Array(2 * term.n);
  const scales = term.mask2 === 0 ? term.n * log(m[term.p2]) : sumOfLogs(m, term.n, term.p2);
  const pulls = addStudentAdjoints(m, g, term, nu);
  const logTails = sumOfLogs(factors2, term.n, 0);
  if (term.free0) {
    g[term.p0] += term.n * scratch[1] + 0.5 * ((nu + 1) * pulls / nu - logTails);
  }
  return term.n * shape - scales - 0.5 * (nu + 1) * logTails;
}
var fixedNu = NaN;
var fixedShapeValue = NaN;
function fixedShape(nu) {
  if (nu !== fixedNu) [fixedNu, fixedShapeValue] = [nu, shapeNormaliser(nu, scratch, 1)];
  return fixedShapeValue;
}
function addStudentAdjoints(m, g, { n, x, p1, mask1, free1, p2, mask2, free2 }, nu) {
  let inverse = 1 / m[p2];
  let [location, scale, shares] = [0, 0, 0];
  let [otherLocation, otherScale, otherShares] = [0, 0, 0];
  const inverseNu = 1 / nu;
  for (let i = 0; i < n; i++) {
    if (mask2 !== 0) inverse = 1 / m[p2 + i];
    const z = (m[x + i] - m[p1 + (i & mask1)]) * inverse;
    const factor2 = 1 + z * z * inverseNu;
    factors2[i] = factor2;
    const ratio = z * inverseNu / factor2;
    const share = z * ratio;
    const pull = (nu + 1) * ratio * inverse;
    const stretch = ((nu + 1) * share - 1) * inverse;
    if (free1 && mask1 !== 0) g[p1 + i] += pull;
    if (free2 && mask2 !== 0) g[p2 + i] += stretch;
    [shares, otherShares] = [otherShares, shares + share];
    [location, otherLocation] = [otherLocation, location + pull];
    [scale, otherScale] = [otherScale, scale + stretch];
  }
  if (free1 && mask1 === 0) g[p1] += location + otherLocation;
  if (free2 && mask2 === 0) g[p2] += scale + otherScale;
  return shares + otherShares;
}
function studentColumnGeneral(m, g, term) {
  let total = 0;
  for (let i = 0; i < term.n; i++) {
    const nu = term.p0 + (i & term.mask0);
    const mu = term.p1 + (i & term.mask1);
    const sigma = term.p2 + (i & term.mask2);
    total += studentT.normaliser(m[nu], m[mu], m[sigma], 0, scratch);
    if (term.free0) g[nu] += scratch[1];
    if (term.free2) g[sigma] += scratch[3];
    total += studentT.kernel(m[term.x + i], m[nu], m[mu], m[sigma], 0, scratch);
    if (term.free0) g[nu] += scratch[1];
    if (term.free1) g[mu] += scratch[2];
    if (term.free2) g[sigma] += scratch[3];
  }
  return total;
}
var halfStudentT = {
  normaliser(nu, sigma, _c, _d, slope2) {
    slope2[2] = -1 / sigma;
    return sigma > 0 ? log22 + shapeNormaliser(nu, slope2, 1) - log(sigma) : -Infinity;
  },
  kernel(x, nu, sigma, _c, _d, slope2) {
    const z = x / sigma;
    const value = tailKernel(z, nu, slope2);
    slope2[0] /= sigma;
    slope2[1] = slope2[4];
    slope2[2] = -z * slope2[0];
    return x >= 0 ? value : -Infinity;
  }
};
var cauchy = {
  normaliser(_alpha, beta2, _c, _d, slope2) {
    slope2[1] = 0;
    slope2[2] = -1 / beta2;
    return beta2 > 0 ? -logPi - log(beta2) : -Infinity;
  },
  kernel(x, alpha, beta2, _c, _d, slope2) {
    const z = (x - alpha) / beta2;
    const pull = 2 * z / (1 + z * z) / beta2;
    slope2[0] = -pull;
    slope2[1] = pull;
    slope2[2] = z * pull;
    return -log1p(z * z);
  }
};
var halfCauchy = {
  normaliser(beta2, _b, _c, _d, slope2) {
    slope2[1] = -1 / beta2;
    return beta2 > 0 ? log22 - logPi - log(beta2) : -Infinity;
  },
  kernel(x, beta2, _b, _c, _d, slope2) {
    const z = x / beta2;
    slope2[0] = -2 * z / (1 + z * z) / beta2;
    slope2[1] = -z * slope2[0];
    return x >= 0 ? -log1p(z * z) : -Infinity;
  }
};

// src/density/families/table.ts
var familyRules = {
  normal,
  half_normal: halfNormal,
  log_normal: logNormal,
  student_t: studentT,
  half_student_t: halfStudentT,
  cauchy,
  half_cauchy: halfCauchy,
  exponential,
  gamma,
  inverse_gamma: inverseGamma,
  weibull,
  beta,
  uniform,
  laplace,
  logistic,
  gumbel,
  skew_normal: skewNormal,
  truncated_normal: truncatedNormal
};

// src/density/binary_kernels.ts
var add = {
  forward(m, _g, { n, a, aMask, b, bMask, out }) {
    for (let i = 0; i < n; i++) m[out + i] = m[a + (i & aMask)] + m[b + (i & bMask)];
  },
  backward(_m, g, { n, a, aMask, aFree, b, bMask, bFree, out }) {
    if (aFree) addScaled(g, n, a, aMask, out, 1);
    if (bFree) addScaled(g, n, b, bMask, out, 1);
  }
};
var sub = {
  forward(m, _g, { n, a, aMask, b, bMask, out }) {
    for (let i = 0; i < n; i++) m[out + i] = m[a + (i & aMask)] - m[b + (i & bMask)];
  },
  backward(_m, g, { n, a, aMask, aFree, b, bMask, bFree, out }) {
    if (aFree) addScaled(g, n, a, aMask, out, 1);
    if (bFree) addScaled(g, n, b, bMask, out, -1);
  }
};
var mul = {
  forward(m, _g, { n, a, aMask, b, bMask, out }) {
    for (let i = 0; i < n; i++) m[out + i] = m[a + (i & aMask)] * m[b + (i & bMask)];
  },
  backward(m, g, { n, a, aMask, aFree, b, bMask, bFree, out }) {
    if (aFree) addProduct(m, g, n, a, aMask, out, b, bMask);
    if (bFree) addProduct(m, g, n, b, bMask, out, a, aMask);
  }
};
var div = {
  forward(m, _g, { n, a, aMask, b, bMask, out }) {
    for (let i = 0; i < n; i++) m[out + i] = m[a + (i & aMask)] / m[b + (i & bMask)];
  },
  backward(m, g, { n, a, aMask, aFree, b, bMask, bFree, out }) {
    const [even, odd] = [new Sums(), new Sums()];
    for (let i = 0; i < n; i++) {
      const slope2 = g[out + i] / m[b + (i & bMask)];
      const slopeB = slope2 * m[out + i];
      if (aFree && aMask !== 0) g[a + i] += slope2;
      if (bFree && bMask !== 0) g[b + i] -= slopeB;
      const sums = i & 1 ? odd : even;
      sums.a += slope2;
      sums.b += slopeB;
    }
    if (aFree && aMask === 0) g[a] += even.a + odd.a;
    if (bFree && bMask === 0) g[b] -= even.b + odd.b;
  }
};
var Sums = class {
  a = 0;
  b = 0;
};
var powGeneral = {
  forward(m, _g, { n, a, aMask, b, bMask, out }) {
    for (let i = 0; i < n; i++) m[out + i] = pow(m[a + (i & aMask)], m[b + (i & bMask)]);
  },
  backward(m, g, step) {
    if (step.aFree) powBaseAdjoint(m, g, step);
    if (step.bFree) powExponentAdjoint(m, g, step);
  }
};
function powBaseAdjoint(m, g, step) {
  const { n, a, aMask, b, bMask, out } = step;
  let sum2 = 0;
  for (let i = 0; i < n; i++) {
    const x = m[a + (i & aMask)];
    const y = m[b + (i & bMask)];
    const slope2 = g[out + i] * (x === 0 ? y * pow(0, y - 1) : y * m[out + i] / x);
    if (aMask === 0) sum2 += slope2;
    else g[a + i] += slope2;
  }
  if (aMask === 0) g[a] += sum2;
}
function powExponentAdjoint(m, g, step) {
  const { n, a, aMask, b, bMask, out } = step;
  let sum2 = 0;
  for (let i = 0; i < n; i++) {
    const power2 = m[out + i];
    const slope2 = power2 === 0 ? 0 : g[out + i] * power2 * log(m[a + (i & aMask)]);
    if (bMask === 0) sum2 += slope2;
    else g[b + i] += slope2;
  }
  if (bMask === 0) g[b] += sum2;
}
var powScalarBase = {
  forward(m, g, step) {
    const { n, a, b, out } = step;
    if (!(m[a] > 0)) return powGeneral.forward(m, g, step);
    const logBase = log(m[a]);
    for (let i = 0; i < n; i++) m[out + i] = exp(logBase * m[b + i]);
  },
  backward(m, g, step) {
    const { n, a, b, out } = step;
    if (!(m[a] > 0)) return powBaseAdjoint(m, g, step);
    let even = 0;
    let odd = 0;
    let i = 0;
    for (; i + 1 < n; i += 2) {
      even += g[out + i] * m[b + i] * m[out + i];
      odd += g[out + i + 1] * m[b + i + 1] * m[out + i + 1];
    }
    if (i < n) even += g[out + i] * m[b + i] * m[out + i];
    g[a] += (even + odd) / m[a];
  }
};
var binaryKernels = {
  add,
  sub,
  mul,
  div,
  pow: powGeneral,
  powScalarBase
};

// src/density/layout.ts
var Layout = class {
  #free = [];
  #constants = [];
  /** Room for a value that depends on parameters. */
  free(n, vector2) {
    const operand = { n, vector: vector2, address: -1 };
    this.#free.push(operand);
    return operand;
  }
  /** A constant scalar or vector. */
  constant(values, vector2) {
    const operand = { n: values.length, vector: vector2, constant: values, address: -1 };
    this.#constants.push(operand);
    return operand;
  }
  /** Assigns addresses; returns the memory, filled with the constants, and the size of the rest. */
  link() {
    let next = 0;
    for (const operand of this.#free) next = place(operand, next);
    const freeSize = next;
    for (const operand of this.#constants) next = place(operand, next);
    const memory = new Float64Array(next);
    for (const { constant: constant2, address } of this.#constants) memory.set(constant2, address);
    return { memory, freeSize };
  }
};
function place(operand, at) {
  operand.address = at;
  return at + operand.n;
}
function maskOf(operand) {
  return operand.vector ? -1 : 0;
}
function isFree(operand) {
  return operand.constant === void 0;
}

// src/density/operations.ts
var applyUnary = {
  neg: (x) => -x,
  exp,
  log,
  log1p,
  expm1,
  sqrt: Math.sqrt,
  abs: Math.abs,
  sigmoid,
  tanh
};
var applyBinary = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  pow
};

// src/density/unary_kernels.ts
var neg = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = -m[a + i];
  },
  backward(_m, g, { n, a, out }) {
    addScaled(g, n, a, -1, out, -1);
  }
};
var timesResult = (m, g, { n, a, out }) => {
  for (let i = 0; i < n; i++) g[a + i] += g[out + i] * m[out + i];
};
var exponential2 = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = exp(m[a + i]);
  },
  backward: timesResult
};
var logarithm = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = log(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] / m[a + i];
  }
};
var logarithm1p = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = log1p(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] / (1 + m[a + i]);
  }
};
var exponentialM1 = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = expm1(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * (1 + m[out + i]);
  }
};
var squareRoot = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = Math.sqrt(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * (0.5 / m[out + i]);
  }
};
var absolute = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = Math.abs(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * Math.sign(m[a + i]);
  }
};
var logistic2 = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = sigmoid(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * (m[out + i] * (1 - m[out + i]));
  }
};
var hyperbolicTangent = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = tanh(m[a + i]);
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * (1 - m[out + i] * m[out + i]);
  }
};
var square = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = m[a + i] * m[a + i];
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] += g[out + i] * (2 * m[a + i]);
  }
};
var reciprocal = {
  forward(m, _g, { n, a, out }) {
    for (let i = 0; i < n; i++) m[out + i] = 1 / m[a + i];
  },
  backward(m, g, { n, a, out }) {
    for (let i = 0; i < n; i++) g[a + i] -= g[out + i] * (m[out + i] * m[out + i]);
  }
};
var unaryKernels = {
  neg,
  exp: exponential2,
  log: logarithm,
  log1p: logarithm1p,
  expm1: exponentialM1,
  sqrt: squareRoot,
  abs: absolute,
  sigmoid: logistic2,
  tanh: hyperbolicTangent,
  square,
  reciprocal
};

// src/density/lower_operations.ts
var TapeBuilder = class {
  constructor(layout) {
    this.layout = layout;
  }
  layout;
  #pending = [];
  /** A unary operation, folded if its argument is constant. */
  unary(op, argument2) {
    const { constant: constant2 } = argument2;
    if (constant2) return this.layout.constant(constant2.map(applyUnary[op]), argument2.vector);
    return this.#unary(op, argument2);
  }
  /** A binary operation with broadcasting, folded if both arguments are constant. */
  binary(op, a, b) {
    if (a.constant && b.constant) return this.#foldBinary(op, a, a.constant, b, b.constant);
    return op === "pow" ? this.#power(a, b) : this.#binary(op, a, b);
  }
  /**
   * Instructions since the last call, as a function to call after `layout.link`: scalars first, then
   * rows. That is an order of evaluation, since no scalar depends on rows.
   */
  take() {
    const pending = this.#pending;
    this.#pending = [];
    return () => {
      const built = pending.map((build) => build());
      return [...built.filter(isScalar), ...built.filter((step) => !isScalar(step))];
    };
  }
  /** Appends an instruction that is not an operation of the graph. */
  append(build) {
    this.#pending.push(build);
  }
  #foldBinary(op, a, x, b, y) {
    const n = Math.max(a.n, b.n);
    const apply = applyBinary[op];
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) values[i] = apply(x[a.n === 1 ? 0 : i], y[b.n === 1 ? 0 : i]);
    return this.layout.constant(values, a.vector || b.vector);
  }
  #unary(op, a) {
    const out = this.layout.free(a.n, a.vector);
    this.append(() => instructionOf(op, unaryKernels[op], out, a, a));
    return out;
  }
  #binary(op, a, b) {
    const out = this.layout.free(Math.max(a.n, b.n), a.vector || b.vector);
    this.append(() => instructionOf(op, binaryKernels[op], out, a, b));
    return out;
  }
  #power(base, exponent) {
    if (exponent.constant && exponent.n === 1) return this.#fixedPower(base, exponent);
    if (base.constant && base.constant.every((x) => x > 0 && x < Infinity)) {
      return this.#unary("exp", this.#binary("mul", exponent, this.unary("log", base)));
    }
    if (exponent.constant) {
      const op = base.vector || base.constant ? "pow" : "powScalarBase";
      return this.#binary(op, base, exponent);
    }
    return base.constant ? this.#binary("pow", base, exponent) : this.#realPower(base, exponent);
  }
  /** x^y for a y that is hardly ever an integer, so that x <= 0 has no power: e^(y log x). */
  #realPower(base, exponent) {
    return this.#unary("exp", this.binary("mul", exponent, this.#unary("log", base)));
  }
  #fixedPower(base, exponent) {
    const y = exponent.constant[0];
    if (y === 1) return base;
    if (y === 2) return this.#unary("square", base);
    if (y === 0.5) return this.#unary("sqrt", base);
    if (y === -1) return this.#unary("reciprocal", base);
    if (y === -2) return this.#unary("reciprocal", this.#unary("square", base));
    if (y === 3) return this.#binary("mul", this.#unary("square", base), base);
    if (y === 4) return this.#unary("square", this.#unary("square", base));
    return Number.isInteger(y) ? this.#binary("pow", base, exponent) : this.#realPower(base, exponent);
  }
};
var isScalar = (step) => step.aMask === 0 && step.bMask === 0;
function instructionOf(op, kernels, out, a, b) {
  return {
    op,
    forward: kernels.forward,
    backward: kernels.backward,
    n: out.n,
    a: a.address,
    aMask: maskOf(a),
    aFree: isFree(a),
    b: b.address,
    bMask: maskOf(b),
    bFree: isFree(b),
    out: out.address
  };
}

// src/density/transforms.ts
var logTransform = {
  forward(m, _g, { a, out }) {
    m[out] = exp(m[a]);
  },
  backward(m, g, { a, out }) {
    g[a] += g[out] * m[out];
  }
};
var logoddsTransform = {
  forward(m, _g, { a, out }) {
    m[out] = sigmoid(m[a]);
  },
  backward(m, g, { a, out }) {
    g[a] += g[out] * (m[out] * (1 - m[out]));
  }
};
var lowerBoundTransform = {
  forward(m, _g, { a, b, out }) {
    m[out] = m[b] + exp(m[a]);
  },
  backward(m, g, { a, b, bFree, out }) {
    g[a] += g[out] * exp(m[a]);
    if (bFree) g[b] += g[out];
  }
};
var upperBoundTransform = {
  forward(m, _g, { a, b, out }) {
    m[out] = m[b] - exp(m[a]);
  },
  backward(m, g, { a, b, bFree, out }) {
    g[a] -= g[out] * exp(m[a]);
    if (bFree) g[b] += g[out];
  }
};
var transformKernels = {
  logTransform,
  logoddsTransform,
  lowerBoundTransform,
  upperBoundTransform
};
var exponentialJacobian = (m, g, q) => {
  g[q] += 1;
  return m[q];
};
var logoddsJacobian = (m, g, q) => {
  const size = Math.abs(m[q]);
  const e = exp(-size);
  const slope2 = (1 - e) / (1 + e);
  g[q] += m[q] < 0 ? slope2 : -slope2;
  return -size - 2 * log(1 + e);
};
var intervalJacobian = (m, g, q, width, widthFree) => {
  if (widthFree) g[width] += 1 / m[width];
  return logoddsJacobian(m, g, q, width, widthFree) + log(m[width]);
};

// src/density/plan.ts
var Planner = class {
  constructor(program, dataset, omitted) {
    this.program = program;
    this.dataset = dataset;
    this.omitted = omitted;
    this.unconstrained = program.parameters.map(() => this.layout.free(1, false));
    this.#nodes = program.nodes.map(() => void 0);
    this.#parameters = program.parameters.map(() => void 0);
    this.#zero = this.layout.constant(new Float64Array(1), false);
  }
  program;
  dataset;
  omitted;
  layout = new Layout();
  tape = new TapeBuilder(this.layout);
  jacobians = [];
  /** The constant part of all log Jacobians. */
  jacobianConstant = 0;
  unconstrained;
  #nodes;
  #parameters;
  #zero;
  /** The operand of a node. */
  node(id) {
    return this.#nodes[id] ??= this.#lower(id);
  }
  /** The constrained value of a parameter. */
  parameter(index) {
    return this.#parameters[index] ??= this.#constrained(index);
  }
  /** A column of the data without the omitted row. */
  column(name) {
    const column2 = this.dataset.columns.find((c) => c.name === name);
    if (!column2) throw new Error(`internal: a checked program reads unknown column ${name}`);
    const kept2 = column2.values.filter((_, row) => row !== this.omitted);
    return this.layout.constant(kept2, true);
  }
  #lower(id) {
    const node = this.program.nodes[id];
    switch (node.kind) {
      case "constant":
        return this.layout.constant(Float64Array.of(node.value), false);
      case "column":
        return this.column(node.column);
      case "parameter":
        return this.parameter(node.parameter);
      case "unary":
        return this.tape.unary(node.op, this.node(node.argument));
      case "binary":
        return this.tape.binary(node.op, this.node(node.left), this.node(node.right));
    }
  }
  #constrained(index) {
    const q = this.unconstrained[index];
    const { transform } = this.program.parameters[index];
    switch (transform.kind) {
      case "identity":
        return q;
      case "log":
        this.#jacobian(exponentialJacobian, q);
        return this.#transformed("logTransform", q);
      case "logodds":
        this.#jacobian(logoddsJacobian, q);
        return this.#transformed("logoddsTransform", q);
      case "interval":
        return this.#interval(q, this.node(transform.lower), this.node(transform.upper));
    }
  }
  #interval(q, lower, upper) {
    const open = lower.constant?.[0] === -Infinity;
    if (upper.constant?.[0] === Infinity) {
      if (open) return q;
      this.#jacobian(exponentialJacobian, q);
      return this.#transformed("lowerBoundTransform", q, lower);
    }
    if (open) {
      this.#jacobian(exponentialJacobian, q);
      return this.#transformed("upperBoundTransform", q, upper);
    }
    const width = this.tape.binary("sub", upper, lower);
    if (width.constant) {
      this.jacobianConstant += log(width.constant[0]);
      this.#jacobian(logoddsJacobian, q);
    } else this.#jacobian(intervalJacobian, q, width);
    const share = this.#transformed("logoddsTransform", q);
    return this.tape.binary("add", lower, this.tape.binary("mul", width, share));
  }
  #transformed(op, q, bound = q) {
    const out = this.layout.free(1, false);
    this.tape.append(() => instructionOf(op, transformKernels[op], out, q, bound));
    return out;
  }
  #jacobian(kernel, q, width = q) {
    this.jacobians.push(() => ({
      kernel,
      q: q.address,
      width: width.address,
      widthFree: isFree(width)
    }));
  }
  /** The prior of a parameter as a term; a constant normaliser is returned apart. */
  prior(index) {
    const { prior } = this.program.parameters[index];
    const rule = familyRules[prior.family];
    const args = prior.arguments.map((id) => this.node(id));
    const folded = args.every((a) => a.constant);
    const at = (j) => args[j]?.constant?.[0] ?? 0;
    const slope2 = new Float64Array(5);
    const constant2 = folded ? rule.normaliser(at(0), at(1), at(2), at(3), slope2) : 0;
    return { build: this.#term(rule, prior, this.parameter(index), folded), constant: constant2 };
  }
  /** The likelihood of the response column. */
  likelihood() {
    const { likelihood } = this.program;
    const response = this.column(likelihood.column);
    return this.#term(familyRules[likelihood.family], likelihood, response, false);
  }
  #term(rule, law, x, folded) {
    const args = law.arguments.map((id) => this.node(id));
    const p = (j) => args[j] ?? this.#zero;
    const positive2 = x.constant?.every((value) => value > 0) ?? false;
    const logs = rule.usesLogValue && positive2;
    const logX = logs ? this.layout.constant(x.constant.map(log), true) : this.#zero;
    const column2 = rule.column !== void 0 && x.constant !== void 0 && x.vector && (positive2 || !rule.usesLogValue);
    const build = () => familyTerm(x, [p(0), p(1), p(2), p(3)], logX, folded);
    return () => ({ family: law.family, rule, term: build(), column: column2 });
  }
};
function familyTerm(x, [a, b, c, d], logX, folded) {
  return {
    n: x.n,
    x: x.address,
    xMask: maskOf(x),
    xFree: isFree(x),
    p0: a.address,
    mask0: maskOf(a),
    free0: isFree(a),
    p1: b.address,
    mask1: maskOf(b),
    free1: isFree(b),
    p2: c.address,
    mask2: maskOf(c),
    free2: isFree(c),
    p3: d.address,
    mask3: maskOf(d),
    free3: isFree(d),
    logX: logX.address,
    folded
  };
}

// src/density/starting_region.ts
var centres = {
  normal: (mu) => mu,
  half_normal: (sigma) => sigma,
  log_normal: (mu) => exp(mu),
  student_t: (_nu, mu) => mu,
  half_student_t: (_nu, sigma) => sigma,
  cauchy: (alpha) => alpha,
  half_cauchy: (beta2) => beta2,
  exponential: (lam) => 1 / lam,
  gamma: (alpha, beta2) => alpha / beta2,
  inverse_gamma: (alpha, beta2) => beta2 / (alpha + 1),
  weibull: (_alpha, beta2) => beta2,
  beta: (alpha, beta2) => alpha / (alpha + beta2),
  uniform: (lower, upper) => (lower + upper) / 2,
  laplace: (mu) => mu,
  logistic: (mu) => mu,
  gumbel: (mu) => mu,
  skew_normal: (mu) => mu,
  truncated_normal(mu, sigma, lower, upper) {
    if (lower < mu && mu < upper) return mu;
    const reach = (upper - lower) / 2;
    return mu <= lower ? lower + Math.min(sigma, reach) : upper - Math.min(sigma, reach);
  }
};
var spreads = {
  normal: (_mu, sigma) => sigma,
  log_normal: (_mu, sigma) => sigma,
  student_t: (_nu, _mu, sigma) => sigma,
  cauchy: (_alpha, beta2) => beta2,
  laplace: (_mu, b) => b,
  logistic: (_mu, s) => s,
  gumbel: (_mu, beta2) => beta2,
  skew_normal: (_mu, sigma) => sigma
};
function startingRegion(program, priorArguments, bounds, memory, evaluate2) {
  const d = program.parameters.length;
  const [centre, spread] = [new Float64Array(d), new Float64Array(d).fill(1)];
  program.parameters.forEach(({ prior, transform }, j) => {
    evaluate2(centre);
    const [a = 0, b = 0, c = 0, e = 0] = priorArguments[j].map(({ address }) => memory[address]);
    const [lower, upper] = bounds[j].map(({ address }) => memory[address]);
    const at = unconstrained(transform.kind, centres[prior.family](a, b, c, e), lower, upper);
    if (Math.abs(at) < Infinity) centre[j] = at;
    const scale = spreads[prior.family]?.(a, b, c, e) ?? 1;
    if (scale > 0 && scale < 1) spread[j] = scale;
  });
  return { centre, spread };
}
function unconstrained(kind, x, lower, upper) {
  if (kind === "identity") return x;
  if (kind === "log") return log(x);
  if (kind === "logodds") return log(x / (1 - x));
  if (lower === -Infinity) return upper === Infinity ? x : log(upper - x);
  return upper === Infinity ? log(x - lower) : log((x - lower) / (upper - x));
}

// src/density/term.ts
function sumTerm(rule, m, g, term) {
  const hoisted = (term.mask0 | term.mask1 | term.mask2 | term.mask3) === 0;
  let total = 0;
  if (hoisted && !term.folded) total += term.n * normaliserAt(rule, m, g, term, 0, term.n);
  for (let i = 0; i < term.n; i++) {
    if (!hoisted) total += normaliserAt(rule, m, g, term, i, 1);
    total += kernelAt(rule, m, g, term, i);
  }
  return total;
}
var slope = new Float64Array(5);
function normaliserAt(rule, m, g, term, i, times) {
  const value = rule.normaliser(
    m[term.p0 + (i & term.mask0)],
    m[term.p1 + (i & term.mask1)],
    m[term.p2 + (i & term.mask2)],
    m[term.p3 + (i & term.mask3)],
    slope
  );
  addArgumentSlopes(g, term, i, times);
  return value;
}
function kernelAt(rule, m, g, term, i) {
  const value = rule.kernel(
    m[term.x + (i & term.xMask)],
    m[term.p0 + (i & term.mask0)],
    m[term.p1 + (i & term.mask1)],
    m[term.p2 + (i & term.mask2)],
    m[term.p3 + (i & term.mask3)],
    slope
  );
  if (term.xFree) g[term.x + (i & term.xMask)] += slope[0];
  addArgumentSlopes(g, term, i, 1);
  return value;
}
function addArgumentSlopes(g, term, i, times) {
  if (term.free0) g[term.p0 + (i & term.mask0)] += times * slope[1];
  if (term.free1) g[term.p1 + (i & term.mask1)] += times * slope[2];
  if (term.free2) g[term.p2 + (i & term.mask2)] += times * slope[3];
  if (term.free3) g[term.p3 + (i & term.mask3)] += times * slope[4];
}
function pointwiseTerm(rule, m, term, out, outOffset) {
  const { x, xMask, p0, mask0, p1, mask1, p2, mask2, p3, mask3 } = term;
  const hoisted = (mask0 | mask1 | mask2 | mask3) === 0;
  let normaliser = 0;
  for (let i = 0; i < term.n; i++) {
    const a = m[p0 + (i & mask0)];
    const b = m[p1 + (i & mask1)];
    const c = m[p2 + (i & mask2)];
    const d = m[p3 + (i & mask3)];
    if (i === 0 || !hoisted) normaliser = rule.normaliser(a, b, c, d, slope);
    const value = normaliser + rule.kernel(m[x + (i & xMask)], a, b, c, d, slope);
    out[outOffset + i] = Number.isNaN(value) ? -Infinity : value;
  }
}

// src/density/wasm/assembler.ts
var valueTypes = { i32: 127, i64: 126, f64: 124, v128: 123 };
var plainOps = {
  return: [15],
  end: [11],
  else: [5],
  "i32.eqz": [69],
  "i32.lt_u": [73],
  "i32.add": [106],
  "i32.and": [113],
  "i64.or": [132],
  "i64.shl": [134],
  "i64.shr_u": [136],
  "f64.lt": [99],
  "f64.gt": [100],
  "f64.le": [101],
  "f64.abs": [153],
  "f64.neg": [154],
  "f64.sqrt": [159],
  "f64.add": [160],
  "f64.sub": [161],
  "f64.mul": [162],
  "f64.div": [163],
  "f64.copysign": [166],
  "f64.convert_i64_s": [185],
  "i64.reinterpret_f64": [189],
  "f64.reinterpret_i64": [191],
  "v128.and": [253, 78],
  "v128.or": [253, 80],
  "f64x2.splat": [253, 20],
  "f64x2.extract_lane 0": [253, 33, 0],
  "f64x2.extract_lane 1": [253, 33, 1],
  "f64x2.replace_lane 1": [253, 34, 1],
  "f64x2.le": [253, 75],
  "i64x2.all_true": [253, 195, 1],
  "i64x2.shl": [253, 203, 1],
  "i64x2.add": [253, 206, 1],
  "f64x2.abs": [253, 236, 1],
  "f64x2.neg": [253, 237, 1],
  "f64x2.sqrt": [253, 239, 1],
  "f64x2.add": [253, 240, 1],
  "f64x2.sub": [253, 241, 1],
  "f64x2.mul": [253, 242, 1],
  "f64x2.div": [253, 243, 1]
};
function unsigned(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push(rest % 128 | 128);
  }
}
function signed(value) {
  const bytes = [];
  for (let rest = value; ; rest >>= 7) {
    const last = rest >= -64 && rest < 64;
    bytes.push(last ? rest & 127 : rest & 127 | 128);
    if (last) return bytes;
  }
}
var bytesOf = (value) => [...new Uint8Array(Float64Array.of(value).buffer)];
var FunctionBody = class {
  constructor(parameters, result) {
    this.parameters = parameters;
    this.result = result;
  }
  parameters;
  result;
  #bytes = [];
  #locals = [];
  /** A new local variable, zero at first. */
  local(type) {
    return this.parameters.length + this.#locals.push(type) - 1;
  }
  op(...ops) {
    for (const op of ops) this.#bytes.push(...plainOps[op]);
    return this;
  }
  get(...locals) {
    for (const local of locals) this.#bytes.push(32, ...unsigned(local));
    return this;
  }
  set(local) {
    this.#bytes.push(33, ...unsigned(local));
    return this;
  }
  f64(value) {
    this.#bytes.push(68, ...bytesOf(value));
    return this;
  }
  i32(value) {
    this.#bytes.push(65, ...signed(value));
    return this;
  }
  i64(value) {
    this.#bytes.push(66, ...signed(value));
    return this;
  }
  /** A 64-bit integer constant, given as the bits of a double. */
  i64Bits(value) {
    return this.f64(value).op("i64.reinterpret_f64");
  }
  /** Both lanes of a vector constant. */
  pair(value) {
    this.#bytes.push(253, 12, ...bytesOf(value), ...bytesOf(value));
    return this;
  }
  /** Loads from the address on the stack plus `offset` bytes. */
  load(type, offset) {
    this.#bytes.push(...type === "f64" ? [43] : [253, 0], 3, ...unsigned(offset));
    return this;
  }
  /** Stores the value on the stack at the address below it plus `offset` bytes. */
  store(type, offset) {
    this.#bytes.push(...type === "f64" ? [57] : [253, 11], 3, ...unsigned(offset));
    return this;
  }
  call(functionIndex) {
    this.#bytes.push(16, ...unsigned(functionIndex));
    return this;
  }
  /** Fills (address, byte, length) from the stack. */
  fill() {
    this.#bytes.push(252, 11, 0);
    return this;
  }
  /** Runs `body` while `local` < `limit`, adding `step` after each round. */
  countUp(local, limit, step, body) {
    this.#bytes.push(3, 64);
    body();
    this.get(local).i32(step).op("i32.add").set(local);
    this.get(local).i32(limit).op("i32.lt_u");
    this.#bytes.push(13, 0);
    return this.op("end");
  }
  /** Runs `body` if the number on the stack is not zero. */
  when(body) {
    this.#bytes.push(4, 64);
    body();
    return this.op("end");
  }
  /** Size, locals and code, as the code section wants them. */
  encode() {
    const locals = this.#locals.flatMap((type) => [1, valueTypes[type]]);
    const content = [...unsigned(this.#locals.length), ...locals, ...this.#bytes, 11];
    return [...unsigned(content.length), ...content];
  }
  /** Parameter and result types, as the type section wants them. */
  encodeType() {
    const parameters = this.parameters.map((type) => valueTypes[type]);
    return [96, ...unsigned(parameters.length), ...parameters, 1, valueTypes[this.result]];
  }
};
function assembleModule(imports2, functions2, exported) {
  const importedTypes = imports2.map(
    (one2) => new FunctionBody(one2.parameters, one2.result).encodeType()
  );
  const types = [...importedTypes, ...functions2.map((one2) => one2.encodeType())];
  const importEntries = [
    [...text("host"), ...text("memory"), 2, 0, 1],
    ...imports2.map(({ name }, k) => [...text("host"), ...text(name), 0, ...unsigned(k)])
  ];
  const indices = functions2.map((_, k) => unsigned(imports2.length + k));
  const exports = [[...text(exported.name), 0, ...unsigned(exported.index)]];
  return Uint8Array.from([
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, importEntries),
    ...section(3, indices),
    ...section(7, exports),
    ...section(10, functions2.map((one2) => one2.encode()))
  ]);
}
function section(id, entries) {
  const content = [...unsigned(entries.length), ...entries.flat()];
  return [id, ...unsigned(content.length), ...content];
}
function text(name) {
  const bytes = [...new TextEncoder().encode(name)];
  return [...unsigned(bytes.length), ...bytes];
}

// src/density/wasm/exponential.ts
var roundShift2 = 6755399441055744;
var inverseLn22 = 1.4426950408889634;
var ln2High2 = 0.6931471803691238;
var ln2Low2 = 19082149292705877e-26;
var coefficients = [
  41381367970572385e-24,
  -16533902205465252e-22,
  6613756321437934e-20,
  -0.0027777777777015593,
  0.16666666666666602
];
var one = 1;
function exponentialPair(scalarExp) {
  const f = new FunctionBody(["v128"], "v128");
  const x = 0;
  f.get(x).op("f64x2.abs").pair(708).op("f64x2.le", "i64x2.all_true", "i32.eqz");
  f.when(() => {
    f.get(x).op("f64x2.extract_lane 0").call(scalarExp).op("f64x2.splat");
    f.get(x).op("f64x2.extract_lane 1").call(scalarExp).op("f64x2.replace_lane 1", "return");
  });
  const [shifted, k, high, low, r, t, c] = Array.from({ length: 7 }, () => f.local("v128"));
  f.get(x).pair(inverseLn22).op("f64x2.mul").pair(roundShift2).op("f64x2.add").set(shifted);
  f.get(shifted).pair(roundShift2).op("f64x2.sub").set(k);
  f.get(x, k).pair(ln2High2).op("f64x2.mul", "f64x2.sub").set(high);
  f.get(k).pair(ln2Low2).op("f64x2.mul").set(low);
  f.get(high, low).op("f64x2.sub").set(r);
  f.get(r, r).op("f64x2.mul").set(t);
  f.get(r, t).pair(coefficients[4]).get(t).pair(coefficients[3]).get(t).pair(coefficients[2]);
  f.get(t).pair(coefficients[1]).get(t).pair(coefficients[0]);
  for (let j = 0; j < 4; j++) f.op("f64x2.mul", "f64x2.add");
  f.op("f64x2.mul", "f64x2.sub").set(c);
  f.pair(1).get(low, r, c).op("f64x2.mul").pair(2).get(c).op("f64x2.sub", "f64x2.div");
  f.op("f64x2.sub").get(high).op("f64x2.sub", "f64x2.sub");
  f.get(shifted).i32(52).op("i64x2.shl").pair(one).op("i64x2.add", "f64x2.mul");
  return f;
}
function exponential3(pairIndex) {
  const f = new FunctionBody(["f64"], "f64");
  return f.get(0).op("f64x2.splat").call(pairIndex).op("f64x2.extract_lane 0");
}
function logisticFunction(exponentialIndex) {
  const f = new FunctionBody(["f64"], "f64");
  f.f64(0).get(0).op("f64.le").when(() => {
    f.f64(1).f64(1).get(0).op("f64.neg").call(exponentialIndex);
    f.op("f64.add", "f64.div", "return");
  });
  const e = f.local("f64");
  f.get(0).call(exponentialIndex).set(e);
  return f.get(e).f64(1).get(e).op("f64.add", "f64.div");
}
var evenCoefficients = [
  0.15313837699209373,
  0.22222198432149784,
  0.3999999999940942
];
var oddCoefficients = [
  0.14798198605116586,
  0.1818357216161805,
  0.2857142874366239,
  0.6666666666666735
];
function logarithm2(scalarLog) {
  const f = new FunctionBody(["f64"], "f64");
  const x = 0;
  f.f64(22250738585072014e-324).get(x).op("f64.le").get(x).f64(17976931348623157e292);
  f.op("f64.le", "i32.and", "i32.eqz").when(() => f.get(x).call(scalarLog).op("return"));
  const bits = f.local("i64");
  const [k, r] = [f.local("f64"), f.local("f64")];
  f.get(x).op("i64.reinterpret_f64").set(bits);
  f.get(bits).i64(52).op("i64.shr_u", "f64.convert_i64_s").f64(1023).op("f64.sub").set(k);
  f.get(bits).i64(12).op("i64.shl").i64(12).op("i64.shr_u").i64Bits(1);
  f.op("i64.or", "f64.reinterpret_i64").set(r);
  f.f64(1.4142135623730951).get(r).op("f64.lt").when(() => {
    f.get(r).f64(0.5).op("f64.mul").set(r);
    f.get(k).f64(1).op("f64.add").set(k);
  });
  return pushLogOfReduced(f, r, k);
}
function pushLogOfReduced(f, r, k) {
  const [d, s, z, w, half] = Array.from({ length: 5 }, () => f.local("f64"));
  f.get(r).f64(1).op("f64.sub").set(d);
  f.get(d).f64(2).get(d).op("f64.add", "f64.div").set(s);
  f.get(s, s).op("f64.mul").set(z);
  f.get(z, z).op("f64.mul").set(w);
  f.f64(0.5).get(d).op("f64.mul").get(d).op("f64.mul").set(half);
  f.get(s, half);
  pushHorner(f, w, w, evenCoefficients);
  f.op("f64.add");
  pushHorner(f, z, w, oddCoefficients);
  f.op("f64.add", "f64.mul").get(k).f64(ln2Low2).op("f64.mul", "f64.add");
  f.get(half).op("f64.sub").get(d).op("f64.add");
  return f.get(k).f64(ln2High2).op("f64.mul", "f64.add");
}
function pushHorner(f, factor2, w, c) {
  f.get(factor2);
  for (let j = c.length - 1; j > 0; j--) f.f64(c[j]).get(w);
  f.f64(c[0]);
  for (let j = 1; j < c.length; j++) f.op("f64.mul", "f64.add");
  f.op("f64.mul");
}

// src/density/wasm/host.ts
var hostFunctions = {
  exp,
  expm1,
  log,
  log1p,
  sigmoid,
  tanh,
  lgamma,
  digamma
};
var names = Object.keys(hostFunctions);
var imported = (name) => names.indexOf(name);
var termIndex = names.length;
var exponentialPairIndex = termIndex + 1;
var gradientIndex = termIndex + 5;
var callIndex = {
  exp: termIndex + 2,
  log: termIndex + 3,
  sigmoid: termIndex + 4,
  expm1: imported("expm1"),
  log1p: imported("log1p"),
  tanh: imported("tanh"),
  lgamma: imported("lgamma"),
  digamma: imported("digamma")
};
function ownFunctions() {
  return [
    exponentialPair(imported("exp")),
    exponential3(exponentialPairIndex),
    logarithm2(imported("log")),
    logisticFunction(callIndex.exp)
  ];
}
var imports = [
  ...names.map((name) => ({ name, parameters: ["f64"], result: "f64" })),
  { name: "term", parameters: ["i32"], result: "f64" }
];

// src/density/wasm/lanes.ts
function sumOf2(frame, key) {
  const { body, sums } = frame;
  let sum2 = sums.get(key);
  if (!sum2) {
    sum2 = { pair: body.local("v128"), even: body.local("f64"), odd: body.local("f64") };
    sums.set(key, sum2);
  }
  return sum2;
}
var LaneCode = class {
  constructor(frame, wide) {
    this.frame = frame;
    this.wide = wide;
  }
  frame;
  wide;
  #values = /* @__PURE__ */ new Map();
  #adjoints = /* @__PURE__ */ new Map();
  get type() {
    return this.wide ? "v128" : "f64";
  }
  local() {
    return this.frame.body.local(this.type);
  }
  op(...ops) {
    const prefix = this.wide ? "f64x2" : "f64";
    for (const op of ops) this.frame.body.op(`${prefix}.${op}`);
    return this;
  }
  constant(value) {
    if (this.wide) this.frame.body.pair(value);
    else this.frame.body.f64(value);
    return this;
  }
  get(...locals) {
    this.frame.body.get(...locals);
    return this;
  }
  set(local) {
    this.frame.body.set(local);
    return this;
  }
  /** Pushes an operand: a number for all lanes, or the current rows. */
  operand(address, mask) {
    if (mask === 0) {
      const scalar2 = this.frame.scalars.get(address);
      return this.get(this.wide ? scalar2.pair : scalar2.plain);
    }
    let local = this.#values.get(address);
    if (local === void 0) {
      local = this.local();
      this.frame.body.get(this.frame.position).load(this.type, 8 * address).set(local);
      this.#values.set(address, local);
    }
    return this.get(local);
  }
  /** Names the rows on the stack as the value at `address`, and stores them if asked. */
  define(address, store) {
    const local = this.local();
    this.set(local);
    this.#values.set(address, local);
    if (!store) return;
    this.frame.body.get(this.frame.position, local).store(this.type, 8 * address);
  }
  /** Pushes the adjoint of rows; false (and nothing pushed) if there is none. */
  adjoint(address) {
    const { body, position, adjointBase, adjointsInMemory } = this.frame;
    if (adjointsInMemory) {
      body.get(position).load(this.type, adjointBase + 8 * address);
      return true;
    }
    const local = this.#adjoints.get(address);
    if (local !== void 0) body.get(local);
    return local !== void 0;
  }
  /** Adds (or subtracts) the rows that `push` leaves to the adjoint of rows. */
  addAdjoint(address, push, op = "add") {
    const { body, position, adjointBase, adjointsInMemory } = this.frame;
    if (adjointsInMemory) body.get(position);
    if (!this.adjoint(address)) {
      push();
      if (op === "sub") this.op("neg");
    } else {
      push();
      this.op(op);
    }
    if (adjointsInMemory) {
      body.store(this.type, adjointBase + 8 * address);
      return;
    }
    const local = this.#adjoints.get(address) ?? this.local();
    this.set(local);
    this.#adjoints.set(address, local);
  }
  /** Adds the rows that `push` leaves to a running sum. */
  addToSum(key, push) {
    const sum2 = sumOf2(this.frame, key);
    const local = this.wide ? sum2.pair : sum2.even;
    this.get(local);
    push();
    this.op("add").set(local);
  }
  /** Pushes 1 if all lanes of a variable lie within the bounds, else (also for NaN) 0. */
  within(local, [low, high]) {
    const { body } = this.frame;
    this.constant(low).get(local);
    body.op(this.wide ? "f64x2.le" : "f64.le");
    this.get(local).constant(high);
    body.op(this.wide ? "f64x2.le" : "f64.le");
    if (this.wide) body.op("v128.and", "i64x2.all_true");
    else body.op("i32.and");
  }
  /** Pushes a variable that is not negative, with the sign of another. */
  withSignOf(size, sign) {
    const { body } = this.frame;
    if (!this.wide) body.get(size, sign).op("f64.copysign");
    else body.get(size, sign).pair(-0).op("v128.and", "v128.or");
  }
  /** Applies a function of one number to each lane on the stack. */
  apply(name) {
    const { body } = this.frame;
    if (!this.wide) body.call(callIndex[name]);
    else if (name === "exp") body.call(exponentialPairIndex);
    else {
      const x = this.local();
      body.set(x).get(x).op("f64x2.extract_lane 0").call(callIndex[name]).op("f64x2.splat");
      body.get(x).op("f64x2.extract_lane 1").call(callIndex[name]).op("f64x2.replace_lane 1");
    }
  }
};
function unary(forward, slope2, sign = "add") {
  return {
    forward,
    backward: (l, step) => l.addAdjoint(step.a, () => {
      l.adjoint(step.out);
      slope2(l, step);
    }, sign)
  };
}
var hosted = (name) => (l, { a }) => l.operand(a, -1).apply(name);
var plainForward = (op) => (l, step) => {
  l.operand(step.a, step.aMask).operand(step.b, step.bMask).op(op);
};
function contribute(l, address, mask, key, push, op = "add") {
  if (mask === 0) l.addToSum(key, push);
  else l.addAdjoint(address, push, op);
}
var laneRules = {
  neg: unary((l, { a }) => l.operand(a, -1).op("neg"), () => {
  }, "sub"),
  exp: unary(hosted("exp"), (l, { out }) => l.operand(out, -1).op("mul")),
  log: unary(hosted("log"), (l, { a }) => l.operand(a, -1).op("div")),
  log1p: unary(hosted("log1p"), (l, { a }) => l.constant(1).operand(a, -1).op("add", "div")),
  expm1: unary(hosted("expm1"), (l, { out }) => l.constant(1).operand(out, -1).op("add", "mul")),
  sqrt: unary(
    (l, { a }) => l.operand(a, -1).op("sqrt"),
    (l, { out }) => l.constant(0.5).operand(out, -1).op("div", "mul")
  ),
  sigmoid: unary(
    hosted("sigmoid"),
    (l, { out }) => l.operand(out, -1).constant(1).operand(out, -1).op("sub", "mul", "mul")
  ),
  tanh: unary(
    hosted("tanh"),
    (l, { out }) => l.constant(1).operand(out, -1).operand(out, -1).op("mul", "sub", "mul")
  ),
  square: unary(
    (l, { a }) => l.operand(a, -1).operand(a, -1).op("mul"),
    (l, { a }) => l.constant(2).operand(a, -1).op("mul", "mul")
  ),
  reciprocal: unary(
    (l, { a }) => l.constant(1).operand(a, -1).op("div"),
    (l, { out }) => l.operand(out, -1).operand(out, -1).op("mul", "mul"),
    "sub"
  ),
  add: {
    forward: plainForward("add"),
    backward(l, { a, aMask, aFree, b, bMask, bFree, out }, slot) {
      const pull = () => l.adjoint(out);
      if (aFree) contribute(l, a, aMask, slot("a"), pull);
      if (bFree) contribute(l, b, bMask, slot("b"), pull);
    }
  },
  sub: {
    forward: plainForward("sub"),
    backward(l, { a, aMask, aFree, b, bMask, bFree, out }, slot) {
      const pull = () => l.adjoint(out);
      if (aFree) contribute(l, a, aMask, slot("a"), pull);
      if (bFree) contribute(l, b, bMask, slot("b"), pull, "sub");
    }
  },
  mul: {
    forward: plainForward("mul"),
    backward(l, { a, aMask, aFree, b, bMask, bFree, out }, slot) {
      const product = (other, mask) => () => {
        l.adjoint(out);
        l.operand(other, mask).op("mul");
      };
      if (aFree) contribute(l, a, aMask, slot("a"), product(b, bMask));
      if (bFree) contribute(l, b, bMask, slot("b"), product(a, aMask));
    }
  },
  div: {
    forward: plainForward("div"),
    backward(l, { a, aMask, aFree, b, bMask, bFree, out }, slot) {
      const slope2 = () => {
        l.adjoint(out);
        l.operand(b, bMask).op("div");
      };
      const slopeB = () => {
        slope2();
        l.operand(out, -1).op("mul");
      };
      if (aFree) contribute(l, a, aMask, slot("a"), slope2);
      if (bFree) contribute(l, b, bMask, slot("b"), slopeB, "sub");
    }
  },
  powScalarBase: {
    forward(l, { out, b }) {
      l.operand(logBaseOf(out), 0).operand(b, -1).op("mul").apply("exp");
    },
    backward(l, { b, out }, slot) {
      l.addToSum(slot("a"), () => {
        l.adjoint(out);
        l.operand(b, -1).op("mul").operand(out, -1).op("mul");
      });
    }
  }
};
function logBaseOf(out) {
  return -1 - out;
}

// src/density/wasm/scalar_steps.ts
var ScalarCode = class {
  constructor(body, adjointBase) {
    this.body = body;
    this.adjointBase = adjointBase;
  }
  body;
  adjointBase;
  /** Pushes m[address]. */
  value(address) {
    this.body.i32(0).load("f64", 8 * address);
  }
  /** m[address] = what `push` leaves. */
  setValue(address, push) {
    this.body.i32(0);
    push();
    this.body.store("f64", 8 * address);
  }
  /** Pushes g[address]. */
  adjoint(address) {
    this.body.i32(0).load("f64", this.adjointBase + 8 * address);
  }
  /** g[address] += (or −=) what `push` leaves. */
  addAdjoint(address, push, op = "f64.add") {
    this.body.i32(0);
    this.adjoint(address);
    push();
    this.body.op(op).store("f64", this.adjointBase + 8 * address);
  }
  call(name) {
    this.body.call(callIndex[name]);
  }
};
function unary2(push, slope2) {
  return {
    forward: (c, step) => c.setValue(step.out, () => push(c, step)),
    backward: (c, step) => c.addAdjoint(step.a, () => {
      c.adjoint(step.out);
      slope2(c, step);
    })
  };
}
var hosted2 = (name) => (c, { a }) => {
  c.value(a);
  c.call(name);
};
var timesResult2 = (c, { out }) => {
  c.value(out);
  c.body.op("f64.mul");
};
var binaryForward = (op) => (c, step) => c.setValue(step.out, () => {
  c.value(step.a);
  c.value(step.b);
  c.body.op(op);
});
var logisticSlope = (c, { out }) => {
  c.value(out);
  c.body.f64(1);
  c.value(out);
  c.body.op("f64.sub", "f64.mul", "f64.mul");
};
var exponentialOfA = (c, { a }) => {
  c.value(a);
  c.call("exp");
};
var bounded = (op) => ({
  forward: (c, step) => c.setValue(step.out, () => {
    c.value(step.b);
    exponentialOfA(c, step);
    c.body.op(op);
  }),
  backward(c, step) {
    const pull = () => {
      c.adjoint(step.out);
      exponentialOfA(c, step);
      c.body.op("f64.mul");
    };
    c.addAdjoint(step.a, pull, op);
    if (step.bFree) c.addAdjoint(step.b, () => c.adjoint(step.out));
  }
});
var scalarRules = {
  neg: unary2((c, { a }) => {
    c.value(a);
    c.body.op("f64.neg");
  }, (c) => c.body.op("f64.neg")),
  exp: unary2(hosted2("exp"), timesResult2),
  log: unary2(hosted2("log"), (c, { a }) => {
    c.value(a);
    c.body.op("f64.div");
  }),
  log1p: unary2(hosted2("log1p"), (c, { a }) => {
    c.body.f64(1);
    c.value(a);
    c.body.op("f64.add", "f64.div");
  }),
  expm1: unary2(hosted2("expm1"), (c, { out }) => {
    c.body.f64(1);
    c.value(out);
    c.body.op("f64.add", "f64.mul");
  }),
  sqrt: unary2((c, { a }) => {
    c.value(a);
    c.body.op("f64.sqrt");
  }, (c, { out }) => {
    c.body.f64(0.5);
    c.value(out);
    c.body.op("f64.div", "f64.mul");
  }),
  sigmoid: unary2(hosted2("sigmoid"), logisticSlope),
  tanh: unary2(hosted2("tanh"), (c, { out }) => {
    c.body.f64(1);
    c.value(out);
    c.value(out);
    c.body.op("f64.mul", "f64.sub", "f64.mul");
  }),
  square: unary2((c, { a }) => {
    c.value(a);
    c.value(a);
    c.body.op("f64.mul");
  }, (c, { a }) => {
    c.body.f64(2);
    c.value(a);
    c.body.op("f64.mul", "f64.mul");
  }),
  reciprocal: unary2((c, { a }) => {
    c.body.f64(1);
    c.value(a);
    c.body.op("f64.div");
  }, (c, { out }) => {
    c.value(out);
    c.value(out);
    c.body.op("f64.mul", "f64.mul", "f64.neg");
  }),
  add: {
    forward: binaryForward("f64.add"),
    backward(c, { a, aFree, b, bFree, out }) {
      if (aFree) c.addAdjoint(a, () => c.adjoint(out));
      if (bFree) c.addAdjoint(b, () => c.adjoint(out));
    }
  },
  sub: {
    forward: binaryForward("f64.sub"),
    backward(c, { a, aFree, b, bFree, out }) {
      if (aFree) c.addAdjoint(a, () => c.adjoint(out));
      if (bFree) c.addAdjoint(b, () => c.adjoint(out), "f64.sub");
    }
  },
  mul: {
    forward: binaryForward("f64.mul"),
    backward(c, { a, aFree, b, bFree, out }) {
      const product = (other) => () => {
        c.adjoint(out);
        c.value(other);
        c.body.op("f64.mul");
      };
      if (aFree) c.addAdjoint(a, product(b));
      if (bFree) c.addAdjoint(b, product(a));
    }
  },
  div: {
    forward: binaryForward("f64.div"),
    backward(c, { a, aFree, b, bFree, out }) {
      const slope2 = () => {
        c.adjoint(out);
        c.value(b);
        c.body.op("f64.div");
      };
      if (aFree) c.addAdjoint(a, slope2);
      if (!bFree) return;
      c.addAdjoint(b, () => {
        slope2();
        c.value(out);
        c.body.op("f64.mul");
      }, "f64.sub");
    }
  },
  logTransform: unary2(hosted2("exp"), timesResult2),
  logoddsTransform: unary2(hosted2("sigmoid"), logisticSlope),
  lowerBoundTransform: bounded("f64.add"),
  upperBoundTransform: bounded("f64.sub")
};
function failUnless(body) {
  body.op("i32.eqz").when(() => body.f64(-Infinity).op("return"));
}
function pushLogoddsJacobian(c, q) {
  const { body } = c;
  const [size, e] = [body.local("f64"), body.local("f64")];
  c.value(q);
  body.op("f64.abs").set(size).get(size).op("f64.neg");
  c.call("exp");
  body.set(e);
  c.addAdjoint(q, () => {
    body.f64(1).get(e).op("f64.sub").f64(1).get(e).op("f64.add", "f64.div");
    body.op("f64.neg");
    c.value(q);
    body.op("f64.neg", "f64.copysign");
  });
  body.get(size).op("f64.neg").f64(2).f64(1).get(e).op("f64.add");
  c.call("log");
  body.op("f64.mul", "f64.sub");
}
function pushPrior(c, { family, term }) {
  if (!term.folded) return false;
  const { body } = c;
  const { x, p0, p1 } = term;
  if (family === "normal" || family === "half_normal") {
    const [z, scale] = [body.local("f64"), family === "normal" ? p1 : p0];
    if (family === "half_normal") failUnlessAtLeast(c, x, () => body.f64(0));
    c.value(x);
    if (family === "normal") {
      c.value(p0);
      body.op("f64.sub");
    }
    c.value(scale);
    body.op("f64.div").set(z);
    c.addAdjoint(x, () => {
      body.get(z);
      c.value(scale);
      body.op("f64.div");
    }, "f64.sub");
    body.f64(-0.5).get(z).op("f64.mul").get(z).op("f64.mul");
    return true;
  }
  if (family === "log_normal") {
    pushLogNormal(c, x, p0, p1);
    return true;
  }
  if (family === "exponential") {
    failUnlessAtLeast(c, x, () => body.f64(0));
    c.addAdjoint(x, () => c.value(p0), "f64.sub");
    c.value(p0);
    body.op("f64.neg");
    c.value(x);
    body.op("f64.mul");
    return true;
  }
  if (family === "uniform") {
    failUnlessAtLeast(c, x, () => c.value(p0));
    c.value(x);
    c.value(p1);
    failUnless(body.op("f64.le"));
    body.f64(0);
    return true;
  }
  return false;
}
function pushLogNormal(c, x, mu, sigma) {
  const { body } = c;
  const [logX, z] = [body.local("f64"), body.local("f64")];
  c.value(x);
  c.call("log");
  body.set(logX).get(logX);
  c.value(mu);
  body.op("f64.sub");
  c.value(sigma);
  body.op("f64.div").set(z);
  c.addAdjoint(x, () => {
    body.f64(1).get(z);
    c.value(sigma);
    body.op("f64.div", "f64.add", "f64.neg");
    c.value(x);
    body.op("f64.div");
  });
  body.f64(-0.5).get(z).op("f64.mul").get(z).op("f64.mul").get(logX).op("f64.sub");
}
function failUnlessAtLeast(c, x, pushBound) {
  pushBound();
  c.value(x);
  failUnless(c.body.op("f64.le"));
}

// src/density/wasm/likelihoods.ts
var undecided = Infinity;
function rowLikelihood({ family, term, column: column2 }, memory) {
  const first = { address: term.p0, rows: term.mask0 !== 0, free: term.free0 };
  const second = { address: term.p1, rows: term.mask1 !== 0, free: term.free1 };
  const third = { address: term.p2, rows: term.mask2 !== 0, free: term.free2 };
  if (!column2) return void 0;
  const [location, scale] = family === "student_t" ? [second, third] : [first, second];
  if (!location.rows) return void 0;
  const laws = { location, scale, x: family === "log_normal" ? term.logX : term.x };
  const n = term.n;
  if (family === "normal") return { ...laws, ...normalRows(n, 0) };
  if (family === "log_normal") {
    return { ...laws, ...normalRows(n, sumOf(memory, n, term.logX)) };
  }
  if (family === "student_t") return first.rows ? void 0 : { ...laws, ...studentRows(n, first) };
  return family === "logistic" ? { ...laws, ...logisticRows() } : void 0;
}
var RowWriter = class {
  constructor(code, frame, law, n, memory) {
    this.code = code;
    this.frame = frame;
    this.law = law;
    this.n = n;
    this.memory = memory;
    this.#inverse = this.body.local("f64");
    this.#inversePair = this.body.local("v128");
    for (const name of ["scale", "tail"]) {
      this.#products.set(name, newProduct(this.body));
    }
  }
  code;
  frame;
  law;
  n;
  memory;
  #inverse;
  #inversePair;
  #products = /* @__PURE__ */ new Map();
  get body() {
    return this.frame.body;
  }
  /** Before the loop: a scale for all rows must be positive. */
  prepare() {
    const { scale } = this.law;
    this.law.prepare?.(this);
    if (scale.rows) return;
    this.body.f64(0);
    this.code.value(scale.address);
    failUnless(this.body.op("f64.lt"));
    this.body.f64(1);
    this.code.value(scale.address);
    this.body.op("f64.div").set(this.#inverse).get(this.#inverse).op("f64x2.splat");
    this.body.set(this.#inversePair);
  }
  /** In the loop: residuals, then the likelihood's own terms. */
  lane(l) {
    const { location, scale, x } = this.law;
    let inverse = l.wide ? this.#inversePair : this.#inverse;
    if (scale.rows) {
      inverse = l.local();
      l.constant(1).operand(scale.address, -1).op("div").set(inverse);
      this.multiply(l, "scale", () => l.operand(scale.address, -1));
    }
    const z = l.local();
    l.operand(x, -1).operand(location.address, -1).op("sub").get(inverse).op("mul").set(z);
    this.law.lane(this, l, z, inverse);
  }
  /** Adds what `push` leaves to the adjoint of the location. */
  pull(l, push) {
    const { location } = this.law;
    if (location.free) l.addAdjoint(location.address, push);
  }
  /** Adds what `push` leaves to the adjoint of the scale, or to its sum. */
  stretch(l, push) {
    const { scale } = this.law;
    if (!scale.free) return;
    if (scale.rows) l.addAdjoint(scale.address, push);
    else l.addToSum("stretch", push);
  }
  /** Multiplies a running product by what `push` leaves; out of bounds, the tape decides. */
  multiply(l, name, push) {
    const product = this.#products.get(name);
    const local = l.wide ? product.pair : product.even;
    l.get(local);
    push();
    l.op("mul").set(local);
    l.within(local, productBounds);
    this.body.op("i32.eqz").when(() => this.body.f64(undecided).op("return"));
  }
  /** Between the pairs and the odd row: each product by parity. */
  split() {
    for (const { pair, even, odd } of this.#products.values()) {
      this.body.get(pair).op("f64x2.extract_lane 0").set(even);
      this.body.get(pair).op("f64x2.extract_lane 1").set(odd);
    }
  }
  /** Pushes the logarithm of a product. */
  logProduct(name) {
    const { even, odd } = this.#products.get(name);
    this.body.get(even, odd).op("f64.mul");
    this.code.call("log");
  }
  /** Pushes a running sum. */
  sum(name) {
    const { even, odd } = sumOf2(this.frame, name);
    this.body.get(even, odd).op("f64.add");
  }
  /** Pushes Σ log scale over rows. */
  logScales() {
    const { scale } = this.law;
    if (scale.rows) return this.logProduct("scale");
    this.body.f64(this.n);
    this.code.value(scale.address);
    this.code.call("log");
    this.body.op("f64.mul");
  }
  /** 1 / scale where one scale serves all rows. */
  get inverse() {
    return this.#inverse;
  }
};
function newProduct(body) {
  const product = {
    pair: body.local("v128"),
    even: body.local("f64"),
    odd: body.local("f64")
  };
  body.pair(1).set(product.pair);
  return product;
}
function normalRows(n, logValues) {
  return {
    lane(w, l, z, inverse) {
      const square3 = l.local();
      l.get(z, z).op("mul").set(square3);
      l.addToSum("squares", () => l.get(square3));
      w.pull(l, () => l.get(z, inverse).op("mul"));
      if (w.law.scale.rows) {
        w.stretch(l, () => l.get(square3).constant(1).op("sub").get(inverse).op("mul"));
      }
    },
    total(w) {
      const { body, law, code } = w;
      const squares = body.local("f64");
      w.sum("squares");
      body.set(squares);
      if (law.scale.free && !law.scale.rows) {
        code.addAdjoint(law.scale.address, () => {
          body.get(squares).f64(n).op("f64.sub").get(w.inverse).op("f64.mul");
        });
      }
      body.f64(-0.5).get(squares).op("f64.mul");
      if (law.scale.rows) {
        w.logScales();
        body.op("f64.sub").f64(n * halfLog2Pi2).op("f64.sub");
      } else {
        body.f64(n);
        code.value(law.scale.address);
        code.call("log");
        body.f64(halfLog2Pi2).op("f64.add", "f64.mul", "f64.sub");
      }
      if (logValues !== 0) body.f64(logValues).op("f64.sub");
    }
  };
}
function addStretch(w) {
  const { scale } = w.law;
  if (scale.free && !scale.rows) w.code.addAdjoint(scale.address, () => w.sum("stretch"));
}
function studentRows(n, nu) {
  const scalars = { inverse: -1, next: -1, inversePair: -1, nextPair: -1 };
  const [inverseNu, nextNu] = [
    (l) => l.get(l.wide ? scalars.inversePair : scalars.inverse),
    (l) => l.get(l.wide ? scalars.nextPair : scalars.next)
  ];
  return {
    prepare({ body, code }) {
      scalars.inverse = body.local("f64");
      scalars.next = body.local("f64");
      scalars.inversePair = body.local("v128");
      scalars.nextPair = body.local("v128");
      body.f64(0);
      code.value(nu.address);
      failUnless(body.op("f64.lt"));
      body.f64(1);
      code.value(nu.address);
      body.op("f64.div").set(scalars.inverse).get(scalars.inverse).op("f64x2.splat");
      body.set(scalars.inversePair);
      code.value(nu.address);
      body.f64(1).op("f64.add").set(scalars.next).get(scalars.next).op("f64x2.splat");
      body.set(scalars.nextPair);
    },
    lane(w, l, z, inverse) {
      const [factor2, ratio, share] = [l.local(), l.local(), l.local()];
      inverseNu(l.constant(1).get(z, z).op("mul")).op("mul", "add").set(factor2);
      w.multiply(l, "tail", () => l.get(factor2));
      inverseNu(l.get(z)).op("mul").get(factor2).op("div").set(ratio);
      l.get(z, ratio).op("mul").set(share);
      if (nu.free) l.addToSum("shares", () => l.get(share));
      w.pull(l, () => nextNu(l).get(ratio).op("mul").get(inverse).op("mul"));
      w.stretch(l, () => {
        nextNu(l).get(share).op("mul").constant(1).op("sub").get(inverse).op("mul");
      });
    },
    total(w) {
      const { body, code } = w;
      const logTails = body.local("f64");
      w.logProduct("tail");
      body.set(logTails);
      addStretch(w);
      if (nu.free) addShapeAdjoint(w, nu.address, scalars.next, logTails, n);
      body.f64(n);
      if (nu.free) pushShape(code, nu.address);
      else body.f64(fixedShape(w.memory[nu.address]));
      body.op("f64.mul");
      w.logScales();
      body.op("f64.sub").f64(0.5).get(scalars.next).op("f64.mul").get(logTails);
      body.op("f64.mul", "f64.sub");
    }
  };
}
function pushStep(code, f, nu) {
  code.value(nu);
  code.body.f64(1).op("f64.add").f64(2).op("f64.div");
  code.call(f);
  code.value(nu);
  code.body.f64(2).op("f64.div");
  code.call(f);
  code.body.op("f64.sub");
}
function pushShape(code, nu) {
  pushStep(code, "lgamma", nu);
  code.body.f64(0.5);
  code.value(nu);
  code.call("log");
  code.body.f64(logPi).op("f64.add", "f64.mul", "f64.sub");
}
function addShapeAdjoint(w, nu, next, logTails, n) {
  const { body, code } = w;
  code.addAdjoint(nu, () => {
    body.f64(n).f64(0.5);
    pushStep(code, "digamma", nu);
    body.f64(1);
    code.value(nu);
    body.op("f64.div", "f64.sub", "f64.mul", "f64.mul").f64(0.5).get(next);
    w.sum("shares");
    body.op("f64.mul");
    code.value(nu);
    body.op("f64.div").get(logTails).op("f64.sub", "f64.mul", "f64.add");
  });
}
function logisticRows() {
  return {
    lane(w, l, z, inverse) {
      const [size, e, factor2, t] = [l.local(), l.local(), l.local(), l.local()];
      l.get(z).op("abs").set(size);
      l.get(size).op("neg").apply("exp");
      l.set(e).constant(1).get(e).op("add").set(factor2);
      w.multiply(l, "tail", () => l.get(factor2));
      l.constant(1).get(e).op("sub").get(factor2).op("div").set(t);
      l.addToSum("sizes", () => l.get(size));
      w.pull(l, () => {
        l.withSignOf(t, z);
        l.get(inverse).op("mul");
      });
      w.stretch(l, () => l.get(size, t).op("mul").constant(1).op("sub").get(inverse).op("mul"));
    },
    total(w) {
      addStretch(w);
      w.sum("sizes");
      w.body.op("f64.neg").f64(2);
      w.logProduct("tail");
      w.body.op("f64.mul", "f64.sub");
      w.logScales();
      w.body.op("f64.sub");
    }
  };
}

// src/density/wasm/gradient_module.ts
function canCompile({ tape }) {
  return tape.every((step) => isRows(step) ? laneRules[step.op] : scalarRules[step.op]);
}
var isRows = (step) => step.aMask !== 0 || step.bMask !== 0;
function gradientModule(program) {
  const writer = new GradientWriter(program);
  const functions2 = [...ownFunctions(), writer.write()];
  return assembleModule(imports, functions2, { name: "gradient", index: gradientIndex });
}
var GradientWriter = class {
  constructor(program) {
    this.program = program;
    this.#code = new ScalarCode(this.#body, 8 * program.memory.length);
    this.#value = this.#body.local("f64");
    this.#scalars = program.tape.filter((step) => !isRows(step));
    this.#rows = program.tape.filter(isRows);
  }
  program;
  #body = new FunctionBody([], "f64");
  #code;
  #value;
  #scalars;
  #rows;
  write() {
    const { program } = this;
    const body = this.#body;
    body.i32(this.#code.adjointBase).i32(0).i32(8 * program.freeSize).fill();
    for (const step of this.#scalars) scalarRules[step.op].forward(this.#code, step);
    body.f64(program.constant).set(this.#value);
    this.#terms();
    const law = rowLikelihood(program.likelihood, program.memory);
    if (law) this.#fusedLikelihood(law);
    else this.#calledLikelihood();
    for (const step of [...this.#scalars].reverse()) {
      scalarRules[step.op].backward(this.#code, step);
    }
    return body.get(this.#value);
  }
  /** Adds what `push` leaves to the log density. */
  #add(push) {
    this.#body.get(this.#value);
    push();
    this.#body.op("f64.add").set(this.#value);
  }
  #terms() {
    const { jacobians, priors } = this.program;
    jacobians.forEach(({ kernel, q }, k) => {
      if (kernel === exponentialJacobian) {
        this.#code.addAdjoint(q, () => this.#body.f64(1));
        this.#add(() => this.#code.value(q));
      } else if (kernel === logoddsJacobian) this.#add(() => pushLogoddsJacobian(this.#code, q));
      else this.#add(() => this.#body.i32(k).call(termIndex));
    });
    priors.forEach(
      (prior, k) => this.#add(() => {
        if (!pushPrior(this.#code, prior)) this.#body.i32(jacobians.length + k).call(termIndex);
      })
    );
  }
  /** Forward, likelihood and backward in one pass over the rows. */
  #fusedLikelihood(law) {
    const { memory, likelihood: { term } } = this.program;
    const frame = this.#frame(false);
    const writer = new RowWriter(this.#code, frame, law, term.n, memory);
    const free = law.location.free || law.scale.free;
    writer.prepare();
    this.#loop(frame, (l) => {
      this.#forward(l, false);
      writer.lane(l);
      if (free) this.#backward(l);
    }, () => writer.split());
    this.#add(() => law.total(writer));
    if (free) this.#flush(frame);
  }
  /** One pass forward, the likelihood in JavaScript, one pass backward. */
  #calledLikelihood() {
    const { jacobians, priors } = this.program;
    if (this.#rows.length > 0) this.#loop(this.#frame(true), (l) => this.#forward(l, true));
    this.#add(() => this.#body.i32(jacobians.length + priors.length).call(termIndex));
    if (this.#rows.length === 0) return;
    const frame = this.#frame(true);
    this.#loop(frame, (l) => this.#backward(l));
    this.#flush(frame);
  }
  #forward(l, store) {
    for (const step of this.#rows) {
      laneRules[step.op].forward(l, step);
      l.define(step.out, store);
    }
  }
  #backward(l) {
    for (let k = this.#rows.length - 1; k >= 0; k--) {
      const step = this.#rows[k];
      laneRules[step.op].backward(l, step, (operand) => `${k} ${operand}`);
    }
  }
  /** Loads the numbers that serve all lanes. */
  #frame(adjointsInMemory) {
    const body = this.#body;
    const frame = {
      body,
      position: body.local("i32"),
      adjointBase: this.#code.adjointBase,
      adjointsInMemory,
      scalars: /* @__PURE__ */ new Map(),
      sums: /* @__PURE__ */ new Map()
    };
    for (const step of this.#rows) {
      if (step.op === "powScalarBase") this.#logBase(frame, step);
      if (step.aMask === 0) this.#scalar(frame, step.a, () => this.#code.value(step.a));
      if (step.bMask === 0) this.#scalar(frame, step.b, () => this.#code.value(step.b));
    }
    body.i32(0).set(frame.position);
    return frame;
  }
  #scalar({ scalars, body }, key, push) {
    if (scalars.has(key)) return;
    const [plain2, pair] = [body.local("f64"), body.local("v128")];
    push();
    body.set(plain2).get(plain2).op("f64x2.splat").set(pair);
    scalars.set(key, { plain: plain2, pair });
  }
  /** The logarithm of a base; a base that is not positive is left to the tape. */
  #logBase(frame, { a, out }) {
    const body = this.#body;
    body.f64(0);
    this.#code.value(a);
    body.op("f64.lt", "i32.eqz").when(() => body.f64(undecided).op("return"));
    this.#scalar(frame, logBaseOf(out), () => {
      this.#code.value(a);
      body.call(callIndex.log);
    });
  }
  /** Runs a body over pairs of rows, then over the odd row; splits each sum by parity. */
  #loop(frame, write, split = () => {
  }) {
    const { body, position } = frame;
    const { n } = this.program.likelihood.term;
    const pairs = n >> 1;
    if (pairs > 0) {
      body.countUp(position, 16 * pairs, 16, () => write(new LaneCode(frame, true)));
    }
    for (const sum2 of frame.sums.values()) {
      body.get(sum2.pair).op("f64x2.extract_lane 0").set(sum2.even);
      body.get(sum2.pair).op("f64x2.extract_lane 1").set(sum2.odd);
    }
    split();
    if (n & 1) write(new LaneCode(frame, false));
  }
  /** Adds the sums to the adjoints of the numbers that serve all lanes, in the tape's order. */
  #flush(frame) {
    for (let k = this.#rows.length - 1; k >= 0; k--) {
      this.#flushOperand(frame, this.#rows[k], k, "a");
      this.#flushOperand(frame, this.#rows[k], k, "b");
    }
  }
  #flushOperand(frame, step, k, operand) {
    const sum2 = frame.sums.get(`${k} ${operand}`);
    if (!sum2) return;
    const subtracts = operand === "b" && (step.op === "sub" || step.op === "div");
    this.#code.addAdjoint(
      step[operand],
      () => {
        this.#body.get(sum2.even, sum2.odd).op("f64.add");
        if (step.op !== "powScalarBase") return;
        this.#code.value(step.a);
        this.#body.op("f64.div");
      },
      subtracts ? "f64.sub" : "f64.add"
    );
  }
};

// src/density/wasm/gradient_runner.ts
var pageBytes = 65536;
var shared;
var tenant;
var GradientRunner = class {
  constructor(program) {
    this.program = program;
    shared ??= new WebAssembly.Memory({ initial: 1 });
    const host = { memory: shared, ...hostFunctions, term: (k) => this.#term(k) };
    const instance = new WebAssembly.Instance(new WebAssembly.Module(gradientModule(program)), {
      host
    });
    this.#gradient = instance.exports.gradient;
  }
  program;
  #values = new Float64Array(0);
  #adjoints = new Float64Array(0);
  #gradient;
  /** Adjoints of the last run; those of the unconstrained vector come first. */
  get adjoints() {
    return this.#adjoints;
  }
  /** The log density, `undecided`, or anything that is not finite outside the support. */
  run(position, offset, dimension) {
    if (tenant !== this) this.#moveIn();
    const values = this.#values;
    for (let j = 0; j < dimension; j++) values[j] = position[offset + j];
    return this.#gradient();
  }
  #moveIn() {
    const { memory, freeSize } = this.program;
    const bytes = 8 * (memory.length + freeSize);
    const missing = Math.ceil((bytes - shared.buffer.byteLength) / pageBytes);
    if (missing > 0) shared.grow(missing);
    this.#values = new Float64Array(shared.buffer, 0, memory.length);
    this.#adjoints = new Float64Array(shared.buffer, 8 * memory.length, freeSize);
    this.#values.set(memory.subarray(freeSize), freeSize);
    tenant = this;
  }
  /** The k-th of log Jacobians, priors and the likelihood. */
  #term(k) {
    const { jacobians, priors, likelihood } = this.program;
    if (k < jacobians.length) {
      const { kernel, q, width, widthFree } = jacobians[k];
      return kernel(this.#values, this.#adjoints, q, width, widthFree);
    }
    const { rule, term, column: column2 } = priors[k - jacobians.length] ?? likelihood;
    const [m, g] = [this.#values, this.#adjoints];
    return column2 ? rule.column(m, g, term) : sumTerm(rule, m, g, term);
  }
};

// src/density/compile.ts
function compileLogDensity(program, dataset, backend = "wasm") {
  return new CompiledDensity(program, dataset, backend);
}
var CompiledDensity = class _CompiledDensity {
  constructor(program, dataset, backend, omitted) {
    this.program = program;
    this.dataset = dataset;
    this.backend = backend;
    const planner = new Planner(program, dataset, omitted);
    const linked = planDensity(planner, program);
    const values = program.parameters.map((_, index) => planner.parameter(index));
    this.#outputs = [...values, ...program.deterministics.map(({ node }) => planner.node(node))];
    const deterministicTape = planner.tape.take();
    const law = program.parameters.map(
      ({ prior }) => prior.arguments.map((id) => planner.node(id))
    );
    const bounds = program.parameters.map(
      ({ transform: t }) => t.kind === "interval" ? [planner.node(t.lower), planner.node(t.upper)] : []
    );
    this.#linked = linked();
    this.#deterministicTape = deterministicTape();
    this.#adjoint = new Float64Array(this.#linked.freeSize);
    this.#useRunner = backend === "wasm" && canCompile(this.#linked);
    this.dimension = program.parameters.length;
    this.observations = this.#linked.likelihood.term.n;
    this.quantities = quantityNames(program, this.#outputs);
    const evaluate2 = (position) => this.#evaluate(position, 0);
    this.startingRegion = startingRegion(program, law, bounds, this.#linked.memory, evaluate2);
  }
  program;
  dataset;
  backend;
  dimension;
  observations;
  quantities;
  startingRegion;
  #linked;
  #adjoint;
  #deterministicTape;
  #outputs;
  #runner;
  #useRunner;
  logDensity(position, gradient, offset) {
    const { dimension } = this;
    let value = undecided;
    let g = this.#adjoint;
    if (this.#useRunner) {
      const runner = this.#runner ??= new GradientRunner(this.#linked);
      value = runner.run(position, offset, dimension);
      g = runner.adjoints;
    }
    if (value === undecided) [value, g] = [this.#interpret(position, offset), this.#adjoint];
    let check = value;
    for (let j = 0; j < dimension; j++) check += g[j];
    if (check - check === 0) {
      for (let j = 0; j < dimension; j++) gradient[offset + j] = g[j];
      return value;
    }
    for (let j = 0; j < dimension; j++) gradient[offset + j] = 0;
    return -Infinity;
  }
  /** Fills values and adjoints by the tape; the first `dimension` adjoints are the gradient. */
  #interpret(position, offset) {
    const g = this.#adjoint.fill(0);
    const { memory, tape } = this.#linked;
    this.#evaluate(position, offset);
    const value = sumTerms(this.#linked, memory, g);
    if (value > -Infinity) runBackward(tape, memory, g);
    return value;
  }
  /** Fills the values that the log density needs. */
  #evaluate(position, offset) {
    const { memory, tape } = this.#linked;
    for (let j = 0; j < this.dimension; j++) memory[j] = position[offset + j];
    runForward(tape, memory, this.#adjoint);
  }
  logLikelihood(position, offset, out, outOffset) {
    this.#evaluate(position, offset);
    const { rule, term } = this.#linked.likelihood;
    pointwiseTerm(rule, this.#linked.memory, term, out, outOffset);
  }
  without(i) {
    return new _CompiledDensity(this.program, this.dataset, this.backend, i);
  }
  constrain(position, offset, out, outOffset) {
    this.#evaluate(position, offset);
    const { memory } = this.#linked;
    runForward(this.#deterministicTape, memory, this.#adjoint);
    let at = outOffset;
    for (const { n, address } of this.#outputs) {
      for (let i = 0; i < n; i++) out[at++] = memory[address + i];
    }
  }
};
function planDensity(planner, program) {
  const priors = program.parameters.map((_, index) => planner.prior(index));
  const likelihood = planner.likelihood();
  const tape = planner.tape.take();
  return () => ({
    ...planner.layout.link(),
    constant: priors.reduce((sum2, { constant: constant2 }) => sum2 + constant2, planner.jacobianConstant),
    tape: tape(),
    jacobians: planner.jacobians.map((build) => build()),
    priors: priors.map(({ build }) => build()),
    likelihood: likelihood()
  });
}
function sumTerms({ constant: constant2, jacobians, priors, likelihood }, m, g) {
  let value = constant2;
  for (const { kernel, q, width, widthFree } of jacobians) {
    value += kernel(m, g, q, width, widthFree);
  }
  for (const { rule: rule2, term: term2 } of priors) value += sumTerm(rule2, m, g, term2);
  const { rule, term, column: column2 } = likelihood;
  return value + (column2 ? rule.column(m, g, term) : sumTerm(rule, m, g, term));
}
function quantityNames(program, outputs) {
  const named = [...program.parameters, ...program.deterministics];
  return named.flatMap(({ name }, k) => {
    const { n, vector: vector2 } = outputs[k];
    return vector2 ? Array.from({ length: n }, (_, i) => `${name}[${i}]`) : [name];
  });
}

// src/exec/worker_crypto.ts
var roundConstants = fractionalParts(64, 1 / 3);
var startValues = fractionalParts(8, 1 / 2);
function createHash(_algorithm) {
  return new Hash();
}
var Hash = class {
  #content = new Uint8Array(0);
  update(content) {
    this.#content = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return this;
  }
  digest(_encoding) {
    const words = sha256Words(this.#content);
    return [...words].map((word) => word.toString(16).padStart(8, "0")).join("");
  }
};
function sha256Words(content) {
  const state = startValues.slice();
  const view = new DataView(padded(content).buffer);
  for (let at = 0; at < view.byteLength; at += 64) mixBlock(state, view, at);
  return state;
}
function padded(content) {
  const size = Math.ceil((content.length + 9) / 64) * 64;
  const bytes = new Uint8Array(size);
  bytes.set(content);
  bytes[content.length] = 128;
  new DataView(bytes.buffer).setBigUint64(size - 8, BigInt(content.length) * 8n);
  return bytes;
}
var schedule = new Uint32Array(64);
function mixBlock(state, view, at) {
  const w = schedule;
  for (let t = 0; t < 16; t++) w[t] = view.getUint32(at + 4 * t);
  for (let t = 16; t < 64; t++) {
    const [x, y] = [w[t - 15], w[t - 2]];
    const sigma0 = rotate(x, 7) ^ rotate(x, 18) ^ x >>> 3;
    const sigma1 = rotate(y, 17) ^ rotate(y, 19) ^ y >>> 10;
    w[t] = w[t - 16] + sigma0 + w[t - 7] + sigma1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let t = 0; t < 64; t++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = h + sum1 + (e & f ^ ~e & g) + roundConstants[t] + w[t] | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = sum0 + (a & b ^ a & c ^ b & c) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, d + t1 | 0, c, b, a, t1 + t2 | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => state[i] += value);
}
function rotate(x, bits) {
  return x >>> bits | x << 32 - bits;
}
function fractionalParts(count, exponent) {
  const degree = BigInt(Math.round(1 / exponent));
  return Uint32Array.from(primes(count), (prime) => {
    const scaled = BigInt(prime) << 32n * degree;
    return Number(wholeRoot(scaled, degree) & 0xffffffffn);
  });
}
function wholeRoot(value, degree) {
  let [low, high] = [0n, 1n << 40n];
  while (high - low > 1n) {
    const middle = low + high >> 1n;
    if (middle ** degree <= value) low = middle;
    else high = middle;
  }
  return low;
}
function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found;
}

// src/base/canonical_json.ts
function canonicalJson(value) {
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    return JSON.stringify(value);
  }
  if (typeof value === "number") return finiteNumber(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object") return canonicalObject(value);
  throw new TypeError(`internal: canonical JSON cannot hold a ${typeof value}`);
}
function finiteNumber(value) {
  if (!Number.isFinite(value)) throw new TypeError(`internal: canonical JSON cannot hold ${value}`);
  return JSON.stringify(value);
}
function canonicalObject(value) {
  const keys = Object.keys(value).filter((key) => value[key] !== void 0).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(",")}}`;
}

// src/base/digest.ts
function sha256(content) {
  return createHash("sha256").update(content).digest("hex");
}
function digestOf(value) {
  return sha256(canonicalJson(value));
}

// src/base/random.ts
var rotl = (x, k) => x << k | x >>> 32 - k;
var RandomStream = class {
  #a;
  #b;
  #c;
  #d;
  /** The stream that this key names: text and numbers, in order. */
  constructor(...key) {
    const digest = sha256(JSON.stringify(key));
    const word = (i) => parseInt(digest.slice(8 * i, 8 * i + 8), 16) | 0;
    [this.#a, this.#b, this.#c, this.#d] = [word(0), word(1), word(2), word(3) | 1];
  }
  /** A uniform integer in [0, 2^32). */
  uint32() {
    const result = Math.imul(rotl(Math.imul(this.#b, 5), 7), 9);
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = rotl(this.#d, 11);
    return result >>> 0;
  }
  /** A uniform double in (0, 1): the middle of one of 2^52 equal cells, so never 0 or 1. */
  uniform() {
    const high = this.uint32() >>> 6;
    const low = this.uint32() >>> 6;
    return (high * 67108864 + low + 0.5) / 4503599627370496;
  }
  /** A uniform integer in [0, n), 0 < n <= 2^32, without bias. */
  below(n) {
    const limit = 4294967296 - 4294967296 % n;
    for (; ; ) {
      const x = this.uint32();
      if (x < limit) return x % n;
    }
  }
};

// src/infer/chain_set.ts
function emptyChainSet(chains, draws, dimension) {
  const n = chains * draws;
  return {
    chains,
    draws,
    dimension,
    positions: new Float64Array(n * dimension),
    gradients: new Float64Array(n * dimension),
    logDensities: new Float64Array(n),
    diverging: new Uint8Array(n),
    treeDepths: new Uint8Array(n),
    acceptance: new Float64Array(n),
    gradientEvaluations: 0,
    adaptations: []
  };
}
function copyDraws(from, to) {
  const { draws, dimension } = from;
  for (let c = 0; c < from.chains; c++) {
    const a = c * draws;
    const b = c * to.draws;
    to.positions.set(subset(from.positions, a * dimension, draws * dimension), b * dimension);
    to.gradients.set(subset(from.gradients, a * dimension, draws * dimension), b * dimension);
    to.logDensities.set(subset(from.logDensities, a, draws), b);
    to.diverging.set(from.diverging.subarray(a, a + draws), b);
    to.treeDepths.set(from.treeDepths.subarray(a, a + draws), b);
    to.acceptance.set(subset(from.acceptance, a, draws), b);
  }
}
function subset(values, offset, length) {
  return values.subarray(offset, offset + length);
}
function countDivergences(set) {
  let count = 0;
  for (const d of set.diverging) count += d;
  return count;
}

// src/math/linalg.ts
function cholesky(a, n) {
  for (let j = 0; j < n; j++) {
    let pivot = a[j * n + j];
    for (let k = 0; k < j; k++) pivot -= a[j * n + k] * a[j * n + k];
    if (!(pivot > 0 && pivot < Infinity)) return false;
    const root = Math.sqrt(pivot);
    a[j * n + j] = root;
    for (let i = j + 1; i < n; i++) {
      let sum2 = a[i * n + j];
      for (let k = 0; k < j; k++) sum2 -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum2 / root;
      a[j * n + i] = 0;
    }
  }
  return true;
}
function solveLower(lower, n, x, offset = 0) {
  for (let i = 0; i < n; i++) {
    let sum2 = x[offset + i];
    for (let k = 0; k < i; k++) sum2 -= lower[i * n + k] * x[offset + k];
    x[offset + i] = sum2 / lower[i * n + i];
  }
}
function solveUpper(lower, n, x, offset = 0) {
  for (let i = n - 1; i >= 0; i--) {
    let sum2 = x[offset + i];
    for (let k = i + 1; k < n; k++) sum2 -= lower[k * n + i] * x[offset + k];
    x[offset + i] = sum2 / lower[i * n + i];
  }
}
function inverseFromCholesky(lower, n) {
  const inverse = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    inverse[j * n + j] = 1;
    solveLower(lower, n, inverse, j * n);
    solveUpper(lower, n, inverse, j * n);
  }
  return inverse;
}

// src/infer/metric.ts
function unitMetric(dimension) {
  return { dense: false, factor: new Float64Array(dimension).fill(1) };
}
function diagonalMetric(variances) {
  const usable = variances.every((v) => v > 0 && v < Infinity);
  return usable ? { dense: false, factor: variances.map(Math.sqrt) } : void 0;
}
function denseMetric(covariance, dimension) {
  const factor2 = Float64Array.from(covariance);
  return cholesky(factor2, dimension) ? { dense: true, factor: factor2 } : void 0;
}
var maxDenseDimension = 12;
var denseCorrelation = 0.3;
function chooseMetric(covariance, dimension, mayBeDense) {
  const pays = mayBeDense && dimension <= maxDenseDimension && largestCorrelation(covariance, dimension) > denseCorrelation;
  return (pays ? denseMetric(covariance, dimension) : void 0) ?? diagonalMetric(diagonalOf(covariance, dimension));
}
function diagonalOf(matrix, dimension) {
  return Float64Array.from({ length: dimension }, (_, i) => matrix[i * dimension + i]);
}
function largestCorrelation(covariance, dimension) {
  const scale = diagonalOf(covariance, dimension).map(Math.sqrt);
  let largest = 0;
  for (let i = 0; i < dimension; i++) {
    for (let j = 0; j < i; j++) {
      const r = Math.abs(covariance[i * dimension + j]) / (scale[i] * scale[j]);
      if (r > largest) largest = r;
    }
  }
  return largest;
}

// src/math/random_normal.ts
function fillNormal(stream, out, offset = 0, length = out.length - offset) {
  const end = offset + length;
  for (let i = offset; i < end; i += 2) {
    let x = 0;
    let y = 0;
    let square3 = 0;
    do {
      x = 2 * stream.uniform() - 1;
      y = 2 * stream.uniform() - 1;
      square3 = x * x + y * y;
    } while (square3 >= 1 || square3 === 0);
    const scale = Math.sqrt(-2 * log(square3) / square3);
    out[i] = x * scale;
    if (i + 1 < end) out[i + 1] = y * scale;
  }
}

// src/infer/nuts.ts
var maxEnergyError = 1e3;
var maxLogWeight = 690;
var logFourFifths = -0.2231435513142097;
var Nuts = class {
  /** Makes room for trajectories of up to 2^maxTreeDepth steps; `moveTo` must follow. */
  constructor(density, metric, maxTreeDepth = 10) {
    this.maxTreeDepth = maxTreeDepth;
    const d = density.dimension;
    const slots = 2 * (1 << maxTreeDepth) + 1;
    this.#d = d;
    this.#start = 1 << maxTreeDepth;
    this.#positions = new Float64Array(slots * d);
    this.#gradients = new Float64Array(slots * d);
    this.#whiteGradients = new Float64Array(slots * d);
    this.#momenta = new Float64Array(slots * d);
    this.#sums = new Float64Array(slots * d);
    this.#logDensities = new Float64Array(slots);
    this.#levelWeights = new Float64Array(maxTreeDepth + 1);
    this.#levelProposals = new Int32Array(maxTreeDepth + 1);
    this.#density = density;
    this.#metric = metric;
  }
  maxTreeDepth;
  #d;
  #start;
  #positions;
  #gradients;
  /** Lᵀ gradient, per slot. */
  #whiteGradients;
  /** Momentum in white coordinates, per slot. */
  #momenta;
  /** Sum of the momenta up to and with a slot; only differences have a meaning. */
  #sums;
  #logDensities;
  #levelWeights;
  #levelProposals;
  #density;
  #metric;
  #initialEnergy = 0;
  #acceptanceSum = 0;
  /** Step size of the next transition. */
  stepSize = 1;
  /** Leapfrog steps of the last transition. */
  steps = 0;
  /** Doublings of the last transition. */
  treeDepth = 0;
  /** Whether the last transition met an energy error above 1000. */
  diverging = false;
  /** Buffer that holds the current state, at `offset`; read it, do not write. */
  get position() {
    return this.#positions;
  }
  /** Gradient of the log density at the current state, at `offset`. */
  get gradient() {
    return this.#gradients;
  }
  /** Where the current state begins in `position` and `gradient`. */
  get offset() {
    return this.#start * this.#d;
  }
  /** Log density of the current state. */
  get logDensity() {
    return this.#logDensities[this.#start];
  }
  /** Mean of min(1, e^-error) over the steps of the last transition. */
  get acceptance() {
    return this.steps === 0 ? 0 : this.#acceptanceSum / this.steps;
  }
  /** Goes to `position[offset …)` and returns its log density; one gradient evaluation. */
  moveTo(position, offset) {
    const d = this.#d;
    this.#positions.set(position.subarray(offset, offset + d), this.offset);
    const value = this.#density.logDensity(this.#positions, this.#gradients, this.offset);
    this.#logDensities[this.#start] = value;
    this.#whiten(this.#start);
    return value;
  }
  /** The metric; replacing it keeps the current state. */
  get metric() {
    return this.#metric;
  }
  set metric(metric) {
    this.#metric = metric;
    this.#whiten(this.#start);
  }
  /** Moves to the next state of the chain. */
  transition(stream) {
    this.#begin(stream);
    let left = this.#start;
    let right = this.#start;
    let selected = this.#start;
    let weight = 1;
    while (this.treeDepth < this.maxTreeDepth) {
      const forward = stream.uint32() >= 2147483648;
      const size = 1 << this.treeDepth;
      if (!this.#extend(forward ? right : left, forward ? 1 : -1, stream)) break;
      const added = this.#levelWeights[this.treeDepth];
      if (added >= weight || stream.uniform() * weight < added) {
        selected = this.#levelProposals[this.treeDepth];
      }
      weight += added;
      const middle = forward ? right : left - 1;
      if (forward) right += size;
      else left -= size;
      this.treeDepth += 1;
      if (this.#turns(left, middle, right)) break;
    }
    this.#select(selected);
  }
  /**
   * Finds a step size at which one step has an acceptance of about 0.8, doubling or halving from
   * the present one (Hoffman and Gelman 2014, algorithm 4, with Stan's threshold). Returns the
   * gradient evaluations it took.
   */
  findStepSize(stream) {
    let evaluations = 0;
    let direction = 0;
    while (this.stepSize > 1e-10 && this.stepSize < 1e7) {
      this.#begin(stream);
      const error2 = this.#leapfrog(this.#start, 1);
      evaluations += 1;
      const accepted = -error2 > logFourFifths ? 1 : -1;
      if (direction === 0) direction = accepted;
      else if (direction !== accepted) break;
      this.stepSize *= direction === 1 ? 2 : 0.5;
    }
    return evaluations;
  }
  /** Draws a momentum and forgets the last trajectory. */
  #begin(stream) {
    const d = this.#d;
    const at = this.offset;
    fillNormal(stream, this.#momenta, at, d);
    let square3 = 0;
    for (let k = 0; k < d; k++) {
      const r = this.#momenta[at + k];
      square3 += r * r;
      this.#sums[at - d + k] = 0;
      this.#sums[at + k] = r;
    }
    this.#initialEnergy = 0.5 * square3 - this.logDensity;
    this.#acceptanceSum = 0;
    this.steps = 0;
    this.treeDepth = 0;
    this.diverging = false;
  }
  /**
   * Grows a subtree of 2^treeDepth states from slot `from` in `direction`. Returns whether it is
   * valid; its weight and proposal are then on the stack at level `treeDepth`.
   */
  #extend(from, direction, stream) {
    const count = 1 << this.treeDepth;
    let slot = from;
    for (let leaf = 1; leaf <= count; leaf++) {
      const error2 = this.#leapfrog(slot, direction);
      slot += direction;
      this.steps += 1;
      if (!(error2 <= maxEnergyError)) {
        this.diverging = true;
        return false;
      }
      const weight = exp(-error2 < maxLogWeight ? -error2 : maxLogWeight);
      this.#acceptanceSum += weight < 1 ? weight : 1;
      if (!this.#merge(leaf, slot, direction, weight, stream)) return false;
    }
    return true;
  }
  /** Puts a leaf on the stack and merges the subtrees that it completes, unless one turns. */
  #merge(leaf, slot, direction, leafWeight, stream) {
    const weights = this.#levelWeights;
    const proposals = this.#levelProposals;
    let weight = leafWeight;
    let proposal = slot;
    let level = 0;
    for (let rest = leaf; (rest & 1) === 0; rest >>= 1) {
      const total = weights[level] + weight;
      if (stream.uniform() * total >= weight) proposal = proposals[level];
      weight = total;
      const half = 1 << level;
      level += 1;
      const left = direction === 1 ? slot - 2 * half + 1 : slot;
      if (this.#turns(left, left + half - 1, left + 2 * half - 1)) return false;
    }
    weights[level] = weight;
    proposals[level] = proposal;
    return true;
  }
  /** Whether the tree of slots left … right, of which the left half ends at `middle`, turns. */
  #turns(left, middle, right) {
    if (this.#turnsBetween(left, right, left, right)) return true;
    if (right - left === 1) return false;
    return this.#turnsBetween(left, middle + 1, left, middle + 1) || this.#turnsBetween(middle, right, middle, right);
  }
  /** The generalised criterion for momenta `a` and `b` and the sum over slots first … last. */
  #turnsBetween(a, b, first, last) {
    const d = this.#d;
    const momenta = this.#momenta;
    const sums = this.#sums;
    const end = last * d;
    const before = (first - 1) * d;
    let atA = 0;
    let atB = 0;
    for (let k = 0; k < d; k++) {
      const rho = sums[end + k] - sums[before + k];
      atA += momenta[a * d + k] * rho;
      atB += momenta[b * d + k] * rho;
    }
    return !(atA > 0 && atB > 0);
  }
  /** One leapfrog step from slot `from` to its neighbour; returns the energy error there. */
  #leapfrog(from, direction) {
    const d = this.#d;
    const to = from + direction;
    const step = direction * this.stepSize;
    if (this.#metric.dense) this.#driftDense(from * d, to * d, step);
    else this.#driftDiagonal(from * d, to * d, step);
    const value = this.#density.logDensity(this.#positions, this.#gradients, to * d);
    this.#logDensities[to] = value;
    this.#whiten(to);
    const square3 = this.#kick(from, to, 0.5 * step);
    return 0.5 * square3 - value - this.#initialEnergy;
  }
  /** First half kick, and drift, with a diagonal factor. */
  #driftDiagonal(from, to, step) {
    const { factor: factor2 } = this.#metric;
    const q = this.#positions;
    const r = this.#momenta;
    const u = this.#whiteGradients;
    for (let k = 0; k < factor2.length; k++) {
      const half = r[from + k] + 0.5 * step * u[from + k];
      r[to + k] = half;
      q[to + k] = q[from + k] + step * factor2[k] * half;
    }
  }
  /** First half kick, and drift, with a lower triangular factor. */
  #driftDense(from, to, step) {
    const d = this.#d;
    const { factor: factor2 } = this.#metric;
    const q = this.#positions;
    const r = this.#momenta;
    const u = this.#whiteGradients;
    for (let i = 0, row = 0; i < d; i++, row += d) {
      r[to + i] = r[from + i] + 0.5 * step * u[from + i];
      let drift = 0;
      for (let k = 0; k <= i; k++) drift += factor2[row + k] * r[to + k];
      q[to + i] = q[from + i] + step * drift;
    }
  }
  /** Second half kick; extends the running sums; returns the squared momentum. */
  #kick(from, to, halfStep) {
    const d = this.#d;
    const r = this.#momenta;
    const u = this.#whiteGradients;
    const sums = this.#sums;
    const forward = to > from;
    const known = (forward ? from : to) * d;
    const next = (forward ? to : to - 1) * d;
    let square3 = 0;
    for (let k = 0, at = to * d; k < d; k++, at++) {
      const momentum = r[at] + halfStep * u[at];
      r[at] = momentum;
      square3 += momentum * momentum;
      sums[next + k] = sums[known + k] + (forward ? momentum : -momentum);
    }
    return square3;
  }
  /** Computes Lᵀ gradient of a slot. */
  #whiten(slot) {
    const d = this.#d;
    const at = slot * d;
    const { dense, factor: factor2 } = this.#metric;
    const g = this.#gradients;
    const u = this.#whiteGradients;
    if (!dense) {
      for (let k = 0; k < d; k++) u[at + k] = factor2[k] * g[at + k];
      return;
    }
    for (let k = 0; k < d; k++) {
      let sum2 = 0;
      for (let i = k, j = k * d + k; i < d; i++, j += d) sum2 += factor2[j] * g[at + i];
      u[at + k] = sum2;
    }
  }
  /** Makes a slot the current state. */
  #select(slot) {
    if (slot === this.#start) return;
    const d = this.#d;
    const from = slot * d;
    const to = this.offset;
    for (let k = 0; k < d; k++) {
      this.#positions[to + k] = this.#positions[from + k];
      this.#gradients[to + k] = this.#gradients[from + k];
      this.#whiteGradients[to + k] = this.#whiteGradients[from + k];
    }
    this.#logDensities[this.#start] = this.#logDensities[slot];
  }
};

// src/infer/bfgs.ts
var patience = 20;
var least = 0.01;
function climb(density, start, maxEvaluations) {
  const search = new Search(density, start);
  let mark = { value: search.value, evaluations: 0 };
  let stalled = false;
  while (!search.converged && !stalled && search.evaluations < maxEvaluations) {
    const climbs = search.step(maxEvaluations);
    const { value, evaluations } = search;
    const due = evaluations - mark.evaluations >= patience;
    stalled = (!climbs || due) && value - mark.value < least;
    if (due) mark = { value, evaluations };
    if (!climbs) break;
  }
  return {
    position: search.position,
    gradient: search.gradient,
    logDensity: search.value,
    inverseHessian: search.inverse,
    converged: search.converged,
    stalled,
    evaluations: search.evaluations
  };
}
var Search = class {
  constructor(density, start) {
    this.density = density;
    const d = start.length;
    this.#d = d;
    this.position = Float64Array.from(start);
    this.gradient = new Float64Array(d);
    this.#nextPosition = new Float64Array(d);
    this.#nextGradient = new Float64Array(d);
    this.inverse = new Float64Array(d * d);
    this.#direction = new Float64Array(d);
    this.#product = new Float64Array(d);
    this.value = density.logDensity(this.position, this.gradient, 0);
    let square3 = 0;
    for (const g of this.gradient) square3 += g * g;
    for (let i = 0; i < d; i++) this.inverse[i * d + i] = 1 / Math.max(1, Math.sqrt(square3));
  }
  density;
  #d;
  position;
  gradient;
  #nextPosition;
  #nextGradient;
  inverse;
  #direction;
  #product;
  #scaled = false;
  value;
  evaluations = 1;
  converged = false;
  /** One line search and update; returns whether the climb can go on. */
  step(maxEvaluations) {
    const slope2 = this.#chooseDirection();
    if (!(slope2 > 0)) {
      this.converged = slope2 === 0;
      return false;
    }
    if (this.#scaled && slope2 < 2e-4) {
      this.converged = true;
      return true;
    }
    if (!this.#searchLine(slope2, maxEvaluations)) return false;
    this.#update();
    [this.position, this.#nextPosition] = [this.#nextPosition, this.position];
    [this.gradient, this.#nextGradient] = [this.#nextGradient, this.gradient];
    return true;
  }
  /** direction = inverse · gradient; returns the slope along it. */
  #chooseDirection() {
    multiply(this.inverse, this.gradient, this.#direction);
    return dot(this.#direction, this.gradient);
  }
  /** Backtracks from a full step until the density rises enough. */
  #searchLine(slope2, maxEvaluations) {
    let length = 1;
    while (this.evaluations < maxEvaluations && length > 1e-12) {
      for (let i = 0; i < this.#d; i++) {
        this.#nextPosition[i] = this.position[i] + length * this.#direction[i];
      }
      const next = this.density.logDensity(this.#nextPosition, this.#nextGradient, 0);
      this.evaluations += 1;
      if (next >= this.value + 1e-4 * length * slope2 && next < Infinity) {
        this.value = next;
        return true;
      }
      const bend = this.value + length * slope2 - next;
      const best = bend < Infinity ? 0.5 * length * length * slope2 / bend : 0;
      length = Math.min(0.5 * length, Math.max(0.1 * length, best));
    }
    return false;
  }
  /** Learns the curvature between the present and the next point. */
  #update() {
    const d = this.#d;
    const step = this.#direction;
    const change = this.#product;
    for (let i = 0; i < d; i++) {
      step[i] = this.#nextPosition[i] - this.position[i];
      change[i] = this.gradient[i] - this.#nextGradient[i];
    }
    const curvature = dot(step, change);
    const size = dot(change, change);
    if (!(curvature > 1e-10 * Math.sqrt(size * dot(step, step)))) return;
    if (!this.#scaled) {
      this.inverse.fill(0);
      for (let i = 0; i < d; i++) this.inverse[i * d + i] = curvature / size;
      this.#scaled = true;
    }
    this.#rankTwo(step, change, curvature);
  }
  /** inverse ← (I − s yᵀ/c) inverse (I − y sᵀ/c) + s sᵀ/c. */
  #rankTwo(s, y, curvature) {
    const d = this.#d;
    const h = new Float64Array(d);
    multiply(this.inverse, y, h);
    const factor2 = (1 + dot(y, h) / curvature) / curvature;
    for (let i = 0; i < d; i++) {
      for (let j = 0; j < d; j++) {
        this.inverse[i * d + j] += factor2 * s[i] * s[j] - (h[i] * s[j] + s[i] * h[j]) / curvature;
      }
    }
  }
};
function dot(a, b) {
  let sum2 = 0;
  for (let i = 0; i < a.length; i++) sum2 += a[i] * b[i];
  return sum2;
}
function multiply(matrix, x, out) {
  const d = x.length;
  for (let i = 0; i < d; i++) {
    let sum2 = 0;
    for (let j = 0; j < d; j++) sum2 += matrix[i * d + j] * x[j];
    out[i] = sum2;
  }
}

// src/infer/laplace.ts
function laplaceApproximation(density, from, budget) {
  const d = from.length;
  const top = climb(density, from, 100 + 10 * d);
  budget.used += top.evaluations;
  if (!top.converged && !top.stalled) return void 0;
  const hessian = negativeHessian(density, top.position, wideSteps(density, top, budget));
  budget.used += 2 * d;
  const variances = diagonalOf(hessian, d).map((h) => 1 / h);
  let covariance;
  if (cholesky(hessian, d)) covariance = inverseFromCholesky(hessian, d);
  else if (variances.every((v) => v > 0 && v < Infinity)) covariance = diagonalMatrix(variances);
  else return void 0;
  const factor2 = Float64Array.from(covariance);
  if (!cholesky(factor2, d)) return void 0;
  let evidence = top.logDensity;
  for (let i = 0; i < d; i++) evidence += log(factor2[i * d + i]);
  return { mode: top.position, covariance, factor: factor2, evidence };
}
function drawAround(around, stream) {
  const { mode, factor: factor2 } = around;
  const d = mode.length;
  const white = new Float64Array(d);
  fillNormal(stream, white);
  return mode.map((m, i) => {
    let sum2 = m;
    for (let k = 0; k <= i; k++) sum2 += factor2[i * d + k] * white[k];
    return sum2;
  });
}
function diagonalMatrix(values) {
  const d = values.length;
  const out = new Float64Array(d * d);
  for (let i = 0; i < d; i++) out[i * d + i] = values[i];
  return out;
}
function wideSteps(density, top, budget) {
  const d = top.position.length;
  const point = Float64Array.from(top.position);
  const gradient = new Float64Array(d);
  const at = (i, step) => {
    point[i] = top.position[i] + step;
    const value = density.logDensity(point, gradient, 0);
    point[i] = top.position[i];
    return value;
  };
  return point.map((_, i) => {
    let step = Math.sqrt(top.inverseHessian[i * d + i]);
    if (!(step > 1e-4 && step < 1)) step = 0.05;
    for (let attempt = 0; attempt < 20; attempt++) {
      const fall = top.logDensity - 0.5 * (at(i, step) + at(i, -step));
      budget.used += 2;
      if (fall >= 0.2 && fall <= 1) break;
      step *= fall > 0 ? Math.min(5, Math.max(0.1, Math.sqrt(0.5 / fall))) : 5;
    }
    return step;
  });
}
function negativeHessian(density, position, steps) {
  const d = position.length;
  const hessian = new Float64Array(d * d);
  const point = Float64Array.from(position);
  const above = new Float64Array(d);
  const below = new Float64Array(d);
  for (let i = 0; i < d; i++) {
    point[i] = position[i] + steps[i];
    density.logDensity(point, above, 0);
    point[i] = position[i] - steps[i];
    density.logDensity(point, below, 0);
    point[i] = position[i];
    for (let j = 0; j < d; j++) {
      const half = (below[j] - above[j]) / (4 * steps[i]);
      hessian[i * d + j] += half;
      hessian[j * d + i] += half;
    }
  }
  return hessian;
}

// src/infer/start.ts
var maxLaplaceDimension = 40;
var evidenceGap = 10;
var attempts = 100;
function uniformStart(density, stream, budget) {
  const region = density.startingRegion;
  const position = new Float64Array(density.dimension);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const shrink = 1 - attempt / attempts;
    for (let i = 0; i < position.length; i++) {
      const jitter = 4 * stream.uniform() - 2;
      position[i] = region ? region.centre[i] + shrink * region.spread[i] * jitter : jitter;
    }
    if (isUsable(density, position, budget)) return position;
  }
  return void 0;
}
function isUsable(density, position, budget) {
  const gradient = new Float64Array(position.length);
  budget.used += 1;
  const value = density.logDensity(position, gradient, 0);
  return Math.abs(value) < Infinity && gradient.every((g) => Math.abs(g) < Infinity);
}
function startChains(density, streams, laplace2, budget) {
  const d = density.dimension;
  const uniform2 = [];
  for (const stream of streams) {
    const position = uniformStart(density, stream, budget);
    if (!position) return void 0;
    uniform2.push(position);
  }
  const modes = laplace2 && d <= maxLaplaceDimension ? uniform2.map((from) => laplaceApproximation(density, from, budget)) : [];
  const best = bestOf(modes);
  if (!best) {
    return { positions: uniform2, metric: unitMetric(d), reference: new Float64Array(d).fill(1) };
  }
  const positions = streams.map(
    (stream, c) => usableDraw(density, near(best, modes[c]), stream, budget) ?? uniform2[c]
  );
  const metric = chooseMetric(best.covariance, d, true) ?? unitMetric(d);
  return { positions, metric, reference: diagonalOf(best.covariance, d) };
}
function bestOf(modes) {
  let best;
  for (const mode of modes) if (mode && !(mode.evidence <= (best?.evidence ?? NaN))) best = mode;
  return best;
}
function near(best, mode) {
  return mode && mode.evidence >= best.evidence - evidenceGap ? mode : best;
}
function usableDraw(density, around, stream, budget) {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const position = drawAround(around, stream);
    if (isUsable(density, position, budget)) return position;
  }
  return void 0;
}

// src/infer/covariance.ts
var CovarianceEstimator = class {
  /** An estimator that has seen no draw. */
  constructor(dimension, dense) {
    this.dimension = dimension;
    this.dense = dense;
    this.#mean = new Float64Array(dimension);
    this.#delta = new Float64Array(dimension);
    this.#squares = new Float64Array(dense ? dimension * dimension : dimension);
  }
  dimension;
  dense;
  #count = 0;
  #mean;
  #delta;
  /** Sums of squares: lower triangle `[d, d]` if dense, else `[d]`. */
  #squares;
  /** Adds `position[offset .. offset + dimension)`. */
  add(position, offset) {
    const d = this.dimension;
    this.#count += 1;
    for (let i = 0; i < d; i++) {
      this.#delta[i] = position[offset + i] - this.#mean[i];
      this.#mean[i] += this.#delta[i] / this.#count;
    }
    for (let i = 0; i < d; i++) {
      const rest = position[offset + i] - this.#mean[i];
      if (!this.dense) this.#squares[i] += rest * this.#delta[i];
      else for (let j = 0; j <= i; j++) this.#squares[i * d + j] += rest * this.#delta[j];
    }
  }
  /**
   * The covariance shrunk a little towards `reference`: n/(n+5) S + 10⁻³ · 5/(n+5) · reference
   * (Stan 2.37, `covar_adaptation.hpp` and `var_adaptation.hpp`, where the reference is 1), the
   * reference being variances `[d]`. Same layout as the sums: `[d, d]`, both triangles, or `[d]`.
   */
  regularised(reference) {
    const n = this.#count;
    const weight = n / (n + 5) / (n - 1);
    const shrink = 1e-3 * 5 / (n + 5);
    const out = this.#squares.map((v) => weight * v);
    const d = this.dimension;
    const stride = this.dense ? d + 1 : 1;
    for (let i = 0; i < d; i++) out[i * stride] += shrink * reference[i];
    if (!this.dense) return out;
    for (let i = 0; i < d; i++) for (let j = 0; j < i; j++) out[j * d + i] = out[i * d + j];
    return out;
  }
  /** Forgets every draw. */
  reset() {
    this.#count = 0;
    this.#mean.fill(0);
    this.#squares.fill(0);
  }
};

// src/infer/step_size.ts
var gamma2 = 0.05;
var kappa = 0.75;
var t0 = 10;
var DualAveraging = class {
  /** Aims at an acceptance statistic between 0 and 1; `restart` must follow. */
  constructor(targetAcceptance) {
    this.targetAcceptance = targetAcceptance;
  }
  targetAcceptance;
  #count = 0;
  #errorMean = 0;
  #logAverage = 0;
  #logTarget = 0;
  /** The step size to use for the next transition. */
  stepSize = 1;
  /** Begins anew at `stepSize`, drawn towards `boldness` times it (Stan: 10). */
  restart(stepSize, boldness = 10) {
    this.#count = 0;
    this.#errorMean = 0;
    this.#logAverage = 0;
    this.#logTarget = log(boldness * stepSize);
    this.stepSize = stepSize;
  }
  /** Learns from the mean acceptance statistic of one transition. */
  update(acceptance) {
    this.#count += 1;
    const eta = 1 / (this.#count + t0);
    const error2 = this.targetAcceptance - Math.min(1, acceptance);
    this.#errorMean += eta * (error2 - this.#errorMean);
    const logStep = this.#logTarget - this.#errorMean * Math.sqrt(this.#count) / gamma2;
    const weight = exp(-kappa * log(this.#count));
    this.#logAverage += weight * (logStep - this.#logAverage);
    this.stepSize = exp(logStep);
  }
  /** The averaged step size, to be used after tuning; the present one before any update. */
  averaged() {
    return this.#count === 0 ? this.stepSize : exp(this.#logAverage);
  }
};

// src/infer/tuning.ts
function tuningRounds(tune) {
  if (tune < 20) return [0, 0, 0, tune];
  const rounds = [0.15, 0.25, 0.4].map((share) => Math.floor(share * tune));
  return [...rounds, tune - rounds.reduce((a, b) => a + b)];
}
function* tuneChains(sampler, chains, options, budget) {
  const d = chains.density.dimension;
  const estimator = new CovarianceEstimator(d, options.mayBeDense && d <= maxDenseDimension);
  const averaging = new DualAveraging(options.targetAcceptance);
  for (const [round, transitions] of tuningRounds(options.tune).entries()) {
    if (transitions === 0) continue;
    restartStepSize(sampler, chains, averaging, budget);
    const collect = round === 1 || round === 2 ? estimator : void 0;
    if (!(yield* tuneRound(sampler, chains, transitions, averaging, budget, collect))) return false;
    sampler.stepSize = averaging.averaged();
    if (!collect) continue;
    sampler.metric = learnt(estimator, options.reference) ?? sampler.metric;
    estimator.reset();
  }
  return true;
}
function* retuneStepSize(sampler, chains, transitions, targetAcceptance, budget) {
  const averaging = new DualAveraging(targetAcceptance);
  averaging.restart(sampler.stepSize, 1);
  if (!(yield* tuneRound(sampler, chains, transitions, averaging, budget))) return false;
  sampler.stepSize = averaging.averaged();
  return true;
}
function* tuneRound(sampler, { positions, streams }, transitions, averaging, budget, collect) {
  for (const [c, position] of positions.entries()) {
    sampler.moveTo(position, 0);
    budget.used += 1;
    for (let i = 0; i < transitions; i++) {
      sampler.stepSize = averaging.stepSize;
      sampler.transition(streams[c]);
      budget.used += sampler.steps;
      if (budget.used > budget.limit) return false;
      averaging.update(sampler.acceptance);
      collect?.add(sampler.position, sampler.offset);
      yield;
    }
    const { offset } = sampler;
    position.set(sampler.position.subarray(offset, offset + position.length));
  }
  return true;
}
function restartStepSize(sampler, { positions, streams }, averaging, budget) {
  sampler.moveTo(positions[0], 0);
  budget.used += 1 + sampler.findStepSize(streams[0]);
  averaging.restart(sampler.stepSize);
}
function learnt(estimator, reference) {
  const estimate = estimator.regularised(reference);
  return estimator.dense ? chooseMetric(estimate, estimator.dimension, true) : diagonalMetric(estimate);
}

// src/infer/sample_chains.ts
function* sampleChains(density, options, key, budget) {
  const usedBefore = budget.used;
  const streams = Array.from(
    { length: options.chains },
    (_, c) => new RandomStream(...key, "chain", c)
  );
  const sampler = new Nuts(density, unitMetric(density.dimension), options.maxTreeDepth ?? 10);
  const tuned = options.warmStart ? yield* resume(density, options.warmStart, options, sampler, streams, budget) : yield* begin(density, options, sampler, streams, budget);
  if (!Array.isArray(tuned)) return tuned;
  const set = emptyChainSet(options.chains, options.draws, density.dimension);
  return yield* drawChains(sampler, set, 0, tuned, usedBefore, budget);
}
function* continueChains(density, set, draws, budget, maxTreeDepth = 10) {
  const usedBefore = budget.used - set.gradientEvaluations;
  const longer = emptyChainSet(set.chains, draws, set.dimension);
  copyDraws(set, longer);
  const sampler = new Nuts(density, unitMetric(density.dimension), maxTreeDepth);
  return yield* drawChains(sampler, longer, set.draws, set.adaptations, usedBefore, budget);
}
function* begin(density, options, sampler, streams, budget) {
  const mayBeDense = options.start !== "uniform";
  const starts = startChains(density, streams, mayBeDense, budget);
  if (!starts) return { kind: "no_finite_start" };
  const { positions, metric, reference } = starts;
  sampler.metric = metric;
  sampler.stepSize = 1;
  const { tune, targetAcceptance = 0.8 } = options;
  const tuning = { tune, targetAcceptance, reference, mayBeDense };
  const chains = { density, positions, streams };
  const held = yield* tuneChains(sampler, chains, tuning, budget);
  return held ? adaptationsOf(sampler, chains) : { kind: "budget" };
}
function* resume(density, warm, options, sampler, streams, budget) {
  sampler.metric = warm[0].metric;
  sampler.stepSize = warm[0].stepSize;
  const positions = streams.map((_, c) => Float64Array.from(warm[c].position));
  budget.used += positions.length;
  if (positions.some((p) => !(sampler.moveTo(p, 0) > -Infinity))) {
    return { kind: "no_finite_start" };
  }
  const { tune, targetAcceptance = 0.8 } = options;
  const chains = { density, positions, streams };
  const held = yield* retuneStepSize(sampler, chains, tune, targetAcceptance, budget);
  return held ? adaptationsOf(sampler, chains) : { kind: "budget" };
}
function adaptationsOf(sampler, { positions, streams }) {
  const { metric, stepSize } = sampler;
  return positions.map((position, c) => ({ metric, stepSize, position, stream: streams[c] }));
}
function* drawChains(sampler, set, from, before, usedBefore, budget) {
  const adaptations = [];
  for (const [c, adaptation] of before.entries()) {
    const { metric, stepSize, stream } = adaptation;
    sampler.metric = metric;
    sampler.stepSize = stepSize;
    sampler.moveTo(adaptation.position, 0);
    budget.used += 1;
    if (!(yield* drawChain(sampler, set, c, from, stream, budget))) return { kind: "budget" };
    const { offset } = sampler;
    const position = sampler.position.slice(offset, offset + set.dimension);
    adaptations.push({ metric, stepSize, position, stream });
  }
  const gradientEvaluations = budget.used - usedBefore;
  return { kind: "chains", chainSet: { ...set, gradientEvaluations, adaptations } };
}
function* drawChain(sampler, set, c, from, stream, budget) {
  for (let i = c * set.draws + from; i < (c + 1) * set.draws; i++) {
    sampler.transition(stream);
    budget.used += sampler.steps;
    if (budget.used > budget.limit) return false;
    record(sampler, set, i);
    yield;
  }
  return true;
}
function record(sampler, set, i) {
  const { position, gradient, offset } = sampler;
  const to = i * set.dimension;
  for (let k = 0; k < set.dimension; k++) {
    set.positions[to + k] = position[offset + k];
    set.gradients[to + k] = gradient[offset + k];
  }
  set.logDensities[i] = sampler.logDensity;
  set.diverging[i] = sampler.diverging ? 1 : 0;
  set.treeDepths[i] = sampler.treeDepth;
  set.acceptance[i] = sampler.acceptance;
}

// src/lang/graph_builder.ts
var commutative = /* @__PURE__ */ new Set(["add", "mul"]);
var unaryFunctions = {
  neg: (x) => -x,
  exp,
  log,
  log1p,
  expm1,
  sqrt: Math.sqrt,
  abs: Math.abs,
  sigmoid,
  tanh
};
var binaryFunctions = {
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  div: (x, y) => x / y,
  pow
};
function numberKey(value) {
  return Object.is(value, -0) ? "-0" : `${value}`;
}
var GraphBuilder = class {
  nodes = [];
  ids = /* @__PURE__ */ new Map();
  constant(value) {
    return this.intern(`c${numberKey(value)}`, { kind: "constant", value, shape: "scalar" });
  }
  column(column2) {
    return this.intern(`d${column2}`, { kind: "column", column: column2, shape: "vector" });
  }
  parameter(parameter2) {
    return this.intern(`p${parameter2}`, { kind: "parameter", parameter: parameter2, shape: "scalar" });
  }
  unary(op, argument2) {
    const value = this.constantOf(argument2);
    if (value !== void 0) return this.constant(unaryFunctions[op](value));
    const { shape } = this.nodes[argument2];
    return this.intern(`${op} ${argument2}`, { kind: "unary", op, argument: argument2, shape });
  }
  binary(op, a, b) {
    const [x, y] = [this.constantOf(a), this.constantOf(b)];
    if (x !== void 0 && y !== void 0) return this.constant(binaryFunctions[op](x, y));
    const swap = commutative.has(op) && a > b;
    const [left, right] = swap ? [b, a] : [a, b];
    const vector2 = this.nodes[a].shape === "vector" || this.nodes[b].shape === "vector";
    const shape = vector2 ? "vector" : "scalar";
    return this.intern(`${op} ${left} ${right}`, { kind: "binary", op, left, right, shape });
  }
  /** The value of a constant node. */
  constantOf(node) {
    const found = this.nodes[node];
    return found.kind === "constant" ? found.value : void 0;
  }
  isVector(node) {
    return this.nodes[node].shape === "vector";
  }
  intern(key, node) {
    const known = this.ids.get(key);
    if (known !== void 0) return known;
    this.ids.set(key, this.nodes.length);
    return this.nodes.push(node) - 1;
  }
};

// src/lang/refinement.ts
function refineColours(vertices) {
  const uses = usesOf(vertices);
  let ranks = new Int32Array(vertices.length);
  let classes = rankBy(vertices.map(({ label: label2 }) => label2), ranks);
  while (classes < vertices.length) {
    const before = classes;
    classes = rankBy(vertices.map((vertex, i) => signature(vertex, uses[i], i, ranks)), ranks);
    if (classes > before || classes === vertices.length) continue;
    ranks = individualise(ranks, uses);
    classes = new Set(ranks).size;
  }
  return ranks;
}
function usesOf(vertices) {
  const uses = vertices.map(() => []);
  vertices.forEach(
    ({ arguments: nodes, unordered }, user) => nodes.forEach((node, i) => uses[node].push({ user, position: unordered ? 0 : i }))
  );
  return uses;
}
function rankBy(keys, ranks) {
  const sorted = [...new Set(keys)].sort();
  const rank = new Map(sorted.map((key, i) => [key, i]));
  keys.forEach((key, i) => ranks[i] = rank.get(key) ?? 0);
  return sorted.length;
}
function signature(vertex, uses, i, ranks) {
  const below = vertex.arguments.map((node) => digits(ranks[node]));
  if (vertex.unordered) below.sort();
  const above = uses.map(({ user, position }) => `${digits(ranks[user])}.${position}`).sort();
  return `${digits(ranks[i])}|${below.join(",")}|${above.join(",")}`;
}
function digits(rank) {
  return String.fromCharCode(32 + (rank >> 10), 32 + (rank & 1023));
}
function individualise(ranks, uses) {
  const counts = new Int32Array(ranks.length + 1);
  for (const rank of ranks) counts[rank]++;
  const tied = counts.findIndex((count) => count > 1);
  const chosen = ranks.indexOf(tied);
  const members = counts[tied];
  if (uses[chosen].length === 0) {
    let next = tied;
    return ranks.map((rank) => rank > tied ? rank + members - 1 : rank === tied ? next++ : rank);
  }
  return ranks.map((rank, i) => rank > tied || rank === tied && i !== chosen ? rank + 1 : rank);
}

// src/lang/canonical.ts
function canonicalise(graph, { parameters, deterministics }, likelihood) {
  const core = reachable(graph, parameters, scoredRoots(graph, parameters, likelihood));
  const ordered = orderCore(graph, parameters, likelihood, core);
  const order = [...ordered, ...orderExtra(graph, parameters, deterministics, ordered)];
  const renamed = new Renaming(graph, order);
  const checked = renamed.program(parameters, deterministics, likelihood);
  const hash = hashOf({ ...checked, nodes: checked.nodes.slice(0, ordered.length) });
  const influential = reachable(graph, parameters, likelihood.arguments);
  const unused = parameters.flatMap((_, i) => influential.has(graph.parameter(i)) ? [] : [i]);
  return { checked: { ...checked, hash }, unused };
}
function scoredRoots(graph, parameters, likelihood) {
  return [...likelihood.arguments, ...parameters.map((_, i) => graph.parameter(i))];
}
function argumentsOf(node, parameters) {
  switch (node.kind) {
    case "unary":
      return [node.argument];
    case "binary":
      return [node.left, node.right];
    case "parameter":
      return parameters[node.parameter].prior.arguments;
    default:
      return [];
  }
}
function reachable(graph, parameters, roots) {
  const seen = /* @__PURE__ */ new Set();
  const pending = [...roots];
  for (let id = pending.pop(); id !== void 0; id = pending.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...argumentsOf(graph.nodes[id], parameters));
  }
  return seen;
}
function label(node, parameters) {
  switch (node.kind) {
    case "constant":
      return `constant ${numberKey(node.value)}`;
    case "column":
      return `column ${JSON.stringify(node.column)}`;
    case "parameter": {
      const { prior, transform } = parameters[node.parameter];
      return `parameter ${prior.family} ${transform.kind}`;
    }
    default:
      return node.op;
  }
}
function orderCore(graph, parameters, likelihood, core) {
  const ids = [...core].sort((a, b) => a - b);
  const position = new Map(ids.map((id, i) => [id, i]));
  const at = (id) => position.get(id) ?? -1;
  const levels = levelsOf(graph, parameters, ids);
  const vertices = ids.map((id) => {
    const node = graph.nodes[id];
    const level = `${levels.get(id)}`.padStart(6, "0");
    return {
      label: `${level} ${label(node, parameters)}`,
      arguments: argumentsOf(node, parameters).map(at),
      unordered: node.kind === "binary" && commutative.has(node.op)
    };
  });
  vertices.push({
    label: `999999 likelihood ${likelihood.family}`,
    arguments: likelihood.arguments.map(at),
    unordered: false
  });
  const ranks = refineColours(vertices);
  return ids.map((id, i) => ({ id, rank: ranks[i] })).sort((a, b) => a.rank - b.rank).map(({ id }) => id);
}
function levelsOf(graph, parameters, ascending) {
  const levels = /* @__PURE__ */ new Map();
  for (const id of ascending) {
    let level = 0;
    for (const argument2 of argumentsOf(graph.nodes[id], parameters)) {
      level = Math.max(level, 1 + (levels.get(argument2) ?? 0));
    }
    levels.set(id, level);
  }
  return levels;
}
function orderExtra(graph, parameters, deterministics, ordered) {
  const place2 = new Map(ordered.map((id, i) => [id, i]));
  const all = reachable(graph, parameters, deterministics.map(({ node }) => node));
  let left = [...all].filter((id) => !place2.has(id));
  const extra = [];
  while (left.length > 0) {
    const ready = left.filter((id) => extraArguments(graph, id).every((a) => place2.has(a)));
    const keyed = ready.map((id) => ({ id, key: extraKey(graph, parameters, place2, id) }));
    keyed.sort((a, b) => a.key < b.key ? -1 : 1);
    for (const { id } of keyed) place2.set(id, ordered.length + extra.push(id) - 1);
    left = left.filter((id) => !place2.has(id));
  }
  return extra;
}
function extraArguments(graph, id) {
  return argumentsOf(graph.nodes[id], []);
}
function extraKey(graph, parameters, place2, id) {
  const node = graph.nodes[id];
  const places = extraArguments(graph, id).map((a) => `${place2.get(a)}`.padStart(6, "0"));
  if (node.kind === "binary" && commutative.has(node.op)) places.sort();
  return `${label(node, parameters)} ${places.join(" ")}`;
}
var Renaming = class {
  constructor(graph, order) {
    this.graph = graph;
    this.order = order;
    this.node = new Map(order.map((id, i) => [id, i]));
    const parameters = order.map((id) => graph.nodes[id]).filter((n) => n.kind === "parameter");
    this.parameter = new Map(parameters.map((n, i) => [n.parameter, i]));
  }
  graph;
  order;
  node;
  parameter;
  program(parameters, deterministics, likelihood) {
    const renumbered = [];
    for (const [before, after] of this.parameter) {
      renumbered[after] = this.prior(parameters[before]);
    }
    return {
      nodes: this.order.map((id) => this.rewrite(this.graph.nodes[id])),
      parameters: renumbered,
      deterministics: deterministics.map(({ name, node }) => ({ name, node: this.at(node) })).sort((a, b) => a.node - b.node),
      likelihood: { ...likelihood, arguments: likelihood.arguments.map((id) => this.at(id)) }
    };
  }
  at(id) {
    const found = this.node.get(id);
    if (found === void 0) throw new Error(`internal: node ${id} has no place in the order`);
    return found;
  }
  prior({ name, prior, transform }) {
    const moved = transform.kind === "interval" ? { ...transform, lower: this.at(transform.lower), upper: this.at(transform.upper) } : transform;
    const nodes = prior.arguments.map((id) => this.at(id));
    return { name, prior: { family: prior.family, arguments: nodes }, transform: moved };
  }
  rewrite(node) {
    switch (node.kind) {
      case "parameter":
        return { ...node, parameter: this.parameter.get(node.parameter) ?? -1 };
      case "unary":
        return { ...node, argument: this.at(node.argument) };
      case "binary": {
        const [left, right] = [this.at(node.left), this.at(node.right)];
        const swap = commutative.has(node.op) && left > right;
        return { ...node, left: swap ? right : left, right: swap ? left : right };
      }
      default:
        return node;
    }
  }
};
function hashOf(program) {
  const { family, arguments: nodes, column: column2 } = program.likelihood;
  return digestOf({
    nodes: program.nodes.map(
      (node) => node.kind === "constant" ? { ...node, value: numberKey(node.value) } : node
    ),
    parameters: program.parameters.map(({ prior, transform }) => ({ prior, transform })),
    likelihood: { family, arguments: nodes, column: column2 }
  });
}

// src/base/dataset.ts
function makeDataset(name, columns, dropped = 0) {
  const rows = columns[0]?.values.length ?? 0;
  const content = columns.filter((c) => c.role !== "ignore").map((c) => ({
    ...c,
    values: [...c.values]
  }));
  return { name, rows, columns, dropped, digest: digestOf({ rows, columns: content }) };
}
function responseColumn(dataset) {
  return dataset.columns.find((column2) => column2.role === "response");
}
function datasetFromJson(json) {
  const columns = json.columns.map((c) => ({ ...c, values: Float64Array.from(c.values) }));
  return makeDataset(json.name, columns, json.dropped);
}

// src/base/nearest.ts
function editDistance(a, b) {
  let older = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) best = Math.min(best, older[j - 2] + 1);
      current.push(best);
    }
    older = previous;
    previous = current;
  }
  return previous[b.length];
}
function nearest(word, known) {
  let best;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of known) {
    if (Math.abs(name.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

// src/lang/findings.ts
var most = 50;
var Findings = class {
  constructor(source) {
    this.source = source;
  }
  source;
  diagnostics = [];
  errors = 0;
  error(code, message, place2, hint) {
    this.errors++;
    this.add({ code, severity: "error", message, span: this.source.span(place2), hint });
  }
  warning(code, message, place2, hint) {
    this.add({ code, severity: "warning", message, span: this.source.span(place2), hint });
  }
  note(code, message, place2) {
    this.add({ code, severity: "note", message, span: this.source.span(place2) });
  }
  add(diagnostic) {
    if (this.diagnostics.length < most) this.diagnostics.push(diagnostic);
  }
};
function knownNames(word, kind, known) {
  const list = known.length === 0 ? "none" : known.slice(0, 24).join(", ");
  const more = known.length > 24 ? `, and ${known.length - 24} more` : "";
  const near2 = nearest(word, known);
  const question = near2 === void 0 ? "" : `did you mean "${near2}"? `;
  return `${question}${kind}: ${list}${more}`;
}

// src/lang/host_values.ts
var statistics = {
  mean,
  sum,
  min: (values) => values.reduce((a, b) => b < a ? b : a, Infinity),
  max: (values) => values.reduce((a, b) => b > a ? b : a, -Infinity),
  var: variance,
  std: (values) => Math.sqrt(variance(values))
};
function sum(values) {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
function mean(values) {
  return sum(values) / values.length;
}
function variance(values) {
  const centre = mean(values);
  let total = 0;
  for (const value of values) total += (value - centre) * (value - centre);
  return total / values.length;
}
var HostValues = class {
  constructor(graph, dataset) {
    this.graph = graph;
    this.dataset = dataset;
  }
  graph;
  dataset;
  known = /* @__PURE__ */ new Map();
  /** `[rows]`, or `[1]` for a scalar; undefined where a parameter is involved. */
  of(node) {
    if (!this.known.has(node)) this.known.set(node, this.evaluate(this.graph.nodes[node]));
    return this.known.get(node);
  }
  evaluate(node) {
    switch (node.kind) {
      case "constant":
        return Float64Array.of(node.value);
      case "column":
        return this.dataset.columns.find(({ name }) => name === node.column)?.values;
      case "parameter":
        return void 0;
      case "unary":
        return this.of(node.argument)?.map(unaryFunctions[node.op]);
      case "binary": {
        const [a, b] = [this.of(node.left), this.of(node.right)];
        return a && b && combine(binaryFunctions[node.op], a, b);
      }
    }
  }
};
function combine(f, a, b) {
  if (b.length === 1) return a.map((x) => f(x, b[0]));
  if (a.length === 1) return b.map((y) => f(a[0], y));
  return a.map((x, i) => f(x, b[i]));
}

// src/lang/values.ts
var invalid = { kind: "invalid" };
var ignored = { kind: "ignored" };
var descriptions = {
  numeric: "a number",
  response: "the response",
  derived: "a value computed from the response",
  observed: "the observed variable",
  data: "the data set",
  model: "the model",
  module: "a module",
  text: "a string",
  none: "None",
  boolean: "True or False",
  sequence: "a list",
  ignored: "the result of inference",
  invalid: "an error"
};
function describeValue(value) {
  return descriptions[value.kind];
}

// src/lang/checking.ts
var Checking = class {
  constructor(source, dataset) {
    this.source = source;
    this.dataset = dataset;
    this.findings = new Findings(source);
    this.host = new HostValues(this.graph, dataset);
    this.response = responseColumn(dataset);
  }
  source;
  dataset;
  findings;
  graph = new GraphBuilder();
  host;
  response;
  /** Python's names; a function's body sees the names around it. */
  scope = /* @__PURE__ */ new Map([
    ["pm", { kind: "module", module: "pm" }],
    ["np", { kind: "module", module: "np" }],
    ["data", { kind: "data" }]
  ]);
  /** Names of variables of the model, with the place where each was given. */
  variables = /* @__PURE__ */ new Map();
  parameters = [];
  parameterPlaces = [];
  deterministics = [];
  derived = [];
  likelihood;
  /** An observed variable was written, whether or not it could be accepted. */
  observedSeen = false;
  /** Something was refused that may have held the model or the likelihood. */
  excused = false;
  modelPlace;
  /** Inside a `with` block of the model. */
  inModel = false;
  /** Inside the body of `gen_model`. */
  inFunction = false;
  /** `gen_model`, once it has been met. */
  modelFunction;
  /** Reports an error; the value that comes of it reports nothing more. */
  error(code, message, place2, hint) {
    this.findings.error(code, message, place2, hint);
    return invalid;
  }
  /** A value that was computed from the response; reported where it is used. */
  derive(place2, ...from) {
    for (const value2 of from) if (value2.kind === "derived") value2.reported = true;
    const value = { kind: "derived", place: place2, reported: false };
    this.derived.push(value);
    return value;
  }
  /** Reports that the response, or a value made of it, is used outside of `observed=`. */
  refuseResponse(value, place2) {
    if (value.kind === "derived") {
      if (value.reported) return invalid;
      value.reported = true;
    }
    const name = this.response?.name ?? "the response";
    const message = `Cannot use "${name}" here: the response may only be observed`;
    const hint = `write observed=data["${name}"] in the likelihood and leave the response out of everything else`;
    return this.error("lh/protected-use-before-score", message, place2, hint);
  }
};
function touchesResponse(value) {
  return value.kind === "response" || value.kind === "derived" || value.kind === "observed";
}

// src/lang/check_numpy.ts
function callNumpy(checking, call2, callee) {
  const name = callee.name.id;
  const text2 = checking.source.slice(callee);
  if (name === "array" || name === "asarray") return callArray(checking, call2, text2);
  if (Object.hasOwn(statistics, name)) {
    const value = onlyArgument(checking, call2, text2);
    return value ? statistic(checking, call2, name, value) : invalid;
  }
  return unknownFunction(checking, call2, callee, "np");
}
function callArray(checking, call2, text2) {
  const value = onlyArgument(checking, call2, text2);
  if (!value || value.kind === "response" || value.kind === "derived") return value ?? invalid;
  const number2 = numeric(checking, value, call2.arguments[0], text2);
  if (!number2) return invalid;
  return number2.host ? number2 : refuseHostFunction(checking, call2, text2);
}
function statistic(checking, call2, name, value) {
  if (touchesResponse(value)) return checking.derive(call2, value);
  const text2 = checking.source.slice(call2.callee);
  const number2 = numeric(checking, value, call2, text2);
  if (!number2) return invalid;
  if (!number2.host) return refuseHostFunction(checking, call2, text2);
  return constantStatistic(checking, call2, name, number2);
}
function constantStatistic(checking, call2, name, { node }) {
  const values = checking.host.of(node);
  const result = values ? statistics[name](values) : NaN;
  if (!Number.isFinite(result)) {
    const message = `Cannot compute ${checking.source.slice(call2)}: it is not a finite number`;
    return checking.error("support/number", message, call2);
  }
  return { kind: "numeric", node: checking.graph.constant(result), host: true };
}

// src/lang/signatures.ts
var real = "real";
var positive = "positive";
var unit = "unit";
function direct(...names3) {
  return { names: names3, canonical: (_g, given) => names3.map((name) => given[name]) };
}
function precision(name, names3, canonical) {
  return {
    names: names3,
    canonical: (g, given) => {
      const sigma = g.binary("div", g.constant(1), g.unary("sqrt", given[name]));
      return canonical.map((wanted2) => wanted2 === "sigma" ? sigma : given[wanted2]);
    }
  };
}
var square2 = (g, x) => g.binary("mul", x, x);
function gammaMoments(g, { mu, sigma }) {
  const variance2 = square2(g, sigma);
  return [g.binary("div", square2(g, mu), variance2), g.binary("div", mu, variance2)];
}
function inverseGammaMoments(g, { mu, sigma }) {
  const [m2, s2] = [square2(g, mu), square2(g, sigma)];
  const twice = g.binary("add", g.binary("mul", g.constant(2), s2), m2);
  const beta2 = g.binary("div", g.binary("mul", mu, g.binary("add", m2, s2)), s2);
  return [g.binary("div", twice, s2), beta2];
}
function betaConcentration(g, { mu, nu }) {
  const rest = g.binary("sub", g.constant(1), mu);
  return [g.binary("mul", mu, nu), g.binary("mul", rest, nu)];
}
function betaMoments(g, { mu, sigma }) {
  const spread = g.binary("mul", mu, g.binary("sub", g.constant(1), mu));
  const nu = g.binary("sub", g.binary("div", spread, square2(g, sigma)), g.constant(1));
  return betaConcentration(g, { mu, nu });
}
var signatures = {
  normal: {
    names: ["Normal"],
    positional: ["mu", "sigma", "tau"],
    defaults: { mu: 0, sigma: 1 },
    domains: { mu: real, sigma: positive, tau: positive },
    forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])],
    support: "real"
  },
  half_normal: {
    names: ["HalfNormal"],
    positional: ["sigma", "tau"],
    defaults: { sigma: 1 },
    domains: { sigma: positive, tau: positive },
    forms: [direct("sigma"), precision("tau", ["tau"], ["sigma"])],
    support: "positive"
  },
  log_normal: {
    names: ["LogNormal", "Lognormal"],
    positional: ["mu", "sigma", "tau"],
    defaults: { mu: 0, sigma: 1 },
    domains: { mu: real, sigma: positive, tau: positive },
    forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])],
    support: "positive"
  },
  student_t: {
    names: ["StudentT"],
    positional: ["nu", "mu", "sigma", "lam"],
    keywordSince: ["sigma", "lam"],
    defaults: { mu: 0, sigma: 1 },
    domains: { nu: positive, mu: real, sigma: positive, lam: positive },
    forms: [
      direct("nu", "mu", "sigma"),
      precision("lam", ["nu", "mu", "lam"], ["nu", "mu", "sigma"])
    ],
    support: "real"
  },
  half_student_t: {
    names: ["HalfStudentT"],
    positional: ["nu", "sigma", "lam"],
    defaults: { sigma: 1 },
    domains: { nu: positive, sigma: positive, lam: positive },
    forms: [direct("nu", "sigma"), precision("lam", ["nu", "lam"], ["nu", "sigma"])],
    support: "positive"
  },
  cauchy: {
    names: ["Cauchy"],
    positional: ["alpha", "beta"],
    defaults: {},
    domains: { alpha: real, beta: positive },
    forms: [direct("alpha", "beta")],
    support: "real"
  },
  half_cauchy: {
    names: ["HalfCauchy"],
    positional: ["beta"],
    defaults: {},
    domains: { beta: positive },
    forms: [direct("beta")],
    support: "positive"
  },
  exponential: {
    names: ["Exponential"],
    positional: ["lam"],
    keywordOnly: ["scale"],
    defaults: { lam: 1 },
    domains: { lam: positive, scale: positive },
    forms: [direct("lam"), {
      names: ["scale"],
      canonical: (g, { scale }) => [g.binary("div", g.constant(1), scale)]
    }],
    support: "positive"
  },
  gamma: {
    names: ["Gamma"],
    positional: ["alpha", "beta", "mu", "sigma"],
    defaults: {},
    domains: { alpha: positive, beta: positive, mu: positive, sigma: positive },
    forms: [direct("alpha", "beta"), { names: ["mu", "sigma"], canonical: gammaMoments }],
    support: "positive"
  },
  inverse_gamma: {
    names: ["InverseGamma"],
    positional: ["alpha", "beta", "mu", "sigma"],
    defaults: { beta: 1 },
    domains: { alpha: positive, beta: positive, mu: positive, sigma: positive },
    forms: [direct("alpha", "beta"), { names: ["mu", "sigma"], canonical: inverseGammaMoments }],
    support: "positive"
  },
  weibull: {
    names: ["Weibull"],
    positional: ["alpha", "beta"],
    defaults: {},
    domains: { alpha: positive, beta: positive },
    forms: [direct("alpha", "beta")],
    support: "positive"
  },
  beta: {
    names: ["Beta"],
    positional: ["alpha", "beta", "mu", "sigma", "nu"],
    defaults: {},
    domains: { alpha: positive, beta: positive, mu: unit, sigma: positive, nu: positive },
    forms: [
      direct("alpha", "beta"),
      { names: ["mu", "sigma"], canonical: betaMoments },
      { names: ["mu", "nu"], canonical: betaConcentration }
    ],
    support: "unit"
  },
  uniform: {
    names: ["Uniform"],
    positional: ["lower", "upper"],
    defaults: { lower: 0, upper: 1 },
    domains: { lower: real, upper: real },
    forms: [direct("lower", "upper")],
    support: "interval"
  },
  laplace: {
    names: ["Laplace"],
    positional: ["mu", "b"],
    defaults: {},
    domains: { mu: real, b: positive },
    forms: [direct("mu", "b")],
    support: "real"
  },
  logistic: {
    names: ["Logistic"],
    positional: ["mu", "s"],
    defaults: { mu: 0, s: 1 },
    domains: { mu: real, s: positive },
    forms: [direct("mu", "s")],
    support: "real"
  },
  gumbel: {
    names: ["Gumbel"],
    positional: ["mu", "beta"],
    defaults: {},
    domains: { mu: real, beta: positive },
    forms: [direct("mu", "beta")],
    support: "real"
  },
  skew_normal: {
    names: ["SkewNormal"],
    positional: ["alpha", "mu", "sigma", "tau"],
    defaults: { alpha: 1, mu: 0, sigma: 1 },
    domains: { alpha: real, mu: real, sigma: positive, tau: positive },
    forms: [
      direct("mu", "sigma", "alpha"),
      precision("tau", ["mu", "tau", "alpha"], ["mu", "sigma", "alpha"])
    ],
    support: "real"
  },
  truncated_normal: {
    names: ["TruncatedNormal"],
    positional: ["mu", "sigma", "tau", "lower", "upper"],
    keywordSince: ["tau", "lower", "upper"],
    defaults: { mu: 0, sigma: 1, lower: -Infinity, upper: Infinity },
    domains: { mu: real, sigma: positive, tau: positive, lower: "bound", upper: "bound" },
    forms: [
      direct("mu", "sigma", "lower", "upper"),
      precision("tau", ["mu", "tau", "lower", "upper"], ["mu", "sigma", "lower", "upper"])
    ],
    support: "interval"
  }
};
var positiveParameters = {
  normal: ["sigma"],
  half_normal: ["sigma"],
  log_normal: ["sigma"],
  student_t: ["nu", "sigma"],
  half_student_t: ["nu", "sigma"],
  cauchy: ["beta"],
  half_cauchy: ["beta"],
  exponential: ["lam"],
  gamma: ["alpha", "beta"],
  inverse_gamma: ["alpha", "beta"],
  weibull: ["alpha", "beta"],
  beta: ["alpha", "beta"],
  uniform: [],
  laplace: ["b"],
  logistic: ["s"],
  gumbel: ["beta"],
  skew_normal: ["sigma"],
  truncated_normal: ["sigma"]
};
var byName = new Map(
  Object.keys(signatures).flatMap(
    (family) => signatures[family].names.map((name) => [name, family])
  )
);
function familyOf(name) {
  return byName.get(name);
}
var distributionNames = [...byName.keys()];

// src/lang/distribution_arguments.ts
var shapes = /* @__PURE__ */ new Set(["shape", "size", "dims"]);
var transforms = /* @__PURE__ */ new Set(["transform", "default_transform"]);
function matchArguments(checking, call2, family) {
  const before = checking.findings.errors;
  const signature2 = signatures[family];
  const matched = assignNames(checking, call2, signature2);
  const given = /* @__PURE__ */ new Map();
  for (const [parameter2, argument2] of matched.parameters) {
    const node = parameterNode(checking, argument2, parameter2);
    if (node !== void 0) given.set(parameter2, { node, place: argument2.value });
  }
  const { name, observed } = matched;
  return checking.findings.errors > before ? void 0 : { name, observed, given };
}
function assignNames(checking, call2, signature2) {
  const matched = { parameters: /* @__PURE__ */ new Map() };
  const order = ["name", ...signature2.positional];
  let position = 0;
  for (const argument2 of call2.arguments) {
    if (argument2.form === "keyword") placeKeyword(checking, call2, signature2, argument2, matched);
    else if (argument2.form === "positional") {
      placePositional(checking, call2, signature2, order[position++], argument2, matched);
    } else {
      const message = "Cannot unpack arguments with * or **: not in the subset";
      checking.error("unsupported/argument", message, argument2, "write the arguments one by one");
    }
  }
  return matched;
}
function placePositional(checking, call2, signature2, parameter2, argument2, matched) {
  const callee = checking.source.slice(call2.callee);
  if (parameter2 === "name") matched.name = argument2.value;
  else if (parameter2 === void 0) {
    const most2 = signature2.positional.length + 1;
    const message = `Cannot check ${callee}: more than ${most2} positional arguments`;
    const hint = `positions: name, ${signature2.positional.join(", ")}`;
    checking.error("names/too-many-arguments", message, argument2, hint);
  } else {
    if (signature2.keywordSince?.includes(parameter2)) {
      const message = `PyMC 5.28 takes ${parameter2} of ${callee} by keyword only`;
      const code = "names/keyword-only";
      checking.findings.warning(code, message, argument2, `write ${parameter2}=`);
    }
    matched.parameters.set(parameter2, argument2);
  }
}
function placeKeyword(checking, call2, signature2, argument2, matched) {
  const id = argument2.keyword?.id ?? "";
  const parameters = [...signature2.positional, ...signature2.keywordOnly ?? []];
  if (id === "observed") matched.observed = argument2;
  else if (id === "name" && !matched.name) matched.name = argument2.value;
  else if (matched.parameters.has(id) || id === "name") {
    const message = `Cannot check ${checking.source.slice(call2.callee)}: ${id} is given twice`;
    const hint = `leave the keyword out: the position of ${id} is taken`;
    checking.error("names/repeated-argument", message, argument2, hint);
  } else if (parameters.includes(id)) matched.parameters.set(id, argument2);
  else refuseKeyword(checking, call2, id, argument2, parameters);
}
function refuseKeyword(checking, call2, id, { keyword: keyword2, start, end }, parameters) {
  const callee = checking.source.slice(call2.callee);
  const place2 = keyword2 ?? { start, end };
  const report = (code, why, hint) => checking.error(code, `Cannot use ${id}= in ${callee}: ${why}`, place2, hint);
  if (shapes.has(id)) {
    report("unsupported/shape", "parameters are scalar", "write one variable for each element");
  } else if (transforms.has(id)) {
    report("unsupported/argument", "the default transform is used", `leave ${id}= out`);
  } else if (id === "initval" || id === "rng") {
    report("unsupported/argument", "inference belongs to the host", `leave ${id}= out`);
  } else if (id === "logp" || id === "dist" || id === "logcdf") {
    const why = "a density of the program's own need not be normalised";
    report("lh/custom-density", why, `leave ${id}= out`);
  } else if (id === "total_size") {
    report("lh/rescaled-likelihood", "every row counts once", `leave ${id}= out`);
  } else {
    const hint = knownNames(id, "parameters", [...parameters, "observed"]);
    report("names/unknown-argument", "no such parameter", hint);
  }
}
function parameterNode(checking, { value: e }, parameter2) {
  const value = evaluate(checking, e);
  if (value.kind === "none") return void 0;
  return numeric(checking, value, e, parameter2)?.node;
}
function chooseForm(checking, call2, family, given) {
  const { forms, defaults } = signatures[family];
  const names3 = [...given.keys()];
  const fitting = forms.filter((form) => names3.every((name) => form.names.includes(name)));
  const missing = (form) => form.names.filter((name) => !given.has(name) && !Object.hasOwn(defaults, name));
  const complete = fitting.find((form) => missing(form).length === 0);
  if (complete) return complete;
  const callee = checking.source.slice(call2.callee);
  const hint = `${callee} takes ${forms.map(({ names: names4 }) => names4.join(" and ")).join(", or ")}`;
  if (fitting.length === 0) {
    const message = `Cannot check ${callee}: ${names3.join(" and ")} do not go together`;
    checking.error("names/conflicting-arguments", message, call2, hint);
  } else {
    const message = `Cannot check ${callee}: missing ${missing(fitting[0]).join(" and ")}`;
    checking.error("names/missing-argument", message, call2, hint);
  }
  return void 0;
}

// src/lang/limits.ts
var limits = {
  /** UTF-8 bytes of the text. */
  bytes: 64 * 1024,
  lines: 2e3,
  /** Brackets and blocks inside one another. */
  nesting: 64,
  /** Operators and calls on the longest path through one expression. */
  chain: 1e3,
  /** Nodes of the syntax tree. */
  treeNodes: 2e4,
  /** Characters of one number. */
  numberLength: 64,
  /** Characters of one string. */
  stringLength: 4096,
  randomVariables: 1e3
};

// src/lang/graph.ts
var families = {
  normal: ["mu", "sigma"],
  half_normal: ["sigma"],
  log_normal: ["mu", "sigma"],
  student_t: ["nu", "mu", "sigma"],
  half_student_t: ["nu", "sigma"],
  cauchy: ["alpha", "beta"],
  half_cauchy: ["beta"],
  exponential: ["lam"],
  gamma: ["alpha", "beta"],
  inverse_gamma: ["alpha", "beta"],
  weibull: ["alpha", "beta"],
  beta: ["alpha", "beta"],
  uniform: ["lower", "upper"],
  laplace: ["mu", "b"],
  logistic: ["mu", "s"],
  gumbel: ["mu", "beta"],
  skew_normal: ["mu", "sigma", "alpha"],
  truncated_normal: ["mu", "sigma", "lower", "upper"]
};

// src/lang/parameter_domains.ts
var wanted = {
  real: "a finite number",
  positive: "a number above 0",
  unit: "a number between 0 and 1",
  bound: "a number"
};
var inDomain = {
  real: Number.isFinite,
  positive: (x) => x > 0 && x < Infinity,
  unit: (x) => x > 0 && x < 1,
  bound: (x) => !Number.isNaN(x)
};
function checkGiven(checking, callee, family, given) {
  const { domains } = signatures[family];
  let fine = true;
  for (const [name, { node, place: place2 }] of given) {
    fine = checkValues(checking, `${name} of ${callee}`, domains[name], node, place2) && fine;
  }
  return fine;
}
function checkCanonical(checking, callee, distribution, place2) {
  const { family } = distribution;
  const names3 = families[family];
  const positives = positiveParameters[family];
  const fine = names3.every((name, i) => {
    if (!positives.includes(name)) return true;
    const what = `${name} of ${callee}, which follows from its arguments`;
    return checkValues(checking, what, "positive", distribution.arguments[i], place2);
  });
  return fine && checkBounds(checking, callee, distribution, place2);
}
function checkValues(checking, what, domain, node, place2) {
  const values = checking.host.of(node);
  const bad = values?.findIndex((value) => !inDomain[domain](value)) ?? -1;
  if (!values || bad < 0) return true;
  const row = values.length > 1 ? ` in row ${bad + 1}` : "";
  const message = `Cannot use this ${what}: wanted ${wanted[domain]}, found ${values[bad]}${row}`;
  checking.error("support/parameter", message, place2);
  return false;
}
function checkBounds(checking, callee, { family, arguments: nodes }, place2) {
  const names3 = families[family];
  if (!names3.includes("lower")) return true;
  const lower = checking.host.of(nodes[names3.indexOf("lower")]);
  const upper = checking.host.of(nodes[names3.indexOf("upper")]);
  if (!lower || !upper) return true;
  const rows = Math.max(lower.length, upper.length);
  for (let i = 0; i < rows; i++) {
    const [a, b] = [lower[i % lower.length], upper[i % upper.length]];
    if (a < b) continue;
    const message = `Cannot use the bounds of ${callee}: lower is ${a}, upper is ${b}`;
    checking.error("support/bounds", message, place2, "lower must be less than upper");
    return false;
  }
  return true;
}

// src/lang/check_likelihood.ts
function checkLikelihood(checking, call2, family) {
  const repeated = checking.observedSeen;
  checking.observedSeen = true;
  const before = checking.findings.errors;
  const argument2 = call2.arguments.find(({ keyword: keyword2 }) => keyword2?.id === "observed");
  const column2 = argument2 && checkObserved(checking, argument2);
  if (repeated) refuseRepeated(checking, call2);
  const matched = matchArguments(checking, call2, family);
  const name = variableName(checking, call2, matched);
  const distribution = matched && checkDistribution(checking, call2, family, matched.given);
  if (name === void 0 || !distribution || !column2) return invalid;
  checkResponse(checking, call2, column2, distribution);
  if (checking.findings.errors > before) return invalid;
  checking.likelihood = { name, column: column2.name, ...distribution };
  return { kind: "observed", name };
}
function refuseRepeated(checking, call2) {
  const message = "Cannot observe a second variable: the response is scored exactly once";
  const hint = "keep one variable with observed=";
  checking.error("lh/duplicate-observation", message, call2, hint);
}
function checkObserved(checking, argument2) {
  const value = evaluate(checking, argument2.value);
  if (value.kind === "response") return checking.response;
  if (value.kind === "invalid") return void 0;
  if (value.kind === "derived") value.reported = true;
  const found = value.kind === "numeric" ? describeNumeric(checking, value.node) : void 0;
  const wanted2 = checking.response?.name;
  const message = `Cannot observe ${found ?? describeValue(value)}: wanted ` + (wanted2 === void 0 ? "a response, which the data lack" : `the response, whole and unchanged`);
  const hint = wanted2 === void 0 ? 'give one column of the data the role "response"' : `write observed=data["${wanted2}"]`;
  checking.error("lh/observed-not-canonical", message, argument2.value, hint);
  return void 0;
}
function describeNumeric(checking, node) {
  const found = checking.graph.nodes[node];
  if (found.kind === "column") return `the column "${found.column}"`;
  return found.shape === "vector" ? "an expression" : void 0;
}
function checkResponse(checking, call2, column2, distribution) {
  const callee = checking.source.slice(call2.callee);
  if (column2.type !== "real") {
    const message2 = `Cannot score "${column2.name}" with ${callee}: its type is ${column2.type}, and the subset has likelihoods for real responses only`;
    const hint2 = 'give the column the type "real" if its values are measurements';
    checking.error("unsupported/response-type", message2, call2.callee, hint2);
    return;
  }
  const outside = firstOutside(checking, column2, distribution);
  if (outside === void 0) return;
  const message = `Cannot score "${column2.name}" with ${callee}: it gives no density to row ${outside + 1}`;
  const hint = `choose a distribution whose support holds all values of "${column2.name}"`;
  checking.error("support/response", message, call2.callee, hint);
}
function firstOutside(checking, { values }, distribution) {
  const outside = outsideTest(checking, distribution);
  const found = values.findIndex((y, i) => !Number.isFinite(y) || outside(y, i));
  return found < 0 ? void 0 : found;
}
function outsideTest(checking, distribution) {
  switch (signatures[distribution.family].support) {
    case "real":
      return () => false;
    case "positive":
      return densityAtZero.has(distribution.family) ? (y) => y < 0 : (y) => y <= 0;
    case "unit":
      return (y) => y <= 0 || y >= 1;
    case "interval":
      return outsideInterval(checking, distribution);
  }
}
var densityAtZero = /* @__PURE__ */ new Set([
  "half_normal",
  "half_student_t",
  "half_cauchy",
  "exponential"
]);
function outsideInterval(checking, { family, arguments: nodes }) {
  const names3 = families[family];
  const lower = checking.host.of(nodes[names3.indexOf("lower")]);
  const upper = checking.host.of(nodes[names3.indexOf("upper")]);
  return (y, i) => lower !== void 0 && y < lower[i % lower.length] || upper !== void 0 && y > upper[i % upper.length];
}

// src/lang/transforms.ts
function transformOf(graph, { family, arguments: nodes }) {
  switch (signatures[family].support) {
    case "real":
      return { kind: "identity" };
    case "positive":
      return { kind: "log" };
    case "unit":
      return { kind: "logodds" };
    case "interval": {
      const [lower, upper] = nodes.slice(-2);
      const free = graph.constantOf(lower) === -Infinity && graph.constantOf(upper) === Infinity;
      return free ? { kind: "identity" } : { kind: "interval", lower, upper };
    }
  }
}

// src/lang/names.ts
var functions = {
  "pm.math": {
    exp: "exp",
    log: "log",
    log1p: "log1p",
    expm1: "expm1",
    sqrt: "sqrt",
    abs: "abs",
    sqr: "sqr",
    sigmoid: "sigmoid",
    invlogit: "sigmoid",
    tanh: "tanh"
  },
  pm: { invlogit: "sigmoid" },
  pt: {
    exp: "exp",
    log: "log",
    log1p: "log1p",
    expm1: "expm1",
    sqrt: "sqrt",
    abs: "abs",
    sqr: "sqr",
    sigmoid: "sigmoid",
    tanh: "tanh"
  },
  np: {
    exp: "exp",
    log: "log",
    log1p: "log1p",
    expm1: "expm1",
    sqrt: "sqrt",
    abs: "abs",
    absolute: "abs",
    square: "sqr",
    tanh: "tanh"
  },
  math: {
    exp: "exp",
    log: "log",
    log1p: "log1p",
    expm1: "expm1",
    sqrt: "sqrt",
    fabs: "abs",
    tanh: "tanh"
  }
};
var onlyInPytensor = /* @__PURE__ */ new Set(["log1p", "expm1"]);
var constants = {
  pi: Math.PI,
  e: Math.E,
  inf: Infinity
};
var dataContainers = /* @__PURE__ */ new Set(["Data", "MutableData", "ConstantData"]);
var inference = /* @__PURE__ */ new Set([
  "sample",
  "sample_prior_predictive",
  "sample_posterior_predictive"
]);
var customDensities = /* @__PURE__ */ new Set([
  "CustomDist",
  "DensityDist",
  "Simulator",
  "Interpolated"
]);
var pmNames = [
  "Model",
  "Deterministic",
  "math",
  "invlogit",
  ...distributionNames,
  ...dataContainers,
  ...inference
];
var npNames = [
  ...Object.keys(functions.np),
  ...Object.keys(statistics),
  ...Object.keys(constants),
  "array",
  "asarray"
];
var discrete = "only continuous likelihoods and parameters are in the subset";
var vector = "write one scalar variable for each element";
var replacements = {
  AsymmetricLaplace: "pm.Laplace is the symmetric one",
  Bernoulli: discrete,
  BetaBinomial: discrete,
  Binomial: discrete,
  Categorical: discrete,
  Censored: "leave the censoring out",
  ChiSquared: 'write pm.Gamma("name", alpha=nu / 2, beta=0.5)',
  Dirichlet: vector,
  DiscreteUniform: discrete,
  ExGaussian: "pm.SkewNormal is also skewed",
  GaussianRandomWalk: vector,
  Geometric: discrete,
  HurdleGamma: "pm.Gamma has no point mass at zero",
  HurdleLogNormal: "pm.LogNormal has no point mass at zero",
  HyperGeometric: discrete,
  Kumaraswamy: "pm.Beta is close to it",
  LKJCholeskyCov: vector,
  LKJCorr: vector,
  LogitNormal: "write pm.math.sigmoid of a pm.Normal",
  Mixture: "choose one of its components",
  Moyal: "pm.Gumbel is also skewed",
  Multinomial: discrete,
  MvNormal: vector,
  MvStudentT: vector,
  NegativeBinomial: discrete,
  NormalMixture: "pm.StudentT has heavier tails than pm.Normal",
  OrderedLogistic: discrete,
  OrderedProbit: discrete,
  Pareto: "pm.HalfCauchy and pm.HalfStudentT have heavy tails",
  PolyaGamma: "pm.Gamma is on the same support",
  Poisson: discrete,
  Rice: "pm.Weibull is on the same support",
  RandomWalk: vector,
  SkewStudentT: "pm.SkewNormal is skewed, pm.StudentT has heavy tails",
  StickBreakingWeights: vector,
  Triangular: "write pm.Uniform or pm.TruncatedNormal",
  Truncated: "pm.TruncatedNormal is in the subset",
  VonMises: "write pm.TruncatedNormal between -np.pi and np.pi",
  Wald: "write pm.InverseGamma or pm.LogNormal",
  Wishart: vector,
  ZeroInflatedBinomial: discrete,
  ZeroInflatedNegativeBinomial: discrete,
  ZeroInflatedPoisson: discrete,
  ZeroSumNormal: vector,
  AR: vector,
  find_MAP: "leave it out: inference belongs to the host",
  fit: "leave it out: inference belongs to the host",
  gp: "write the mean as a function of the columns",
  logit: "write pm.math.log(p / (1 - p))",
  set_data: "leave it out: the data belong to the host",
  Minibatch: "leave it out: all rows are scored",
  NUTS: "leave it out: inference belongs to the host",
  Metropolis: "leave it out: inference belongs to the host"
};
var functionReplacements = {
  cos: "trigonometric functions are not in the subset",
  sin: "trigonometric functions are not in the subset",
  tan: "trigonometric functions are not in the subset",
  clip: "choose a distribution with the support that is wanted",
  maximum: "write it with abs: (a + b + abs(a - b)) / 2",
  minimum: "write it with abs: (a + b - abs(a - b)) / 2",
  dot: "write the sum of products",
  matmul: "write the sum of products",
  erf: "pm.math.tanh and pm.math.sigmoid are similar",
  log1pexp: "write pm.math.log1p(pm.math.exp(x))",
  logit: "write pm.math.log(p / (1 - p))",
  logsumexp: "write pm.math.log of a sum of pm.math.exp",
  power: "write x ** y",
  sum: "write the sum with +",
  switch: "write a smooth step with pm.math.sigmoid",
  where: "write a smooth step with pm.math.sigmoid",
  stack: vector,
  concatenate: vector,
  random: "randomness belongs to random variables",
  log10: "write log(x) / log(10)",
  log2: "write log(x) / log(2)",
  cosh: "write it with exp",
  sinh: "write it with exp"
};
var builtinReplacements = {
  float: "write the number",
  int: "write the number",
  max: "write np.max(column)",
  min: "write np.min(column)",
  pow: "write x ** y",
  print: "leave it out",
  range: "write the statements one by one",
  round: "write the number",
  sum: "write np.sum(column), or the sum with +"
};
function isReservedName(name) {
  const reserved2 = ["log_likelihood", "log_prior", "lp", "elpd", "elpd_loo", "chain", "draw"];
  return reserved2.includes(name) || name.startsWith("__") || name.endsWith("__");
}

// src/lang/variable_names.ts
var pattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
function textArgument(checking, e, owner) {
  const value = evaluate(checking, e);
  if (value.kind === "text") return value.value;
  if (value.kind === "invalid") return void 0;
  const found = describeValue(value);
  const message = `Cannot name ${owner}: wanted a string, found ${found}`;
  checking.error("names/variable-name", message, e, `write ${owner}("name", ...)`);
  return void 0;
}
function declareVariable(checking, name, place2) {
  const { variables, source } = checking;
  const first = variables.get(name);
  if (first) {
    const line = source.lineOf(first.start);
    const message = `Cannot name a variable "${name}": line ${line} has one of that name`;
    checking.error("lh/duplicate-name", message, place2, "choose another name");
  } else if (isReservedName(name)) {
    const message = `Cannot name a variable "${name}": the name is reserved for results`;
    checking.error("lh/reserved-name", message, place2, "choose another name");
  } else if (!pattern.test(name)) {
    const message = `Cannot name a variable ${JSON.stringify(name.slice(0, 64))}`;
    const hint = "use up to 64 letters, digits and underscores, beginning with a letter";
    checking.error("names/variable-name", message, place2, hint);
  } else {
    variables.set(name, place2);
    return true;
  }
  return false;
}

// src/lang/check_variable.ts
function checkVariable(checking, call2, family) {
  if (!insideModel(checking, call2)) return invalid;
  const observed = call2.arguments.some(
    ({ keyword: keyword2, value }) => keyword2?.id === "observed" && !(value.kind === "constant" && value.value === "None")
  );
  if (observed) return checkLikelihood(checking, call2, family);
  const matched = matchArguments(checking, call2, family);
  const name = variableName(checking, call2, matched);
  if (!matched || name === void 0) return invalid;
  const distribution = checkDistribution(checking, call2, family, matched.given);
  if (!distribution || !scalar(checking, call2, distribution, matched.given)) return invalid;
  return addParameter(checking, call2, name, distribution);
}
function insideModel(checking, call2) {
  if (checking.inModel) return true;
  const callee = checking.source.slice(call2.callee);
  const message = `Cannot make a variable with ${callee}: it stands outside of the model`;
  checking.error("names/no-model", message, call2, "indent it under `with pm.Model() as model:`");
  return false;
}
function variableName(checking, call2, matched) {
  const [first] = call2.arguments;
  const e = matched ? matched.name : first?.form === "positional" ? first.value : void 0;
  const callee = checking.source.slice(call2.callee);
  if (!e) {
    if (!matched) return void 0;
    const message = `Cannot check ${callee}: the variable has no name`;
    checking.error("names/missing-argument", message, call2, `write ${callee}("name", ...)`);
    return void 0;
  }
  const name = textArgument(checking, e, callee);
  return name !== void 0 && declareVariable(checking, name, e) ? name : void 0;
}
function checkDistribution(checking, call2, family, given) {
  const form = chooseForm(checking, call2, family, given);
  const callee = checking.source.slice(call2.callee);
  if (!form || !checkGiven(checking, callee, family, given)) return void 0;
  const distribution = { family, arguments: canonicalArguments(checking, family, form, given) };
  return checkCanonical(checking, callee, distribution, call2) ? distribution : void 0;
}
function canonicalArguments(checking, family, form, given) {
  const { defaults } = signatures[family];
  const entries = form.names.map((name) => {
    const node = given.get(name)?.node ?? checking.graph.constant(defaults[name]);
    return [name, node];
  });
  return form.canonical(checking.graph, Object.fromEntries(entries));
}
function scalar(checking, call2, distribution, given) {
  const callee = checking.source.slice(call2.callee);
  let fine = true;
  for (const [name, { node, place: place2 }] of given) {
    if (!checking.graph.isVector(node)) continue;
    const rows = checking.dataset.rows;
    const message = `Cannot use this ${name} of ${callee}: wanted one number, found ${rows} (one per row)`;
    const hint = "a prior is scalar; columns go into the likelihood";
    checking.error("shapes/vector-prior", message, place2, hint);
    fine = false;
  }
  return fine && distribution.arguments.every((node) => !checking.graph.isVector(node));
}
function addParameter(checking, call2, name, prior) {
  const index = checking.parameters.length;
  if (index >= limits.randomVariables) {
    const message = `Cannot add a variable: more than ${limits.randomVariables} in one program`;
    return checking.error("syntax/limit", message, call2);
  }
  checking.parameters.push({ name, prior, transform: transformOf(checking.graph, prior) });
  checking.parameterPlaces.push(call2.callee);
  return { kind: "numeric", node: checking.graph.parameter(index), host: false };
}
function checkDeterministic(checking, call2) {
  if (!insideModel(checking, call2)) return invalid;
  const [label2, expression2] = ["name", "var"].map(
    (keyword2, i) => call2.arguments.find((a, at) => a.form === "positional" ? at === i : a.keyword?.id === keyword2)
  );
  if (!label2 || !expression2 || call2.arguments.length !== 2) {
    const message = "Cannot check the arguments of pm.Deterministic: wanted a name and a value";
    const hint = 'write pm.Deterministic("name", expression)';
    return checking.error("names/arguments", message, call2, hint);
  }
  const name = textArgument(checking, label2.value, "pm.Deterministic");
  const declared = name !== void 0 && declareVariable(checking, name, label2);
  const found = evaluate(checking, expression2.value);
  const value = numeric(checking, found, expression2, "pm.Deterministic");
  if (!value || !declared) return invalid;
  if (value.host) {
    const message = `PyMC refuses pm.Deterministic("${name}", ...) of data alone`;
    checking.findings.warning("names/not-in-pymc", message, call2, "wrap the column in pm.Data");
  }
  checking.deterministics.push({ name, node: value.node });
  return { ...value, host: false };
}

// src/lang/tree.ts
function children(e) {
  switch (e.kind) {
    case "attribute":
      return [e.object];
    case "subscript":
      return [e.object, e.index];
    case "slice":
      return e.parts.filter((part) => part !== void 0);
    case "call":
      return [e.callee, ...e.arguments.map((argument2) => argument2.value)];
    case "unary":
      return [e.operand];
    case "binary":
      return [e.left, e.right];
    case "boolean":
    case "comparison":
      return e.operands;
    case "conditional":
      return [e.then, e.test, e.otherwise];
    case "tuple":
    case "list":
    case "set":
      return e.items;
    case "dictionary":
      return [...e.keys.filter((key) => key !== void 0), ...e.values];
    case "starred":
      return [e.value];
    default:
      return [];
  }
}

// src/lang/response_use.ts
function mentionsResponse(checking, root) {
  const pending = [root];
  for (let e = pending.pop(); e; e = pending.pop()) {
    if (isResponse(checking, e)) return true;
    pending.push(...children(e));
  }
  return false;
}
function isResponse(checking, e) {
  const { scope, response } = checking;
  if (e.kind === "name") {
    const value = scope.get(e.id);
    return value !== void 0 && touchesResponse(value);
  }
  return e.kind === "subscript" && e.index.kind === "string" && e.object.kind === "name" && scope.get(e.object.id)?.kind === "data" && e.index.value === response?.name;
}

// src/lang/check_call.ts
function checkCall(checking, call2) {
  const { callee } = call2;
  if (callee.kind === "name") return callBuiltin(checking, call2, callee.id);
  if (callee.kind !== "attribute") return unknownCallee(checking, call2);
  const object = evaluate(checking, callee.object);
  if (object.kind === "module") return callModule(checking, call2, callee, object.module);
  if (object.kind === "invalid" || object.kind === "ignored") return object;
  return callMethod(checking, call2, callee, object);
}
function unknownCallee(checking, call2) {
  const { callee } = call2;
  if (mentionsResponse(checking, call2)) return checking.derive(call2);
  const message = `Cannot call ${checking.source.slice(callee)}: not in the subset`;
  return checking.error("unsupported/function", message, callee);
}
function callBuiltin(checking, call2, name) {
  if (name === "abs") return callFunction(checking, call2, "abs", "abs", false);
  if (name === "len") return callLength(checking, call2);
  if (checking.scope.has(name)) return unknownCallee(checking, call2);
  if (mentionsResponse(checking, call2)) return checking.derive(call2);
  const message = `Cannot call ${name}: not in the subset`;
  if (Object.hasOwn(builtinReplacements, name)) {
    return checking.error("unsupported/function", message, call2.callee, builtinReplacements[name]);
  }
  const known = [...checking.scope.keys(), "abs", "len"];
  return checking.error(
    "unsupported/function",
    message,
    call2.callee,
    knownNames(name, "known names", known)
  );
}
function callLength(checking, call2) {
  const value = onlyArgument(checking, call2, "len");
  if (!value || value.kind === "invalid") return invalid;
  if (touchesResponse(value)) return checking.derive(call2, value);
  const number2 = numeric(checking, value, call2.arguments[0], "len");
  if (!number2) return invalid;
  if (!number2.host || !checking.graph.isVector(number2.node)) {
    return checking.error("names/wrong-kind", "Cannot take len: wanted a column", call2);
  }
  const node = checking.graph.constant(checking.dataset.rows);
  return { kind: "numeric", node, host: true };
}
function onlyArgument(checking, call2, name) {
  const [first] = call2.arguments;
  if (call2.arguments.length === 1 && first.form === "positional") {
    return evaluate(checking, first.value);
  }
  const count = call2.arguments.length;
  const found = count === 1 ? "a keyword or unpacked argument" : `${count}`;
  const message = `Cannot call ${name}: wanted one positional argument, found ${found}`;
  checking.error("names/arguments", message, call2);
  return void 0;
}
function callModule(checking, call2, callee, module) {
  const name = callee.name.id;
  const table = functions[module];
  if (table && Object.hasOwn(table, name)) return callNamed(checking, call2, module, name);
  if (module === "pm") return callPymc(checking, call2, callee);
  if (module === "np") return callNumpy(checking, call2, callee);
  return unknownFunction(checking, call2, callee, module);
}
function callNamed(checking, call2, module, name) {
  const op = functions[module][name];
  const text2 = checking.source.slice(call2.callee);
  if (module === "pm.math" && onlyInPytensor.has(name)) {
    const message = `PyMC 5.28 has no ${text2}`;
    const hint = `import pytensor.tensor as pt and write pt.${name} if the program is to run there`;
    checking.findings.warning("names/not-in-pymc", message, call2.callee, hint);
  }
  return callFunction(checking, call2, text2, op, module === "np" || module === "math");
}
function callFunction(checking, call2, text2, op, hostOnly) {
  const value = onlyArgument(checking, call2, text2);
  if (!value) return invalid;
  if (touchesResponse(value)) return checking.derive(call2, value);
  const number2 = numeric(checking, value, call2.arguments[0], text2);
  if (!number2) return invalid;
  if (hostOnly && !number2.host) return refuseHostFunction(checking, call2, text2);
  if (text2.startsWith("math.") && checking.graph.isVector(number2.node)) {
    const message = `Cannot call ${text2} on a column: it takes one number`;
    return checking.error("shapes/vector-argument", message, call2, "write np. instead of math.");
  }
  const result = op === "sqr" ? applyBinary2(checking, "mul", number2, number2, call2) : applyUnary2(checking, op, number2, call2);
  const tensor = text2.startsWith("pm.") || text2.startsWith("pt.");
  return result.kind === "numeric" && tensor ? { ...result, host: false } : result;
}
function refuseHostFunction(checking, call2, text2) {
  const name = text2.split(".").at(-1) ?? "";
  const message = `Cannot call ${text2} on a random variable: NumPy only works on data`;
  const same = Object.hasOwn(functions["pm.math"], name);
  const hint = same ? `write pm.math.${name}` : "write it with pm.math";
  return checking.error("unsupported/numpy-on-random-variable", message, call2.callee, hint);
}
function unknownFunction(checking, call2, callee, module) {
  if (mentionsResponse(checking, call2)) return checking.derive(call2);
  const name = callee.name.id;
  const text2 = checking.source.slice(callee);
  const known = module === "np" ? npNames : Object.keys(functions[module] ?? {});
  if (Object.hasOwn(functionReplacements, name)) {
    const message2 = `Cannot call ${text2}: not in the subset`;
    return checking.error("unsupported/function", message2, callee, functionReplacements[name]);
  }
  const message = `Cannot call ${text2}: no such function in the subset`;
  return checking.error(
    "names/unknown-function",
    message,
    callee,
    knownNames(name, "known", known)
  );
}
function callPymc(checking, call2, callee) {
  const name = callee.name.id;
  const family = familyOf(name);
  if (family) return checkVariable(checking, call2, family);
  if (name === "Deterministic") return checkDeterministic(checking, call2);
  if (dataContainers.has(name)) return callData(checking, call2, name);
  if (inference.has(name)) return callInference(checking, call2, name);
  return refusePymc(checking, call2, callee);
}
function refusePymc(checking, call2, callee) {
  const name = callee.name.id;
  const message = `Cannot use pm.${name}`;
  if (call2.arguments.some(({ keyword: keyword2 }) => keyword2?.id === "observed")) {
    checking.observedSeen = true;
  }
  if (name === "Potential") {
    const why = `${message}: a potential changes the posterior without being scored`;
    const hint = "write it as a prior or into the likelihood";
    return checking.error("lh/potential", why, callee, hint);
  }
  if (customDensities.has(name)) {
    const why = `${message}: a density of the program's own need not be normalised`;
    return checking.error("lh/custom-density", why, callee, "choose a built-in distribution");
  }
  if (name === "Flat" || name === "HalfFlat") {
    const why = `${message}: an improper prior has no total mass`;
    const hint = name === "Flat" ? "write a wide pm.Normal" : "write a wide pm.HalfNormal";
    return checking.error("lh/improper-prior", why, callee, hint);
  }
  return unknownPymc(checking, callee);
}
function unknownPymc(checking, callee) {
  const name = callee.name.id;
  if (name === "Model") {
    const hint2 = "write `with pm.Model() as model:`";
    return checking.error("unsupported/model", "Cannot use pm.Model outside of with", callee, hint2);
  }
  if (Object.hasOwn(replacements, name)) {
    const message2 = `Cannot use pm.${name}: not in the subset`;
    return checking.error("unsupported/distribution", message2, callee, replacements[name]);
  }
  const message = `Cannot use pm.${name}: no such name in the subset`;
  const hint = knownNames(name, "known", pmNames);
  return checking.error("names/unknown-function", message, callee, hint);
}
function callData(checking, call2, name) {
  const positional = call2.arguments.filter((a) => a.form === "positional");
  const value = positional[1] ?? call2.arguments.find((a) => a.keyword?.id === "value");
  const label2 = positional[0] ?? call2.arguments.find((a) => a.keyword?.id === "name");
  const extra = call2.arguments.find((a) => a !== value && a !== label2);
  if (!label2 || !value || extra) return refuseDataArguments(checking, call2, name);
  if (name !== "Data") {
    const message = `PyMC 5.28 has no pm.${name}`;
    checking.findings.warning("names/not-in-pymc", message, call2.callee, "write pm.Data");
  }
  const given = textArgument(checking, label2.value, `pm.${name}`);
  if (given !== void 0) declareVariable(checking, given, label2);
  const found = evaluate(checking, value.value);
  if (found.kind === "response" || found.kind === "derived") return found;
  const number2 = numeric(checking, found, value, `pm.${name}`);
  if (!number2) return invalid;
  if (!number2.host) {
    const message = `Cannot put a random variable into pm.${name}: wanted data`;
    return checking.error("names/wrong-kind", message, value, "write pm.Deterministic");
  }
  return { ...number2, host: false };
}
function refuseDataArguments(checking, call2, name) {
  const message = `Cannot check the arguments of pm.${name}: wanted a name and a column`;
  const hint = `write pm.${name}("age", data["age"])`;
  return checking.error("names/arguments", message, call2, hint);
}
function callInference(checking, call2, name) {
  const pending = call2.arguments.map((argument2) => argument2.value);
  for (let e = pending.pop(); e; e = pending.pop()) {
    if (e.kind === "call") {
      const message2 = `Cannot call ${checking.source.slice(e.callee)} inside of pm.${name}`;
      return checking.error("unsupported/argument", message2, e, "leave the argument out");
    }
    pending.push(...children(e));
  }
  const message = `pm.${name} has no effect: inference and its settings belong to the host`;
  checking.findings.note("notes/inference-ignored", message, call2);
  return ignored;
}
function callMethod(checking, call2, callee, object) {
  const name = callee.name.id;
  const column2 = object.kind === "response" || object.kind === "numeric" && object.host;
  if (column2 && name === "to_numpy" && call2.arguments.length === 0) return object;
  if (touchesResponse(object)) return checking.derive(call2, object);
  const vector2 = object.kind === "numeric" && object.host && checking.graph.isVector(object.node);
  if (vector2 && (name === "std" || name === "var")) {
    const message2 = `Cannot call .${name}(): NumPy divides by n, pandas by n - 1`;
    const hint = `write np.${name}(...), which divides by n`;
    return checking.error("unsupported/function", message2, callee.name, hint);
  }
  if (vector2 && Object.hasOwn(statistics, name) && call2.arguments.length === 0) {
    return statistic(checking, call2, name, object);
  }
  const text2 = checking.source.slice(callee);
  const message = `Cannot call ${text2}: methods are not in the subset`;
  return checking.error("unsupported/function", message, callee.name);
}

// src/lang/check_expression.ts
var operators = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "**": "pow"
};
var builtins = ["abs", "len"];
var largestInteger = 2 ** 53;
function evaluate(checking, e) {
  switch (e.kind) {
    case "number":
      return literal(checking, e);
    case "string":
      return e.bytes ? refuse(checking, e, "bytes") : { kind: "text", value: e.value };
    case "constant":
      return constant(checking, e);
    case "name":
      return lookUp(checking, e);
    case "attribute":
      return attribute(checking, e);
    case "subscript":
      return subscript(checking, e);
    case "call":
      return checkCall(checking, e);
    case "unary":
      return unary3(checking, e);
    case "binary":
      return binary(checking, e);
    case "list":
    case "tuple":
      return sequence(checking, e);
    default:
      return refuse(checking, e, expressionNames[e.kind]);
  }
}
var expressionNames = {
  boolean: "`and` and `or`",
  comparison: "a comparison",
  conditional: "a conditional expression",
  set: "a set",
  dictionary: "a dictionary",
  slice: "a slice",
  starred: "a starred expression"
};
var expressionHints = {
  "a comparison": "write a smooth step with pm.math.sigmoid",
  "a conditional expression": "write the expression that applies",
  "a slice": "use the whole column"
};
function refuse(checking, e, what) {
  if (mentionsResponse(checking, e)) return checking.derive(e);
  const message = `Cannot use ${what} here: not in the subset`;
  const hint = expressionHints[what] ?? "write numbers, columns, names and arithmetic";
  return checking.error("unsupported/expression", message, e, hint);
}
function literal(checking, e) {
  if (e.imaginary) return refuse(checking, e, "an imaginary number");
  const integer = !/[.eEjJ]/.test(checking.source.slice(e));
  if (!Number.isFinite(e.value) || integer && e.value > largestInteger) {
    const message = `Cannot use ${checking.source.slice(e)}: the number is too large`;
    const hint = "integers go up to 2**53, other numbers up to 1.8e308";
    return checking.error("support/number", message, e, hint);
  }
  return { kind: "numeric", node: checking.graph.constant(e.value), host: true };
}
function constant(checking, e) {
  if (e.value === "...") return refuse(checking, e, "`...`");
  return e.value === "None" ? { kind: "none" } : { kind: "boolean" };
}
function lookUp(checking, { id, start, end }) {
  const known = checking.scope.get(id);
  if (known) return known;
  const place2 = { start, end };
  if (builtins.includes(id)) {
    return checking.error("unsupported/expression", `Cannot use ${id} without calling it`, place2);
  }
  const names3 = [...checking.scope.keys(), ...builtins];
  const message = `Cannot find the name ${id}: nothing has been assigned to it`;
  return checking.error("names/undefined", message, place2, knownNames(id, "known names", names3));
}
function sequence(checking, e) {
  const values = e.items.map((item2) => evaluate(checking, item2));
  if (values.some(touchesResponse)) return checking.derive(e, ...values);
  return values.some((value) => value.kind === "invalid") ? invalid : { kind: "sequence" };
}
function attribute(checking, e) {
  const object = evaluate(checking, e.object);
  const name = e.name.id;
  if (object.kind === "module") return moduleMember(checking, e, object.module);
  if (object.kind === "invalid" || object.kind === "ignored") return object;
  const column2 = object.kind === "response" || object.kind === "numeric" && object.host && checking.graph.isVector(object.node);
  if (column2 && name === "values") return object;
  if (touchesResponse(object)) return checking.derive(e, object);
  if (object.kind === "data") return dataAttribute(checking, e);
  const message = `Cannot read .${name} of ${describeValue(object)}: not in the subset`;
  return checking.error("unsupported/expression", message, e.name);
}
function dataAttribute(checking, { object, name }) {
  const text2 = checking.source.slice(object);
  const message = `Cannot read ${text2}.${name.id}: columns are reached by subscript`;
  return checking.error("unsupported/expression", message, name, `write ${text2}["${name.id}"]`);
}
function moduleMember(checking, e, module) {
  const name = e.name.id;
  if (module === "pm" && name === "math") return { kind: "module", module: "pm.math" };
  const isConstant2 = (module === "np" || module === "math") && Object.hasOwn(constants, name);
  if (isConstant2) {
    return { kind: "numeric", node: checking.graph.constant(constants[name]), host: true };
  }
  const callable = Object.hasOwn(functions[module] ?? {}, name) || module === "pm" && pmNames.includes(name) || module === "np" && npNames.includes(name);
  const text2 = checking.source.slice(e);
  return callable ? checking.error("unsupported/expression", `Cannot use ${text2} without calling it`, e) : checking.error("unsupported/expression", `Cannot use ${text2} here: not in the subset`, e);
}
function subscript(checking, e) {
  const object = evaluate(checking, e.object);
  if (object.kind === "data") return column(checking, e);
  if (object.kind === "invalid" || object.kind === "ignored") return object;
  if (touchesResponse(object)) return checking.derive(e, object);
  const message = `Cannot take a part of ${describeValue(object)}: indexing is not in the subset`;
  return checking.error("unsupported/expression", message, e, "use the whole column");
}
function column(checking, e) {
  const index = evaluate(checking, e.index);
  if (index.kind === "invalid") return invalid;
  const text2 = checking.source.slice(e.object);
  if (index.kind !== "text") {
    const message = `Cannot read a column by ${describeValue(index)}: wanted its name`;
    return checking.error("names/unknown-column", message, e.index, `write ${text2}["name"]`);
  }
  const found = checking.dataset.columns.find(({ name }) => name === index.value);
  if (!found || found.role === "ignore") return unknownColumn(checking, e, index.value);
  if (found === checking.response) return { kind: "response" };
  if (found.type === "category") {
    const message = `Cannot use the column "${found.name}": categories are not in the subset`;
    const hint = "give the column the type real or binary, as indicators";
    return checking.error("unsupported/column", message, e, hint);
  }
  const missing = found.values.findIndex((value) => !Number.isFinite(value));
  if (missing >= 0) {
    const message = `Cannot use the column "${found.name}": row ${missing + 1} is not finite`;
    return checking.error("unsupported/column", message, e, "drop the rows with missing values");
  }
  return { kind: "numeric", node: checking.graph.column(found.name), host: true };
}
function unknownColumn(checking, e, name) {
  const all = checking.dataset.columns;
  const why = all.some((c) => c.name === name) ? 'its role is "ignore"' : "the data have no such column";
  const known = all.filter((c) => c.role !== "ignore").map((c) => c.name);
  const message = `Cannot read the column "${name}": ${why}`;
  return checking.error(
    "names/unknown-column",
    message,
    e.index,
    knownNames(name, "columns", known)
  );
}
function unary3(checking, e) {
  const operand = evaluate(checking, e.operand);
  if (e.op !== "-" && e.op !== "+") return refuse(checking, e, `\`${e.op}\``);
  if (touchesResponse(operand)) return checking.derive(e, operand);
  const number2 = numeric(checking, operand, e.operand, `\`${e.op}\``);
  if (!number2) return invalid;
  if (e.op === "-") return applyUnary2(checking, "neg", number2, e);
  if (number2.host) return number2;
  const message = "Cannot use `+` before a random variable: PyMC has no such operator";
  return checking.error("unsupported/expression", message, e, "leave the + out");
}
function binary(checking, e) {
  const left = evaluate(checking, e.left);
  const right = evaluate(checking, e.right);
  const op = Object.hasOwn(operators, e.op) ? operators[e.op] : void 0;
  if (!op) return refuse(checking, e, `\`${e.op}\``);
  if (touchesResponse(left) || touchesResponse(right)) return checking.derive(e, left, right);
  const a = numeric(checking, left, e.left, `\`${e.op}\``);
  const b = numeric(checking, right, e.right, `\`${e.op}\``);
  return a && b ? applyBinary2(checking, op, a, b, e) : invalid;
}
function numeric(checking, value, place2, user) {
  if (value.kind === "numeric") return value;
  if (value.kind === "invalid") return void 0;
  if (touchesResponse(value)) checking.refuseResponse(value, place2);
  else {
    const message = `Cannot use ${describeValue(value)} in ${user}: wanted a number or a column`;
    checking.error("names/wrong-kind", message, place2);
  }
  return void 0;
}
function applyUnary2(checking, op, { node, host }, place2) {
  const result = checking.graph.unary(op, node);
  return finite(checking, result, [node], place2, host);
}
function applyBinary2(checking, op, a, b, place2) {
  const result = checking.graph.binary(op, a.node, b.node);
  return finite(checking, result, [a.node, b.node], place2, a.host && b.host);
}
function finite(checking, node, operands, place2, host) {
  const { graph } = checking;
  const bound = operands.length === 1 && Math.abs(graph.constantOf(operands[0]) ?? 0) === Infinity;
  if (bound && graph.constantOf(node) !== void 0) return { kind: "numeric", node, host };
  const text2 = checking.source.slice(place2);
  const found = whyNotFinite(checking, node, operands);
  if (!found) return { kind: "numeric", node, host };
  return checking.error("support/number", `Cannot compute ${text2}: ${found}`, place2);
}
function whyNotFinite(checking, node, operands) {
  const infinite = operands.some((id) => Math.abs(checking.graph.constantOf(id) ?? 0) === Infinity);
  if (infinite) return "infinity stands for a missing bound, not for a number";
  const values = checking.host.of(node);
  const bad = values?.findIndex((value) => !Number.isFinite(value)) ?? -1;
  if (!values || bad < 0) return void 0;
  const row = values.length > 1 ? ` in row ${bad + 1}` : "";
  return Number.isNaN(values[bad]) ? `it is not a real number${row}` : `it is infinite${row}`;
}

// src/lang/check_import.ts
var modules = {
  pymc: "pm",
  numpy: "np",
  math: "math",
  "pymc.math": "pm.math",
  "pytensor.tensor": "pt",
  pandas: "other",
  arviz: "other"
};
function isTaken(name) {
  return name === "data" || name === "abs" || name === "len";
}
function checkImport(checking, s) {
  for (const { module, name } of s.imports) {
    const known = s.form === "from" ? fromModules[module] : modules[module];
    const dotted = s.form === "import" && module.includes(".") && name === module.split(".")[0];
    if (!known || dotted) refuseImport(checking, s, module);
    else if (isTaken(name)) refuseRebinding(checking, name, s);
    else checking.scope.set(name, { kind: "module", module: known });
  }
}
var fromModules = {
  "pytensor.tensor": "pt",
  "pymc.math": "pm.math"
};
function refuseImport(checking, s, module) {
  const message = `Cannot import ${module}: not in the subset`;
  const hint = s.form === "from" ? "write `import pymc as pm` and pm. before the name" : "write `import pymc as pm` or `import numpy as np`";
  checking.error("unsupported/import", message, s, hint);
}

// src/lang/check_model.ts
function checkWith(checking, s) {
  const [item2] = s.items;
  if (s.items.length !== 1) return refuseWith(checking, s), false;
  const { context, target } = item2;
  const isModel = context.kind === "call" && isModelName(checking, context.callee);
  if (!isModel) {
    const known = context.kind === "name" && checking.scope.get(context.id)?.kind === "model";
    if (!known || target) return refuseWith(checking, s), false;
  } else if (!openModel(checking, context, s, target)) return false;
  const outer = checking.inModel;
  checking.inModel = true;
  const returned = checkStatements(checking, s.body);
  checking.inModel = outer;
  return returned;
}
function isModelName(checking, callee) {
  if (callee.kind !== "attribute" || callee.name.id !== "Model") return false;
  const { object } = callee;
  const value = object.kind === "name" ? checking.scope.get(object.id) : void 0;
  return value?.kind === "module" && value.module === "pm";
}
function refuseWith(checking, s) {
  const message = "Cannot check this `with`: wanted a model";
  const hint = "write `with pm.Model() as model:`";
  checking.error("unsupported/statement", message, s.items[0].context, hint);
}
function openModel(checking, context, s, target) {
  if (checking.modelPlace) {
    const line = checking.source.lineOf(checking.modelPlace.start);
    const message = `Cannot open a second model: line ${line} has opened one`;
    checking.error("lh/second-model", message, context, "write all variables into one model");
    return false;
  }
  checking.modelPlace = { start: s.start, end: context.end };
  if (context.arguments.length > 0) refuseModelArguments(checking, context);
  if (target) assign(checking, target, { kind: "model" });
  return true;
}
function refuseModelArguments(checking, context) {
  const [first] = context.arguments;
  const name = first.keyword?.id ?? "an argument";
  const message = `Cannot use ${name} of pm.Model: not in the subset`;
  checking.error("unsupported/argument", message, first, "write pm.Model()");
}
function checkFunction(checking, s) {
  const { name, parameters } = s;
  const hint = "write `def gen_model(observed_data):` at the beginning of a line";
  const [only] = parameters;
  if (name.id !== "gen_model") {
    const message = `Cannot check the function ${name.id}: only gen_model is called`;
    refuseFunction(checking, "unsupported/statement", message, name, hint);
  } else if (parameters.length !== 1 || only.form !== "plain" || only.default) {
    const message = "Cannot check gen_model: wanted one argument, the data";
    refuseFunction(checking, "names/arguments", message, s, hint);
  } else if (checking.inModel || checking.inFunction || checking.scope.has(name.id)) {
    const message = "Cannot check gen_model: wanted one function, outside of any block";
    refuseFunction(checking, "unsupported/statement", message, s, hint);
  } else {
    checking.scope.set(name.id, ignored);
    checking.modelFunction = s;
  }
}
function checkModelFunction(checking, s) {
  for (const name of localNames(s.body)) {
    if (checking.scope.get(name)?.kind !== "module") checking.scope.delete(name);
  }
  checking.scope.set(s.parameters[0].name.id, { kind: "data" });
  checking.inFunction = true;
  checkStatements(checking, s.body);
}
function localNames(body) {
  return body.flatMap((s) => {
    if (s.kind === "with") return localNames(s.body);
    if (s.kind !== "assign") return [];
    return s.targets.flatMap((target) => target.kind === "name" ? [target.id] : []);
  });
}
function refuseFunction(checking, code, message, place2, hint) {
  checking.excused = true;
  checking.error(code, message, place2, hint);
}

// src/lang/check_statement.ts
var reserved = /* @__PURE__ */ new Set(["pm", "np", "data", "gen_model", "abs", "len"]);
var compoundHints = {
  if: "write the statements that apply",
  for: "write the statements one by one",
  while: "write the statements one by one",
  class: "write the model in `with pm.Model() as model:`",
  break: "leave it out",
  continue: "leave it out"
};
function checkModule(checking, statements2) {
  checkStatements(checking, statements2);
  if (checking.modelFunction) checkModelFunction(checking, checking.modelFunction);
}
function checkStatements(checking, statements2) {
  for (const [i, statement] of statements2.entries()) {
    if (!checkStatement(checking, statement)) continue;
    const next = statements2[i + 1];
    if (next) {
      const message = "This is never reached: it stands after a return";
      checking.findings.warning("names/unreachable", message, next, "leave it out");
    }
    return true;
  }
  return false;
}
function checkStatement(checking, s) {
  switch (s.kind) {
    case "with":
      return checkWith(checking, s);
    case "return":
      checkReturn(checking, s);
      return true;
    case "import":
      checkImport(checking, s);
      break;
    case "assign":
      checkAssignment(checking, s);
      break;
    case "expression":
      evaluateStatement(checking, s.value);
      break;
    case "def":
      checkFunction(checking, s);
      break;
    case "pass":
      break;
    default:
      refuseStatement(checking, s);
  }
  return false;
}
function refuseStatement(checking, s) {
  const message = `Cannot check \`${s.kind}\`: not in the subset`;
  checking.error("unsupported/statement", message, s, compoundHints[s.kind]);
  if (!("bodies" in s)) return;
  const pending = s.bodies.flat();
  for (let inner = pending.pop(); inner; inner = pending.pop()) {
    checking.excused ||= checking.source.slice(inner).includes("observed");
    if ("bodies" in inner) pending.push(...inner.bodies.flat());
    if ("body" in inner) pending.push(...inner.body);
    if (inner.kind !== "assign") continue;
    for (const target of inner.targets) {
      if (target.kind === "name" && !checking.scope.has(target.id)) {
        checking.scope.set(target.id, invalid);
      }
    }
  }
}
function evaluateStatement(checking, e) {
  const value = evaluate(checking, e);
  if (value.kind === "derived" && !value.reported) checking.refuseResponse(value, e);
  return value;
}
function checkAssignment(checking, s) {
  if (s.form !== "plain" || !s.value) return refuseAssignment(checking, s);
  const value = evaluate(checking, s.value);
  for (const target of s.targets) assign(checking, target, value);
}
function refuseAssignment(checking, s) {
  const text2 = checking.source.slice(s.targets[0]);
  const what = s.form === "augmented" ? "an augmented assignment" : "an annotation";
  const hint = s.form === "augmented" ? `write ${text2} = ${text2} + ..., with the operator that is meant` : `write ${text2} = ...`;
  checking.error("unsupported/statement", `Cannot check ${what}: not in the subset`, s, hint);
  if (s.targets[0].kind === "name") checking.scope.set(text2, { kind: "invalid" });
}
function assign(checking, target, value) {
  if (target.kind !== "name") {
    const message = `Cannot assign to ${checking.source.slice(target)}: wanted one name`;
    checking.error("unsupported/statement", message, target, "assign to one name at a time");
    return;
  }
  const before = checking.scope.get(target.id);
  const protectedName = reserved.has(target.id) || before?.kind === "data" || before?.kind === "model" || before?.kind === "module";
  if (protectedName) refuseRebinding(checking, target.id, target);
  else checking.scope.set(target.id, value);
}
function refuseRebinding(checking, name, place2) {
  const message = `Cannot assign to ${name}: the name is taken`;
  checking.error("names/rebound", message, place2, "choose another name");
}
function checkReturn(checking, { value }) {
  const items = value?.kind === "tuple" ? value.items : value ? [value] : [];
  for (const item2 of items) evaluateStatement(checking, item2);
}

// src/lang/blocks.ts
function expectColon(cursor, always = false) {
  if (cursor.accept(":")) return;
  if (!always && cursor.token.kind !== "newline") cursor.invalid();
  const hint = "end the line with a colon";
  cursor.fail("missing-colon", "expected ':'", cursor.token, hint);
}
function block(cursor, owner, start, read) {
  if (cursor.token.kind !== "newline") return oneLine(cursor, read);
  cursor.take();
  if (!cursor.isKind("indent")) refuseEmpty(cursor, owner, start);
  cursor.take();
  const body = [];
  cursor.nested(() => {
    while (!cursor.isKind("dedent")) body.push(...read(cursor));
  });
  cursor.take();
  return body;
}
var compound = ["with", "def", "class", "if", "while", "for", "try", "async", "@"];
function oneLine(cursor, read) {
  if (compound.includes(cursor.token.text)) cursor.invalid();
  return read(cursor);
}
function refuseEmpty(cursor, owner, start) {
  const line = cursor.source.lineOf(start);
  const message = `expected an indented block after ${owner} on line ${line}`;
  const token = cursor.token;
  const place2 = token.start >= cursor.source.text.length ? cursor.previous : token;
  cursor.fail("indent", message, place2, "indent the block by four spaces, or write pass");
}

// src/lang/source.ts
var Source = class {
  constructor(text2, file2) {
    this.file = file2;
    this.text = text2.includes("\r") ? text2.replace(/\r\n?/g, "\n") : text2;
    for (let i = this.text.indexOf("\n"); i >= 0; i = this.text.indexOf("\n", i + 1)) {
      this.lineStarts.push(i + 1);
    }
  }
  file;
  text;
  lineStarts = [0];
  get lines() {
    return this.lineStarts.length;
  }
  /** 1-based line of an offset. */
  lineOf(offset) {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = low + high + 1 >> 1;
      if (this.lineStarts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
  /** 1-based column in code points of an offset. */
  columnOf(offset) {
    const start = this.lineStarts[this.lineOf(offset) - 1];
    let column2 = offset - start + 1;
    for (let i = start; i < offset; i++) {
      const unit2 = this.text.charCodeAt(i);
      if (unit2 >= 56320 && unit2 <= 57343) column2--;
    }
    return column2;
  }
  /** The text of a place. */
  slice(place2) {
    return this.text.slice(place2.start, place2.end);
  }
  span({ start, end }) {
    const last = Math.max(start, end);
    return {
      file: this.file,
      line: this.lineOf(start),
      column: this.columnOf(start),
      endLine: this.lineOf(last),
      endColumn: Math.max(this.columnOf(last), end > start ? 1 : this.columnOf(start) + 1)
    };
  }
};
var SyntaxFailure = class extends Error {
  constructor(code, message, place2, hint) {
    super(message);
    this.code = code;
    this.place = place2;
    this.hint = hint;
  }
  code;
  place;
  hint;
  toDiagnostic(source) {
    const { code, message, hint } = this;
    return { code, severity: "error", message, span: source.span(this.place), hint };
  }
};
function unsupported(what, place2, hint) {
  return new SyntaxFailure(
    "unsupported/syntax",
    `Cannot read ${what}: not in the subset`,
    place2,
    hint
  );
}

// src/lang/tokens.ts
var threeCharacter = /* @__PURE__ */ new Set(["**=", "//=", ">>=", "<<=", "..."]);
var twoCharacter = new Set(
  "** // >> << <= >= == != <> -> += -= *= /= %= &= |= ^= @= :=".split(" ")
);
var oneCharacter = new Set("+-*/%@&|^~<>()[]{},:.;=".split(""));
var closers = { ")": "(", "]": "[", "}": "{" };
var numberPattern = /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:[0-9](?:_?[0-9])*\.?(?:[0-9](?:_?[0-9])*)?|\.[0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9](?:_?[0-9])*)?[jJ]?/y;
var stringPrefix = /^(?:[rRuUbBfF]|[bB][rR]|[rR][bB]|[fF][rR]|[rR][fF])$/;
var keywordAfterNumber = /(?:and|else|for|if|in|is|not|or)(?![A-Za-z0-9_])/y;
var Tokenizer = class {
  constructor(source) {
    this.source = source;
    this.text = source.text;
  }
  source;
  tokens = [];
  eager = true;
  at = 0;
  open = [];
  indents = [
    { column: 0, alternative: 0 }
  ];
  text;
  get unclosed() {
    return this.open.at(-1);
  }
  run() {
    let lineStart = true;
    while (this.at < this.text.length) {
      if (lineStart && this.open.length === 0 && !this.indentation()) continue;
      lineStart = this.token();
    }
    this.finish();
  }
  push(kind, start, end) {
    const text2 = this.text.slice(start, end);
    const token = { kind, text: text2, start, end, level: this.open.length };
    this.tokens.push(token);
    return token;
  }
  fail(code, message, start, end = start + 1) {
    throw new SyntaxFailure(`syntax/${code}`, `Cannot parse: ${message}`, { start, end });
  }
  /** Reads a line's indentation; false if the line is blank and has been skipped. */
  indentation() {
    const start = this.at;
    let column2 = 0;
    let alternative = 0;
    for (; ; this.at++) {
      const c = this.text[this.at];
      if (c === " ") column2++, alternative++;
      else if (c === "	") column2 = (Math.floor(column2 / 8) + 1) * 8, alternative++;
      else if (c === "\f") column2 = alternative = 0;
      else break;
    }
    if (this.skipBlank()) return false;
    if (this.text[this.at] === "\\") this.refuseLeadingBackslash();
    this.setIndent(column2, alternative, start);
    return true;
  }
  refuseLeadingBackslash() {
    this.eager = false;
    const place2 = { start: this.at, end: this.at + 1 };
    throw unsupported("a line that begins with a backslash", place2, "leave the backslash out");
  }
  skipBlank() {
    const c = this.text[this.at];
    if (c === "#") this.skipComment();
    else if (c !== void 0 && c !== "\n") return false;
    this.at++;
    return true;
  }
  skipComment() {
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end;
  }
  setIndent(column2, alternative, start) {
    const current = this.indents[this.indents.length - 1];
    if (column2 === current.column) {
      if (alternative !== current.alternative) this.inconsistentTabs(start);
    } else if (column2 > current.column) {
      if (alternative <= current.alternative) this.inconsistentTabs(start);
      if (this.indents.length > limits.nesting) this.tooDeep(start);
      this.indents.push({ column: column2, alternative });
      this.push("indent", start, this.at);
    } else this.dedent(column2, alternative, start);
  }
  dedent(column2, alternative, start) {
    while (column2 < this.indents[this.indents.length - 1].column) {
      this.indents.pop();
      this.push("dedent", this.at, this.at);
    }
    const current = this.indents[this.indents.length - 1];
    if (column2 !== current.column) {
      const end = this.lineEnd();
      this.eager = false;
      this.fail("indent", "unindent does not match any outer indentation level", end);
    }
    if (alternative !== current.alternative) this.inconsistentTabs(start);
  }
  lineEnd() {
    const end = this.text.indexOf("\n", this.at);
    return end < 0 ? this.text.length : end;
  }
  inconsistentTabs(start) {
    this.eager = false;
    this.fail("indent", "inconsistent use of tabs and spaces in indentation", start);
  }
  tooDeep(start) {
    this.fail("limit", `more than ${limits.nesting} levels of nesting`, start);
  }
  /** Reads one token; true if the next one begins a line. */
  token() {
    const start = this.at;
    const c = this.text[start];
    if (c === " " || c === "	" || c === "\f") return this.at++, false;
    if (c === "#") return this.trailingComment();
    if (c === "\n") return this.newline(start);
    if (c === "\\") return this.continuation();
    if (isNameStart(c)) this.nameOrString();
    else if (isDigit(c) || c === "." && isDigit(this.text[start + 1])) this.number();
    else if (c === '"' || c === "'") this.string(start);
    else this.operator();
    return false;
  }
  /** The newline after a comment begins where the comment does. */
  trailingComment() {
    const start = this.at;
    this.skipComment();
    return this.newline(start);
  }
  newline(start) {
    this.at++;
    if (this.open.length > 0) return false;
    this.push("newline", start, this.at);
    return true;
  }
  continuation() {
    const next = this.text[this.at + 1];
    this.eager = false;
    if (next === void 0 || next === "\n" && this.at + 2 >= this.text.length) {
      this.fail("unexpected-end", "unexpected EOF while parsing", this.at + 1);
    }
    if (next !== "\n") {
      this.fail("character", "unexpected character after line continuation character", this.at + 1);
    }
    this.eager = true;
    this.at += 2;
    return false;
  }
  nameOrString() {
    const start = this.at;
    while (isNamePart(this.text[this.at])) this.at++;
    const next = this.text[this.at];
    if (next !== void 0 && next > "") this.foreignCharacter();
    const quoted = next === '"' || next === "'";
    if (quoted && stringPrefix.test(this.text.slice(start, this.at))) this.string(start);
    else this.push("name", start, this.at);
  }
  number() {
    const start = this.at;
    numberPattern.lastIndex = start;
    const found = numberPattern.exec(this.text)?.[0] ?? "";
    this.at = start + found.length;
    this.checkNumber(start, found);
    this.push("number", start, this.at);
  }
  checkNumber(start, found) {
    const next = this.text[this.at] ?? "";
    const radix = /^0[xXoObB]/.exec(this.text.slice(start, start + 2))?.[0].toLowerCase();
    if (radix) this.checkRadix(start, radix, found, next);
    const leadingZero = /^0[0-9_]*[1-9]/.test(found) && !/[.eEjJ]/.test(found);
    if (!radix && leadingZero) {
      const wanted2 = "use an 0o prefix for octal integers";
      const message = `leading zeros in decimal integer literals are not permitted; ${wanted2}`;
      this.fail("number", message, start, this.at);
    }
    keywordAfterNumber.lastIndex = this.at;
    if (isNamePart(next) && !keywordAfterNumber.test(this.text)) this.badNumber(radix);
    if (found.length > limits.numberLength) {
      this.fail("limit", `a number of more than ${limits.numberLength} characters`, start, this.at);
    }
  }
  checkRadix(start, radix, found, next) {
    const name = { "0x": "hexadecimal", "0o": "octal", "0b": "binary" }[radix];
    const empty = found.length <= 1;
    const digit = empty ? this.text[start + 2] ?? "" : next;
    if (radix !== "0x" && isDigit(digit)) {
      const at = empty ? start + 2 : this.at;
      this.fail("number", `invalid digit '${digit}' in ${name} literal`, at);
    }
    const last = empty ? start + 1 : this.at - 1;
    if (empty || next === "_") this.fail("number", `invalid ${name} literal`, last);
  }
  badNumber(radix) {
    const name = { "0x": "hexadecimal", "0o": "octal", "0b": "binary" }[radix ?? ""] ?? "decimal";
    const at = this.text[this.at] === "_" ? this.at : this.at - 1;
    this.fail("number", `invalid ${name} literal`, at);
  }
  string(start) {
    const quote = this.text[this.at];
    const triple = this.text.startsWith(quote.repeat(3), this.at);
    const delimiter = triple ? quote.repeat(3) : quote;
    this.at += delimiter.length;
    while (!this.text.startsWith(delimiter, this.at)) {
      const c = this.text[this.at];
      if (c === void 0 || c === "\n" && !triple) this.unterminated(start, triple);
      this.at += c === "\\" ? 2 : 1;
    }
    this.at += delimiter.length;
    if (this.at - start > limits.stringLength) {
      this.fail("limit", `a string of more than ${limits.stringLength} characters`, start);
    }
    this.push("string", start, this.at);
  }
  unterminated(start, triple) {
    const end = this.text.endsWith("\n") ? this.text.length - 1 : this.text.length;
    const line = this.source.lineOf(triple ? end : Math.min(this.at, end));
    const what = triple ? "triple-quoted string literal" : "string literal";
    this.fail("unterminated-string", `unterminated ${what} (detected at line ${line})`, start);
  }
  operator() {
    const start = this.at;
    const three = this.text.slice(start, start + 3);
    const two = three.slice(0, 2);
    const length = threeCharacter.has(three) ? 3 : twoCharacter.has(two) ? 2 : 1;
    const text2 = three.slice(0, length);
    if (length === 1 && !oneCharacter.has(text2)) return this.foreignCharacter();
    this.at += length;
    if (text2 === ")" || text2 === "]" || text2 === "}") this.close(text2, start);
    const token = this.push("op", start, this.at);
    if (text2 === "(" || text2 === "[" || text2 === "{") this.openBracket(token);
  }
  openBracket(token) {
    if (this.open.length >= limits.nesting) this.tooDeep(token.start);
    this.open.push(token);
  }
  close(text2, start) {
    const opening = this.open.pop();
    if (!opening) this.fail("unmatched-bracket", `unmatched '${text2}'`, start);
    if (opening.text === closers[text2]) return;
    const line = this.source.lineOf(opening.start);
    const where = line === this.source.lineOf(start) ? "" : ` on line ${line}`;
    const message = `closing parenthesis '${text2}' does not match opening parenthesis '${opening.text}'${where}`;
    this.fail("unmatched-bracket", message, start);
  }
  /** Characters outside of ASCII, and ASCII that means nothing (`$`, `?`, `!`). */
  foreignCharacter() {
    const c = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    const end = this.at + c.length;
    if ("$?!`".includes(c)) {
      this.at = end;
      this.push("op", end - 1, end);
      return;
    }
    if (/[\p{ID_Start}\p{ID_Continue}]/u.test(c)) this.foreignName(end);
    const hex = (c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(c);
    const message = printable ? `invalid character '${c}' (U+${hex})` : `invalid non-printable character U+${hex}`;
    this.fail("character", message, this.at, end);
  }
  foreignName(end) {
    const message = "Cannot read a name with characters outside of ASCII: not in the subset";
    const hint = "write names with the letters a to z, digits and underscores";
    throw new SyntaxFailure("unsupported/name", message, { start: this.at, end }, hint);
  }
  finish() {
    const end = this.text.length;
    if (this.open.length > 0) return;
    const last = this.tokens.at(-1);
    const closed = !last || last.kind === "newline" || last.kind === "dedent";
    if (!closed) this.push("newline", end, end);
    for (let i = this.indents.length; i > 1; i--) this.push("dedent", end, end);
    this.push("end", end, end);
  }
};
function isDigit(c) {
  return c !== void 0 && c >= "0" && c <= "9";
}
function isNameStart(c) {
  return c !== void 0 && (c >= "a" && c <= "z" || c >= "A" && c <= "Z" || c === "_");
}
function isNamePart(c) {
  return isNameStart(c) || isDigit(c);
}
function tokenize(source) {
  const tokenizer = new Tokenizer(source);
  try {
    tokenizer.run();
  } catch (error2) {
    if (!(error2 instanceof SyntaxFailure)) throw error2;
    return failed(tokenizer, error2, tokenizer.eager);
  }
  const unclosed = tokenizer.unclosed;
  if (!unclosed) return { tokens: tokenizer.tokens, eager: false };
  return { ...failed(tokenizer, neverClosed(unclosed), false), unclosed };
}
function failed({ tokens, source }, failure, eager) {
  const end = source.text.length;
  const start = eager ? end : failure.place.start;
  const last = { kind: "failure", text: "", start, end: start, level: 0 };
  return { tokens: [...tokens, last], failure, eager };
}
function neverClosed(opening) {
  const { start, end, text: text2 } = opening;
  const message = `Cannot parse: '${text2}' was never closed`;
  return new SyntaxFailure("syntax/unclosed-bracket", message, { start, end });
}

// src/lang/cursor.ts
var keywords = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(" ")
);
var Cursor = class {
  constructor(source, input) {
    this.source = source;
    this.input = input;
  }
  source;
  input;
  index = 0;
  depth = 0;
  nodes = 0;
  /** The token at hand; arriving at a failure throws it. */
  get token() {
    const token = this.input.tokens[this.index];
    if (token.kind === "failure" && this.input.failure) throw this.input.failure;
    return token;
  }
  get previous() {
    return this.input.tokens[this.index - 1];
  }
  /** The token after the one at hand. */
  get following() {
    return this.input.tokens[this.index + 1];
  }
  /** True if the token at hand is this operator or keyword. */
  is(text2) {
    const token = this.token;
    return token.text === text2 && (token.kind === "op" || token.kind === "name");
  }
  isKind(kind) {
    return this.token.kind === kind;
  }
  isName() {
    const token = this.token;
    return token.kind === "name" && !keywords.has(token.text);
  }
  take() {
    const token = this.token;
    this.index++;
    return token;
  }
  /** Takes the operator or keyword if it is at hand. */
  accept(text2) {
    const found = this.is(text2);
    if (found) this.index++;
    return found;
  }
  expect(text2) {
    if (!this.is(text2)) this.invalid();
    return this.take();
  }
  /** Fails as CPython does where no rule matches: at the token at hand. */
  invalid() {
    const token = this.token;
    if (token.kind === "indent" || token.kind === "dedent") this.unexpectedIndent(token);
    this.fail("invalid", "invalid syntax", token);
  }
  unexpectedIndent(token) {
    const what = token.kind === "indent" ? "unexpected indent" : "unexpected unindent";
    const place2 = { start: Math.max(token.start, token.end - 1), end: token.end };
    this.fail("indent", what, place2);
  }
  fail(code, message, place2, hint) {
    throw new SyntaxFailure(`syntax/${code}`, `Cannot parse: ${message}`, place2, hint);
  }
  unsupported(what, place2, hint) {
    throw unsupported(what, place2, hint);
  }
  /** Runs a part of the grammar one level deeper. */
  nested(part) {
    this.descend();
    const result = part();
    this.depth--;
    return result;
  }
  /**
   * Tries a part of the grammar; undefined, and nothing taken, if it does not match. Arriving at
   * the tokenizer's failure is final, as in CPython.
   */
  attempt(part) {
    const { index, depth, nodes } = this;
    try {
      return part();
    } catch (error2) {
      if (!(error2 instanceof SyntaxFailure) || error2 === this.input.failure) throw error2;
      this.index = index;
      this.depth = depth;
      this.nodes = nodes;
      return void 0;
    }
  }
  descend() {
    this.depth++;
    if (this.depth <= limits.nesting) return;
    this.fail("limit", `more than ${limits.nesting} levels of nesting`, this.token);
  }
  /** Counts a node of the tree. */
  count(node) {
    this.nodes++;
    if (this.nodes <= limits.treeNodes) return node;
    this.fail("limit", `more than ${limits.treeNodes} parts in one program`, node);
  }
  /** A tokenizer's failure further on outranks a parser's, as in CPython. */
  outranking(failure) {
    const { input, source } = this;
    if (failure.message.endsWith("unexpected indent")) return failure;
    if (input.failure && input.eager) return input.failure;
    const opening = input.unclosed;
    const line = source.lineOf(this.input.tokens[this.index].start);
    return opening && line > source.lineOf(opening.start) ? neverClosed(opening) : failure;
  }
};

// src/lang/items.ts
function element(cursor) {
  const item2 = starOrExpression(cursor);
  refuseComprehension(cursor, item2);
  return item2;
}
function refuseComprehension(cursor, item2) {
  if (cursor.is("for") || cursor.is("async")) {
    cursor.unsupported("a comprehension", item2, "write the elements one by one");
  }
  if (cursor.is(":=")) {
    cursor.unsupported("`:=`", cursor.token, "assign with = on a line of its own");
  }
  if (cursor.is("=")) adviseComparison(cursor, item2);
  adviseComma(cursor, item2);
}
function adviseComparison(cursor, item2) {
  if (!/^[A-Za-z_]\w*$/.test(cursor.source.slice(item2))) return;
  const { index } = cursor;
  cursor.take();
  const value = cursor.attempt(() => binary2(cursor, 0));
  const advise = value && !cursor.is("=") && !cursor.is(":=");
  cursor.index = index;
  if (!advise) return;
  const message = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";
  cursor.fail("invalid", message, item2);
}
function adviseComma(cursor, item2) {
  if (!startsExpression(cursor) || cursor.is("*") || cursor.token.level === 0) return;
  const { index } = cursor;
  const soft = index > 0 && cursor.previous.kind === "name" && cursor.token.kind === "string";
  const next = soft ? void 0 : cursor.attempt(() => expression(cursor));
  if (!next) return;
  const message = "invalid syntax. Perhaps you forgot a comma?";
  cursor.fail("missing-comma", message, { start: item2.start, end: next.end });
}

// src/lang/targets.ts
var names2 = {
  number: "literal",
  string: "literal",
  constant: "literal",
  name: "name",
  attribute: "attribute",
  subscript: "subscript",
  slice: "slice",
  call: "function call",
  unary: "expression",
  binary: "expression",
  boolean: "expression",
  comparison: "comparison",
  conditional: "conditional expression",
  tuple: "tuple",
  list: "list",
  set: "set display",
  dictionary: "dict literal",
  starred: "starred"
};
function describeTarget(e) {
  if (e.kind !== "constant") return names2[e.kind];
  return e.value === "..." ? "ellipsis" : e.value;
}
function invalidTarget(e) {
  switch (e.kind) {
    case "name":
    case "attribute":
    case "subscript":
      return void 0;
    case "starred":
      return invalidTarget(e.value);
    case "tuple":
    case "list":
      return e.items.map(invalidTarget).find((item2) => item2 !== void 0);
    default:
      return e;
  }
}
function checkTarget(cursor, target, alone) {
  const wrong = invalidTarget(target);
  if (!wrong) return;
  const constant2 = wrong.kind === "constant" && wrong.value !== "...";
  const compared = ["boolean", "comparison", "conditional"].includes(wrong.kind) || wrong.kind === "unary" && wrong.op === "not";
  const advise = alone && wrong === target && !constant2 && !compared;
  const advice = advise ? " here. Maybe you meant '==' instead of '='?" : "";
  const hint = "a name goes on the left of =";
  cursor.fail("assign-target", `cannot assign to ${describeTarget(wrong)}${advice}`, wrong, hint);
}

// src/lang/call_arguments.ts
function callArguments(cursor) {
  const given = [];
  while (!cursor.is(")")) {
    given.push(argument(cursor));
    if (!cursor.accept(",")) break;
  }
  checkOrder(cursor, given);
  if (!cursor.is(")")) cursor.invalid();
  return given;
}
function argument(cursor) {
  if (cursor.is("*") || cursor.is("**")) return unpacked(cursor);
  if (cursor.isName() && cursor.following?.text === "=") return keyword(cursor);
  const value = expression(cursor);
  if (cursor.is("=")) refuseTarget(cursor, value);
  refuseComprehension(cursor, value);
  return { form: "positional", value, start: value.start, end: value.end };
}
function refuseTarget(cursor, value) {
  if (value.kind === "constant" && value.value !== "...") {
    cursor.fail("assign-target", `cannot assign to ${describeTarget(value)}`, value);
  }
  const message = 'expression cannot contain assignment, perhaps you meant "=="?';
  cursor.fail("assign-target", message, value);
}
function unpacked(cursor) {
  const { text: text2, start } = cursor.take();
  const value = expression(cursor);
  const form = text2 === "*" ? "star" : "double_star";
  return { form, value, start, end: value.end };
}
function keyword(cursor) {
  const name = identifier(cursor);
  cursor.take();
  const value = expression(cursor);
  if (cursor.is("=")) cursor.invalid();
  refuseComprehension(cursor, value);
  return { form: "keyword", keyword: name, value, start: name.start, end: value.end };
}
function checkOrder(cursor, given) {
  let named;
  for (const { form, start, end } of given) {
    if (form === "keyword") named ??= "keyword";
    else if (form === "double_star") named = "double_star";
    else if (form === "positional" && named) refuseOrder(cursor, named);
    else if (form === "star" && named === "double_star") {
      const message = "iterable argument unpacking follows keyword argument unpacking";
      cursor.fail("positional-after-keyword", message, { start, end });
    }
  }
}
function refuseOrder(cursor, named) {
  const unpacking = named === "keyword" ? "" : " unpacking";
  const message = `positional argument follows keyword argument${unpacking}`;
  const hint = "write positional arguments first, or give this one its keyword";
  cursor.fail("positional-after-keyword", message, cursor.token, hint);
}

// src/lang/displays.ts
function parenthesised(cursor) {
  const { start } = cursor.take();
  const items = [];
  const comma = cursor.nested(() => elements(cursor, ")", items));
  const { end } = cursor.expect(")");
  if (items.length !== 1 || comma) return cursor.count({ kind: "tuple", items, start, end });
  const [only] = items;
  if (only.kind === "starred") {
    cursor.fail("invalid", "cannot use starred expression here", only);
  }
  return only;
}
function listDisplay(cursor) {
  const { start } = cursor.take();
  const items = [];
  cursor.nested(() => elements(cursor, "]", items));
  const { end } = cursor.expect("]");
  return cursor.count({ kind: "list", items, start, end });
}
function elements(cursor, closing, items) {
  let comma = false;
  while (!cursor.is(closing)) {
    items.push(element(cursor));
    if (!cursor.accept(",")) break;
    comma = true;
  }
  if (!cursor.is(closing)) cursor.invalid();
  return comma;
}
function braces(cursor) {
  const { start } = cursor.take();
  return cursor.nested(() => {
    if (cursor.is("}") || cursor.is("**")) return dictionary(cursor, start);
    const first = element(cursor);
    return cursor.is(":") && first.kind !== "starred" ? dictionary(cursor, start, first) : setDisplay(cursor, start, first);
  });
}
function setDisplay(cursor, start, first) {
  const items = [first];
  if (cursor.accept(",")) elements(cursor, "}", items);
  const { end } = cursor.expect("}");
  return cursor.count({ kind: "set", items, start, end });
}
function dictionary(cursor, start, firstKey) {
  const keys = [];
  const values = [];
  let key = firstKey;
  while (key || !cursor.is("}")) {
    if (!key && cursor.accept("**")) {
      keys.push(void 0);
      values.push(binary2(cursor, 0));
    } else {
      keys.push(key ?? element(cursor));
      values.push(dictionaryValue(cursor));
    }
    key = void 0;
    if (!cursor.accept(",")) break;
  }
  const { end } = cursor.expect("}");
  return cursor.count({ kind: "dictionary", keys, values, start, end });
}
function dictionaryValue(cursor) {
  if (!cursor.is(":")) {
    cursor.fail("invalid", "':' expected after dictionary key", cursor.previous);
  }
  const colon = cursor.take();
  if (cursor.is("}") || cursor.is(",")) {
    cursor.fail("invalid", "expression expected after dictionary key and ':'", colon);
  }
  const value = expression(cursor);
  refuseComprehension(cursor, value);
  return value;
}

// src/lang/strings.ts
var simpleEscapes = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "	",
  v: "\v"
};
var escapePattern = /\\(?:([\n\\'"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([xuUN]))/g;
function decodeString(cursor, token) {
  const quote = token.text.search(/['"]/);
  const prefix = token.text.slice(0, quote).toLowerCase();
  if (prefix.includes("f")) {
    cursor.unsupported("an f-string", token, "write the text itself between quotes");
  }
  const width = /^('''|""")/.test(token.text.slice(quote)) ? 3 : 1;
  const body = token.text.slice(quote + width, -width);
  const bytes = prefix.includes("b");
  if (bytes && /[^\0-\x7f]/.test(body)) {
    cursor.fail("character", "bytes can only contain ASCII literal characters", token);
  }
  const value = prefix.includes("r") ? body : body.replace(escapePattern, unescape(cursor, token));
  return { value, bytes };
}
function unescape(cursor, token) {
  return (_match, simple2, octal, x, u, U, broken) => {
    if (simple2 !== void 0) return simpleEscapes[simple2];
    if (octal !== void 0) return String.fromCodePoint(parseInt(octal, 8));
    if (broken !== void 0) refuse2(cursor, token, broken);
    const code = parseInt(x ?? u ?? U ?? "0", 16);
    if (code > 1114111) refuse2(cursor, token, "U");
    return String.fromCodePoint(code);
  };
}
function refuse2(cursor, token, letter) {
  if (letter === "N") cursor.unsupported("\\N{…}", token, "write the character itself");
  cursor.fail("string-escape", `malformed \\${letter} escape in a string`, token);
}

// src/lang/expressions.ts
var comparisons = /* @__PURE__ */ new Set(["==", "!=", "<", ">", "<=", ">="]);
var binaryLevels = [["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "//", "%", "@"]];
var notInSubset = {
  lambda: "write the expression where it is used",
  await: "leave it out: a program is not asynchronous",
  yield: "leave it out: a program is not a generator"
};
function expressionList(cursor) {
  const start = cursor.token.start;
  const first = starOrExpression(cursor);
  if (!cursor.is(",")) return first;
  const items = [first];
  while (cursor.accept(",") && startsExpression(cursor)) items.push(starOrExpression(cursor));
  return cursor.count({ kind: "tuple", items, start, end: cursor.previous.end });
}
function starOrExpression(cursor) {
  if (!cursor.is("*")) return expression(cursor);
  const { start } = cursor.take();
  const value = binary2(cursor, 0);
  return cursor.count({ kind: "starred", value, start, end: value.end });
}
function expression(cursor) {
  return cursor.nested(() => conditional(cursor));
}
function conditional(cursor) {
  refuseKeywords(cursor);
  const then = disjunction(cursor);
  if (!cursor.is("if")) return then;
  cursor.take();
  const test = disjunction(cursor);
  if (!cursor.is("else")) {
    if (cursor.is(":")) cursor.invalid();
    const place2 = { start: then.start, end: test.end };
    cursor.fail("invalid", "expected 'else' after 'if' expression", place2);
  }
  cursor.take();
  const otherwise = expression(cursor);
  return cursor.count({
    kind: "conditional",
    test,
    then,
    otherwise,
    start: then.start,
    end: otherwise.end
  });
}
function refuseKeywords(cursor) {
  const { text: text2, kind } = cursor.token;
  const hint = kind === "name" ? notInSubset[text2] : void 0;
  if (hint) cursor.unsupported(`\`${text2}\``, cursor.token, hint);
}
function disjunction(cursor) {
  return booleans(cursor, "or", () => booleans(cursor, "and", () => inversion(cursor)));
}
function booleans(cursor, op, operand) {
  const first = operand();
  if (!cursor.is(op)) return first;
  const operands = [first];
  while (cursor.accept(op)) operands.push(operand());
  const end = operands[operands.length - 1].end;
  return cursor.count({ kind: "boolean", op, operands, start: first.start, end });
}
function inversion(cursor) {
  if (!cursor.is("not")) return comparison(cursor);
  const { start } = cursor.take();
  const operand = cursor.nested(() => inversion(cursor));
  return cursor.count({ kind: "unary", op: "not", operand, start, end: operand.end });
}
function comparison(cursor) {
  const first = binary2(cursor, 0);
  const operands = [first];
  const ops = [];
  for (let op = comparisonOperator(cursor); op; op = comparisonOperator(cursor)) {
    ops.push(op);
    operands.push(binary2(cursor, 0));
  }
  if (ops.length === 0) return first;
  const end = operands[operands.length - 1].end;
  return cursor.count({ kind: "comparison", ops, operands, start: first.start, end });
}
function comparisonOperator(cursor) {
  if (comparisons.has(cursor.token.text)) return cursor.take().text;
  if (cursor.accept("in")) return "in";
  if (cursor.accept("is")) return cursor.accept("not") ? "is not" : "is";
  if (!cursor.is("not")) return void 0;
  cursor.take();
  cursor.expect("in");
  return "not in";
}
function binary2(cursor, level) {
  if (level === binaryLevels.length) return factor(cursor);
  let left = binary2(cursor, level + 1);
  for (let length = 0; cursor.token.kind === "op"; length++) {
    const op = cursor.token.text;
    if (!binaryLevels[level].includes(op)) break;
    cursor.take();
    const right = binary2(cursor, level + 1);
    const { start } = left;
    left = cursor.count({ kind: "binary", op, left, right, start, end: right.end });
    checkChain(cursor, length, left);
  }
  return left;
}
function checkChain(cursor, length, place2) {
  if (length < limits.chain) return;
  cursor.fail("limit", `a chain of more than ${limits.chain} operations`, place2);
}
function factor(cursor) {
  const { text: text2, kind } = cursor.token;
  if (kind !== "op" || text2 !== "-" && text2 !== "+" && text2 !== "~") return power(cursor);
  const { start } = cursor.take();
  const operand = cursor.nested(() => factor(cursor));
  return cursor.count({ kind: "unary", op: text2, operand, start, end: operand.end });
}
function power(cursor) {
  const left = primary(cursor);
  if (!cursor.accept("**")) return left;
  const right = cursor.nested(() => factor(cursor));
  return cursor.count({
    kind: "binary",
    op: "**",
    left,
    right,
    start: left.start,
    end: right.end
  });
}
function primary(cursor) {
  if (cursor.is("await")) refuseKeywords(cursor);
  let object = atom(cursor);
  for (let length = 0; ; length++) {
    checkChain(cursor, length, object);
    if (cursor.is(".")) object = attribute2(cursor, object);
    else if (cursor.is("(")) object = call(cursor, object);
    else if (cursor.is("[")) object = subscript2(cursor, object);
    else return object;
  }
}
function attribute2(cursor, object) {
  cursor.take();
  const name = identifier(cursor);
  return cursor.count({ kind: "attribute", object, name, start: object.start, end: name.end });
}
function call(cursor, callee) {
  cursor.take();
  const given = cursor.nested(() => callArguments(cursor));
  const { end } = cursor.expect(")");
  return cursor.count({ kind: "call", callee, arguments: given, start: callee.start, end });
}
function subscript2(cursor, object) {
  cursor.take();
  const index = cursor.nested(() => subscriptIndex(cursor));
  cursor.expect("]");
  const end = cursor.previous.end;
  return cursor.count({ kind: "subscript", object, index, start: object.start, end });
}
function subscriptIndex(cursor) {
  const start = cursor.token.start;
  const items = [slice(cursor)];
  if (!cursor.is(",")) return items[0];
  while (cursor.accept(",") && !cursor.is("]")) items.push(slice(cursor));
  return cursor.count({ kind: "tuple", items, start, end: cursor.previous.end });
}
function slice(cursor) {
  const start = cursor.token.start;
  if (!cursor.is(":")) {
    const first = element(cursor);
    return cursor.is(":") && first.kind !== "starred" ? sliceParts(cursor, [first], start) : first;
  }
  return sliceParts(cursor, [void 0], start);
}
function sliceParts(cursor, parts, start) {
  while (parts.length < 3 && cursor.accept(":")) {
    parts.push(startsExpression(cursor) ? expression(cursor) : void 0);
  }
  return cursor.count({ kind: "slice", parts, start, end: cursor.previous.end });
}
function identifier(cursor) {
  if (!cursor.isName()) cursor.invalid();
  const { text: text2, start, end } = cursor.take();
  return cursor.count({ kind: "name", id: text2, start, end });
}
function atom(cursor) {
  const token = cursor.token;
  if (token.kind === "number") return number(cursor);
  if (token.kind === "string") return strings(cursor);
  if (token.kind === "name") return nameOrConstant(cursor);
  if (token.text === "(") return parenthesised(cursor);
  if (token.text === "[") return listDisplay(cursor);
  if (token.text === "{") return braces(cursor);
  if (token.text !== "...") cursor.invalid();
  const { start, end } = cursor.take();
  return cursor.count({ kind: "constant", value: "...", start, end });
}
function number(cursor) {
  const { text: text2, start, end } = cursor.take();
  const digits2 = text2.replaceAll("_", "");
  const imaginary = /[jJ]$/.test(digits2) && !/^0[xX]/.test(digits2);
  const value = Number(imaginary ? digits2.slice(0, -1) : digits2);
  return cursor.count({ kind: "number", value, imaginary, start, end });
}
function strings(cursor) {
  const { start } = cursor.token;
  const parts = [];
  while (cursor.token.kind === "string") parts.push(decodeString(cursor, cursor.take()));
  const { bytes } = parts[0];
  if (parts.some((part) => part.bytes !== bytes)) {
    const end = cursor.token;
    cursor.fail("invalid", "cannot mix bytes and nonbytes literals", end);
  }
  const value = parts.map((part) => part.value).join("");
  return cursor.count({ kind: "string", value, bytes, start, end: cursor.previous.end });
}
function nameOrConstant(cursor) {
  const { text: text2, start, end } = cursor.token;
  if (!keywords.has(text2)) return identifier(cursor);
  if (text2 !== "None" && text2 !== "True" && text2 !== "False") cursor.invalid();
  cursor.take();
  return cursor.count({ kind: "constant", value: text2, start, end });
}
function startsExpression(cursor) {
  const { kind, text: text2 } = cursor.token;
  if (kind === "number" || kind === "string") return true;
  if (kind === "op") return ["(", "[", "{", "-", "+", "~", "...", "*"].includes(text2);
  if (kind !== "name") return false;
  if (!keywords.has(text2)) return true;
  return ["None", "True", "False", "not", "lambda", "await", "yield"].includes(text2);
}

// src/lang/functions.ts
function functionDefinition(cursor, read) {
  const { start } = cursor.take();
  const name = identifier(cursor);
  cursor.expect("(");
  const parameters = parameterList(cursor);
  cursor.expect(")");
  if (cursor.accept("->")) expression(cursor);
  const end = cursor.previous.end;
  expectColon(cursor, true);
  const body = block(cursor, "function definition", start, read);
  return { kind: "def", name, parameters, body, start, end };
}
function parameterList(cursor) {
  const parameters = [];
  while (!cursor.is(")")) {
    refuseSeparators(cursor);
    parameters.push(parameter(cursor, parameters));
    if (!cursor.accept(",")) break;
  }
  return parameters;
}
function refuseSeparators(cursor) {
  const bare = cursor.is("*") && cursor.following?.kind !== "name";
  if (bare && cursor.following?.text === ")") {
    cursor.fail("invalid", "named arguments must follow bare *", cursor.token);
  }
  if (bare || cursor.is("/")) {
    const what = `\`${cursor.token.text}\` among parameters`;
    cursor.unsupported(what, cursor.token, "def gen_model(observed_data): takes one argument");
  }
}
function parameter(cursor, before) {
  const start = cursor.token.start;
  const last = before.at(-1);
  if (last?.form === "double_star") {
    cursor.fail("invalid", "arguments cannot follow var-keyword argument", cursor.token);
  }
  const stars = cursor.is("*") ? "star" : cursor.is("**") ? "double_star" : "plain";
  if (stars !== "plain") cursor.take();
  const name = identifier(cursor);
  if (cursor.accept(":")) expression(cursor);
  const value = stars === "plain" && cursor.accept("=") ? expression(cursor) : void 0;
  if (stars === "plain" && !value && last?.form === "plain" && last.default) {
    cursor.fail("invalid", "non-default argument follows default argument", name);
  }
  return { form: stars, name, default: value, start, end: cursor.previous.end };
}

// src/lang/imports.ts
function importStatement(cursor) {
  const { start, text: text2 } = cursor.take();
  const form = text2 === "from" ? "from" : "import";
  const imports2 = form === "from" ? fromImport(cursor) : plainImports(cursor);
  return { kind: "import", form, imports: imports2, start, end: cursor.previous.end };
}
function plainImports(cursor) {
  const imports2 = [];
  do {
    const module = dottedName(cursor);
    const name = cursor.accept("as") ? identifier(cursor).id : module.split(".")[0];
    imports2.push({ module, name });
  } while (cursor.accept(","));
  return imports2;
}
function dottedName(cursor) {
  let name = identifier(cursor).id;
  while (cursor.accept(".")) name += `.${identifier(cursor).id}`;
  return name;
}
function fromImport(cursor) {
  let module = "";
  while (cursor.is(".") || cursor.is("...")) module += cursor.take().text;
  if (!cursor.is("import") || module === "") module += dottedName(cursor);
  cursor.expect("import");
  if (cursor.accept("*")) return [{ module, name: "*" }];
  const parentheses = cursor.accept("(");
  const imports2 = [fromName(cursor, module)];
  while (cursor.accept(",")) {
    if (parentheses && cursor.is(")")) break;
    imports2.push(fromName(cursor, module));
  }
  if (parentheses) cursor.expect(")");
  return imports2;
}
function fromName(cursor, module) {
  const { id } = identifier(cursor);
  return { module: `${module}.${id}`, name: cursor.accept("as") ? identifier(cursor).id : id };
}

// src/lang/tree_rules.ts
function checkTree(statements2) {
  checkStatements2(statements2, { inFunction: false, inLoop: false });
}
function fail(code, message, place2, hint) {
  throw new SyntaxFailure(`syntax/${code}`, `Cannot parse: ${message}`, place2, hint);
}
function checkStatements2(statements2, around) {
  for (const statement of statements2) checkStatement2(statement, around);
}
function checkStatement2(s, around) {
  switch (s.kind) {
    case "return":
      if (!around.inFunction) fail("invalid", "'return' outside function", s);
      return checkValue(s.value);
    case "break":
      if (!around.inLoop) fail("invalid", "'break' outside loop", s);
      return;
    case "continue":
      if (!around.inLoop) fail("invalid", "'continue' not properly in loop", s);
      return;
    case "assign":
      s.targets.forEach(checkTarget2);
      return checkValue(s.value);
    case "expression":
      return checkValue(s.value);
    case "with":
      s.items.forEach(({ context }) => checkExpression(context));
      return checkStatements2(s.body, around);
    case "def":
      return checkFunction2(s);
    default:
      if ("bodies" in s) checkCompound(s, around);
  }
}
function checkValue(e) {
  if (!e) return;
  if (e.kind === "starred") fail("invalid", "can't use starred expression here", e);
  checkExpression(e);
}
function checkTarget2(e) {
  if (e.kind === "starred") {
    fail("assign-target", "starred assignment target must be in a list or tuple", e);
  }
  checkExpression(e);
}
function checkFunction2({ parameters, body }) {
  const seen = /* @__PURE__ */ new Set();
  for (const { name } of parameters) {
    if (seen.has(name.id)) {
      fail("invalid", `duplicate argument '${name.id}' in function definition`, name);
    }
    seen.add(name.id);
  }
  checkStatements2(body, { inFunction: true, inLoop: false });
}
function checkCompound(s, around) {
  s.expressions.forEach(checkExpression);
  const inLoop = around.inLoop || s.kind === "for" || s.kind === "while";
  const inside = s.kind === "class" ? { inFunction: false, inLoop: false } : { ...around, inLoop };
  s.bodies.forEach((body, i) => checkStatements2(body, i > 0 && s.kind !== "if" ? around : inside));
}
function checkExpression(root) {
  const pending = [root];
  for (let e = pending.pop(); e; e = pending.pop()) {
    if (e.kind === "call") checkKeywords(e.arguments);
    pending.push(...[...children(e)].reverse());
  }
}
function checkKeywords(given) {
  const seen = /* @__PURE__ */ new Set();
  for (const { keyword: keyword2, start, end } of given) {
    if (!keyword2) continue;
    if (seen.has(keyword2.id)) {
      const hint = `give ${keyword2.id} once`;
      fail("repeated-keyword", `keyword argument repeated: ${keyword2.id}`, { start, end }, hint);
    }
    seen.add(keyword2.id);
  }
}

// src/lang/with_statement.ts
function withStatement(cursor, read) {
  const { start } = cursor.take();
  const items = cursor.is("(") && cursor.attempt(() => parenthesised2(cursor)) || plain(cursor);
  const end = cursor.previous.end;
  expectColon(cursor);
  const body = block(cursor, "'with' statement", start, read);
  return { kind: "with", items, body, start, end };
}
function parenthesised2(cursor) {
  cursor.take();
  const items = [];
  while (!cursor.is(")")) {
    items.push(item(cursor));
    if (!cursor.accept(",")) break;
  }
  cursor.expect(")");
  if (!cursor.is(":") || items.length === 0) cursor.invalid();
  return items;
}
function plain(cursor) {
  const items = [item(cursor)];
  while (cursor.accept(",")) items.push(item(cursor));
  return items;
}
function item(cursor) {
  const context = expression(cursor);
  if (!cursor.accept("as")) return { context };
  const target = binary2(cursor, 0);
  checkTarget(cursor, target, false);
  return { context, target };
}

// src/lang/parser.ts
var augmented = new Set("+= -= *= /= //= %= @= &= |= ^= >>= <<= **=".split(" "));
var notInSubset2 = {
  assert: "leave it out",
  async: "leave it out: a program is not asynchronous",
  del: "leave it out, or use another name",
  global: "leave it out: names are visible where they are used",
  nonlocal: "leave it out: names are visible where they are used",
  raise: "leave it out",
  try: "leave it out: a program that fails is reported"
};
var rules = {
  import: importStatement,
  from: importStatement,
  with: (cursor) => withStatement(cursor, statements),
  def: (cursor) => functionDefinition(cursor, statements),
  class: classDefinition,
  if: ifStatement,
  while: whileStatement,
  for: forStatement,
  return: returnStatement,
  pass: simpleStatement,
  break: simpleStatement,
  continue: simpleStatement
};
var compound2 = /* @__PURE__ */ new Set(["with", "def", "class", "if", "while", "for"]);
function parse(source) {
  const cursor = new Cursor(source, tokenize(source));
  try {
    const program = file(cursor);
    checkTree(program);
    return { ok: true, statements: program };
  } catch (error2) {
    if (!(error2 instanceof SyntaxFailure)) throw error2;
    return { ok: false, failure: cursor.outranking(error2) };
  }
}
function file(cursor) {
  const program = [];
  while (cursor.token.kind !== "end") program.push(...statements(cursor));
  return program;
}
function statements(cursor) {
  const { text: text2, kind } = cursor.token;
  if (kind === "name" && compound2.has(text2)) return [cursor.count(rules[text2](cursor))];
  if (text2 === "@") {
    cursor.unsupported("a decorator", cursor.token, "leave it out");
  }
  const line = [simple(cursor)];
  while (cursor.accept(";") && cursor.token.kind !== "newline") line.push(simple(cursor));
  if (cursor.token.kind !== "newline") cursor.invalid();
  cursor.take();
  return line;
}
function simple(cursor) {
  const { text: text2, kind } = cursor.token;
  if (kind === "name" && Object.hasOwn(notInSubset2, text2)) {
    cursor.unsupported(`\`${text2}\``, cursor.token, notInSubset2[text2]);
  }
  const rule = kind === "name" && Object.hasOwn(rules, text2) ? rules[text2] : void 0;
  return cursor.count(rule && !compound2.has(text2) ? rule(cursor) : assignmentOrExpression(cursor));
}
function assignmentOrExpression(cursor) {
  const first = expressionList(cursor);
  if (cursor.is("=")) return assignment(cursor, first);
  if (augmented.has(cursor.token.text)) return augmentedAssignment(cursor, first);
  if (cursor.is(":")) return annotation(cursor, first);
  adviseLegacyCall(cursor, first);
  return { kind: "expression", value: first, start: first.start, end: first.end };
}
function adviseLegacyCall(cursor, first) {
  if (first.kind !== "name" || first.id !== "print" && first.id !== "exec") return;
  if (cursor.token.kind === "newline" || cursor.is(";") || cursor.is(",")) return;
  const message = `Missing parentheses in call to '${first.id}'. Did you mean ${first.id}(...)?`;
  cursor.fail("invalid", message, first);
}
function assignment(cursor, first) {
  const targets = [];
  let value = first;
  while (cursor.is("=")) {
    targets.push(value);
    const alone = targets.length === 1;
    if (!alone) checkTarget(cursor, value, false);
    cursor.take();
    if (alone) deferTarget(cursor, value);
    value = expressionList(cursor);
  }
  return { kind: "assign", form: "plain", targets, value, start: first.start, end: value.end };
}
function deferTarget(cursor, target) {
  const { index } = cursor;
  const next = cursor.attempt(() => expressionList(cursor));
  const alone = next !== void 0 && !cursor.is("=");
  cursor.index = index;
  checkTarget(cursor, target, alone);
}
function augmentedAssignment(cursor, target) {
  if (!["name", "attribute", "subscript"].includes(target.kind)) {
    const what = describeTarget(target);
    const message = `'${what}' is an illegal expression for augmented assignment`;
    cursor.fail("assign-target", message, target);
  }
  cursor.take();
  const value = expressionList(cursor);
  const { start } = target;
  return { kind: "assign", form: "augmented", targets: [target], value, start, end: value.end };
}
function annotation(cursor, target) {
  if (target.kind === "tuple" || target.kind === "list") {
    const message = `only single target (not ${target.kind}) can be annotated`;
    cursor.fail("assign-target", message, target);
  }
  const { start } = target;
  const colon = cursor.take();
  const type = expression(cursor);
  if (!["name", "attribute", "subscript"].includes(target.kind)) {
    cursor.fail("assign-target", "illegal target for annotation", { start, end: colon.start });
  }
  const value = cursor.accept("=") ? expressionList(cursor) : void 0;
  const end = (value ?? type).end;
  return { kind: "assign", form: "annotated", targets: [target], value, start, end };
}
function simpleStatement(cursor) {
  const { text: text2, start, end } = cursor.take();
  return { kind: text2, start, end };
}
function returnStatement(cursor) {
  const { start } = cursor.take();
  const bare = cursor.token.kind === "newline" || cursor.is(";");
  const value = bare ? void 0 : expressionList(cursor);
  return { kind: "return", value, start, end: cursor.previous.end };
}
function classDefinition(cursor) {
  const { start } = cursor.take();
  identifier(cursor);
  const end = cursor.previous.end;
  if (cursor.is("(")) cursor.unsupported("a base class", cursor.token, "leave the class out");
  expectColon(cursor);
  const bodies = [block(cursor, "class definition", start, statements)];
  return { kind: "class", expressions: [], bodies, start, end };
}
function ifStatement(cursor) {
  const { start, text: text2, end } = cursor.take();
  const test = condition(cursor);
  const bodies = [block(cursor, `'${text2}' statement`, start, statements)];
  if (cursor.is("elif")) bodies.push([ifStatement(cursor)]);
  else bodies.push(...elseBlock(cursor));
  return { kind: "if", expressions: [test], bodies, start, end };
}
function whileStatement(cursor) {
  const { start, end } = cursor.take();
  const test = condition(cursor);
  const bodies = [block(cursor, "'while' statement", start, statements), ...elseBlock(cursor)];
  return { kind: "while", expressions: [test], bodies, start, end };
}
function condition(cursor) {
  const test = expression(cursor);
  if (cursor.is(":=")) {
    cursor.unsupported("`:=`", cursor.token, "assign with = on a line of its own");
  }
  if (cursor.is("=")) refuseAssignmentInTest(cursor, test);
  expectColon(cursor);
  return test;
}
function refuseAssignmentInTest(cursor, test) {
  if (test.kind !== "name") checkTarget(cursor, test, true);
  const message = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";
  cursor.fail("invalid", message, test);
}
function forStatement(cursor) {
  const { start, end } = cursor.take();
  const target = forTarget(cursor);
  cursor.expect("in");
  const over = expressionList(cursor);
  expectColon(cursor);
  const bodies = [block(cursor, "'for' statement", start, statements), ...elseBlock(cursor)];
  return { kind: "for", expressions: [target, over], bodies, start, end };
}
function forTarget(cursor) {
  if (!cursor.isName()) {
    const literal2 = cursor.token.kind === "number" || cursor.token.kind === "string";
    if (literal2) cursor.fail("assign-target", "cannot assign to literal", cursor.token);
    if (!cursor.is("(")) cursor.invalid();
    cursor.unsupported("a target in parentheses", cursor.token, "leave the loop out");
  }
  const items = [identifier(cursor)];
  if (cursor.is(".") || cursor.is("[")) {
    cursor.unsupported("this loop's target", items[0], "leave the loop out");
  }
  while (cursor.accept(",") && !cursor.is("in")) items.push(identifier(cursor));
  const { start } = items[0];
  return items.length === 1 ? items[0] : { kind: "tuple", items, start, end: cursor.previous.end };
}
function elseBlock(cursor) {
  if (!cursor.is("else")) return [];
  const { start } = cursor.take();
  expectColon(cursor);
  return [block(cursor, "'else' statement", start, statements)];
}

// src/lang/check.ts
function checkProgram(text2, dataset, file2 = "program.py") {
  const source = new Source(text2, file2);
  const tooLarge = checkSize(source);
  if (tooLarge) return { ok: false, diagnostics: [tooLarge.toDiagnostic(source)] };
  const parsed = parse(source);
  if (!parsed.ok) return { ok: false, diagnostics: [parsed.failure.toDiagnostic(source)] };
  const checking = new Checking(source, dataset);
  checkModule(checking, parsed.statements);
  return finish(checking);
}
function checkSize(source) {
  const { text: text2, lines } = source;
  const bytes = text2.length > limits.bytes ? text2.length : new TextEncoder().encode(text2).length;
  if (bytes > limits.bytes) {
    const message2 = `Cannot read the program: more than ${limits.bytes} bytes`;
    return new SyntaxFailure("syntax/limit", message2, { start: 0, end: 1 });
  }
  if (lines <= limits.lines + 1) return checkCharacters(text2);
  const message = `Cannot read the program: more than ${limits.lines} lines`;
  return new SyntaxFailure("syntax/limit", message, { start: 0, end: 1 });
}
function checkCharacters(text2) {
  const zero = text2.indexOf("\0");
  if (zero >= 0) {
    const message2 = "Cannot parse: source code string cannot contain null bytes";
    return new SyntaxFailure("syntax/character", message2, { start: zero, end: zero + 1 });
  }
  const lone = text2.search(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
  );
  if (lone >= 0) {
    const message2 = "Cannot parse: half of a surrogate pair";
    return new SyntaxFailure("syntax/character", message2, { start: lone, end: lone + 1 });
  }
  const cookie = /^(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)/.exec(text2);
  if (!cookie || /^utf-?8$/i.test(cookie[1])) return void 0;
  const message = `Cannot read the encoding ${cookie[1]}: programs are UTF-8`;
  const place2 = { start: cookie[0].length - cookie[1].length, end: cookie[0].length };
  return new SyntaxFailure("unsupported/encoding", message, place2, "leave the coding line out");
}
function finish(checking) {
  for (const value of checking.derived) {
    if (!value.reported) checking.refuseResponse(value, value.place);
  }
  const { findings, likelihood } = checking;
  if (!checking.observedSeen && !checking.excused) refuseUnobserved(checking);
  const { diagnostics } = findings;
  if (findings.errors > 0 || !likelihood) return { ok: false, diagnostics };
  const program = canonicalise(checking.graph, checking, likelihood);
  for (const unused of program.unused) {
    const name = checking.parameters[unused].name;
    const message = `"${name}" has no influence on the likelihood`;
    const place2 = checking.parameterPlaces[unused];
    findings.warning("names/unused-variable", message, place2, "leave it out");
  }
  return { ok: true, program: { ...program.checked, diagnostics } };
}
function refuseUnobserved(checking) {
  const name = checking.response?.name;
  const place2 = checking.modelPlace ?? { start: 0, end: 0 };
  const message = checking.modelPlace ? "Cannot score the program: no variable is observed" : "Cannot score the program: it has no model";
  const hint = checking.modelPlace ? `give the likelihood observed=data["${name ?? "response"}"]` : "write `with pm.Model() as model:`";
  checking.error(checking.modelPlace ? "lh/unobserved" : "names/no-model", message, place2, hint);
}

// src/infer/pooled_adaptations.ts
function pooledAdaptations(set) {
  const { draws, dimension, adaptations } = set;
  const levels = adaptations.map((_, c) => meanLevel(set, c));
  const top = Math.max(...levels);
  const best = levels.indexOf(top);
  const kept2 = levels.map((level) => level >= top - 20 - 2 * dimension);
  const metric = pooledMetric(set, kept2) ?? adaptations[best].metric;
  const half = (best * draws + (draws >> 1)) * dimension;
  const rescue = set.positions.slice(half, half + dimension);
  return adaptations.map((own, c) => {
    const { position, stepSize } = kept2[c] ? own : { ...adaptations[best], position: rescue };
    return { metric, stepSize, position, stream: own.stream };
  });
}
function meanLevel(set, c) {
  let sum2 = 0;
  for (let s = c * set.draws; s < (c + 1) * set.draws; s++) sum2 += set.logDensities[s];
  return sum2 / set.draws;
}
function pooledMetric(set, kept2) {
  const { chains, draws, dimension } = set;
  const estimator = new CovarianceEstimator(dimension, dimension <= maxDenseDimension);
  for (let s = 0; s < chains * draws; s++) {
    if (kept2[Math.floor(s / draws)]) estimator.add(set.positions, s * dimension);
  }
  const estimate = estimator.regularised(new Float64Array(dimension));
  return estimator.dense ? chooseMetric(estimate, dimension, true) : diagonalMetric(estimate);
}

// src/infer/diagnostics.ts
function convergence(values, chains) {
  const split = splitChains(values, chains);
  if (!isUsable2(split)) return { rhat: NaN, essBulk: NaN, essTail: NaN, essMean: NaN };
  const z = normalScores(split.values);
  return {
    rhat: rhatOfScores(split, z),
    essBulk: essOf(z, split.chains),
    essTail: tailEss(values, chains),
    essMean: essOf(split.values, split.chains)
  };
}
function mixingOf(values, chains) {
  const split = splitChains(values, chains);
  if (!isUsable2(split)) return { rhat: NaN, essBulk: NaN };
  const z = normalScores(split.values);
  return { rhat: rhatOfScores(split, z), essBulk: essOf(z, split.chains) };
}
function essMean(values, chains) {
  const split = splitChains(values, chains);
  return isUsable2(split) ? essOf(split.values, split.chains) : NaN;
}
function splitChains(values, chains) {
  const draws = values.length / chains;
  const half = Math.floor(draws / 2);
  const out = new Float64Array(2 * chains * half);
  for (let c = 0; c < chains; c++) {
    const first = c * draws;
    const second = first + draws - half;
    out.set(values.subarray(first, first + half), c * half);
    out.set(values.subarray(second, second + half), (chains + c) * half);
  }
  return { values: out, chains: 2 * chains };
}
function isUsable2(split) {
  if (split.values.length < 2 * split.chains) return false;
  for (const v of split.values) if (!(Math.abs(v) < Infinity)) return false;
  return true;
}
function rhatOfScores(split, scores2) {
  const middle = quantileOfSorted(split.values.slice().sort(), 0.5);
  const folded = split.values.slice();
  for (let i = 0; i < folded.length; i++) folded[i] = Math.abs(folded[i] - middle);
  return Math.max(plainRhat(scores2, split.chains), plainRhat(normalScores(folded), split.chains));
}
function plainRhat(values, chains) {
  const { within, between, draws } = chainVariances(values, chains);
  return Math.sqrt((draws * between / within + draws - 1) / draws);
}
function chainVariances(values, chains) {
  const draws = values.length / chains;
  const means = chainMeans(values, chains);
  let within = 0;
  for (let c = 0, i = 0; c < chains; c++) {
    for (const end = i + draws; i < end; i++) {
      within += (values[i] - means[c]) * (values[i] - means[c]);
    }
  }
  return { within: within / (draws - 1) / chains, between: varianceOf(means), draws, means };
}
function chainMeans(values, chains) {
  const draws = values.length / chains;
  const means = new Float64Array(chains);
  for (let c = 0, i = 0; c < chains; c++) {
    let sum2 = 0;
    for (const end = i + draws; i < end; i++) sum2 += values[i];
    means[c] = sum2 / draws;
  }
  return means;
}
function varianceOf(values) {
  if (values.length < 2) return 0;
  let mean2 = 0;
  for (const v of values) mean2 += v / values.length;
  let square3 = 0;
  for (const v of values) square3 += (v - mean2) * (v - mean2);
  return square3 / (values.length - 1);
}
function normalScores(values) {
  const n = values.length;
  const sorted = values.slice().sort();
  const distinct = blomScores(n);
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const first = lowerBound(sorted, values[i]);
    out[i] = first + 1 < n && sorted[first + 1] === values[i] ? tiedScore(sorted, first) : distinct[first];
  }
  return out;
}
function tiedScore(sorted, first) {
  let end = first + 1;
  while (end < sorted.length && sorted[end] === sorted[first]) end++;
  return normalQuantile((0.5 * (first + 1 + end) - 0.375) / (sorted.length + 0.25));
}
var scores = new Float64Array(0);
function blomScores(n) {
  if (scores.length !== n) {
    scores = Float64Array.from({ length: n }, (_, r) => normalQuantile((r + 0.625) / (n + 0.25)));
  }
  return scores;
}
function lowerBound(sorted, value) {
  let base = 0;
  for (let length = sorted.length; length > 1; ) {
    const half = length >>> 1;
    if (sorted[base + half - 1] < value) base += half;
    length -= half;
  }
  return base;
}
function quantileOfSorted(sorted, p) {
  const place2 = sorted.length * p + 1 - p;
  const k = Math.floor(Math.min(Math.max(place2, 1), sorted.length - 1));
  const gamma3 = Math.min(Math.max(place2 - k, 0), 1);
  return (1 - gamma3) * sorted[k - 1] + gamma3 * sorted[Math.min(k, sorted.length - 1)];
}
function tailEss(values, chains) {
  const sorted = values.slice().sort();
  const of = (p) => {
    const q = quantileOfSorted(sorted, p);
    const split = splitChains(values.map((v) => v <= q ? 1 : 0), chains);
    return essOf(split.values, split.chains);
  };
  return Math.min(of(0.05), of(0.95));
}
function essOf(values, chains) {
  const n = values.length;
  const draws = n / chains;
  if (isConstant(values)) return n;
  const centred2 = values.slice();
  const means = chainMeans(values, chains);
  for (let c = 0, i = 0; c < chains; c++) {
    for (let s = 0; s < draws; s++, i++) centred2[i] -= means[c];
  }
  const within = meanAutocovariance(centred2, chains, 0) * draws / (draws - 1);
  const total = within * (draws - 1) / draws + varianceOf(means);
  const rho = (lag) => 1 - (within - meanAutocovariance(centred2, chains, lag)) / total;
  const tau = autocorrelationTime(rho, draws);
  return n / Math.max(tau, 2.302585092994046 / log(n));
}
function isConstant(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return high - low < 1e-15;
}
function meanAutocovariance(centred2, chains, lag) {
  const draws = centred2.length / chains;
  let sum2 = 0;
  for (let c = 0; c < chains; c++) {
    let a = 0;
    let b = 0;
    const end = (c + 1) * draws - lag;
    let i = c * draws;
    for (; i + 1 < end; i += 2) {
      a += centred2[i] * centred2[i + lag];
      b += centred2[i + 1] * centred2[i + 1 + lag];
    }
    if (i < end) a += centred2[i] * centred2[i + lag];
    sum2 += a + b;
  }
  return sum2 / draws / chains;
}
function autocorrelationTime(rho, draws) {
  const kept2 = [1, rho(1)];
  let even = 1;
  let odd = kept2[1];
  let t = 1;
  for (; t < draws - 3 && even + odd > 0; t += 2) {
    even = rho(t + 1);
    odd = rho(t + 2);
    kept2.push(even + odd >= 0 ? even : 0, even + odd >= 0 ? odd : 0);
  }
  const last = t - 2;
  if (even > 0) kept2[last + 1] = even;
  for (let i = 1; i <= last - 2; i += 2) {
    const before = kept2[i - 1] + kept2[i];
    if (kept2[i + 1] + kept2[i + 2] > before) kept2[i + 1] = kept2[i + 2] = before / 2;
  }
  let sum2 = 0;
  for (let i = 0; i <= last; i++) sum2 += kept2[i];
  return -1 + 2 * sum2 + (kept2[last + 1] ?? 0);
}

// src/loo/control_variates.ts
var drawsPerRegressor = 5;
var maxPairDimension = 12;
var ControlVariates = class {
  /** Draws of all chains. */
  draws;
  /** How many regressors there are. */
  count;
  #chains;
  /** Centred, with mean square 1, `[count, draws]`. */
  #columns;
  /** What centring took off: the estimates of 0. */
  #means;
  /** Cholesky factor of the correlations of the columns. */
  #factor;
  /** Builds the regressors of a chain set and factorises their correlations. */
  constructor(set) {
    this.draws = set.chains * set.draws;
    this.#chains = set.chains;
    const pairs = choosePairs(set.dimension, this.draws);
    const fitted = pairs && (fitColumns(set, pairs) ?? fitColumns(set, []));
    this.#columns = fitted?.columns ?? new Float64Array(0);
    this.#means = fitted?.means ?? new Float64Array(0);
    this.#factor = fitted?.factor ?? new Float64Array(0);
    this.count = this.#means.length;
  }
  /** Least-squares slopes of the function `values[offset .. offset + draws)` of the draws. */
  slopes(values, offset = 0) {
    const out = new Float64Array(this.count);
    for (let k = 0; k < this.count; k++) {
      out[k] = dotRange(this.#columns, k * this.draws, values, offset, this.draws) / this.draws;
    }
    solveLower(this.#factor, this.count, out);
    solveUpper(this.#factor, this.count, out);
    return out;
  }
  /** What a function with these slopes has to be corrected by. */
  correction(slopes) {
    return -dotRange(slopes, 0, this.#means, 0, this.count);
  }
  /**
   * Correction and standard error of the mean of `values` `[draws]`; pass the slopes if they are
   * known. The error is that of the residuals, enlarged for the slopes fitted.
   */
  correct(values, slopes = this.slopes(values)) {
    const rest = Float64Array.from(values);
    for (let k = 0; k < this.count; k++) {
      const column2 = k * this.draws;
      for (let s = 0; s < this.draws; s++) rest[s] -= slopes[k] * this.#columns[column2 + s];
    }
    const freedom = (this.draws - 1) / Math.max(1, this.draws - 1 - this.count);
    return {
      correction: this.correction(slopes),
      mcse: monteCarloError(rest, this.#chains) * Math.sqrt(freedom)
    };
  }
};
function monteCarloError(values, chains) {
  const n = values.length;
  let mean2 = 0;
  for (const v of values) mean2 += v;
  mean2 /= n;
  let square3 = 0;
  for (const v of values) square3 += (v - mean2) * (v - mean2);
  return square3 === 0 ? 0 : Math.sqrt(square3 / (n - 1) / essMean(values, chains));
}
function choosePairs(d, draws) {
  const room = Math.floor(draws / drawsPerRegressor);
  if (d > room) return void 0;
  const squares = Array.from({ length: d }, (_, i) => [i, i]);
  if (2 * d > room) return [];
  if (d > maxPairDimension || d + d * (d + 1) / 2 > room) return squares;
  return squares.flatMap(([i]) => Array.from({ length: i + 1 }, (_, j) => [i, j]));
}
function fitColumns(set, pairs) {
  const draws = set.chains * set.draws;
  const count = set.dimension + pairs.length;
  const columns = rawColumns(set, pairs);
  const means = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    if (!standardise(columns, k * draws, draws, means, k)) return void 0;
  }
  const factor2 = new Float64Array(count * count);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      factor2[i * count + j] = dotRange(columns, i * draws, columns, j * draws, draws) / draws;
    }
    factor2[i * count + i] += 1e-10;
  }
  return cholesky(factor2, count) ? { columns, means, factor: factor2 } : void 0;
}
function rawColumns(set, pairs) {
  const d = set.dimension;
  const draws = set.chains * set.draws;
  const columns = new Float64Array((d + pairs.length) * draws);
  const q = new Float64Array(d * draws);
  for (let j = 0; j < d; j++) {
    for (let s = 0; s < draws; s++) q[j * draws + s] = set.positions[s * d + j];
    const scale = standardise(q, j * draws, draws);
    for (let s = 0; s < draws; s++) columns[j * draws + s] = set.gradients[s * d + j] * scale;
  }
  for (const [p, [j, k]] of pairs.entries()) {
    const at = (d + p) * draws;
    const constant2 = j === k ? 2 : 0;
    for (let s = 0; s < draws; s++) {
      const a = j * draws + s;
      const b = k * draws + s;
      columns[at + s] = q[a] * columns[b] + q[b] * columns[a] + constant2;
    }
  }
  return columns;
}
function standardise(values, offset, length, means, k = 0) {
  let mean2 = 0;
  for (let s = 0; s < length; s++) mean2 += values[offset + s];
  mean2 /= length;
  let square3 = 0;
  for (let s = 0; s < length; s++) {
    values[offset + s] -= mean2;
    square3 += values[offset + s] * values[offset + s];
  }
  const scale = Math.sqrt(square3 / length);
  if (!(scale > 0 && scale < Infinity)) return 0;
  const inverse = 1 / scale;
  for (let s = 0; s < length; s++) values[offset + s] *= inverse;
  if (means) means[k] = mean2 * inverse;
  return scale;
}
function dotRange(a, i, b, j, length) {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s = 0;
  for (; s + 4 <= length; s += 4) {
    s0 += a[i + s] * b[j + s];
    s1 += a[i + s + 1] * b[j + s + 1];
    s2 += a[i + s + 2] * b[j + s + 2];
    s3 += a[i + s + 3] * b[j + s + 3];
  }
  for (; s < length; s++) s0 += a[i + s] * b[j + s];
  return s0 + s1 + (s2 + s3);
}

// src/loo/bridge.ts
function bridge(logA, logB) {
  const shareA = logA.length / (logA.length + logB.length);
  let low = Infinity;
  let high = -Infinity;
  for (const values of [logA, logB]) {
    for (const v of values) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  let logRatio = 0.5 * (low + high);
  for (let i = 0; i < 100 && high - low > 1e-12 * (1 + Math.abs(logRatio)); i++) {
    const { excess, slope: slope2 } = balance(logA, logB, shareA, logRatio);
    if (Math.abs(excess) < 1e-13) break;
    if (excess >= 0) low = logRatio;
    if (excess <= 0) high = logRatio;
    const newton = logRatio + excess / slope2;
    logRatio = newton > low && newton < high ? newton : 0.5 * (low + high);
  }
  return withInfluence(logA, logB, shareA, logRatio);
}
function termA(logR, shareA) {
  return 1 / (shareA * exp(-logR) + 1 - shareA);
}
function termB(logR, shareA) {
  return 1 / (shareA + (1 - shareA) * exp(logR));
}
function balance(logA, logB, shareA, logRatio) {
  let excess = 0;
  let slope2 = 0;
  for (const v of logA) {
    const f = termA(v - logRatio, shareA) / logA.length;
    excess += f;
    slope2 += shareA * f * termB(v - logRatio, shareA);
  }
  for (const v of logB) {
    const h = termB(v - logRatio, shareA) / logB.length;
    excess -= h;
    slope2 += (1 - shareA) * h * termA(v - logRatio, shareA);
  }
  return { excess, slope: slope2 };
}
function withInfluence(logA, logB, shareA, logRatio) {
  const { slope: slope2 } = balance(logA, logB, shareA, logRatio);
  const influenceA = centred(logA.map((v) => termA(v - logRatio, shareA) / slope2));
  const influenceB = centred(logB.map((v) => -termB(v - logRatio, shareA) / slope2));
  return { logRatio, influenceA, influenceB };
}
function centred(values) {
  let mean2 = 0;
  for (const v of values) mean2 += v / values.length;
  return values.map((v) => v - mean2);
}

// src/loo/posterior.ts
function pointwiseLogLikelihood(density, set) {
  const draws = set.chains * set.draws;
  const { observations } = density;
  const out = new Float64Array(draws * observations);
  for (let s = 0; s < draws; s++) {
    density.logLikelihood(set.positions, s * set.dimension, out, s * observations);
  }
  return out;
}
function coordinate(set, k) {
  const out = new Float64Array(set.chains * set.draws);
  for (let s = 0; s < out.length; s++) out[s] = set.positions[s * set.dimension + k];
  return out;
}
var maxQuantities = 128;
function relativeEfficiency(density, set) {
  if (set.chains === 1) return 1;
  const draws = set.chains * set.draws;
  const count = density.quantities.length;
  const columns = count > 0 && count <= maxQuantities ? quantityColumns(density, set) : Array.from({ length: set.dimension }, (_, k) => coordinate(set, k));
  let sum2 = 0;
  for (const column2 of columns) sum2 += essMean(column2, set.chains);
  const efficiency = sum2 / columns.length / draws;
  return efficiency > 1 / draws ? efficiency : 1 / draws;
}
function quantityColumns(density, set) {
  const draws = set.chains * set.draws;
  const row = new Float64Array(density.quantities.length);
  const columns = density.quantities.map(() => new Float64Array(draws));
  for (let s = 0; s < draws; s++) {
    density.constrain(set.positions, s * set.dimension, row, 0);
    for (let k = 0; k < row.length; k++) columns[k][s] = row[k];
  }
  return columns;
}
function mixing(set) {
  let rhatMax = 1;
  let essBulkMin = set.chains * set.draws;
  for (let k = 0; k < set.dimension; k++) {
    const { rhat: r, essBulk: ess } = mixingOf(coordinate(set, k), set.chains);
    if (!(r <= rhatMax)) rhatMax = r === r ? r : Infinity;
    if (!(ess >= essBulkMin)) essBulkMin = ess === ess ? ess : 0;
  }
  return {
    rhatMax,
    essBulkMin,
    divergent: countDivergences(set) / (set.chains * set.draws),
    stuck: isStuck(set)
  };
}
function isStuck(set) {
  const d = set.dimension;
  for (let c = 0; c < set.chains; c++) {
    let moves = 0;
    for (let s = c * set.draws + 1; s < (c + 1) * set.draws; s++) {
      if (set.positions[s * d] !== set.positions[(s - 1) * d]) moves += 1;
    }
    if (moves < 0.1 * (set.draws - 1)) return true;
  }
  return false;
}

// src/loo/exact.ts
var warmTune = 30;
var mixedRhat = 1.05;
function* refitWithout(full, i, settings, key, budget) {
  const rest = full.density.without(i);
  let result = yield* sampleWithout(rest, i, full.chainSet, settings, key, budget);
  while (result.kind === "chains") {
    const set = result.chainSet;
    const estimate = bridgeBetween(full, i, set);
    const draws = 2 * set.draws;
    const affordable = budget.used + 1.2 * set.gradientEvaluations <= settings.softLimit;
    if (estimate.mcse <= settings.targetMcse || draws > settings.maxDraws || !affordable) {
      return { kind: "refit", ...estimate, rhatMax: mixing(set).rhatMax, draws: set.draws };
    }
    result = yield* continueChains(rest, set, draws, budget);
  }
  return result;
}
function* sampleWithout(rest, i, full, settings, key, budget) {
  const { chains, adaptations: warmStart } = full;
  const warm = { chains, tune: warmTune, draws: settings.draws, warmStart };
  const result = yield* sampleChains(rest, warm, [...key, "without", i], budget);
  if (result.kind !== "chains" || mixing(result.chainSet).rhatMax <= mixedRhat) return result;
  const fresh = { chains, tune: 100, draws: 2 * settings.draws };
  const again = yield* sampleChains(rest, fresh, [...key, "without", i, "fresh"], budget);
  if (again.kind !== "chains" || mixing(again.chainSet).rhatMax <= mixedRhat) return again;
  const cold = { chains, tune: 500, draws: 1e3, targetAcceptance: 0.95 };
  return yield* sampleChains(rest, cold, [...key, "without", i, "cold"], budget);
}
function bridgeBetween(full, i, set) {
  const n = full.density.observations;
  const draws = set.chains * set.draws;
  const row = new Float64Array(n);
  const without = new Float64Array(draws);
  for (let s = 0; s < draws; s++) {
    full.density.logLikelihood(set.positions, s * set.dimension, row, 0);
    without[s] = row[i];
  }
  const fullDraws = full.chainSet.chains * full.chainSet.draws;
  const within = Float64Array.from({ length: fullDraws }, (_, s) => full.logLikelihood[s * n + i]);
  const { logRatio, influenceA, influenceB } = bridge(without, within);
  const { correction, mcse } = new ControlVariates(set).correct(influenceA);
  return { elpd: logRatio + correction, influence: influenceB, mcse };
}

// src/math/log_sum_exp.ts
function logSumExp(values, offset = 0, length = values.length - offset, stride = 1) {
  let largest = -Infinity;
  const end = offset + length * stride;
  for (let i = offset; i < end; i += stride) {
    if (!(values[i] <= largest)) largest = values[i];
  }
  if (!(largest > -Infinity && largest < Infinity)) return largest;
  let sum2 = 0;
  for (let i = offset; i < end; i += stride) sum2 += exp(values[i] - largest);
  return largest + log(sum2);
}

// src/loo/pareto.ts
var priorWeight = 10;
var priorK = 0.5;
var logLikelihood = new Float64Array(64);
var grid = new Float64Array(64);
function fitPareto(x) {
  const n = x.length;
  const m = 30 + Math.floor(Math.sqrt(n));
  if (grid.length < m) {
    grid = new Float64Array(m);
    logLikelihood = new Float64Array(m);
  }
  const scale = 3 * x[Math.floor(n / 4 + 0.5) - 1];
  let largest = -Infinity;
  for (let j = 0; j < m; j++) {
    const b2 = (1 - Math.sqrt(m / (j + 0.5))) / scale + 1 / x[n - 1];
    const k2 = meanLog1m(x, b2);
    grid[j] = b2;
    logLikelihood[j] = n * (log(-b2 / k2) - k2 - 1);
    if (logLikelihood[j] > largest) largest = logLikelihood[j];
  }
  const b = posteriorMean(m, largest);
  const k = meanLog1m(x, b);
  return { k: (n * k + priorWeight * priorK) / (n + priorWeight), sigma: -k / b };
}
function posteriorMean(m, largest) {
  let total = 0;
  for (let j = 0; j < m; j++) {
    logLikelihood[j] = exp(logLikelihood[j] - largest);
    total += logLikelihood[j];
  }
  const negligible = 10 * 2220446049250313e-31 * total;
  let kept2 = 0;
  let sum2 = 0;
  for (let j = 0; j < m; j++) {
    if (!(logLikelihood[j] >= negligible)) continue;
    kept2 += logLikelihood[j];
    sum2 += logLikelihood[j] * grid[j];
  }
  return sum2 / kept2;
}
function meanLog1m(x, b) {
  const n = x.length;
  let sum2 = 0;
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    const product = (1 - b * x[i]) * (1 - b * x[i + 1]) * ((1 - b * x[i + 2]) * (1 - b * x[i + 3])) * ((1 - b * x[i + 4]) * (1 - b * x[i + 5]) * ((1 - b * x[i + 6]) * (1 - b * x[i + 7])));
    sum2 += product > 1e-250 && product < 1e250 ? log(product) : sumLog1m(x, b, i, i + 8);
  }
  return (sum2 + sumLog1m(x, b, i, n)) / n;
}
function sumLog1m(x, b, begin2, end) {
  let sum2 = 0;
  for (let i = begin2; i < end; i++) sum2 += log1p(-b * x[i]);
  return sum2;
}
function paretoQuantile(logTail, k, sigma) {
  return Math.abs(k) < 2220446049250313e-31 ? -sigma * logTail : sigma * expm1(-k * logTail) / k;
}

// src/loo/quickselect.ts
function quickselect(values, length, k) {
  let left = 0;
  let right = length - 1;
  while (left < right) {
    const pivot = medianOfThree(values[left], values[left + right >>> 1], values[right]);
    let i = left - 1;
    let j = right + 1;
    for (; ; ) {
      do
        i++;
      while (values[i] < pivot);
      do
        j--;
      while (values[j] > pivot);
      if (i >= j) break;
      const swapped = values[i];
      values[i] = values[j];
      values[j] = swapped;
    }
    if (k <= j) right = j;
    else left = j + 1;
  }
}
function medianOfThree(a, b, c) {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

// src/loo/psis.ts
function goodParetoK(draws) {
  return Math.min(1 - 2.302585092994046 / log(draws), 0.7);
}
function psisLoo(logLikelihood2, draws, observations, rEff) {
  const smoother = new Smoother(draws, tailLength(draws, rEff));
  const out = {
    elpdPointwise: new Float64Array(observations),
    lppdPointwise: new Float64Array(observations),
    paretoK: new Float64Array(observations),
    influence: new Float64Array(observations * draws)
  };
  const weights = new Float64Array(observations * draws);
  for (let i = 0; i < observations; i++) {
    const at = i * draws;
    const one2 = smoother.smooth(
      logLikelihood2,
      i,
      observations,
      weights.subarray(at, at + draws),
      out.influence.subarray(at, at + draws)
    );
    out.elpdPointwise[i] = one2.elpd;
    out.lppdPointwise[i] = one2.lppd;
    out.paretoK[i] = one2.k;
  }
  const view = (i) => weights.subarray(i * draws, (i + 1) * draws);
  return {
    draws,
    observations,
    ...out,
    ...totals(out.elpdPointwise, out.lppdPointwise),
    goodK: goodParetoK(draws),
    weights: view
  };
}
function totals(elpd, lppd) {
  const n = elpd.length;
  let elpdLoo2 = 0;
  let pLoo = 0;
  for (let i = 0; i < n; i++) {
    elpdLoo2 += elpd[i];
    pLoo += lppd[i] - elpd[i];
  }
  let square3 = 0;
  for (const e of elpd) square3 += (e - elpdLoo2 / n) * (e - elpdLoo2 / n);
  return { elpdLoo: elpdLoo2, pLoo, se: Math.sqrt(square3) };
}
function tailLength(draws, rEff) {
  return draws * rEff > 225 ? Math.floor(3 * Math.sqrt(draws / rEff)) : Math.floor(draws / 5);
}
var Smoother = class {
  #draws;
  #ratios;
  #scratch;
  #tail;
  #smoothed;
  #taken;
  #exceedances;
  /** log(1 − p) at the probabilities (j − ½) / length. */
  #logTails;
  constructor(draws, tail) {
    this.#draws = draws;
    this.#ratios = new Float64Array(draws);
    this.#scratch = new Float64Array(draws);
    this.#tail = this.#scratch.subarray(draws - tail);
    this.#smoothed = new Float64Array(tail);
    this.#taken = new Uint32Array(tail);
    this.#exceedances = new Float64Array(tail);
    this.#logTails = new Float64Array(tail);
    for (let j = 0; j < tail; j++) this.#logTails[j] = log1p(-(j + 0.5) / tail);
  }
  /** Fills weights and influence of observation `i` and returns its estimates. */
  smooth(logLikelihood2, i, stride, weights, influence) {
    const draws = this.#draws;
    const lowest = this.#fillRatios(logLikelihood2, i, stride);
    const k = this.#smoothTail();
    let weightSum = 0;
    let densitySum = 0;
    let likelihoodSum = 0;
    for (let s = 0; s < draws; s++) {
      const ratio = this.#ratios[s];
      const weight = this.#weightOf(ratio);
      const density = weight === ratio ? 1 : weight / ratio;
      weights[s] = weight;
      influence[s] = density;
      likelihoodSum += 1 / ratio;
      weightSum += weight;
      densitySum += density;
    }
    const weightScale = 1 / weightSum;
    const densityScale = draws / densitySum;
    for (let s = 0; s < draws; s++) {
      weights[s] *= weightScale;
      influence[s] = influence[s] * densityScale - draws * weights[s];
    }
    const lppd = likelihoodSum < Infinity ? lowest + log(likelihoodSum / draws) : logSumExp(logLikelihood2, i, draws, stride) - log(draws);
    return { elpd: lowest + log(densitySum / weightSum), lppd, k };
  }
  /** Ratios 1 / likelihood, scaled to a maximum of 1; returns the lowest log likelihood. */
  #fillRatios(logLikelihood2, i, stride) {
    let lowest = Infinity;
    const end = i + this.#draws * stride;
    for (let at = i; at < end; at += stride) {
      if (logLikelihood2[at] < lowest) lowest = logLikelihood2[at];
    }
    for (let s = 0, at = i; at < end; s++, at += stride) {
      this.#ratios[s] = exp(lowest - logLikelihood2[at]);
    }
    return lowest;
  }
  /** Prepares the smoothed tail; returns k. Without a fit the tail stays as it is. */
  #smoothTail() {
    const length = this.#tail.length;
    this.#taken.fill(0);
    if (length < 5) {
      this.#tail.fill(Infinity);
      return Infinity;
    }
    this.#scratch.set(this.#ratios);
    const cutIndex = this.#draws - length - 1;
    quickselect(this.#scratch, this.#draws, cutIndex);
    const cutoff = this.#scratch[cutIndex];
    this.#tail.sort();
    this.#smoothed.set(this.#tail);
    if (this.#tail[length - 1] - this.#tail[0] < 22250738585072014e-324) return 0;
    for (let j = 0; j < length; j++) this.#exceedances[j] = this.#tail[j] - cutoff;
    const { k, sigma } = fitPareto(this.#exceedances);
    if (!(Math.abs(k) < Infinity && sigma > 0)) return Infinity;
    for (let j = 0; j < length; j++) {
      const quantile = cutoff + paretoQuantile(this.#logTails[j], k, sigma);
      this.#smoothed[j] = Math.min(quantile, 1);
    }
    return k;
  }
  /** The smoothed ratio; each place in the tail is given away once, in the order of draws. */
  #weightOf(ratio) {
    const tail = this.#tail;
    if (!(ratio >= tail[0])) return ratio;
    let low = 0;
    let high = tail.length - 1;
    while (low < high) {
      const middle = low + high >>> 1;
      if (tail[middle] < ratio) low = middle + 1;
      else high = middle;
    }
    const place2 = low + this.#taken[low]++;
    return place2 < tail.length && tail[place2] === ratio ? this.#smoothed[place2] : ratio;
  }
};

// src/loo/elpd.ts
var hardPull = 0.5;
var goodRhat = 1.02;
var mixedRhat2 = 1.05;
var maxDivergent = 0.01;
var retune = 50;
var maxDrawsForRhat = 1e3;
var maxDrawsForMcse = 8e3;
var maxDrawsForRefit = 2e3;
var maxCells = 4e6;
var refitShare = 0.6;
var refitAllBelow = 50;
function* elpdLoo(density, settings, budget) {
  const usedBefore = budget.used;
  const sampled = yield* sampleMixed(density, settings, budget);
  if (sampled.kind !== "chains") return sampled;
  let set = sampled.chainSet;
  let mixed = mixing(set);
  let estimate = estimateElpd(density, set);
  for (; ; ) {
    const draws = moreDraws(set, mixed, estimate, settings, budget);
    if (draws === 0) break;
    const longer = yield* continueChains(density, set, draws, budget);
    if (longer.kind !== "chains") return longer;
    set = longer.chainSet;
    mixed = mixing(set);
    estimate = estimateElpd(density, set);
  }
  if (!(mixed.rhatMax <= mixedRhat2)) return notMixed(mixed);
  const refitted = yield* refitBad(estimate, settings, budget);
  if (refitted.kind !== "refitted") return refitted;
  return assemble(estimate, refitted, mixed, budget.used - usedBefore);
}
function* sampleMixed(density, settings, budget) {
  const { chains, tune, draws, seedKey } = settings;
  const short = yield* sampleChains(density, { chains, tune, draws }, seedKey, budget);
  if (short.kind !== "chains" || isHealthy(mixing(short.chainSet))) return short;
  const retuned = {
    ...{ chains, tune: retune, draws: 2 * draws, targetAcceptance: 0.9 },
    warmStart: pooledAdaptations(short.chainSet)
  };
  const again = yield* sampleChains(density, retuned, [...seedKey, "retuned"], budget);
  if (again.kind !== "chains" || isHealthy(mixing(again.chainSet))) return again;
  const long = {
    chains,
    tune: Math.max(500, tune),
    draws: Math.max(1e3, draws),
    targetAcceptance: 0.95
  };
  const last = yield* sampleChains(density, long, [...seedKey, "long"], budget);
  if (last.kind !== "chains") return last;
  const mixed = mixing(last.chainSet);
  return mixed.rhatMax <= mixedRhat2 ? last : notMixed(mixed);
}
function isHealthy(mixed) {
  return mixed.rhatMax <= mixedRhat2 && mixed.divergent <= maxDivergent && !mixed.stuck;
}
function notMixed(mixed) {
  return { kind: "numeric", reason: `chains did not mix: R-hat ${mixed.rhatMax.toFixed(3)}` };
}
function estimateElpd(density, set) {
  const draws = set.chains * set.draws;
  const logLikelihood2 = pointwiseLogLikelihood(density, set);
  const rEff = relativeEfficiency(density, set);
  const psis = psisLoo(logLikelihood2, draws, density.observations, rEff);
  const bad = chooseRefits(psis);
  const variates = new ControlVariates(set);
  const corrected = Float64Array.from(psis.elpdPointwise);
  const influence = new Float64Array(draws);
  for (let i = 0; i < density.observations; i++) {
    const at = i * draws;
    corrected[i] += variates.correction(variates.slopes(psis.influence, at));
    if (!bad.includes(i)) add2(influence, psis.influence, at);
  }
  const { mcse } = variates.correct(influence);
  const full = { density, chainSet: set, logLikelihood: logLikelihood2 };
  return { full, psis, variates, corrected, bad, influence, mcse };
}
function add2(sum2, values, offset) {
  for (let s = 0; s < sum2.length; s++) sum2[s] += values[offset + s];
}
function chooseRefits(psis) {
  const n = psis.observations;
  const limit = n <= refitAllBelow ? n : Math.max(5, Math.floor(0.1 * n));
  const bad = Array.from({ length: n }, (_, i) => i).filter((i) => needsRefit(psis, i));
  const worstFirst = bad.sort((a, b) => psis.paretoK[b] - psis.paretoK[a] || a - b);
  return worstFirst.slice(0, limit).sort((a, b) => a - b);
}
function needsRefit({ paretoK, goodK, lppdPointwise, elpdPointwise }, i) {
  if (!(paretoK[i] <= goodK)) return true;
  return paretoK[i] > 0.5 && lppdPointwise[i] - elpdPointwise[i] > hardPull;
}
function moreDraws(set, mixed, estimate, settings, budget) {
  const draws = 2 * set.draws;
  const forRhat = mixed.rhatMax > goodRhat && draws <= maxDrawsForRhat;
  const wanted2 = settings.targetMcse * (estimate.bad.length > 0 ? Math.sqrt(1 - refitShare * refitShare) : 1);
  const cells = draws * set.chains * estimate.psis.observations;
  const forMcse = estimate.mcse > wanted2 && draws <= maxDrawsForMcse && cells <= maxCells;
  const allowance = estimate.bad.length > 0 ? 0.5 * budget.limit : budget.limit;
  const affordable = budget.used + 1.2 * set.gradientEvaluations <= allowance;
  return (forRhat || forMcse) && affordable ? draws : 0;
}
function* refitBad(estimate, settings, budget) {
  const { full, psis, variates, bad } = estimate;
  const pointwise = Float64Array.from(estimate.corrected);
  const done = [];
  if (bad.length === 0) return { kind: "refitted", pointwise, done, mcse: estimate.mcse };
  const influence = Float64Array.from(estimate.influence);
  let squaredError = 0;
  for (const [n, i] of bad.entries()) {
    if (budget.used + 1.2 * full.chainSet.gradientEvaluations > budget.limit) {
      add2(influence, psis.influence, i * psis.draws);
      continue;
    }
    const refit = refitSettings(settings, budget, bad.length, n);
    const one2 = yield* refitWithout(full, i, refit, settings.seedKey, budget);
    if (one2.kind !== "refit") return one2;
    pointwise[i] = one2.elpd + variates.correction(variates.slopes(one2.influence));
    add2(influence, one2.influence, 0);
    squaredError += one2.mcse * one2.mcse;
    done.push(i);
  }
  const { mcse } = variates.correct(influence);
  return { kind: "refitted", pointwise, done, mcse: Math.sqrt(mcse * mcse + squaredError) };
}
function refitSettings(settings, budget, count, n) {
  return {
    draws: settings.draws,
    maxDraws: maxDrawsForRefit,
    targetMcse: refitShare * settings.targetMcse / Math.sqrt(count),
    softLimit: budget.used + (budget.limit - budget.used) / (count - n)
  };
}
function assemble(estimate, refitted, mixed, gradients) {
  const { psis, full: { chainSet } } = estimate;
  const sums = totals(refitted.pointwise, psis.lppdPointwise);
  if (!(Math.abs(sums.elpdLoo) < Infinity)) {
    return { kind: "numeric", reason: "a pointwise predictive density is not finite" };
  }
  return {
    kind: "ok",
    ...sums,
    elpdRaw: psis.elpdLoo,
    mcse: refitted.mcse,
    elpdPointwise: refitted.pointwise,
    paretoK: psis.paretoK,
    goodK: psis.goodK,
    exactRefits: refitted.done,
    rhatMax: mixed.rhatMax,
    essBulkMin: mixed.essBulkMin,
    divergences: countDivergences(chainSet),
    gradients,
    draws: chainSet.draws,
    chainSet
  };
}

// src/score/density_cap.ts
function capDensity(estimate, resolution) {
  const raw = Array.from(estimate.elpdPointwise);
  const cap = resolution !== void 0 && resolution > 0 ? -log(resolution) : Infinity;
  const cappedPoints = raw.filter((value) => value > cap).length;
  const { elpdLoo: elpdLoo2, pLoo, se } = estimate;
  if (cappedPoints === 0) return { elpdLoo: elpdLoo2, pLoo, se, elpdPointwise: raw, cappedPoints };
  const capped = raw.map((value) => Math.min(value, cap));
  const total = capped.reduce((sum2, value) => sum2 + value, 0);
  return { elpdLoo: total, pLoo, se: standardError(capped), elpdPointwise: capped, cappedPoints };
}
function standardError(values) {
  const n = values.length;
  const mean2 = values.reduce((sum2, value) => sum2 + value, 0) / n;
  return Math.sqrt(values.reduce((sum2, value) => sum2 + (value - mean2) * (value - mean2), 0));
}

// src/score/failure.ts
var failureClasses = [
  "syntax",
  "data",
  "names",
  "shapes",
  "support",
  "unsupported",
  "budget",
  "numeric",
  "no_start"
];
var classOfPrefix = {
  lh: "data",
  ...Object.fromEntries(failureClasses.map((name) => [name, name]))
};
function classOfDiagnostics(diagnostics) {
  const found = diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => classOfPrefix[code.split("/")[0]]);
  const first = failureClasses.find((name) => found.includes(name));
  if (first) return first;
  throw new Error(`internal: no class for ${diagnostics.map(({ code }) => code).join(", ")}`);
}
function failureDiagnostic(result, schedule2) {
  switch (result.kind) {
    case "budget":
      return error(
        "budget/gradients",
        `Cannot score the program within ${schedule2.maxGradients} gradient evaluations`,
        "simplify the program, or raise the schedule's limit of gradients"
      );
    case "no_finite_start":
      return error(
        "no_start/density",
        "Cannot sample the posterior: no starting point has a finite log density",
        "check that the priors allow values for which the likelihood is defined"
      );
    case "numeric":
      return error(
        "numeric/sampling",
        `Cannot score the program: ${result.reason}`,
        "tighten the priors, or write the model with less correlated parameters"
      );
  }
}
function error(code, message, hint) {
  return { code, severity: "error", message, hint };
}

// src/score/summaries.ts
function summarise(program, density, set) {
  const scalars = constrainedDraws(density, set).map((draws) => summaryOf(draws, set.chains));
  const names3 = [...program.parameters, ...program.deterministics].map(({ name }) => name);
  const params = {};
  let at = 0;
  for (const name of names3) {
    const vector2 = density.quantities[at] !== name;
    const n = vector2 ? density.observations : 1;
    params[name] = joined(scalars.slice(at, at + n), vector2 ? [n] : []);
    at += n;
  }
  return params;
}
function constrainedDraws(density, set) {
  const count = set.chains * set.draws;
  const row = new Float64Array(density.quantities.length);
  const columns = density.quantities.map(() => new Float64Array(count));
  for (let s = 0; s < count; s++) {
    density.constrain(set.positions, s * set.dimension, row, 0);
    columns.forEach((column2, k) => column2[s] = row[k]);
  }
  return columns;
}
function summaryOf(draws, chains) {
  const n = draws.length;
  const mean2 = draws.reduce((sum2, x) => sum2 + x, 0) / n;
  const squares = draws.reduce((sum2, x) => sum2 + (x - mean2) * (x - mean2), 0);
  const sorted = Float64Array.from(draws).sort();
  const { essBulk, rhat } = convergence(draws, chains);
  return {
    mean: mean2,
    sd: Math.sqrt(squares / (n - 1)),
    q05: quantileOfSorted(sorted, 0.05),
    q95: quantileOfSorted(sorted, 0.95),
    essBulk,
    rhat
  };
}
function joined(scalars, shape) {
  const each = (key) => scalars.map((one2) => one2[key]);
  return {
    mean: each("mean"),
    sd: each("sd"),
    q05: each("q05"),
    q95: each("q95"),
    essBulk: each("essBulk"),
    rhat: each("rhat"),
    shape
  };
}

// src/score/version.ts
var engineVersion = "2";
var engineName = "native";

// src/score/score.ts
function* scoreProgram(source, dataset, schedule2, options = {}) {
  const checked = checkProgram(source, dataset, options.file);
  if (!checked.ok) return rejected(checked.diagnostics);
  return yield* scoreChecked(checked.program, dataset, schedule2, options);
}
function* scoreChecked(program, dataset, schedule2, options = {}) {
  const density = compileLogDensity(program, dataset);
  const { chains, tune, draws, targetMcse, seed } = schedule2;
  const seedKey = ["score", program.hash, dataset.digest, engineVersion, seed];
  const budget = { used: 0, limit: schedule2.maxGradients };
  const result = yield* elpdLoo(density, { chains, tune, draws, targetMcse, seedKey }, budget);
  if (result.kind !== "ok") return failed2(program, failureDiagnostic(result, schedule2));
  const params = options.summaries ? summarise(program, density, result.chainSet) : {};
  return {
    status: "ok",
    engine: engineName,
    engineVersion,
    programHash: program.hash,
    score: scoreOf(program, dataset, schedule2, result, params),
    diagnostics: program.diagnostics
  };
}
function rejected(diagnostics) {
  return {
    status: "rejected",
    failureClass: classOfDiagnostics(diagnostics),
    engine: engineName,
    engineVersion,
    diagnostics
  };
}
function failed2(program, diagnostic) {
  return {
    status: "error",
    failureClass: classOfDiagnostics([diagnostic]),
    engine: engineName,
    engineVersion,
    programHash: program.hash,
    diagnostics: [...program.diagnostics, diagnostic]
  };
}
function scoreOf(program, dataset, schedule2, estimate, params) {
  const column2 = dataset.columns.find(({ name }) => name === program.likelihood.column);
  const capped = capDensity(estimate, column2?.resolution);
  return {
    elpdLoo: capped.elpdLoo,
    elpdRaw: estimate.elpdRaw,
    se: capped.se,
    pLoo: capped.pLoo,
    mcse: estimate.mcse,
    elpdPointwise: capped.elpdPointwise,
    paretoK: [...estimate.paretoK],
    goodK: estimate.goodK,
    exactRefits: estimate.exactRefits,
    cappedPoints: capped.cappedPoints,
    rhatMax: estimate.rhatMax,
    essBulkMin: estimate.essBulkMin,
    divergences: estimate.divergences,
    gradients: estimate.gradients,
    chains: schedule2.chains,
    tune: schedule2.tune,
    draws: estimate.draws,
    params
  };
}

// src/exec/messages.ts
var cpuLimitFault = "CPU limit: ";
var workerInputCaps = { json: 64 << 20, payload: 0 };

// src/exec/execution_json.ts
function encodeExecution(execution) {
  return JSON.parse(JSON.stringify(execution, (_, value) => encodeNumber(value)));
}
function encodeNumber(value) {
  return typeof value === "number" && !Number.isFinite(value) ? `${value}` : value;
}

// src/exec/frames.ts
var defaultFrameCaps = { json: 1 << 20, payload: 0 };
var longestHeader = 40;
var header = /^(0|[1-9][0-9]{0,15})(?:,(0|[1-9][0-9]{0,15}))?$/;
function encodeFrame(json, payload) {
  const body = new TextEncoder().encode(JSON.stringify(json));
  const lengths = payload ? `${body.length},${payload.length}
` : `${body.length}
`;
  const head2 = new TextEncoder().encode(lengths);
  const bytes = new Uint8Array(head2.length + body.length + (payload?.length ?? 0));
  bytes.set(head2, 0);
  bytes.set(body, head2.length);
  if (payload) bytes.set(payload, head2.length + body.length);
  return bytes;
}
var FrameWriter = class {
  #writer;
  constructor(stream) {
    this.#writer = stream.getWriter();
  }
  /** True if the frame was handed over; false if the other end is gone. */
  async write(json, payload) {
    try {
      await this.#writer.write(encodeFrame(json, payload));
      return true;
    } catch {
      return false;
    }
  }
  /** Ends the stream; the other end reads `end`. */
  async close() {
    await this.#writer.close().catch(() => {
    });
  }
};
var FrameReader = class {
  #reader;
  #caps;
  #chunks = [];
  #buffered = 0;
  #ended = false;
  #fault;
  constructor(stream, caps = defaultFrameCaps) {
    this.#reader = stream.getReader();
    this.#caps = caps;
  }
  /** The next frame, the end, or a fault. One call at a time. */
  async read() {
    if (this.#fault) return this.#fault;
    const line = await this.#line();
    if (line === void 0) return this.#fault ?? { kind: "end" };
    const match = header.exec(line);
    if (!match) return this.#fail("header", `expected a length, found ${JSON.stringify(line)}`);
    const [json, payload] = [Number(match[1]), Number(match[2] ?? 0)];
    if (json > this.#caps.json || payload > this.#caps.payload) {
      const caps = `${this.#caps.json} and ${this.#caps.payload}`;
      return this.#fail("over_cap", `a frame of ${json} and ${payload} bytes; allowed ${caps}`);
    }
    const bytes = await this.#take(json + payload);
    if (!bytes) return this.#fail("truncated", "the stream ended inside a frame");
    return this.#decode(bytes, json, match[2] !== void 0);
  }
  /** Expects the end of the stream: anything that follows is the fault `trailing`. */
  async readEnd() {
    if (this.#fault) return this.#fault;
    if (this.#buffered === 0 && !await this.#fill()) return { kind: "end" };
    return this.#fail("trailing", "bytes follow the last frame");
  }
  /** Stops reading and drops what is buffered. */
  async cancel() {
    await this.#reader.cancel().catch(() => {
    });
  }
  #decode(bytes, jsonLength, hasPayload) {
    try {
      const text2 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      const json = JSON.parse(text2.decode(bytes.subarray(0, jsonLength)));
      const frame = hasPayload ? { json, payload: bytes.slice(jsonLength) } : { json };
      return { kind: "frame", frame };
    } catch (error2) {
      return this.#fail("invalid_json", error2 instanceof Error ? error2.message : `${error2}`);
    }
  }
  #fail(fault, message) {
    this.#fault = { kind: "fault", fault, message };
    this.#chunks = [];
    this.#buffered = 0;
    return this.#fault;
  }
  async #line() {
    for (; ; ) {
      const head2 = this.#peek(longestHeader);
      const newline = head2.indexOf(10);
      if (newline >= 0) return latin1(this.#drop(newline + 1).subarray(0, newline));
      if (head2.length >= longestHeader) {
        this.#fail("header", `expected a length, found ${JSON.stringify(latin1(head2))}`);
        return void 0;
      }
      if (await this.#fill()) continue;
      if (head2.length > 0) this.#fail("truncated", "the stream ended inside a header");
      return void 0;
    }
  }
  async #take(length) {
    while (this.#buffered < length) {
      if (!await this.#fill()) return void 0;
    }
    return this.#drop(length);
  }
  async #fill() {
    if (this.#ended) return false;
    try {
      const { value, done } = await this.#reader.read();
      if (value && value.length > 0) {
        this.#chunks.push(value);
        this.#buffered += value.length;
      }
      this.#ended = done;
    } catch {
      this.#ended = true;
    }
    return !this.#ended;
  }
  #peek(length) {
    const first = this.#chunks[0];
    if (first === void 0) return new Uint8Array(0);
    if (first.length >= length || this.#chunks.length === 1) return first.subarray(0, length);
    return this.#join().subarray(0, length);
  }
  #drop(length) {
    const all = this.#chunks[0]?.length >= length ? this.#chunks[0] : this.#join();
    this.#buffered -= length;
    if (all.length > length) this.#chunks[0] = all.subarray(length);
    else this.#chunks.shift();
    return all.subarray(0, length);
  }
  #join() {
    const all = new Uint8Array(this.#buffered);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = all.length > 0 ? [all] : [];
    return all;
  }
};
function latin1(bytes) {
  return String.fromCharCode(...bytes);
}

// src/exec/worker_lockdown.ts
async function probe() {
  const attempts2 = {
    read: () => Deno.readDirSync("/").next(),
    write: () => Deno.writeFileSync("sluice-probe", new Uint8Array(0), { createNew: true }),
    net: () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
    run: () => new Deno.Command("/sluice-probe").outputSync(),
    env: () => Deno.env.get("HOME"),
    sys: () => Deno.hostname(),
    codegen: () => (0, globalThis.eval)("1")
  };
  const found = {};
  for (const [name, attempt] of Object.entries(attempts2)) {
    found[name] = await isDenied(attempt) ? "denied" : "open";
  }
  return found;
}
async function isDenied(attempt) {
  try {
    await attempt();
    return false;
  } catch (error2) {
    return error2 instanceof Deno.errors.NotCapable || error2 instanceof EvalError;
  }
}
var kept = /* @__PURE__ */ new Set([
  ..."Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean".split(" "),
  ..."String Symbol Date Promise RegExp Error AggregateError EvalError RangeError".split(" "),
  ..."ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl".split(" "),
  ..."ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array".split(" "),
  ..."BigUint64Array BigInt64Array Uint8ClampedArray Float16Array Float32Array".split(" "),
  ..."Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet Proxy Reflect".split(" "),
  ..."WeakRef FinalizationRegistry SuppressedError DisposableStack".split(" "),
  ..."AsyncDisposableStack isFinite isNaN WebAssembly TextEncoder TextDecoder".split(" "),
  ..."performance setTimeout clearTimeout queueMicrotask structuredClone console atob btoa".split(
    " "
  )
]);
function lockDown() {
  const global = globalThis;
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (kept.has(name)) continue;
    if (!Reflect.deleteProperty(global, name)) Reflect.set(global, name, void 0);
  }
  for (const value of [Object, Array, Function, Promise, Map, Set, RegExp, JSON, Math, Reflect]) {
    Object.freeze(value);
    if ("prototype" in value) Object.freeze(value.prototype);
  }
}

// src/exec/worker_serve.ts
var { setImmediate } = globalThis;
var lookUpEvery = 25;
async function serve(score) {
  const { exit, stdin, stdout, version, memoryUsage } = Deno;
  const cpuMicros = cpuClock();
  Deno.addSignalListener("SIGINT", () => {
  });
  const writer = new FrameWriter(stdout.writable);
  const frames = queueFrames(stdin.readable, () => exit(0));
  await writer.write({ kind: "hello", denoVersion: version.deno, probes: await probe() });
  lockDown();
  const setup = await frames();
  const dataset = datasetFromJson(setup.dataset);
  for (; ; ) {
    const job = await frames();
    const before = cpuMicros();
    const overdue = () => (cpuMicros() - before) / 1e3 > setup.cpuMs;
    const answer = await runJob(() => score(job.program, dataset, setup.schedule), overdue);
    const cpuMs = Math.round((cpuMicros() - before) / 1e3);
    const rssKib = Math.round(memoryUsage().rss / 1024);
    if (!await writer.write({ ...answer, id: job.id, cpuMs, rssKib })) exit(0);
  }
}
function cpuClock() {
  const { cpuUsage } = Deno;
  return () => {
    const { user, system } = cpuUsage();
    return user + system;
  };
}
async function runJob(steps, overdue) {
  try {
    const execution = await drive(steps(), overdue);
    if (!execution) return { kind: "fault", message: `${cpuLimitFault}the program used it up` };
    return { kind: "result", execution: encodeExecution(execution) };
  } catch (error2) {
    const message = error2 instanceof Error ? error2.stack ?? error2.message : `${error2}`;
    return { kind: "fault", message: message.slice(0, 4096) };
  }
}
async function drive(steps, overdue) {
  let looked = performance.now();
  for (; ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - looked < lookUpEvery) continue;
    if (overdue()) return void 0;
    await macrotask();
    looked = performance.now();
  }
}
function macrotask() {
  return new Promise((resolve) => setImmediate(resolve));
}
function queueFrames(stream, onEnd) {
  const reader = new FrameReader(stream, workerInputCaps);
  const waiting = [];
  let wake = () => {
  };
  const pump = async () => {
    for (; ; ) {
      const read = await reader.read();
      if (read.kind !== "frame") return onEnd();
      waiting.push(read.frame.json);
      wake();
    }
  };
  pump();
  return async () => {
    while (waiting.length === 0) await new Promise((resolve) => wake = resolve);
    return waiting.shift();
  };
}

// src/exec/worker_main.ts
await serve(scoreProgram);
