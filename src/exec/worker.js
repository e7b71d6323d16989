/** The engine worker, bundled by tools/bundle_worker.ts from src/exec/worker_main.ts. */
(() => {
  // src/exec/worker_crypto.ts
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
      return [...words].map((word2) => word2.toString(16).padStart(8, "0")).join("");
    }
  };
  var constants;
  function sha256Constants() {
    return constants ??= {
      rounds: fractionalParts(64, cubeRoot),
      start: fractionalParts(8, Math.sqrt)
    };
  }
  function sha256Words(content) {
    const { rounds, start } = sha256Constants();
    const state = start.slice();
    const view2 = new DataView(padded(content).buffer);
    for (let at = 0; at < view2.byteLength; at += 64) mixBlock(state, view2, at, rounds);
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
  function mixBlock(state, view2, at, rounds) {
    const w = schedule;
    for (let t = 0; t < 16; t++) w[t] = view2.getUint32(at + 4 * t);
    for (let t = 16; t < 64; t++) {
      const [x, y] = [w[t - 15], w[t - 2]];
      const sigma0 = rotate(x, 7) ^ rotate(x, 18) ^ x >>> 3;
      const sigma1 = rotate(y, 17) ^ rotate(y, 19) ^ y >>> 10;
      w[t] = w[t - 16] + sigma0 + w[t - 7] + sigma1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t++) {
      const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = h + sum1 + (e & f ^ ~e & g) + rounds[t] + w[t] | 0;
      const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = sum0 + (a & b ^ a & c ^ b & c) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, d + t1 | 0, c, b, a, t1 + t2 | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => state[i] += value);
  }
  function rotate(x, bits) {
    return x >>> bits | x << 32 - bits;
  }
  function fractionalParts(count, root) {
    return Uint32Array.from(primes(count), (prime) => Math.floor(root(prime) % 1 * 2 ** 32));
  }
  function cubeRoot(n) {
    let x = n;
    for (let i = 0; i < 30; i++) x = (2 * x + n / (x * x)) / 3;
    return x;
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
      const word2 = (i) => parseInt(digest.slice(8 * i, 8 * i + 8), 16) | 0;
      [this.#a, this.#b, this.#c, this.#d] = [word2(0), word2(1), word2(2), word2(3) | 1];
    }
    /** Writes the state of the stream into four words, for code that goes on with it elsewhere. */
    save(words, at) {
      words[at] = this.#a;
      words[at + 1] = this.#b;
      words[at + 2] = this.#c;
      words[at + 3] = this.#d;
    }
    /** Goes on from a state that `save` wrote. */
    restore(words, at) {
      this.#a = words[at];
      this.#b = words[at + 1];
      this.#c = words[at + 2];
      this.#d = words[at + 3];
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
      const high2 = this.uint32() >>> 6;
      const low2 = this.uint32() >>> 6;
      return (high2 * 67108864 + low2 + 0.5) / 4503599627370496;
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

  // src/infer/budget.ts
  var gradientsPerYield = 64;

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
      steps: new Int32Array(n),
      energies: new Float64Array(n),
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
      to.steps.set(from.steps.subarray(a, a + draws), b);
      to.energies.set(subset(from.energies, a, draws), b);
    }
  }
  function subset(values, offset, length2) {
    return values.subarray(offset, offset + length2);
  }
  function countDivergences(set2) {
    let count = 0;
    for (const d of set2.diverging) count += d;
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
        let sum3 = a[i * n + j];
        for (let k = 0; k < j; k++) sum3 -= a[i * n + k] * a[j * n + k];
        a[i * n + j] = sum3 / root;
        a[j * n + i] = 0;
      }
    }
    return true;
  }
  function solveLower(lower2, n, x, offset = 0) {
    for (let i = 0; i < n; i++) {
      let sum3 = x[offset + i];
      for (let k = 0; k < i; k++) sum3 -= lower2[i * n + k] * x[offset + k];
      x[offset + i] = sum3 / lower2[i * n + i];
    }
  }
  function solveUpper(lower2, n, x, offset = 0) {
    for (let i = n - 1; i >= 0; i--) {
      let sum3 = x[offset + i];
      for (let k = i + 1; k < n; k++) sum3 -= lower2[k * n + i] * x[offset + k];
      x[offset + i] = sum3 / lower2[i * n + i];
    }
  }
  function inverseFromCholesky(lower2, n) {
    const inverse3 = new Float64Array(n * n);
    for (let j = 0; j < n; j++) {
      inverse3[j * n + j] = 1;
      solveLower(lower2, n, inverse3, j * n);
      solveUpper(lower2, n, inverse3, j * n);
    }
    return inverse3;
  }

  // src/infer/metric.ts
  function unitMetric(dimension) {
    return { dense: false, factor: new Float64Array(dimension).fill(1) };
  }
  function diagonalMetric(variances2) {
    const usable = variances2.every((v) => v > 0 && v < Infinity);
    return usable ? { dense: false, factor: variances2.map(Math.sqrt) } : void 0;
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
    let largest2 = 0;
    for (let i = 0; i < dimension; i++) {
      for (let j = 0; j < i; j++) {
        const r = Math.abs(covariance[i * dimension + j]) / (scale[i] * scale[j]);
        if (r > largest2) largest2 = r;
      }
    }
    return largest2;
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
    const inverse3 = 1 / (a + base);
    const s = difference * inverse3;
    const sHigh = head(s);
    const sumHigh = head(a + base);
    const sumLow = a - (sumHigh - base);
    const sLow = inverse3 * (difference - sHigh * sumHigh - sHigh * sumLow);
    const s2 = s * s;
    const r = s2 * s2 * (0.5999999999999946 + s2 * (0.4285714285785502 + s2 * (0.33333332981837743 + s2 * (0.272728123808534 + s2 * (0.23066074577556175 + s2 * 0.20697501780033842))))) + sLow * (sHigh + s);
    const square4 = sHigh * sHigh;
    const tHigh = head(3 + square4 + r);
    const tLow = r - (tHigh - 3 - square4);
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
  function twoToThe(high2, low2) {
    const z = high2 + low2;
    if (z >= 1024) return Infinity;
    if (z < -1075) return 0;
    const k = Math.round(z);
    const rest = high2 - k;
    const t = head(low2 + rest);
    const u = t * 0.6931471824645996;
    const v = (low2 - (t - rest)) * 0.6931471805599453 + t * -1904654299957768e-24;
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
  var reduced = { head: 0, tail: 0, quarter: 0 };
  function reduce(x) {
    const a = Math.abs(x);
    if (a <= 0.7853981633974483) set(x, 0, 0);
    else if (a < 1647099) reduceNear(x);
    else reduceFar(x);
  }
  function set(head2, tail2, quarter) {
    reduced.head = head2;
    reduced.tail = tail2;
    reduced.quarter = quarter;
  }
  function reduceNear(x) {
    const n = Math.round(x * 0.6366197723675814);
    const first2 = x - n * 1.5707963267341256;
    let w = n * 6077100506303966e-26;
    const second2 = first2 - w;
    const lost = first2 - second2 - w;
    w = n * 20222662487111665e-37 - lost;
    const third = second2 - w;
    w = n * 84784276603689e-45 - (second2 - third - w);
    const head2 = third - w;
    set(head2, third - head2 - w, n & 3);
  }
  function reduceFar(x) {
    let mantissa = Math.abs(x);
    let e = 0;
    for (; mantissa >= 9007199254740992; e++) mantissa /= 2;
    for (; mantissa !== Math.floor(mantissa); e--) mantissa *= 2;
    const product4 = e >= 0 ? BigInt(mantissa) * twoOverPi << BigInt(e) : BigInt(mantissa) * twoOverPi >> BigInt(-e);
    const turn2 = BigInt.asUintN(1202, product4);
    const quarter = turn2 + (1n << 1199n) >> 1200n;
    const fraction3 = turn2 - (quarter << 1200n);
    const scale = 4503599627370496;
    const high2 = Number(fraction3 >> 1148n) / scale;
    const low2 = Number((fraction3 >> 1096n) - (fraction3 >> 1148n << 52n)) / scale / scale;
    timesHalfPi(high2, low2, Number(quarter) & 3, x < 0);
  }
  function timesHalfPi(high2, low2, quarter, negative) {
    const c = 134217729 * high2;
    const h = c - (c - high2);
    const l = high2 - h;
    const p = high2 * 1.5707963267948966;
    const ph = 1.5707963407039642;
    const pl = 1.5707963267948966 - ph;
    const error2 = h * ph - p + h * pl + l * ph + l * pl;
    const tail2 = error2 + high2 * 6123233995736766e-32 + low2 * 1.5707963267948966;
    const head2 = p + tail2;
    const rest = tail2 - (head2 - p);
    if (negative) set(-head2, -rest, -quarter & 3);
    else set(head2, rest, quarter);
  }
  function sinKernel(x, tail2) {
    const z = x * x;
    const v = z * x;
    const r = 0.00833333333332249 + z * (-1984126982985795e-19 + z * (27557313707070068e-22 + z * (-25050760253406863e-24 + z * 158969099521155e-24)));
    return x - (z * (0.5 * tail2 - v * r) - tail2 - v * -0.16666666666666632);
  }
  function cosKernel(x, tail2) {
    const z = x * x;
    const w = z * z;
    const r = z * (0.0416666666666666 + z * (-0.001388888888887411 + z * 2480158728947673e-20)) + w * w * (-27557314351390663e-23 + z * (2087572321298175e-24 + z * -11359647557788195e-27));
    const half2 = 0.5 * z;
    const one3 = 1 - half2;
    return one3 + (1 - one3 - half2 + (z * r - x * tail2));
  }
  function sin(x) {
    return x - x === 0 ? turned(x, 0) : NaN;
  }
  function cos(x) {
    return x - x === 0 ? turned(x, 1) : NaN;
  }
  function turned(x, quarters) {
    reduce(x);
    const quarter = reduced.quarter + quarters & 3;
    const value = quarter & 1 ? cosKernel(reduced.head, reduced.tail) : sinKernel(reduced.head, reduced.tail);
    return quarter & 2 ? -value : value;
  }

  // src/math/elementary.ts
  var roundShift = 6755399441055744;
  var inverseLn2 = 1.4426950408889634;
  var ln2High = 0.6931471803691238;
  var ln2Low = 19082149292705877e-26;
  function exp(x) {
    if (!(x <= 709.782712893384)) return x > 0 ? Infinity : NaN;
    if (x < -745.1332191019412) return 0;
    const k = x * inverseLn2 + roundShift - roundShift;
    const high2 = x - k * ln2High;
    const low2 = k * ln2Low;
    const r = high2 - low2;
    const t = r * r;
    const c = r - t * (0.16666666666666602 + t * (-0.0027777777777015593 + t * (6613756321437934e-20 + t * (-16533902205465252e-22 + t * 41381367970572385e-24))));
    const value = 1 - (low2 - r * c / (2 - c) - high2);
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
    let scaled3 = x;
    for (; scaled3 >= 2147483648; k += 60) scaled3 *= 8673617379884035e-34;
    for (; scaled3 < 4656612873077393e-25; k -= 60) scaled3 *= 1152921504606847e3;
    return logNear(scaled3, k, 0);
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
    const half2 = 0.5 * f * f;
    return s * (half2 + even + odd) + (k * ln2Low + correction) - half2 + f + k * ln2High;
  }
  function log1p(x) {
    if (x > -0.2928932188134524 && x < 0.41421356237309503) {
      return Math.abs(x) < 5551115123125783e-32 ? x : logKernel(x, 0, 0);
    }
    const u = 1 + x;
    if (!(x > -0.9 && u < 2147483648)) return log(u);
    const lost = (x > 1 ? 1 - (u - x) : x - (u - 1)) / u;
    return logNear(u, 0, lost);
  }
  function expm1(x) {
    if (!(x < 40)) return exp(x);
    if (x < -40) return -1;
    if (Math.abs(x) < 5551115123125783e-32) return x;
    const k = Math.abs(x) < 0.34657359027997264 ? 0 : x * inverseLn2 + roundShift - roundShift;
    const high2 = x - k * ln2High;
    const low2 = k * ln2Low;
    const r = high2 - low2;
    return expm1Reduced(r, high2 - r - low2, k | 0);
  }
  function expm1Reduced(r, tail2, k) {
    const half2 = 0.5 * r;
    const square4 = r * half2;
    const r1 = 1 + square4 * (-0.03333333333333313 + square4 * (0.0015873015872548146 + square4 * (-793650757867488e-19 + square4 * (4008217827329362e-21 - square4 * 20109921818362437e-23))));
    const t = 3 - r1 * half2;
    let e = square4 * ((r1 - t) / (6 - r * t));
    if (k === 0) return r - (r * e - square4);
    e = r * (e - tail2) - tail2 - square4;
    if (k === -1) return 0.5 * (r - e) - 0.5;
    if (k === 1) return r < -0.25 ? -2 * (e - (r + 0.5)) : 1 + 2 * (r - e);
    const power5 = powersOfTwo[k + 1022];
    if (k <= -2 || k > 56) return (1 - (e - r)) * power5 - 1;
    const inverse3 = powersOfTwo[1022 - k];
    return k < 20 ? (1 - inverse3 - (e - r)) * power5 : (r - (e + inverse3) + 1) * power5;
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
  function softplus(x) {
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
  }

  // src/math/random_normal.ts
  function fillNormal(stream, out, offset = 0, length2 = out.length - offset) {
    const end = offset + length2;
    for (let i = offset; i < end; i += 2) {
      let x = 0;
      let y = 0;
      let square4 = 0;
      do {
        x = 2 * stream.uniform() - 1;
        y = 2 * stream.uniform() - 1;
        square4 = x * x + y * y;
      } while (square4 >= 1 || square4 === 0);
      const scale = Math.sqrt(-2 * log(square4) / square4);
      out[i] = x * scale;
      if (i + 1 < end) out[i + 1] = y * scale;
    }
  }

  // src/infer/leapfrog.ts
  function leapfrog(space, from, direction, stepSize) {
    const { buffers, stride, density } = space;
    const to = from + direction;
    const step = direction * stepSize;
    halfKick(space, from * stride, to * stride, 0.5 * step);
    if (space.dense) driftDense(space, from * stride, to * stride, step);
    else driftDiagonal(space, from * stride, to * stride, step);
    const value = density.logDensity(buffers.positions, buffers.gradients, to * stride);
    buffers.logDensities[to] = value;
    whiten(space, to);
    return 0.5 * kick(space, from, to, 0.5 * step) - value;
  }
  function halfKick({ buffers, stride }, from, to, halfStep) {
    const { momenta: r, whiteGradients: u } = buffers;
    for (let k = 0; k < stride; k++) r[to + k] = r[from + k] + halfStep * u[from + k];
  }
  function driftDiagonal({ buffers, stride }, from, to, step) {
    const { positions: q, momenta: r, factor: factor2 } = buffers;
    for (let k = 0; k < stride; k++) q[to + k] = q[from + k] + step * factor2[k] * r[to + k];
  }
  function driftDense({ buffers, stride }, from, to, step) {
    const { positions: q, momenta: r, factor: factor2 } = buffers;
    for (let i = 0, row = 0; i < stride; i++, row += stride) {
      let even = 0;
      let odd = 0;
      for (let k = 0; k <= i; k += 2) {
        even += factor2[row + k] * r[to + k];
        odd += factor2[row + k + 1] * r[to + k + 1];
      }
      q[to + i] = q[from + i] + step * (even + odd);
    }
  }
  function kick(space, from, to, halfStep) {
    const { buffers, stride } = space;
    const { momenta: r, whiteGradients: u, sums } = buffers;
    const sign2 = to > from ? 1 : -1;
    const known5 = (sign2 > 0 ? from : to) * stride;
    const next = (sign2 > 0 ? to : to - 1) * stride;
    const at = to * stride;
    for (let k = 0; k < stride; k++) {
      r[at + k] += halfStep * u[at + k];
      sums[next + k] = sums[known5 + k] + sign2 * r[at + k];
    }
    return squaredMomentum(space, to);
  }
  function squaredMomentum({ buffers: { momenta }, stride }, slot) {
    const at = slot * stride;
    let even = 0;
    let odd = 0;
    for (let k = at; k < at + stride; k += 2) {
      even += momenta[k] * momenta[k];
      odd += momenta[k + 1] * momenta[k + 1];
    }
    return even + odd;
  }
  function whiten({ buffers, stride, dense }, slot) {
    const at = slot * stride;
    const { gradients: g, whiteGradients: u, factor: factor2, transposed: transposed6 } = buffers;
    if (!dense) {
      for (let k = 0; k < stride; k++) u[at + k] = factor2[k] * g[at + k];
      return;
    }
    for (let k = 0, row = 0; k < stride; k++, row += stride) {
      let even = 0;
      let odd = 0;
      for (let i = k & ~1; i < stride; i += 2) {
        even += transposed6[row + i] * g[at + i];
        odd += transposed6[row + i + 1] * g[at + i + 1];
      }
      u[at + k] = even + odd;
    }
  }

  // src/math/wasm/memory.ts
  var pageBytes = 65536;
  var firstConstant = 256;
  var constantBytes = 2048;
  var firstBatch = firstConstant + constantBytes;
  var batchBytes = 4096;
  var reservedBytes = firstBatch + batchBytes;
  var memory;
  var tenant;
  var guest;
  var free = reservedBytes;
  function sharedMemory() {
    return memory ??= new WebAssembly.Memory({ initial: 1 });
  }
  function isTenant(who) {
    return tenant === who;
  }
  function moveIn(who, bytes) {
    sendAway();
    tenant = void 0;
    ensure(bytes);
    tenant = who;
    free = 16 * Math.ceil(Math.max(bytes, reservedBytes) / 16);
  }
  function isGuest(who) {
    return guest === who;
  }
  function lodge(who, bytes) {
    sendAway();
    ensure(free + bytes);
    guest = who;
    return free;
  }
  function sendAway() {
    const leaving = guest;
    guest = void 0;
    leaving?.leave();
  }
  function ensure(bytes) {
    const missing = Math.ceil((bytes - sharedMemory().buffer.byteLength) / pageBytes);
    if (missing <= 0) return;
    sharedMemory().grow(missing);
    tenant?.renew();
  }

  // src/infer/state_buffers.ts
  function ownBuffers(sizes) {
    return layOut(sizes, new ArrayBuffer(bytesOf(sizes)), 0);
  }
  function lengthsOf({ slots, stride, levels, factor: factor2, transposed: transposed6 }) {
    const states = slots * stride;
    return {
      positions: states,
      gradients: states,
      whiteGradients: states,
      momenta: states,
      sums: states,
      logDensities: slots + (slots & 1),
      levelWeights: levels + (levels & 1),
      factor: factor2,
      transposed: transposed6,
      levelProposals: levels
    };
  }
  function bytesOf(sizes) {
    return 8 * Object.values(lengthsOf(sizes)).reduce((a, b) => a + b);
  }
  function layOut(sizes, buffer, begin3) {
    let at = begin3;
    const { levelProposals, ...lengths } = lengthsOf(sizes);
    const numbers2 = Object.fromEntries(
      Object.entries(lengths).map(([name2, length2]) => {
        const view2 = new Float64Array(buffer, at, length2);
        at += 8 * length2;
        return [name2, view2];
      })
    );
    return { ...numbers2, levelProposals: new Int32Array(buffer, at, levelProposals) };
  }

  // src/math/wasm/byte_writer.ts
  var oneNumber = new Float64Array(1);
  var itsBytes = new Uint8Array(oneNumber.buffer);
  var ByteWriter = class {
    #bytes;
    #length = 0;
    /** @param room how many bytes are expected. */
    constructor(room = 64) {
      this.#bytes = new Uint8Array(room);
    }
    get length() {
      return this.#length;
    }
    /** What has been written. */
    take() {
      return this.#bytes.subarray(0, this.#length);
    }
    byte(value) {
      this.#reserve(1);
      this.#bytes[this.#length++] = value;
    }
    raw(bytes) {
      this.#reserve(bytes.length);
      this.#bytes.set(bytes, this.#length);
      this.#length += bytes.length;
    }
    /** LEB128, unsigned. */
    unsigned(value) {
      let rest = value;
      for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte(rest & 127 | 128);
      this.byte(rest);
    }
    /** LEB128, signed, of 32 bits. */
    signed(value) {
      let rest = value | 0;
      for (; ; ) {
        const low2 = rest & 127;
        rest >>= 7;
        if (rest === 0 && (low2 & 64) === 0 || rest === -1 && (low2 & 64) !== 0) {
          return this.byte(low2);
        }
        this.byte(low2 | 128);
      }
    }
    f64(value) {
      oneNumber[0] = value;
      this.raw(itsBytes);
    }
    text(name2) {
      this.unsigned(name2.length);
      for (let i = 0; i < name2.length; i++) this.byte(name2.charCodeAt(i));
    }
    #reserve(count) {
      if (this.#length + count <= this.#bytes.length) return;
      const larger2 = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
      larger2.set(this.#bytes);
      this.#bytes = larger2;
    }
  };

  // src/math/wasm/constants.ts
  var places = /* @__PURE__ */ new Map();
  function constantAddress(value) {
    const key = Object.is(value, -0) ? "-0" : `${value}`;
    const known5 = places.get(key);
    if (known5 !== void 0) return known5;
    const offset = 16 * places.size;
    if (offset === constantBytes) throw new Error("internal: no room for another constant");
    const address = firstConstant + offset;
    new Float64Array(sharedMemory().buffer, address, 2).fill(value);
    places.set(key, address);
    return address;
  }

  // src/math/wasm/function_body.ts
  var valueTypes = { i32: 127, f64: 124, v128: 123 };
  var simdOps = {
    "f64x2.splat": 20,
    "f64x2.eq": 71,
    "f64x2.ne": 72,
    "f64x2.lt": 73,
    "f64x2.gt": 74,
    "f64x2.le": 75,
    "f64x2.ge": 76,
    "v128.not": 77,
    "v128.and": 78,
    "v128.or": 80,
    "v128.bitselect": 82,
    "f64x2.ceil": 116,
    "f64x2.floor": 117,
    "i64x2.all_true": 195,
    "i64x2.shl": 203,
    "i64x2.shr_u": 205,
    "i64x2.add": 206,
    "f64x2.abs": 236,
    "f64x2.neg": 237,
    "f64x2.sqrt": 239,
    "f64x2.add": 240,
    "f64x2.sub": 241,
    "f64x2.mul": 242,
    "f64x2.div": 243,
    "f64x2.min": 244,
    "f64x2.max": 245
  };
  var plainOps = {
    return: 15,
    "i32.eqz": 69,
    "i32.eq": 70,
    "i32.lt_s": 72,
    "i32.lt_u": 73,
    "i32.le_s": 76,
    "f64.eq": 97,
    "f64.lt": 99,
    "f64.gt": 100,
    "f64.le": 101,
    "f64.ge": 102,
    "i32.add": 106,
    "i32.sub": 107,
    "i32.mul": 108,
    "i32.and": 113,
    "i32.or": 114,
    "i32.xor": 115,
    "i32.shl": 116,
    "i32.shr_u": 118,
    "i32.rotl": 119,
    "f64.neg": 154,
    "f64.sqrt": 159,
    "f64.add": 160,
    "f64.sub": 161,
    "f64.mul": 162,
    "f64.div": 163,
    "f64.min": 164,
    "f64.convert_i32_s": 183,
    "f64.convert_i32_u": 184
  };
  var FunctionBody = class {
    constructor(parameters = [], results = []) {
      this.parameters = parameters;
      this.results = results;
    }
    parameters;
    results;
    #code = new ByteWriter(2048);
    #locals = [];
    #encoded;
    /** How many bytes of code there are. */
    get size() {
      return this.#code.length;
    }
    /** How many variables of its own it has. */
    get localCount() {
      return this.#locals.length;
    }
    /** A new local variable, zero at first. */
    local(type = "v128") {
      return this.parameters.length + this.#locals.push(type) - 1;
    }
    /** Instructions on two lanes. */
    simd(...ops) {
      for (const op of ops) {
        this.#code.byte(253);
        this.#code.unsigned(simdOps[op]);
      }
      return this;
    }
    /** Instructions on single numbers. */
    op(...ops) {
      for (const op of ops) this.#code.byte(plainOps[op]);
      return this;
    }
    get(...locals) {
      for (const local of locals) {
        this.#code.byte(32);
        this.#code.unsigned(local);
      }
      return this;
    }
    set(local) {
      this.#code.byte(33);
      this.#code.unsigned(local);
      return this;
    }
    /** Sets a variable and leaves its value on the stack. */
    tee(local) {
      this.#code.byte(34);
      this.#code.unsigned(local);
      return this;
    }
    /** A new variable that holds what is on the stack. */
    hold() {
      const local = this.local();
      this.set(local);
      return local;
    }
    i32(value) {
      this.#code.byte(65);
      this.#code.signed(value);
      return this;
    }
    number(value) {
      this.#code.byte(68);
      this.#code.f64(value);
      return this;
    }
    /** Both lanes of a constant of elementary functions: loaded, unless it is 0. */
    constant(value) {
      return Object.is(value, 0) ? this.pair(0) : this.i32(0).load(constantAddress(value));
    }
    /** Both lanes of a vector constant. */
    pair(value) {
      this.#code.raw([253, 12]);
      this.#code.f64(value);
      this.#code.f64(value);
      return this;
    }
    /** Lane 0 or 1 as a number. */
    extract(lane) {
      this.#code.raw([253, 33, lane]);
      return this;
    }
    /** Replaces lane 1 of the vector below by the number on top. */
    replaceHigh() {
      this.#code.raw([253, 34, 1]);
      return this;
    }
    /** From two vectors: one lane of the first, then one lane of the second. */
    shuffle(first2, second2) {
      this.#code.raw([253, 13]);
      for (let i = 0; i < 8; i++) this.#code.byte(8 * first2 + i);
      for (let i = 0; i < 8; i++) this.#code.byte(16 + 8 * second2 + i);
      return this;
    }
    /** Loads two lanes from the address on the stack plus `offset` bytes. */
    load(offset) {
      return this.#memory([253, 0], 4, offset);
    }
    /** Loads one number into both lanes. */
    loadSplat(offset) {
      return this.#memory([253, 10], 3, offset);
    }
    /** Loads one number into lane 1 of the vector on the stack, from the address below it. */
    loadHigh(offset) {
      this.#memory([253, 87], 3, offset);
      this.#code.byte(1);
      return this;
    }
    /** Loads an integer of 32 bits. */
    loadIndex(offset) {
      return this.#memory([40], 2, offset);
    }
    /** Loads one number. */
    loadNumber(offset) {
      return this.#memory([43], 3, offset);
    }
    /** Stores both lanes of the value on the stack at the address below it plus `offset` bytes. */
    store(offset) {
      return this.#memory([253, 11], 4, offset);
    }
    /** Stores one number. */
    storeNumber(offset) {
      return this.#memory([57], 3, offset);
    }
    /** Stores an integer of 32 bits. */
    storeIndex(offset) {
      return this.#memory([54], 2, offset);
    }
    /** Calls the function at a place in the table, which is on the stack above its arguments. */
    callIndirect(type) {
      this.#code.byte(17);
      this.#code.unsigned(type);
      this.#code.byte(0);
      return this;
    }
    call(functionIndex) {
      this.#code.byte(16);
      this.#code.unsigned(functionIndex);
      return this;
    }
    /** Zeros at `address`. */
    clear(address, bytes) {
      this.i32(address).i32(0).i32(bytes);
      this.#code.raw([252, 11, 0]);
      return this;
    }
    /** Fills bytes: address, value and count are on the stack. */
    fill() {
      this.#code.raw([252, 11, 0]);
      return this;
    }
    /** Copies bytes. */
    copy(to, from, bytes) {
      this.i32(to).i32(from).i32(bytes);
      this.#code.raw([252, 10, 0, 0]);
      return this;
    }
    /** Runs `body` at least once, while `local` < `limit`, adding `step` after each round. */
    countUp(local, limit, step, body) {
      this.i32(0).set(local);
      this.#code.raw([3, 64]);
      body();
      this.get(local).i32(step).op("i32.add").tee(local).i32(limit).op("i32.lt_u");
      this.#code.raw([13, 0, 11]);
      return this;
    }
    /** Runs `body` as long as `condition` pushes a number that is not zero. */
    asLongAs(condition2, body) {
      this.#code.raw([2, 64, 3, 64]);
      condition2();
      this.op("i32.eqz");
      this.#code.raw([13, 1]);
      body();
      this.#code.raw([12, 0, 11, 11]);
      return this;
    }
    /** Runs `body` if the number on the stack is not zero, otherwise `other`. */
    choose(body, other) {
      this.#code.raw([4, 64]);
      body();
      this.#code.byte(5);
      other();
      this.#code.byte(11);
      return this;
    }
    /** Runs `body` if the number on the stack is not zero. */
    when(body) {
      this.#code.raw([4, 64]);
      body();
      this.#code.byte(11);
      return this;
    }
    /** Two lanes from one of two branches: the first if the number on the stack is not zero. */
    either(yes, no) {
      this.#code.raw([4, valueTypes.v128]);
      yes();
      this.#code.byte(5);
      no();
      this.#code.byte(11);
      return this;
    }
    #memory(op, alignment, offset) {
      this.#code.raw(op);
      this.#code.byte(alignment);
      this.#code.unsigned(offset);
      return this;
    }
    /** Size, locals and code, as the code section wants them. */
    encode(to) {
      this.#encoded ??= this.#encode();
      to.raw(this.#encoded);
    }
    #encode() {
      const to = new ByteWriter(this.#code.length + 64);
      const head2 = new ByteWriter();
      const runs2 = [];
      for (const type of this.#locals) {
        const last = runs2.at(-1);
        if (last?.[0] === type) last[1]++;
        else runs2.push([type, 1]);
      }
      head2.unsigned(runs2.length);
      for (const [type, count] of runs2) {
        head2.unsigned(count);
        head2.byte(valueTypes[type]);
      }
      to.unsigned(head2.length + this.#code.length + 1);
      to.raw(head2.take());
      to.raw(this.#code.take());
      to.byte(11);
      return to.take();
    }
  };

  // src/math/wasm/module.ts
  function assembleModule(imports, functions2, exports, indirect) {
    const module = new ByteWriter(8192);
    module.raw([0, 97, 115, 109, 1, 0, 0, 0]);
    const types = [...imports, ...functions2, ...indirect ? [indirect] : []];
    section(module, 1, types, (to, { parameters, results }) => {
      to.byte(96);
      for (const list2 of [parameters, results]) {
        to.unsigned(list2.length);
        for (const type of list2) to.byte(valueTypes[type]);
      }
    });
    const state = [{ name: "memory", kind: [2, 0, 1] }];
    if (indirect) state.push({ name: "table", kind: [1, 112, 0, 1] });
    section(module, 2, [...state, ...imports], (to, one3, k) => {
      to.text("host");
      to.text(one3.name);
      if ("kind" in one3) return to.raw(one3.kind);
      to.byte(0);
      to.unsigned(k - state.length);
    });
    section(module, 3, functions2, (to, _one, k) => to.unsigned(imports.length + k));
    section(module, 7, exports, (to, { name: name2, index }) => {
      to.text(name2);
      to.byte(0);
      to.unsigned(index);
    });
    section(module, 10, functions2, (to, one3) => one3.encode(to));
    return module.take().slice();
  }
  function section(module, id, entries2, write) {
    const content = new ByteWriter();
    content.unsigned(entries2.length);
    entries2.forEach((entry, k) => write(content, entry, k));
    module.byte(id);
    module.unsigned(content.length);
    module.raw(content.take());
  }

  // src/math/wasm/functions.ts
  var roundShift2 = 6755399441055744;
  var inverseLn22 = 1.4426950408889634;
  var ln2High2 = 0.6931471803691238;
  var ln2Low2 = 19082149292705877e-26;
  var exponentialCoefficients = [
    0.16666666666666602,
    -0.0027777777777015593,
    6613756321437934e-20,
    -16533902205465252e-22,
    41381367970572385e-24
  ];
  var evenCoefficients = [
    0.3999999999940942,
    0.22222198432149784,
    0.15313837699209373
  ];
  var oddCoefficients = [
    0.6666666666666735,
    0.2857142874366239,
    0.1818357216161805,
    0.14798198605116586
  ];
  var fractionBits = 2225073858507201e-323;
  var integerBase = 4503599627370496;
  var exponentBase = 4503599627371519;
  function polynomial(f, t, coefficients2) {
    for (let i = 0; i < coefficients2.length - 1; i++) f.constant(coefficients2[i]).get(t);
    f.constant(coefficients2[coefficients2.length - 1]);
    for (let i = 1; i < coefficients2.length; i++) f.simd("f64x2.mul", "f64x2.add");
  }
  function exponential(far3) {
    const f = new FunctionBody(["v128"], ["v128"]);
    pushExponential(f, 0, far3);
    return f;
  }
  function pushExponential(f, x, far3) {
    f.get(x).simd("f64x2.abs").constant(708).simd("f64x2.le", "i64x2.all_true");
    f.either(() => {
      const { shifted } = pushReducedExponential(f, x);
      pushShifted(f, shifted).simd("f64x2.mul");
    }, () => void f.get(x).call(far3));
  }
  function pushReducedExponential(f, x) {
    const shifted = f.get(x).constant(inverseLn22).simd("f64x2.mul").constant(roundShift2).simd(
      "f64x2.add"
    ).hold();
    const k = f.get(shifted).constant(roundShift2).simd("f64x2.sub").hold();
    const high2 = f.get(x, k).constant(ln2High2).simd("f64x2.mul", "f64x2.sub").hold();
    const low2 = f.get(k).constant(ln2Low2).simd("f64x2.mul").hold();
    const r = f.get(high2, low2).simd("f64x2.sub").hold();
    const t = f.get(r, r).simd("f64x2.mul").hold();
    f.get(r, t);
    polynomial(f, t, exponentialCoefficients);
    const c = f.simd("f64x2.mul", "f64x2.sub").hold();
    f.constant(1).get(low2, r, c).simd("f64x2.mul").constant(2).get(c).simd("f64x2.sub", "f64x2.div");
    f.simd("f64x2.sub").get(high2).simd("f64x2.sub", "f64x2.sub");
    return { k, shifted };
  }
  function pushShifted(f, shifted) {
    return f.get(shifted).i32(52).simd("i64x2.shl").constant(1).simd("i64x2.add");
  }
  function pushPowerOfTwo(f, k) {
    return pushShifted(f, f.get(k).constant(roundShift2).simd("f64x2.add").hold());
  }
  function logarithm(far3) {
    const f = new FunctionBody(["v128"], ["v128"]);
    const x = 0;
    f.get(x).constant(22250738585072014e-324).simd("f64x2.ge");
    f.get(x).constant(17976931348623157e292).simd("f64x2.le", "v128.and", "i64x2.all_true");
    f.either(() => {
      const { fraction: fraction3, exponent } = splitExponent(f, x);
      const d = f.get(fraction3).constant(1).simd("f64x2.sub").hold();
      logOfReduced(f, d, exponent, void 0);
    }, () => void f.get(x).call(far3));
    return f;
  }
  function logOnePlus(far3) {
    const f = new FunctionBody(["v128"], ["v128"]);
    pushIsModerate(f, 0).simd("i64x2.all_true");
    f.either(() => pushModerateLogOnePlus(f, 0), () => void f.get(0).call(far3));
    return f;
  }
  function pushIsModerate(f, x) {
    f.get(x).constant(-0.9).simd("f64x2.gt").get(x).constant(2147483e3).simd("f64x2.lt");
    return f.simd("v128.and");
  }
  function pushModerateLogOnePlus(f, x) {
    f.get(x).constant(-0.2928932188134524).simd("f64x2.gt").get(x).constant(0.41421356237309503);
    const near2 = f.simd("f64x2.lt", "v128.and").hold();
    const u = f.constant(1).get(x).simd("f64x2.add").hold();
    const lost = pushLost(f, x, u);
    const { fraction: fraction3, exponent } = splitExponent(f, u);
    const select2 = (far3, close) => {
      close();
      far3();
      return f.get(near2).simd("v128.bitselect").hold();
    };
    const zero2 = () => void f.constant(0);
    const d = select2(() => f.get(fraction3).constant(1).simd("f64x2.sub"), () => f.get(x));
    const k = select2(() => f.get(exponent), zero2);
    const correction = select2(() => f.get(lost), zero2);
    f.get(x);
    logOfReduced(f, d, k, correction);
    f.get(x).simd("f64x2.abs").constant(5551115123125783e-32).simd("f64x2.lt", "v128.bitselect");
  }
  function pushLost(f, x, u) {
    f.constant(1).get(u, x).simd("f64x2.sub", "f64x2.sub");
    f.get(x, u).constant(1).simd("f64x2.sub", "f64x2.sub");
    f.get(x).constant(1).simd("f64x2.gt", "v128.bitselect");
    return f.get(u).simd("f64x2.div").hold();
  }
  function splitExponent(f, x) {
    f.get(x).i32(52).simd("i64x2.shr_u").constant(integerBase).simd("v128.or").constant(exponentBase);
    const e = f.simd("f64x2.sub").hold();
    const m = f.get(x).constant(fractionBits).simd("v128.and").constant(1).simd("v128.or").hold();
    const large = f.get(m).constant(1.4142135623730951).simd("f64x2.gt").hold();
    f.get(m).constant(0.5).simd("f64x2.mul").get(m, large).simd("v128.bitselect");
    const fraction3 = f.hold();
    const exponent = f.get(e, large).constant(1).simd("v128.and", "f64x2.add").hold();
    return { fraction: fraction3, exponent };
  }
  function logOfReduced(f, d, k, correction) {
    const s = f.get(d).constant(2).get(d).simd("f64x2.add", "f64x2.div").hold();
    const z = f.get(s, s).simd("f64x2.mul").hold();
    const w = f.get(z, z).simd("f64x2.mul").hold();
    const half2 = f.constant(0.5).get(d).simd("f64x2.mul").get(d).simd("f64x2.mul").hold();
    f.get(s, half2, w);
    polynomial(f, w, evenCoefficients);
    f.simd("f64x2.mul", "f64x2.add").get(z);
    polynomial(f, w, oddCoefficients);
    f.simd("f64x2.mul", "f64x2.add", "f64x2.mul").get(k).constant(ln2Low2).simd("f64x2.mul");
    if (correction !== void 0) f.get(correction).simd("f64x2.add");
    f.simd("f64x2.add").get(half2).simd("f64x2.sub").get(d).simd("f64x2.add");
    f.get(k).constant(ln2High2).simd("f64x2.mul", "f64x2.add");
  }

  // src/math/wasm/far_functions.ts
  function farExponential() {
    const f = new FunctionBody(["v128"], ["v128"]);
    const x = 0;
    f.get(x).constant(-746).simd("f64x2.lt", "i64x2.all_true");
    f.either(() => f.constant(0), () => pushFarExponential(f, x));
    return f;
  }
  function pushFarExponential(f, x) {
    const bounded = f.get(x).constant(-746).simd("f64x2.max").constant(710).simd("f64x2.min").hold();
    f.constant(Infinity).constant(0);
    const { k } = pushReducedExponential(f, bounded);
    const half2 = f.get(k).constant(0.5).simd("f64x2.mul", "f64x2.floor").hold();
    const rest = f.get(k, half2).simd("f64x2.sub").hold();
    pushPowerOfTwo(f, half2).simd("f64x2.mul");
    pushPowerOfTwo(f, rest).simd("f64x2.mul");
    f.get(x).constant(-745.1332191019412).simd("f64x2.lt", "v128.bitselect");
    f.get(x).constant(709.782712893384).simd("f64x2.gt", "v128.bitselect");
  }
  function farLogarithm() {
    const f = new FunctionBody(["v128"], ["v128"]);
    const x = 0;
    const tiny3 = f.get(x).constant(22250738585072014e-324).simd("f64x2.lt").hold();
    f.get(x).constant(18014398509481984).simd("f64x2.mul").get(x, tiny3).simd("v128.bitselect");
    const { fraction: fraction3, exponent } = splitExponent(f, f.hold());
    const d = f.get(fraction3).constant(1).simd("f64x2.sub").hold();
    const k = f.get(exponent).constant(54).get(tiny3).simd("v128.and", "f64x2.sub").hold();
    f.constant(-Infinity).constant(Infinity);
    logOfReduced(f, d, k, void 0);
    f.get(x).constant(Infinity).simd("f64x2.eq", "v128.bitselect");
    f.get(x).constant(0).simd("f64x2.eq", "v128.bitselect");
    f.constant(NaN).get(x).constant(0).simd("f64x2.ge", "v128.bitselect");
    return f;
  }
  function farLogOnePlus(far3) {
    const f = new FunctionBody(["v128"], ["v128"]);
    const x = 0;
    pushModerateLogOnePlus(f, x);
    f.get(x).constant(1).simd("f64x2.add").call(far3);
    pushIsModerate(f, x).simd("v128.bitselect");
    return f;
  }

  // src/math/wasm/hyperbolic.ts
  var coefficients = [
    1,
    -0.03333333333333313,
    0.0015873015872548146,
    -7936507578864879e-20,
    4008217827329362e-21,
    -20109921818362437e-23
  ];
  function exponentialLessOne(far3) {
    const f = new FunctionBody(["v128"], ["v128"]);
    pushExponentialLessOne(f, 0, far3);
    return f;
  }
  function farExponentialLessOne(farExponential2) {
    const f = new FunctionBody(["v128"], ["v128"]);
    const x = 0;
    moderate(f, x);
    f.constant(-1).get(x).call(farExponential2).get(x).constant(-40).simd(
      "f64x2.le",
      "v128.bitselect"
    );
    f.get(x).simd("f64x2.abs").constant(40).simd("f64x2.lt", "v128.bitselect");
    return f;
  }
  function hyperbolicTangent(farExpm1) {
    const f = new FunctionBody(["v128"], ["v128"]);
    const x = 0;
    const a = f.get(x).simd("f64x2.abs").hold();
    const small = f.get(a).constant(1).simd("f64x2.lt").hold();
    const large = f.get(a).constant(22).simd("f64x2.gt").hold();
    f.constant(0).constant(-2).get(a).simd("f64x2.mul").constant(2).get(a).simd("f64x2.mul");
    f.get(small).simd("v128.bitselect").get(large).simd("v128.bitselect");
    const y = f.hold();
    pushExponentialLessOne(f, y, farExpm1);
    const t = f.hold();
    const sum3 = f.get(t).constant(2).simd("f64x2.add").hold();
    f.constant(1);
    f.get(t).simd("f64x2.neg").get(sum3).simd("f64x2.div");
    f.constant(1).constant(2).get(sum3).simd("f64x2.div", "f64x2.sub");
    f.get(small).simd("v128.bitselect").get(large).simd("v128.bitselect");
    f.get(x).constant(-0).simd("v128.and", "v128.or");
    return f;
  }
  function pushExponentialLessOne(f, x, far3) {
    f.get(x).simd("f64x2.abs").constant(40).simd("f64x2.lt", "i64x2.all_true");
    f.either(() => moderate(f, x), () => void f.get(x).call(far3));
  }
  function moderate(f, x) {
    const nearZero = f.get(x).simd("f64x2.abs").constant(0.34657359027997264).simd("f64x2.lt").hold();
    f.constant(0).get(x).constant(inverseLn22).simd("f64x2.mul").constant(roundShift2).simd(
      "f64x2.add"
    );
    f.constant(roundShift2).simd("f64x2.sub").get(nearZero).simd("v128.bitselect");
    const k = f.hold();
    const high2 = f.get(x, k).constant(ln2High2).simd("f64x2.mul", "f64x2.sub").hold();
    const low2 = f.get(k).constant(ln2Low2).simd("f64x2.mul").hold();
    const r = f.get(high2, low2).simd("f64x2.sub").hold();
    const tail2 = f.get(high2, r).simd("f64x2.sub").get(low2).simd("f64x2.sub").hold();
    const half2 = f.constant(0.5).get(r).simd("f64x2.mul").hold();
    const square4 = f.get(r, half2).simd("f64x2.mul").hold();
    polynomial(f, square4, coefficients);
    const r1 = f.hold();
    const t = f.constant(3).get(r1, half2).simd("f64x2.mul", "f64x2.sub").hold();
    f.get(square4, r1, t).simd("f64x2.sub").constant(6).get(r, t).simd("f64x2.mul", "f64x2.sub");
    const first2 = f.simd("f64x2.div", "f64x2.mul").hold();
    f.get(r, first2, tail2).simd("f64x2.sub", "f64x2.mul").get(tail2).simd("f64x2.sub");
    const e = f.get(square4).simd("f64x2.sub").hold();
    const power5 = pushPowerOfTwo(f, k).hold();
    const inverse3 = f.constant(1).get(power5).simd("f64x2.div").hold();
    pushVariants(f, { r, e, k, power: power5, inverse: inverse3 });
    const zero2 = () => {
      f.get(r, r, first2).simd("f64x2.mul").get(square4).simd("f64x2.sub", "f64x2.sub");
    };
    const rest = f.hold();
    zero2();
    f.get(rest, k).constant(0).simd("f64x2.eq", "v128.bitselect");
    const result = f.hold();
    f.get(x, result, x).simd("f64x2.abs").constant(5551115123125783e-32);
    f.simd("f64x2.lt", "v128.bitselect");
  }
  function pushVariants(f, { r, e, k, power: power5, inverse: inverse3 }) {
    f.constant(0.5).get(r, e).simd("f64x2.sub", "f64x2.mul").constant(0.5).simd("f64x2.sub");
    f.constant(-2).get(e, r).constant(0.5).simd("f64x2.add", "f64x2.sub", "f64x2.mul");
    f.constant(1).constant(2).get(r, e).simd("f64x2.sub", "f64x2.mul", "f64x2.add");
    f.get(r).constant(-0.25).simd("f64x2.lt", "v128.bitselect");
    f.constant(1).get(e, r).simd("f64x2.sub", "f64x2.sub").get(power5).simd("f64x2.mul");
    f.constant(1).simd("f64x2.sub");
    f.constant(1).get(inverse3).simd("f64x2.sub").get(e, r).simd("f64x2.sub", "f64x2.sub");
    f.get(power5).simd("f64x2.mul");
    f.get(r, e, inverse3).simd("f64x2.add", "f64x2.sub").constant(1).simd("f64x2.add");
    f.get(power5).simd("f64x2.mul");
    f.get(k).constant(20).simd("f64x2.lt", "v128.bitselect");
    f.get(k).constant(-2).simd("f64x2.le").get(k).constant(56).simd("f64x2.gt", "v128.or");
    f.simd("v128.bitselect");
    f.get(k).constant(1).simd("f64x2.eq", "v128.bitselect");
    f.get(k).constant(-1).simd("f64x2.eq", "v128.bitselect");
  }

  // src/math/wasm/library.ts
  var functions = {
    exp: { calls: "farExp", body: exponential },
    log: { calls: "farLog", body: logarithm },
    log1p: { calls: "farLog1p", body: logOnePlus },
    expm1: { calls: "farExpm1", body: exponentialLessOne },
    tanh: { calls: "farExpm1", body: hyperbolicTangent },
    farExp: { body: farExponential },
    farLog: { body: farLogarithm },
    farLog1p: { calls: "farLog", body: farLogOnePlus },
    farExpm1: { calls: "farExp", body: farExponentialLessOne }
  };
  var bodies = /* @__PURE__ */ new Map();
  var FunctionLibrary = class {
    /**
     * @param needed functions that the module calls.
     * @param first index of the first of them: how many functions come before.
     */
    constructor(needed, first2) {
      this.first = first2;
      const names2 = /* @__PURE__ */ new Set();
      const add = (name2) => {
        const { calls: calls2 } = functions[name2];
        if (calls2) add(calls2);
        names2.add(name2);
      };
      for (const name2 of needed) add(name2);
      this.#names = [...names2];
    }
    first;
    #names;
    /** How many there are. */
    get count() {
      return this.#names.length;
    }
    /** Index of a function within the module. */
    index(name2) {
      const at = this.#names.indexOf(name2);
      if (at < 0) throw new Error(`internal: ${name2} is not in the module`);
      return this.first + at;
    }
    /** What they consist of, in the order of their indices. */
    bodies() {
      return this.#names.map((name2) => {
        const { calls: calls2, body } = functions[name2];
        const called = calls2 ? this.index(calls2) : 0;
        const key = `${name2} ${called}`;
        const known5 = bodies.get(key) ?? body(called);
        bodies.set(key, known5);
        return known5;
      });
    }
  };

  // src/infer/tree_frame.ts
  var frame = {
    /** Four words of a random stream. */
    stream: 32,
    stepSize: 48,
    initialEnergy: 56,
    acceptanceSum: 64,
    steps: 72,
    /** Bytes from a state to the next. */
    stride: 76,
    /** Addresses of slot 0. */
    positions: 80,
    gradients: 84,
    whiteGradients: 88,
    momenta: 92,
    sums: 96,
    logDensities: 100,
    /** Addresses of level 0. */
    levelWeights: 104,
    levelProposals: 108,
    /** Addresses of the metric's factor, and, if it is dense, of its transpose; otherwise 0. */
    factor: 112,
    transposed: 116,
    /** Bytes of the coordinates of a state, without padding. */
    dimension: 120,
    /** The slot of the current state, doublings for which there is room, and doublings at most. */
    start: 124,
    room: 128,
    maxDepth: 132,
    /** The trajectory so far: doublings, outermost slots, the selected one, and the weight of all. */
    depth: 136,
    left: 140,
    right: 144,
    selected: 148,
    weight: 152,
    /** Energy of the state that a transition came to, and what its last subtree came to. */
    energy: 160,
    last: 168
  };
  var outcome = { valid: 0, turns: 1, diverges: 2 };
  var maxEnergyError = 1e3;
  var maxLogWeight = 690;
  var library = new FunctionLibrary(["exp", "log"], 0);
  var functionNames = [
    "word",
    "uniform",
    "leapfrog",
    "between",
    "turns",
    "grow",
    "begin",
    "select",
    "resume",
    "transition"
  ];
  function numberOf(name2) {
    return library.count + functionNames.indexOf(name2);
  }

  // src/infer/row_code.ts
  var RowCode = class extends FunctionBody {
    /** @param stride bytes of a row, if loops over it are to be written out; otherwise 0. */
    constructor(stride, parameters, results) {
      super(parameters, results);
      this.stride = stride;
    }
    stride;
    /** A new variable that holds the bytes of a row. */
    rowBytes() {
      return (this.stride > 0 ? this.i32(this.stride) : this.word(frame.stride)).holdWord();
    }
    /** Pushes the address of a place. */
    address(row, { local }) {
      return local === void 0 ? this.get(row) : this.get(row, local).op("i32.add");
    }
    /** Pushes a word of the frame. */
    word(address) {
      return this.i32(0).loadIndex(address);
    }
    /** Pushes a number of the frame. */
    value(address) {
      return this.i32(0).loadNumber(address);
    }
    /** A new variable for the address of a row: base + slot · stride. */
    row(base, slot, stride) {
      const local = this.local("i32");
      this.word(base).get(slot, stride).op("i32.mul", "i32.add").set(local);
      return local;
    }
    /** Pushes two elements of a row. */
    two(row, at) {
      return this.address(row, at).load(at.bytes);
    }
    /** Stores two elements, which `push` pushes, into a row. */
    storeTwo(row, at, push) {
      this.address(row, at);
      push();
      return this.store(at.bytes);
    }
    /** Runs `body` for every pair of elements of a row. */
    pairs(body) {
      if (this.stride > 0) {
        for (let bytes = 0; bytes < this.stride; bytes += 16) body({ bytes });
        return this;
      }
      const first2 = this.i32(0).holdWord();
      return this.pairsFrom(first2, this.rowBytes(), body);
    }
    /** Runs `body` for every pair from `local`, which moves on, to below `end` bytes. */
    pairsFrom(local, end, body) {
      return this.asLongAs(() => this.get(local, end).op("i32.lt_u"), () => {
        body({ local, bytes: 0 });
        this.get(local).i32(16).op("i32.add").set(local);
      });
    }
    /**
     * Runs `body` for every row of a matrix, with what runs over its pairs up to that of the diagonal,
     * or from there on.
     */
    rows(matrix, stride, part, body) {
      const row = this.word(matrix).holdWord();
      if (this.stride > 0) return this.#writtenRows(row, part, body);
      const at = this.i32(0).holdWord();
      this.asLongAs(() => this.get(at, stride).op("i32.lt_u"), () => {
        const diagonal = this.get(at).i32(-16).op("i32.and").holdWord();
        body(row, { local: at, bytes: 0 }, (over2) => {
          const first2 = part === "below" ? this.i32(0).holdWord() : diagonal;
          const end = part === "below" ? this.get(diagonal).i32(16).op("i32.add").holdWord() : stride;
          this.pairsFrom(first2, end, (place3) => over2({ place: place3, inRow: place3 }));
        });
        this.get(row, stride).op("i32.add").set(row);
        this.get(at).i32(8).op("i32.add").set(at);
      });
    }
    #writtenRows(row, part, body) {
      for (let at = 0, begin3 = 0; at < this.stride; at += 8, begin3 += this.stride) {
        const diagonal = at & -16;
        const [first2, last] = part === "below" ? [0, diagonal] : [diagonal, this.stride - 16];
        body(row, { bytes: at }, (over2) => {
          for (let bytes = first2; bytes <= last; bytes += 16) {
            over2({ place: { bytes }, inRow: { bytes: begin3 + bytes } });
          }
        });
      }
    }
    /** A new variable that holds the word on the stack. */
    holdWord() {
      const local = this.local("i32");
      this.set(local);
      return local;
    }
    /** Stores the word in a variable into the frame. */
    putWord(address, local) {
      return this.i32(0).get(local).storeIndex(address);
    }
    /** Stores the number in a variable into the frame. */
    putNumber(address, local) {
      return this.i32(0).get(local).storeNumber(address);
    }
    /** Pushes the sum of both lanes. */
    total(sum3) {
      return this.get(sum3).extract(0).get(sum3).extract(1).op("f64.add");
    }
  };

  // src/infer/grow_code.ts
  function growTree(width3) {
    const f = new RowCode(width3, ["i32", "i32", "i32"], ["i32"]);
    const [slot, direction, depth] = [0, 1, 2];
    const [leaf, count] = [f.local("i32"), f.local("i32")];
    const error2 = f.local("f64");
    f.i32(1).get(depth).op("i32.shl").set(count).i32(1).set(leaf);
    f.asLongAs(() => f.get(leaf, count).op("i32.le_s"), () => {
      f.get(slot, direction).call(numberOf("leapfrog")).set(error2);
      f.get(slot, direction).op("i32.add").set(slot);
      f.i32(0).word(frame.steps).i32(1).op("i32.add").storeIndex(frame.steps);
      f.get(error2).number(maxEnergyError).op("f64.le", "i32.eqz");
      f.when(() => f.i32(outcome.diverges).op("return"));
      f.get(error2).op("f64.neg").number(maxLogWeight).op("f64.min").simd("f64x2.splat");
      const weight = f.local("f64");
      f.call(library.index("exp")).extract(0).set(weight);
      f.i32(0).value(frame.acceptanceSum).get(weight).number(1).op("f64.min", "f64.add");
      f.storeNumber(frame.acceptanceSum);
      merge(f, { slot, direction, leaf, weight });
      f.get(leaf).i32(1).op("i32.add").set(leaf);
    });
    return f.i32(outcome.valid);
  }
  function merge(f, { slot, direction, leaf, weight }) {
    const [proposal, level, rest] = [f.local("i32"), f.local("i32"), f.local("i32")];
    const [half2, left] = [f.local("i32"), f.local("i32")];
    const total2 = f.local("f64");
    const weights = () => f.word(frame.levelWeights).get(level).i32(8).op("i32.mul", "i32.add");
    const proposals = () => f.word(frame.levelProposals).get(level).i32(4).op("i32.mul", "i32.add");
    f.get(slot).set(proposal).i32(0).set(level).get(leaf).set(rest);
    f.asLongAs(() => f.get(rest).i32(1).op("i32.and", "i32.eqz"), () => {
      weights().loadNumber(0).get(weight).op("f64.add").set(total2);
      f.call(numberOf("uniform")).get(total2).op("f64.mul").get(weight).op("f64.ge");
      f.when(() => proposals().loadIndex(0).set(proposal));
      f.get(total2).set(weight);
      f.i32(1).get(level).op("i32.shl").set(half2);
      f.get(level).i32(1).op("i32.add").set(level);
      f.get(slot).set(left);
      f.get(direction).i32(1).op("i32.eq").when(
        () => f.get(slot, half2).i32(1).op("i32.shl", "i32.sub").i32(1).op("i32.add").set(left)
      );
      f.get(left);
      f.get(left, half2).op("i32.add").i32(1).op("i32.sub");
      f.get(left, half2).i32(1).op("i32.shl", "i32.add").i32(1).op("i32.sub");
      f.call(numberOf("turns")).when(() => f.i32(outcome.turns).op("return"));
      f.get(rest).i32(1).op("i32.shr_u").set(rest);
    });
    weights().get(weight).storeNumber(0);
    proposals().get(proposal).storeIndex(0);
  }

  // src/infer/leapfrog_code.ts
  var gradientType = library.count + functionNames.length;
  function leapfrog2(width3) {
    const f = new RowCode(width3, ["i32", "i32"], ["f64"]);
    const [from, direction] = [0, 1];
    const [to, stride] = [f.local("i32"), f.rowBytes()];
    f.get(from, direction).op("i32.add").set(to);
    const row = (base, slot) => f.row(base, slot, stride);
    const [q, nextQ] = [row(frame.positions, from), row(frame.positions, to)];
    const [r, nextR] = [row(frame.momenta, from), row(frame.momenta, to)];
    const [u, nextU] = [row(frame.whiteGradients, from), row(frame.whiteGradients, to)];
    const g = row(frame.gradients, to);
    f.get(direction).op("f64.convert_i32_s").value(frame.stepSize).op("f64.mul");
    const step = f.simd("f64x2.splat").hold();
    const half2 = f.pair(0.5).get(step).simd("f64x2.mul").hold();
    f.pairs(
      (k) => f.storeTwo(nextR, k, () => {
        f.two(r, k).get(half2).two(u, k).simd("f64x2.mul", "f64x2.add");
      })
    );
    const dense = () => f.word(frame.transposed);
    const drift = { f, stride, step, q, nextQ, nextR };
    dense().choose(() => driftDense2(drift), () => driftDiagonal2(drift));
    f.get(nextQ, g).i32(0).callIndirect(gradientType);
    const value = f.local("f64");
    f.set(value).word(frame.logDensities).get(to).i32(8).op("i32.mul", "i32.add");
    f.get(value).storeNumber(0);
    const white = { f, stride, g, nextU };
    dense().choose(() => whitenDense(white), () => whitenDiagonal(white));
    kick2({ f, stride, half: half2, from, to, direction, nextR, nextU });
    return f.number(0.5).op("f64.mul").get(value).op("f64.sub").value(frame.initialEnergy).op("f64.sub");
  }
  function driftDiagonal2({ f, step, q, nextQ, nextR }) {
    const factor2 = f.local("i32");
    f.word(frame.factor).set(factor2);
    f.pairs(
      (k) => f.storeTwo(nextQ, k, () => {
        f.two(q, k).get(step).two(factor2, k).simd("f64x2.mul").two(nextR, k);
        f.simd("f64x2.mul", "f64x2.add");
      })
    );
  }
  function driftDense2({ f, stride, step, q, nextQ, nextR }) {
    f.rows(frame.factor, stride, "below", (row, at, pairs) => {
      const sum3 = f.pair(0).hold();
      pairs((k) => {
        f.get(sum3).two(row, k.inRow).two(nextR, k.place).simd("f64x2.mul", "f64x2.add").set(sum3);
      });
      f.address(nextQ, at).address(q, at).loadNumber(at.bytes);
      f.get(step).extract(0).total(sum3).op("f64.mul", "f64.add").storeNumber(at.bytes);
    });
  }
  function whitenDiagonal({ f, g, nextU }) {
    const factor2 = f.local("i32");
    f.word(frame.factor).set(factor2);
    f.pairs(
      (k) => f.storeTwo(nextU, k, () => {
        f.two(factor2, k).two(g, k).simd("f64x2.mul");
      })
    );
  }
  function whitenDense({ f, stride, g, nextU }) {
    f.rows(frame.transposed, stride, "above", (row, at, pairs) => {
      const sum3 = f.pair(0).hold();
      pairs((k) => {
        f.get(sum3).two(row, k.inRow).two(g, k.place).simd("f64x2.mul", "f64x2.add").set(sum3);
      });
      f.address(nextU, at).total(sum3).storeNumber(at.bytes);
    });
  }
  function kick2({ f, stride, half: half2, from, to, direction, nextR, nextU }) {
    const [known5, next] = [f.local("i32"), f.local("i32")];
    const [momentum, square4, sign2] = [f.local(), f.local(), f.local()];
    f.get(direction).i32(0).op("i32.lt_s").choose(
      () => f.get(to).set(known5).get(to).i32(1).op("i32.sub").set(next),
      () => f.get(from).set(known5).get(to).set(next)
    );
    for (const slot of [known5, next]) {
      f.word(frame.sums).get(slot, stride).op("i32.mul", "i32.add").set(slot);
    }
    f.get(direction).op("f64.convert_i32_s").simd("f64x2.splat").set(sign2);
    f.pair(0).set(square4);
    f.pairs((k) => {
      f.two(nextR, k).get(half2).two(nextU, k).simd("f64x2.mul", "f64x2.add").set(momentum);
      f.storeTwo(nextR, k, () => f.get(momentum));
      f.get(square4, momentum, momentum).simd("f64x2.mul", "f64x2.add").set(square4);
      f.storeTwo(next, k, () => {
        f.two(known5, k).get(sign2, momentum).simd("f64x2.mul", "f64x2.add");
      });
    });
    f.total(square4);
  }

  // src/infer/stream_code.ts
  function word(width3) {
    const f = new RowCode(width3, [], ["i32"]);
    const [a, b, c, d, t] = Array.from({ length: 5 }, () => f.local("i32"));
    [a, b, c, d].forEach((local, i) => f.word(frame.stream + 4 * i).set(local));
    const save = (i, local) => f.i32(0).get(local).storeIndex(frame.stream + 4 * i);
    f.get(b).i32(5).op("i32.mul").i32(7).op("i32.rotl").i32(9).op("i32.mul");
    f.get(b).i32(9).op("i32.shl").set(t);
    f.get(c, a).op("i32.xor").set(c);
    f.get(d, b).op("i32.xor").set(d);
    f.get(b, c).op("i32.xor").set(b);
    f.get(a, d).op("i32.xor").set(a);
    f.get(c, t).op("i32.xor").set(c);
    f.get(d).i32(11).op("i32.rotl").set(d);
    [a, b, c, d].forEach((local, i) => save(i, local));
    return f;
  }
  function uniform(width3) {
    const f = new RowCode(width3, [], ["f64"]);
    const half2 = () => f.call(numberOf("word")).i32(6).op("i32.shr_u", "f64.convert_i32_u");
    half2().number(67108864).op("f64.mul");
    half2().op("f64.add").number(0.5).op("f64.add").number(4503599627370496).op("f64.div");
    return f;
  }
  function fillRow(f, row) {
    const [at, end] = [f.local("i32"), f.local("i32")];
    const [x, y, square4, scale] = Array.from({ length: 4 }, () => f.local("f64"));
    f.get(row).set(at).get(row).word(frame.dimension).op("i32.add").set(end);
    f.asLongAs(() => f.get(at, end).op("i32.lt_u"), () => {
      f.number(1).set(square4);
      f.asLongAs(() => isOutside(f, square4), () => {
        for (const coordinate2 of [x, y]) {
          f.number(2).call(numberOf("uniform")).op("f64.mul").number(1).op("f64.sub");
          f.set(coordinate2);
        }
        f.get(x, x).op("f64.mul").get(y, y).op("f64.mul", "f64.add").set(square4);
      });
      f.number(-2).get(square4).simd("f64x2.splat").call(library.index("log")).extract(0);
      f.op("f64.mul").get(square4).op("f64.div", "f64.sqrt").set(scale);
      f.get(at, x, scale).op("f64.mul").storeNumber(0);
      f.get(at).i32(8).op("i32.add").get(end).op("i32.lt_u").when(() => {
        f.get(at, y, scale).op("f64.mul").storeNumber(8);
      });
      f.get(at).i32(16).op("i32.add").set(at);
    });
  }
  function isOutside(f, square4) {
    f.get(square4).number(1).op("f64.ge").get(square4).number(0).op("f64.eq", "i32.or");
  }

  // src/infer/transition_code.ts
  function begin(width3) {
    const f = new RowCode(width3, [], []);
    const [start, stride] = [f.word(frame.start).holdWord(), f.rowBytes()];
    const [momenta, sums] = [f.row(frame.momenta, start, stride), f.row(frame.sums, start, stride)];
    const before = f.get(sums, stride).op("i32.sub").holdWord();
    fillRow(f, momenta);
    f.pairs((k) => {
      f.storeTwo(before, k, () => f.pair(0));
      f.storeTwo(sums, k, () => f.two(momenta, k));
    });
    const energy = f.local("f64");
    pushEnergy(f, momenta, start);
    f.set(energy).putNumber(frame.initialEnergy, energy);
    const [zero2, none2] = [f.local("i32"), f.local("f64")];
    for (const at of [frame.steps, frame.depth, frame.last]) f.putWord(at, zero2);
    for (const at of [frame.left, frame.right, frame.selected]) f.putWord(at, start);
    f.putNumber(frame.acceptanceSum, none2).number(1).set(none2).putNumber(frame.weight, none2);
    return f;
  }
  function pushEnergy(f, momenta, slot) {
    const square4 = f.pair(0).hold();
    f.pairs((k) => {
      f.get(square4).two(momenta, k).two(momenta, k).simd("f64x2.mul", "f64x2.add").set(square4);
    });
    f.number(0.5).total(square4).op("f64.mul");
    f.word(frame.logDensities).get(slot).i32(8).op("i32.mul", "i32.add").loadNumber(0).op("f64.sub");
  }
  function select(width3) {
    const f = new RowCode(width3, ["i32"], []);
    const slot = 0;
    const [start, stride] = [f.word(frame.start).holdWord(), f.rowBytes()];
    const energy = f.local("f64");
    pushEnergy(f, f.row(frame.momenta, slot, stride), slot);
    f.set(energy).putNumber(frame.energy, energy);
    f.get(slot, start).op("i32.eq").when(() => f.op("return"));
    for (const rows of [frame.positions, frame.gradients, frame.whiteGradients]) {
      const [from, to] = [f.row(rows, slot, stride), f.row(rows, start, stride)];
      f.pairs((k) => f.storeTwo(to, k, () => f.two(from, k)));
    }
    const density = (at) => f.word(frame.logDensities).get(at).i32(8).op("i32.mul", "i32.add");
    density(start);
    density(slot).loadNumber(0).storeNumber(0);
    return f;
  }
  function transition(width3) {
    return new RowCode(width3, [], ["i32"]).call(numberOf("begin")).call(numberOf("resume"));
  }
  function resume(width3) {
    const f = new RowCode(width3, [], ["i32"]);
    const [depth, left, right, selected] = [frame.depth, frame.left, frame.right, frame.selected].map((at) => f.word(at).holdWord());
    const weight = f.local("f64");
    f.value(frame.weight).set(weight);
    const all = { depth, left, right, selected, weight };
    const going = f.i32(1).holdWord();
    f.asLongAs(() => f.get(going).get(depth).word(frame.maxDepth).op("i32.lt_s", "i32.and"), () => {
      f.get(depth).word(frame.room).op("i32.eq").when(() => {
        keep(f, all);
        f.i32(1).op("return");
      });
      double(f, all, going);
    });
    keep(f, all);
    return f.get(selected).call(numberOf("select")).i32(0);
  }
  function keep(f, { depth, left, right, selected, weight }) {
    f.putWord(frame.depth, depth).putWord(frame.left, left).putWord(frame.right, right);
    f.putWord(frame.selected, selected).putNumber(frame.weight, weight);
  }
  function double(f, all, going) {
    const { depth, left, right } = all;
    const [direction, found] = [f.local("i32"), f.local("i32")];
    f.call(numberOf("word")).i32(31).op("i32.shr_u").i32(1).op("i32.shl").i32(1).op("i32.sub");
    f.set(direction);
    const forward2 = () => f.get(direction).i32(1).op("i32.eq");
    const from = f.local("i32");
    forward2().choose(() => f.get(right).set(from), () => f.get(left).set(from));
    f.get(from, direction, depth).call(numberOf("grow")).set(found).putWord(frame.last, found);
    f.get(found).i32(outcome.valid).op("i32.eq").choose(() => {
      choose(f, all);
      const [size, middle] = [f.i32(1).get(depth).op("i32.shl").holdWord(), f.local("i32")];
      forward2().choose(
        () => f.get(right).set(middle).get(right, size).op("i32.add").set(right),
        () => f.get(left).i32(1).op("i32.sub").set(middle).get(left, size).op("i32.sub").set(left)
      );
      f.get(depth).i32(1).op("i32.add").set(depth);
      f.get(left, middle, right).call(numberOf("turns")).op("i32.eqz").set(going);
    }, () => f.i32(0).set(going));
  }
  function choose(f, { depth, selected, weight }) {
    const added = f.local("f64");
    f.word(frame.levelWeights).get(depth).i32(8).op("i32.mul", "i32.add").loadNumber(0).set(added);
    const take = () => {
      f.word(frame.levelProposals).get(depth).i32(4).op("i32.mul", "i32.add").loadIndex(0);
      f.set(selected);
    };
    f.get(added, weight).op("f64.ge").choose(take, () => {
      f.call(numberOf("uniform")).get(weight).op("f64.mul").get(added).op("f64.lt").when(take);
    });
    f.get(weight, added).op("f64.add").set(weight);
  }

  // src/infer/turn_code.ts
  function between(width3) {
    const f = new RowCode(width3, ["i32", "i32", "i32", "i32"], ["i32"]);
    const [a, b, first2, last] = [0, 1, 2, 3];
    const stride = f.rowBytes();
    f.get(first2).i32(1).op("i32.sub").set(first2);
    const [atA, atB] = [f.row(frame.momenta, a, stride), f.row(frame.momenta, b, stride)];
    const [before, end] = [f.row(frame.sums, first2, stride), f.row(frame.sums, last, stride)];
    const [rho, sumA, sumB] = [f.local(), f.local(), f.local()];
    f.pair(0).set(sumA).pair(0).set(sumB);
    f.pairs((k) => {
      f.two(end, k).two(before, k).simd("f64x2.sub").set(rho);
      f.get(sumA).two(atA, k).get(rho).simd("f64x2.mul", "f64x2.add").set(sumA);
      f.get(sumB).two(atB, k).get(rho).simd("f64x2.mul", "f64x2.add").set(sumB);
    });
    f.total(sumA).number(0).op("f64.gt").total(sumB).number(0).op("f64.gt");
    return f.op("i32.and", "i32.eqz");
  }
  function turns(width3) {
    const f = new RowCode(width3, ["i32", "i32", "i32"], ["i32"]);
    const [left, middle, right] = [0, 1, 2];
    const yes = () => f.i32(1).op("return");
    f.get(left, right, left, right).call(numberOf("between")).when(yes);
    f.get(right, left).op("i32.sub").i32(1).op("i32.eq").when(() => f.i32(0).op("return"));
    const following = f.local("i32");
    f.get(middle).i32(1).op("i32.add").set(following);
    f.get(left, following, left, following).call(numberOf("between")).when(yes);
    return f.get(middle, right, middle, right).call(numberOf("between"));
  }

  // src/infer/tree_code.ts
  var gradientType2 = { parameters: ["i32", "i32"], results: ["f64"] };
  var mostWritten = 96;
  var table;
  var codes = /* @__PURE__ */ new Map();
  function treeCodeOf(gradient, stride) {
    table ??= new WebAssembly.Table({ element: "anyfunc", initial: 1 });
    table.set(0, gradient);
    const width3 = stride <= mostWritten ? stride : 0;
    const known5 = codes.get(width3);
    if (known5) return known5;
    const code2 = instantiate(table, width3);
    codes.set(width3, code2);
    return code2;
  }
  var writers = {
    word,
    uniform,
    leapfrog: leapfrog2,
    between,
    turns,
    grow: growTree,
    begin,
    select,
    resume,
    transition
  };
  function instantiate(table2, width3) {
    const own = functionNames.map((name2) => writers[name2](width3));
    const exported = ["transition", "resume"].map((name2) => ({
      name: name2,
      index: numberOf(name2)
    }));
    const bytes = assembleModule([], [...library.bodies(), ...own], exported, gradientType2);
    const host2 = { memory: sharedMemory(), table: table2 };
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { host: host2 });
    return instance.exports;
  }

  // src/infer/generated_trees.ts
  var mostBytes = 1 << 27;
  var GeneratedTrees = class {
    /** @param pack called before the buffers end. */
    constructor(density, pack) {
      this.density = density;
      this.pack = pack;
    }
    density;
    pack;
    #words = new Int32Array(0);
    #numbers = new Float64Array(0);
    #code;
    /** Written anew by each transition: thousands of them would be garbage. */
    #last = {
      ...{ steps: 0, treeDepth: 0, diverging: false, acceptanceSum: 0 },
      ...{ initialEnergy: 0, energy: 0, isOpen: false }
    };
    /** Whether buffers of these sizes may lie in the memory. */
    static fits(sizes) {
      return bytesOf(sizes) <= mostBytes;
    }
    /** Brings the density into the memory; returns whether the buffers still stand. */
    enter() {
      this.density.enter();
      return isGuest(this);
    }
    leave() {
      this.pack();
    }
    /** One transition from the current state: momenta, trees and selection. */
    transition(stream, stepSize) {
      stream.save(this.#words, frame.stream / 4);
      this.#numbers[frame.stepSize / 8] = stepSize;
      return this.#outcome(this.#code.transition(), stream);
    }
    /** Goes on with a transition, after room has been made by which slots have moved. */
    resume(stream, shift) {
      for (const slot of [frame.left, frame.right, frame.selected]) this.#words[slot / 4] += shift;
      return this.#outcome(this.#code.resume(), stream);
    }
    /** The trajectory that has no room. */
    open() {
      const [left, right, selected] = [frame.left, frame.right, frame.selected].map((at) => this.#words[at / 4]);
      return { left, right, selected, weight: this.#numbers[frame.weight / 8] };
    }
    #outcome(open2, stream) {
      const [words, numbers2, last] = [this.#words, this.#numbers, this.#last];
      stream.restore(words, frame.stream / 4);
      last.isOpen = open2 === 1;
      last.steps = words[frame.steps / 4];
      last.treeDepth = words[frame.depth / 4];
      last.diverging = words[frame.last / 4] === outcome.diverges;
      last.acceptanceSum = numbers2[frame.acceptanceSum / 8];
      last.initialEnergy = numbers2[frame.initialEnergy / 8];
      last.energy = numbers2[frame.energy / 8];
      return last;
    }
    /** New buffers of zeros. */
    settle(sizes, limits2) {
      const bytes = bytesOf(sizes);
      const begin3 = lodge(this, bytes);
      const { buffer } = sharedMemory();
      new Uint8Array(buffer, begin3, bytes).fill(0);
      const buffers = layOut(sizes, buffer, begin3);
      this.#words = new Int32Array(buffer, 0, 64);
      this.#numbers = new Float64Array(buffer, 0, 32);
      this.#code = treeCodeOf(this.density.gradient, 8 * sizes.stride);
      const words = [
        [frame.dimension, 8 * limits2.dimension],
        [frame.start, limits2.start],
        [frame.room, limits2.room],
        [frame.maxDepth, limits2.maxTreeDepth],
        [frame.stride, 8 * sizes.stride],
        [frame.positions, buffers.positions.byteOffset],
        [frame.gradients, buffers.gradients.byteOffset],
        [frame.whiteGradients, buffers.whiteGradients.byteOffset],
        [frame.momenta, buffers.momenta.byteOffset],
        [frame.sums, buffers.sums.byteOffset],
        [frame.logDensities, buffers.logDensities.byteOffset],
        [frame.levelWeights, buffers.levelWeights.byteOffset],
        [frame.levelProposals, buffers.levelProposals.byteOffset],
        [frame.factor, buffers.factor.byteOffset],
        [frame.transposed, sizes.transposed > 0 ? buffers.transposed.byteOffset : 0]
      ];
      for (const [at, word2] of words) this.#words[at / 4] = word2;
      return buffers;
    }
  };

  // src/infer/trajectory.ts
  var firstRoom = 6;
  var Trajectory = class {
    constructor(density, metric, maxTreeDepth) {
      this.density = density;
      this.maxTreeDepth = maxTreeDepth;
      const d = density.dimension;
      this.#dimension = d;
      this.stride = d + (d & 1);
      this.room = Math.min(firstRoom, maxTreeDepth);
      this.#metric = metric;
      this.buffers = ownBuffers(this.#sizes(1));
      const { generated } = density;
      if (generated) this.#trees = new GeneratedTrees(generated, () => this.#pack());
      else this.settle();
    }
    density;
    maxTreeDepth;
    #dimension;
    /** From a state to the next: the dimension, made even. */
    stride;
    /** Slot of the current state: the middle. */
    start = 0;
    /** Doublings for which there is room. */
    room;
    buffers;
    /** The trajectory for which room was made last. */
    open;
    /** Grows trees in the memory that the density lies in; undefined where that cannot be. */
    #trees;
    #metric;
    /** Where the current state begins in the buffers. */
    get offset() {
      return this.start * this.stride;
    }
    get dense() {
      return this.#metric.dense;
    }
    /** The metric; replacing it keeps the current state. */
    get metric() {
      return this.#metric;
    }
    set metric(metric) {
      this.#metric = metric;
      this.settle();
    }
    /** Makes sure that the density and the buffers are where generated code finds them. */
    enter() {
      if (this.#trees && !this.#trees.enter()) this.settle();
    }
    /** Makes a position the current state; returns its log density. */
    moveTo(position2, from) {
      const { positions, gradients, logDensities } = this.buffers;
      positions.set(position2.subarray(from, from + this.#dimension), this.offset);
      const value = this.density.logDensity(positions, gradients, this.offset);
      logDensities[this.start] = value;
      whiten(this, this.start);
      return value;
    }
    /** Makes a slot the current state. */
    select(slot) {
      if (slot === this.start) return;
      const { positions, gradients, whiteGradients, logDensities } = this.buffers;
      const from = slot * this.stride;
      for (const rows of [positions, gradients, whiteGradients]) {
        rows.copyWithin(this.offset, from, from + this.stride);
      }
      logDensities[this.start] = logDensities[slot];
    }
    /**
     * A transition in generated code; undefined if there is none. If it is still open, its states have
     * become too many for the memory: `open` says how to go on.
     */
    generated(stream, stepSize) {
      const trees = this.#trees;
      let last = trees?.transition(stream, stepSize);
      while (trees && last?.isOpen) {
        const open2 = trees.open();
        const shift = this.makeRoom();
        for (const slot of ["left", "right", "selected"]) open2[slot] += shift;
        this.open = open2;
        if (!this.#trees) break;
        last = trees.resume(stream, shift);
      }
      return last;
    }
    #sizes(slots) {
      const { stride } = this;
      const square4 = this.#metric.dense ? stride * stride : 0;
      const levels = this.maxTreeDepth + 1;
      return { slots, stride, levels, factor: square4 || stride, transposed: square4 };
    }
    /** Room around the current state, which is kept, and the metric, in new buffers. */
    settle() {
      this.#pack();
      const before = this.buffers;
      const start = 1 << this.room;
      const sizes = this.#sizes(2 * start + 1);
      if (this.#trees && !GeneratedTrees.fits(sizes)) this.#trees = void 0;
      this.#trees?.enter();
      const limits2 = {
        ...{ dimension: this.#dimension, start, room: this.room },
        maxTreeDepth: this.maxTreeDepth
      };
      this.buffers = this.#trees?.settle(sizes, limits2) ?? ownBuffers(sizes);
      this.start = start;
      this.#copy(before, 0, start, 1);
      this.#fillFactor();
      whiten(this, start);
    }
    /** Keeps nothing but the current state. */
    #pack() {
      const before = this.buffers;
      this.buffers = ownBuffers(this.#sizes(1));
      this.#copy(before, this.start, 0, 1);
      this.start = 0;
    }
    /** Makes room for one more doubling; returns by how much slots have moved. */
    makeRoom() {
      const before = this.buffers;
      const slots = 2 * this.start + 1;
      const copies = ownBuffers(this.#sizes(slots));
      this.buffers = copies;
      this.#copy(before, 0, 0, slots);
      const old = this.start;
      this.room += 1;
      this.settle();
      const shift = this.start - old;
      this.#copy(copies, 0, shift, slots);
      return shift;
    }
    /** Copies the states of `count` slots. */
    #copy(before, from, to, count) {
      const { stride, buffers: now } = this;
      const copy = (a, b, width3) => b.set(a.subarray(from * width3, (from + count) * width3), to * width3);
      copy(before.positions, now.positions, stride);
      copy(before.gradients, now.gradients, stride);
      copy(before.whiteGradients, now.whiteGradients, stride);
      copy(before.momenta, now.momenta, stride);
      copy(before.sums, now.sums, stride);
      copy(before.logDensities, now.logDensities, 1);
    }
    /** The metric's factor with rows of even length, and its transpose. */
    #fillFactor() {
      const { dense, factor: factor2 } = this.#metric;
      const { factor: own, transposed: transposed6 } = this.buffers;
      if (!dense) return own.set(factor2);
      const d = this.#dimension;
      const { stride } = this;
      for (let i = 0; i < d; i++) {
        for (let k = 0; k <= i; k++) {
          own[i * stride + k] = factor2[i * d + k];
          transposed6[k * stride + i] = factor2[i * d + k];
        }
      }
    }
  };

  // src/infer/turns.ts
  function turns2(space, left, middle, right) {
    if (turnsBetween(space, left, right)) return true;
    if (right - left === 1) return false;
    return turnsBetween(space, left, middle + 1) || turnsBetween(space, middle, right);
  }
  function turnsBetween({ buffers, stride }, first2, last) {
    const { momenta, sums } = buffers;
    const [atFirst, atLast2] = [first2 * stride, last * stride];
    const before = atFirst - stride;
    let evenA = 0;
    let oddA = 0;
    let evenB = 0;
    let oddB = 0;
    for (let k = 0; k < stride; k += 2) {
      const even = sums[atLast2 + k] - sums[before + k];
      const odd = sums[atLast2 + k + 1] - sums[before + k + 1];
      evenA += momenta[atFirst + k] * even;
      oddA += momenta[atFirst + k + 1] * odd;
      evenB += momenta[atLast2 + k] * even;
      oddB += momenta[atLast2 + k + 1] * odd;
    }
    return !(evenA + oddA > 0 && evenB + oddB > 0);
  }

  // src/infer/nuts.ts
  var logFourFifths = -0.2231435513142097;
  var Nuts = class {
    /** Trajectories have up to 2^maxTreeDepth steps; `moveTo` must follow. */
    constructor(density, metric, maxTreeDepth = 10) {
      this.maxTreeDepth = maxTreeDepth;
      this.#states = new Trajectory(density, metric, maxTreeDepth);
    }
    maxTreeDepth;
    #states;
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
    /** Energy of the current state with the momentum that it was reached with. */
    energy = 0;
    /** Buffer that holds the current state, at `offset`, until the next transition; only to read. */
    get position() {
      return this.#states.buffers.positions;
    }
    /** Gradient of the log density at the current state, at `offset`. */
    get gradient() {
      return this.#states.buffers.gradients;
    }
    /** Where the current state begins in `position` and `gradient`. */
    get offset() {
      return this.#states.offset;
    }
    /** Log density of the current state. */
    get logDensity() {
      return this.#states.buffers.logDensities[this.#states.start];
    }
    /** Mean of min(1, e^-error) over the steps of the last transition. */
    get acceptance() {
      return this.steps === 0 ? 0 : this.#acceptanceSum / this.steps;
    }
    /** Goes to `position[offset …)` and returns its log density; one gradient evaluation. */
    moveTo(position2, offset) {
      this.#states.enter();
      return this.#states.moveTo(position2, offset);
    }
    /** The metric; replacing it keeps the current state. */
    get metric() {
      return this.#states.metric;
    }
    set metric(metric) {
      this.#states.metric = metric;
    }
    /** Moves to the next state of the chain. */
    transition(stream) {
      this.#states.enter();
      const last = this.#states.generated(stream, this.stepSize);
      if (!last) {
        this.#begin(stream);
        const { start } = this.#states;
        return this.#double({ left: start, right: start, selected: start, weight: 1 }, stream);
      }
      this.steps = last.steps;
      this.treeDepth = last.treeDepth;
      this.diverging = last.diverging;
      this.energy = last.energy;
      this.#acceptanceSum = last.acceptanceSum;
      this.#initialEnergy = last.initialEnergy;
      if (last.isOpen) this.#double(this.#states.open, stream);
    }
    /** Doubles a trajectory step by step until it ends, and selects a state. */
    #double(trajectory, stream) {
      const states = this.#states;
      let { left, right, selected, weight } = trajectory;
      while (this.treeDepth < this.maxTreeDepth) {
        if (this.treeDepth === states.room) {
          const shift = states.makeRoom();
          left += shift;
          right += shift;
          selected += shift;
        }
        const forward2 = stream.uint32() >= 2147483648;
        const size = 1 << this.treeDepth;
        if (!this.#extend(forward2 ? right : left, forward2 ? 1 : -1, stream)) break;
        const { levelWeights, levelProposals } = states.buffers;
        const added = levelWeights[this.treeDepth];
        if (added >= weight || stream.uniform() * weight < added) {
          selected = levelProposals[this.treeDepth];
        }
        weight += added;
        const middle = forward2 ? right : left - 1;
        if (forward2) right += size;
        else left -= size;
        this.treeDepth += 1;
        if (turns2(states, left, middle, right)) break;
      }
      this.energy = 0.5 * squaredMomentum(states, selected) - states.buffers.logDensities[selected];
      states.select(selected);
    }
    /**
     * Finds a step size at which one step has an acceptance of about 0.8, doubling or halving from
     * the present one (Hoffman and Gelman 2014, algorithm 4, with Stan's threshold). Returns the
     * gradient evaluations it took.
     */
    findStepSize(stream) {
      let evaluations = 0;
      let direction = 0;
      this.#states.enter();
      while (this.stepSize > 1e-10 && this.stepSize < 1e7) {
        this.#begin(stream);
        const error2 = this.#step(this.#states.start, 1);
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
      const states = this.#states;
      const { stride, offset, buffers: { momenta, sums } } = states;
      fillNormal(stream, momenta, offset, states.density.dimension);
      for (let k = offset; k < offset + stride; k++) {
        sums[k - stride] = 0;
        sums[k] = momenta[k];
      }
      this.#initialEnergy = 0.5 * squaredMomentum(states, states.start) - this.logDensity;
      this.#acceptanceSum = 0;
      this.steps = 0;
      this.treeDepth = 0;
      this.diverging = false;
    }
    /** One leapfrog step from a slot; returns the energy error after it. */
    #step(from, direction) {
      return leapfrog(this.#states, from, direction, this.stepSize) - this.#initialEnergy;
    }
    /**
     * Grows a subtree of 2^treeDepth states from slot `from` in `direction`. Returns whether it is
     * valid; its weight and proposal are then on the stack at level `treeDepth`.
     */
    #extend(from, direction, stream) {
      const found = this.#grow(from, direction, stream);
      this.diverging = found === outcome.diverges;
      return found === outcome.valid;
    }
    #grow(from, direction, stream) {
      const count = 1 << this.treeDepth;
      let slot = from;
      for (let leaf = 1; leaf <= count; leaf++) {
        const error2 = this.#step(slot, direction);
        slot += direction;
        this.steps += 1;
        if (!(error2 <= maxEnergyError)) return outcome.diverges;
        const weight = exp(-error2 < maxLogWeight ? -error2 : maxLogWeight);
        this.#acceptanceSum += weight < 1 ? weight : 1;
        if (!this.#merge(leaf, slot, direction, weight, stream)) return outcome.turns;
      }
      return outcome.valid;
    }
    /** Puts a leaf on the stack and merges the subtrees that it completes, unless one turns. */
    #merge(leaf, slot, direction, leafWeight, stream) {
      const { levelWeights: weights, levelProposals: proposals } = this.#states.buffers;
      let weight = leafWeight;
      let proposal = slot;
      let level = 0;
      for (let rest = leaf; (rest & 1) === 0; rest >>= 1) {
        const total2 = weights[level] + weight;
        if (stream.uniform() * total2 >= weight) proposal = proposals[level];
        weight = total2;
        const half2 = 1 << level;
        level += 1;
        const left = direction === 1 ? slot - 2 * half2 + 1 : slot;
        if (turns2(this.#states, left, left + half2 - 1, left + 2 * half2 - 1)) return false;
      }
      weights[level] = weight;
      proposals[level] = proposal;
      return true;
    }
  };

  // src/infer/bfgs.ts
  var patience = 20;
  var least = 0.01;
  function climb(density, start, maxEvaluations) {
    const search2 = new Search(density, start);
    let mark = { value: search2.value, evaluations: 0 };
    let stalled = false;
    while (!search2.converged && !stalled && search2.evaluations < maxEvaluations) {
      const climbs2 = search2.step(maxEvaluations);
      const { value, evaluations } = search2;
      const due = evaluations - mark.evaluations >= patience;
      stalled = (!climbs2 || due) && value - mark.value < least;
      if (due) mark = { value, evaluations };
      if (!climbs2) break;
    }
    return {
      position: search2.position,
      gradient: search2.gradient,
      logDensity: search2.value,
      inverseHessian: search2.inverse,
      converged: search2.converged,
      stalled,
      evaluations: search2.evaluations
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
      let square4 = 0;
      for (const g of this.gradient) square4 += g * g;
      for (let i = 0; i < d; i++) this.inverse[i * d + i] = 1 / Math.max(1, Math.sqrt(square4));
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
      const slope = this.#chooseDirection();
      if (!(slope > 0)) {
        this.converged = slope === 0;
        return false;
      }
      if (this.#scaled && slope < 2e-4) {
        this.converged = true;
        return true;
      }
      if (!this.#searchLine(slope, maxEvaluations)) return false;
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
    #searchLine(slope, maxEvaluations) {
      let length2 = 1;
      while (this.evaluations < maxEvaluations && length2 > 1e-12) {
        for (let i = 0; i < this.#d; i++) {
          this.#nextPosition[i] = this.position[i] + length2 * this.#direction[i];
        }
        const next = this.density.logDensity(this.#nextPosition, this.#nextGradient, 0);
        this.evaluations += 1;
        if (next >= this.value + 1e-4 * length2 * slope && next < Infinity) {
          this.value = next;
          return true;
        }
        const bend = this.value + length2 * slope - next;
        const best = bend < Infinity ? 0.5 * length2 * length2 * slope / bend : 0;
        length2 = Math.min(0.5 * length2, Math.max(0.1 * length2, best));
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
    let sum3 = 0;
    for (let i = 0; i < a.length; i++) sum3 += a[i] * b[i];
    return sum3;
  }
  function multiply(matrix, x, out) {
    const d = x.length;
    for (let i = 0; i < d; i++) {
      let sum3 = 0;
      for (let j = 0; j < d; j++) sum3 += matrix[i * d + j] * x[j];
      out[i] = sum3;
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
    const variances2 = diagonalOf(hessian, d).map((h) => 1 / h);
    let covariance;
    if (cholesky(hessian, d)) covariance = inverseFromCholesky(hessian, d);
    else if (variances2.every((v) => v > 0 && v < Infinity)) covariance = diagonalMatrix(variances2);
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
      let sum3 = m;
      for (let k = 0; k <= i; k++) sum3 += factor2[i * d + k] * white[k];
      return sum3;
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
      const value = density.valueAlone?.(point, 0) ?? density.logDensity(point, gradient, 0);
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
  function negativeHessian(density, position2, steps) {
    const d = position2.length;
    const hessian = new Float64Array(d * d);
    const point = Float64Array.from(position2);
    const above = new Float64Array(d);
    const below2 = new Float64Array(d);
    for (let i = 0; i < d; i++) {
      point[i] = position2[i] + steps[i];
      density.logDensity(point, above, 0);
      point[i] = position2[i] - steps[i];
      density.logDensity(point, below2, 0);
      point[i] = position2[i];
      for (let j = 0; j < d; j++) {
        const half2 = (below2[j] - above[j]) / (4 * steps[i]);
        hessian[i * d + j] += half2;
        hessian[j * d + i] += half2;
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
    const position2 = new Float64Array(density.dimension);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const shrink = 1 - attempt / attempts;
      for (let i = 0; i < position2.length; i++) {
        const jitter = 4 * stream.uniform() - 2;
        position2[i] = region ? region.centre[i] + shrink * region.spread[i] * jitter : jitter;
      }
      if (isUsable(density, position2, budget)) return position2;
    }
    return void 0;
  }
  function isUsable(density, position2, budget) {
    const gradient = new Float64Array(position2.length);
    budget.used += 1;
    const value = density.logDensity(position2, gradient, 0);
    return Math.abs(value) < Infinity && gradient.every((g) => Math.abs(g) < Infinity);
  }
  function startChains(density, streams, laplace2, budget) {
    const d = density.dimension;
    const uniform3 = [];
    for (const stream of streams) {
      const position2 = uniformStart(density, stream, budget);
      if (!position2) return void 0;
      uniform3.push(position2);
    }
    const modes = laplace2 && d <= maxLaplaceDimension ? uniform3.map((from) => laplaceApproximation(density, from, budget)) : [];
    const best = bestOf(modes);
    if (!best) {
      return { positions: uniform3, metric: unitMetric(d), reference: new Float64Array(d).fill(1) };
    }
    const positions = streams.map(
      (stream, c) => usableDraw(density, near(best, modes[c]), stream, budget) ?? uniform3[c]
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
      const position2 = drawAround(around, stream);
      if (isUsable(density, position2, budget)) return position2;
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
    add(position2, offset) {
      const d = this.dimension;
      this.#count += 1;
      for (let i = 0; i < d; i++) {
        this.#delta[i] = position2[offset + i] - this.#mean[i];
        this.#mean[i] += this.#delta[i] / this.#count;
      }
      for (let i = 0; i < d; i++) {
        const rest = position2[offset + i] - this.#mean[i];
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
  var gamma = 0.05;
  var kappa = 0.75;
  var t0 = 10;
  var DualAveraging = class {
    /** Aims at an acceptance statistic between 0 and 1; `restart` must follow. */
    constructor(targetAcceptance2) {
      this.targetAcceptance = targetAcceptance2;
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
      const logStep = this.#logTarget - this.#errorMean * Math.sqrt(this.#count) / gamma;
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
    const rounds = [0.15, 0.25, 0.4].map((share2) => Math.floor(share2 * tune));
    return [...rounds, tune - rounds.reduce((a, b) => a + b)];
  }
  function* tuneChains(sampler, chains, options, budget) {
    const d = chains.density.dimension;
    const estimator = new CovarianceEstimator(d, options.mayBeDense && d <= maxDenseDimension);
    const averaging = new DualAveraging(options.targetAcceptance);
    for (const [round2, transitions] of tuningRounds(options.tune).entries()) {
      if (transitions === 0) continue;
      restartStepSize(sampler, chains, averaging, budget);
      const collect4 = round2 === 1 || round2 === 2 ? estimator : void 0;
      if (!(yield* tuneRound(sampler, chains, transitions, averaging, budget, collect4))) return false;
      sampler.stepSize = averaging.averaged();
      if (!collect4) continue;
      sampler.metric = learnt(estimator, options.reference) ?? sampler.metric;
      estimator.reset();
    }
    return true;
  }
  function* retuneStepSize(sampler, chains, transitions, targetAcceptance2, budget) {
    const averaging = new DualAveraging(targetAcceptance2);
    averaging.restart(sampler.stepSize, 1);
    if (!(yield* tuneRound(sampler, chains, transitions, averaging, budget))) return false;
    sampler.stepSize = averaging.averaged();
    return true;
  }
  function* tuneRound(sampler, { positions, streams }, transitions, averaging, budget, collect4) {
    let due = budget.used + gradientsPerYield;
    for (const [c, position2] of positions.entries()) {
      sampler.moveTo(position2, 0);
      budget.used += 1;
      for (let i = 0; i < transitions; i++) {
        sampler.stepSize = averaging.stepSize;
        sampler.transition(streams[c]);
        budget.used += sampler.steps;
        if (budget.used > budget.limit) return false;
        averaging.update(sampler.acceptance);
        collect4?.add(sampler.position, sampler.offset);
        if (budget.used < due) continue;
        due = budget.used + gradientsPerYield;
        yield;
      }
      const { offset } = sampler;
      position2.set(sampler.position.subarray(offset, offset + position2.length));
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
    const tuned = options.warmStart ? yield* resume2(density, options.warmStart, options, sampler, streams, budget) : yield* begin2(density, options, sampler, streams, budget);
    if (!Array.isArray(tuned)) return tuned;
    const set2 = emptyChainSet(options.chains, options.draws, density.dimension);
    return yield* drawChains(sampler, set2, 0, tuned, usedBefore, budget);
  }
  function* continueChains(density, set2, draws, budget, maxTreeDepth = 10) {
    const usedBefore = budget.used - set2.gradientEvaluations;
    const longer2 = emptyChainSet(set2.chains, draws, set2.dimension);
    copyDraws(set2, longer2);
    const sampler = new Nuts(density, unitMetric(density.dimension), maxTreeDepth);
    return yield* drawChains(sampler, longer2, set2.draws, set2.adaptations, usedBefore, budget);
  }
  function* begin2(density, options, sampler, streams, budget) {
    const mayBeDense = options.start !== "uniform";
    const starts = startChains(density, streams, mayBeDense, budget);
    if (!starts) return { kind: "no_finite_start" };
    const { positions, metric, reference } = starts;
    sampler.metric = metric;
    sampler.stepSize = 1;
    const { tune, targetAcceptance: targetAcceptance2 = 0.8 } = options;
    const tuning = { tune, targetAcceptance: targetAcceptance2, reference, mayBeDense };
    const chains = { density, positions, streams };
    const held = yield* tuneChains(sampler, chains, tuning, budget);
    return held ? adaptationsOf(sampler, chains) : { kind: "budget" };
  }
  function* resume2(density, warm, options, sampler, streams, budget) {
    sampler.metric = warm[0].metric;
    sampler.stepSize = warm[0].stepSize;
    const positions = streams.map((_, c) => Float64Array.from(warm[c].position));
    budget.used += positions.length;
    if (positions.some((p) => !(sampler.moveTo(p, 0) > -Infinity))) {
      return { kind: "no_finite_start" };
    }
    const { tune, targetAcceptance: targetAcceptance2 = 0.8 } = options;
    const chains = { density, positions, streams };
    const held = yield* retuneStepSize(sampler, chains, tune, targetAcceptance2, budget);
    return held ? adaptationsOf(sampler, chains) : { kind: "budget" };
  }
  function adaptationsOf(sampler, { positions, streams }) {
    const { metric, stepSize } = sampler;
    return positions.map((position2, c) => ({ metric, stepSize, position: position2, stream: streams[c] }));
  }
  function* drawChains(sampler, set2, from, before, usedBefore, budget) {
    const adaptations = [];
    for (const [c, adaptation] of before.entries()) {
      const { metric, stepSize, stream } = adaptation;
      sampler.metric = metric;
      sampler.stepSize = stepSize;
      sampler.moveTo(adaptation.position, 0);
      budget.used += 1;
      if (!(yield* drawChain(sampler, set2, c, from, stream, budget))) return { kind: "budget" };
      const { offset } = sampler;
      const position2 = sampler.position.slice(offset, offset + set2.dimension);
      adaptations.push({ metric, stepSize, position: position2, stream });
    }
    const gradientEvaluations = budget.used - usedBefore;
    return { kind: "chains", chainSet: { ...set2, gradientEvaluations, adaptations } };
  }
  function* drawChain(sampler, set2, c, from, stream, budget) {
    let due = budget.used + gradientsPerYield;
    for (let i = c * set2.draws + from; i < (c + 1) * set2.draws; i++) {
      sampler.transition(stream);
      budget.used += sampler.steps;
      if (budget.used > budget.limit) return false;
      record(sampler, set2, i);
      if (budget.used < due) continue;
      due = budget.used + gradientsPerYield;
      yield;
    }
    return true;
  }
  function record(sampler, set2, i) {
    const { position: position2, gradient, offset } = sampler;
    const to = i * set2.dimension;
    for (let k = 0; k < set2.dimension; k++) {
      set2.positions[to + k] = position2[offset + k];
      set2.gradients[to + k] = gradient[offset + k];
    }
    set2.logDensities[i] = sampler.logDensity;
    set2.diverging[i] = sampler.diverging ? 1 : 0;
    set2.treeDepths[i] = sampler.treeDepth;
    set2.acceptance[i] = sampler.acceptance;
    set2.steps[i] = sampler.steps;
    set2.energies[i] = sampler.energy;
  }

  // src/graph/array_numbers.ts
  var ArrayNumbers = class {
    #byHash = /* @__PURE__ */ new Map();
    #known = /* @__PURE__ */ new WeakMap();
    #count = 0;
    /** The number of an array: equal for arrays of equal bytes. The array must not change. */
    numberOf(array) {
      const known5 = this.#known.get(array);
      if (known5 !== void 0) return known5;
      const number3 = this.#find(bitsOf(array));
      this.#known.set(array, number3);
      return number3;
    }
    #find(values) {
      const hash = hashOf(values);
      const bucket = this.#byHash.get(hash) ?? [];
      this.#byHash.set(hash, bucket);
      const same = bucket.find((one3) => sameBits(one3.values, values));
      if (same) return same.number;
      bucket.push({ values, number: this.#count });
      return this.#count++;
    }
  };
  function bitsOf(array) {
    return array instanceof Int32Array ? array : new Int32Array(array.buffer, array.byteOffset, 2 * array.length);
  }
  function hashOf(values) {
    let hash = values.length;
    for (let i = 0; i < values.length; i++) {
      hash = Math.imul(hash ^ values[i], -1640531535);
      hash ^= hash >>> 15;
    }
    return hash;
  }
  function sameBits(a, b) {
    return a.length === b.length && a.every((bits, i) => bits === b[i]);
  }

  // src/graph/matrix.ts
  function matrixProduct(a, b, out) {
    const [n, k] = a.shape;
    const m = b.shape[1];
    const last = k - (k & 1);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < m; j++) {
        let [even, odd] = [0, 0];
        for (let l = 0; l < last; l += 2) {
          even += a.values[i * k + l] * b.values[l * m + j];
          odd += a.values[i * k + l + 1] * b.values[(l + 1) * m + j];
        }
        if (last < k) even += a.values[i * k + last] * b.values[last * m + j];
        out[i * m + j] = even + odd;
      }
    }
  }
  function choleskyOf(a, n, out) {
    out.fill(0);
    for (let j = 0; j < n; j++) {
      for (let i = j; i < n; i++) {
        let sum3 = a[i * n + j];
        for (let l = 0; l < j; l++) sum3 -= out[i * n + l] * out[j * n + l];
        if (i > j) out[i * n + j] = sum3 / out[j * n + j];
        else if (sum3 > 0) out[j * n + j] = Math.sqrt(sum3);
        else return void out.fill(NaN);
      }
    }
  }
  function solveTriangular(l, b, transposed6, out) {
    const [n, m] = b.shape;
    out.set(b.values);
    for (let step = 0; step < n; step++) {
      const i = transposed6 ? n - 1 - step : step;
      for (let j = 0; j < m; j++) {
        let sum3 = out[i * m + j];
        for (let before = 0; before < step; before++) {
          const k = transposed6 ? n - 1 - before : before;
          sum3 -= (transposed6 ? l[k * n + i] : l[i * n + k]) * out[k * m + j];
        }
        out[i * m + j] = sum3 / l[i * n + i];
      }
    }
  }

  // src/math/arctangent.ts
  var high = [
    0.4636476090008061,
    0.7853981633974483,
    0.982793723247329,
    1.5707963267948966
  ];
  var low = [
    22698777452961687e-33,
    3061616997868383e-32,
    13903311031230998e-33,
    6123233995736766e-32
  ];
  function tail(x) {
    const z = x * x;
    const w = z * z;
    const even = z * (0.3333333333333293 + w * (0.14285714272503466 + w * (0.09090887133436507 + w * (0.06661073137387531 + w * (0.049768779946159324 + w * 0.016285820115365782)))));
    const odd = w * (-0.19999999999876483 + w * (-0.11111110405462356 + w * (-0.0769187620504483 + w * (-0.058335701337905735 - w * 0.036531572744216916))));
    return even + odd;
  }
  function atan(x) {
    const a = Math.abs(x);
    if (a < 0.4375) return x - x * tail(x);
    if (x !== x) return NaN;
    const [i, r] = a < 0.6875 ? [0, (2 * a - 1) / (2 + a)] : a < 1.1875 ? [1, (a - 1) / (a + 1)] : a < 2.4375 ? [2, (a - 1.5) / (1 + 1.5 * a)] : [3, -1 / a];
    const angle = high[i] - (r * tail(r) - low[i] - r);
    return x < 0 ? -angle : angle;
  }

  // src/math/bessel.ts
  var log2Pi = 1.8378770664093453;
  var far = 25;
  function i0MinusOne(x) {
    const z = 0.25 * x * x;
    let [term, sum3] = [1, 0];
    for (let k = 1; term > sum3 * 1e-18; k++) {
      term *= z / (k * k);
      sum3 += term;
      if (term === 0) break;
    }
    return sum3;
  }
  function i1OverHalfMinusOne(x) {
    const z = 0.25 * x * x;
    let [term, sum3] = [1, 0];
    for (let k = 1; term > sum3 * 1e-18; k++) {
      term *= z / (k * (k + 1));
      sum3 += term;
      if (term === 0) break;
    }
    return sum3;
  }
  function hankelTail(mu, x) {
    let [term, sum3] = [1, 0];
    for (let k = 1; k < 40; k++) {
      const odd = 2 * k - 1;
      term *= -(mu - odd * odd) / (k * 8 * x);
      sum3 += term;
      if (Math.abs(term) < 1e-18) break;
    }
    return sum3;
  }
  function logI0(x) {
    const a = Math.abs(x);
    if (a <= far) return log1p(i0MinusOne(a));
    if (!(a < Infinity)) return a;
    return a - 0.5 * (log2Pi + log(a)) + log1p(hankelTail(0, a));
  }
  function besselRatio(x) {
    const a = Math.abs(x);
    const ratio = a <= far ? 0.5 * a * (1 + i1OverHalfMinusOne(a)) / (1 + i0MinusOne(a)) : a === Infinity ? 1 : (1 + hankelTail(4, a)) / (1 + hankelTail(0, a));
    return x < 0 ? -ratio : ratio;
  }

  // src/math/gamma.ts
  var halfLog2Pi = 0.9189385332046727;
  function stirlingTail(x) {
    const r = 1 / x;
    const z = r * r;
    return r * (0.08333333333333333 + z * (-0.002777777777777778 + z * (7936507936507937e-19 + z * (-5952380952380953e-19 + z * (8417508417508417e-19 + z * (-0.001917526917526918 + z * (0.00641025641025641 - z * 0.02955065359477124)))))));
  }
  var aboutTwo;
  function zetaCoefficients(length2) {
    const m = 200;
    const powers = Float64Array.from({ length: m + 1 }, (_, k) => k);
    return Float64Array.from({ length: length2 }, (_, i) => {
      const n = i + 2;
      for (let k = 2; k <= m; k++) powers[k] *= k;
      const last = 1 / powers[m];
      let sum3 = last * m / (n - 1) + 0.5 * last + n / 12 * last / m - n * (n + 1) * (n + 2) / 720 * last / (m * m * m);
      for (let k = m - 1; k >= 2; k--) sum3 += 1 / powers[k];
      return (i % 2 === 0 ? 1 : -1) * sum3 / n;
    });
  }
  function lgammaAboutTwo(e) {
    const coefficients2 = aboutTwo ??= zetaCoefficients(28);
    let sum3 = 0;
    for (let i = coefficients2.length - 1; i >= 0; i--) sum3 = sum3 * e + coefficients2[i];
    return e * (0.42278433509846713 + e * sum3);
  }
  function lgamma(x) {
    if (!(x > 0)) return x === 0 ? Infinity : NaN;
    if (x === Infinity) return Infinity;
    if (x < 0.5) return lgammaAboutTwo(x) - log1p(x) - log(x);
    if (x < 1.5) return lgammaAboutTwo(x - 1) - log1p(x - 1);
    if (x >= 10) return (x - 0.5) * (log(x) - 1) + (halfLog2Pi - 0.5 + stirlingTail(x));
    let product4 = 1;
    let y = x;
    while (y > 2.5) product4 *= --y;
    return lgammaAboutTwo(y - 2) + log(product4);
  }
  function stirlingError(x) {
    if (x >= 10) return stirlingTail(x);
    return lgamma(x) - ((x - 0.5) * log(x) - x + halfLog2Pi);
  }
  var rootHead = 1569415565 / 1073741824;
  var rootMiddle = 381566830 / 1073741824 / 1073741824;
  var rootTail = 9016312093258695e-35;
  function digammaBetweenOneAndTwo(x) {
    const e = x - rootHead - rootMiddle - rootTail;
    const t = x - 1;
    const above = 0.25479851061131553 + t * (-0.3255503118680449 + t * (-0.6503185377089651 + t * (-0.28919126444774784 + t * (-0.04525132144873906 + t * -0.002071332116774595))));
    const below2 = 1 + t * (2.076711702373047 + t * (1.4606242909763516 + t * (0.43593529692665967 + t * (0.054151797245674226 + t * (0.0021284987017821146 + t * -5578984132167551e-22)))));
    return e * 0.9955816268920898 + e * (above / below2);
  }
  function digamma(x) {
    if (!(x > 0)) return x === 0 ? -Infinity : NaN;
    if (x >= 10) return digammaFar(x);
    if (x < 1) return digammaBetweenOneAndTwo(x + 1) - 1 / x;
    let y = x;
    let [sum3, lost] = [0, 0];
    while (y > 2) {
      y -= 1;
      const term = 1 / y;
      const next = sum3 + term;
      lost += sum3 > term ? sum3 - next + term : term - next + sum3;
      sum3 = next;
    }
    return sum3 + (digammaBetweenOneAndTwo(y) + lost);
  }
  function digammaFar(x) {
    if (x === Infinity) return Infinity;
    const r = 1 / x;
    const z = r * r;
    const tail2 = z * (0.08333333333333333 - z * (0.008333333333333333 - z * (0.003968253968253968 - z * (0.004166666666666667 - z * (0.007575757575757576 - z * (0.02109279609279609 - z * (0.08333333333333333 - z * 0.4432598039215686)))))));
    return log(x) - (0.5 * r + tail2);
  }
  function inverseSquare(x) {
    const square4 = x * x;
    const inverse3 = 1 / square4;
    const c = 134217729 * x;
    const high2 = c - (c - x);
    const low2 = x - high2;
    const lost = high2 * high2 - square4 + 2 * high2 * low2 + low2 * low2;
    return square4 > 1e-290 ? inverse3 - inverse3 * (lost / square4) : inverse3;
  }
  function trigamma(x) {
    if (!(x > 0)) return x === 0 ? Infinity : NaN;
    const largest2 = x < 12 ? inverseSquare(x) : 0;
    let sum3 = 0;
    let y = x < 12 ? x + 1 : x;
    for (; y < 12; y++) sum3 += 1 / (y * y);
    const r = 1 / y;
    const z = r * r;
    const rest = sum3 + r * (1 + 0.5 * r + z * (0.16666666666666666 - z * (0.03333333333333333 - z * (0.023809523809523808 - z * (0.03333333333333333 - z * (0.07575757575757576 - z * (0.2531135531135531 - z * (1.1666666666666667 - z * 7.092156862745098))))))));
    return largest2 + rest;
  }

  // src/math/log1p_minus.ts
  function log1pMinus(x) {
    if (!(x > -0.4 && x < 0.7)) return log1p(x) - x;
    const s = x / (2 + x);
    const z = s * s;
    let sum3 = 0;
    for (let k = 27; k >= 3; k -= 2) sum3 = sum3 * z + 1 / k;
    return s * (2 * z * sum3 - x);
  }
  function logRatioMinus(x, mean, away) {
    const e = away / mean;
    return e > -0.4 && e < 0.7 ? log1pMinus(e) : log(x / mean) - e;
  }

  // src/math/incomplete_beta.ts
  var log2Pi2 = 1.8378770664093453;
  var tiny = 1e-300;
  function logFront(a, b, x, y) {
    const n = a + b;
    const apart = x * b - y * a;
    return a * logRatioMinus(x * n, a, apart) + b * logRatioMinus(y * n, b, -apart) + 0.5 * (log(a) + log(b) - log(n) - log2Pi2) + stirlingError(n) - stirlingError(a) - stirlingError(b);
  }
  function fraction(a, b, x) {
    const c = { v: 1, a: 0, b: 0 };
    const d = { v: 0, a: 0, b: 0 };
    const h = { v: 1, a: 0, b: 0 };
    for (let n = 1; n < 1e5; n++) {
      const k = coefficient(a, b, x, n);
      const below2 = 1 + k.v * d.v;
      const inverse3 = 1 / (below2 === 0 ? tiny : below2);
      const square4 = inverse3 * inverse3;
      d.a = -(k.a * d.v + k.v * d.a) * square4;
      d.b = -(k.b * d.v + k.v * d.b) * square4;
      d.v = inverse3;
      const before = c.v;
      c.a = (k.a - k.v * c.a / before) / before;
      c.b = (k.b - k.v * c.b / before) / before;
      c.v = 1 + k.v / before;
      if (n === 1) {
        d.v = 1 / (1 + k.v);
        d.a = -k.a * d.v * d.v;
        d.b = -k.b * d.v * d.v;
        c.v = 1;
        c.a = c.b = 0;
        Object.assign(h, d);
        continue;
      }
      const factor2 = c.v * d.v;
      const [bendA, bendB] = [c.a * d.v + c.v * d.a, c.b * d.v + c.v * d.b];
      h.a = h.a * factor2 + h.v * bendA;
      h.b = h.b * factor2 + h.v * bendB;
      h.v *= factor2;
      const bends = Math.abs(h.v * bendA) > 1e-14 * Math.abs(h.a) || Math.abs(h.v * bendB) > 1e-14 * Math.abs(h.b);
      if (Math.abs(factor2 - 1) < 2e-16 && !bends) break;
    }
    return h;
  }
  function coefficient(a, b, x, n) {
    if (n % 2 === 0) {
      const m2 = n / 2;
      const below3 = (a + n - 1) * (a + n);
      const v2 = m2 * (b - m2) * x / below3;
      return { v: v2, a: -v2 * (1 / (a + n - 1) + 1 / (a + n)), b: m2 * x / below3 };
    }
    const m = (n - 1) / 2;
    const below2 = (a + n - 1) * (a + n);
    const v = -(a + m) * (a + b + m) * x / below2;
    const inA = v * (1 / (a + m) + 1 / (a + b + m) - 1 / (a + n - 1) - 1 / (a + n));
    return { v, a: inA, b: -(a + m) * x / below2 };
  }
  function lowerSide(a, b, x, y) {
    const front = exp(logFront(a, b, x, y)) / a;
    const f = fraction(a, b, x);
    const sum3 = digamma(a + b);
    const inA = log(x) - digamma(a) + sum3 - 1 / a;
    const inB = (y > 0.5 ? log1p(-x) : log(y)) - digamma(b) + sum3;
    return { v: front * f.v, a: front * (f.a + f.v * inA), b: front * (f.b + f.v * inB) };
  }
  function sloped(a, b, x) {
    const y = 1 - x;
    if (x < (a + 1) / (a + b + 2)) return lowerSide(a, b, x, y);
    const other = lowerSide(b, a, y, x);
    return { v: 1 - other.v, a: -other.b, b: -other.a };
  }
  function inDomain(a, b, x) {
    return a > 0 && b > 0 && x >= 0 && x <= 1;
  }
  function betainc(a, b, x) {
    if (!inDomain(a, b, x)) return NaN;
    return x === 0 || x === 1 ? x : sloped(a, b, x).v;
  }
  function betaincASlope(a, b, x) {
    if (!inDomain(a, b, x)) return NaN;
    return x === 0 || x === 1 ? 0 : sloped(a, b, x).a;
  }
  function betaincBSlope(a, b, x) {
    if (!inDomain(a, b, x)) return NaN;
    return x === 0 || x === 1 ? 0 : sloped(a, b, x).b;
  }

  // src/math/incomplete_gamma.ts
  var log2Pi3 = 1.8378770664093453;
  var tiny2 = 1e-300;
  function logFront2(a, x) {
    if (a < 10) return a * log(x) - x - lgamma(a + 1);
    return a * logRatioMinus(x, a, x - a) - 0.5 * (log2Pi3 + log(a)) - stirlingError(a);
  }
  function series(a, x) {
    let [term, rate, sum3, slope] = [1, 0, 1, 0];
    for (let n = 1; n < 1e5; n++) {
      term *= x / (a + n);
      rate -= 1 / (a + n);
      sum3 += term;
      slope += term * rate;
      if (term < sum3 * 1e-17 && Math.abs(term * rate) < Math.abs(slope) * 1e-17) break;
    }
    return { sum: sum3, slope };
  }
  function fraction2(a, x) {
    let b = x + 1 - a;
    let [c, cSlope] = [1 / tiny2, 0];
    let d = 1 / b;
    let dSlope = d * d;
    let [h, hSlope] = [d, dSlope];
    for (let n = 1; n < 1e5; n++) {
      const k = -n * (n - a);
      b += 2;
      const below2 = k * d + b;
      const belowSlope = n * d + k * dSlope - 1;
      d = 1 / below2;
      dSlope = -belowSlope * d * d;
      cSlope = -1 + n / c - k * cSlope / (c * c);
      c = b + k / c;
      const factor2 = c * d;
      const bend = cSlope * d + c * dSlope;
      hSlope = hSlope * factor2 + h * bend;
      h *= factor2;
      if (Math.abs(factor2 - 1) < 2e-16 && !(Math.abs(h * bend) > 1e-14 * Math.abs(hSlope))) break;
    }
    return { value: h, slope: hSlope };
  }
  function smallUpper(a, x) {
    const l = a * log(x) - lgamma(1 + a);
    let [term, sum3] = [1, 0];
    for (let n = 1; n < 60; n++) {
      term *= -x / n;
      sum3 += term / (a + n);
    }
    return -expm1(l) - exp(l) * a * sum3;
  }
  function gammainc(a, x) {
    if (!(a > 0 && x >= 0)) return NaN;
    if (x === 0) return 0;
    if (x === Infinity) return 1;
    if (x < a + 1) return exp(logFront2(a, x)) * series(a, x).sum;
    return 1 - gammaincc(a, x);
  }
  function gammaincc(a, x) {
    if (!(a > 0 && x >= 0)) return NaN;
    if (x === 0) return 1;
    if (x === Infinity) return 0;
    if (a < 1 && x < 1.5) return smallUpper(a, x);
    if (x < a + 1) return 1 - gammainc(a, x);
    return exp(logFront2(a, x)) * a * fraction2(a, x).value;
  }
  function gammaincShapeSlope(a, x) {
    if (!(a > 0 && x >= 0)) return NaN;
    if (x === 0 || x === Infinity) return 0;
    const front = exp(logFront2(a, x));
    const frontSlope = front * (log(x) - digamma(a + 1));
    if (x < a + 1) {
      const { sum: sum3, slope: slope2 } = series(a, x);
      return frontSlope * sum3 + front * slope2;
    }
    const { value, slope } = fraction2(a, x);
    return -(frontSlope * a * value + front * value + front * a * slope);
  }

  // src/math/log1mexp.ts
  var ln2 = 0.6931471805599453;
  function log1mexp(x) {
    return x > -ln2 ? log(-expm1(x)) : log1p(-exp(x));
  }

  // src/math/normal.ts
  var sqrtHalf = 0.7071067811865476;
  var log2Pi4 = 1.8378770664093453;
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
  function polynomial2(coefficients2, x) {
    let sum3 = 0;
    for (let i = coefficients2.length - 1; i >= 0; i--) sum3 = sum3 * x + coefficients2[i];
    return sum3;
  }
  function erfNear(x) {
    const z = x * x;
    return polynomial2(nearNumerator, z) / polynomial2(nearDenominator, z);
  }
  var erfAtOne = 0.8450629115104675;
  function erfAboveOne(x) {
    return polynomial2(oneNumerator, x - 1) / polynomial2(oneDenominator, x - 1);
  }
  function erfcExponent(x) {
    const s = 1 / (x * x);
    return x < 2.857142857142857 ? polynomial2(middleNumerator, s) / polynomial2(middleDenominator, s) : polynomial2(farNumerator, s) / polynomial2(farDenominator, s);
  }
  function erfcFar(x) {
    if (x >= 28) return 0;
    const c = 1048576 * 128 * x;
    const z = c - (c - x);
    return exp(-z * z - 0.5625) * exp((z - x) * (z + x) + erfcExponent(x)) / x;
  }
  function erf(x) {
    const a = Math.abs(x);
    if (a < 0.84375) return x + x * erfNear(x);
    if (x !== x) return NaN;
    const size = a < 1.25 ? erfAtOne + erfAboveOne(a) : 1 - erfcFar(a);
    return x < 0 ? -size : size;
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
    return x === -Infinity ? x : log(millsRatio(-x)) - 0.5 * (x * x + log2Pi4);
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
      return q * polynomial2(centralNumerator, r2) / polynomial2(centralDenominator, r2);
    }
    if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : NaN;
    const r = Math.sqrt(-log(q < 0 ? p : 1 - p));
    const size = r <= 5 ? polynomial2(outerNumerator, r - 1.6) / polynomial2(outerDenominator, r - 1.6) : polynomial2(tailNumerator, r - 5) / polynomial2(tailDenominator, r - 5);
    return q < 0 ? -size : size;
  }

  // src/graph/operations.ts
  var unaryOps = [
    "neg",
    "exp",
    "log",
    "log1p",
    "log1mexp",
    "expm1",
    "sqrt",
    "abs",
    "sign",
    "floor",
    "ceil",
    "round",
    "sigmoid",
    "softplus",
    "tanh",
    "sin",
    "cos",
    "atan",
    "lgamma",
    "digamma",
    "trigamma",
    "erf",
    "erfc",
    "log_normal_cdf",
    "normal_quantile",
    "log_i0",
    "bessel_ratio",
    "not",
    "is_nan"
  ];
  var binaryOps = [
    "add",
    "sub",
    "mul",
    "div",
    "pow",
    "maximum",
    "minimum",
    "mod",
    "gammainc",
    "gammaincc",
    "gammainc_shape_slope",
    "lt",
    "le",
    "gt",
    "ge",
    "eq",
    "ne",
    "and",
    "or"
  ];
  var ternaryOps = ["where", "betainc", "betainc_a_slope", "betainc_b_slope"];
  var applyUnary = {
    neg: (x) => -x,
    exp,
    log,
    log1p,
    log1mexp,
    expm1,
    sqrt: Math.sqrt,
    abs: Math.abs,
    sign: Math.sign,
    floor: Math.floor,
    ceil: Math.ceil,
    round: roundHalfToEven,
    sigmoid,
    softplus,
    tanh,
    sin,
    cos,
    atan,
    lgamma,
    digamma,
    trigamma,
    erf,
    erfc,
    log_normal_cdf: logNormalCdf,
    normal_quantile: normalQuantile,
    log_i0: logI0,
    bessel_ratio: besselRatio,
    not: (x) => x === 0 ? 1 : 0,
    is_nan: (x) => x !== x ? 1 : 0
  };
  var applyBinary = {
    add: (a, b) => a + b,
    sub: (a, b) => a - b,
    mul: (a, b) => a * b,
    div: (a, b) => a / b,
    pow,
    maximum: Math.max,
    minimum: Math.min,
    mod: floorModulo,
    gammainc,
    gammaincc,
    gammainc_shape_slope: gammaincShapeSlope,
    lt: (a, b) => a < b ? 1 : 0,
    le: (a, b) => a <= b ? 1 : 0,
    gt: (a, b) => a > b ? 1 : 0,
    ge: (a, b) => a >= b ? 1 : 0,
    eq: (a, b) => a === b ? 1 : 0,
    ne: (a, b) => a !== b ? 1 : 0,
    and: (a, b) => a !== 0 && b !== 0 ? 1 : 0,
    or: (a, b) => a !== 0 || b !== 0 ? 1 : 0
  };
  var applyTernary = {
    where: (condition2, a, b) => condition2 !== 0 ? a : b,
    betainc,
    betainc_a_slope: betaincASlope,
    betainc_b_slope: betaincBSlope
  };
  var commutative = /* @__PURE__ */ new Set([
    "add",
    "mul",
    "maximum",
    "minimum",
    "eq",
    "ne",
    "and",
    "or"
  ]);
  function roundHalfToEven(x) {
    const down = Math.floor(x);
    const rest = x - down;
    if (rest !== 0.5) return rest < 0.5 ? down : down + 1;
    return down % 2 === 0 ? down : down + 1;
  }
  function floorModulo(a, b) {
    const rest = a % b;
    return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
  }

  // src/graph/shape.ts
  function sizeOf(shape) {
    let size = 1;
    for (const extent of shape) size *= extent;
    return size;
  }
  function sameShape(a, b) {
    return a.length === b.length && a.every((extent, i) => extent === b[i]);
  }
  function broadcastShapes(...shapes) {
    let rank = 0;
    for (const shape of shapes) rank = Math.max(rank, shape.length);
    const result = new Array(rank).fill(1);
    for (const shape of shapes) {
      const shift = rank - shape.length;
      for (let i = 0; i < shape.length; i++) {
        if (shape[i] === 1 || shape[i] === result[shift + i]) continue;
        if (result[shift + i] !== 1) return void 0;
        result[shift + i] = shape[i];
      }
    }
    return result;
  }
  function stridesOf(shape) {
    const strides = new Array(shape.length);
    let stride = 1;
    for (let i = shape.length - 1; i >= 0; i--) {
      strides[i] = stride;
      stride *= shape[i];
    }
    return strides;
  }
  function broadcastIndex(from, to) {
    const index = new Int32Array(sizeOf(to));
    const shift = to.length - from.length;
    const strides = stridesOf(from).map((stride, i) => from[i] === 1 ? 0 : stride);
    forEachIndex(to, (at, flat4) => {
      let sum3 = 0;
      for (let i = 0; i < from.length; i++) sum3 += at[shift + i] * strides[i];
      index[flat4] = sum3;
    });
    return index;
  }
  function forEachIndex(shape, visit) {
    const at = new Array(shape.length).fill(0);
    const size = sizeOf(shape);
    for (let flat4 = 0; flat4 < size; flat4++) {
      visit(at, flat4);
      for (let i = shape.length - 1; i >= 0; i--) {
        if (++at[i] < shape[i]) break;
        at[i] = 0;
      }
    }
  }
  function describeShape(shape) {
    if (shape.length === 0) return "a number";
    return shape.length === 1 ? `shape (${shape[0]},)` : `shape (${shape.join(", ")})`;
  }

  // src/graph/evaluate.ts
  function evaluateInto(node, args, out) {
    switch (node.kind) {
      case "constant":
        return out.set(node.values);
      case "map":
        return evaluateMap(node, args, out);
      case "reduce":
        return evaluateReduce(node, args[0], out);
      case "scan":
        return evaluateScan(node, args[0], out);
      case "reshape":
        return out.set(args[0].values);
      case "gather":
        return gatherInto(args[0].values, node.index, out);
      case "scatter":
        return scatterInto(args[0].values, node.index, out);
      case "take":
        return takeInto(args[0].values, args[1].values, out);
      case "join":
        return joinInto(args, out);
      case "matmul":
        return matrixProduct(args[0], args[1], out);
      case "cholesky":
        return choleskyOf(args[0].values, node.shape[0], out);
      case "solve":
        return solveTriangular(args[0].values, args[1], node.transposed, out);
      default:
        throw new Error(`internal: a ${node.kind} has no value of its own`);
    }
  }
  function evaluateNode(node, args) {
    const out = new Float64Array(sizeOf(node.shape));
    evaluateInto(node, args, out);
    return out;
  }
  function sumInOrder(x, begin3 = 0, count = x.length, stride = 1) {
    let [even, odd] = [0, 0];
    const last = count - (count & 1);
    let at = begin3;
    for (let i = 0; i < last; i += 2) {
      even += x[at];
      odd += x[at + stride];
      at += 2 * stride;
    }
    if (last < count) even += x[at];
    return even + odd;
  }
  function evaluateMap(node, args, out) {
    const read = args.map((value) => reader(value, node.shape));
    switch (args.length) {
      case 1: {
        const apply = applyUnary[node.op];
        for (let i = 0; i < out.length; i++) out[i] = apply(read[0](i));
        return;
      }
      case 2: {
        const apply = applyBinary[node.op];
        for (let i = 0; i < out.length; i++) out[i] = apply(read[0](i), read[1](i));
        return;
      }
      default: {
        const apply = applyTernary[node.op];
        for (let i = 0; i < out.length; i++) out[i] = apply(read[0](i), read[1](i), read[2](i));
      }
    }
  }
  function reader({ shape, values }, to) {
    if (values.length === 1) return () => values[0];
    if (sameShape(shape, to)) return (i) => values[i];
    const index = broadcastIndex(shape, to);
    return (i) => values[index[i]];
  }
  function productInOrder(x, begin3, count, stride) {
    let [even, odd] = [1, 1];
    for (let i = 0; i < count; i += 2) even *= x[begin3 + i * stride];
    for (let i = 1; i < count; i += 2) odd *= x[begin3 + i * stride];
    return even * odd;
  }
  var joinTwo = {
    max: (a, b) => Math.max(a, b),
    min: (a, b) => Math.min(a, b)
  };
  var startOf = { max: -Infinity, min: Infinity };
  function evaluateReduce(node, { shape, values }, out) {
    const { bases, offsets } = planOf(node, shape);
    const count = offsets.length;
    const stride = strideOf(offsets);
    const slice3 = stride === void 0 ? new Float64Array(count) : values;
    for (let k = 0; k < bases.length; k++) {
      const begin3 = stride === void 0 ? 0 : bases[k];
      if (stride === void 0) {
        for (let j = 0; j < count; j++) slice3[j] = values[bases[k] + offsets[j]];
      }
      out[k] = reduced2(node, slice3, begin3, count, stride ?? 1);
    }
  }
  function reduced2({ op }, x, begin3, count, stride) {
    if (op === "sum") return sumInOrder(x, begin3, count, stride);
    if (op === "prod") return productInOrder(x, begin3, count, stride);
    const join = joinTwo[op];
    let result = startOf[op];
    for (let j = 0, at = begin3; j < count; j++, at += stride) result = join(result, x[at]);
    return result;
  }
  var plans = /* @__PURE__ */ new WeakMap();
  function planOf(node, shape) {
    const known5 = plans.get(node) ?? reductionPlan(shape, node.axes);
    plans.set(node, known5);
    return known5;
  }
  function strideOf(offsets) {
    const stride = offsets[1] ?? 1;
    return offsets.every((offset, j) => offset === j * stride) ? stride : void 0;
  }
  function reductionPlan(shape, axes) {
    const strides = stridesOf(shape);
    const kept2 = shape.map((_, i) => i).filter((i) => !axes.includes(i));
    return { bases: offsetsOf(shape, strides, kept2), offsets: offsetsOf(shape, strides, axes) };
  }
  function offsetsOf(shape, strides, axes) {
    let offsets = [0];
    for (const axis of axes) {
      const steps = Array.from({ length: shape[axis] }, (_, i) => i * strides[axis]);
      offsets = offsets.flatMap((base) => steps.map((step) => base + step));
    }
    return Int32Array.from(offsets);
  }
  function evaluateScan(node, { shape, values }, out) {
    const stride = stridesOf(shape)[node.axis];
    const extent = shape[node.axis];
    for (let i = 0; i < out.length; i++) {
      const first2 = Math.floor(i / stride) % extent === 0;
      const before = first2 ? node.op === "cumsum" ? 0 : 1 : out[i - stride];
      out[i] = node.op === "cumsum" ? before + values[i] : before * values[i];
    }
  }
  function gatherInto(x, index, out) {
    for (let i = 0; i < out.length; i++) out[i] = index[i] < 0 ? 0 : x[index[i]];
  }
  function scatterInto(x, index, out) {
    out.fill(0);
    for (let i = 0; i < x.length; i++) if (index[i] >= 0) out[index[i]] += x[i];
  }
  function takeInto(x, index, out) {
    for (let i = 0; i < out.length; i++) out[i] = x[index[i]];
  }
  function joinInto(args, out) {
    let at = 0;
    for (const { values } of args) {
      out.set(values, at);
      at += values.length;
    }
  }

  // src/graph/builder.ts
  var GraphBuilder = class {
    /** @param columns values of columns; without them only constants can be looked at. */
    constructor(columns = () => void 0) {
      this.columns = columns;
    }
    columns;
    /** All nodes so far. */
    nodes = [];
    #ids = /* @__PURE__ */ new Map();
    /** Whether a node depends on data and constants alone. */
    #host = [];
    #values = /* @__PURE__ */ new Map();
    #arrays = new ArrayNumbers();
    #scalars = /* @__PURE__ */ new Map();
    /** A number. */
    scalar(value) {
      const known5 = this.#scalars.get(value);
      if (known5 !== void 0 && !Object.is(value, -0)) return known5;
      const id = this.array(Float64Array.of(value), []);
      if (!Object.is(value, -0)) this.#scalars.set(value, id);
      return id;
    }
    /** Numbers known now; `values` `[sizeOf(shape)]` belong to the graph from here on. */
    array(values, shape) {
      return this.#intern({ kind: "constant", args: [], shape, values });
    }
    /** A column of the data. */
    column(column, shape) {
      return this.#intern({ kind: "column", args: [], shape, column });
    }
    /** The value of a free random variable. */
    parameter(parameter2, shape) {
      return this.#intern({ kind: "parameter", args: [], shape, parameter: parameter2 });
    }
    /** A part of the unconstrained vector. */
    input(offset, shape) {
      return this.#intern({ kind: "input", args: [], shape, offset });
    }
    map(op, ...given2) {
      if (op === "gt") return this.map("lt", given2[1], given2[0]);
      if (op === "ge") return this.map("le", given2[1], given2[0]);
      const shape = this.#broadcast(given2);
      const args = this.#withoutLeadingOnes(given2, shape);
      const simpler = this.#simplified(op, args, shape);
      if (simpler !== void 0) return simpler;
      if (commutative.has(op) && args[0] > args[1]) args.reverse();
      return this.#intern({ kind: "map", op, args, shape });
    }
    add(x, y) {
      return this.map("add", x, y);
    }
    sub(x, y) {
      return this.map("sub", x, y);
    }
    mul(x, y) {
      return this.map("mul", x, y);
    }
    div(x, y) {
      return this.map("div", x, y);
    }
    neg(x) {
      return this.map("neg", x);
    }
    exp(x) {
      return this.map("exp", x);
    }
    log(x) {
      return this.map("log", x);
    }
    square(x) {
      return this.map("mul", x, x);
    }
    /** `then` where the condition is not 0. */
    where(condition2, then, otherwise) {
      return this.map("where", condition2, then, otherwise);
    }
    /** Reduces axes (all of them by default); scalars stay what they are. */
    reduce(op, x, axes) {
      const from = this.shapeOf(x);
      const chosen = axes ?? from.map((_, i) => i);
      if (chosen.length === 0) return x;
      const sorted2 = [...chosen].sort((a, b) => a - b);
      const shape = from.filter((_, i) => !sorted2.includes(i));
      return this.#intern({ kind: "reduce", op, args: [x], axes: sorted2, shape });
    }
    /** Sum over axes, all of them by default. */
    sum(x, axes) {
      return this.reduce("sum", x, axes);
    }
    /** Cumulative sum or product along one axis. */
    scan(op, x, axis) {
      return this.#intern({ kind: "scan", op, args: [x], axis, shape: this.shapeOf(x) });
    }
    /** The same elements under another shape of the same size. */
    reshape(x, shape) {
      if (sameShape(this.shapeOf(x), shape)) return x;
      const node = this.nodes[x];
      if (node.kind === "join") return this.join(node.args, shape);
      const from = node.kind === "reshape" ? node.args[0] : x;
      if (sameShape(this.shapeOf(from), shape)) return from;
      return this.#intern({ kind: "reshape", args: [from], shape });
    }
    /** `out[i] = x[index[i]]` on flat indices; −1 gives 0. */
    gather(x, index, shape) {
      if (index.length === sizeOf(this.shapeOf(x)) && index.every((at, i) => at === i)) {
        return this.reshape(x, shape);
      }
      const from = this.#flat(x);
      const node = this.nodes[from];
      if (node.kind !== "gather") return this.#intern({ kind: "gather", args: [from], index, shape });
      const composed = index.map((at) => at < 0 ? -1 : node.index[at]);
      return this.gather(node.args[0], composed, shape);
    }
    /** The node whose elements a reshape shows under another shape. */
    #flat(x) {
      const node = this.nodes[x];
      return node.kind === "reshape" ? node.args[0] : x;
    }
    /** `out[index[i]] += x[i]` on flat indices, from zeros. */
    scatter(x, index, shape) {
      return this.#intern({ kind: "scatter", args: [x], index, shape });
    }
    /** `out[i] = x[index[i]]` on flat indices, for a node `index` of whole numbers within range. */
    take(x, index) {
      const from = this.#flat(x);
      const node = this.nodes[from];
      if (node.kind === "gather" && node.index.every((at) => at >= 0)) {
        const places2 = this.array(Float64Array.from(node.index), [node.index.length]);
        return this.take(node.args[0], this.take(places2, index));
      }
      return this.#intern({ kind: "take", args: [from, index], shape: this.shapeOf(index) });
    }
    /** `x` broadcast to a shape; x itself if it has that shape already. */
    broadcast(x, shape) {
      const from = this.shapeOf(x);
      return sameShape(from, shape) ? x : this.gather(x, broadcastIndex(from, shape), shape);
    }
    /** Flat elements of all arguments one after another; `shape` `[total]` by default. */
    join(args, shape) {
      const total2 = args.reduce((sum3, x) => sum3 + sizeOf(this.shapeOf(x)), 0);
      const flat4 = args.map((x) => this.#flat(x));
      return this.#intern({ kind: "join", args: flat4, shape: shape ?? [total2] });
    }
    /** `[n, k] × [k, m]`. */
    matmul(a, b) {
      const shape = [this.shapeOf(a)[0], this.shapeOf(b)[1]];
      return this.#intern({ kind: "matmul", args: [a, b], shape });
    }
    /** Lower Cholesky factor of `[n, n]`. */
    cholesky(x) {
      return this.#intern({ kind: "cholesky", args: [x], shape: this.shapeOf(x) });
    }
    /** Solves `L X = B`, or `Lᵀ X = B`; B is `[n, m]`. */
    solve(lower2, b, transposed6 = false) {
      const shape = this.shapeOf(b);
      return this.#intern({ kind: "solve", args: [lower2, b], transposed: transposed6, shape });
    }
    /** Shape of a node. */
    shapeOf(x) {
      return this.nodes[x].shape;
    }
    /** The number, if the node is a constant of one element or of equal elements. */
    constantOf(x) {
      const node = this.nodes[x];
      if (node.kind !== "constant") return void 0;
      const first2 = node.values[0];
      for (let i = 1; i < node.values.length; i++) {
        if (!Object.is(node.values[i], first2)) return void 0;
      }
      return first2;
    }
    /** Whether a node depends on data and constants alone. */
    isHost(x) {
      return this.#host[x];
    }
    /** The numbers of a node that depends on data and constants alone; undefined for others. */
    valueOf(x) {
      if (!this.#host[x]) return void 0;
      const values = this.#evaluate(x);
      return values && { shape: this.shapeOf(x), values };
    }
    #evaluate(x) {
      const known5 = this.#values.get(x);
      if (known5) return known5;
      const node = this.nodes[x];
      if (node.kind === "constant") return node.values;
      const values = node.kind === "column" ? this.columns(node.column) : this.#compute(node);
      if (values) this.#values.set(x, values);
      return values;
    }
    #compute(node) {
      const args = [];
      for (const id of node.args) {
        const value = this.valueOf(id);
        if (!value) return void 0;
        args.push(value);
      }
      return evaluateNode(node, args);
    }
    /** Axes of length one that broadcasting puts in front by itself need not be written out. */
    #withoutLeadingOnes(args, shape) {
      if (!args.some((x) => this.shapeOf(x)[0] === 1)) return args;
      const bare = args.map((x) => this.#bare(x));
      if (bare.every((x, i) => x === args[i])) return args;
      const joint = broadcastShapes(...bare.map((x) => this.shapeOf(x)));
      return joint && sameShape(joint, shape) ? bare : args;
    }
    #bare(x) {
      const node = this.nodes[x];
      if (node.shape.length === 0 || node.shape[0] !== 1) return x;
      const first2 = node.shape.findIndex((extent) => extent !== 1);
      const shape = first2 < 0 ? [] : node.shape.slice(first2);
      if (node.kind === "constant") return this.array(node.values, shape);
      const inner = node.kind === "reshape" ? node.args[0] : x;
      return sameShape(this.shapeOf(inner), shape) ? inner : x;
    }
    #broadcast(args) {
      const shape = broadcastShapes(...args.map((id) => this.shapeOf(id)));
      if (!shape) throw new Error("internal: shapes that do not broadcast");
      return shape;
    }
    /** Rewrites that do not change a bit of a finite value: x·1, x/1, x − 0, −(−x), where(c, …). */
    #simplified(op, args, shape) {
      if (!simplifiable.has(op)) return void 0;
      const keep2 = (x) => sameShape(this.shapeOf(x), shape) ? x : void 0;
      const a = this.constantOf(args[0]);
      const b = args.length > 1 ? this.constantOf(args[1]) : void 0;
      switch (op) {
        case "neg": {
          const inner = this.nodes[args[0]];
          return inner.kind === "map" && inner.op === "neg" ? inner.args[0] : void 0;
        }
        case "add":
          return b === 0 ? keep2(args[0]) : a === 0 ? keep2(args[1]) : void 0;
        case "sub":
          return b === 0 ? keep2(args[0]) : void 0;
        case "mul":
          return b === 1 ? keep2(args[0]) : a === 1 ? keep2(args[1]) : void 0;
        case "div":
          return b === 1 ? keep2(args[0]) : void 0;
        case "where":
          return a === void 0 ? void 0 : keep2(a !== 0 ? args[1] : args[2]);
        case "pow":
          return this.#simplePower(args[0], b, shape);
        default:
          return void 0;
      }
    }
    #simplePower(x, exponent, shape) {
      if (!sameShape(this.shapeOf(x), shape)) return void 0;
      if (exponent === 1) return x;
      if (exponent === 2) return this.mul(x, x);
      if (exponent === 0.5) return this.map("sqrt", x);
      return exponent === -1 ? this.div(this.scalar(1), x) : void 0;
    }
    #intern(node) {
      const folded = this.#fold(node);
      const key = this.#keyOf(folded);
      const known5 = this.#ids.get(key);
      if (known5 !== void 0) return known5;
      const id = this.nodes.push(folded) - 1;
      this.#ids.set(key, id);
      const leaf = folded.kind === "parameter" || folded.kind === "input";
      this.#host.push(!leaf && folded.args.every((arg) => this.#host[arg]));
      return id;
    }
    /** Text that is equal for equal nodes; long arrays stand in it by number. */
    #keyOf(node) {
      if (node.kind === "map") {
        const { op, args } = node;
        if (args.length === 1) return `${op}|${args[0]}`;
        return args.length === 2 ? `${op}|${args[0]},${args[1]}` : `${op}|${args}`;
      }
      const long = node.kind === "constant" ? node.values : "index" in node ? node.index : void 0;
      if (!long || long.length <= 16) return nodeKey(node);
      return `${node.kind} #${this.#arrays.numberOf(long)}|${node.args}|${node.shape}`;
    }
    /** A node whose arguments are all constants is a constant. */
    #fold(node) {
      if (node.args.length === 0) return node;
      for (const id of node.args) if (this.nodes[id].kind !== "constant") return node;
      const values = [];
      for (const id of node.args) {
        const arg = this.nodes[id];
        if (arg.kind === "constant") values.push({ shape: arg.shape, values: arg.values });
      }
      const folded = evaluateNode(node, values);
      return { kind: "constant", args: [], shape: node.shape, values: folded };
    }
  };
  var simplifiable = /* @__PURE__ */ new Set(
    ["neg", "add", "sub", "mul", "div", "where", "pow"]
  );
  function numberKey(value) {
    return Object.is(value, -0) ? "-0" : `${value}`;
  }
  function nodeLabel(node) {
    switch (node.kind) {
      case "constant":
        return `constant ${arrayKey(node.values)}`;
      case "column":
        return `column ${JSON.stringify(node.column)}`;
      case "parameter":
        return `parameter ${node.parameter}`;
      case "input":
        return `input ${node.offset}`;
      case "map":
        return node.op;
      case "reduce":
        return `${node.op} over ${node.axes}`;
      case "scan":
        return `${node.op} along ${node.axis}`;
      case "gather":
      case "scatter":
        return `${node.kind} ${indexKey(node.index)}`;
      case "solve":
        return node.transposed ? "solve transposed" : "solve";
      default:
        return node.kind;
    }
  }
  function nodeKey(node) {
    return `${nodeLabel(node)}|${node.args}|${node.shape}`;
  }
  function arrayKey(values) {
    if (values.length <= 16) return Array.from(values, numberKey).join(" ");
    return sha256(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }
  function indexKey(index) {
    if (index.length <= 32) return index.join(" ");
    return sha256(new Uint8Array(index.buffer, index.byteOffset, index.byteLength));
  }

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
    const sorted2 = [...new Set(keys)].sort();
    const rank = new Map(sorted2.map((key, i) => [key, i]));
    keys.forEach((key, i) => ranks[i] = rank.get(key) ?? 0);
    return sorted2.length;
  }
  function signature(vertex, uses, i, ranks) {
    const below2 = vertex.arguments.map((node) => digits(ranks[node]));
    if (vertex.unordered) below2.sort();
    const above = uses.map(({ user, position: position2 }) => `${digits(ranks[user])}.${position2}`).sort();
    return `${digits(ranks[i])}|${below2.join(",")}|${above.join(",")}`;
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
  function canonicalise(graph, { parameters, deterministics }, likelihood2) {
    const core = new Core(graph, parameters, likelihood2);
    const order = core.programOrder();
    order.push(...orderExtra(graph, parameters, deterministics, order));
    const checked = new Renaming(graph, order, core).program(parameters, deterministics, likelihood2);
    const influential = reachable(graph, parameters, lawNodes(likelihood2.law));
    const unused = parameters.flatMap(
      ({ shape }, i) => influential.has(graph.parameter(i, shape)) ? [] : [i]
    );
    return { checked: { ...checked, hash: core.hash() }, unused };
  }
  function lawNodes(law) {
    if (!law.components) return law.args;
    return [...law.args, ...law.components.flatMap(lawNodes)];
  }
  function transformNodes(transform) {
    if (transform.kind === "interval") return [transform.lower, transform.upper];
    return transform.kind === "chain" ? transform.parts.flatMap(transformNodes) : [];
  }
  function lawLabel({ family, shape, components: components2, sizes, args }) {
    const inner = components2 ? `[${components2.map(lawLabel).join(" ")}]` : "";
    return `${family}/${args.length}(${shape})${sizes ? `{${sizes}}` : ""}${inner}`;
  }
  function transformLabel(transform) {
    switch (transform.kind) {
      case "chain":
        return `chain(${transform.parts.map(transformLabel).join(" ")})`;
      case "zero_sum":
        return `zero_sum ${transform.axes}`;
      case "cholesky_factor":
        return `cholesky_factor ${transform.n}`;
      case "summed":
        return `summed ${transform.lower} ${transform.count}`;
      default:
        return transform.kind;
    }
  }
  function argumentsOf(node, parameters) {
    if (node.kind !== "parameter") return node.args;
    const { prior, transform } = parameters[node.parameter];
    const bounds2 = transformNodes(transform);
    return bounds2.length === 0 ? lawNodes(prior) : [...lawNodes(prior), ...bounds2];
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
    if (node.kind !== "parameter") return `${nodeLabel(node)} (${node.shape})`;
    const { prior, transform, shape } = parameters[node.parameter];
    return `parameter ${lawLabel(prior)} ${transformLabel(transform)} (${shape})`;
  }
  function isUnordered(node) {
    return node.kind === "map" && commutative.has(node.op);
  }
  var Core = class {
    constructor(graph, parameters, likelihood2) {
      this.graph = graph;
      this.parameters = parameters;
      this.likelihood = likelihood2;
      const roots = parameters.map(({ shape }, i) => graph.parameter(i, shape));
      const members = this.#reach([...lawNodes(likelihood2.law), ...roots]);
      this.ordered = this.#order([...members].sort((a, b) => a - b));
      this.#position = new Map(this.ordered.map((id, i) => [id, i]));
    }
    graph;
    parameters;
    likelihood;
    /** Nodes in canonical order. */
    ordered;
    #labels = /* @__PURE__ */ new Map();
    #first = /* @__PURE__ */ new Map();
    #position;
    /** The node that stands for this one. */
    standIn(id) {
      const label2 = this.#leaf(id);
      if (label2 === void 0) return id;
      const first2 = this.#first.get(label2) ?? id;
      this.#first.set(label2, first2);
      return first2;
    }
    /** What a leaf made of data is: its values; undefined for other nodes. */
    #leaf(id) {
      const { graph } = this;
      const { kind, shape } = graph.nodes[id];
      if (kind === "constant" || kind === "column" || !graph.isHost(id)) return void 0;
      const known5 = this.#labels.get(id);
      if (known5 !== void 0) return known5;
      const values = graph.valueOf(id)?.values;
      if (!values) return void 0;
      const label2 = `${nodeLabel({ kind: "constant", args: [], shape, values })} (${shape})`;
      this.#labels.set(id, label2);
      return label2;
    }
    /** Arguments in the core: none of leaves; an index into an array belongs to what a node is. */
    #arguments(id) {
      if (this.#leaf(id) !== void 0) return [];
      const node = this.graph.nodes[id];
      const args = this.#isKnownTake(node) ? [node.args[0]] : argumentsOf(node, this.parameters);
      return args.map((arg) => this.standIn(arg));
    }
    #label(id) {
      const node = this.graph.nodes[id];
      return this.#leaf(id) ?? label(this.#isKnownTake(node) ? this.#asGather(node) : node, this.parameters);
    }
    /** An index is known from data, unless a discrete variable is the index. */
    #isKnownTake(node) {
      return node.kind === "take" && this.graph.isHost(node.args[1]);
    }
    /** Elements taken at places that data say are elements gathered from there. */
    #asGather({ args, shape }) {
      const places2 = this.graph.valueOf(args[1]);
      if (!places2) throw new Error("internal: an index that is not known from data");
      return { kind: "gather", args: [args[0]], index: Int32Array.from(places2.values), shape };
    }
    #reach(roots) {
      const seen = /* @__PURE__ */ new Set();
      const pending = roots.map((id) => this.standIn(id));
      for (let id = pending.pop(); id !== void 0; id = pending.pop()) {
        if (seen.has(id)) continue;
        seen.add(id);
        pending.push(...this.#arguments(id));
      }
      return seen;
    }
    #order(ids) {
      const { graph, likelihood: likelihood2 } = this;
      const position2 = new Map(ids.map((id, i) => [id, i]));
      const at = (id) => position2.get(id) ?? -1;
      const below2 = new Map(ids.map((id) => [id, this.#arguments(id)]));
      const levels = levelsOf(ids, below2);
      const vertices = ids.map((id) => ({
        label: `${`${levels.get(id)}`.padStart(6, "0")} ${this.#label(id)}`,
        arguments: (below2.get(id) ?? []).map(at),
        unordered: this.#leaf(id) === void 0 && isUnordered(graph.nodes[id])
      }));
      vertices.push({
        label: `999999 likelihood ${lawLabel(likelihood2.law)}`,
        arguments: lawNodes(likelihood2.law).map((id) => at(this.standIn(id))),
        unordered: false
      });
      const ranks = refineColours(vertices);
      return ids.map((id, i) => ({ id, rank: ranks[i] })).sort((a, b) => a.rank - b.rank).map(({ id }) => id);
    }
    /** The canonical order, after what leaves are computed from. */
    programOrder() {
      const inner = /* @__PURE__ */ new Set();
      const pending = this.ordered.flatMap((id) => this.#hidden(id));
      for (let id = pending.pop(); id !== void 0; id = pending.pop()) {
        if (inner.has(id)) continue;
        inner.add(id);
        pending.push(...this.graph.nodes[id].args);
      }
      const rest = this.ordered.filter((id) => !inner.has(id));
      return [...orderOfData(this.graph, inner), ...rest];
    }
    /** What a node is computed from and the canonical order does not look at. */
    #hidden(id) {
      const node = this.graph.nodes[id];
      if (this.#leaf(id) !== void 0) return node.args;
      return this.#isKnownTake(node) ? [node.args[1]] : [];
    }
    /** SHA-256 of nodes, parameters and likelihood without their names. */
    hash() {
      const { graph, likelihood: { law, column } } = this;
      const at = (id) => this.#position.get(this.standIn(id)) ?? -1;
      const lawText = (one3) => `${lawLabel(one3)} ${lawNodes(one3).map(at)}`;
      const lines = this.ordered.map((id) => {
        const node = graph.nodes[id];
        if (node.kind !== "parameter") {
          const args = this.#arguments(id).map(at);
          if (this.#leaf(id) === void 0 && isUnordered(node)) args.sort((a, b) => a - b);
          return `${this.#label(id)} ${args}`;
        }
        const { prior, transform, shape } = this.parameters[node.parameter];
        const bounds2 = transformNodes(transform).map(at);
        return `parameter ${lawText(prior)} ${transformLabel(transform)} ${bounds2} (${shape})`;
      });
      return sha256(JSON.stringify([...lines, `${JSON.stringify(column)} ${lawText(law)}`]));
    }
  };
  function orderOfData(graph, members) {
    const keys = /* @__PURE__ */ new Map();
    for (const id of [...members].sort((a, b) => a - b)) {
      const node = graph.nodes[id];
      const below2 = node.args.map((arg) => keys.get(arg) ?? { level: 0, key: "" });
      const args = below2.map(({ key }) => key);
      if (isUnordered(node)) args.sort();
      const text = `${nodeLabel(node)} (${node.shape}) [${args.join(" ")}]`;
      const level = Math.max(0, ...below2.map((one3) => one3.level + 1));
      keys.set(id, { level, key: text.length > 256 ? sha256(text) : text });
    }
    return [...keys].sort(([, a], [, b]) => a.level - b.level || (a.key < b.key ? -1 : 1)).map(([id]) => id);
  }
  function levelsOf(ascending3, below2) {
    const levels = /* @__PURE__ */ new Map();
    for (const id of ascending3) {
      let level = 0;
      for (const arg of below2.get(id) ?? []) level = Math.max(level, 1 + (levels.get(arg) ?? 0));
      levels.set(id, level);
    }
    return levels;
  }
  function orderExtra(graph, parameters, deterministics, ordered) {
    const place3 = new Map(ordered.map((id, i) => [id, i]));
    const all = reachable(graph, parameters, deterministics.map(({ node }) => node));
    let left = [...all].filter((id) => !place3.has(id));
    const extra = [];
    while (left.length > 0) {
      const ready = left.filter((id) => graph.nodes[id].args.every((a) => place3.has(a)));
      const keyed = ready.map((id) => ({ id, key: extraKey(graph, parameters, place3, id) }));
      keyed.sort((a, b) => a.key < b.key ? -1 : 1);
      for (const { id } of keyed) place3.set(id, ordered.length + extra.push(id) - 1);
      left = left.filter((id) => !place3.has(id));
    }
    return extra;
  }
  function extraKey(graph, parameters, place3, id) {
    const node = graph.nodes[id];
    const places2 = node.args.map((a) => `${place3.get(a)}`.padStart(6, "0"));
    if (isUnordered(node)) places2.sort();
    return `${label(node, parameters)} ${places2.join(" ")}`;
  }
  var Renaming = class {
    constructor(graph, order, core) {
      this.graph = graph;
      this.order = order;
      this.core = core;
      this.node = new Map(order.map((id, i) => [id, i]));
      const parameters = order.map((id) => graph.nodes[id]).filter((n) => n.kind === "parameter");
      this.parameter = new Map(parameters.map((n, i) => [n.parameter, i]));
    }
    graph;
    order;
    core;
    node;
    parameter;
    program(parameters, deterministics, likelihood2) {
      const renumbered = [];
      for (const [before, after] of this.parameter) {
        const parameter2 = parameters[before];
        renumbered[after] = {
          ...parameter2,
          prior: this.law(parameter2.prior),
          transform: this.transform(parameter2.transform)
        };
      }
      return {
        nodes: this.order.map((id) => this.rewrite(this.graph.nodes[id])),
        parameters: renumbered,
        deterministics: deterministics.map((one3) => ({ ...one3, node: this.at(one3.node) })),
        likelihood: { ...likelihood2, law: this.law(likelihood2.law) }
      };
    }
    at(id) {
      const found = this.node.get(id) ?? this.node.get(this.core.standIn(id));
      if (found === void 0) throw new Error(`internal: node ${id} has no place in the order`);
      return found;
    }
    law(law) {
      const args = law.args.map((id) => this.at(id));
      if (!law.components) return { ...law, args };
      return { ...law, args, components: law.components.map((component) => this.law(component)) };
    }
    transform(transform) {
      if (transform.kind === "chain") {
        return { ...transform, parts: transform.parts.map((part) => this.transform(part)) };
      }
      if (transform.kind !== "interval") return transform;
      return { ...transform, lower: this.at(transform.lower), upper: this.at(transform.upper) };
    }
    rewrite(node) {
      if (node.kind === "parameter") {
        return { ...node, parameter: this.parameter.get(node.parameter) ?? -1 };
      }
      if (node.args.length === 0) return node;
      const args = node.args.map((id) => this.at(id));
      if (isUnordered(node) && args[0] > args[1]) args.reverse();
      return { ...node, args };
    }
  };

  // src/base/dataset.ts
  function makeDataset(name2, columns, dropped = 0, holdout) {
    const first2 = columns.find(({ role }) => role === "response") ?? columns[0];
    const rows = first2?.shape ? first2.shape[0] ?? 1 : first2?.values.length ?? 0;
    const content = columns.filter((c) => c.role !== "ignore").map(columnToJson);
    const withheld = holdout && { ...holdout, columns: holdout.columns.map(columnToJson) };
    const digest = digestOf({ rows, columns: content, ...withheld && { holdout: withheld } });
    return { name: name2, rows, columns, dropped, ...holdout && { holdout }, digest };
  }
  function responseColumn(dataset) {
    return dataset.columns.find((column) => column.role === "response");
  }
  function datasetFromJson({ name: name2, columns, dropped, holdout }) {
    const withheld = holdout && { ...holdout, columns: holdout.columns.map(columnFromJson) };
    return makeDataset(name2, columns.map(columnFromJson), dropped, withheld);
  }
  function columnToJson(column) {
    return { ...column, values: [...column.values] };
  }
  function columnFromJson(column) {
    return { ...column, values: Float64Array.from(column.values) };
  }

  // src/base/nearest.ts
  function editDistance(a, b) {
    const start = sharedStart(a, b);
    const end = sharedEnd(a.slice(start), b.slice(start));
    return wholeDistance(a.slice(start, a.length - end), b.slice(start, b.length - end));
  }
  function sharedStart(a, b) {
    let length2 = 0;
    while (length2 < a.length && a[length2] === b[length2]) length2++;
    return length2;
  }
  function sharedEnd(a, b) {
    const most2 = Math.min(a.length, b.length);
    let length2 = 0;
    while (length2 < most2 && a[a.length - 1 - length2] === b[b.length - 1 - length2]) length2++;
    return length2;
  }
  function wholeDistance(a, b) {
    let older = [];
    let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
      const current = [i];
      for (let j = 1; j <= b.length; j++) {
        const same = a[i - 1] === b[j - 1] ? 0 : 1;
        let best = Math.min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + same);
        const swapped2 = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
        if (swapped2) best = Math.min(best, older[j - 2] + 1);
        current.push(best);
      }
      older = previous;
      previous = current;
    }
    return previous[b.length];
  }
  function nearest(word2, known5) {
    let best;
    let bestDistance = Math.max(1, Math.floor(word2.length / 3)) + 1;
    const meant = word2.toLowerCase();
    for (const name2 of known5) {
      if (Math.abs(name2.length - word2.length) >= bestDistance) continue;
      const distance2 = editDistance(meant, name2.toLowerCase());
      if (distance2 < bestDistance) [best, bestDistance] = [name2, distance2];
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
    error(code2, message, place3, hint) {
      this.errors++;
      this.add({ code: code2, severity: "error", message, span: this.source.span(place3), hint });
    }
    warning(code2, message, place3, hint) {
      this.add({ code: code2, severity: "warning", message, span: this.source.span(place3), hint });
    }
    note(code2, message, place3) {
      this.add({ code: code2, severity: "note", message, span: this.source.span(place3) });
    }
    add(diagnostic) {
      if (this.diagnostics.length < most) this.diagnostics.push(diagnostic);
    }
  };
  function knownNames(word2, kind, known5) {
    const list2 = known5.length === 0 ? "none" : known5.slice(0, 24).join(", ");
    const more = known5.length > 24 ? `, and ${known5.length - 24} more` : "";
    const near2 = nearest(word2, known5);
    const question = near2 === void 0 ? "" : `did you mean "${near2}"? `;
    return `${question}${kind}: ${list2}${more}`;
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
    randomVariables: 1e3,
    /** Elements of all random variables together. */
    parameterElements: 2e4,
    /** Combinations of the values of discrete variables that rows share. */
    discreteCombinations: 1024,
    /** Those combinations times the data. */
    discreteTerms: 1e5,
    /** Expressions and statements that are evaluated, loops and calls unrolled. */
    steps: 1e5,
    /** Nodes of the graph. */
    graphNodes: 5e4,
    /** Elements of one array; rows of the data may be more. */
    arrayElements: 4e6,
    /** Elements of all arrays together. */
    totalElements: 64e6,
    /** Calls of the program's functions inside one another. */
    calls: 32,
    /** Numbers that stand in the program's text. */
    literals: 5e3
  };

  // src/lang/scope.ts
  var Scope = class {
    /**
     * @param outer where the function was defined.
     * @param locals names that the function assigns anywhere: never looked up outside.
     */
    constructor(outer2, locals = /* @__PURE__ */ new Set()) {
      this.outer = outer2;
      this.locals = locals;
    }
    outer;
    locals;
    #names = /* @__PURE__ */ new Map();
    /** What a name stands for here. */
    get(name2) {
      const known5 = this.#names.get(name2);
      if (known5 || this.locals.has(name2)) return known5;
      return this.outer?.get(name2);
    }
    /** Whether this scope, not an outer one, has bound a name. */
    has(name2) {
      return this.#names.has(name2);
    }
    /** Binds a name here. */
    set(name2, value) {
      this.#names.set(name2, value);
    }
    /** Unbinds a name here. */
    delete(name2) {
      this.#names.delete(name2);
    }
    /** All names that can be seen from here. */
    names() {
      return [.../* @__PURE__ */ new Set([...this.#names.keys(), ...this.outer?.names() ?? []])];
    }
  };
  function assignedNames(body) {
    const names2 = /* @__PURE__ */ new Set();
    for (const statement of body) collect(statement, names2);
    return names2;
  }
  function collect(s, names2) {
    switch (s.kind) {
      case "assign":
        for (const target of s.targets) collectTarget(target, names2);
        return;
      case "import":
        for (const { name: name2 } of s.imports) names2.add(name2);
        return;
      case "def":
        names2.add(s.name.id);
        return;
      case "with":
        for (const { target } of s.items) if (target) collectTarget(target, names2);
        for (const inner of s.body) collect(inner, names2);
        return;
      default:
        if (!("bodies" in s)) return;
        if (s.kind === "for") collectTarget(s.expressions[0], names2);
        for (const inner of s.bodies.flat()) collect(inner, names2);
    }
  }
  function collectTarget(e, names2) {
    if (e.kind === "name") names2.add(e.id);
    else if (e.kind === "tuple" || e.kind === "list") {
      for (const item2 of e.items) collectTarget(item2, names2);
    } else if (e.kind === "starred") collectTarget(e.value, names2);
  }

  // src/lang/source.ts
  var Source = class {
    constructor(text, file2) {
      this.file = file2;
      this.text = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
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
      let low2 = 0;
      let high2 = this.lineStarts.length - 1;
      while (low2 < high2) {
        const middle = low2 + high2 + 1 >> 1;
        if (this.lineStarts[middle] <= offset) low2 = middle;
        else high2 = middle - 1;
      }
      return low2 + 1;
    }
    /** 1-based column in code points of an offset. */
    columnOf(offset) {
      const start = this.lineStarts[this.lineOf(offset) - 1];
      let column = offset - start + 1;
      for (let i = start; i < offset; i++) {
        const unit = this.text.charCodeAt(i);
        if (unit >= 56320 && unit <= 57343) column--;
      }
      return column;
    }
    /** The text of a place. */
    slice(place3) {
      return this.text.slice(place3.start, place3.end);
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
    constructor(code2, message, place3, hint) {
      super(message);
      this.code = code2;
      this.place = place3;
      this.hint = hint;
    }
    code;
    place;
    hint;
    toDiagnostic(source) {
      const { code: code2, message, hint } = this;
      return { code: code2, severity: "error", message, span: source.span(this.place), hint };
    }
  };
  function unsupported(what, place3, hint) {
    return new SyntaxFailure(
      "unsupported/syntax",
      `Cannot read ${what}: not in the subset`,
      place3,
      hint
    );
  }

  // src/lang/values.ts
  var invalid = { kind: "invalid" };
  var ignored = { kind: "ignored" };
  var none = { kind: "none" };
  var descriptions = {
    numeric: "a number",
    sequence: "a list",
    dictionary: "a dictionary",
    function: "a function",
    builtin: "a function",
    method: "a method",
    response: "the response",
    derived: "a value computed from the response",
    observed: "the observed variable",
    law: "a distribution",
    transform: "a transform",
    data: "the data set",
    model: "the model",
    module: "a module",
    text: "a string",
    slice: "a slice",
    ellipsis: "`...`",
    none: "None",
    ignored: "the result of inference",
    invalid: "an error"
  };
  function describeValue(value) {
    if (value.kind === "ignored" && value.of) return `what ${value.of} gives`;
    return value.kind === "sequence" ? `a ${value.form}` : descriptions[value.kind];
  }
  function touchesResponse(value) {
    return value.kind === "response" || value.kind === "derived" || value.kind === "observed";
  }

  // src/lang/checking.ts
  function balanced(source, { start, end }) {
    const text = source.slice({ start, end });
    const lost = text.replace(/[^)]/g, "").length - text.replace(/[^(]/g, "").length;
    let at = start;
    for (let open2 = 0; open2 < lost && at > 0; open2++) {
      while (at > 0 && source.slice({ start: at - 1, end: at }) === " ") at--;
      if (at === 0 || source.slice({ start: at - 1, end: at }) !== "(") return { start, end };
      at--;
    }
    return { start: at, end };
  }
  var Checking = class {
    constructor(source, dataset) {
      this.source = source;
      this.dataset = dataset;
      this.findings = new Findings(source);
      this.response = responseColumn(dataset);
      this.columns = new Map(dataset.columns.map((column) => [column.name, column]));
      this.graph = new GraphBuilder((name2) => this.columns.get(name2)?.values);
      this.globals.set("pm", { kind: "module", module: "pm" });
      this.globals.set("np", { kind: "module", module: "np" });
      this.globals.set("data", { kind: "data" });
      this.globals.set("__name__", { kind: "text", value: "__main__" });
    }
    source;
    dataset;
    findings;
    graph;
    response;
    /** Columns in use, by name. */
    columns;
    /** Names of the whole program. */
    globals = new Scope();
    /** Names of the function that is being checked, or of the whole program. */
    scope = this.globals;
    /** Names of variables of the model, with the place where each was given. */
    variables = /* @__PURE__ */ new Map();
    /** Values of the variables of the model, for `model["name"]`. */
    named = /* @__PURE__ */ new Map();
    parameters = [];
    parameterPlaces = [];
    parameterElements = 0;
    deterministics = [];
    derived = [];
    /** Discrete variables that the likelihood may sum out. */
    latents = [];
    /** Named axes of the model. */
    dimensions = /* @__PURE__ */ new Map();
    likelihood;
    /** An observed variable was written, whether or not it could be accepted. */
    observedSeen = false;
    /** `observed=None`: a variable that samples from the prior. */
    priorMode;
    /** Something was refused that may have held the model or the likelihood. */
    excused = false;
    modelPlace;
    /** Inside a `with` block of the model. */
    inModel = false;
    /** `gen_model`, once it has been met. */
    modelFunction;
    /** Whether the data are a frame of pandas, as in `gen_model`, and not a dictionary of arrays. */
    frame = false;
    /** Columns that the program adds to the data under new names. */
    added = /* @__PURE__ */ new Map();
    /** Functions that open a model and have not been called. */
    uncalled = /* @__PURE__ */ new Map();
    /** Calls of the program's functions that are open. */
    calls = 0;
    #steps = 0;
    #elements = 0;
    /** Reports an error; the value that comes of it reports nothing more. */
    error(code2, message, place3, hint) {
      this.findings.error(code2, message, place3, hint);
      return invalid;
    }
    /** A value that was computed from the response; reported where it is used. */
    derive(place3, ...from) {
      for (const value2 of from) if (value2.kind === "derived") value2.reported = true;
      const value = { kind: "derived", place: place3, reported: false };
      this.derived.push(value);
      return value;
    }
    /** Reports that the response, or a value made of it, is used outside of `observed=`. */
    refuseResponse(value, place3) {
      if (value.kind === "derived") {
        if (value.reported) return invalid;
        value.reported = true;
      }
      const name2 = this.response?.name ?? "the response";
      const message = `Cannot use "${name2}" here: the response may only be observed`;
      const hint = `write observed=data["${name2}"] in the likelihood and leave the response out of everything else`;
      return this.error("lh/protected-use-before-score", message, place3, hint);
    }
    /** Counts one step of evaluation. @throws SyntaxFailure, when there are too many. */
    step(place3) {
      if (++this.#steps <= limits.steps) return;
      this.stop("unrolling", `more than ${limits.steps} steps of loops and calls`, place3);
    }
    /** Counts elements of an array. @throws SyntaxFailure, when there are too many. */
    allocate(size, place3) {
      this.#elements += size;
      if (size > Math.max(limits.arrayElements, 64 * this.dataset.rows)) {
        this.stop("array-size", `an array of more than ${limits.arrayElements} elements`, place3);
      }
      if (this.#elements > limits.totalElements + 1024 * this.dataset.rows) {
        this.stop("array-size", `arrays of more than ${limits.totalElements} elements`, place3);
      }
      if (this.graph.nodes.length > limits.graphNodes) {
        this.stop("graph-size", `a graph of more than ${limits.graphNodes} operations`, place3);
      }
    }
    /** Ends the check: a counted limit has been passed. */
    stop(code2, what, place3) {
      const hint = "write the model with arrays instead of loops, or make it smaller";
      throw new SyntaxFailure(`limit/${code2}`, `Cannot check the program: ${what}`, place3, hint);
    }
    /** Shape of the response. */
    get responseShape() {
      return this.response?.shape ?? [this.dataset.rows];
    }
    /** Text of a place, cut to a length that a message can carry. */
    text(place3) {
      const text = this.source.slice(balanced(this.source, place3)).replace(/\s+/g, " ");
      return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
    }
  };

  // src/lang/constant_columns.ts
  function warnConstantColumns(checking, { nodes }) {
    const { dataset, response, findings, modelPlace } = checking;
    const place3 = modelPlace ?? { start: 0, end: 0 };
    if (dataset.rows === 1) {
      const message = "The data have one row: what it says of the model cannot be checked on another";
      return void findings.warning("data/one-row", message, place3);
    }
    const used = nodes.flatMap((node) => node.kind === "column" ? [node.column] : []);
    for (const name2 of new Set(used)) {
      const column = checking.columns.get(name2);
      if (!column || column.shape || !isConstant(column)) continue;
      const message = `Every value of "${name2}" is ${column.values[0]}`;
      const hint = "its effect and the intercept cannot be told apart: leave it out";
      findings.warning("data/constant-column", message, place3, hint);
    }
    if (response && response.type === "real" && !response.shape && isConstant(response)) {
      const message = `Every value of "${response.name}" is the same`;
      const hint = "a density around it grows without bound: give its spread a prior that keeps away from 0, such as pm.LogNormal";
      findings.warning("data/constant-response", message, place3, hint);
    }
  }
  function isConstant({ values }) {
    return values.every((value) => value === values[0]);
  }

  // src/lang/memorised.ts
  var fewest = 8;
  function findMemory(response, predictors, { numbers: numbers2, lists }) {
    if (numbers2.length < Math.min(4, response.values.length)) return void 0;
    const number3 = repeatedValue(response, predictors, numbers2);
    if (number3 >= 0) return { number: number3 };
    const list2 = lists.findIndex((one3) => follows(response, predictors, one3));
    return list2 >= 0 ? { list: list2 } : void 0;
  }
  function repeatedValue({ values }, predictors, numbers2) {
    const given2 = new Set(predictors.flatMap((one3) => [...one3.values]).map(Math.abs));
    const fractional = [...values].filter((y) => !Number.isInteger(y)).map(Math.abs);
    const wanted2 = new Set(fractional.filter((y) => !given2.has(y)));
    const matching = numbers2.map(Math.abs).filter((value) => wanted2.has(value));
    const distinct = new Set(matching).size;
    if (distinct < fewest || 2 * distinct < wanted2.size) return -1;
    return numbers2.findIndex((value) => wanted2.has(Math.abs(value)));
  }
  function follows(response, predictors, list2) {
    const { values } = response;
    const length2 = Math.max(4, Math.min(fewest, values.length));
    if (list2.length < length2 || new Set(list2).size < 4 || isRegular(list2)) return false;
    if (predictors.some((one3) => one3.values.length === list2.length && isRun(one3.values, list2))) {
      return false;
    }
    return isRun(values, list2) || isLinearIn(response, predictors, list2);
  }
  function isRegular(values) {
    const step = values[1] - values[0];
    return values.every((value, i) => i === 0 || value - values[i - 1] === step);
  }
  function isRun(all, part) {
    for (let from = 0; from + part.length <= all.length; from++) {
      if (part.every((value, i) => all[from + i] === value)) return true;
    }
    return false;
  }
  var [leastLeft, mostLeft] = [1e-3, 0.02];
  function isLinearIn({ values, resolution = 0, type }, predictors, list2) {
    const n = values.length;
    if (type !== "real" || n < fewest || list2.length !== n) return false;
    const spread4 = Math.sqrt(squares(values).sum / n);
    const close = Math.min(Math.max(resolution, leastLeft * spread4), mostLeft * spread4);
    const isClose = (other) => leftOver(values, other) <= close;
    return isClose(list2) && !predictors.some((one3) => one3.values.length === n && isClose(one3.values));
  }
  function leftOver(y, x) {
    const [own, other] = [squares(y), squares(x)];
    if (!(other.sum > 0)) return Infinity;
    let product4 = 0;
    for (let i = 0; i < y.length; i++) product4 += (y[i] - own.mean) * (x[i] - other.mean);
    return Math.sqrt(Math.max(0, own.sum - product4 * product4 / other.sum) / y.length);
  }
  function squares(values) {
    let mean = 0;
    for (let i = 0; i < values.length; i++) mean += values[i] / values.length;
    let sum3 = 0;
    for (let i = 0; i < values.length; i++) sum3 += (values[i] - mean) * (values[i] - mean);
    return { mean, sum: sum3 };
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
      case "lambda":
        return [...e.parameters.flatMap((p) => p.default ?? []), e.body];
      case "comprehension": {
        const clauses = e.clauses.flatMap(({ target, over: over2, tests }) => [target, over2, ...tests]);
        return [...clauses, e.item, ...e.value ? [e.value] : []];
      }
      case "formatted":
        return e.parts.flatMap((part) => typeof part === "string" ? [] : [part.value]);
      default:
        return [];
    }
  }

  // src/lang/literals.ts
  function checkLiterals(checking, statements2) {
    const { numbers: numbers2, lists } = collect2(statements2);
    if (numbers2.length > limits.literals) {
      const what = `more than ${limits.literals} numbers in the text`;
      checking.stop("literals", what, numbers2[limits.literals]);
    }
    const carried = {
      numbers: numbers2.map(({ value }) => value),
      lists: lists.map(({ values }) => values)
    };
    const found = memoryIn(checking, carried);
    if (!found) return;
    refuseMemory(checking, "number" in found ? numbers2[found.number] : lists[found.list].place);
  }
  function memoryIn(checking, carried) {
    const { response, dataset } = checking;
    const others = dataset.columns.filter((one3) => one3 !== response && one3.role !== "ignore");
    return response && findMemory(response, others, carried);
  }
  function refuseMemory(checking, place3) {
    const name2 = checking.response?.name;
    const message = `The text repeats values of "${name2}": that is the data, not a model`;
    checking.error("lh/memorised-literals", message, place3, "explain the response by predictors");
  }
  function collect2(statements2) {
    const found = { numbers: [], lists: [] };
    const pending = expressionsOf(statements2);
    for (let e = pending.pop(); e; e = pending.pop()) {
      if (e.kind === "number") found.numbers.push(e);
      if (e.kind === "list" || e.kind === "tuple") {
        const values = e.items.map(numberOf2);
        if (values.every((value) => value !== void 0)) found.lists.push({ place: e, values });
      }
      pending.push(...children(e));
    }
    found.numbers.reverse();
    return found;
  }
  function numberOf2(e) {
    if (e.kind === "number") return e.value;
    if (e.kind !== "unary" || e.op !== "-") return void 0;
    const inner = numberOf2(e.operand);
    return inner === void 0 ? void 0 : -inner;
  }
  function expressionsOf(statements2) {
    const found = [];
    const pending = [...statements2];
    for (let s = pending.pop(); s; s = pending.pop()) {
      if ("value" in s && s.value) found.push(s.value);
      if ("expressions" in s) found.push(...s.expressions);
      if ("items" in s) found.push(...s.items.map(({ context }) => context));
      if ("parameters" in s) found.push(...s.parameters.flatMap((p) => p.default ?? []));
      if ("body" in s) pending.push(...s.body);
      if ("bodies" in s) pending.push(...s.bodies.flat());
    }
    return found;
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
    const place3 = token.start >= cursor.source.text.length ? cursor.previous : token;
    cursor.fail("indent", message, place3, "indent the block by four spaces, or write pass");
  }

  // src/lang/tokens.ts
  var threeCharacter = /* @__PURE__ */ new Set(["**=", "//=", ">>=", "<<=", "..."]);
  var twoCharacter = new Set(
    "** // >> << <= >= == != <> -> += -= *= /= %= &= |= ^= @= :=".split(" ")
  );
  var oneCharacter = new Set("+-*/%@&|^~<>()[]{},:.;=".split(""));
  var closers = { ")": "(", "]": "[", "}": "{" };
  var numberPattern = /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:[0-9](?:_?[0-9])*\.?(?:[0-9](?:_?[0-9])*)?|\.[0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9](?:_?[0-9])*)?[jJ]?/y;
  var foreignStart = /(?=[\0-\uffff\u{1d400}-\u{1d7ff}])\p{XIDS}/uy;
  var foreignPart = /(?=[\0-\uffff\u{1d400}-\u{1d7ff}])\p{XIDC}/uy;
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
      const slice3 = this.text.slice(start, end);
      const text = kind === "name" && /[^\0-\x7f]/.test(slice3) ? slice3.normalize("NFKC") : slice3;
      const token = { kind, text, start, end, level: this.open.length };
      this.tokens.push(token);
      return token;
    }
    fail(code2, message, start, end = start + 1) {
      throw new SyntaxFailure(`syntax/${code2}`, `Cannot parse: ${message}`, { start, end });
    }
    /** Reads a line's indentation; false if the line is blank and has been skipped. */
    indentation() {
      const start = this.at;
      let column = 0;
      let alternative = 0;
      for (; ; this.at++) {
        const c = this.text[this.at];
        if (c === " ") column++, alternative++;
        else if (c === "	") column = (Math.floor(column / 8) + 1) * 8, alternative++;
        else if (c === "\f") column = alternative = 0;
        else break;
      }
      if (this.skipBlank()) return false;
      if (this.text[this.at] === "\\") this.refuseLeadingBackslash();
      this.setIndent(column, alternative, start);
      return true;
    }
    refuseLeadingBackslash() {
      this.eager = false;
      const place3 = { start: this.at, end: this.at + 1 };
      throw unsupported("a line that begins with a backslash", place3, "leave the backslash out");
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
    setIndent(column, alternative, start) {
      const current = this.indents[this.indents.length - 1];
      if (column === current.column) {
        if (alternative !== current.alternative) this.inconsistentTabs(start);
      } else if (column > current.column) {
        if (alternative <= current.alternative) this.inconsistentTabs(start);
        if (this.indents.length > limits.nesting) this.tooDeep(start);
        this.indents.push({ column, alternative });
        this.push("indent", start, this.at);
      } else this.dedent(column, alternative, start);
    }
    dedent(column, alternative, start) {
      while (column < this.indents[this.indents.length - 1].column) {
        this.indents.pop();
        this.push("dedent", this.at, this.at);
      }
      const current = this.indents[this.indents.length - 1];
      if (column !== current.column) {
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
      if (isNameStart(c) || this.foreignLength(foreignStart) > 0) this.nameOrString();
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
      this.at += this.foreignLength(foreignStart);
      for (; ; ) {
        if (isNamePart(this.text[this.at])) this.at++;
        else {
          const length2 = this.foreignLength(foreignPart);
          if (length2 === 0) break;
          this.at += length2;
        }
      }
      const next = this.text[this.at];
      if (next !== void 0 && next > "") this.foreignCharacter();
      const quoted = next === '"' || next === "'";
      if (quoted && stringPrefix.test(this.text.slice(start, this.at))) this.string(start);
      else this.push("name", start, this.at);
    }
    /** Length of a letter outside of ASCII at hand that may stand in a name; 0 if there is none. */
    foreignLength(pattern2) {
      const c = this.text[this.at];
      if (c === void 0 || c <= "") return 0;
      pattern2.lastIndex = this.at;
      return pattern2.exec(this.text)?.[0].length ?? 0;
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
      const name2 = { "0x": "hexadecimal", "0o": "octal", "0b": "binary" }[radix];
      const empty = found.length <= 1;
      const digit = empty ? this.text[start + 2] ?? "" : next;
      if (radix !== "0x" && isDigit(digit)) {
        const at = empty ? start + 2 : this.at;
        this.fail("number", `invalid digit '${digit}' in ${name2} literal`, at);
      }
      const last = empty ? start + 1 : this.at - 1;
      if (empty || next === "_") this.fail("number", `invalid ${name2} literal`, last);
    }
    badNumber(radix) {
      const name2 = { "0x": "hexadecimal", "0o": "octal", "0b": "binary" }[radix ?? ""] ?? "decimal";
      const at = this.text[this.at] === "_" ? this.at : this.at - 1;
      this.fail("number", `invalid ${name2} literal`, at);
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
      const length2 = threeCharacter.has(three) ? 3 : twoCharacter.has(two) ? 2 : 1;
      const text = three.slice(0, length2);
      if (length2 === 1 && !oneCharacter.has(text)) return this.foreignCharacter();
      this.at += length2;
      if (text === ")" || text === "]" || text === "}") this.close(text, start);
      const token = this.push("op", start, this.at);
      if (text === "(" || text === "[" || text === "{") this.openBracket(token);
    }
    openBracket(token) {
      if (this.open.length >= limits.nesting) this.tooDeep(token.start);
      this.open.push(token);
    }
    close(text, start) {
      const opening = this.open.pop();
      if (!opening) this.fail("unmatched-bracket", `unmatched '${text}'`, start);
      if (opening.text === closers[text]) return;
      const line = this.source.lineOf(opening.start);
      const where2 = line === this.source.lineOf(start) ? "" : ` on line ${line}`;
      const message = `closing parenthesis '${text}' does not match opening parenthesis '${opening.text}'${where2}`;
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
      const hex = (c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const printable2 = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(c);
      const message = printable2 ? `invalid character '${c}' (U+${hex})` : `invalid non-printable character U+${hex}`;
      this.fail("character", message, this.at, end);
    }
    finish() {
      const end = this.text.length;
      if (this.open.length > 0) return;
      const last = this.tokens.at(-1);
      const closed2 = !last || last.kind === "newline" || last.kind === "dedent";
      if (!closed2) this.push("newline", end, end);
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
    const { start, end, text } = opening;
    const message = `Cannot parse: '${text}' was never closed`;
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
    is(text) {
      const token = this.token;
      return token.text === text && (token.kind === "op" || token.kind === "name");
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
    accept(text) {
      const found = this.is(text);
      if (found) this.index++;
      return found;
    }
    expect(text) {
      if (!this.is(text)) this.invalid();
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
      const place3 = { start: Math.max(token.start, token.end - 1), end: token.end };
      this.fail("indent", what, place3);
    }
    fail(code2, message, place3, hint) {
      throw new SyntaxFailure(`syntax/${code2}`, `Cannot parse: ${message}`, place3, hint);
    }
    unsupported(what, place3, hint) {
      throw unsupported(what, place3, hint);
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
    adviseAfter(cursor, item2);
    return item2;
  }
  function adviseAfter(cursor, item2) {
    if (cursor.is("for") || cursor.is("async")) return;
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
    const value = cursor.attempt(() => binary(cursor, 0));
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
  var names = {
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
    starred: "starred",
    lambda: "lambda",
    comprehension: "list comprehension",
    formatted: "f-string expression"
  };
  var comprehensionNames = {
    list: "list comprehension",
    set: "set comprehension",
    generator: "generator expression",
    dictionary: "dict comprehension"
  };
  function describeTarget(e) {
    if (e.kind === "comprehension") return comprehensionNames[e.form];
    if (e.kind !== "constant") return names[e.kind];
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
    const given2 = [];
    const bare = [];
    while (!cursor.is(")")) {
      given2.push(argument(cursor, bare));
      if (!cursor.accept(",")) break;
    }
    refuseBareGenerator(cursor, given2, bare);
    checkOrder(cursor, given2);
    if (!cursor.is(")")) cursor.invalid();
    return given2;
  }
  function argument(cursor, bare) {
    if (cursor.is("*") || cursor.is("**")) return unpacked(cursor);
    if (cursor.isName() && cursor.following?.text === "=") return keyword(cursor);
    const item2 = expression(cursor);
    if (cursor.is("=")) refuseTarget(cursor, item2);
    adviseAfter(cursor, item2);
    if (!startsClause(cursor)) {
      return { form: "positional", value: item2, start: item2.start, end: item2.end };
    }
    const value = comprehensionOf(cursor, "generator", item2, item2.start);
    const made = { form: "positional", value, start: value.start, end: value.end };
    bare.push(made);
    return made;
  }
  function refuseBareGenerator(cursor, given2, bare) {
    const alone = given2.length === 1 && cursor.previous.text !== ",";
    if (bare.length === 0 || alone) return;
    cursor.fail("invalid", "Generator expression must be parenthesized", bare[0]);
  }
  function refuseTarget(cursor, value) {
    if (value.kind === "constant" && value.value !== "...") {
      cursor.fail("assign-target", `cannot assign to ${describeTarget(value)}`, value);
    }
    const message = 'expression cannot contain assignment, perhaps you meant "=="?';
    cursor.fail("assign-target", message, value);
  }
  function unpacked(cursor) {
    const { text, start } = cursor.take();
    const value = expression(cursor);
    const form = text === "*" ? "star" : "double_star";
    return { form, value, start, end: value.end };
  }
  function keyword(cursor) {
    const name2 = identifier(cursor);
    cursor.take();
    const value = expression(cursor);
    if (cursor.is("=")) cursor.invalid();
    adviseAfter(cursor, value);
    return { form: "keyword", keyword: name2, value, start: name2.start, end: value.end };
  }
  function checkOrder(cursor, given2) {
    let named2;
    for (const { form, start, end } of given2) {
      if (form === "keyword") named2 ??= "keyword";
      else if (form === "double_star") named2 = "double_star";
      else if (form === "positional" && named2) refuseOrder(cursor, named2);
      else if (form === "star" && named2 === "double_star") {
        const message = "iterable argument unpacking follows keyword argument unpacking";
        cursor.fail("positional-after-keyword", message, { start, end });
      }
    }
  }
  function refuseOrder(cursor, named2) {
    const unpacking = named2 === "keyword" ? "" : " unpacking";
    const message = `positional argument follows keyword argument${unpacking}`;
    const hint = "write positional arguments first, or give this one its keyword";
    cursor.fail("positional-after-keyword", message, cursor.token, hint);
  }

  // src/lang/displays.ts
  function parenthesised(cursor) {
    const { start } = cursor.take();
    const items = [];
    const comma = cursor.nested(() => elements(cursor, ")", items));
    const generator = comprehensionHere(cursor, "generator", items, comma, start);
    const { end } = cursor.expect(")");
    if (generator) return { ...generator, end };
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
    const comma = cursor.nested(() => elements(cursor, "]", items));
    const comprehension2 = comprehensionHere(cursor, "list", items, comma, start);
    const { end } = cursor.expect("]");
    if (comprehension2) return { ...comprehension2, end };
    return cursor.count({ kind: "list", items, start, end });
  }
  function comprehensionHere(cursor, form, items, comma, start) {
    if (!startsClause(cursor)) return void 0;
    if (items.length === 0) cursor.invalid();
    if (items.length > 1 || comma) {
      const message = "did you forget parentheses around the comprehension target?";
      const place3 = { start: items[0].start, end: items[items.length - 1].end };
      cursor.fail("invalid", message, place3);
    }
    return cursor.nested(() => comprehensionOf(cursor, form, items[0], start));
  }
  function elements(cursor, closing2, items) {
    let comma = false;
    while (!cursor.is(closing2)) {
      items.push(element(cursor));
      if (!cursor.accept(",")) break;
      comma = true;
    }
    if (!cursor.is(closing2) && !startsClause(cursor)) cursor.invalid();
    return comma;
  }
  function braces(cursor) {
    const { start } = cursor.take();
    return cursor.nested(() => {
      if (cursor.is("}") || cursor.is("**")) return dictionary(cursor, start);
      const first2 = element(cursor);
      return cursor.is(":") && first2.kind !== "starred" ? dictionary(cursor, start, first2) : setDisplay(cursor, start, first2);
    });
  }
  function setDisplay(cursor, start, first2) {
    const items = [first2];
    if (startsClause(cursor)) {
      const made = comprehensionOf(cursor, "set", first2, start);
      return { ...made, end: cursor.expect("}").end };
    }
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
        values.push(binary(cursor, 0));
        if (startsClause(cursor)) {
          const message = "dict unpacking cannot be used in dict comprehension";
          cursor.fail("invalid", message, cursor.previous);
        }
      } else {
        const name2 = key ?? expression(cursor);
        const value = dictionaryValue(cursor);
        if (startsClause(cursor)) {
          if (keys.length > 0) cursor.invalid();
          const made = comprehensionOf(cursor, "dictionary", name2, start, value);
          return { ...made, end: cursor.expect("}").end };
        }
        keys.push(name2);
        values.push(value);
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
    adviseAfter(cursor, value);
    return value;
  }

  // src/lang/function_parameters.ts
  function parameterList(cursor, closing2) {
    const parameters = [];
    const state = { keywordOnly: false, slash: false };
    while (!cursor.is(closing2)) {
      if (!separator(cursor, state, parameters)) {
        parameters.push(parameter(cursor, closing2, parameters, state.keywordOnly));
        if (parameters.at(-1)?.form === "star") state.keywordOnly = true;
      }
      if (!cursor.accept(",")) break;
    }
    return parameters;
  }
  function separator(cursor, state, before) {
    const bare = cursor.is("*") && !nameFollows(cursor);
    if (bare) {
      if (state.keywordOnly) cursor.invalid();
      cursor.take();
      const named2 = cursor.is(",") && nameFollows(cursor);
      if (!named2) cursor.fail("invalid", "named arguments must follow bare *", cursor.previous);
      state.keywordOnly = true;
      return true;
    }
    if (!cursor.is("/")) return false;
    const last = before.at(-1);
    if (!last || state.slash || state.keywordOnly || last.form === "double_star") cursor.invalid();
    cursor.take();
    state.slash = true;
    return true;
  }
  function nameFollows({ following }) {
    return following?.kind === "name";
  }
  function parameter(cursor, closing2, before, keywordOnly) {
    const start = cursor.token.start;
    const last = before.at(-1);
    if (last?.form === "double_star") {
      cursor.fail("invalid", "arguments cannot follow var-keyword argument", cursor.token);
    }
    const stars = cursor.is("*") ? "star" : cursor.is("**") ? "double_star" : void 0;
    if (stars === "star" && keywordOnly) cursor.invalid();
    if (stars) cursor.take();
    const name2 = identifier(cursor);
    if (closing2 === ")" && cursor.accept(":")) expression(cursor);
    const value = !stars && cursor.accept("=") ? expression(cursor) : void 0;
    const form = stars ?? (keywordOnly ? "keyword_only" : "plain");
    if (form === "plain" && !value && last?.form === "plain" && last.default) {
      cursor.fail("invalid", "non-default argument follows default argument", name2);
    }
    return { form, name: name2, default: value, start, end: cursor.previous.end };
  }

  // src/lang/formatted_strings.ts
  function formattedParts(cursor, body, start, token, decode) {
    const parts = [];
    let text = "";
    let at = 0;
    while (at < body.length) {
      const c = body[at];
      if ((c === "{" || c === "}") && body[at + 1] === c) {
        text += c;
        at += 2;
      } else if (c === "}") fail(cursor, "single '}' is not allowed", token);
      else if (c !== "{") {
        const length2 = c === "\\" && !/[{}]/.test(body[at + 1] ?? "") ? 2 : 1;
        text += body.slice(at, at + length2);
        at += length2;
      } else {
        if (text !== "") parts.push(decode(text));
        text = "";
        const end = fieldEnd(cursor, body, at + 1, token);
        const read = field(cursor, body, at + 1, end, start, token);
        parts.push(read.format === void 0 ? read : { ...read, format: decode(read.format) });
        at = closing(cursor, body, end, token) + 1;
      }
    }
    if (text !== "") parts.push(decode(text));
    return parts;
  }
  function fail(cursor, what, place3) {
    cursor.fail("f-string", `f-string: ${what}`, place3);
  }
  function fieldEnd(cursor, body, from, token) {
    const open2 = [];
    let quote = "";
    for (let at = from; at < body.length; at++) {
      const c = body[at];
      if (c === "\\") fail(cursor, "expression part cannot include a backslash", token);
      if (quote !== "") {
        if (body.startsWith(quote, at)) {
          at += quote.length - 1;
          quote = "";
        }
      } else if (c === "'" || c === '"') {
        quote = body.startsWith(c.repeat(3), at) ? c.repeat(3) : c;
        at += quote.length - 1;
      } else if (c === "#") fail(cursor, "expression part cannot include '#'", token);
      else if ("([{".includes(c)) open2.push(c);
      else if (open2.length > 0 && ")]}".includes(c)) open2.pop();
      else if (open2.length === 0 && endsField(body, at)) return at;
    }
    if (quote !== "") fail(cursor, "unterminated string", token);
    fail(cursor, "expecting '}'", token);
  }
  function endsField(body, at) {
    const c = body[at];
    return c === "}" || c === ":" || c === "!" && body[at + 1] !== "=";
  }
  function closing(cursor, body, end, token) {
    const found = body.indexOf("}", end);
    if (found < 0) fail(cursor, "expecting '}'", token);
    if (body.slice(end, found).includes("{")) {
      cursor.unsupported("a field inside of a format", token, "write the format itself");
    }
    return found;
  }
  function field(cursor, body, from, end, start, token) {
    const text = body.slice(from, end);
    if (text.trim() === "") fail(cursor, "empty expression not allowed", token);
    if (/(^|[^=!<>])=\s*$/.test(text)) {
      cursor.unsupported("`=` in an f-string", token, "write the name before the braces");
    }
    const rest = body.slice(end, closing(cursor, body, end, token));
    const parsed = /^(?:!([A-Za-z]*))?(?::([^]*))?$/.exec(rest);
    const conversion = parsed?.[1];
    if (!parsed || conversion !== void 0 && !/^[rsa]$/.test(conversion)) {
      fail(cursor, "invalid conversion character: expected 's', 'r', or 'a'", token);
    }
    const value = parseField(cursor, text, start + from, token);
    return { value, conversion, format: parsed[2], start: start + from, end: start + end };
  }
  function parseField(cursor, text, offset, token) {
    const source = new Source(`(${text})`, cursor.source.file);
    const inner = new Cursor(source, tokenize(source));
    try {
      inner.take();
      const value = expressionList(inner);
      if (value.kind === "starred") fail(cursor, "cannot use starred expression here", token);
      inner.expect(")");
      if (inner.token.kind !== "newline") inner.invalid();
      return moved(value, offset - 1);
    } catch (error2) {
      if (!(error2 instanceof SyntaxFailure)) throw error2;
      if (error2.code.startsWith("unsupported")) {
        throw new SyntaxFailure(error2.code, error2.message, token, error2.hint);
      }
      fail(cursor, error2.message.replace("Cannot parse: ", ""), token);
    }
  }
  function moved(tree, by) {
    if (Array.isArray(tree)) return tree.map((item2) => moved(item2, by));
    if (typeof tree !== "object" || tree === null) return tree;
    const entries2 = Object.entries(tree).map(([key, value]) => {
      const offset = (key === "start" || key === "end") && typeof value === "number";
      return [key, offset ? value + by : moved(value, by)];
    });
    return Object.fromEntries(entries2);
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
    const width3 = /^('''|""")/.test(token.text.slice(quote)) ? 3 : 1;
    const body = token.text.slice(quote + width3, -width3);
    const bytes = prefix.includes("b");
    if (bytes && /[^\0-\x7f]/.test(body)) {
      cursor.fail("character", "bytes can only contain ASCII literal characters", token);
    }
    if (prefix.includes("f")) {
      const raw = prefix.includes("r");
      const decode = (text) => raw ? text : text.replace(escapePattern, unescape(cursor, token));
      const start = token.start + quote + width3;
      return { value: "", bytes: false, fields: formattedParts(cursor, body, start, token, decode) };
    }
    const value = prefix.includes("r") ? body : body.replace(escapePattern, unescape(cursor, token));
    return { value, bytes };
  }
  function unescape(cursor, token) {
    return (_match, simple2, octal, x, u, U, broken) => {
      if (simple2 !== void 0) return simpleEscapes[simple2];
      if (octal !== void 0) return String.fromCodePoint(parseInt(octal, 8));
      if (broken !== void 0) refuse(cursor, token, broken);
      const code2 = parseInt(x ?? u ?? U ?? "0", 16);
      if (code2 > 1114111) refuse(cursor, token, "U");
      return String.fromCodePoint(code2);
    };
  }
  function refuse(cursor, token, letter) {
    if (letter === "N") cursor.unsupported("\\N{…}", token, "write the character itself");
    cursor.fail("string-escape", `malformed \\${letter} escape in a string`, token);
  }

  // src/lang/expressions.ts
  var comparisons = /* @__PURE__ */ new Set(["==", "!=", "<", ">", "<=", ">="]);
  var binaryLevels = [["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "//", "%", "@"]];
  var notInSubset = {
    await: "leave it out: a program is not asynchronous",
    yield: "leave it out: a program is not a generator"
  };
  function expressionList(cursor) {
    const start = cursor.token.start;
    const first2 = starOrExpression(cursor);
    if (!cursor.is(",")) return first2;
    const items = [first2];
    while (cursor.accept(",") && startsExpression(cursor)) items.push(starOrExpression(cursor));
    return cursor.count({ kind: "tuple", items, start, end: cursor.previous.end });
  }
  function starOrExpression(cursor) {
    return cursor.is("*") ? starOrBinary(cursor) : expression(cursor);
  }
  function starOrBinary(cursor) {
    if (!cursor.is("*")) return binary(cursor, 0);
    const { start } = cursor.take();
    const value = binary(cursor, 0);
    return cursor.count({ kind: "starred", value, start, end: value.end });
  }
  function expression(cursor) {
    return cursor.nested(() => conditional(cursor));
  }
  function conditional(cursor) {
    refuseKeywords(cursor);
    if (cursor.is("lambda")) return lambda(cursor);
    const then = disjunction(cursor);
    if (!cursor.is("if")) return then;
    cursor.take();
    const test = disjunction(cursor);
    if (!cursor.is("else")) {
      if (cursor.is(":")) cursor.invalid();
      const place3 = { start: then.start, end: test.end };
      cursor.fail("invalid", "expected 'else' after 'if' expression", place3);
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
  function lambda(cursor) {
    const { start } = cursor.take();
    const parameters = parameterList(cursor, ":");
    cursor.expect(":");
    const body = expression(cursor);
    return cursor.count({ kind: "lambda", parameters, body, start, end: body.end });
  }
  function refuseKeywords(cursor) {
    const { text, kind } = cursor.token;
    const hint = kind === "name" ? notInSubset[text] : void 0;
    if (hint) cursor.unsupported(`\`${text}\``, cursor.token, hint);
  }
  function disjunction(cursor) {
    return booleans(cursor, "or", () => booleans(cursor, "and", () => inversion(cursor)));
  }
  function booleans(cursor, op, operand) {
    const first2 = operand();
    if (!cursor.is(op)) return first2;
    const operands = [first2];
    while (cursor.accept(op)) operands.push(operand());
    const end = operands[operands.length - 1].end;
    return cursor.count({ kind: "boolean", op, operands, start: first2.start, end });
  }
  function inversion(cursor) {
    if (!cursor.is("not")) return comparison(cursor);
    const { start } = cursor.take();
    const operand = cursor.nested(() => inversion(cursor));
    return cursor.count({ kind: "unary", op: "not", operand, start, end: operand.end });
  }
  function comparison(cursor) {
    const first2 = binary(cursor, 0);
    const operands = [first2];
    const ops = [];
    for (let op = comparisonOperator(cursor); op; op = comparisonOperator(cursor)) {
      ops.push(op);
      operands.push(binary(cursor, 0));
    }
    if (ops.length === 0) return first2;
    const end = operands[operands.length - 1].end;
    return cursor.count({ kind: "comparison", ops, operands, start: first2.start, end });
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
  function binary(cursor, level) {
    if (level === binaryLevels.length) return factor(cursor);
    let left = binary(cursor, level + 1);
    for (let length2 = 0; cursor.token.kind === "op"; length2++) {
      const op = cursor.token.text;
      if (!binaryLevels[level].includes(op)) break;
      cursor.take();
      const right = binary(cursor, level + 1);
      const { start } = left;
      left = cursor.count({ kind: "binary", op, left, right, start, end: right.end });
      checkChain(cursor, length2, left);
    }
    return left;
  }
  function checkChain(cursor, length2, place3) {
    if (length2 < limits.chain) return;
    cursor.fail("limit", `a chain of more than ${limits.chain} operations`, place3);
  }
  function factor(cursor) {
    const { text, kind } = cursor.token;
    if (kind !== "op" || text !== "-" && text !== "+" && text !== "~") return power(cursor);
    const { start } = cursor.take();
    const operand = cursor.nested(() => factor(cursor));
    return cursor.count({ kind: "unary", op: text, operand, start, end: operand.end });
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
    for (let length2 = 0; ; length2++) {
      checkChain(cursor, length2, object);
      if (cursor.is(".")) object = attribute(cursor, object);
      else if (cursor.is("(")) object = call(cursor, object);
      else if (cursor.is("[")) object = subscript(cursor, object);
      else return object;
    }
  }
  function attribute(cursor, object) {
    cursor.take();
    const name2 = identifier(cursor);
    return cursor.count({ kind: "attribute", object, name: name2, start: object.start, end: name2.end });
  }
  function call(cursor, callee) {
    cursor.take();
    const given2 = cursor.nested(() => callArguments(cursor));
    const { end } = cursor.expect(")");
    return cursor.count({ kind: "call", callee, arguments: given2, start: callee.start, end });
  }
  function subscript(cursor, object) {
    cursor.take();
    const index = cursor.nested(() => subscriptIndex(cursor));
    cursor.expect("]");
    const end = cursor.previous.end;
    return cursor.count({ kind: "subscript", object, index, start: object.start, end });
  }
  function subscriptIndex(cursor) {
    const start = cursor.token.start;
    const items = [slice(cursor)];
    if (!cursor.is(",") && items[0].kind !== "starred") return items[0];
    while (cursor.accept(",") && !cursor.is("]")) items.push(slice(cursor));
    return cursor.count({ kind: "tuple", items, start, end: cursor.previous.end });
  }
  function slice(cursor) {
    const start = cursor.token.start;
    if (!cursor.is(":")) {
      const first2 = element(cursor);
      return cursor.is(":") && first2.kind !== "starred" ? sliceParts(cursor, [first2], start) : first2;
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
    const { text, start, end } = cursor.take();
    return cursor.count({ kind: "name", id: text, start, end });
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
    const { text, start, end } = cursor.take();
    const digits2 = text.replaceAll("_", "");
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
    if (parts.some((part) => part.fields)) {
      const all = parts.flatMap((part) => part.fields ?? [part.value]);
      return cursor.count({ kind: "formatted", parts: all, start, end: cursor.previous.end });
    }
    const value = parts.map((part) => part.value).join("");
    return cursor.count({ kind: "string", value, bytes, start, end: cursor.previous.end });
  }
  function nameOrConstant(cursor) {
    const { text, start, end } = cursor.token;
    if (!keywords.has(text)) return identifier(cursor);
    if (text !== "None" && text !== "True" && text !== "False") cursor.invalid();
    cursor.take();
    return cursor.count({ kind: "constant", value: text, start, end });
  }
  function startsExpression(cursor) {
    const { kind, text } = cursor.token;
    if (kind === "number" || kind === "string") return true;
    if (kind === "op") return ["(", "[", "{", "-", "+", "~", "...", "*"].includes(text);
    if (kind !== "name") return false;
    if (!keywords.has(text)) return true;
    return ["None", "True", "False", "not", "lambda", "await", "yield"].includes(text);
  }

  // src/lang/clauses.ts
  function loopTarget(cursor) {
    const { start } = cursor.token;
    const first2 = starOrBinary(cursor);
    const items = [first2];
    let comma = false;
    while (cursor.accept(",")) {
      comma = true;
      if (cursor.is("in")) break;
      items.push(starOrBinary(cursor));
    }
    const target = comma ? cursor.count({ kind: "tuple", items, start, end: cursor.previous.end }) : first2;
    if (target.kind === "starred") {
      const message = "starred assignment target must be in a list or tuple";
      cursor.fail("assign-target", message, target);
    }
    checkTarget(cursor, target, false);
    return target;
  }
  function startsClause(cursor) {
    return cursor.is("for") || cursor.is("async");
  }
  function comprehensionClauses(cursor) {
    const clauses = [];
    while (startsClause(cursor)) {
      if (cursor.is("async")) {
        cursor.unsupported("`async`", cursor.token, "leave it out: a program is not asynchronous");
      }
      cursor.take();
      const target = loopTarget(cursor);
      cursor.expect("in");
      const over2 = disjunction(cursor);
      const tests = [];
      while (cursor.accept("if")) tests.push(disjunction(cursor));
      clauses.push({ target, over: over2, tests });
    }
    return clauses;
  }
  function comprehensionOf(cursor, form, item2, start, value) {
    if (item2.kind === "starred") {
      const message = "iterable unpacking cannot be used in comprehension";
      cursor.fail("invalid", message, item2);
    }
    const clauses = comprehensionClauses(cursor);
    const { end } = cursor.previous;
    return cursor.count({ kind: "comprehension", form, item: item2, value, clauses, start, end });
  }

  // src/lang/functions.ts
  function functionDefinition(cursor, read) {
    const { start } = cursor.take();
    const name2 = identifier(cursor);
    cursor.expect("(");
    const parameters = parameterList(cursor, ")");
    cursor.expect(")");
    if (cursor.accept("->")) expression(cursor);
    const end = cursor.previous.end;
    expectColon(cursor, true);
    const body = block(cursor, "function definition", start, read);
    return { kind: "def", name: name2, parameters, body, start, end };
  }

  // src/lang/imports.ts
  function importStatement(cursor) {
    const { start, text } = cursor.take();
    const form = text === "from" ? "from" : "import";
    const imports = form === "from" ? fromImport(cursor) : plainImports(cursor);
    return { kind: "import", form, imports, start, end: cursor.previous.end };
  }
  function plainImports(cursor) {
    const imports = [];
    do {
      const module = dottedName(cursor);
      const name2 = cursor.accept("as") ? identifier(cursor).id : module.split(".")[0];
      imports.push({ module, name: name2 });
    } while (cursor.accept(","));
    return imports;
  }
  function dottedName(cursor) {
    let name2 = identifier(cursor).id;
    while (cursor.accept(".")) name2 += `.${identifier(cursor).id}`;
    return name2;
  }
  function fromImport(cursor) {
    let module = "";
    while (cursor.is(".") || cursor.is("...")) module += cursor.take().text;
    if (!cursor.is("import") || module === "") module += dottedName(cursor);
    cursor.expect("import");
    if (cursor.accept("*")) return [{ module, name: "*" }];
    const parentheses = cursor.accept("(");
    const imports = [fromName(cursor, module)];
    while (cursor.accept(",")) {
      if (parentheses && cursor.is(")")) break;
      imports.push(fromName(cursor, module));
    }
    if (parentheses) cursor.expect(")");
    return imports;
  }
  function fromName(cursor, module) {
    const { id } = identifier(cursor);
    return { module: `${module}.${id}`, name: cursor.accept("as") ? identifier(cursor).id : id };
  }

  // src/lang/tree_rules.ts
  function checkTree(statements2) {
    checkStatements(statements2, { inFunction: false, inLoop: false });
  }
  function fail2(code2, message, place3, hint) {
    throw new SyntaxFailure(`syntax/${code2}`, `Cannot parse: ${message}`, place3, hint);
  }
  function checkStatements(statements2, around) {
    for (const statement of statements2) checkStatement(statement, around);
  }
  function checkStatement(s, around) {
    switch (s.kind) {
      case "return":
        if (!around.inFunction) fail2("invalid", "'return' outside function", s);
        return checkValue(s.value);
      case "break":
        if (!around.inLoop) fail2("invalid", "'break' outside loop", s);
        return;
      case "continue":
        if (!around.inLoop) fail2("invalid", "'continue' not properly in loop", s);
        return;
      case "assign":
        s.targets.forEach(checkTarget2);
        return checkValue(s.value);
      case "expression":
        return checkValue(s.value);
      case "with":
        for (const { context, target } of s.items) {
          checkExpression(context);
          if (target) checkStars(target);
        }
        return checkStatements(s.body, around);
      case "def":
        return checkFunction(s);
      default:
        if ("bodies" in s) checkCompound(s, around);
    }
  }
  function checkValue(e) {
    if (!e) return;
    if (e.kind === "starred") fail2("invalid", "can't use starred expression here", e);
    checkExpression(e);
  }
  function checkTarget2(e) {
    if (e.kind === "starred") {
      fail2("assign-target", "starred assignment target must be in a list or tuple", e);
    }
    checkStars(e);
    checkExpression(e);
  }
  function checkStars(e) {
    if (e.kind !== "tuple" && e.kind !== "list") return;
    const starred = e.items.filter(({ kind }) => kind === "starred");
    if (starred.length > 1) fail2("invalid", "multiple starred expressions in assignment", e);
    e.items.forEach((item2) => checkStars(item2.kind === "starred" ? item2.value : item2));
  }
  function checkFunction({ parameters, body }) {
    checkParameters(parameters);
    for (const { default: value } of parameters) if (value) checkExpression(value);
    checkStatements(body, { inFunction: true, inLoop: false });
  }
  function checkParameters(parameters) {
    const seen = /* @__PURE__ */ new Set();
    for (const { name: name2 } of parameters) {
      if (seen.has(name2.id)) {
        fail2("invalid", `duplicate argument '${name2.id}' in function definition`, name2);
      }
      seen.add(name2.id);
    }
  }
  function checkCompound(s, around) {
    if (s.kind === "for") checkStars(s.expressions[0]);
    s.expressions.forEach(checkExpression);
    const inLoop = around.inLoop || s.kind === "for" || s.kind === "while";
    const inside = s.kind === "class" ? { inFunction: false, inLoop: false } : { ...around, inLoop };
    s.bodies.forEach((body, i) => checkStatements(body, i > 0 && s.kind !== "if" ? around : inside));
  }
  function checkExpression(root) {
    const pending = [root];
    for (let e = pending.pop(); e; e = pending.pop()) {
      if (e.kind === "call") checkKeywords(e.arguments);
      if (e.kind === "lambda") checkParameters(e.parameters);
      if (e.kind === "comprehension") e.clauses.forEach(({ target }) => checkStars(target));
      pending.push(...[...children(e)].reverse());
    }
  }
  function checkKeywords(given2) {
    const seen = /* @__PURE__ */ new Set();
    for (const { keyword: keyword2, start, end } of given2) {
      if (!keyword2) continue;
      if (seen.has(keyword2.id)) {
        const hint = `give ${keyword2.id} once`;
        fail2("repeated-keyword", `keyword argument repeated: ${keyword2.id}`, { start, end }, hint);
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
    const target = binary(cursor, 0);
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
    const { text, kind } = cursor.token;
    if (kind === "name" && compound2.has(text)) return [cursor.count(rules[text](cursor))];
    if (text === "@") {
      cursor.unsupported("a decorator", cursor.token, "leave it out");
    }
    const line = [simple(cursor)];
    while (cursor.accept(";") && cursor.token.kind !== "newline") line.push(simple(cursor));
    if (cursor.token.kind !== "newline") cursor.invalid();
    cursor.take();
    return line;
  }
  function simple(cursor) {
    const { text, kind } = cursor.token;
    if (kind === "name" && Object.hasOwn(notInSubset2, text)) {
      cursor.unsupported(`\`${text}\``, cursor.token, notInSubset2[text]);
    }
    const rule = kind === "name" && Object.hasOwn(rules, text) ? rules[text] : void 0;
    return cursor.count(rule && !compound2.has(text) ? rule(cursor) : assignmentOrExpression(cursor));
  }
  function assignmentOrExpression(cursor) {
    const first2 = expressionList(cursor);
    if (cursor.is("=")) return assignment(cursor, first2);
    if (augmented.has(cursor.token.text)) return augmentedAssignment(cursor, first2);
    if (cursor.is(":")) return annotation(cursor, first2);
    adviseLegacyCall(cursor, first2);
    return { kind: "expression", value: first2, start: first2.start, end: first2.end };
  }
  function adviseLegacyCall(cursor, first2) {
    if (first2.kind !== "name" || first2.id !== "print" && first2.id !== "exec") return;
    if (cursor.token.kind === "newline" || cursor.is(";") || cursor.is(",")) return;
    const message = `Missing parentheses in call to '${first2.id}'. Did you mean ${first2.id}(...)?`;
    cursor.fail("invalid", message, first2);
  }
  function assignment(cursor, first2) {
    const targets = [];
    let value = first2;
    while (cursor.is("=")) {
      targets.push(value);
      const alone = targets.length === 1;
      if (!alone) checkTarget(cursor, value, false);
      cursor.take();
      if (alone) deferTarget(cursor, value);
      value = expressionList(cursor);
    }
    return { kind: "assign", form: "plain", targets, value, start: first2.start, end: value.end };
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
    const op = cursor.take().text.slice(0, -1);
    const value = expressionList(cursor);
    const { start } = target;
    return { kind: "assign", form: "augmented", op, targets: [target], value, start, end: value.end };
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
    const { text, start, end } = cursor.take();
    return { kind: text, start, end };
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
    const bodies2 = [block(cursor, "class definition", start, statements)];
    return { kind: "class", expressions: [], bodies: bodies2, start, end };
  }
  function ifStatement(cursor) {
    const { start, text, end } = cursor.take();
    const test = condition(cursor);
    const bodies2 = [block(cursor, `'${text}' statement`, start, statements)];
    if (cursor.is("elif")) bodies2.push([ifStatement(cursor)]);
    else bodies2.push(...elseBlock(cursor));
    return { kind: "if", expressions: [test], bodies: bodies2, start, end };
  }
  function whileStatement(cursor) {
    const { start, end } = cursor.take();
    const test = condition(cursor);
    const bodies2 = [block(cursor, "'while' statement", start, statements), ...elseBlock(cursor)];
    return { kind: "while", expressions: [test], bodies: bodies2, start, end };
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
    const target = loopTarget(cursor);
    cursor.expect("in");
    const over2 = expressionList(cursor);
    expectColon(cursor);
    const bodies2 = [block(cursor, "'for' statement", start, statements), ...elseBlock(cursor)];
    return { kind: "for", expressions: [target, over2], bodies: bodies2, start, end };
  }
  function elseBlock(cursor) {
    if (!cursor.is("else")) return [];
    const { start } = cursor.take();
    expectColon(cursor);
    return [block(cursor, "'else' statement", start, statements)];
  }

  // src/graph/family_names.ts
  var familyNames = [
    "normal",
    "half_normal",
    "log_normal",
    "truncated_normal",
    "student_t",
    "half_student_t",
    "cauchy",
    "half_cauchy",
    "exponential",
    "gamma",
    "inverse_gamma",
    "chi_squared",
    "weibull",
    "beta",
    "uniform",
    "triangular",
    "laplace",
    "asymmetric_laplace",
    "logistic",
    "logit_normal",
    "gumbel",
    "moyal",
    "skew_normal",
    "ex_gaussian",
    "wald",
    "pareto",
    "rice",
    "kumaraswamy",
    "von_mises",
    "flat",
    "half_flat",
    "bernoulli",
    "binomial",
    "poisson",
    "negative_binomial",
    "geometric",
    "hypergeometric",
    "beta_binomial",
    "discrete_uniform",
    "discrete_weibull",
    "zero_inflated_poisson",
    "zero_inflated_binomial",
    "zero_inflated_negative_binomial",
    "hurdle_poisson",
    "hurdle_negative_binomial",
    "hurdle_gamma",
    "hurdle_log_normal",
    "categorical",
    "ordered_logistic",
    "ordered_probit",
    "dirichlet",
    "multinomial",
    "dirichlet_multinomial",
    "mv_normal",
    "mv_student_t",
    "lkj_cholesky_cov",
    "zero_sum_normal",
    "gaussian_random_walk",
    "ar",
    "mixture",
    "normal_mixture",
    "truncated",
    "censored"
  ];

  // src/families/arrays.ts
  function lastExtent(g, x) {
    return g.shapeOf(x).at(-1);
  }
  function padRight(g, x, axes = 1) {
    return g.reshape(x, [...g.shapeOf(x), ...new Array(axes).fill(1)]);
  }
  function sumLast(g, x, axes = 1) {
    const rank = g.shapeOf(x).length;
    return axes === 0 ? x : g.sum(x, Array.from({ length: axes }, (_, i) => rank - axes + i));
  }
  function sliceLast(g, x, from, length2) {
    return pickLast(g, x, Array.from({ length: length2 }, (_, i) => from + i));
  }
  function pickLast(g, x, chosen) {
    const shape = g.shapeOf(x);
    const extent = shape.at(-1);
    const rows = sizeOf(shape) / extent;
    const index = new Int32Array(rows * chosen.length);
    for (let row = 0; row < rows; row++) {
      chosen.forEach((at, i) => {
        index[row * chosen.length + i] = at < 0 ? -1 : row * extent + at;
      });
    }
    return g.gather(x, index, [...shape.slice(0, -1), chosen.length]);
  }
  function joinLast(g, a, b) {
    const [first2, second2] = [lastExtent(g, a), lastExtent(g, b)];
    const batch2 = g.shapeOf(a).slice(0, -1);
    const total2 = first2 + second2;
    const rows = sizeOf(batch2);
    const joined5 = g.join([a, b]);
    const index = new Int32Array(rows * total2);
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < total2; i++) {
        const at = i < first2 ? row * first2 + i : rows * first2 + row * second2 + (i - first2);
        index[row * total2 + i] = at;
      }
    }
    return g.gather(joined5, index, [...batch2, total2]);
  }
  function levelLast(g, x) {
    const largest2 = g.reduce("max", x, [g.shapeOf(x).length - 1]);
    return padRight(g, g.map("round", largest2));
  }
  function finiteLevel(g, level) {
    return g.where(g.map("lt", g.map("abs", level), g.scalar(Infinity)), level, zero(g));
  }
  function logSumExpLast(g, x) {
    const level = finiteLevel(g, levelLast(g, x));
    const sum3 = sumLast(g, g.exp(g.sub(x, level)));
    return g.add(g.log(sum3), g.reshape(level, g.shapeOf(sum3)));
  }
  function softmaxLast(g, x) {
    const powers = g.exp(g.sub(x, levelLast(g, x)));
    return g.div(powers, padRight(g, sumLast(g, powers)));
  }
  function logAddExp(g, a, b) {
    return g.add(b, g.map("softplus", g.sub(a, b)));
  }
  function logSubExp(g, a, b) {
    return g.add(a, g.map("log1mexp", g.sub(b, a)));
  }
  function zero(g) {
    return g.scalar(0);
  }
  function commonShape(g, nodes) {
    const shape = broadcastShapes(...nodes.map((node) => g.shapeOf(node)));
    if (!shape) throw new Error("internal: shapes that do not broadcast");
    return shape;
  }
  function flatCodes(g, code2, batch2, extent) {
    const rows = sizeOf(batch2);
    const base = Float64Array.from({ length: rows }, (_, row) => row * extent);
    return g.add(g.array(base, batch2), g.broadcast(code2, batch2));
  }

  // src/families/forms.ts
  function direct(...names2) {
    return { names: names2, canonical: (_g, given2) => names2.map((name2) => given2[name2]) };
  }
  function precision(name2, names2, canonical) {
    return {
      names: names2,
      canonical: (g, given2) => {
        const sigma = g.div(g.scalar(1), g.map("sqrt", given2[name2]));
        return canonical.map((wanted2) => wanted2 === "sigma" ? sigma : given2[wanted2]);
      }
    };
  }
  function inverse(g, x) {
    const node = g.nodes[x];
    if (node.kind === "map" && node.op === "div" && g.constantOf(node.args[0]) === 1) {
      return node.args[1];
    }
    return g.div(g.scalar(1), x);
  }
  function scaled(g, x, scale) {
    return g.shapeOf(scale).length < g.shapeOf(x).length ? g.mul(x, inverse(g, scale)) : g.div(x, scale);
  }
  function standardised(g, x, location, scale) {
    return scaled(g, g.sub(x, location), scale);
  }
  function times(g, factor2, x) {
    return g.mul(g.scalar(factor2), x);
  }
  function plus(g, x, term) {
    return g.add(x, g.scalar(term));
  }
  function complement(g, x) {
    return g.sub(g.scalar(1), x);
  }

  // src/families/range.ts
  var everything = { low: -Infinity, high: Infinity, lowOpen: true, highOpen: true };
  var closed = (low2, high2) => ({
    low: low2,
    high: high2,
    lowOpen: false,
    highOpen: false
  });
  var open = (low2, high2) => ({ low: low2, high: high2, lowOpen: true, highOpen: true });
  var known = /* @__PURE__ */ new WeakMap();
  function rangeOf(g, x) {
    let ranges = known.get(g);
    if (!ranges) known.set(g, ranges = /* @__PURE__ */ new Map());
    let range4 = ranges.get(x);
    if (!range4) {
      const value = g.valueOf(x);
      range4 = value ? rangeOfValues(value.values) : rangeOfNode(g, g.nodes[x]);
      ranges.set(x, range4);
    }
    return range4;
  }
  function knownPositive(g, x) {
    return isPositive(rangeOf(g, x));
  }
  function knownNonNegative(g, x) {
    return rangeOf(g, x).low >= 0;
  }
  function knownAtMost(g, x, bound) {
    return rangeOf(g, x).high <= bound;
  }
  function knownBelow(g, x, bound) {
    const { high: high2, highOpen } = rangeOf(g, x);
    return high2 < bound || high2 === bound && highOpen;
  }
  var isPositive = ({ low: low2, lowOpen }) => low2 > 0 || low2 === 0 && lowOpen;
  function rangeOfValues(values) {
    let [low2, high2] = [Infinity, -Infinity];
    for (const value of values) {
      if (value !== value) return everything;
      low2 = Math.min(low2, value);
      high2 = Math.max(high2, value);
    }
    return closed(low2, high2);
  }
  function rangeOfNode(g, node) {
    const ranges = node.args.map((arg) => rangeOf(g, arg));
    switch (node.kind) {
      case "map":
        return rangeOfMap(node, ranges);
      case "reduce":
      case "scan": {
        if (node.kind === "reduce" && (node.op === "max" || node.op === "min")) return ranges[0];
        const products = node.op === "prod" || node.op === "cumprod";
        return products && ranges[0].low < 0 ? everything : keepsSign(ranges[0]);
      }
      case "gather":
        return rangeAt(g, node.args[0], node.index);
      case "take":
      case "reshape":
        return ranges[0];
      case "join":
        return ranges.reduce(hull);
      case "matmul":
        return keepsSign(product(ranges[0], ranges[1]));
      default:
        return everything;
    }
  }
  function rangeAt(g, x, index) {
    const node = g.nodes[x];
    if (index.includes(-1)) {
      const others = index.filter((at) => at >= 0);
      return others.length === 0 ? closed(0, 0) : hull(rangeAt(g, x, others), closed(0, 0));
    }
    switch (node.kind) {
      case "reshape":
        return rangeAt(g, node.args[0], index);
      case "gather":
        return rangeAt(g, node.args[0], index.map((at) => node.index[at]));
      case "join":
        return rangeOfJoined(g, node.args, index);
      default:
        return rangeOf(g, x);
    }
  }
  function rangeOfJoined(g, parts, index) {
    let [offset, range4] = [0, void 0];
    for (const part of parts) {
      const size = sizeOf(g.shapeOf(part));
      const inside = index.filter((at) => at >= offset && at < offset + size);
      if (inside.length > 0) {
        const here = rangeAt(g, part, inside.map((at) => at - offset));
        range4 = range4 ? hull(range4, here) : here;
      }
      offset += size;
    }
    return range4 ?? everything;
  }
  function knownAscending(g, x) {
    const node = g.nodes[x];
    if (node.kind !== "scan" || node.op !== "cumsum" || node.axis !== node.shape.length - 1) {
      return false;
    }
    const extent = node.shape[node.axis];
    const steps = Int32Array.from({ length: sizeOf(node.shape) }, (_, at) => at).filter((at) => at % extent > 0);
    return steps.length === 0 || rangeAt(g, node.args[0], steps).low >= 0;
  }
  function keepsSign(range4) {
    if (range4.high <= 0 && range4.low < 0) return negated(keepsSign(negated(range4)));
    if (range4.low < 0) return everything;
    return { low: 0, high: Infinity, lowOpen: isPositive(range4), highOpen: true };
  }
  function rangeOfMap(node, [a, b, c]) {
    switch (node.op) {
      case "neg":
        return negated(a);
      case "erfc":
        return open(0, 2);
      case "abs":
        return a.low >= 0 ? a : { low: 0, high: Infinity, lowOpen: isPositive(negated(a)), highOpen: true };
      case "add":
        return sum(a, b);
      case "sub":
        return sum(a, negated(b));
      case "mul":
        return node.args[0] === node.args[1] ? square(a) : product(a, b);
      case "div":
        return isPositive(b) ? product(a, reciprocal(b)) : everything;
      case "pow":
        return power2(a);
      case "maximum":
        return {
          ...larger(a, b),
          high: Math.max(a.high, b.high),
          highOpen: a.highOpen && b.highOpen
        };
      case "minimum":
        return negated({
          ...larger(negated(a), negated(b)),
          high: Math.max(-a.low, -b.low),
          highOpen: a.lowOpen && b.lowOpen
        });
      case "where":
        return hull(b, c);
      default:
        return increasing(node.op, a) ?? (truthOps.has(node.op) ? closed(0, 1) : everything);
    }
  }
  var increasingOps = {
    exp: [exp, 0, Infinity],
    softplus: [softplus, 0, Infinity],
    sigmoid: [sigmoid, 0, 1],
    tanh: [tanh, -1, 1],
    erf: [erf, -1, 1],
    expm1: [expm1, -1, Infinity],
    sqrt: [Math.sqrt, -Infinity, Infinity],
    log: [log, -Infinity, Infinity],
    log1p: [log1p, -Infinity, Infinity],
    atan: [atan, -Math.PI, Math.PI]
  };
  function increasing(op, a) {
    const known5 = increasingOps[op];
    if (!known5) return void 0;
    const [f, least2, most2] = known5;
    const [low2, high2] = [f(a.low), f(a.high)];
    if (low2 !== low2 || high2 !== high2) return everything;
    return {
      low: low2,
      high: high2,
      lowOpen: a.lowOpen || low2 === least2,
      highOpen: a.highOpen || high2 === most2
    };
  }
  var truthOps = /* @__PURE__ */ new Set(
    ["not", "is_nan", "lt", "le", "gt", "ge", "eq", "ne", "and", "or"]
  );
  function negated({ low: low2, high: high2, lowOpen, highOpen }) {
    return { low: -high2, high: -low2, lowOpen: highOpen, highOpen: lowOpen };
  }
  function sum(a, b) {
    const [low2, high2] = [a.low + b.low, a.high + b.high];
    if (low2 !== low2 || high2 !== high2) return everything;
    return { low: low2, high: high2, lowOpen: a.lowOpen || b.lowOpen, highOpen: a.highOpen || b.highOpen };
  }
  function square(a) {
    const away = isPositive(a) || isPositive(negated(a));
    const size = Math.max(Math.abs(a.low), Math.abs(a.high));
    return { low: 0, high: size * size, lowOpen: away, highOpen: a.lowOpen && a.highOpen };
  }
  function product(a, b) {
    if (a.low === a.high && a.low < 0) return product(closed(-a.low, -a.low), negated(b));
    if (b.low === b.high && b.low < 0) return product(b, a);
    if (a.low < 0 && b.low >= 0 && a.high <= 0) return negated(product(negated(a), b));
    if (b.low < 0 && a.low >= 0 && b.high <= 0) return negated(product(a, negated(b)));
    if (a.low < 0 || b.low < 0) return everything;
    const low2 = a.low * b.low;
    const high2 = a.high === 0 || b.high === 0 ? 0 : a.high * b.high;
    return {
      low: low2 === low2 ? low2 : 0,
      high: high2,
      lowOpen: low2 > 0 ? a.lowOpen || b.lowOpen : isPositive(a) && isPositive(b),
      highOpen: a.highOpen || b.highOpen
    };
  }
  function reciprocal(a) {
    return {
      low: a.high === Infinity ? 0 : 1 / a.high,
      high: 1 / a.low,
      lowOpen: a.highOpen,
      highOpen: a.lowOpen
    };
  }
  function power2(base) {
    if (base.low < 0) return everything;
    return { low: 0, high: Infinity, lowOpen: isPositive(base), highOpen: true };
  }
  function larger(a, b) {
    if (a.low === b.low) return a.lowOpen ? a : b;
    return a.low > b.low ? a : b;
  }
  function hull(a, b) {
    return {
      low: Math.min(a.low, b.low),
      high: Math.max(a.high, b.high),
      lowOpen: a.low === b.low ? a.lowOpen && b.lowOpen : (a.low < b.low ? a : b).lowOpen,
      highOpen: a.high === b.high ? a.highOpen && b.highOpen : (a.high > b.high ? a : b).highOpen
    };
  }

  // src/families/guard.ts
  function domainConditions(g, x, domain) {
    switch (domain) {
      case "positive":
        return positive(g, x);
      case "non_negative":
      case "count":
        return atLeast(g, x, 0);
      case "unit":
        return [...atLeast(g, x, 0), ...atMost(g, x, 1)];
      case "open_unit":
        return [...positive(g, x), ...below(g, x, 1)];
      default:
        return [];
    }
  }
  function positive(g, x) {
    return knownPositive(g, x) ? [] : [g.map("gt", x, g.scalar(0))];
  }
  function atLeast(g, x, bound) {
    const held = bound === 0 ? knownNonNegative(g, x) : rangeOf(g, x).low >= bound;
    return held ? [] : [g.map("ge", x, g.scalar(bound))];
  }
  function atMost(g, x, bound) {
    return knownAtMost(g, x, bound) ? [] : [g.map("le", x, g.scalar(bound))];
  }
  function below(g, x, bound) {
    return knownBelow(g, x, bound) ? [] : [g.map("lt", x, g.scalar(bound))];
  }
  function ascending(g, a, b) {
    return rangeOf(g, a).high <= rangeOf(g, b).low ? [] : [g.map("le", a, b)];
  }
  function guard(g, conditions, value) {
    const unsettled = [...new Set(conditions)].filter((x) => {
      const known5 = g.valueOf(x);
      return !(known5 && known5.values.every((truth) => truth === 1));
    });
    if (unsettled.length === 0) return value;
    const bySize = unsettled.sort((a, b) => g.shapeOf(a).length - g.shapeOf(b).length || a - b);
    const all = bySize.reduce((a, b) => g.map("and", a, b));
    return g.where(all, value, g.scalar(-Infinity));
  }

  // src/families/stable_log.ts
  function logOf(g, x) {
    return structuralLog(g, x) ?? g.log(x);
  }
  function log1mOf(g, x) {
    return structuralLog1m(g, x) ?? g.map("log1p", g.neg(x));
  }
  function logitOf(g, x) {
    const node = g.nodes[x];
    const moved4 = throughMoves(g, node, logitOf);
    if (moved4 !== void 0) return moved4;
    if (node.kind !== "map") return void 0;
    const [a, b] = node.args;
    if (node.op === "sigmoid") return a;
    if (node.op === "sub" && g.constantOf(a) === 1) {
      const u = logitOf(g, b);
      return u === void 0 ? void 0 : g.neg(u);
    }
    return node.op === "div" ? logitOfQuotient(g, a, b) : void 0;
  }
  function logitOfQuotient(g, above, below2) {
    const sum3 = g.nodes[below2];
    if (sum3.kind !== "map" || sum3.op !== "add") return void 0;
    const [one3, power5] = g.constantOf(sum3.args[0]) === 1 ? sum3.args : [sum3.args[1], sum3.args[0]];
    const v = exponentOf(g, power5);
    if (g.constantOf(one3) !== 1 || v === void 0) return void 0;
    if (g.constantOf(above) === 1) return g.neg(v);
    return above === power5 ? v : void 0;
  }
  function exponentOf(g, x) {
    const node = g.nodes[x];
    return node.kind === "map" && node.op === "exp" ? node.args[0] : void 0;
  }
  function throughMoves(g, node, rewrite) {
    const moves = node.kind === "reshape" || node.kind === "take" || node.kind === "gather" && !node.index.includes(-1);
    if (!moves) return void 0;
    const inner = rewrite(g, node.args[0]);
    if (inner === void 0) return void 0;
    if (node.kind === "reshape") return g.reshape(inner, node.shape);
    if (node.kind === "take") return g.take(inner, node.args[1]);
    return g.gather(inner, node.index, node.shape);
  }
  var known2 = /* @__PURE__ */ new WeakMap();
  function structuralLog(g, x) {
    let found = known2.get(g);
    if (!found) known2.set(g, found = /* @__PURE__ */ new Map());
    if (!found.has(x)) found.set(x, findLog(g, x));
    return found.get(x);
  }
  function findLog(g, x) {
    const node = g.nodes[x];
    const u = logitOf(g, x);
    if (u !== void 0) return g.neg(g.map("softplus", g.neg(u)));
    const moved4 = throughMoves(g, node, structuralLog);
    if (moved4 !== void 0 || node.kind !== "map") return moved4;
    const [a, b] = node.args;
    switch (node.op) {
      case "exp":
        return a;
      case "sqrt":
        return g.mul(g.scalar(0.5), logOf(g, a));
      case "pow":
        return knownPositive(g, a) ? g.mul(b, logOf(g, a)) : void 0;
      case "neg":
        return logOfNegated(g, a);
      case "sub":
        return g.constantOf(a) === 1 ? structuralLog1m(g, b) : void 0;
      case "mul":
        return logNormalProbability(g, x) ?? logOfTwo(g, a, b, "add");
      case "div":
        return logOfTwo(g, a, b, "sub");
      default:
        return void 0;
    }
  }
  function logOfNegated(g, x) {
    const node = g.nodes[x];
    return node.kind === "map" && node.op === "expm1" ? g.map("log1mexp", node.args[0]) : void 0;
  }
  function logOfTwo(g, a, b, op) {
    const cheap = (x) => g.isHost(x) || structuralLog(g, x) !== void 0;
    if (a === b || !(cheap(a) || cheap(b))) return void 0;
    if (!(knownPositive(g, a) && knownPositive(g, b))) return void 0;
    const [first2, second2] = [logOf(g, a), logOf(g, b)];
    return op === "add" ? g.add(first2, second2) : g.sub(first2, second2);
  }
  function structuralLog1m(g, x) {
    const node = g.nodes[x];
    const u = logitOf(g, x);
    if (u !== void 0) return g.neg(g.map("softplus", u));
    const moved4 = throughMoves(g, node, structuralLog1m);
    if (moved4 !== void 0 || node.kind !== "map") return moved4;
    const [a, b] = node.args;
    switch (node.op) {
      case "exp":
        return g.map("log1mexp", a);
      case "sub":
        return g.constantOf(a) === 1 ? logOf(g, b) : void 0;
      case "neg": {
        const inner = g.nodes[a];
        return inner.kind === "map" && inner.op === "expm1" ? inner.args[0] : void 0;
      }
      case "mul": {
        const t = normalScore(g, x);
        return t === void 0 ? void 0 : g.map("log_normal_cdf", g.neg(t));
      }
      default:
        return void 0;
    }
  }
  function logNormalProbability(g, x) {
    const t = normalScore(g, x);
    return t === void 0 ? void 0 : g.map("log_normal_cdf", t);
  }
  function normalScore(g, x) {
    const node = g.nodes[x];
    if (node.kind !== "map" || node.op !== "mul") return void 0;
    const [half2, rest] = g.constantOf(node.args[0]) === 0.5 ? node.args : [node.args[1], node.args[0]];
    if (g.constantOf(half2) !== 0.5) return void 0;
    const inner = g.nodes[rest];
    if (inner.kind !== "map") return void 0;
    const times3 = (u) => g.mul(g.scalar(Math.SQRT2), u);
    if (inner.op === "erfc") return g.neg(times3(inner.args[0]));
    if (inner.op !== "add") return void 0;
    const [one3, other] = g.constantOf(inner.args[0]) === 1 ? inner.args : [inner.args[1], inner.args[0]];
    const last = g.nodes[other];
    if (g.constantOf(one3) !== 1 || last.kind !== "map" || last.op !== "erf") return void 0;
    return times3(last.args[0]);
  }

  // src/families/powers.ts
  function logPower(g, x, m) {
    if (g.constantOf(m) === 0) return g.scalar(0);
    if (knownPositive(g, x)) return g.mul(m, logOf(g, x));
    return powerAtZero(g, x, m, (safe) => logOf(g, safe));
  }
  function logPower1m(g, x, m) {
    if (g.constantOf(m) === 0) return g.scalar(0);
    if (knownBelow(g, x, 1)) return g.mul(m, log1mOf(g, x));
    const isZero = g.map("eq", x, g.scalar(1));
    const safe = g.where(isZero, g.scalar(0.5), x);
    return edges(g, isZero, m, g.mul(m, log1mOf(g, safe)));
  }
  function unboundedPower(g, x, m) {
    if (g.constantOf(m) === 0) return g.scalar(0);
    if (knownPositive(g, x)) return g.mul(m, logOf(g, x));
    const isZero = g.map("eq", x, g.scalar(0));
    const safe = g.where(isZero, g.scalar(1), x);
    return g.where(isZero, unboundedEdge(g, m), g.mul(m, logOf(g, safe)));
  }
  function unboundedPower1m(g, x, m) {
    if (g.constantOf(m) === 0) return g.scalar(0);
    if (knownBelow(g, x, 1)) return g.mul(m, log1mOf(g, x));
    const isOne = g.map("eq", x, g.scalar(1));
    const safe = g.where(isOne, g.scalar(0.5), x);
    return g.where(isOne, unboundedEdge(g, m), g.mul(m, log1mOf(g, safe)));
  }
  function unboundedEdge(g, m) {
    const infinite = g.where(g.map("lt", m, zero(g)), g.scalar(Infinity), g.scalar(-Infinity));
    return g.where(g.map("eq", m, zero(g)), zero(g), infinite);
  }
  function powerAtZero(g, x, m, log3) {
    const isZero = g.map("eq", x, g.scalar(0));
    const safe = g.where(isZero, g.scalar(1), x);
    return edges(g, isZero, m, g.mul(m, log3(safe)));
  }
  function edges(g, isZero, m, otherwise) {
    const atZero = g.where(g.map("eq", m, g.scalar(0)), g.scalar(0), g.scalar(-Infinity));
    return g.where(isZero, atZero, otherwise);
  }
  function lgammaShifted(g, x, shift) {
    return perDistinct(g, x, shift, (distinct) => g.map("lgamma", g.add(distinct, shift)));
  }
  function perDistinct(g, x, partner, f) {
    const known5 = g.isHost(partner) || sizeOf(g.shapeOf(partner)) > 1 ? void 0 : g.valueOf(x);
    if (!known5 || known5.values.length < 4) return f(x);
    const distinct = [...new Set(known5.values)].sort((a, b) => a - b);
    if (2 * distinct.length > known5.values.length) return f(x);
    const place3 = new Map(distinct.map((value, i) => [value, i]));
    const index = Int32Array.from(known5.values, (value) => place3.get(value));
    const few = f(g.array(Float64Array.from(distinct), [distinct.length]));
    return g.gather(few, index, known5.shape);
  }
  function logChance(g, p) {
    const vanishes = g.map("le", p, zero(g));
    return g.where(vanishes, g.scalar(-Infinity), g.log(g.where(vanishes, g.scalar(1), p)));
  }
  function logComplement(g, x) {
    const vanishes = g.map("ge", x, zero(g));
    const safe = g.where(vanishes, g.scalar(-1), x);
    return g.where(vanishes, g.scalar(-Infinity), g.map("log1mexp", safe));
  }
  function logFactorial(g, n) {
    return g.map("lgamma", g.add(n, g.scalar(1)));
  }
  function logBinomial(g, n, k) {
    const below2 = g.add(logFactorial(g, k), logFactorial(g, g.sub(n, k)));
    return g.sub(logFactorial(g, n), below2);
  }
  function logBeta(g, a, b) {
    const parts = g.add(g.map("lgamma", a), g.map("lgamma", b));
    return g.sub(parts, g.map("lgamma", g.add(a, b)));
  }

  // src/families/samplers.ts
  function drawNormal(random2) {
    return normalQuantile(random2.uniform());
  }
  function drawExponential(random2) {
    return -log(random2.uniform());
  }
  function drawLogGamma(random2, shape) {
    if (!(shape > 0)) return NaN;
    if (shape < 1) return drawLogGamma(random2, shape + 1) + log(random2.uniform()) / shape;
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (; ; ) {
      const x = drawNormal(random2);
      const t = 1 + c * x;
      if (t <= 0) continue;
      const v = t * t * t;
      if (log(random2.uniform()) < 0.5 * x * x + d - d * v + d * log(v)) return log(d) + log(v);
    }
  }
  function drawGamma(random2, shape) {
    return exp(drawLogGamma(random2, shape));
  }
  function drawBeta(random2, a, b) {
    const x = drawLogGamma(random2, a);
    return 1 / (1 + exp(drawLogGamma(random2, b) - x));
  }
  function drawStudentT(random2, nu) {
    return drawNormal(random2) / Math.sqrt(2 * drawGamma(random2, 0.5 * nu) / nu);
  }
  function drawCauchy(random2) {
    return drawNormal(random2) / drawNormal(random2);
  }
  function drawPoisson(random2, mean) {
    if (!(mean >= 0 && mean < Infinity)) return NaN;
    let count = 0;
    let rest = mean;
    while (rest > 20) {
      const m = Math.floor(0.875 * rest);
      const arrival = drawGamma(random2, m);
      if (arrival > rest) return count + drawBinomial(random2, m - 1, rest / arrival);
      count += m;
      rest -= arrival;
    }
    for (let sum3 = drawExponential(random2); sum3 < rest; sum3 += drawExponential(random2)) count++;
    return count;
  }
  function drawBinomial(random2, n, p) {
    if (!(n >= 0 && p >= 0 && p <= 1)) return NaN;
    let [trials, chance2, count] = [n, p, 0];
    while (trials > 20) {
      const k = 1 + Math.floor(trials / 2);
      const middle = drawBeta(random2, k, trials + 1 - k);
      if (middle <= chance2) {
        count += k;
        trials -= k;
        chance2 = Math.min(1, (chance2 - middle) / (1 - middle));
      } else {
        trials = k - 1;
        chance2 = Math.min(1, chance2 / middle);
      }
    }
    for (let i = 0; i < trials; i++) if (random2.uniform() < chance2) count++;
    return count;
  }
  function drawNegativeBinomial(random2, mu, alpha) {
    return drawPoisson(random2, drawGamma(random2, alpha) * mu / alpha);
  }
  function drawGeometric(random2, p) {
    if (!(p > 0 && p <= 1)) return NaN;
    return p === 1 ? 1 : Math.max(1, Math.ceil(log(random2.uniform()) / log1p(-p)));
  }
  function drawHypergeometric(random2, total2, marked, n) {
    let [left, good, count] = [total2, marked, 0];
    for (let i = 0; i < n; i++, left--) {
      if (random2.uniform() * left >= good) continue;
      good--;
      count++;
    }
    return count;
  }
  function drawWald(random2, mu, lam) {
    const z = drawNormal(random2);
    const y = mu * z * z;
    const x = mu + 0.5 * mu / lam * (y - Math.sqrt(y * (4 * lam + y)));
    return random2.uniform() * (mu + x) <= mu ? x : mu * mu / x;
  }
  function drawVonMises(random2, kappa2) {
    if (kappa2 < 1e-6) return Math.PI * (2 * random2.uniform() - 1);
    const tau = 1 + Math.sqrt(1 + 4 * kappa2 * kappa2);
    const rho = (tau - Math.sqrt(2 * tau)) / (2 * kappa2);
    const r = (1 + rho * rho) / (2 * rho);
    for (; ; ) {
      const z = cos(Math.PI * random2.uniform());
      const f = (1 + r * z) / (r + z);
      const c = kappa2 * (r - f);
      const u = random2.uniform();
      if (!(c * (2 - c) > u || log(c / u) + 1 - c >= 0)) continue;
      const angle = arccosine(Math.min(1, Math.max(-1, f)));
      return random2.uniform() < 0.5 ? -angle : angle;
    }
  }
  function drawCode(random2, weights, offset, size) {
    let total2 = 0;
    for (let k = 0; k < size; k++) total2 += weights[offset + k];
    let u = random2.uniform() * total2;
    for (let k = 0; k < size - 1; k++) {
      u -= weights[offset + k];
      if (u < 0) return k;
    }
    return size - 1;
  }
  function arccosine(x) {
    return 2 * atan(Math.sqrt((1 - x) / (1 + x)));
  }

  // src/families/univariate.ts
  function univariate(family) {
    const parameters = Object.keys(family.parameters);
    return {
      signature: family.signature,
      parameters,
      parameterRanks: parameters.map(() => 0),
      eventRank: 0,
      discrete: family.discrete ?? false,
      proper: family.proper ?? true,
      support: family.support,
      logDensity: (g, value, { args }) => logDensity(family, g, value, args),
      logCdf: family.logCdf && ((g, value, { args }) => cumulative(family, g, value, args, "cdf")),
      logSurvival: family.logSurvival && ((g, value, { args }) => cumulative(family, g, value, args, "survival")),
      transform: family.transform ?? (() => transformOf(family.support)),
      draw: (random2, args, _law, out) => {
        const numbers2 = new Array(args.length);
        for (let i = 0; i < out.length; i++) {
          args.forEach(({ values }, k) => numbers2[k] = values[values.length === 1 ? 0 : i]);
          out[i] = family.sample(random2, ...numbers2);
        }
      }
    };
  }
  function logDensity(family, g, x, args) {
    const conditions = [
      ...parameterConditions(family, g, args),
      ...supportConditions(g, x, family.support),
      ...family.conditions?.(g, x, ...args) ?? []
    ];
    const density = guard(g, conditions, family.density(g, x, ...args));
    return g.broadcast(density, commonShape(g, [x, ...args]));
  }
  function parameterConditions(family, g, args) {
    const domains = Object.values(family.parameters);
    return [
      ...args.flatMap((arg, i) => domainConditions(g, arg, domains[i])),
      ...family.consistent?.(g, ...args) ?? []
    ];
  }
  function supportConditions(g, x, support) {
    switch (support) {
      case "positive":
        return positive(g, x);
      case "non_negative":
      case "count":
      case "bounded_count":
        return atLeast(g, x, 0);
      case "unit":
      case "binary":
        return [...atLeast(g, x, 0), ...atMost(g, x, 1)];
      case "open_unit":
        return domainConditions(g, x, "open_unit");
      case "circle":
        return [...atLeast(g, x, -Math.PI), ...atMost(g, x, Math.PI)];
      default:
        return [];
    }
  }
  function transformOf(support) {
    switch (support) {
      case "positive":
      case "non_negative":
        return { kind: "log" };
      case "unit":
      case "open_unit":
        return { kind: "logodds" };
      case "circle":
        return { kind: "circular" };
      default:
        return { kind: "identity" };
    }
  }
  function cumulative(family, g, x, args, which) {
    const ends = family.ends?.(g, ...args) ?? endsOf(g, family.support);
    const lower2 = finiteEnd(g, ends.lower);
    const upper = finiteEnd(g, ends.upper);
    const whole2 = family.discrete ? g.map("floor", x) : x;
    const before = lower2 === void 0 ? void 0 : g.map(family.discrete ? "lt" : "le", whole2, lower2);
    const after = upper === void 0 ? void 0 : g.map("ge", whole2, upper);
    let inside = whole2;
    const fallback = insideOf(g, lower2, upper, family.discrete ?? false);
    if (before !== void 0) inside = g.where(before, fallback, inside);
    if (after !== void 0) inside = g.where(after, fallback, inside);
    const formula = which === "cdf" ? family.logCdf : family.logSurvival;
    const [below2, above] = which === "cdf" ? [-Infinity, 0] : [0, -Infinity];
    let result = formula(g, inside, ...args);
    if (after !== void 0) result = g.where(after, g.scalar(above), result);
    if (before !== void 0) result = g.where(before, g.scalar(below2), result);
    return guard(g, parameterConditions(family, g, args), result);
  }
  function finiteEnd(g, end) {
    if (end === void 0) return void 0;
    return Math.abs(g.constantOf(end) ?? 0) === Infinity ? void 0 : end;
  }
  function insideOf(g, lower2, upper, discrete) {
    if (lower2 !== void 0 && discrete) return lower2;
    if (lower2 !== void 0 && upper !== void 0) {
      return g.mul(g.scalar(0.5), g.add(lower2, upper));
    }
    if (lower2 !== void 0) return g.add(lower2, g.scalar(1));
    return upper === void 0 ? g.scalar(0) : g.sub(upper, g.scalar(1));
  }
  function endsOf(g, support) {
    switch (support) {
      case "positive":
      case "non_negative":
      case "count":
      case "bounded_count":
        return { lower: g.scalar(0) };
      case "unit":
      case "open_unit":
      case "binary":
        return { lower: g.scalar(0), upper: g.scalar(1) };
      default:
        return {};
    }
  }

  // src/families/real_line.ts
  var halfLog2Pi2 = 0.9189385332046727;
  var log2 = 0.6931471805599453;
  var logPi = 1.1447298858494002;
  var normalDensity = (g, x, mu, sigma) => {
    const z = standardised(g, x, mu, sigma);
    return g.sub(times(g, -0.5, g.square(z)), plus(g, logOf(g, sigma), halfLog2Pi2));
  };
  var normalLogCdf = (g, x, mu, sigma) => g.map("log_normal_cdf", standardised(g, x, mu, sigma));
  var normalLogSurvival = (g, x, mu, sigma) => g.map("log_normal_cdf", standardised(g, mu, x, sigma));
  var normal = univariate({
    signature: {
      names: ["Normal"],
      positional: ["mu", "sigma", "tau"],
      defaults: { mu: 0, sigma: 1 },
      domains: { mu: "real", sigma: "positive", tau: "positive" },
      forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])]
    },
    parameters: { mu: "real", sigma: "positive" },
    support: "real",
    density: normalDensity,
    logCdf: normalLogCdf,
    logSurvival: normalLogSurvival,
    sample: (random2, mu, sigma) => mu + sigma * drawNormal(random2)
  });
  function studentNormaliser(g, nu) {
    const above = g.map("lgamma", times(g, 0.5, plus(g, nu, 1)));
    const below2 = g.map("lgamma", times(g, 0.5, nu));
    return g.sub(g.sub(above, below2), times(g, 0.5, plus(g, logOf(g, nu), logPi)));
  }
  function studentKernel(g, z, nu) {
    const tail2 = g.map("log1p", scaled(g, g.square(z), nu));
    return g.mul(times(g, -0.5, plus(g, nu, 1)), tail2);
  }
  function studentLogCdf(g, z, nu) {
    const half2 = times(g, 0.5, nu);
    const size = g.map("sqrt", g.add(g.square(z), nu));
    const share2 = g.div(nu, g.mul(times(g, 2, size), g.add(size, g.map("abs", z))));
    const tail2 = g.map("betainc", half2, half2, share2);
    return g.where(
      g.map("ge", z, g.scalar(0)),
      g.map("log1p", g.neg(tail2)),
      logChance(g, tail2)
    );
  }
  var studentT = univariate({
    signature: {
      names: ["StudentT"],
      positional: ["nu", "mu", "sigma", "lam"],
      keywordSince: ["sigma", "lam"],
      defaults: { mu: 0, sigma: 1 },
      domains: { nu: "positive", mu: "real", sigma: "positive", lam: "positive" },
      forms: [
        direct("nu", "mu", "sigma"),
        precision("lam", ["nu", "mu", "lam"], ["nu", "mu", "sigma"])
      ]
    },
    parameters: { nu: "positive", mu: "real", sigma: "positive" },
    support: "real",
    density: (g, x, nu, mu, sigma) => {
      const kernel = studentKernel(g, standardised(g, x, mu, sigma), nu);
      return g.add(kernel, g.sub(studentNormaliser(g, nu), logOf(g, sigma)));
    },
    logCdf: (g, x, nu, mu, sigma) => studentLogCdf(g, standardised(g, x, mu, sigma), nu),
    logSurvival: (g, x, nu, mu, sigma) => studentLogCdf(g, standardised(g, mu, x, sigma), nu),
    sample: (random2, nu, mu, sigma) => mu + sigma * drawStudentT(random2, nu)
  });
  function cauchyLogCdf(g, z) {
    const far3 = g.map("lt", z, g.scalar(-1));
    const safe = g.where(far3, z, g.scalar(-1));
    const below2 = g.map("atan", g.neg(g.div(g.scalar(1), safe)));
    const above = plus(g, g.map("atan", z), Math.PI / 2);
    return plus(g, g.log(g.where(far3, below2, above)), -logPi);
  }
  var cauchy = univariate({
    signature: {
      names: ["Cauchy"],
      positional: ["alpha", "beta"],
      defaults: {},
      domains: { alpha: "real", beta: "positive" },
      forms: [direct("alpha", "beta")]
    },
    parameters: { alpha: "real", beta: "positive" },
    support: "real",
    density: (g, x, alpha, beta2) => {
      const tail2 = g.map("log1p", g.square(standardised(g, x, alpha, beta2)));
      return g.sub(g.neg(tail2), plus(g, logOf(g, beta2), logPi));
    },
    logCdf: (g, x, alpha, beta2) => cauchyLogCdf(g, standardised(g, x, alpha, beta2)),
    logSurvival: (g, x, alpha, beta2) => cauchyLogCdf(g, standardised(g, alpha, x, beta2)),
    sample: (random2, alpha, beta2) => alpha + beta2 * drawCauchy(random2)
  });
  function laplaceLogCdf(g, z) {
    const size = g.map("abs", z);
    const above = g.map("log1p", times(g, -0.5, g.exp(g.neg(size))));
    return g.where(g.map("le", z, g.scalar(0)), plus(g, z, -log2), above);
  }
  var laplace = univariate({
    signature: {
      names: ["Laplace"],
      positional: ["mu", "b"],
      defaults: {},
      domains: { mu: "real", b: "positive" },
      forms: [direct("mu", "b")]
    },
    parameters: { mu: "real", b: "positive" },
    support: "real",
    density: (g, x, mu, b) => {
      const size = g.map("abs", standardised(g, x, mu, b));
      return g.sub(g.neg(size), plus(g, logOf(g, b), log2));
    },
    logCdf: (g, x, mu, b) => laplaceLogCdf(g, standardised(g, x, mu, b)),
    logSurvival: (g, x, mu, b) => laplaceLogCdf(g, standardised(g, mu, x, b)),
    sample: (random2, mu, b) => mu + b * (drawExponential(random2) - drawExponential(random2))
  });
  var logistic = univariate({
    signature: {
      names: ["Logistic"],
      positional: ["mu", "s"],
      defaults: { mu: 0, s: 1 },
      domains: { mu: "real", s: "positive" },
      forms: [direct("mu", "s")]
    },
    parameters: { mu: "real", s: "positive" },
    support: "real",
    density: (g, x, mu, s) => {
      const z = standardised(g, x, mu, s);
      const tail2 = times(g, -2, g.map("softplus", g.neg(z)));
      return g.sub(g.sub(tail2, z), logOf(g, s));
    },
    logCdf: (g, x, mu, s) => g.neg(g.map("softplus", standardised(g, mu, x, s))),
    logSurvival: (g, x, mu, s) => g.neg(g.map("softplus", standardised(g, x, mu, s))),
    sample: (random2, mu, s) => {
      const u = random2.uniform();
      return mu + s * (log(u) - log(1 - u));
    }
  });
  var flat = univariate({
    signature: {
      names: ["Flat"],
      positional: [],
      defaults: {},
      domains: {},
      forms: [direct()]
    },
    parameters: {},
    support: "real",
    proper: false,
    density: (g) => g.scalar(0),
    sample: () => NaN
  });

  // src/families/interval.ts
  function betaConcentration(g, { mu, nu }) {
    return [g.mul(mu, nu), g.mul(complement(g, mu), nu)];
  }
  function betaMoments(g, { mu, sigma }) {
    const spread4 = g.mul(mu, complement(g, mu));
    return betaConcentration(g, { mu, nu: plus(g, g.div(spread4, g.square(sigma)), -1) });
  }
  var beta = univariate({
    signature: {
      names: ["Beta"],
      positional: ["alpha", "beta", "mu", "sigma", "nu"],
      defaults: {},
      domains: {
        alpha: "positive",
        beta: "positive",
        mu: "open_unit",
        sigma: "positive",
        nu: "positive"
      },
      forms: [
        direct("alpha", "beta"),
        { names: ["mu", "sigma"], canonical: betaMoments },
        { names: ["mu", "nu"], canonical: betaConcentration }
      ]
    },
    parameters: { alpha: "positive", beta: "positive" },
    support: "unit",
    density: (g, x, alpha, b) => {
      const low2 = unboundedPower(g, x, plus(g, alpha, -1));
      const high2 = unboundedPower1m(g, x, plus(g, b, -1));
      const kernel = g.add(low2, high2);
      const parts = g.add(g.map("lgamma", alpha), g.map("lgamma", b));
      return g.add(kernel, g.sub(g.map("lgamma", g.add(alpha, b)), parts));
    },
    logCdf: (g, x, alpha, b) => logChance(g, g.map("betainc", alpha, b, x)),
    logSurvival: (g, x, alpha, b) => logChance(g, g.map("betainc", b, alpha, complement(g, x))),
    sample: drawBeta
  });
  var kumaraswamy = univariate({
    signature: {
      names: ["Kumaraswamy"],
      positional: ["a", "b"],
      defaults: {},
      domains: { a: "positive", b: "positive" },
      forms: [direct("a", "b")]
    },
    parameters: { a: "positive", b: "positive" },
    support: "unit",
    density: (g, x, a, b) => {
      const logX = logOf(g, x);
      const rest = g.map("log1mexp", g.mul(a, logX));
      const kernel = g.add(g.mul(plus(g, a, -1), logX), g.mul(plus(g, b, -1), rest));
      return g.add(kernel, g.add(logOf(g, a), logOf(g, b)));
    },
    logCdf: (g, x, a, b) => logComplement(g, g.mul(b, logComplement(g, g.mul(a, logOf(g, x))))),
    logSurvival: (g, x, a, b) => g.mul(b, logComplement(g, g.mul(a, logOf(g, x)))),
    sample: (random2, a, b) => pow(1 - pow(random2.uniform(), 1 / b), 1 / a)
  });
  function logit(g, x) {
    return logitOf(g, x) ?? g.sub(logOf(g, x), log1mOf(g, x));
  }
  var logitNormal = univariate({
    signature: {
      names: ["LogitNormal"],
      positional: ["mu", "sigma", "tau"],
      defaults: { mu: 0, sigma: 1 },
      domains: { mu: "real", sigma: "positive", tau: "positive" },
      forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])]
    },
    parameters: { mu: "real", sigma: "positive" },
    support: "open_unit",
    density: (g, x, mu, sigma) => {
      const kernel = normalDensity(g, logit(g, x), mu, sigma);
      return g.sub(g.sub(kernel, logOf(g, x)), log1mOf(g, x));
    },
    logCdf: (g, x, mu, sigma) => g.map("log_normal_cdf", standardised(g, logit(g, x), mu, sigma)),
    logSurvival: (g, x, mu, sigma) => g.map("log_normal_cdf", standardised(g, mu, logit(g, x), sigma)),
    sample: (random2, mu, sigma) => sigmoid(mu + sigma * drawNormal(random2))
  });
  var between2 = (lower2, upper) => ({ kind: "interval", lower: lower2, upper });
  var uniform2 = univariate({
    signature: {
      names: ["Uniform"],
      positional: ["lower", "upper"],
      defaults: { lower: 0, upper: 1 },
      domains: { lower: "real", upper: "real" },
      forms: [direct("lower", "upper")]
    },
    parameters: { lower: "real", upper: "real" },
    support: "interval",
    transform: (_g, { args }) => between2(args[0], args[1]),
    ends: (_g, lower2, upper) => ({ lower: lower2, upper }),
    consistent: (g, lower2, upper) => [g.map("le", lower2, upper)],
    conditions: (g, x, lower2, upper) => within(g, x, lower2, upper),
    density: (g, _x, lower2, upper) => g.neg(g.log(g.sub(upper, lower2))),
    logCdf: (g, x, lower2, upper) => g.log(g.div(g.sub(x, lower2), g.sub(upper, lower2))),
    logSurvival: (g, x, lower2, upper) => g.log(g.div(g.sub(upper, x), g.sub(upper, lower2))),
    sample: (random2, lower2, upper) => lower2 + (upper - lower2) * random2.uniform()
  });
  function within(g, x, lower2, upper) {
    const [a, b, inside] = [rangeOf(g, lower2), rangeOf(g, upper), rangeOf(g, x)];
    const conditions = [];
    if (isScaledUnit(g, x, lower2, upper)) return conditions;
    if (!(inside.low >= a.high)) conditions.push(g.map("ge", x, lower2));
    if (!(inside.high <= b.low)) conditions.push(g.map("le", x, upper));
    return conditions;
  }
  function isScaledUnit(g, x, lower2, upper) {
    const node = g.nodes[x];
    if (node.kind !== "map") return false;
    const [p, q] = node.args;
    if (node.op === "sub") {
      return p === upper && rangeOf(g, lower2).high === -Infinity && knownPositive(g, q);
    }
    if (node.op !== "add" || !(p === lower2 || q === lower2)) return false;
    const rest = g.nodes[p === lower2 ? q : p];
    if (rangeOf(g, upper).low === Infinity) return knownPositive(g, p === lower2 ? q : p);
    if (rest.kind !== "map" || rest.op !== "mul") return false;
    const width3 = g.sub(upper, lower2);
    const unit = rest.args[0] === width3 ? rest.args[1] : rest.args[0];
    return rest.args.includes(width3) && logitOf(g, unit) !== void 0;
  }
  var triangular = univariate({
    signature: {
      names: ["Triangular"],
      positional: ["lower", "upper", "c"],
      defaults: { lower: 0, upper: 1, c: 0.5 },
      domains: { lower: "real", upper: "real", c: "real" },
      forms: [direct("lower", "upper", "c")]
    },
    parameters: { lower: "real", upper: "real", c: "real" },
    support: "interval",
    transform: (_g, { args }) => between2(args[0], args[1]),
    ends: (_g, lower2, upper) => ({ lower: lower2, upper }),
    consistent: (g, lower2, upper, c) => [g.map("le", lower2, c), g.map("le", c, upper)],
    conditions: (g, x, lower2, upper) => within(g, x, lower2, upper),
    density: (g, x, lower2, upper, c) => {
      const rises = g.map("lt", x, c);
      const height = g.where(rises, g.sub(x, lower2), g.sub(upper, x));
      const run2 = g.where(rises, g.sub(c, lower2), g.sub(upper, c));
      return plus(g, g.log(g.div(height, g.mul(g.sub(upper, lower2), run2))), log2);
    },
    logCdf: (g, x, lower2, upper, c) => {
      const [left, right] = triangularParts(g, x, lower2, upper, c);
      return g.where(g.map("le", x, c), g.log(left), g.map("log1p", g.neg(right)));
    },
    logSurvival: (g, x, lower2, upper, c) => {
      const [left, right] = triangularParts(g, x, lower2, upper, c);
      return g.where(g.map("le", x, c), g.map("log1p", g.neg(left)), g.log(right));
    },
    sample: (random2, lower2, upper, c) => {
      const u = random2.uniform();
      const width3 = upper - lower2;
      return u * width3 < c - lower2 ? lower2 + Math.sqrt(u * width3 * (c - lower2)) : upper - Math.sqrt((1 - u) * width3 * (upper - c));
    }
  });
  function triangularParts(g, x, lower2, upper, c) {
    const width3 = g.sub(upper, lower2);
    const part = (distance2, run2) => {
      const share2 = g.div(g.square(distance2), g.mul(width3, run2));
      return g.map("minimum", share2, g.scalar(1));
    };
    return [part(g.sub(x, lower2), g.sub(c, lower2)), part(g.sub(upper, x), g.sub(upper, c))];
  }
  function logNormalInterval(g, a, b) {
    const flip2 = g.map("gt", a, g.scalar(0));
    const low2 = g.where(flip2, g.neg(b), a);
    const high2 = g.where(flip2, g.neg(a), b);
    const logHigh = g.map("log_normal_cdf", high2);
    const ratio = g.sub(g.map("log_normal_cdf", low2), logHigh);
    return g.add(logHigh, g.map("log1mexp", ratio));
  }
  function logMassBetween(g, mu, sigma, lower2, upper) {
    const openBelow = g.constantOf(lower2) === -Infinity;
    const openAbove = g.constantOf(upper) === Infinity;
    if (openBelow && openAbove) return g.scalar(0);
    if (openBelow) return g.map("log_normal_cdf", standardised(g, upper, mu, sigma));
    if (openAbove) return g.map("log_normal_cdf", standardised(g, mu, lower2, sigma));
    const [a, b] = [standardised(g, lower2, mu, sigma), standardised(g, upper, mu, sigma)];
    return logNormalInterval(g, a, b);
  }
  var truncatedNormal = univariate({
    signature: {
      names: ["TruncatedNormal"],
      positional: ["mu", "sigma", "tau", "lower", "upper"],
      keywordSince: ["tau", "lower", "upper"],
      defaults: { mu: 0, sigma: 1, lower: -Infinity, upper: Infinity },
      domains: { mu: "real", sigma: "positive", tau: "positive", lower: "bound", upper: "bound" },
      forms: [
        direct("mu", "sigma", "lower", "upper"),
        precision("tau", ["mu", "tau", "lower", "upper"], ["mu", "sigma", "lower", "upper"])
      ]
    },
    parameters: { mu: "real", sigma: "positive", lower: "bound", upper: "bound" },
    support: "interval",
    transform: (_g, { args }) => between2(args[2], args[3]),
    ends: (_g, _mu, _sigma, lower2, upper) => ({ lower: lower2, upper }),
    consistent: (g, _mu, _sigma, lower2, upper) => [g.map("le", lower2, upper)],
    conditions: (g, x, _mu, _sigma, lower2, upper) => within(g, x, lower2, upper),
    density: (g, x, mu, sigma, lower2, upper) => {
      const z = standardised(g, x, mu, sigma);
      const mass = logMassBetween(g, mu, sigma, lower2, upper);
      const normaliser = g.add(plus(g, logOf(g, sigma), halfLog2Pi2), mass);
      return g.sub(times(g, -0.5, g.square(z)), normaliser);
    },
    logCdf: (g, x, mu, sigma, lower2, upper) => g.sub(
      logMassBetween(g, mu, sigma, lower2, x),
      logMassBetween(g, mu, sigma, lower2, upper)
    ),
    logSurvival: (g, x, mu, sigma, lower2, upper) => g.sub(
      logMassBetween(g, mu, sigma, x, upper),
      logMassBetween(g, mu, sigma, lower2, upper)
    ),
    sample: (random2, mu, sigma, lower2, upper) => mu + sigma * drawTruncated(random2, (lower2 - mu) / sigma, (upper - mu) / sigma)
  });
  function drawTruncated(random2, a, b) {
    if (!(a <= b)) return NaN;
    if (a > 0) return -drawTruncated(random2, -b, -a);
    const [low2, high2] = [normalCdf(a), normalCdf(b)];
    if (high2 > 1e-290) {
      return Math.min(b, Math.max(a, normalQuantile(low2 + (high2 - low2) * random2.uniform())));
    }
    const width3 = b === a ? 0 : 1 - exp(logNormalCdf(a) - logNormalCdf(b));
    return Math.max(a, b - log1p(-width3 * random2.uniform()) / b);
  }
  var vonMises = univariate({
    signature: {
      names: ["VonMises"],
      positional: ["mu", "kappa"],
      defaults: { mu: 0, kappa: 1 },
      domains: { mu: "real", kappa: "positive" },
      forms: [direct("mu", "kappa")]
    },
    parameters: { mu: "real", kappa: "positive" },
    support: "circle",
    density: (g, x, mu, kappa2) => {
      const kernel = g.mul(kappa2, g.map("cos", g.sub(mu, x)));
      return g.sub(kernel, plus(g, g.map("log_i0", kappa2), log2 + logPi));
    },
    sample: (random2, mu, kappa2) => {
      const angle = mu + drawVonMises(random2, kappa2);
      return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
    }
  });

  // src/families/simplexes.ts
  function allLast(g, truth) {
    return g.reduce("min", truth, [g.shapeOf(truth).length - 1]);
  }
  function simplexConditions(g, p) {
    if (sumsToOne(g, p)) return [];
    const range4 = [...atLeast(g, p, 0), ...atMost(g, p, 1)].map((truth) => allLast(g, truth));
    const excess = g.map("abs", g.sub(sumLast(g, p), g.scalar(1)));
    return [...range4, g.map("le", excess, g.scalar(1001e-8))];
  }
  function rescaledConstant(g, p) {
    if (g.nodes[p].kind !== "constant" || g.shapeOf(p).length === 0) return p;
    const [holds] = simplexConditions(g, p).slice(-1);
    const known5 = holds === void 0 ? void 0 : g.valueOf(holds);
    if (known5?.values.every((truth) => truth === 1) ?? true) return p;
    return g.div(p, padRight(g, sumLast(g, p)));
  }
  function sumsToOne(g, x) {
    const node = g.nodes[x];
    if (node.kind === "gather") return keepsRows(g, x) && sumsToOne(g, node.args[0]);
    if (node.kind !== "map") return false;
    const [a, b] = node.args;
    if (node.op === "div") return isExponential(g, a) && isSumOf(g, b, a);
    if (node.op !== "mul") return false;
    const [part, inverse3] = isExponential(g, a) ? [a, b] : [b, a];
    const quotient = g.nodes[inverse3];
    return isExponential(g, part) && quotient.kind === "map" && quotient.op === "div" && g.constantOf(quotient.args[0]) === 1 && isSumOf(g, quotient.args[1], part);
  }
  function isExponential(g, x) {
    const node = g.nodes[x];
    return node.kind === "map" && node.op === "exp";
  }
  function isSumOf(g, total2, part) {
    const node = g.nodes[total2];
    if (node.kind === "reshape") return isSumOf(g, node.args[0], part);
    const last = g.shapeOf(part).length - 1;
    return node.kind === "reduce" && node.op === "sum" && node.args[0] === part && node.axes.length === 1 && node.axes[0] === last;
  }
  function keepsRows(g, x) {
    const node = g.nodes[x];
    if (node.kind !== "gather") return false;
    const extent = node.shape.at(-1) ?? 1;
    if (g.shapeOf(node.args[0]).at(-1) !== extent) return false;
    return node.index.every(
      (at, i) => i % extent === 0 ? at >= 0 && at % extent === 0 : at === node.index[i - 1] + 1
    );
  }

  // src/families/categories.ts
  function batchOf(g, value, table2, others) {
    const rows = g.shapeOf(table2).length === 1 ? value : g.reshape(sliceLast(g, table2, 0, 1), g.shapeOf(table2).slice(0, -1));
    return commonShape(g, [value, rows, ...others]);
  }
  function look(g, table2, code2, batch2) {
    const extent = lastExtent(g, table2);
    const within4 = g.map("maximum", g.map("minimum", code2, g.scalar(extent - 1)), g.scalar(0));
    if (!g.isHost(code2)) return lookByMask(g, table2, within4, batch2);
    if (g.shapeOf(table2).length === 1) return g.take(table2, g.broadcast(within4, batch2));
    const rows = [...batch2, extent];
    const full = sameShape(g.shapeOf(table2), rows) ? table2 : g.broadcast(table2, rows);
    return g.take(full, flatCodes(g, within4, batch2, extent));
  }
  function lookByMask(g, table2, code2, batch2) {
    const extent = lastExtent(g, table2);
    const codes3 = g.array(Float64Array.from({ length: extent }, (_, k) => k), [extent]);
    const chosen = g.map("eq", padRight(g, g.broadcast(code2, batch2)), codes3);
    return sumLast(g, g.where(chosen, table2, g.scalar(0)));
  }
  function codeConditions(g, code2, size) {
    return [g.map("ge", code2, g.scalar(0)), g.map("le", code2, g.scalar(size - 1))];
  }
  function drawCodes(size, fill3) {
    const p = new Float64Array(size);
    return (random2, _args, _law, out) => {
      for (let row = 0; row < out.length; row++) {
        fill3(row, p);
        out[row] = drawCode(random2, p, 0, size);
      }
    };
  }
  var codes2 = {
    eventRank: 0,
    discrete: true,
    proper: true,
    support: "code",
    transform: () => ({ kind: "identity" })
  };
  var categorical = {
    ...codes2,
    signature: {
      names: ["Categorical"],
      positional: ["p", "logit_p"],
      defaults: {},
      domains: { p: "simplex", logit_p: "real" },
      forms: [{ names: ["p"], canonical: (g, { p }) => [rescaledConstant(g, p)] }, {
        names: ["logit_p"],
        canonical: (g, given2) => [softmaxLast(g, given2.logit_p)]
      }]
    },
    parameters: ["p"],
    parameterRanks: [1],
    logDensity: (g, code2, { args: [p] }) => {
      const batch2 = batchOf(g, code2, p, []);
      const density = look(g, logOf(g, p), code2, batch2);
      const conditions = [...simplexConditions(g, p), ...codeConditions(g, code2, lastExtent(g, p))];
      return g.broadcast(guard(g, conditions, density), batch2);
    },
    draw: (random2, [p], law, out, component) => {
      const size = p.shape.at(-1);
      const fill3 = (row, into) => into.set(p.values.subarray(row * size, (row + 1) * size));
      drawCodes(size, fill3)(random2, [p], law, out, component);
    }
  };
  function cutpointConditions(g, cutpoints) {
    const gaps = lastExtent(g, cutpoints) - 1;
    if (gaps === 0 || knownAscending(g, cutpoints)) return [];
    const [low2, high2] = [sliceLast(g, cutpoints, 0, gaps), sliceLast(g, cutpoints, 1, gaps)];
    return [allLast(g, g.map("le", low2, high2))];
  }
  function edge(g, like, value) {
    const shape = [...g.shapeOf(like).slice(0, -1), 1];
    return g.array(new Float64Array(sizeOf(shape)).fill(value), shape);
  }
  function logGaps(g, cutpoints) {
    const gaps = lastExtent(g, cutpoints) - 1;
    const none2 = edge(g, cutpoints, 0);
    if (gaps === 0) return joinLast(g, none2, none2);
    const [low2, high2] = [sliceLast(g, cutpoints, 0, gaps), sliceLast(g, cutpoints, 1, gaps)];
    const inner = g.map("log1mexp", g.sub(low2, high2));
    return joinLast(g, joinLast(g, none2, inner), none2);
  }
  var orderedLogistic = {
    ...codes2,
    signature: {
      names: ["OrderedLogistic"],
      positional: ["eta", "cutpoints"],
      defaults: {},
      domains: { eta: "real", cutpoints: "ordered" },
      forms: [direct("eta", "cutpoints")]
    },
    parameters: ["eta", "cutpoints"],
    parameterRanks: [0, 1],
    logDensity: (g, code2, { args: [eta, cutpoints] }) => {
      const batch2 = batchOf(g, code2, cutpoints, [eta]);
      const above = joinLast(g, cutpoints, edge(g, cutpoints, Infinity));
      const below2 = joinLast(g, edge(g, cutpoints, -Infinity), cutpoints);
      const upper = g.map("softplus", g.sub(eta, look(g, above, code2, batch2)));
      const lower2 = g.map("softplus", g.sub(look(g, below2, code2, batch2), eta));
      const density = g.sub(look(g, logGaps(g, cutpoints), code2, batch2), g.add(upper, lower2));
      const conditions = [
        ...cutpointConditions(g, cutpoints),
        ...codeConditions(g, code2, lastExtent(g, cutpoints) + 1)
      ];
      return g.broadcast(guard(g, conditions, density), batch2);
    },
    draw: (random2, [eta, cutpoints], law, out, component) => {
      const fill3 = cumulativeFill(eta.values, cutpoints.values, void 0, sigmoid, out.length);
      drawCodes(cutpoints.shape.at(-1) + 1, fill3)(random2, [], law, out, component);
    }
  };
  var orderedProbit = {
    ...codes2,
    signature: {
      names: ["OrderedProbit"],
      positional: ["eta", "cutpoints", "sigma"],
      defaults: { sigma: 1 },
      domains: { eta: "real", cutpoints: "ordered", sigma: "positive" },
      forms: [direct("eta", "cutpoints", "sigma")]
    },
    parameters: ["eta", "cutpoints", "sigma"],
    parameterRanks: [0, 1, 0],
    logDensity: (g, code2, law) => {
      const [eta, cutpoints, sigma] = law.args;
      const batch2 = batchOf(g, code2, cutpoints, [eta, sigma]);
      const conditions = [
        ...domainConditions(g, sigma, "positive"),
        ...cutpointConditions(g, cutpoints),
        ...codeConditions(g, code2, lastExtent(g, cutpoints) + 1)
      ];
      return g.broadcast(guard(g, conditions, probitDensity(g, code2, law, batch2)), batch2);
    },
    draw: (random2, [eta, cutpoints, sigma], law, out, component) => {
      const fill3 = cumulativeFill(
        eta.values,
        cutpoints.values,
        sigma.values,
        normalCdf,
        out.length
      );
      drawCodes(cutpoints.shape.at(-1) + 1, fill3)(random2, [], law, out, component);
    }
  };
  function probitDensity(g, code2, { args }, batch2) {
    const [eta, cutpoints, sigma] = args;
    const last = lastExtent(g, cutpoints);
    const above = look(g, cutpoints, code2, batch2);
    const below2 = look(g, cutpoints, g.sub(code2, g.scalar(1)), batch2);
    const isFirst = g.map("le", code2, g.scalar(0));
    const isLast = g.map("ge", code2, g.scalar(last));
    const first2 = g.map("log_normal_cdf", standardised(g, above, eta, sigma));
    const final = g.map("log_normal_cdf", standardised(g, eta, below2, sigma));
    if (last === 1) return g.where(isFirst, first2, final);
    const low2 = g.where(isFirst, g.sub(above, g.scalar(1)), below2);
    const high2 = g.where(isLast, g.add(below2, g.scalar(1)), above);
    const between4 = logNormalInterval(
      g,
      standardised(g, low2, eta, sigma),
      standardised(g, high2, eta, sigma)
    );
    return g.where(isFirst, first2, g.where(isLast, final, between4));
  }
  function cumulativeFill(eta, cutpoints, sigma, cdf, rows) {
    const cuts = cutpoints.length / rows;
    return (row, p) => {
      let below2 = 0;
      for (let k = 0; k < cuts; k++) {
        const z = (cutpoints[row * cuts + k] - eta[row]) / (sigma?.[row] ?? 1);
        const up = cdf(z);
        p[k] = up - below2;
        below2 = up;
      }
      p[cuts] = 1 - below2;
    };
  }

  // src/families/bounded_laws.ts
  function tails(familyOf2, g, base) {
    const family = familyOf2(base.family);
    const cdf = (x) => family.logCdf(g, x, base);
    const survival = (x) => family.logSurvival ? family.logSurvival(g, x, base) : g.map("log1mexp", cdf(x));
    const before = (x) => family.discrete ? g.sub(x, g.scalar(1)) : x;
    return { cdf, survival, before };
  }
  function boundsOf(g, { args: [lower2, upper] }) {
    return {
      lower: lower2,
      upper,
      hasLower: g.constantOf(lower2) !== -Infinity,
      hasUpper: g.constantOf(upper) !== Infinity
    };
  }
  function logMass(familyOf2, g, law) {
    const { lower: lower2, upper, hasLower, hasUpper } = boundsOf(g, law);
    const { cdf, survival, before } = tails(familyOf2, g, law.components[0]);
    if (!hasLower) return hasUpper ? cdf(upper) : g.scalar(0);
    if (!hasUpper) return survival(before(lower2));
    const [low2, high2] = [cdf(before(lower2)), cdf(upper)];
    const flip2 = g.map("gt", low2, g.scalar(-log2));
    const most2 = g.where(flip2, survival(before(lower2)), high2);
    const less = g.where(flip2, survival(upper), low2);
    return g.add(most2, g.map("log1mexp", g.sub(less, most2)));
  }
  function boundConditions(g, law) {
    const { lower: lower2, upper, hasLower, hasUpper } = boundsOf(g, law);
    return hasLower && hasUpper ? ascending(g, lower2, upper) : [];
  }
  function truncated(familyOf2) {
    return {
      signature: {
        names: ["Truncated"],
        positional: ["dist", "lower", "upper", "max_n_steps"],
        defaults: { lower: -Infinity, upper: Infinity },
        domains: { dist: "law", lower: "bound", upper: "bound", max_n_steps: "size" },
        forms: [direct("lower", "upper")]
      },
      parameters: ["lower", "upper"],
      parameterRanks: [0, 0],
      eventRank: 0,
      discrete: false,
      proper: true,
      support: "components",
      logDensity: (g, x, law) => {
        const { lower: lower2, upper, hasLower, hasUpper } = boundsOf(g, law);
        const base = law.components[0];
        const density = familyOf2(base.family).logDensity(g, x, base);
        const conditions = [
          ...boundConditions(g, law),
          ...hasLower ? [g.map("ge", x, lower2)] : [],
          ...hasUpper ? [g.map("le", x, upper)] : []
        ];
        return guard(g, conditions, g.sub(density, logMass(familyOf2, g, law)));
      },
      transform: (_g, { args: [lower2, upper], components: components2 }) => familyOf2(components2[0].family).discrete ? { kind: "identity" } : { kind: "interval", lower: lower2, upper },
      draw: (_random, [lower2, upper], _law, out, component) => {
        const fresh = new Float64Array(out.length);
        const within4 = (i) => fresh[i] >= lower2.values[i] && fresh[i] <= upper.values[i];
        const open2 = new Set(out.keys());
        out.fill(NaN);
        for (let round2 = 0; round2 < 1e4 && open2.size > 0; round2++) {
          component(0, fresh);
          for (const i of open2) {
            if (!within4(i)) continue;
            out[i] = fresh[i];
            open2.delete(i);
          }
        }
      }
    };
  }
  function censored(familyOf2) {
    return {
      signature: {
        names: ["Censored"],
        positional: ["dist", "lower", "upper"],
        defaults: { lower: -Infinity, upper: Infinity },
        domains: { dist: "law", lower: "bound", upper: "bound" },
        forms: [direct("lower", "upper")]
      },
      parameters: ["lower", "upper"],
      parameterRanks: [0, 0],
      eventRank: 0,
      discrete: false,
      proper: true,
      support: "components",
      logDensity: (g, x, law) => censoredDensity(familyOf2, g, x, law),
      transform: () => ({ kind: "identity" }),
      draw: (_random, [lower2, upper], _law, out, component) => {
        component(0, out);
        for (let i = 0; i < out.length; i++) {
          out[i] = Math.min(upper.values[i], Math.max(lower2.values[i], out[i]));
        }
      }
    };
  }
  function censoredDensity(familyOf2, g, x, law) {
    const { lower: lower2, upper, hasLower, hasUpper } = boundsOf(g, law);
    const base = law.components[0];
    const { cdf, survival, before } = tails(familyOf2, g, base);
    let density = familyOf2(base.family).logDensity(g, x, base);
    const conditions = boundConditions(g, law);
    if (hasLower) {
      density = g.where(g.map("eq", x, lower2), cdf(lower2), density);
      conditions.push(g.map("ge", x, lower2));
    }
    if (hasUpper) {
      density = g.where(g.map("eq", x, upper), survival(before(upper)), density);
      conditions.push(g.map("le", x, upper));
    }
    return guard(g, conditions, density);
  }

  // src/families/mixtures.ts
  function logWeight(g, logWeights, k) {
    return g.reshape(pickLast(g, logWeights, [k]), g.shapeOf(logWeights).slice(0, -1));
  }
  function logSumExpOf(g, terms) {
    const largest2 = terms.reduce((a, b) => g.map("maximum", a, b));
    const level = finiteLevel(g, g.map("round", largest2));
    const powers = terms.map((term) => g.exp(g.sub(term, level)));
    return g.add(g.log(powers.reduce((a, b) => g.add(a, b))), level);
  }
  function hasFiniteLog(familyOf2, g, x, { family, args }) {
    switch (familyOf2(family).support) {
      case "real":
        return true;
      case "positive":
      case "non_negative":
        return knownPositive(g, x);
      case "count":
        return (family === "poisson" || family === "negative_binomial") && knownNonNegative(g, x) && knownPositive(g, args[0]);
      default:
        return false;
    }
  }
  function mixture(familyOf2) {
    const combined2 = (which) => (g, x, law) => {
      const weights = law.args[0];
      const conditions = simplexConditions(g, weights);
      return guard(g, conditions, mixed(familyOf2, g, x, law, which));
    };
    return {
      signature: {
        names: ["Mixture"],
        positional: ["w", "comp_dists"],
        defaults: {},
        domains: { w: "simplex", comp_dists: "law" },
        forms: [direct("w")]
      },
      parameters: ["w"],
      parameterRanks: [1],
      eventRank: 0,
      discrete: false,
      proper: true,
      support: "components",
      logDensity: combined2("logDensity"),
      logCdf: combined2("logCdf"),
      transform: (g, law) => {
        const transforms = law.components.map((one3) => familyOf2(one3.family).transform(g, one3));
        const [first2] = transforms;
        const alike = transforms.every((one3) => JSON.stringify(one3) === JSON.stringify(first2));
        return alike ? first2 : { kind: "identity" };
      },
      draw: (random2, [w], law, out, component) => drawMixture(random2, w, law, out, component)
    };
  }
  function mixed(familyOf2, g, x, law, which) {
    const logWeights = logOf(g, law.args[0]);
    const components2 = law.components;
    const formula = (one3) => familyOf2(one3.family)[which];
    if (components2.length === 1) {
      const each = formula(components2[0])(g, padRight(g, x), components2[0]);
      return logSumExpLast(g, g.add(each, logWeights));
    }
    const terms = components2.map(
      (one3, k) => g.add(formula(one3)(g, x, one3), logWeight(g, logWeights, k))
    );
    const finite2 = which === "logDensity" && knownPositive(g, law.args[0]) && components2.every((one3) => hasFiniteLog(familyOf2, g, x, one3));
    return finite2 ? terms.reduceRight((sum3, term) => logAddExp(g, term, sum3)) : logSumExpOf(g, terms);
  }
  function drawMixture(random2, w, law, out, component) {
    const count = w.shape.at(-1);
    const rows = w.values.length / count;
    const event = out.length / rows;
    const single = law.components.length === 1;
    const all = new Float64Array(count * out.length);
    if (single) component(0, all);
    else for (let k = 0; k < count; k++) component(k, all.subarray(k * out.length));
    for (let row = 0; row < rows; row++) {
      const k = drawCode(random2, w.values, row * count, count);
      const from = single ? (row * count + k) * event : k * out.length + row * event;
      out.set(all.subarray(from, from + event), row * event);
    }
  }
  var normalMixture = {
    signature: {
      names: ["NormalMixture"],
      positional: ["w", "mu", "sigma", "tau"],
      defaults: { sigma: 1 },
      domains: { w: "simplex", mu: "real", sigma: "positive", tau: "positive" },
      forms: [
        direct("w", "mu", "sigma"),
        precision("tau", ["w", "mu", "tau"], ["w", "mu", "sigma"])
      ].map((form) => ({
        names: form.names,
        canonical: (g, given2) => {
          const args = form.canonical(g, given2);
          const count = lastExtent(g, args[0]);
          return args.map((x) => alongComponents(g, x, count));
        }
      }))
    },
    parameters: ["w", "mu", "sigma"],
    parameterRanks: [1, 1, 1],
    eventRank: 0,
    discrete: false,
    proper: true,
    support: "real",
    transform: () => ({ kind: "identity" }),
    logDensity: (g, x, { args: [w, mu, sigma] }) => {
      const logWeights = logOf(g, w);
      const conditions = [
        ...simplexConditions(g, w),
        ...domainConditions(g, sigma, "positive").map((each2) => allLast(g, each2))
      ];
      const count = lastExtent(g, w);
      if (count <= 4 && knownPositive(g, w)) {
        const terms = Array.from({ length: count }, (_, k) => {
          const one3 = (node) => logWeight(g, node, k);
          return g.add(normalDensity(g, x, one3(mu), one3(sigma)), one3(logWeights));
        });
        return guard(g, conditions, terms.reduceRight((sum3, term) => logAddExp(g, term, sum3)));
      }
      const each = g.add(normalDensity(g, padRight(g, x), mu, sigma), logWeights);
      return guard(g, conditions, logSumExpLast(g, each));
    },
    draw: (random2, [w, mu, sigma], _law, out) => {
      const count = w.shape.at(-1);
      for (let row = 0; row < out.length; row++) {
        const k = row * count + drawCode(random2, w.values, row * count, count);
        out[row] = mu.values[k] + sigma.values[k] * drawNormal(random2);
      }
    }
  };
  function alongComponents(g, x, count) {
    const shape = g.shapeOf(x);
    if (shape.at(-1) === count) return x;
    return g.broadcast(x, [...shape.slice(0, -1), count]);
  }

  // src/families/counts.ts
  function bernoulliByLogit(g, y, u) {
    return g.sub(g.mul(y, u), g.map("softplus", u));
  }
  function bernoulliDensity(g, y, p) {
    const u = logitOf(g, p);
    if (u !== void 0) return bernoulliByLogit(g, y, u);
    const known5 = structuralLog(g, p) !== void 0 || structuralLog1m(g, p) !== void 0;
    if (known5 || sizeOf(g.shapeOf(p)) < sizeOf(g.shapeOf(y))) {
      return g.where(y, logOf(g, p), log1mOf(g, p));
    }
    return g.log(g.where(y, p, complement(g, p)));
  }
  var bernoulli = univariate({
    signature: {
      names: ["Bernoulli"],
      positional: ["p", "logit_p"],
      defaults: {},
      domains: { p: "unit", logit_p: "real" },
      forms: [direct("p"), {
        names: ["logit_p"],
        canonical: (g, given2) => [g.map("sigmoid", given2.logit_p)]
      }]
    },
    parameters: { p: "unit" },
    support: "binary",
    discrete: true,
    density: bernoulliDensity,
    logCdf: (g, _y, p) => log1mOf(g, p),
    logSurvival: (g, _y, p) => logOf(g, p),
    sample: (random2, p) => random2.uniform() < p ? 1 : 0
  });
  function logTrials(g, k, m, p) {
    const u = logitOf(g, p);
    if (u === void 0) return g.add(logPower(g, p, k), logPower1m(g, p, m));
    return g.sub(g.mul(k, u), g.mul(g.add(k, m), g.map("softplus", u)));
  }
  var binomial = univariate({
    signature: {
      names: ["Binomial"],
      positional: ["n", "p", "logit_p"],
      defaults: {},
      domains: { n: "count", p: "unit", logit_p: "real" },
      forms: [direct("n", "p"), {
        names: ["n", "logit_p"],
        canonical: (g, given2) => [given2.n, g.map("sigmoid", given2.logit_p)]
      }]
    },
    parameters: { n: "count", p: "unit" },
    support: "bounded_count",
    discrete: true,
    ends: (g, n) => ({ lower: g.scalar(0), upper: n }),
    conditions: (g, y, n) => [g.map("le", y, n)],
    density: (g, y, n, p) => g.add(logTrials(g, y, g.sub(n, y), p), logBinomial(g, n, y)),
    logCdf: (g, y, n, p) => logChance(g, g.map("betainc", g.sub(n, y), plus(g, y, 1), complement(g, p))),
    logSurvival: (g, y, n, p) => logChance(g, g.map("betainc", plus(g, y, 1), g.sub(n, y), p)),
    sample: drawBinomial
  });
  function poissonDensity(g, y, mu) {
    return g.sub(g.sub(logPower(g, mu, y), mu), logFactorial(g, y));
  }
  var poisson = univariate({
    signature: {
      names: ["Poisson"],
      positional: ["mu"],
      defaults: {},
      domains: { mu: "non_negative" },
      forms: [direct("mu")]
    },
    parameters: { mu: "non_negative" },
    support: "count",
    discrete: true,
    density: poissonDensity,
    logCdf: (g, y, mu) => logChance(g, g.map("gammaincc", plus(g, y, 1), mu)),
    logSurvival: (g, y, mu) => logChance(g, g.map("gammainc", plus(g, y, 1), mu)),
    sample: drawPoisson
  });
  function byChance(shape) {
    return {
      names: ["p", shape],
      canonical: (g, given2) => {
        const mu = g.div(g.mul(given2[shape], complement(g, given2.p)), given2.p);
        return [mu, given2[shape]];
      }
    };
  }
  var negativeBinomialForms = [
    direct("mu", "alpha"),
    direct("mu", "n"),
    byChance("n"),
    byChance("alpha")
  ];
  function negativeBinomialDensity(g, y, mu, alpha) {
    const tail2 = g.map("log1p", g.mul(mu, inverse(g, alpha)));
    const kernel = g.sub(g.mul(y, logOf(g, mu)), g.mul(g.add(y, alpha), tail2));
    const choose2 = g.sub(lgammaShifted(g, y, alpha), logFactorial(g, y));
    const perShape = g.add(g.mul(y, logOf(g, alpha)), g.map("lgamma", alpha));
    return g.add(g.sub(kernel, perShape), choose2);
  }
  var chance = (g, mu, alpha) => g.div(alpha, g.add(alpha, mu));
  var negativeBinomial = univariate({
    signature: {
      names: ["NegativeBinomial"],
      positional: ["mu", "alpha", "p", "n"],
      defaults: {},
      domains: { mu: "positive", alpha: "positive", p: "open_unit", n: "positive" },
      forms: negativeBinomialForms
    },
    parameters: { mu: "positive", alpha: "positive" },
    support: "count",
    discrete: true,
    density: negativeBinomialDensity,
    logCdf: (g, y, mu, alpha) => logChance(g, g.map("betainc", alpha, plus(g, y, 1), chance(g, mu, alpha))),
    logSurvival: (g, y, mu, alpha) => logChance(g, g.map("betainc", plus(g, y, 1), alpha, chance(g, alpha, mu))),
    sample: drawNegativeBinomial
  });
  var geometric = univariate({
    signature: {
      names: ["Geometric"],
      positional: ["p"],
      defaults: {},
      domains: { p: "unit" },
      forms: [direct("p")]
    },
    parameters: { p: "unit" },
    support: "count",
    discrete: true,
    ends: (g) => ({ lower: g.scalar(1) }),
    conditions: (g, y) => [g.map("ge", y, g.scalar(1))],
    density: (g, y, p) => g.add(logOf(g, p), logPower1m(g, p, plus(g, y, -1))),
    logCdf: (g, y, p) => logComplement(g, g.mul(y, log1mOf(g, p))),
    logSurvival: (g, y, p) => g.mul(y, log1mOf(g, p)),
    sample: drawGeometric
  });
  var hypergeometric = univariate({
    signature: {
      names: ["HyperGeometric"],
      positional: ["N", "k", "n"],
      defaults: {},
      domains: { N: "count", k: "count", n: "count" },
      forms: [direct("N", "k", "n")]
    },
    parameters: { N: "count", k: "count", n: "count" },
    support: "count",
    discrete: true,
    conditions: (g, y, N, k, n) => [
      g.map("ge", y, g.sub(g.add(n, k), N)),
      g.map("le", y, k),
      g.map("le", y, n)
    ],
    density: (g, y, N, k, n) => {
      const chosen = g.add(
        logBinomial(g, k, y),
        logBinomial(g, g.sub(N, k), g.sub(n, y))
      );
      return g.sub(chosen, logBinomial(g, N, n));
    },
    sample: drawHypergeometric
  });
  var betaBinomial = univariate({
    signature: {
      names: ["BetaBinomial"],
      positional: ["alpha", "beta", "n"],
      defaults: {},
      domains: { alpha: "positive", beta: "positive", n: "count" },
      forms: [direct("n", "alpha", "beta")]
    },
    parameters: { n: "count", alpha: "positive", beta: "positive" },
    support: "bounded_count",
    discrete: true,
    conditions: (g, y, n) => [g.map("le", y, n)],
    density: (g, y, n, alpha, beta2) => {
      const successes = lgammaShifted(g, y, alpha);
      const failures = lgammaShifted(g, g.sub(n, y), beta2);
      const trials = lgammaShifted(g, n, g.add(alpha, beta2));
      const posterior = g.sub(g.add(successes, failures), trials);
      return g.add(g.sub(posterior, logBeta(g, alpha, beta2)), logBinomial(g, n, y));
    },
    sample: (random2, n, alpha, beta2) => drawBinomial(random2, n, drawBeta(random2, alpha, beta2))
  });
  var discreteUniform = univariate({
    signature: {
      names: ["DiscreteUniform"],
      positional: ["lower", "upper"],
      defaults: {},
      domains: { lower: "real", upper: "real" },
      forms: [{
        names: ["lower", "upper"],
        canonical: (g, { lower: lower2, upper }) => [g.map("floor", lower2), g.map("floor", upper)]
      }]
    },
    parameters: { lower: "real", upper: "real" },
    support: "interval",
    discrete: true,
    transform: () => ({ kind: "identity" }),
    ends: (_g, lower2, upper) => ({ lower: lower2, upper }),
    consistent: (g, lower2, upper) => [g.map("le", lower2, upper)],
    conditions: (g, y, lower2, upper) => [g.map("ge", y, lower2), g.map("le", y, upper)],
    density: (g, _y, lower2, upper) => g.neg(g.log(plus(g, g.sub(upper, lower2), 1))),
    logCdf: (g, y, lower2, upper) => g.log(g.div(plus(g, g.sub(y, lower2), 1), plus(g, g.sub(upper, lower2), 1))),
    logSurvival: (g, y, lower2, upper) => g.log(g.div(g.sub(upper, y), plus(g, g.sub(upper, lower2), 1))),
    sample: (random2, lower2, upper) => lower2 + random2.below(upper - lower2 + 1)
  });
  var discreteWeibull = univariate({
    signature: {
      names: ["DiscreteWeibull"],
      positional: ["q", "beta"],
      defaults: {},
      domains: { q: "open_unit", beta: "positive" },
      forms: [direct("q", "beta")]
    },
    parameters: { q: "open_unit", beta: "positive" },
    support: "count",
    discrete: true,
    density: (g, y, q, beta2) => {
      const logQ = logOf(g, q);
      const here = countPower(g, y, beta2);
      const step = g.sub(countPower(g, plus(g, y, 1), beta2), here);
      return g.add(g.mul(here, logQ), g.map("log1mexp", g.mul(step, logQ)));
    },
    logCdf: (g, y, q, beta2) => logComplement(g, g.mul(countPower(g, plus(g, y, 1), beta2), logOf(g, q))),
    logSurvival: (g, y, q, beta2) => g.mul(countPower(g, plus(g, y, 1), beta2), logOf(g, q)),
    sample: (random2, q, beta2) => Math.ceil(pow(log(random2.uniform()) / log(q), 1 / beta2)) - 1
  });
  function countPower(g, y, beta2) {
    if (knownPositive(g, y)) return g.exp(g.mul(beta2, g.log(y)));
    const isZero = g.map("eq", y, g.scalar(0));
    const safe = g.where(isZero, g.scalar(1), y);
    return g.where(isZero, g.scalar(0), g.exp(g.mul(beta2, g.log(safe))));
  }

  // src/families/positive.ts
  var halfNormal = univariate({
    signature: {
      names: ["HalfNormal"],
      positional: ["sigma", "tau"],
      defaults: { sigma: 1 },
      domains: { sigma: "positive", tau: "positive" },
      forms: [direct("sigma"), precision("tau", ["tau"], ["sigma"])]
    },
    parameters: { sigma: "positive" },
    support: "non_negative",
    density: (g, x, sigma) => {
      const kernel = times(g, -0.5, g.square(scaled(g, x, sigma)));
      return g.sub(kernel, plus(g, logOf(g, sigma), halfLog2Pi2 - log2));
    },
    logCdf: (g, x, sigma) => g.log(g.map("erf", times(g, Math.SQRT1_2, scaled(g, x, sigma)))),
    logSurvival: (g, x, sigma) => plus(g, g.map("log_normal_cdf", g.neg(scaled(g, x, sigma))), log2),
    sample: (random2, sigma) => sigma * Math.abs(drawNormal(random2))
  });
  function logNormalDensity(g, x, mu, sigma) {
    const logX = logOf(g, x);
    const kernel = times(g, -0.5, g.square(standardised(g, logX, mu, sigma)));
    return g.sub(g.sub(kernel, logX), plus(g, logOf(g, sigma), halfLog2Pi2));
  }
  var logNormal = univariate({
    signature: {
      names: ["LogNormal", "Lognormal"],
      positional: ["mu", "sigma", "tau"],
      defaults: { mu: 0, sigma: 1 },
      domains: { mu: "real", sigma: "positive", tau: "positive" },
      forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])]
    },
    parameters: { mu: "real", sigma: "positive" },
    support: "positive",
    density: logNormalDensity,
    logCdf: (g, x, mu, sigma) => normalLogCdf(g, logOf(g, x), mu, sigma),
    logSurvival: (g, x, mu, sigma) => normalLogSurvival(g, logOf(g, x), mu, sigma),
    sample: (random2, mu, sigma) => exp(mu + sigma * drawNormal(random2))
  });
  var halfStudentT = univariate({
    signature: {
      names: ["HalfStudentT"],
      positional: ["nu", "sigma", "lam"],
      defaults: { sigma: 1 },
      domains: { nu: "positive", sigma: "positive", lam: "positive" },
      forms: [direct("nu", "sigma"), precision("lam", ["nu", "lam"], ["nu", "sigma"])]
    },
    parameters: { nu: "positive", sigma: "positive" },
    support: "non_negative",
    density: (g, x, nu, sigma) => {
      const normaliser = plus(g, g.sub(studentNormaliser(g, nu), logOf(g, sigma)), log2);
      return g.add(studentKernel(g, scaled(g, x, sigma), nu), normaliser);
    },
    sample: (random2, nu, sigma) => sigma * Math.abs(drawStudentT(random2, nu))
  });
  var halfCauchy = univariate({
    signature: {
      names: ["HalfCauchy"],
      positional: ["beta"],
      defaults: {},
      domains: { beta: "positive" },
      forms: [direct("beta")]
    },
    parameters: { beta: "positive" },
    support: "non_negative",
    density: (g, x, beta2) => {
      const tail2 = g.map("log1p", g.square(scaled(g, x, beta2)));
      return g.sub(g.neg(tail2), plus(g, logOf(g, beta2), logPi - log2));
    },
    logCdf: (g, x, beta2) => plus(g, g.log(g.map("atan", scaled(g, x, beta2))), log2 - logPi),
    // π/2 − atan(x/β) is atan(β/x).
    logSurvival: (g, x, beta2) => plus(g, g.log(g.map("atan", g.div(beta2, x))), log2 - logPi),
    sample: (random2, beta2) => beta2 * Math.abs(drawCauchy(random2))
  });
  var exponential2 = univariate({
    signature: {
      names: ["Exponential"],
      positional: ["lam"],
      keywordOnly: ["scale"],
      defaults: { lam: 1 },
      domains: { lam: "positive", scale: "positive" },
      forms: [direct("lam"), {
        names: ["scale"],
        canonical: (g, { scale }) => [g.div(g.scalar(1), scale)]
      }]
    },
    parameters: { lam: "positive" },
    support: "non_negative",
    density: (g, x, lam) => g.sub(logOf(g, lam), g.mul(lam, x)),
    logCdf: (g, x, lam) => logComplement(g, g.neg(g.mul(lam, x))),
    logSurvival: (g, x, lam) => g.neg(g.mul(lam, x)),
    sample: (random2, lam) => drawExponential(random2) / lam
  });
  function gammaMoments(g, { mu, sigma }) {
    const variance = g.square(sigma);
    return [g.div(g.square(mu), variance), g.div(mu, variance)];
  }
  function gammaDensity(g, x, alpha, beta2) {
    const normaliser = g.sub(g.mul(alpha, logOf(g, beta2)), g.map("lgamma", alpha));
    const kernel = g.sub(logPower(g, x, plus(g, alpha, -1)), g.mul(beta2, x));
    return g.add(kernel, normaliser);
  }
  var gammaForms = [direct("alpha", "beta"), {
    names: ["mu", "sigma"],
    canonical: gammaMoments
  }];
  var gamma2 = univariate({
    signature: {
      names: ["Gamma"],
      positional: ["alpha", "beta", "mu", "sigma"],
      defaults: {},
      domains: { alpha: "positive", beta: "positive", mu: "positive", sigma: "positive" },
      forms: gammaForms
    },
    parameters: { alpha: "positive", beta: "positive" },
    support: "non_negative",
    density: gammaDensity,
    logCdf: (g, x, alpha, beta2) => logChance(g, g.map("gammainc", alpha, g.mul(beta2, x))),
    logSurvival: (g, x, alpha, beta2) => logChance(g, g.map("gammaincc", alpha, g.mul(beta2, x))),
    sample: (random2, alpha, beta2) => drawGamma(random2, alpha) / beta2
  });
  var chiSquared = univariate({
    signature: {
      names: ["ChiSquared"],
      positional: ["nu"],
      defaults: {},
      domains: { nu: "positive" },
      forms: [direct("nu")]
    },
    parameters: { nu: "positive" },
    support: "non_negative",
    density: (g, x, nu) => gammaDensity(g, x, times(g, 0.5, nu), g.scalar(0.5)),
    logCdf: (g, x, nu) => logChance(g, g.map("gammainc", times(g, 0.5, nu), times(g, 0.5, x))),
    logSurvival: (g, x, nu) => logChance(g, g.map("gammaincc", times(g, 0.5, nu), times(g, 0.5, x))),
    sample: (random2, nu) => 2 * drawGamma(random2, 0.5 * nu)
  });
  function inverseGammaMoments(g, { mu, sigma }) {
    const [m2, s2] = [g.square(mu), g.square(sigma)];
    const beta2 = g.div(g.mul(mu, g.add(m2, s2)), s2);
    return [g.div(g.add(times(g, 2, s2), m2), s2), beta2];
  }
  var inverseGamma = univariate({
    signature: {
      names: ["InverseGamma"],
      positional: ["alpha", "beta", "mu", "sigma"],
      defaults: { beta: 1 },
      domains: { alpha: "positive", beta: "positive", mu: "positive", sigma: "positive" },
      forms: [direct("alpha", "beta"), { names: ["mu", "sigma"], canonical: inverseGammaMoments }]
    },
    parameters: { alpha: "positive", beta: "positive" },
    support: "positive",
    density: (g, x, alpha, beta2) => {
      const normaliser = g.sub(g.mul(alpha, logOf(g, beta2)), g.map("lgamma", alpha));
      const kernel = g.add(g.mul(plus(g, alpha, 1), logOf(g, x)), g.div(beta2, x));
      return g.sub(normaliser, kernel);
    },
    logCdf: (g, x, alpha, beta2) => logChance(g, g.map("gammaincc", alpha, g.div(beta2, x))),
    logSurvival: (g, x, alpha, beta2) => logChance(g, g.map("gammainc", alpha, g.div(beta2, x))),
    sample: (random2, alpha, beta2) => beta2 / drawGamma(random2, alpha)
  });
  var halfFlat = univariate({
    signature: {
      names: ["HalfFlat"],
      positional: [],
      defaults: {},
      domains: {},
      forms: [direct()]
    },
    parameters: {},
    support: "non_negative",
    proper: false,
    density: (g) => g.scalar(0),
    sample: () => NaN
  });

  // src/families/extra_zeros.ts
  function withShare({ names: names2, canonical }) {
    return {
      names: ["psi", ...names2],
      canonical: (g, given2) => [given2.psi, ...canonical(g, given2)]
    };
  }
  function signatureOf(base) {
    return {
      names: [base.name],
      positional: ["psi", ...base.positional],
      defaults: base.defaults ?? {},
      domains: { psi: "unit", ...base.domains },
      forms: base.forms.map(withShare)
    };
  }
  function zeroInflated(base) {
    return univariate({
      signature: signatureOf(base),
      parameters: { psi: "unit", ...base.parameters },
      support: base.support,
      discrete: base.discrete,
      conditions: (g, x, _psi, ...params) => base.conditions?.(g, x, ...params) ?? [],
      density: (g, x, psi, ...params) => {
        const fromBase = g.add(base.density(g, x, ...params), logOf(g, psi));
        const extra = log1mOf(g, psi);
        const atZero = knownPositive(g, psi) ? logAddExp(g, extra, fromBase) : g.where(g.map("gt", psi, g.scalar(0)), logAddExp(g, extra, fromBase), extra);
        return g.where(g.map("eq", x, g.scalar(0)), atZero, fromBase);
      },
      sample: (random2, psi, ...params) => random2.uniform() < psi ? base.sample(random2, ...params) : 0
    });
  }
  function hurdle(base) {
    return univariate({
      signature: signatureOf(base),
      parameters: { psi: "unit", ...base.parameters },
      support: base.discrete ? "count" : "non_negative",
      discrete: base.discrete,
      // PyMC gives it no transform of its own: it is for data.
      transform: () => ({ kind: "identity" }),
      density: (g, x, psi, ...params) => {
        const isZero = g.map("eq", x, g.scalar(0));
        const safe = g.where(isZero, g.scalar(1), x);
        let rest = g.add(base.density(g, safe, ...params), logOf(g, psi));
        if (base.discrete) {
          const atZero = base.density(g, g.scalar(0), ...params);
          rest = g.sub(rest, g.map("log1mexp", atZero));
        }
        return g.where(isZero, log1mOf(g, psi), rest);
      },
      sample: (random2, psi, ...params) => {
        if (random2.uniform() >= psi) return 0;
        for (let tries = 0; tries < 1e4; tries++) {
          const x = base.sample(random2, ...params);
          if (x !== 0) return x;
        }
        return NaN;
      }
    });
  }
  var poissonBase = (name2) => ({
    name: name2,
    positional: ["mu"],
    domains: { mu: "non_negative" },
    forms: [direct("mu")],
    parameters: { mu: "non_negative" },
    support: "count",
    discrete: true,
    density: poissonDensity,
    sample: drawPoisson
  });
  var negativeBinomialBase = (name2) => ({
    name: name2,
    positional: ["mu", "alpha", "p", "n"],
    domains: { mu: "positive", alpha: "positive", p: "open_unit", n: "positive" },
    forms: negativeBinomialForms,
    parameters: { mu: "positive", alpha: "positive" },
    support: "count",
    discrete: true,
    density: negativeBinomialDensity,
    sample: drawNegativeBinomial
  });
  var binomialBase = {
    name: "ZeroInflatedBinomial",
    positional: ["n", "p"],
    domains: { n: "count", p: "unit" },
    forms: [direct("n", "p")],
    parameters: { n: "count", p: "unit" },
    support: "bounded_count",
    discrete: true,
    conditions: (g, y, n) => [g.map("le", y, n)],
    density: (g, y, n, p) => binomial.logDensity(g, y, { family: "binomial", args: [n, p], shape: [] }),
    sample: drawBinomial
  };
  var zeroInflatedPoisson = zeroInflated(
    poissonBase("ZeroInflatedPoisson")
  );
  var zeroInflatedBinomial = zeroInflated(binomialBase);
  var zeroInflatedNegativeBinomial = zeroInflated(
    negativeBinomialBase("ZeroInflatedNegativeBinomial")
  );
  var hurdlePoisson = hurdle(poissonBase("HurdlePoisson"));
  var hurdleNegativeBinomial = hurdle(
    negativeBinomialBase("HurdleNegativeBinomial")
  );
  var hurdleGamma = hurdle({
    name: "HurdleGamma",
    positional: ["alpha", "beta", "mu", "sigma"],
    domains: { alpha: "positive", beta: "positive", mu: "positive", sigma: "positive" },
    forms: gammaForms,
    parameters: { alpha: "positive", beta: "positive" },
    support: "non_negative",
    discrete: false,
    density: gammaDensity,
    sample: (random2, alpha, beta2) => drawGamma(random2, alpha) / beta2
  });
  var hurdleLogNormal = hurdle({
    name: "HurdleLogNormal",
    positional: ["mu", "sigma", "tau"],
    defaults: { mu: 0, sigma: 1 },
    domains: { mu: "real", sigma: "positive", tau: "positive" },
    forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])],
    parameters: { mu: "real", sigma: "positive" },
    support: "non_negative",
    discrete: false,
    density: logNormalDensity,
    sample: (random2, mu, sigma) => exp(mu + sigma * drawNormal(random2))
  });

  // src/families/transforms.ts
  function unconstrainedShape(transform, shape) {
    switch (transform.kind) {
      case "simplex":
        return [...shape.slice(0, -1), shape.at(-1) - 1];
      case "zero_sum":
        return shape.map((extent, i) => i < shape.length - transform.axes ? extent : extent - 1);
      case "summed":
        return [0];
      case "chain":
        return transform.parts.reduceRight(
          (inner, part) => unconstrainedShape(part, inner),
          shape
        );
      default:
        return shape;
    }
  }
  function forward(g, transform, q) {
    switch (transform.kind) {
      case "identity":
        return q;
      case "log":
        return g.exp(q);
      case "logodds":
        return g.map("sigmoid", q);
      case "interval":
        return intoInterval(g, transform.lower, transform.upper, q);
      case "circular":
        return wrapped(g, q);
      case "affine":
        return g.add(transform.location, g.mul(transform.scale, q));
      case "walk":
        return walked(g, transform.location, transform.scale, q);
      case "linear":
        return g.add(transform.location, g.matmul(q, transposed(g, transform.factor)));
      case "ordered":
        return g.scan("cumsum", spacings(g, q), g.shapeOf(q).length - 1);
      case "simplex":
        return softmaxLast(g, balanced2(g, q));
      case "zero_sum":
        return zeroSum(g, q, transform.axes);
      case "cholesky_factor":
        return positiveDiagonal(g, q, transform.n);
      case "summed":
        throw new Error("internal: a discrete variable has no unconstrained numbers");
      case "chain":
        return transform.parts.reduce((value, part) => forward(g, part, value), q);
    }
  }
  function logJacobian(g, transform, q) {
    switch (transform.kind) {
      case "identity":
      case "circular":
      case "zero_sum":
      case "summed":
        return g.scalar(0);
      case "log":
        return q;
      case "logodds":
        return logoddsJacobian(g, q);
      case "affine":
        return g.broadcast(g.log(transform.scale), g.shapeOf(q));
      case "walk":
      case "linear":
        throw new Error("internal: measured by what it is made of");
      case "interval":
        return intervalJacobian(g, transform.lower, transform.upper, q);
      case "ordered":
        return sumLast(g, sliceLast(g, q, 1, g.shapeOf(q).at(-1) - 1));
      case "simplex":
        return simplexJacobian(g, q);
      case "cholesky_factor":
        return sumLast(g, pickLast(g, q, diagonalOf2(transform.n)));
      case "chain":
        return chainJacobian(g, transform.parts, q);
    }
  }
  function chainJacobian(g, parts, q) {
    let [value, total2] = [q, g.scalar(0)];
    for (const part of parts) {
      const term = logJacobian(g, part, value);
      const alike = g.constantOf(total2) === 0 || g.constantOf(term) === 0 || g.shapeOf(total2).length === g.shapeOf(term).length;
      total2 = alike ? g.add(total2, term) : g.add(g.sum(total2), g.sum(term));
      value = forward(g, part, value);
    }
    return total2;
  }
  function bounds(g, lower2, upper) {
    return [g.constantOf(lower2) !== -Infinity, g.constantOf(upper) !== Infinity];
  }
  function intoInterval(g, lower2, upper, q) {
    const [below2, above] = bounds(g, lower2, upper);
    if (below2 && above) return g.add(lower2, g.mul(g.sub(upper, lower2), g.map("sigmoid", q)));
    if (below2) return g.add(lower2, g.exp(q));
    return above ? g.sub(upper, g.exp(q)) : q;
  }
  function intervalJacobian(g, lower2, upper, q) {
    const [below2, above] = bounds(g, lower2, upper);
    if (below2 && above) return g.add(logoddsJacobian(g, q), g.log(g.sub(upper, lower2)));
    return below2 || above ? q : g.scalar(0);
  }
  function logoddsJacobian(g, q) {
    return g.sub(times(g, -2, g.map("softplus", g.neg(q))), q);
  }
  function wrapped(g, q) {
    const turn2 = 2 * Math.PI;
    return g.sub(q, times(g, turn2, g.map("round", times(g, 1 / turn2, q))));
  }
  function transposed(g, x) {
    const [rows, columns] = g.shapeOf(x);
    const index = Int32Array.from(
      { length: rows * columns },
      (_, at) => at % rows * columns + Math.floor(at / rows)
    );
    return g.gather(x, index, [columns, rows]);
  }
  function walked(g, location, scale, q) {
    const shape = g.shapeOf(q);
    const n = shape.at(-1);
    const sums = g.scan("cumsum", q, shape.length - 1);
    const first2 = sliceLast(g, q, 0, 1);
    const steps = g.array(Float64Array.from({ length: n }, (_, i) => i), [n]);
    const drift = g.constantOf(location) === 0 ? g.scalar(0) : g.mul(location, steps);
    return g.add(g.add(first2, drift), g.mul(scale, g.sub(sums, first2)));
  }
  function spacings(g, q) {
    const n = g.shapeOf(q).at(-1);
    return n === 1 ? q : joinLast(g, sliceLast(g, q, 0, 1), g.exp(sliceLast(g, q, 1, n - 1)));
  }
  function balanced2(g, q) {
    return joinLast(g, q, g.neg(padRight(g, sumLast(g, q))));
  }
  function simplexJacobian(g, q) {
    const n = g.shapeOf(q).at(-1) + 1;
    const total2 = padRight(g, sumLast(g, q));
    const shifted = g.add(q, total2);
    const rest = logSumExpLast(g, joinLast(g, shifted, times(g, 0, total2)));
    const sum3 = g.reshape(total2, g.shapeOf(rest));
    return g.add(times(g, n, g.sub(sum3, rest)), g.log(g.scalar(n)));
  }
  function zeroSum(g, q, axes) {
    let value = q;
    const rank = g.shapeOf(q).length;
    for (let axis = rank - axes; axis < rank; axis++) value = extended(g, value, axis);
    return value;
  }
  function extended(g, x, axis) {
    const moved4 = swapWithLast(g, x, axis);
    const n = g.shapeOf(moved4).at(-1) + 1;
    const sum3 = padRight(g, sumLast(g, moved4));
    const root = Math.sqrt(n);
    const norm = g.div(sum3, g.scalar(root + n));
    const fill3 = g.sub(norm, g.div(sum3, g.scalar(root)));
    return swapWithLast(g, g.sub(joinLast(g, moved4, fill3), norm), axis);
  }
  function swapWithLast(g, x, axis) {
    const shape = g.shapeOf(x);
    const last = shape.length - 1;
    if (axis === last) return x;
    const order = shape.map((_, i) => i === axis ? last : i === last ? axis : i);
    const to = order.map((from) => shape[from]);
    const [strides, toStrides] = [stridesOf(shape), stridesOf(to)];
    const index = new Int32Array(sizeOf(shape));
    for (let flat4 = 0; flat4 < index.length; flat4++) {
      let from = 0;
      for (let i = 0; i < to.length; i++) {
        from += Math.floor(flat4 / toStrides[i]) % to[i] * strides[order[i]];
      }
      index[flat4] = from;
    }
    return g.gather(x, index, to);
  }
  function diagonalOf2(n) {
    return Array.from({ length: n }, (_, i) => (i + 1) * (i + 2) / 2 - 1);
  }
  function positiveDiagonal(g, q, n) {
    const size = n * (n + 1) / 2;
    const diagonal = g.exp(pickLast(g, q, diagonalOf2(n)));
    const places2 = diagonalOf2(n);
    const all = joinLast(g, q, diagonal);
    return pickLast(
      g,
      all,
      Array.from({ length: size }, (_, at) => places2.includes(at) ? size + places2.indexOf(at) : at)
    );
  }

  // src/families/whole_vectors.ts
  var realVectors = {
    eventRank: 1,
    discrete: false,
    proper: true,
    support: "vector",
    transform: () => ({ kind: "identity" })
  };
  var countVectors = { ...realVectors, discrete: true, support: "count_vector" };

  // src/families/matrices.ts
  function factorForms(covariance, others) {
    const form = (name2, factor2) => ({
      names: [...others, name2],
      canonical: (g, given2) => arranged(g, given2, others, factor2(g, given2[name2]))
    });
    return [
      ...covariance.map((name2) => form(name2, (g, x) => g.cholesky(x))),
      form("chol", (_g, x) => x),
      form("tau", (g, x) => factorOfInverse(g, x))
    ];
  }
  function arranged(g, given2, others, factor2) {
    const n = g.shapeOf(factor2)[0];
    const filled3 = (x) => g.broadcast(x, [...g.shapeOf(x).slice(0, -1), n].slice(0, Math.max(1, g.shapeOf(x).length)));
    return [...others.map((name2) => name2 === "mu" ? filled3(given2.mu) : given2[name2]), factor2];
  }
  function factorOfInverse(g, tau) {
    const n = g.shapeOf(tau)[0];
    const unit = Float64Array.from({ length: n * n }, (_, i) => i % (n + 1) === 0 ? 1 : 0);
    const inverse3 = g.solve(g.cholesky(tau), g.array(unit, [n, n]));
    return g.cholesky(g.matmul(transposed2(g, inverse3), inverse3));
  }
  function transposed2(g, x) {
    const [rows, columns] = g.shapeOf(x);
    const index = Int32Array.from(
      { length: rows * columns },
      (_, at) => at % rows * columns + Math.floor(at / rows)
    );
    return g.gather(x, index, [columns, rows]);
  }
  function quadratic(g, x, mu, factor2) {
    const n = g.shapeOf(factor2)[0];
    const away = g.sub(x, mu);
    const batch2 = g.shapeOf(away).slice(0, -1);
    const rows = sizeOf(batch2);
    const columns = transposed2(g, g.reshape(away, [rows, n]));
    const z = g.solve(factor2, columns);
    const diagonal = g.gather(factor2, Int32Array.from({ length: n }, (_, i) => i * (n + 1)), [n]);
    const positive2 = domainConditions(g, diagonal, "positive").map((all) => g.reduce("min", all));
    return {
      n,
      squares: g.reshape(g.sum(g.square(z), [0]), batch2),
      logDeterminant: g.sum(logOf(g, diagonal)),
      conditions: positive2
    };
  }
  var mvNormal = {
    ...realVectors,
    signature: {
      names: ["MvNormal"],
      positional: ["mu", "cov"],
      keywordOnly: ["tau", "chol", "lower"],
      defaults: { mu: 0 },
      domains: { mu: "real", cov: "matrix", tau: "matrix", chol: "matrix", lower: "size" },
      forms: factorForms(["cov"], ["mu"])
    },
    parameters: ["mu", "chol"],
    parameterRanks: [1, 2],
    eventShape: (g, { args: [, factor2] }) => g.shapeOf(factor2).slice(-1),
    logDensity: (g, x, { args: [mu, factor2] }) => {
      const { n, squares: squares2, logDeterminant, conditions } = quadratic(g, x, mu, factor2);
      const normaliser = plus(g, logDeterminant, n * halfLog2Pi2);
      return guard(g, conditions, g.sub(times(g, -0.5, squares2), normaliser));
    },
    draw: (random2, [mu, factor2], _law, out) => {
      const n = factor2.shape.at(-1);
      for (let at = 0; at < out.length; at += n) {
        addFactored(random2, factor2.values.subarray(at * n, (at + n) * n), n, 1, out, at);
        for (let i = 0; i < n; i++) out[at + i] += mu.values[at + i];
      }
    }
  };
  var mvStudentT = {
    ...realVectors,
    signature: {
      names: ["MvStudentT"],
      positional: ["nu"],
      keywordOnly: ["Sigma", "mu", "scale", "tau", "chol", "lower", "cov"],
      defaults: { mu: 0 },
      domains: {
        nu: "positive",
        Sigma: "matrix",
        mu: "real",
        scale: "matrix",
        tau: "matrix",
        chol: "matrix",
        lower: "size",
        cov: "matrix"
      },
      forms: factorForms(["scale", "Sigma", "cov"], ["nu", "mu"])
    },
    parameters: ["nu", "mu", "chol"],
    parameterRanks: [0, 1, 2],
    eventShape: (g, { args: [, , factor2] }) => g.shapeOf(factor2).slice(-1),
    logDensity: (g, x, { args: [nu, mu, factor2] }) => {
      const { n, squares: squares2, logDeterminant, conditions } = quadratic(g, x, mu, factor2);
      const half2 = times(g, 0.5, plus(g, nu, n));
      const gammas = g.sub(g.map("lgamma", half2), g.map("lgamma", times(g, 0.5, nu)));
      const scale = times(g, 0.5 * n, plus(g, logOf(g, nu), logPi));
      const kernel = g.mul(half2, g.map("log1p", g.div(squares2, nu)));
      const density = g.sub(g.sub(g.sub(gammas, scale), logDeterminant), kernel);
      return guard(g, [...domainConditions(g, nu, "positive"), ...conditions], density);
    },
    draw: (random2, [nu, mu, factor2], _law, out) => {
      const n = factor2.shape.at(-1);
      for (let at = 0; at < out.length; at += n) {
        const df = nu.values[at / n];
        const spread4 = 1 / Math.sqrt(2 * drawGamma(random2, 0.5 * df) / df);
        addFactored(random2, factor2.values.subarray(at * n, (at + n) * n), n, spread4, out, at);
        for (let i = 0; i < n; i++) out[at + i] += mu.values[at + i];
      }
    }
  };
  function addFactored(random2, factor2, n, scale, out, at) {
    const z = Float64Array.from({ length: n }, () => scale * drawNormal(random2));
    for (let i = 0; i < n; i++) {
      let sum3 = 0;
      for (let j = 0; j <= i; j++) sum3 += factor2[i * n + j] * z[j];
      out[at + i] = sum3;
    }
  }
  function sumsOfRows(g, packed, n) {
    const index = new Int32Array(n * n).fill(-1);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) index[i * n + j] = i * (i + 1) / 2 + j;
    }
    return sumLast(g, g.gather(packed, index, [n, n]));
  }
  function lkjCholeskyCov(familyOf2) {
    return {
      signature: {
        names: ["LKJCholeskyCov"],
        positional: ["eta", "n", "sd_dist"],
        keywordOnly: ["compute_corr"],
        defaults: {},
        domains: {
          eta: "positive",
          n: "size",
          sd_dist: "law",
          compute_corr: "size"
        },
        forms: [direct("eta")]
      },
      parameters: ["eta"],
      parameterRanks: [0],
      eventRank: 1,
      discrete: false,
      proper: true,
      support: "cholesky_factor",
      eventShape: (_g, { sizes }) => [sizes[0] * (sizes[0] + 1) / 2],
      transform: (_g, { sizes }) => ({ kind: "cholesky_factor", n: sizes[0] }),
      logDensity: (g, x, law) => lkjDensity(familyOf2, g, x, law),
      draw: (random2, [eta], { sizes }, out, component) => {
        const n = sizes[0];
        const deviations = new Float64Array(n);
        component(0, deviations);
        fillCorrelationFactor(random2, n, eta.values[0], out);
        for (let i = 0; i < n; i++) {
          for (let j = 0; j <= i; j++) out[i * (i + 1) / 2 + j] *= deviations[i];
        }
      }
    };
  }
  function lkjDensity(familyOf2, g, x, law) {
    const n = law.sizes[0];
    const sd = law.components[0];
    const deviations = g.map("sqrt", sumsOfRows(g, g.square(x), n));
    const logDeviations = logOf(g, deviations);
    const logDiagonal = g.sub(logOf(g, pickLast(g, x, diagonalOf2(n))), logDeviations);
    const eta = g.reshape(law.args[0], []);
    const rows = g.array(Float64Array.from({ length: n }, (_, i) => n - 2 - i), [n]);
    const index = g.array(Float64Array.from({ length: n }, (_, i) => i), [n]);
    const exponent = g.add(times(g, 2, eta), rows);
    const prior = g.sum(familyOf2(sd.family).logDensity(g, deviations, sd));
    const terms = g.sub(g.mul(exponent, logDiagonal), g.mul(index, logDeviations));
    const density = g.add(g.add(g.sum(terms), g.reshape(prior, [])), lkjConstant(g, eta, n));
    return guard(g, domainConditions(g, eta, "positive"), density);
  }
  function lkjConstant(g, eta, n) {
    let sum3 = times(g, 1 - n, g.map("lgamma", plus(g, eta, 0.5 * (n - 1))));
    for (let k = 1; k < n; k++) {
      const gamma3 = g.map("lgamma", plus(g, eta, 0.5 * (n - 1 - k)));
      sum3 = g.add(sum3, plus(g, gamma3, 0.5 * k * logPi));
    }
    return sum3;
  }
  function fillCorrelationFactor(random2, n, eta, out) {
    out[0] = 1;
    for (let i = 1; i < n; i++) {
      const shape = eta + 0.5 * (n - 1 - i);
      const length2 = Math.sqrt(drawBeta(random2, 0.5 * i, shape));
      const start = i * (i + 1) / 2;
      let norm = 0;
      for (let j = 0; j < i; j++) {
        out[start + j] = drawNormal(random2);
        norm += out[start + j] * out[start + j];
      }
      for (let j = 0; j < i; j++) out[start + j] *= length2 / Math.sqrt(norm);
      out[start + i] = Math.sqrt(Math.max(0, 1 - length2 * length2));
    }
  }

  // src/families/asymmetric.ts
  var asymmetricLaplace = univariate({
    signature: {
      names: ["AsymmetricLaplace"],
      positional: ["kappa", "mu", "b", "q"],
      defaults: {},
      domains: { kappa: "positive", mu: "real", b: "positive", q: "open_unit" },
      forms: [direct("kappa", "mu", "b"), {
        names: ["mu", "b", "q"],
        canonical: (g, { mu, b, q }) => {
          const kappa2 = g.map("sqrt", g.div(q, g.sub(g.scalar(1), q)));
          return [kappa2, mu, b];
        }
      }]
    },
    parameters: { kappa: "positive", mu: "real", b: "positive" },
    support: "real",
    density: (g, x, kappa2, mu, b) => {
      const z = g.sub(x, mu);
      const other = g.div(g.scalar(1), kappa2);
      const steepness = g.where(g.map("ge", z, g.scalar(0)), kappa2, other);
      const normaliser = g.sub(logOf(g, b), g.log(g.add(kappa2, other)));
      return g.sub(normaliser, g.mul(b, g.mul(g.map("abs", z), steepness)));
    },
    sample: (random2, kappa2, mu, b) => mu + (drawExponential(random2) / kappa2 - drawExponential(random2) * kappa2) / b
  });
  var gumbelExponent = (g, x, mu, beta2) => g.exp(g.map("minimum", standardised(g, mu, x, beta2), g.scalar(700)));
  var gumbel = univariate({
    signature: {
      names: ["Gumbel"],
      positional: ["mu", "beta"],
      defaults: {},
      domains: { mu: "real", beta: "positive" },
      forms: [direct("mu", "beta")]
    },
    parameters: { mu: "real", beta: "positive" },
    support: "real",
    density: (g, x, mu, beta2) => {
      const z = standardised(g, x, mu, beta2);
      return g.sub(g.neg(g.add(z, g.exp(g.neg(z)))), logOf(g, beta2));
    },
    logCdf: (g, x, mu, beta2) => g.neg(gumbelExponent(g, x, mu, beta2)),
    logSurvival: (g, x, mu, beta2) => logComplement(g, g.neg(gumbelExponent(g, x, mu, beta2))),
    sample: (random2, mu, beta2) => mu - beta2 * log(drawExponential(random2))
  });
  var logErfc = (g, t) => plus(g, g.map("log_normal_cdf", times(g, -Math.SQRT2, t)), log2);
  var moyal = univariate({
    signature: {
      names: ["Moyal"],
      positional: ["mu", "sigma"],
      defaults: { mu: 0, sigma: 1 },
      domains: { mu: "real", sigma: "positive" },
      forms: [direct("mu", "sigma")]
    },
    parameters: { mu: "real", sigma: "positive" },
    support: "real",
    density: (g, x, mu, sigma) => {
      const z = standardised(g, x, mu, sigma);
      const kernel = times(g, -0.5, g.add(z, g.exp(g.neg(z))));
      return g.sub(kernel, plus(g, logOf(g, sigma), halfLog2Pi2));
    },
    logCdf: (g, x, mu, sigma) => {
      const z = standardised(g, x, mu, sigma);
      return logErfc(g, times(g, Math.SQRT1_2, g.exp(times(g, -0.5, z))));
    },
    logSurvival: (g, x, mu, sigma) => {
      const z = standardised(g, x, mu, sigma);
      return g.log(g.map("erf", times(g, Math.SQRT1_2, g.exp(times(g, -0.5, z)))));
    },
    // Minus the logarithm of a squared normal number.
    sample: (random2, mu, sigma) => {
      const z = drawNormal(random2);
      return mu - sigma * log(z * z);
    }
  });
  var skewNormal = univariate({
    signature: {
      names: ["SkewNormal"],
      positional: ["alpha", "mu", "sigma", "tau"],
      defaults: { alpha: 1, mu: 0, sigma: 1 },
      domains: { alpha: "real", mu: "real", sigma: "positive", tau: "positive" },
      forms: [
        direct("mu", "sigma", "alpha"),
        precision("tau", ["mu", "tau", "alpha"], ["mu", "sigma", "alpha"])
      ]
    },
    parameters: { mu: "real", sigma: "positive", alpha: "real" },
    support: "real",
    density: (g, x, mu, sigma, alpha) => {
      const z = standardised(g, x, mu, sigma);
      const lean = g.map("log_normal_cdf", g.mul(alpha, z));
      const normaliser = plus(g, logOf(g, sigma), halfLog2Pi2 - log2);
      return g.sub(g.add(times(g, -0.5, g.square(z)), lean), normaliser);
    },
    sample: (random2, mu, sigma, alpha) => {
      const delta = alpha / Math.sqrt(1 + alpha * alpha);
      const shared2 = Math.abs(drawNormal(random2));
      return mu + sigma * (delta * shared2 + Math.sqrt(1 - delta * delta) * drawNormal(random2));
    }
  });
  var exGaussianTail = (g, x, mu, sigma, nu) => {
    const ratio = g.div(sigma, nu);
    const z = standardised(g, x, mu, sigma);
    const shift = g.add(scaled(g, g.sub(mu, x), nu), times(g, 0.5, g.square(ratio)));
    return g.add(shift, g.map("log_normal_cdf", g.sub(z, ratio)));
  };
  var exGaussianMatters = (g, sigma, nu) => g.map("gt", nu, times(g, 0.05, sigma));
  var exGaussian = univariate({
    signature: {
      names: ["ExGaussian"],
      positional: ["mu", "sigma"],
      keywordOnly: ["nu"],
      defaults: { mu: 0, sigma: 1 },
      domains: { mu: "real", sigma: "positive", nu: "positive" },
      forms: [direct("mu", "sigma", "nu")]
    },
    parameters: { mu: "real", sigma: "positive", nu: "positive" },
    support: "real",
    density: (g, x, mu, sigma, nu) => {
      const matters = exGaussianMatters(g, sigma, nu);
      const tail2 = g.sub(exGaussianTail(g, x, mu, sigma, nu), logOf(g, nu));
      return g.where(matters, tail2, normalDensity(g, x, mu, sigma));
    },
    logCdf: (g, x, mu, sigma, nu) => {
      const whole2 = normalLogCdf(g, x, mu, sigma);
      const rest = exGaussianTail(g, x, mu, sigma, nu);
      return g.where(exGaussianMatters(g, sigma, nu), logSubExp(g, whole2, rest), whole2);
    },
    logSurvival: (g, x, mu, sigma, nu) => {
      const whole2 = normalLogSurvival(g, x, mu, sigma);
      const rest = exGaussianTail(g, x, mu, sigma, nu);
      return g.where(exGaussianMatters(g, sigma, nu), logAddExp(g, rest, whole2), whole2);
    },
    sample: (random2, mu, sigma, nu) => mu + sigma * drawNormal(random2) + nu * drawExponential(random2)
  });

  // src/families/lifetimes.ts
  function weibullExponent(g, x, alpha, beta2) {
    const power5 = (x2) => g.exp(g.mul(alpha, g.sub(logOf(g, x2), logOf(g, beta2))));
    if (knownPositive(g, x)) return power5(x);
    const outside = g.map("le", x, g.scalar(0));
    return g.where(outside, g.scalar(0), power5(g.where(outside, g.scalar(1), x)));
  }
  var weibull = univariate({
    signature: {
      names: ["Weibull"],
      positional: ["alpha", "beta"],
      defaults: {},
      domains: { alpha: "positive", beta: "positive" },
      forms: [direct("alpha", "beta")]
    },
    parameters: { alpha: "positive", beta: "positive" },
    support: "non_negative",
    density: (g, x, alpha, beta2) => {
      const kernel = g.sub(
        unboundedPower(g, x, plus(g, alpha, -1)),
        weibullExponent(g, x, alpha, beta2)
      );
      return g.add(kernel, g.sub(logOf(g, alpha), g.mul(alpha, logOf(g, beta2))));
    },
    logCdf: (g, x, alpha, beta2) => logComplement(g, g.neg(weibullExponent(g, x, alpha, beta2))),
    logSurvival: (g, x, alpha, beta2) => g.neg(weibullExponent(g, x, alpha, beta2)),
    sample: (random2, alpha, beta2) => beta2 * pow(drawExponential(random2), 1 / alpha)
  });
  var wald = univariate({
    signature: {
      names: ["Wald"],
      positional: ["mu", "lam", "phi", "alpha"],
      defaults: { alpha: 0 },
      domains: { mu: "positive", lam: "positive", phi: "positive", alpha: "non_negative" },
      forms: [
        direct("mu", "lam", "alpha"),
        { names: ["mu", "alpha"], canonical: (g, { mu, alpha }) => [mu, g.scalar(1), alpha] },
        {
          names: ["mu", "phi", "alpha"],
          canonical: (g, { mu, phi, alpha }) => [mu, g.mul(mu, phi), alpha]
        },
        {
          names: ["lam", "phi", "alpha"],
          canonical: (g, { lam, phi, alpha }) => [g.div(lam, phi), lam, alpha]
        }
      ]
    },
    parameters: { mu: "positive", lam: "positive", alpha: "non_negative" },
    support: "positive",
    conditions: (g, x, _mu, _lam, alpha) => g.constantOf(alpha) === 0 ? [] : [g.map("gt", x, alpha)],
    ends: (_g, _mu, _lam, alpha) => ({ lower: alpha }),
    density: (g, x, mu, lam, alpha) => {
      const c = g.sub(x, alpha);
      const pull4 = plus(g, g.div(c, mu), -1);
      const kernel = g.mul(times(g, 0.5, lam), g.div(g.square(pull4), c));
      const normaliser = plus(g, times(g, 0.5, logOf(g, lam)), -halfLog2Pi2);
      return g.sub(g.sub(normaliser, times(g, 1.5, logOf(g, c))), kernel);
    },
    logCdf: (g, x, mu, lam, alpha) => {
      const { near: near2, far: far3 } = waldParts(g, x, mu, lam, alpha);
      return g.add(near2, g.map("softplus", g.sub(far3, near2)));
    },
    logSurvival: (g, x, mu, lam, alpha) => {
      const { above, far: far3 } = waldParts(g, x, mu, lam, alpha);
      return g.add(above, logComplement(g, g.sub(far3, above)));
    },
    sample: (random2, mu, lam, alpha) => alpha + drawWald(random2, mu, lam)
  });
  function waldParts(g, x, mu, lam, alpha) {
    const c = g.sub(x, alpha);
    const q = g.div(c, mu);
    const rate = g.map("sqrt", g.div(lam, c));
    const cdf = (z) => g.map("log_normal_cdf", z);
    const near2 = g.mul(plus(g, q, -1), rate);
    return {
      near: cdf(near2),
      above: cdf(g.neg(near2)),
      far: g.add(g.div(times(g, 2, lam), mu), cdf(g.neg(g.mul(plus(g, q, 1), rate))))
    };
  }
  var pareto = univariate({
    signature: {
      names: ["Pareto"],
      positional: ["alpha", "m"],
      defaults: {},
      domains: { alpha: "positive", m: "positive" },
      forms: [direct("alpha", "m")]
    },
    parameters: { alpha: "positive", m: "positive" },
    support: "interval",
    conditions: (g, x, _alpha, m) => [g.map("ge", x, m)],
    ends: (_g, _alpha, m) => ({ lower: m }),
    transform: (g, { args }) => ({
      kind: "interval",
      lower: args[1],
      upper: g.scalar(Infinity)
    }),
    density: (g, x, alpha, m) => {
      const logX = logOf(g, x);
      const kernel = g.mul(alpha, g.sub(logOf(g, m), logX));
      return g.add(g.sub(kernel, logX), logOf(g, alpha));
    },
    logCdf: (g, x, alpha, m) => logComplement(g, g.mul(alpha, g.sub(logOf(g, m), logOf(g, x)))),
    logSurvival: (g, x, alpha, m) => g.mul(alpha, g.sub(logOf(g, m), logOf(g, x))),
    sample: (random2, alpha, m) => m * exp(drawExponential(random2) / alpha)
  });
  var rice = univariate({
    signature: {
      names: ["Rice"],
      positional: ["nu", "sigma", "b"],
      defaults: { sigma: 1 },
      domains: { nu: "non_negative", sigma: "positive", b: "non_negative" },
      forms: [
        { names: ["nu", "sigma"], canonical: (g, { nu, sigma }) => [g.div(nu, sigma), sigma] },
        direct("b", "sigma")
      ]
    },
    parameters: { b: "non_negative", sigma: "positive" },
    support: "positive",
    density: (g, x, b, sigma) => {
      const z = scaled(g, x, sigma);
      const squares2 = times(g, 0.5, g.add(g.square(z), g.square(b)));
      const kernel = g.sub(g.map("log_i0", g.mul(z, b)), squares2);
      return g.add(g.add(kernel, logOf(g, x)), times(g, -2, logOf(g, sigma)));
    },
    sample: (random2, b, sigma) => {
      const [x, y] = [b + drawNormal(random2), drawNormal(random2)];
      return sigma * Math.sqrt(x * x + y * y);
    }
  });

  // src/families/series.ts
  function alongTime(g, x) {
    return g.shapeOf(x).length === 0 ? x : padRight(g, x);
  }
  function gaussianRandomWalk(familyOf2) {
    return {
      ...realVectors,
      signature: {
        names: ["GaussianRandomWalk"],
        positional: ["mu", "sigma"],
        keywordOnly: ["init_dist", "steps"],
        defaults: { mu: 0, sigma: 1 },
        domains: { mu: "real", sigma: "positive", init_dist: "law", steps: "size" },
        forms: [direct("mu", "sigma")]
      },
      parameters: ["mu", "sigma"],
      parameterRanks: [0, 0],
      logDensity: (g, x, law) => {
        const steps = lastExtent(g, x) - 1;
        const [mu, sigma] = law.args;
        const change = g.sub(sliceLast(g, x, 1, steps), sliceLast(g, x, 0, steps));
        const each = normalDensity(g, change, alongTime(g, mu), alongTime(g, sigma));
        const start = g.reshape(sliceLast(g, x, 0, 1), g.shapeOf(x).slice(0, -1));
        const init = law.components[0];
        const first2 = familyOf2(init.family).logDensity(g, start, init);
        return guard(g, domainConditions(g, sigma, "positive"), g.add(sumLast(g, each), first2));
      },
      draw: (random2, [mu, sigma], { shape }, out, component) => {
        const length2 = shape.at(-1);
        const starts = new Float64Array(out.length / length2);
        component(0, starts);
        starts.forEach((start, row) => {
          let x = out[row * length2] = start;
          for (let t = 1; t < length2; t++) {
            x += mu.values[row] + sigma.values[row] * drawNormal(random2);
            out[row * length2 + t] = x;
          }
        });
      }
    };
  }
  var byPrecision = {
    names: ["rho", "tau"],
    canonical: (g, { rho, tau }) => [rho, g.div(g.scalar(1), g.map("sqrt", tau))]
  };
  function autoregression(familyOf2) {
    return {
      ...realVectors,
      signature: {
        names: ["AR"],
        positional: ["rho", "sigma", "tau"],
        keywordOnly: ["init_dist", "steps", "constant", "ar_order"],
        defaults: { sigma: 1 },
        domains: {
          rho: "real",
          sigma: "positive",
          tau: "positive",
          init_dist: "law",
          steps: "size",
          constant: "size",
          ar_order: "size"
        },
        forms: [direct("rho", "sigma"), byPrecision]
      },
      parameters: ["rho", "sigma"],
      parameterRanks: [1, 0],
      logDensity: (g, x, law) => {
        const { order, mean } = autoregressiveMean(g, x, law);
        const sigma = law.args[1];
        const later = sliceLast(g, x, order, lastExtent(g, x) - order);
        const each = sumLast(g, normalDensity(g, later, mean, alongTime(g, sigma)));
        const init = law.components[0];
        const family = familyOf2(init.family);
        const early = family.logDensity(g, sliceLast(g, x, 0, order), init);
        const first2 = family.eventRank === 0 ? sumLast(g, early) : early;
        return guard(g, domainConditions(g, sigma, "positive"), g.add(each, first2));
      },
      draw: (random2, [rho, sigma], { shape, sizes }, out, component) => {
        const [order, constant2] = [sizes[0], sizes[1] ?? 0];
        const length2 = shape.at(-1);
        const terms = order + constant2;
        const starts = new Float64Array(out.length / length2 * order);
        component(0, starts);
        for (let row = 0; row * length2 < out.length; row++) {
          const at = row * length2;
          const coefficients2 = rho.values.subarray(row * terms, (row + 1) * terms);
          out.set(starts.subarray(row * order, (row + 1) * order), at);
          for (let t = order; t < length2; t++) {
            let mean = constant2 === 1 ? coefficients2[0] : 0;
            for (let k = 1; k <= order; k++) mean += coefficients2[k - 1 + constant2] * out[at + t - k];
            out[at + t] = mean + sigma.values[row] * drawNormal(random2);
          }
        }
      }
    };
  }
  function autoregressiveMean(g, x, { args: [rho], sizes }) {
    const [order, constant2] = [sizes[0], sizes[1] ?? 0];
    const steps = lastExtent(g, x) - order;
    const coefficient2 = (k) => {
      const one3 = sliceLast(g, rho, k, 1);
      return g.shapeOf(one3).length === 1 ? g.reshape(one3, []) : one3;
    };
    let mean = constant2 === 1 ? coefficient2(0) : void 0;
    for (let k = 1; k <= order; k++) {
      const term = g.mul(coefficient2(k - 1 + constant2), sliceLast(g, x, order - k, steps));
      mean = mean === void 0 ? term : g.add(mean, term);
    }
    return { order, mean };
  }

  // src/families/vectors.ts
  var everywhere = (g, truths) => truths.map((truth) => allLast(g, truth));
  var dirichlet = {
    signature: {
      names: ["Dirichlet"],
      positional: ["a"],
      defaults: {},
      domains: { a: "positive" },
      forms: [direct("a")]
    },
    parameters: ["a"],
    parameterRanks: [1],
    eventRank: 1,
    discrete: false,
    proper: true,
    support: "simplex",
    eventShape: (g, { args: [a] }) => g.shapeOf(a).slice(-1),
    transform: () => ({ kind: "simplex" }),
    logDensity: (g, x, { args: [a] }) => {
      const conditions = everywhere(g, [
        ...domainConditions(g, a, "positive"),
        ...atLeast(g, x, 0),
        ...atMost(g, x, 1)
      ]);
      const normaliser = g.sub(g.map("lgamma", sumLast(g, a)), sumLast(g, g.map("lgamma", a)));
      const kernel = sumLast(g, logPower(g, x, plus(g, a, -1)));
      const batch2 = g.shapeOf(sumLast(g, x));
      return g.broadcast(guard(g, conditions, g.add(kernel, normaliser)), batch2);
    },
    draw: (random2, [a], _law, out) => {
      const size = a.shape.at(-1);
      for (let row = 0; row < out.length; row += size) {
        fillDirichlet(random2, a.values.subarray(row, row + size), out, row);
      }
    }
  };
  function fillDirichlet(random2, a, out, offset) {
    let [largest2, total2] = [-Infinity, 0];
    for (let i = 0; i < a.length; i++) {
      out[offset + i] = drawLogGamma(random2, a[i]);
      largest2 = Math.max(largest2, out[offset + i]);
    }
    for (let i = 0; i < a.length; i++) {
      total2 += out[offset + i] = exp(out[offset + i] - largest2);
    }
    for (let i = 0; i < a.length; i++) out[offset + i] /= total2;
  }
  function fillMultinomial(random2, n, p, out, offset) {
    let [left, rest] = [n, 0];
    for (let k = 0; k < p.length; k++) rest += p[k];
    for (let k = 0; k < p.length; k++) {
      const last = k === p.length - 1;
      const count = last ? left : drawBinomial(random2, left, Math.min(1, Math.max(0, p[k] / rest)));
      out[offset + k] = count;
      left -= count;
      rest -= p[k];
    }
  }
  function countConditions(g, x, n) {
    return [
      ...domainConditions(g, n, "count"),
      ...everywhere(g, atLeast(g, x, 0)),
      g.map("eq", sumLast(g, x), n)
    ];
  }
  var multinomial = {
    ...countVectors,
    signature: {
      names: ["Multinomial"],
      positional: ["n", "p"],
      defaults: {},
      domains: { n: "count", p: "simplex" },
      forms: [{ names: ["n", "p"], canonical: (g, { n, p }) => [n, rescaledConstant(g, p)] }]
    },
    parameters: ["n", "p"],
    parameterRanks: [0, 1],
    eventShape: (g, { args: [, p] }) => g.shapeOf(p).slice(-1),
    logDensity: (g, x, { args: [n, p] }) => {
      const each = sumLast(g, g.sub(logPower(g, p, x), logFactorial(g, x)));
      const conditions = [...simplexConditions(g, p), ...countConditions(g, x, n)];
      return guard(g, conditions, g.add(each, logFactorial(g, n)));
    },
    draw: (random2, [n, p], _law, out) => {
      const size = p.shape.at(-1);
      for (let row = 0; row * size < out.length; row++) {
        const chances = p.values.subarray(row * size, (row + 1) * size);
        fillMultinomial(random2, n.values[row], chances, out, row * size);
      }
    }
  };
  var dirichletMultinomial = {
    ...countVectors,
    signature: {
      names: ["DirichletMultinomial"],
      positional: ["n", "a"],
      defaults: {},
      domains: { n: "count", a: "positive" },
      forms: [direct("n", "a")]
    },
    parameters: ["n", "a"],
    parameterRanks: [0, 1],
    eventShape: (g, { args: [, a] }) => g.shapeOf(a).slice(-1),
    logDensity: (g, x, { args: [n, a] }) => {
      const lgamma2 = (y) => g.map("lgamma", y);
      const total2 = sumLast(g, a);
      const outer2 = g.sub(g.add(logFactorial(g, n), lgamma2(total2)), lgamma2(g.add(n, total2)));
      const each = g.sub(lgamma2(g.add(x, a)), g.add(logFactorial(g, x), lgamma2(a)));
      const conditions = [
        ...everywhere(g, domainConditions(g, a, "positive")),
        ...countConditions(g, x, n)
      ];
      return guard(g, conditions, g.add(outer2, sumLast(g, each)));
    },
    draw: (random2, [n, a], _law, out) => {
      const size = a.shape.at(-1);
      const p = new Float64Array(size);
      for (let row = 0; row * size < out.length; row++) {
        fillDirichlet(random2, a.values.subarray(row * size, (row + 1) * size), p, 0);
        fillMultinomial(random2, n.values[row], p, out, row * size);
      }
    }
  };
  var zeroSumNormal = {
    signature: {
      names: ["ZeroSumNormal"],
      positional: ["sigma", "n_zerosum_axes", "support_shape"],
      defaults: { sigma: 1 },
      domains: { sigma: "positive", n_zerosum_axes: "size", support_shape: "size" },
      forms: [direct("sigma")]
    },
    parameters: ["sigma"],
    parameterRanks: [0],
    eventRank: 1,
    discrete: false,
    proper: true,
    support: "zero_sum",
    transform: (_g, { sizes }) => ({ kind: "zero_sum", axes: sizes?.[0] ?? 1 }),
    logDensity: (g, x, { args: [given2], sizes }) => {
      const axes = sizes?.[0] ?? 1;
      const support = g.shapeOf(x).slice(-axes);
      const freedom = support.reduce((product4, extent) => product4 * (extent - 1), 1);
      const sigma = alongBatch(g, given2, g.shapeOf(x).length, axes);
      const wide = g.shapeOf(sigma).length === 0 ? sigma : padRight(g, sigma, axes);
      const squares2 = sumLast(g, times(g, -0.5, g.square(scaled(g, x, wide))), axes);
      const density = g.sub(squares2, times(g, freedom, plus(g, logOf(g, sigma), halfLog2Pi2)));
      const conditions = domainConditions(g, sigma, "positive");
      return g.broadcast(guard(g, conditions, density), commonShape(g, [squares2]));
    },
    draw: (random2, [sigma], { shape, sizes }, out) => {
      const support = shape.slice(-(sizes?.[0] ?? 1));
      const size = support.reduce((product4, extent) => product4 * extent, 1);
      for (let row = 0; row * size < out.length; row++) {
        const s = sigma.values[sigma.values.length === 1 ? 0 : row];
        const block2 = out.subarray(row * size, (row + 1) * size);
        for (let i = 0; i < size; i++) block2[i] = s * drawNormal(random2);
        centre(block2, support);
      }
    }
  };
  function alongBatch(g, sigma, rank, axes) {
    const shape = g.shapeOf(sigma);
    if (shape.every((extent) => extent === 1)) return g.reshape(sigma, []);
    return shape.length === rank ? g.reshape(sigma, shape.slice(0, rank - axes)) : sigma;
  }
  function centre(block2, shape) {
    let stride = 1;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const extent = shape[axis];
      for (let at = 0; at < block2.length; at++) {
        if (Math.floor(at / stride) % extent !== 0) continue;
        let mean = 0;
        for (let i = 0; i < extent; i++) mean += block2[at + i * stride] / extent;
        for (let i = 0; i < extent; i++) block2[at + i * stride] -= mean;
      }
      stride *= extent;
    }
  }

  // src/families/table.ts
  var lookup = (name2) => families[name2];
  var families = {
    normal,
    half_normal: halfNormal,
    log_normal: logNormal,
    truncated_normal: truncatedNormal,
    student_t: studentT,
    half_student_t: halfStudentT,
    cauchy,
    half_cauchy: halfCauchy,
    exponential: exponential2,
    gamma: gamma2,
    inverse_gamma: inverseGamma,
    chi_squared: chiSquared,
    weibull,
    beta,
    uniform: uniform2,
    triangular,
    laplace,
    asymmetric_laplace: asymmetricLaplace,
    logistic,
    logit_normal: logitNormal,
    gumbel,
    moyal,
    skew_normal: skewNormal,
    ex_gaussian: exGaussian,
    wald,
    pareto,
    rice,
    kumaraswamy,
    von_mises: vonMises,
    flat,
    half_flat: halfFlat,
    bernoulli,
    binomial,
    poisson,
    negative_binomial: negativeBinomial,
    geometric,
    hypergeometric,
    beta_binomial: betaBinomial,
    discrete_uniform: discreteUniform,
    discrete_weibull: discreteWeibull,
    zero_inflated_poisson: zeroInflatedPoisson,
    zero_inflated_binomial: zeroInflatedBinomial,
    zero_inflated_negative_binomial: zeroInflatedNegativeBinomial,
    hurdle_poisson: hurdlePoisson,
    hurdle_negative_binomial: hurdleNegativeBinomial,
    hurdle_gamma: hurdleGamma,
    hurdle_log_normal: hurdleLogNormal,
    categorical,
    ordered_logistic: orderedLogistic,
    ordered_probit: orderedProbit,
    dirichlet,
    multinomial,
    dirichlet_multinomial: dirichletMultinomial,
    mv_normal: mvNormal,
    mv_student_t: mvStudentT,
    lkj_cholesky_cov: lkjCholeskyCov(lookup),
    zero_sum_normal: zeroSumNormal,
    gaussian_random_walk: gaussianRandomWalk(lookup),
    ar: autoregression(lookup),
    mixture: mixture(lookup),
    normal_mixture: normalMixture,
    truncated: truncated(lookup),
    censored: censored(lookup)
  };
  function eventRankOf(law) {
    const { support, eventRank } = families[law.family];
    if (support === "components") return eventRankOf(law.components[0]);
    return support === "zero_sum" ? law.sizes?.[0] ?? 1 : eventRank;
  }
  function isDiscrete(law) {
    const { support, discrete } = families[law.family];
    return support === "components" ? isDiscrete(law.components[0]) : discrete;
  }
  var byName = new Map(
    familyNames.flatMap(
      (family) => families[family].signature.names.map((name2) => [name2, family])
    )
  );
  function familyOf(name2) {
    return byName.get(name2);
  }
  var distributionNames = [...byName.keys()];

  // src/lang/arrays.ts
  var dtypes = ["bool", "int", "float"];
  function widest(...values) {
    return dtypes[Math.max(...values.map(({ dtype }) => dtypes.indexOf(dtype)))];
  }
  function joinOrigins(...values) {
    const has = (origin) => values.some((value) => value.origin === origin);
    return has("tensor") ? "tensor" : has("series") ? "series" : has("numpy") ? "numpy" : "python";
  }
  function isHost(value) {
    return value.origin !== "tensor";
  }
  function pythonNumber(checking, value, dtype) {
    return { kind: "numeric", node: checking.graph.scalar(value), dtype, origin: "python" };
  }
  function pythonBool(checking, value) {
    return pythonNumber(checking, value ? 1 : 0, "bool");
  }
  function hostArray(checking, values, shape, dtype, place3) {
    checking.allocate(values.length, place3);
    const node = checking.graph.array(values, shape);
    return { kind: "numeric", node, dtype, origin: "numpy" };
  }
  function shapeOf(checking, value) {
    return checking.graph.shapeOf(value.node);
  }
  function numbersOf(checking, value) {
    return checking.graph.valueOf(value.node)?.values;
  }
  function numberOf3(checking, value) {
    if (value?.kind !== "numeric") return void 0;
    const numbers2 = numbersOf(checking, value);
    return numbers2?.length === 1 ? numbers2[0] : void 0;
  }
  function numeric(checking, value, place3, user) {
    if (value.kind === "numeric") return value;
    if (value.kind === "invalid") return void 0;
    if (value.kind === "sequence") return stackItems(checking, value.items, place3, user);
    if (touchesResponse(value)) checking.refuseResponse(value, place3);
    else refuseKind(checking, value, place3, user);
    return void 0;
  }
  function refuseKind(checking, value, place3, user) {
    const message = `Cannot use ${describeValue(value)} in ${user}: wanted a number or an array`;
    const code2 = value.kind === "ignored" ? "unsupported/value" : "names/wrong-kind";
    checking.error(code2, message, place3, hintFor(checking, value, place3));
  }
  function hintFor(checking, value, place3) {
    if (value.kind === "builtin" || value.kind === "function" || value.kind === "method") {
      return `call it: ${checking.text(place3)}(...)`;
    }
    if (value.kind === "ignored" && /\brandom\b/.test(value.of ?? "")) {
      return "write a random variable: a program has no random numbers of its own";
    }
    if (value.kind === "ignored") return "compute it beforehand, and give it as a column of the data";
    if (value.kind === "data") return 'name a column: data["name"]';
    return void 0;
  }
  function stackItems(checking, items, place3, user) {
    const parts = [];
    for (const item2 of items) {
      const part = numeric(checking, item2, place3, user);
      if (!part) return void 0;
      parts.push(part);
    }
    if (parts.length === 0) return hostArray(checking, new Float64Array(0), [0], "float", place3);
    const [first2] = parts.map((part) => shapeOf(checking, part));
    const other = parts.find((part) => `${shapeOf(checking, part)}` !== `${first2}`);
    if (other) {
      const found = `${describeShape(first2)} and ${describeShape(shapeOf(checking, other))}`;
      const message = `Cannot make an array of ${user}: its items have different shapes, ${found}`;
      checking.error("shapes/ragged", message, place3);
      return void 0;
    }
    const origin = parts.some((part) => !isHost(part)) ? "tensor" : "numpy";
    const shape = [parts.length, ...first2];
    checking.allocate(sizeOf(shape), place3);
    const node = checking.graph.join(parts.map((part) => part.node), shape);
    return fold(checking, { kind: "numeric", node, dtype: widest(...parts), origin });
  }
  function fold(checking, value) {
    const { graph } = checking;
    if (!graph.isHost(value.node) || graph.nodes[value.node].kind === "constant") return value;
    const known5 = graph.valueOf(value.node);
    return known5 ? { ...value, node: graph.array(known5.values, known5.shape) } : value;
  }
  function broadcast(checking, values, place3) {
    const shapes = values.map((value) => shapeOf(checking, value));
    const joined5 = broadcastShapes(...shapes);
    if (joined5) return joined5;
    const [a, b] = clashing(shapes);
    const message = `Cannot compute ${checking.text(place3)}: ${describeShape(a)} and ${describeShape(b)} do not broadcast`;
    checking.error("shapes/broadcast", message, place3, broadcastHint(a, b));
    return void 0;
  }
  function clashing(shapes) {
    for (const a of shapes) {
      for (const b of shapes) if (!broadcastShapes(a, b)) return [a, b];
    }
    return [shapes[0], shapes[shapes.length - 1]];
  }
  function broadcastHint(a, b) {
    if (a.length === 1 && b.length === 1) {
      return "arrays must have the same length; x[:, None] makes a table of all pairs";
    }
    return "shapes are compared from the last axis; each pair must be equal, or one of them 1";
  }
  function applyMap(checking, op, args, place3, dtype) {
    const shape = broadcast(checking, args, place3);
    if (!shape) return void 0;
    checking.allocate(sizeOf(shape), place3);
    const node = mapNode(checking.graph, op, args.map((arg) => arg.node));
    const result = { kind: "numeric", node, dtype, origin: joinOrigins(...args) };
    return finite(checking, result, args, place3) ? result : void 0;
  }
  function mapNode(graph, op, [a, b, c]) {
    if (c !== void 0) return graph.map(op, a, b, c);
    return b !== void 0 ? graph.map(op, a, b) : graph.map(op, a);
  }
  function finite(checking, result, args, place3) {
    const { graph } = checking;
    if (!graph.isHost(result.node)) return noInfiniteArgument(checking, args, place3);
    const [only] = args;
    const bound = args.length === 1 && Math.abs(graph.constantOf(only.node) ?? 0) === Infinity;
    if (bound || isComparison(checking, result)) return true;
    const known5 = graph.valueOf(result.node);
    const bad = known5?.values.findIndex((value) => !Number.isFinite(value)) ?? -1;
    if (!known5 || bad < 0) return noInfiniteArgument(checking, args, place3);
    const infinite = args.some((arg) => Math.abs(graph.constantOf(arg.node) ?? 0) === Infinity);
    const why = infinite ? "infinity stands for a missing bound, not for a number" : (Number.isNaN(known5.values[bad]) ? "it is not a real number" : "it is infinite") + describePosition(checking, known5.shape, bad);
    const divisor = args.length === 2 ? graph.valueOf(args[1].node)?.values : void 0;
    const isArray = args.length === 2 && shapeOf(checking, args[0]).length > 0;
    const hint = isArray && divisor?.every((value) => value === 0) ? "a divisor is 0: a constant column has no spread" : void 0;
    checking.error("support/number", `Cannot compute ${checking.text(place3)}: ${why}`, place3, hint);
    return false;
  }
  function isComparison(checking, { node }) {
    const found = checking.graph.nodes[node];
    return found.kind === "map" && (found.op === "where" || found.op === "is_nan");
  }
  function noInfiniteArgument(checking, args, place3) {
    const { graph } = checking;
    if (!args.some((arg) => Math.abs(graph.constantOf(arg.node) ?? 0) === Infinity)) return true;
    const why = "infinity stands for a missing bound, not for a number";
    checking.error("support/number", `Cannot compute ${checking.text(place3)}: ${why}`, place3);
    return false;
  }
  function describePosition(checking, shape, flat4) {
    if (shape.length === 0) return "";
    if (shape.length === 1) {
      const rows = shape[0] === checking.dataset.rows;
      return rows ? ` in row ${flat4 + 1}` : ` at [${flat4}]`;
    }
    const at = [];
    let rest = flat4;
    for (const extent of [...shape].reverse()) {
      at.unshift(rest % extent);
      rest = Math.floor(rest / extent);
    }
    return ` at [${at.join(", ")}]`;
  }
  function describeFound(checking, value) {
    if (value.kind !== "numeric") return describeValue(value);
    if (!checking.graph.isHost(value.node)) return "a random variable";
    return `an array of ${describeShape(shapeOf(checking, value))}`;
  }
  function wholeNumber(checking, value, place3, what) {
    if (value?.kind === "invalid") return void 0;
    if (value && touchesResponse(value)) {
      checking.refuseResponse(value, place3);
      return void 0;
    }
    const found = numberOf3(checking, value);
    if (found !== void 0 && Number.isInteger(found)) return found;
    const described = found ?? (value ? describeFound(checking, value) : "nothing");
    const message = `Cannot use this ${what}: wanted a whole number known before sampling, found ${described}`;
    checking.error("names/wrong-kind", message, place3);
    return void 0;
  }

  // src/lang/discrete_latents.ts
  var firstIndex = 1 << 20;
  function isPerDatum({ responseShape }, { shape }) {
    return responseShape.length === 1 && `${shape}` === `${responseShape}`;
  }
  function addLatent(checking, args, name2, law) {
    const { graph, latents } = checking;
    const count = countOf(graph, law);
    const place3 = args.call.callee;
    if (count === void 0) {
      const why = "of those with an element for each datum only pm.Bernoulli and pm.Categorical are";
      return refuseLatent(checking, name2, place3, why);
    }
    const other = latents.find((one3) => dependsOn(graph, lawNodes(law), [one3]).size > 0);
    if (other) return refuseLatent(checking, name2, place3, `it depends on "${other.name}"`);
    const node = graph.parameter(firstIndex + latents.length, law.shape);
    latents.push({ name: name2, place: place3, node, law, count, used: false });
    return { kind: "numeric", node, dtype: "int", origin: "tensor" };
  }
  function refuseLatent(checking, name2, place3, why) {
    const message = `Cannot sum out the discrete variable "${name2}": ${why}`;
    const hint = "one for each datum that goes into the likelihood alone is summed out, and so are those with few values that data share, as a switchpoint; pm.Mixture and pm.ZeroInflatedPoisson sum by themselves";
    return checking.error("unsupported/discrete-latent", message, place3, hint);
  }
  function countOf(graph, { family, args }) {
    if (family === "bernoulli") return 2;
    return family === "categorical" ? graph.shapeOf(args[0]).at(-1) : void 0;
  }
  function dependsOn(graph, roots, latents) {
    return dependsOnAny(graph, roots, latents.map(({ node }) => node));
  }
  function dependsOnAny(graph, roots, variables) {
    const found = /* @__PURE__ */ new Set();
    if (variables.length === 0) return found;
    const own = new Set(variables);
    const below2 = /* @__PURE__ */ new Set();
    const pending = [...roots];
    for (let id = pending.pop(); id !== void 0; id = pending.pop()) {
      if (below2.has(id)) continue;
      below2.add(id);
      pending.push(...graph.nodes[id].args);
    }
    for (const id of [...below2].sort((a, b) => a - b)) {
      if (own.has(id) || graph.nodes[id].args.some((arg) => found.has(arg))) found.add(id);
    }
    return found;
  }
  function sumOut(checking, law) {
    const { graph, latents } = checking;
    const used = latents.filter((latent2) => dependsOn(graph, lawNodes(law), [latent2]).size > 0);
    const [latent, other] = used;
    if (!latent) return law;
    const refuse6 = (one3, why) => void refuseLatent(checking, one3.name, one3.place, why);
    if (other) return refuse6(other, `"${latent.name}" goes into the likelihood too`);
    const path = dependsOn(graph, lawNodes(law), [latent]);
    const plain3 = families[law.family].parameterRanks.every((rank) => rank === 0) && !law.components;
    if (!plain3 || ![...path].every((id) => isElementwise(graph, id, path, latent.node))) {
      return refuse6(latent, "data and variable do not go together one by one");
    }
    latent.used = true;
    const components2 = Array.from({ length: latent.count }, (_, value) => ({
      ...law,
      args: law.args.map((id) => substituted(graph, id, path, latent.node, value))
    }));
    return { family: "mixture", args: [weightsOf(graph, latent)], shape: law.shape, components: components2 };
  }
  function isElementwise(graph, id, path, latent) {
    const node = graph.nodes[id];
    if (id === latent) return true;
    if (node.shape.length !== 1) return false;
    return node.kind === "map" || node.kind === "take" && !path.has(node.args[0]);
  }
  function substituted(graph, root, path, latent, value) {
    const made = /* @__PURE__ */ new Map([[latent, graph.scalar(value)]]);
    for (const id of [...path].sort((a, b) => a - b)) {
      if (id === latent) continue;
      const node = graph.nodes[id];
      const args = node.args.map((arg) => made.get(arg) ?? arg);
      made.set(id, node.kind === "map" ? mapNode(graph, node.op, args) : taken(graph, args));
    }
    return made.get(root) ?? root;
  }
  function taken(graph, [x, index]) {
    const at = graph.constantOf(index);
    return at === void 0 ? graph.take(x, index) : graph.gather(x, Int32Array.of(at), []);
  }
  function weightsOf(graph, { law }) {
    const [p] = law.args;
    if (law.family === "categorical") return p;
    const shape = graph.shapeOf(p);
    const size = shape.reduce((a, b) => a * b, 1);
    const both = graph.join([graph.sub(graph.scalar(1), p), p]);
    const index = Int32Array.from({ length: 2 * size }, (_, i) => i % 2 * size + (i >> 1));
    return graph.gather(both, index, [...shape, 2]);
  }
  function refuseUse(checking, roots, user) {
    const { graph, latents } = checking;
    const used = latents.find((latent) => dependsOn(graph, roots, [latent]).size > 0);
    if (!used) return false;
    refuseLatent(checking, used.name, used.place, `it goes into ${user} too`);
    return true;
  }

  // src/lang/shared_latents.ts
  function finiteValues(graph, law) {
    const { family, args, components: components2 } = law;
    switch (family) {
      case "bernoulli":
        return { kind: "summed", lower: 0, count: 2 };
      case "categorical":
        return { kind: "summed", lower: 0, count: graph.shapeOf(args[0]).at(-1) ?? 1 };
      case "discrete_uniform":
        return between3(graph, args[0], args[1]);
      case "binomial":
        return between3(graph, void 0, args[0]);
      case "beta_binomial":
        return between3(graph, void 0, args[2]);
      case "truncated":
        return families[components2[0].family].support === "count" ? between3(graph, args[0], args[1]) : void 0;
      default:
        return void 0;
    }
  }
  function between3(graph, lower2, upper) {
    const from = lower2 === void 0 ? Float64Array.of(0) : graph.valueOf(lower2)?.values;
    const to = graph.valueOf(upper)?.values;
    if (!from || !to) return void 0;
    const least2 = Math.ceil(from.reduce((a, b) => Math.min(a, b), Infinity));
    const most2 = Math.floor(to.reduce((a, b) => Math.max(a, b), -Infinity));
    const first2 = lower2 === void 0 || least2 > -Infinity ? least2 : 0;
    return most2 >= first2 && most2 < Infinity ? { kind: "summed", lower: first2, count: most2 - first2 + 1 } : void 0;
  }
  var batched = /* @__PURE__ */ new Set([
    "map",
    "reduce",
    "scan",
    "reshape",
    "gather",
    "take",
    "join",
    "matmul",
    "parameter"
  ]);
  function checkShared(checking) {
    const { graph, parameters } = checking;
    const shared2 = parameters.flatMap(
      ({ transform, shape }, k) => transform.kind === "summed" ? [{ k, node: graph.parameter(k, shape), transform, shape }] : []
    );
    if (shared2.length === 0 || !checking.likelihood) return;
    const nodes = shared2.map(({ node }) => node);
    const refuse6 = (why2) => {
      const k = shared2[0].k;
      refuseLatent(checking, parameters[k].name, checking.parameterPlaces[k], why2);
    };
    const combinations = shared2.reduce(
      (product4, { transform, shape }) => product4 * transform.count ** sizeOf(shape),
      1
    );
    const elements2 = shared2.reduce((sum3, { shape }) => sum3 + sizeOf(shape), 0);
    const why = shared2.length === parameters.length ? "nothing else of the model is random, so that there is nothing to sample" : tooMany(checking, combinations, elements2) ?? unfit(checking, nodes);
    if (why !== void 0) refuse6(why);
  }
  function tooMany(checking, combinations, elements2) {
    const most2 = limits.discreteCombinations;
    if (combinations > most2) {
      const what = elements2 === 1 ? "values" : "combinations of values";
      const count = combinations > 1e6 ? "millions of" : `${combinations}`;
      return `there are ${count} ${what}, more than ${most2}`;
    }
    const terms = combinations * sizeOf(checking.responseShape);
    if (terms <= limits.discreteTerms) return void 0;
    return `${combinations} values for each of ${sizeOf(checking.responseShape)} data make ${terms} likelihoods, more than ${limits.discreteTerms}`;
  }
  function unfit(checking, variables) {
    const { graph, parameters, deterministics, likelihood: likelihood2 } = checking;
    const depends = (roots) => dependsOnAny(graph, roots, variables);
    const laws = [
      { law: likelihood2.law, of: "the likelihood" },
      ...parameters.map(({ name: name2, prior }) => ({ law: prior, of: `the prior of "${name2}"` }))
    ];
    for (const { law, of: of2 } of laws) {
      const path = depends(lawNodes(law));
      if (path.size > 0 && !isPlain(law)) return `${of2} is no law of single numbers`;
      if (!isBatched(graph, path)) return `${of2} has it within a system of equations`;
    }
    for (const { name: name2, transform } of parameters) {
      if (depends(transformNodes(transform)).size > 0) return `the bounds of "${name2}" depend on it`;
    }
    for (const { name: name2, node } of deterministics) {
      if (!isBatched(graph, depends([node]))) return `"${name2}" has it within a system of equations`;
    }
  }
  function isPlain(law) {
    return families[law.family].eventRank === 0 && (law.components ?? []).every(isPlain);
  }
  function isBatched(graph, path) {
    return [...path].every((id) => batched.has(graph.nodes[id].kind));
  }

  // src/lang/linear_algebra.ts
  function matrixMultiply(checking, a, b, place3, dot2 = false) {
    const [p, q] = [shapeOf(checking, a), shapeOf(checking, b)];
    const scalar = p.length === 0 || q.length === 0;
    if (scalar && dot2) return applyMap(checking, "mul", [a, b], place3, widest(a, b));
    if (scalar || p.length > 2 || q.length > 2) return refuseRanks(checking, a, b, place3);
    const inner = q[q.length === 1 ? 0 : q.length - 2];
    if (p[p.length - 1] !== inner) return refuseInner(checking, a, b, place3);
    const { graph } = checking;
    const left = p.length === 1 ? graph.reshape(a.node, [1, p[0]]) : a.node;
    const right = q.length === 1 ? graph.reshape(b.node, [q[0], 1]) : b.node;
    const shape = [...p.slice(0, -1), ...q.length === 1 ? [] : [q[1]]];
    checking.allocate(sizeOf(shape), place3);
    const node = p.length === 1 && q.length === 1 ? graph.sum(graph.mul(a.node, b.node)) : graph.reshape(graph.matmul(left, right), shape);
    const dtype = widest(a, b);
    return fold(checking, { kind: "numeric", node, dtype, origin: joinOrigins(a, b) });
  }
  function refuseRanks(checking, a, b, place3) {
    const found = [a, b].map((x) => describeShape(shapeOf(checking, x))).join(" and ");
    const message = `Cannot multiply by @: wanted vectors or matrices, found ${found}`;
    checking.error("shapes/matmul", message, place3, "write * and pm.math.sum(..., axis=)");
  }
  function refuseInner(checking, a, b, place3) {
    const [p, q] = [a, b].map((x) => describeShape(shapeOf(checking, x)));
    const message = `Cannot compute ${checking.text(place3)}: ${p} and ${q} do not multiply`;
    const hint = "the last axis of the left must be as long as the first axis of the right";
    checking.error("shapes/matmul", message, place3, hint);
  }
  function transpose(checking, x, place3) {
    const shape = shapeOf(checking, x);
    if (shape.length < 2) return x;
    return permute(checking, x, shape.map((_, i) => shape.length - 1 - i), place3);
  }
  function permute(checking, x, axes, place3) {
    const from = shapeOf(checking, x);
    const to = axes.map((axis) => from[axis]);
    const size = sizeOf(to);
    checking.allocate(size, place3);
    const strides = from.map((_, i) => sizeOf(from.slice(i + 1)));
    const index = new Int32Array(size);
    const at = new Array(to.length).fill(0);
    for (let flat4 = 0; flat4 < size; flat4++) {
      let sum3 = 0;
      for (let i = 0; i < at.length; i++) sum3 += at[i] * strides[axes[i]];
      index[flat4] = sum3;
      for (let i = to.length - 1; i >= 0; i--) {
        if (++at[i] < to[i]) break;
        at[i] = 0;
      }
    }
    return fold(checking, { ...x, node: checking.graph.gather(x.node, index, to) });
  }

  // src/lang/columns.ts
  function readColumn(checking, e, index) {
    const text = checking.text(e.object);
    if (index.kind !== "text") {
      const message = `Cannot read a column by ${describeValue(index)}: wanted its name`;
      return checking.error("names/unknown-column", message, e.index, `write ${text}["name"]`);
    }
    return columnValue(checking, index.value, e, e.index);
  }
  function columnValue(checking, name2, place3, namePlace) {
    const own = checking.added.get(name2);
    if (own) return own;
    const found = checking.columns.get(name2);
    if (!found || found.role === "ignore") return unknownColumn(checking, namePlace, name2);
    if (found === checking.response) return { kind: "response" };
    const missing = found.values.findIndex((value) => !Number.isFinite(value));
    if (missing >= 0) {
      const message = `Cannot use the column "${found.name}": row ${missing + 1} is not finite`;
      return checking.error(
        "data/missing-values",
        message,
        place3,
        "drop the rows with missing values"
      );
    }
    return numericColumn(checking, found, place3);
  }
  function addColumn(checking, name2, value) {
    if (checking.columns.has(name2)) return false;
    const perRow = value.kind === "numeric" && checking.graph.shapeOf(value.node)[0] === checking.dataset.rows;
    if (!perRow && value.kind !== "derived" && value.kind !== "response") return false;
    checking.added.set(name2, perRow ? { ...value, origin: "series" } : value);
    return true;
  }
  function numericColumn(checking, column, place3) {
    const shape = column.shape ?? [checking.dataset.rows];
    checking.allocate(column.values.length, place3);
    const whole2 = column.values.every(Number.isInteger);
    const dtype = whole2 ? "int" : "float";
    if (shape.length === 0) {
      const node2 = checking.graph.scalar(column.values[0]);
      return { kind: "numeric", node: node2, dtype, origin: "python" };
    }
    const node = checking.graph.column(column.name, shape);
    return { kind: "numeric", node, dtype, origin: column.shape ? "numpy" : "series" };
  }
  function unknownColumn(checking, place3, name2) {
    const all = checking.dataset.columns;
    const why = all.some((c) => c.name === name2) ? 'its role is "ignore"' : "the data have no such column";
    const known5 = all.filter((c) => c.role !== "ignore").map((c) => c.name);
    const message = `Cannot read the column "${name2}": ${why}`;
    const hint = knownNames(name2, "columns", known5);
    return checking.error("names/unknown-column", message, place3, hint);
  }
  function readColumns(checking, e, names2) {
    const columns = [];
    for (const name2 of names2) {
      const column = readColumn(checking, e, name2);
      if (column.kind === "invalid") return column;
      columns.push(column);
    }
    if (columns.some(touchesResponse)) return checking.derive(e, ...columns);
    const rows = stackItems(checking, columns, e, "columns");
    return rows ? transpose(checking, rows, e) : invalid;
  }

  // src/lang/modules.ts
  var modules = {
    pymc: "pm",
    pymc3: "pm",
    "pymc.math": "pm.math",
    "pymc.distributions.transforms": "pm.transforms",
    numpy: "np",
    "numpy.linalg": "np.linalg",
    "numpy.random": "np.random",
    math: "math",
    pytensor: "pytensor",
    "pytensor.tensor": "pt",
    "pytensor.tensor.special": "pt.special",
    aesara: "pytensor",
    "aesara.tensor": "pt",
    "theano.tensor": "pt",
    "scipy.special": "special",
    "scipy.stats": "stats",
    pandas: "pd",
    arviz: "other",
    xarray: "other",
    matplotlib: "other",
    "matplotlib.pyplot": "other",
    seaborn: "other",
    typing: "other",
    warnings: "other",
    logging: "other",
    pathlib: "other",
    __future__: "other"
  };
  var submodules = {
    "pm.math": "pm.math",
    "pm.distributions": "pm",
    "pm.transforms": "pm.transforms",
    "np.linalg": "np.linalg",
    "np.random": "np.random",
    "pt.special": "pt.special",
    "pt.math": "pm.math",
    "pytensor.tensor": "pt",
    "pytensor.config": "other",
    "pytensor.printing": "other"
  };
  var moduleReplacements = {
    "pymc.ode": "write the solution as a function of the columns, or a solver's steps in a for loop",
    "pymc.gp": "write f as pm.MvNormal with cov= as an array, and each row's likelihood given f",
    pymc_bart: "write the mean as a function of the columns",
    pymc_extras: "write the model with pm. alone",
    pymc_experimental: "write the model with pm. alone",
    patsy: "write the columns of the design with NumPy, or add them to the data",
    formulaic: "write the columns of the design with NumPy, or add them to the data",
    sklearn: "add what it computes to the data as columns",
    statsmodels: "add what it computes to the data as columns",
    scipy: "of SciPy, only scipy.special is read",
    "pytensor.compile": "write the function with pm.math",
    "pytensor.graph": "write the function with pm.math",
    "pytensor.scan": "write the steps as arrays, or with pm.math.cumsum",
    blackjax: "leave it out: inference belongs to the host",
    numpyro: "leave it out: inference belongs to the host",
    nutpie: "leave it out: inference belongs to the host",
    jax: "write the function with pm.math",
    bambi: "write the model that it would build",
    os: "leave it out",
    sys: "leave it out"
  };
  function insteadOfModule(path) {
    for (let name2 = path; name2 !== ""; name2 = name2.slice(0, Math.max(0, name2.lastIndexOf(".")))) {
      if (Object.hasOwn(moduleReplacements, name2)) return moduleReplacements[name2];
    }
  }
  var constants2 = {
    np: { pi: Math.PI, e: Math.E, inf: Infinity, Inf: Infinity, euler_gamma: 0.5772156649015329 },
    math: { pi: Math.PI, e: Math.E, inf: Infinity, tau: 2 * Math.PI }
  };

  // src/lang/names.ts
  var dataContainers = /* @__PURE__ */ new Set(["Data", "MutableData", "ConstantData"]);
  var inference = /* @__PURE__ */ new Set([
    "sample",
    "sample_prior_predictive",
    "sample_posterior_predictive",
    "sample_smc",
    "sample_blackjax_nuts",
    "sample_numpyro_nuts",
    "find_MAP",
    "find_constrained_prior",
    "fit",
    "draw",
    "compute_log_likelihood",
    "compute_log_prior"
  ]);
  var silentNames = /* @__PURE__ */ new Set([
    "NUTS",
    "HamiltonianMC",
    "Metropolis",
    "Slice",
    "DEMetropolis",
    "DEMetropolisZ",
    "BinaryMetropolis",
    "BinaryGibbsMetropolis",
    "CategoricalGibbsMetropolis",
    "CompoundStep",
    "EllipticalSlice",
    "ADVI",
    "FullRankADVI",
    "SVGD",
    "Approximation",
    "summary",
    "loo",
    "waic",
    "compare",
    "ess",
    "rhat",
    "mcse",
    "model_to_graphviz",
    "model_to_networkx",
    "model_to_mermaid",
    "model_table",
    "model_graph",
    "traceplot",
    "forestplot",
    "print_table",
    "init_nuts",
    "adam",
    "adagrad",
    "sgd",
    "Empirical",
    "MeanField",
    "find_MAP"
  ]);
  function isSilentName(name2) {
    return silentNames.has(name2) || name2.startsWith("plot_");
  }
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
    ...dataContainers,
    "sample",
    "sample_prior_predictive",
    "sample_posterior_predictive"
  ];
  var walk = "write the steps with pm.math.cumsum over a vector of pm.Normal";
  var replacements = {
    AR1: "write pm.AR, or the mean with lagged predictors",
    Bound: "write pm.TruncatedNormal, or pm.Truncated around pm.Family.dist(...)",
    CAR: "write a hierarchical effect per group",
    EulerMaruyama: walk,
    GARCH11: "write the variance as a function of predictors",
    ICAR: "write a hierarchical effect per group",
    KroneckerNormal: "write pm.MvNormal with the covariance in full",
    LKJCorr: "pm.LKJCholeskyCov gives a covariance by its Cholesky factor",
    MatrixNormal: "write pm.MvNormal",
    Minibatch: "leave it out: all rows are scored",
    MvGaussianRandomWalk: walk,
    MvStudentTRandomWalk: walk,
    PolyaGamma: "pm.Gamma is on the same support",
    RandomWalk: walk,
    SkewStudentT: "pm.SkewNormal is skewed, pm.StudentT has heavy tails",
    StickBreakingWeights: "pm.Dirichlet gives weights that sum to 1",
    Wishart: "pm.LKJCholeskyCov gives a covariance by its Cholesky factor",
    WishartBartlett: "pm.LKJCholeskyCov gives a covariance by its Cholesky factor",
    do: "write the model as it is meant",
    observe: "write observed= in the likelihood",
    gp: "write f as pm.MvNormal with cov= as an array, and each row's likelihood given f",
    ode: "write the solution as a function of the columns, or a solver's steps in a for loop",
    scan: "write the steps as arrays"
  };
  var random = "randomness belongs to random variables";
  var functionReplacements = {
    scan: "write the steps as arrays, or with pm.math.cumsum",
    shared: "leave it out: arrays of data need no wrapping",
    wrap_py: "write the function with pm.math",
    as_op: "write the function with pm.math",
    kronecker: "write the product with [:, None] and [None, :]",
    einsum: "write the product with * and pm.math.sum(..., axis=)",
    tensordot: "write the product with * and pm.math.sum(..., axis=)",
    matrix_inverse: "solve with the Cholesky factor, or give pm.MvNormal tau=",
    random,
    rand: random,
    randn: random,
    vectorize: "call the function on the whole array",
    polyfit: "write the polynomial with coefficients of its own",
    interp: "write the interpolation with np.where",
    loadtxt: "the data are in data[...]",
    genfromtxt: "the data are in data[...]",
    gammainc: "incomplete gamma functions are in the distributions only",
    betainc: "incomplete beta functions are in the distributions only"
  };
  var builtinReplacements = {
    eval: "write the expression itself",
    exec: "write the statements themselves",
    compile: "write the statements themselves",
    getattr: "write the attribute after a point",
    setattr: "leave it out",
    hasattr: "leave it out",
    delattr: "leave it out",
    globals: "leave it out",
    locals: "leave it out",
    vars: "leave it out",
    dir: "leave it out",
    type: "leave it out",
    isinstance: "leave it out",
    issubclass: "leave it out",
    callable: "leave it out",
    id: "leave it out",
    hash: "leave it out",
    open: "leave it out: the data are in data[...]",
    input: "leave it out: the data are in data[...]",
    __import__: "write an import statement",
    help: "leave it out",
    exit: "leave it out",
    quit: "leave it out",
    object: "leave it out",
    super: "leave it out",
    iter: "write a for loop",
    next: "write a for loop",
    map: "write a comprehension",
    filter: "write a comprehension",
    set: "write a list",
    frozenset: "write a list",
    bytes: "write a string",
    bytearray: "write a string",
    complex: "write real numbers",
    slice: "write [start:stop]",
    divmod: "write // and %",
    chr: "write the string",
    ord: "write the number",
    repr: "write the string",
    format: "write an f-string"
  };
  function isReservedName(name2) {
    const reserved = ["log_likelihood", "log_prior", "lp", "elpd", "elpd_loo", "chain", "draw"];
    return reserved.includes(name2) || name2.startsWith("__") || name2.endsWith("__");
  }

  // src/lang/array_function.ts
  function arrayArgument(site, bound, name2) {
    const given2 = bound.get(name2);
    return given2 && numeric(site.checking, given2.value, given2.place, site.text);
  }
  function wholeArgument(site, bound, name2, fallback) {
    const given2 = bound.get(name2);
    if (!given2 || given2.value.kind === "none") return fallback;
    return wholeNumber(site.checking, given2.value, given2.place, name2);
  }
  function flagArgument(site, bound, name2, fallback) {
    const found = numberOf3(site.checking, bound.get(name2)?.value);
    return found === void 0 ? fallback : found !== 0;
  }
  function axesArgument(site, bound, shape, name2 = "axis") {
    const given2 = bound.get(name2);
    if (!given2 || given2.value.kind === "none") return shape.map((_, i) => i);
    const values = given2.value.kind === "sequence" ? given2.value.items : [given2.value];
    const axes = [];
    for (const value of values) {
      const axis = wholeNumber(site.checking, value, given2.place, name2);
      if (axis === void 0) return void 0;
      if (axis < -shape.length || axis >= shape.length) {
        const message = `Cannot call ${site.text} over axis ${axis} of ${describeShape(shape)}`;
        const last = shape.length - 1;
        const hint = shape.length === 0 ? "leave axis= out" : `axes are counted from 0 to ${last}`;
        site.checking.error("shapes/axis", message, given2.place, hint);
        return void 0;
      }
      axes.push(axis < 0 ? axis + shape.length : axis);
    }
    return [...new Set(axes)];
  }
  function oneAxis(site, bound, shape, fallback) {
    if (!bound.has("axis")) return fallback < 0 ? fallback + shape.length : fallback;
    return axesArgument(site, bound, shape)?.[0];
  }
  function refuseAxis(site, axis, shape) {
    const message = `Cannot call ${site.text} along axis ${axis} of ${describeShape(shape)}`;
    site.checking.error("shapes/axis", message, site.place);
  }
  function asRank(site, x, make) {
    const { graph } = site.checking;
    return { ...x, node: graph.reshape(x.node, make(shapeOf(site.checking, x))) };
  }
  function shapeArgument(site, given2, open2 = false) {
    const { checking } = site;
    const items = given2.value.kind === "sequence" ? given2.value.items : void 0;
    const shape = [];
    for (const item2 of items ?? [given2.value]) {
      const extent = wholeNumber(checking, item2, given2.place, "shape");
      if (extent === void 0) return void 0;
      shape.push(extent);
    }
    const negative = shape.find((extent) => extent < (open2 ? -1 : 0));
    if (negative === void 0) return shape;
    const message = `Cannot use the shape (${shape.join(", ")}): ${negative} is negative`;
    return void checking.error("shapes/shape", message, given2.place);
  }

  // src/lang/bind.ts
  function evaluateArguments(checking, call2) {
    const positional = [];
    const keywords2 = /* @__PURE__ */ new Map();
    let fine = true;
    for (const { form, keyword: keyword2, value: place3 } of call2.arguments) {
      const value = evaluate(checking, place3);
      if (value.kind === "invalid") fine = false;
      if (form === "positional") positional.push({ value, place: place3 });
      else if (form === "keyword" && keyword2) keywords2.set(keyword2.id, { value, place: place3, keyword: keyword2 });
      else if (form === "star" && value.kind === "sequence") {
        positional.push(...value.items.map((item2) => ({ value: item2, place: place3 })));
      } else if (form === "double_star" && value.kind === "dictionary") {
        for (const [key, item2] of value.entries) keywords2.set(`${key}`, { value: item2, place: place3 });
      } else if (value.kind !== "invalid") {
        const message = `Cannot unpack ${checking.text(place3)}: wanted a list after *, a dictionary after **`;
        checking.error("names/arguments", message, place3, "write the arguments one by one");
        fine = false;
      }
    }
    return fine ? { call: call2, positional, keywords: keywords2 } : void 0;
  }
  function allArguments({ positional, keywords: keywords2 }) {
    return [...positional, ...keywords2.values()];
  }
  function anyTouchesResponse(given2) {
    return given2.some(({ value }) => carriesResponse(value));
  }
  function carriesResponse(value) {
    if (value.kind === "sequence") return value.items.some(carriesResponse);
    if (value.kind === "dictionary") return [...value.entries.values()].some(carriesResponse);
    return touchesResponse(value);
  }
  function bind(checking, args, text, { names: names2, required: required2, keywordOnly = [], ignored: ignored2 = [] }) {
    const bound = /* @__PURE__ */ new Map();
    if (args.positional.length > names2.length) {
      return refuse2(checking, args.call, text, countOf2(names2, required2), args.positional.length);
    }
    args.positional.forEach((given2, i) => bound.set(names2[i], given2));
    for (const [name2, given2] of args.keywords) {
      const place3 = given2.keyword ?? given2.place;
      if (ignored2.includes(name2)) continue;
      if (bound.has(name2)) {
        const message2 = `Cannot call ${text}: ${name2} is given twice`;
        checking.error("names/repeated-argument", message2, place3);
        return void 0;
      }
      if (!names2.includes(name2) && !keywordOnly.includes(name2)) {
        const message2 = `Cannot use ${name2}= in ${text}: no such argument, or not in the subset`;
        const hint = knownNames(name2, "arguments", [...names2, ...keywordOnly]);
        checking.error("names/unknown-argument", message2, place3, hint);
        return void 0;
      }
      bound.set(name2, given2);
    }
    const missing = names2.slice(0, required2).filter((name2) => !bound.has(name2));
    if (missing.length === 0) return bound;
    const message = `Cannot call ${text}: missing ${missing.join(" and ")}`;
    checking.error("names/missing-argument", message, args.call);
    return void 0;
  }
  function countOf2(names2, required2) {
    if (names2.length === required2) return `${required2}`;
    return `${required2} to ${names2.length}`;
  }
  function refuse2(checking, call2, text, wanted2, found) {
    const noun = wanted2 === "1" ? "argument" : "arguments";
    const message = `Cannot call ${text}: wanted ${wanted2} ${noun} by position, found ${found}`;
    checking.error("names/arguments", message, call2);
  }

  // src/lang/indexing.ts
  function takePart(checking, e, object, index) {
    if (object.kind === "response" && isWhole(index)) return object;
    if (touchesResponse(object) || touchesResponse(index)) return checking.derive(e, object, index);
    if (index.kind === "ignored") return index;
    switch (object.kind) {
      case "numeric":
        return indexArray(checking, e, object, index);
      case "sequence":
        return indexSequence(checking, e, object, index);
      case "dictionary":
        return lookUpKey(checking, e, object.entries, index);
      case "model":
        return variableOf(checking, e, index);
      default: {
        const message = `Cannot take a part of ${describeValue(object)}: not in the subset`;
        return checking.error("unsupported/expression", message, e);
      }
    }
  }
  function isWhole(index) {
    return index.kind === "slice" && index.parts.every((part) => part === void 0);
  }
  function lookUpKey(checking, e, entries2, index) {
    const key = keyOf(checking, index);
    const found = key === void 0 ? void 0 : entries2.get(key);
    if (found) return found;
    const known5 = knownNames(`${key}`, "keys", [...entries2.keys()].map(String));
    const message = `Cannot find the key ${checking.text(e.index)} in the dictionary`;
    return checking.error("names/undefined", message, e.index, known5);
  }
  function variableOf(checking, e, index) {
    const name2 = index.kind === "text" ? index.value : void 0;
    const found = name2 === void 0 ? void 0 : checking.named.get(name2);
    if (found) return found;
    const message = `Cannot find the variable ${checking.text(e.index)} of the model`;
    const hint = knownNames(name2 ?? "", "variables", [...checking.variables.keys()]);
    return checking.error("names/undefined", message, e.index, hint);
  }
  function indexSequence(checking, e, object, index) {
    const { items } = object;
    if (index.kind === "slice") {
      return { ...object, items: sliceIndices(index.parts, items.length).map((i) => items[i]) };
    }
    const at = numberOf3(checking, index);
    if (at !== void 0 && Number.isInteger(at) && at >= -items.length && at < items.length) {
      return items[at < 0 ? at + items.length : at];
    }
    const numbers2 = items.every((item2) => item2.kind === "numeric");
    if (index.kind === "numeric" && at === void 0 && numbers2) {
      const message2 = "Cannot index a list by an array: Python's lists know whole numbers and slices";
      return checking.error(
        "names/wrong-kind",
        message2,
        e,
        `write np.array(${checking.text(e.object)})`
      );
    }
    const wanted2 = `wanted a whole number from ${-items.length} to ${items.length - 1}`;
    const message = `Cannot take an item of a ${object.form} of ${items.length}: ${wanted2}`;
    return checking.error("shapes/index", message, e.index);
  }
  function sliceIndices(parts, length2) {
    const step = parts[2] ?? 1;
    if (step === 0) return [];
    const [low2, high2] = step > 0 ? [0, length2] : [-1, length2 - 1];
    const clamp = (x) => Math.min(high2, Math.max(low2, x < 0 ? x + length2 : x));
    const start = parts[0] === void 0 ? step > 0 ? 0 : length2 - 1 : clamp(parts[0]);
    const stop = parts[1] === void 0 ? step > 0 ? length2 : -1 : clamp(parts[1]);
    const result = [];
    for (let i = start; step > 0 ? i < stop : i > stop; i += step) result.push(i);
    return result;
  }
  function indexArray(checking, e, x, index) {
    const shape = shapeOf(checking, x);
    const given2 = index.kind === "sequence" && index.form === "tuple" ? index.items : [index];
    const places2 = e.index.kind === "tuple" && given2.length === e.index.items.length ? e.index.items : given2.map(() => e.index);
    const flat4 = given2.length === 1 && given2[0].kind !== "none";
    if (x.origin === "series" && checking.frame && !flat4) warnSeries(checking, e);
    const components2 = expandMasks(checking, given2, places2);
    const parts = components2 && partsOf(checking, e, components2, shape);
    if (!parts) return invalid;
    return gatherParts(checking, e, x, shape, parts) ?? invalid;
  }
  function warnSeries(checking, e) {
    const message = "pandas has no index of several axes for a column";
    const hint = `write ${checking.text(e.object)}.values[...]`;
    checking.findings.warning("names/not-in-pymc", message, e, hint);
  }
  function expandMasks(checking, given2, places2) {
    const components2 = [];
    for (const [i, value] of given2.entries()) {
      const place3 = places2[i];
      if (touchesResponse(value) || value.kind === "invalid") {
        if (value.kind !== "invalid") checking.refuseResponse(value, place3);
        return void 0;
      }
      if (value.kind !== "numeric" && value.kind !== "sequence") {
        components2.push({ value, place: place3 });
        continue;
      }
      const number3 = numeric(checking, value, place3, "an index");
      if (!number3) return void 0;
      const array = shapeOf(checking, number3).length > 0;
      if (number3.dtype === "bool" && array) {
        const positions = nonZero(checking, number3, place3);
        if (!positions) return void 0;
        for (const one3 of positions) components2.push({ value: one3, place: place3 });
      } else components2.push({ value: number3, place: place3 });
    }
    return components2;
  }
  function nonZero(checking, mask, place3) {
    const known5 = checking.graph.valueOf(mask.node);
    if (!known5) {
      const message = "Cannot select by a random condition: shapes must be known before sampling";
      checking.error(
        "names/random-condition",
        message,
        place3,
        "write pm.math.switch(condition, a, b)"
      );
      return void 0;
    }
    const flat4 = [...known5.values.keys()].filter((i) => known5.values[i] !== 0);
    const strides = stridesOf(known5.shape);
    return known5.shape.map((extent, axis) => {
      const at = flat4.map((i) => Math.floor(i / strides[axis]) % extent);
      return hostArray(checking, Float64Array.from(at), [at.length], "int", place3);
    });
  }
  function partsOf(checking, e, components2, shape) {
    const used = components2.filter(({ value }) => value.kind !== "none" && value.kind !== "ellipsis");
    if (used.length > shape.length) {
      const message = `Cannot compute ${checking.text(e)}: ${used.length} indices for ` + describeShape(shape);
      checking.error("shapes/index", message, e);
      return void 0;
    }
    const rest = shape.length - used.length;
    const dots = components2.some(({ value }) => value.kind === "ellipsis");
    const parts = [];
    let axis = 0;
    const takeAll = (count) => {
      for (; count > 0; count--) parts.push({ kind: "basic", positions: range(shape[axis++]) });
    };
    for (const { value, place: place3 } of components2) {
      if (value.kind === "none") parts.push({ kind: "new" });
      else if (value.kind === "ellipsis") takeAll(rest);
      else {
        const part = partOf(checking, value, place3, shape[axis++], shape);
        if (!part) return void 0;
        parts.push(part);
      }
    }
    if (!dots) takeAll(rest);
    return parts;
  }
  function range(length2) {
    return Array.from({ length: length2 }, (_, i) => i);
  }
  function partOf(checking, value, place3, extent, shape) {
    if (value.kind === "slice") {
      return { kind: "basic", positions: sliceIndices(value.parts, extent) };
    }
    if (value.kind !== "numeric") {
      const message = `Cannot index by ${describeValue(value)}: wanted whole numbers or a slice`;
      checking.error("names/wrong-kind", message, place3);
      return void 0;
    }
    return checkIndex(checking, value, place3, extent, shape) ? { kind: "advanced", index: value, place: place3 } : void 0;
  }
  function checkIndex(checking, index, place3, extent, shape) {
    const known5 = checking.graph.valueOf(index.node);
    const text = checking.text(place3);
    const latent = checking.latents.find(({ node }) => node === index.node);
    if (latent && latent.count <= extent) return true;
    const codes3 = codesOf(checking, index.node);
    if (codes3) return checkCodes(checking, codes3, place3, extent, shape);
    if (!known5) {
      const message2 = `Cannot index by ${text}: it is known only while sampling`;
      checking.error("names/random-condition", message2, place3, "index by data");
      return false;
    }
    const broken = known5.values.findIndex((value) => !Number.isInteger(value));
    if (broken >= 0) {
      const where3 = describePosition(checking, known5.shape, broken);
      const message2 = `Cannot index by ${text}: wanted whole numbers, found ${known5.values[broken]}${where3}`;
      checking.error("shapes/index", message2, place3, `write ${text}.astype(int)`);
      return false;
    }
    const outside = known5.values.findIndex((value) => value < -extent || value >= extent);
    if (outside < 0) return true;
    const where2 = describePosition(checking, known5.shape, outside);
    const message = `Cannot index ${describeShape(shape)} by ${text}: ${known5.values[outside]}${where2} is outside of 0 to ${extent - 1}`;
    const fromOne = known5.shape.length > 0 && known5.values.every((value) => value >= 1 && value <= extent);
    const hint = fromOne ? `codes begin at 0: write ${text} - 1` : void 0;
    checking.error("shapes/index", message, place3, hint);
    return false;
  }
  function codesOf({ graph, parameters }, node) {
    const found = graph.nodes[node];
    const transform = found.kind === "parameter" ? parameters[found.parameter]?.transform : void 0;
    return transform?.kind === "summed" ? transform : void 0;
  }
  function checkCodes(checking, { lower: lower2, count }, place3, extent, shape) {
    if (lower2 >= 0 && lower2 + count <= extent) return true;
    const text = checking.text(place3);
    const message = `Cannot index ${describeShape(shape)} by ${text}: its values are ${lower2} to ${lower2 + count - 1}, wanted 0 to ${extent - 1}`;
    checking.error("shapes/index", message, place3);
    return false;
  }
  function gatherParts(checking, e, x, shape, parts) {
    const { graph } = checking;
    const advanced = parts.flatMap((part) => part.kind === "advanced" ? [part.index] : []);
    const shapes = advanced.map((index) => graph.shapeOf(index.node));
    const joined5 = broadcastShapes(...shapes);
    if (!joined5) {
      const [a, b] = clashing(shapes);
      const message = `Cannot compute ${checking.text(e)}: indices of ${describeShape(a)} and ${describeShape(b)} do not broadcast`;
      checking.error("shapes/broadcast", message, e.index);
      return void 0;
    }
    const result = resultAxes(parts, joined5);
    const size = sizeOf(result.shape);
    checking.allocate(size, e);
    const flat4 = flatIndex(checking, parts, shape, result);
    const origin = advanced.some((index) => !isHost(index)) && isHost(x) ? joinOrigins(x, ...advanced) : x.origin;
    const known5 = graph.nodes[flat4];
    const node = known5.kind === "constant" ? graph.gather(x.node, Int32Array.from(known5.values), result.shape) : graph.take(x.node, flat4);
    const made = { ...x, node, origin: origin === "series" ? "numpy" : origin };
    return isReshape(parts) ? made : fold(checking, made);
  }
  function isReshape(parts) {
    return parts.every(
      (part) => part.kind === "new" || part.kind === "basic" && part.positions.every((at, i) => at === i)
    );
  }
  function resultAxes(parts, joined5) {
    const at = [...parts.keys()].filter((i) => parts[i].kind === "advanced");
    const neighbours = at.every((i, k) => k === 0 || i === at[k - 1] + 1);
    const shape = [];
    const axisOf2 = parts.map(() => -1);
    let advancedAt = 0;
    if (at.length > 0 && !neighbours) shape.push(...joined5);
    for (const [i, part] of parts.entries()) {
      if (part.kind === "advanced") {
        if (i !== at[0] || !neighbours) continue;
        advancedAt = shape.length;
        shape.push(...joined5);
      } else {
        axisOf2[i] = shape.length;
        shape.push(part.kind === "new" ? 1 : part.positions.length);
      }
    }
    return { shape, axisOf: axisOf2, advancedAt };
  }
  function flatIndex(checking, parts, shape, { shape: to, axisOf: axisOf2, advancedAt }) {
    const { graph } = checking;
    const strides = stridesOf(shape);
    const joinedRank = Math.max(
      0,
      ...parts.map((part) => part.kind === "advanced" ? graph.shapeOf(part.index.node).length : 0)
    );
    let axis = 0;
    let flat4 = graph.scalar(0);
    for (const [i, part] of parts.entries()) {
      if (part.kind === "new") continue;
      const [extent, stride] = [shape[axis], strides[axis]];
      axis++;
      let term;
      if (part.kind === "basic") {
        const placed = to.map((_, k) => k === axisOf2[i] ? part.positions.length : 1);
        term = graph.array(Float64Array.from(part.positions, (at) => at * stride), placed);
      } else {
        const index = notNegative(checking, part.index, extent);
        const from = graph.shapeOf(index);
        const before = new Array(joinedRank - from.length).fill(1);
        const after = new Array(to.length - advancedAt - joinedRank).fill(1);
        const placed = graph.reshape(index, [...before, ...from, ...after]);
        term = graph.mul(placed, graph.scalar(stride));
      }
      flat4 = graph.add(flat4, term);
    }
    if (`${graph.shapeOf(flat4)}` === `${to}`) return flat4;
    return graph.add(flat4, graph.array(new Float64Array(sizeOf(to)), to));
  }
  function notNegative({ graph }, { node }, extent) {
    const values = graph.valueOf(node)?.values;
    if (!values?.some((value) => value < 0)) return node;
    const negative = graph.map("lt", node, graph.scalar(0));
    return graph.where(negative, graph.add(node, graph.scalar(extent)), node);
  }

  // src/lang/joining.ts
  function itemsArgument(site, bound, name2) {
    const given2 = bound.get(name2);
    if (!given2) return void 0;
    const { checking } = site;
    if (given2.value.kind !== "sequence") {
      const message = `Cannot call ${site.text}: wanted a list of arrays`;
      const hint = `write ${site.text}([a, b])`;
      checking.error("names/wrong-kind", message, given2.place, hint);
      return void 0;
    }
    const items = [];
    for (const item2 of given2.value.items) {
      const number3 = numeric(checking, item2, given2.place, site.text);
      if (!number3) return void 0;
      items.push(number3);
    }
    if (items.length > 0) return items;
    return void checking.error(
      "shapes/empty",
      `Cannot call ${site.text} on an empty list`,
      given2.place
    );
  }
  function stackArrays(site, items, axis) {
    const stacked = stackItems(site.checking, items, site.place, site.text);
    if (!stacked) return void 0;
    const rank = shapeOf(site.checking, stacked).length;
    const at = axis < 0 ? axis + rank : axis;
    if (at === 0) return stacked;
    if (at < 0 || at >= rank) return refuseAxis(site, axis, shapeOf(site.checking, items[0]));
    const order = Array.from({ length: rank }, (_, i) => i < at ? i + 1 : i === at ? 0 : i);
    return permute(site.checking, stacked, order, site.place);
  }
  function concatenateArrays(site, items, axis) {
    const { checking } = site;
    const shapes = items.map((item2) => shapeOf(checking, item2));
    const [first2] = shapes;
    const at = axis < 0 ? axis + first2.length : axis;
    if (at < 0 || at >= first2.length) return refuseAxis(site, axis, first2);
    const other = shapes.find(
      (shape) => shape.length !== first2.length || shape.some((extent, i) => i !== at && extent !== first2[i])
    );
    if (other) {
      const message = `Cannot call ${site.text}: ${describeShape(first2)} and ${describeShape(other)} do not fit along axis ${at}`;
      return void checking.error("shapes/concatenate", message, site.place);
    }
    const moved4 = items.map((item2, i) => toFront(site, item2, at, shapes[i]));
    const total2 = shapes.reduce((sum3, shape) => sum3 + shape[at], 0);
    const rest = first2.filter((_, i) => i !== at);
    checking.allocate(total2 * sizeOf(rest), site.place);
    const node = checking.graph.join(moved4.map((item2) => item2.node), [total2, ...rest]);
    const joined5 = {
      kind: "numeric",
      node,
      dtype: widest(...items),
      origin: tensorOrNumpy(items)
    };
    if (at === 0) return fold(checking, joined5);
    const order = first2.map((_, i) => i < at ? i + 1 : i === at ? 0 : i);
    return permute(checking, joined5, order, site.place);
  }
  function tensorOrNumpy(items) {
    return items.some((item2) => !isHost(item2)) ? "tensor" : "numpy";
  }
  function toFront(site, item2, axis, shape) {
    if (axis === 0) return item2;
    const order = [axis, ...shape.keys().filter((i) => i !== axis)];
    return permute(site.checking, item2, order, site.place);
  }
  var stack = {
    names: ["arrays", "axis"],
    required: 1,
    apply: (site, bound) => {
      const given2 = bound.get("arrays");
      if (given2?.value.kind === "numeric") return given2.value;
      const items = itemsArgument(site, bound, "arrays");
      const axis = items && wholeArgument(site, bound, "axis", 0);
      return items && axis !== void 0 ? stackArrays(site, items, axis) : void 0;
    }
  };
  var concatenate = {
    names: ["arrays", "axis"],
    required: 1,
    apply: (site, bound) => {
      const items = itemsArgument(site, bound, "arrays");
      const axis = items && wholeArgument(site, bound, "axis", 0);
      return items && axis !== void 0 ? concatenateArrays(site, items, axis) : void 0;
    }
  };
  function tableStack(kind) {
    return {
      names: ["tup"],
      required: 1,
      apply: (site, bound) => {
        const items = itemsArgument(site, bound, "tup");
        if (!items) return void 0;
        const flat4 = items.every((item2) => shapeOf(site.checking, item2).length <= 1);
        const made = items.map(
          (item2) => asRank(site, item2, (shape) => {
            if (shape.length >= 2) return shape;
            if (kind === "hstack") return shape.length === 0 ? [1] : shape;
            return kind === "vstack" ? [1, shape[0] ?? 1] : [shape[0] ?? 1, 1];
          })
        );
        const axis = kind === "vstack" || kind === "hstack" && flat4 ? 0 : 1;
        return concatenateArrays(site, made, axis);
      }
    };
  }
  function joinedColumns(checking, place3, name2, index) {
    if (name2 !== "c_" && name2 !== "r_") return void 0;
    const items = index.kind === "sequence" && index.form === "tuple" ? index.items : [index];
    if (items.some(carriesResponse)) return checking.derive(place3, ...items);
    const text = `np.${name2}[...]`;
    const parts = [];
    for (const item2 of items) {
      const part = numeric(checking, item2, place3.index, text);
      if (!part) return invalid;
      parts.push(part);
    }
    const site = { checking, place: place3, text };
    if (parts.some((part) => !isHost(part))) return refuseRandom(site) ?? invalid;
    const wide = name2 === "c_" ? 2 : 1;
    const made = parts.map(
      (part) => asRank(
        site,
        part,
        (shape) => shape.length >= wide ? shape : wide === 1 ? [1] : [shape[0] ?? 1, 1]
      )
    );
    const joined5 = concatenateArrays(site, made, name2 === "c_" ? 1 : 0);
    return joined5 ? { ...joined5, origin: "numpy" } : invalid;
  }

  // src/lang/structured_value.ts
  function structuredValue(checking, law, value, given2) {
    if (law.family !== "lkj_cholesky_cov") return value;
    const computed = given2.get("compute_corr");
    if (computed && numberOf3(checking, computed.value) === 0) return value;
    return { kind: "sequence", form: "tuple", items: factorParts(checking, law, value) };
  }
  function factorParts({ graph: g }, law, packed) {
    const [n] = law.sizes ?? [1];
    const chol = unpack(g, packed.node, n);
    const covariance = g.matmul(chol, transposed3(g, chol, n));
    const stds = g.map("sqrt", g.sum(g.mul(chol, chol), [1]));
    const scale = g.mul(g.reshape(stds, [n, 1]), g.reshape(stds, [1, n]));
    const tensor = (node) => ({ ...packed, node });
    return [tensor(chol), tensor(g.div(covariance, scale)), tensor(stds)];
  }
  function unpack(g, packed, n) {
    const index = Int32Array.from({ length: n * n }, (_, flat4) => {
      const [i, j] = [Math.floor(flat4 / n), flat4 % n];
      return j <= i ? i * (i + 1) / 2 + j : -1;
    });
    return g.gather(packed, index, [n, n]);
  }
  function transposed3(g, x, n) {
    const index = Int32Array.from(
      { length: n * n },
      (_, flat4) => flat4 % n * n + Math.floor(flat4 / n)
    );
    return g.gather(x, index, [n, n]);
  }

  // src/lang/rearranging.ts
  function broadcastTo(site, x, shape) {
    const { checking, place: place3 } = site;
    const from = shapeOf(checking, x);
    if (`${broadcastShapes(from, shape)}` !== `${shape}`) {
      const message = `Cannot broadcast ${describeShape(from)} to ${describeShape(shape)}`;
      return void checking.error("shapes/broadcast", message, place3);
    }
    checking.allocate(sizeOf(shape), place3);
    const origin = x.origin === "tensor" ? "tensor" : "numpy";
    return fold(checking, { ...x, origin, node: checking.graph.broadcast(x.node, shape) });
  }
  function reshapeArray(site, x, wanted2) {
    const { checking } = site;
    const from = shapeOf(checking, x);
    const size = sizeOf(from);
    const rest = sizeOf(wanted2.filter((extent) => extent !== -1));
    const unknown2 = wanted2.filter((extent) => extent === -1).length;
    const shape = wanted2.map((extent) => extent === -1 ? size / rest : extent);
    if (unknown2 > 1 || sizeOf(shape) !== size || !shape.every(Number.isInteger)) {
      const message = `Cannot reshape an array of ${describeShape(from)} to (${wanted2.join(", ")})`;
      return void checking.error("shapes/reshape", message, site.place, `there are ${size} elements`);
    }
    return { ...x, node: checking.graph.reshape(x.node, shape) };
  }
  var reshape = {
    names: ["a", "shape"],
    required: 2,
    ignored: ["ndim"],
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const given2 = bound.get("shape");
      const shape = x && given2 && shapeArgument(site, given2, true);
      return shape && reshapeArray(site, x, shape);
    }
  };
  var flatten = {
    names: ["a"],
    required: 1,
    ignored: ["ndim"],
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      return x && asRank(site, x, (shape) => [sizeOf(shape)]);
    }
  };
  var expandDims = {
    names: ["a", "axis"],
    required: 2,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const axis = wholeArgument(site, bound, "axis", 0);
      if (!x || axis === void 0) return void 0;
      const from = shapeOf(site.checking, x);
      const at = axis < 0 ? axis + from.length + 1 : axis;
      if (at < 0 || at > from.length) return refuseAxis(site, axis, from);
      return asRank(site, x, (shape) => [...shape.slice(0, at), 1, ...shape.slice(at)]);
    }
  };
  var squeeze = {
    names: ["a"],
    required: 1,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      return x && asRank(site, x, (shape) => shape.filter((extent) => extent !== 1));
    }
  };
  var transposeFunction = {
    names: ["a"],
    required: 1,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      return x && transpose(site.checking, x, site.place);
    }
  };
  var broadcastToFunction = {
    names: ["a", "shape"],
    required: 2,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const given2 = bound.get("shape");
      const shape = x && given2 && shapeArgument(site, given2);
      return shape && broadcastTo(site, x, shape);
    }
  };
  var repeat = {
    names: ["a", "repeats", "axis"],
    required: 2,
    apply: (site, bound) => {
      const { checking } = site;
      const x = arrayArgument(site, bound, "a");
      const counts = x && arrayArgument(site, bound, "repeats");
      const times3 = counts && checking.graph.valueOf(counts.node);
      if (!x || !counts) return void 0;
      const shape = shapeOf(checking, x);
      const axis = bound.has("axis") && bound.get("axis")?.value.kind !== "none" ? oneAxis(site, bound, shape, 0) : void 0;
      const flat4 = axis === void 0 ? asRank(site, x, (from) => [sizeOf(from)]) : x;
      const along = axis ?? 0;
      const extent = shapeOf(checking, flat4)[along];
      const fits = times3 && (times3.values.length === 1 || times3.values.length === extent);
      if (!times3 || !fits || !times3.values.every((n) => Number.isInteger(n) && n >= 0)) {
        const message = `Cannot call ${site.text}: wanted one whole number, or one for each of ${extent}`;
        return void checking.error("shapes/repeat", message, site.place);
      }
      const count = (i) => times3.values[times3.values.length === 1 ? 0 : i];
      checking.allocate(
        Array.from({ length: extent }, (_, i) => count(i)).reduce((a, b) => a + b, 0),
        site.place
      );
      const positions = Array.from({ length: extent }, (_, i) => new Array(count(i)).fill(i));
      return takeAlong(site, flat4, along, positions.flat());
    }
  };
  function takeAlong(site, x, axis, positions) {
    const { checking } = site;
    const from = shapeOf(checking, x);
    const to = from.map((extent, i) => i === axis ? positions.length : extent);
    const inner = sizeOf(from.slice(axis + 1));
    const size = sizeOf(to);
    checking.allocate(size, site.place);
    const index = new Int32Array(size);
    for (let flat4 = 0; flat4 < size; flat4++) {
      const k = Math.floor(flat4 / inner) % positions.length;
      const block2 = Math.floor(flat4 / (inner * positions.length));
      index[flat4] = (block2 * from[axis] + positions[k]) * inner + flat4 % inner;
    }
    const origin = x.origin === "tensor" ? "tensor" : "numpy";
    return fold(checking, { ...x, origin, node: checking.graph.gather(x.node, index, to) });
  }
  var tile = {
    names: ["a", "reps"],
    required: 2,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const given2 = bound.get("reps");
      const reps = x && given2 && shapeArgument(site, given2);
      if (!x || !reps) return void 0;
      let tiled = asRank(site, x, (shape) => [
        ...new Array(Math.max(0, reps.length - shape.length)).fill(1),
        ...shape
      ]);
      const rank = shapeOf(site.checking, tiled).length;
      for (const [i, times3] of reps.entries()) {
        const axis = rank - reps.length + i;
        const extent = shapeOf(site.checking, tiled)[axis];
        site.checking.allocate(extent * times3, site.place);
        const positions = Array.from({ length: extent * times3 }, (_, k) => k % extent);
        tiled = takeAlong(site, tiled, axis, positions);
      }
      return tiled;
    }
  };
  var diff = {
    names: ["a", "n", "axis"],
    required: 1,
    apply: (site, bound) => {
      const { checking, place: place3 } = site;
      let x = arrayArgument(site, bound, "a");
      const order = wholeArgument(site, bound, "n", 1);
      if (!x || order === void 0) return void 0;
      const axis = oneAxis(site, bound, shapeOf(checking, x), -1);
      if (axis === void 0) return void 0;
      for (let i = 0; i < order && x; i++) {
        const extent = shapeOf(checking, x)[axis] ?? 0;
        const below2 = Array.from({ length: Math.max(0, extent - 1) }, (_, k) => k);
        const [low2, high2] = [below2, below2.map((k) => k + 1)].map(
          (at) => takeAlong(site, x, axis, at)
        );
        x = applyMap(checking, "sub", [high2, low2], place3, widest(x));
      }
      return x && fold(checking, x);
    }
  };
  var diag = {
    names: ["a"],
    required: 1,
    apply: (site, bound) => {
      const { checking } = site;
      const x = arrayArgument(site, bound, "a");
      if (!x) return void 0;
      const shape = shapeOf(checking, x);
      const n = shape.length === 2 ? Math.min(...shape) : shape[0] ?? 1;
      const vector2 = shape.length < 2;
      checking.allocate(vector2 ? n * n : n, site.place);
      const index = vector2 ? Int32Array.from({ length: n * n }, (_, i) => i % (n + 1) === 0 ? i / (n + 1) : -1) : Int32Array.from({ length: n }, (_, i) => i * shape[1] + i);
      const node = checking.graph.gather(x.node, index, vector2 ? [n, n] : [n]);
      return fold(checking, { ...x, node });
    }
  };
  function triangle(lower2) {
    return {
      names: ["a", "k"],
      required: 1,
      apply: (site, bound) => {
        const x = arrayArgument(site, bound, "a");
        const k = wholeArgument(site, bound, "k", 0);
        if (!x || k === void 0) return void 0;
        const shape = shapeOf(site.checking, x);
        if (shape.length !== 2) return refuseAxis(site, 1, shape);
        const index = Int32Array.from({ length: sizeOf(shape) }, (_, flat4) => {
          const above = flat4 % shape[1] - Math.floor(flat4 / shape[1]);
          return (lower2 ? above <= k : above >= k) ? flat4 : -1;
        });
        return fold(site.checking, { ...x, node: site.checking.graph.gather(x.node, index, shape) });
      }
    };
  }
  var expandPacked = {
    names: ["n", "packed"],
    required: 2,
    ignored: ["lower"],
    apply: (site, bound) => {
      const { checking } = site;
      const n = wholeArgument(site, bound, "n", 0);
      const packed = arrayArgument(site, bound, "packed");
      if (n === void 0 || !packed) return void 0;
      const shape = shapeOf(checking, packed);
      if (`${shape}` !== `${n * (n + 1) / 2}`) {
        const message = `Cannot call ${site.text}: wanted ${n * (n + 1) / 2} elements, found ` + describeShape(shape);
        return void checking.error("shapes/packed", message, site.place);
      }
      checking.allocate(n * n, site.place);
      return fold(checking, { ...packed, node: unpack(checking.graph, packed.node, n) });
    }
  };

  // src/lang/reductions.ts
  function reduceArray(site, bound, op, dtype, keepByDefault = false) {
    const x = arrayArgument(site, bound, "a");
    const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
    if (!x || !axes) return void 0;
    return reduceOver(
      site,
      x,
      op,
      axes,
      flagArgument(site, bound, "keepdims", keepByDefault),
      dtype(x)
    );
  }
  function reduceOver(site, x, op, axes, keep2, dtype) {
    const { graph } = site.checking;
    const shape = shapeOf(site.checking, x);
    if (axes.some((axis) => shape[axis] === 0) && op !== "sum" && op !== "prod") {
      const message = `Cannot call ${site.text} on an empty array`;
      return void site.checking.error("shapes/empty", message, site.place);
    }
    const reduced3 = graph.reduce(op, x.node, axes);
    const kept2 = shape.map((extent, i) => axes.includes(i) ? 1 : extent);
    const node = keep2 ? graph.reshape(reduced3, kept2) : reduced3;
    const origin = x.origin === "tensor" ? "tensor" : "numpy";
    return fold(site.checking, { kind: "numeric", node, dtype, origin });
  }
  var counted = (x) => x.dtype === "bool" ? "int" : x.dtype;
  function meanOver(site, x, axes, keep2, lost = 0) {
    const shape = shapeOf(site.checking, x);
    const count = sizeOf(axes.map((axis) => shape[axis])) - lost;
    const total2 = reduceOver(site, x, "sum", axes, keep2, "float");
    const divisor = pythonNumber(site.checking, count, "int");
    const mean = total2 && applyMap(site.checking, "div", [total2, divisor], site.place, "float");
    return mean && fold(site.checking, mean);
  }
  function varianceOver(site, x, axes, keep2, ddof) {
    const { checking, place: place3 } = site;
    const mean = meanOver(site, x, axes, true);
    const gap = mean && applyMap(checking, "sub", [x, mean], place3, "float");
    const square4 = gap && applyMap(checking, "mul", [gap, gap], place3, "float");
    return square4 && meanOver(site, square4, axes, keep2, ddof);
  }
  function moments(kind) {
    return {
      names: ["a", "axis"],
      required: 1,
      keywordOnly: kind === "mean" ? ["keepdims"] : ["keepdims", "ddof"],
      ignored: ["dtype"],
      apply: (site, bound) => {
        const x = arrayArgument(site, bound, "a");
        const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
        const ddof = wholeArgument(site, bound, "ddof", 0);
        if (!x || !axes || ddof === void 0) return void 0;
        const keep2 = flagArgument(site, bound, "keepdims", false);
        if (kind === "mean") return meanOver(site, x, axes, keep2);
        const variance = varianceOver(site, x, axes, keep2, ddof);
        if (!variance || kind === "var") return variance;
        const root = applyMap(site.checking, "sqrt", [variance], site.place, "float");
        return root && fold(site.checking, root);
      }
    };
  }
  function reduction(op, dtype) {
    return {
      names: ["a", "axis"],
      required: 1,
      keywordOnly: ["keepdims"],
      ignored: ["dtype"],
      apply: (site, bound) => reduceArray(site, bound, op, dtype)
    };
  }
  function logic(op) {
    return reduction(op, () => "bool");
  }
  function scan(op) {
    return {
      names: ["a", "axis"],
      required: 1,
      apply: (site, bound) => {
        const x = arrayArgument(site, bound, "a");
        if (!x) return void 0;
        const shape = shapeOf(site.checking, x);
        const flat4 = bound.has("axis") ? x.node : site.checking.graph.reshape(x.node, [sizeOf(shape)]);
        const axis = bound.has("axis") ? oneAxis(site, bound, shape, 0) : 0;
        if (axis === void 0) return void 0;
        const node = site.checking.graph.scan(op, flat4, axis);
        return fold(site.checking, { ...x, node, dtype: counted(x) });
      }
    };
  }
  function logSumExp(keepByDefault) {
    return {
      names: ["a", "axis"],
      required: 1,
      keywordOnly: ["keepdims"],
      apply: (site, bound) => {
        const x = arrayArgument(site, bound, "a");
        const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
        if (!x || !axes) return void 0;
        return logSumOver(site, x, axes, flagArgument(site, bound, "keepdims", keepByDefault));
      }
    };
  }
  function logSumOver(site, x, axes, keep2) {
    const { graph } = site.checking;
    const greatest = reduceOver(site, x, "max", axes, true, "float");
    if (!greatest) return void 0;
    const top = { ...greatest, node: graph.map("round", greatest.node) };
    const total2 = graph.reduce("sum", graph.exp(graph.sub(x.node, top.node)), axes);
    const kept2 = graph.add(graph.log(graph.reshape(total2, shapeOf(site.checking, top))), top.node);
    const shape = shapeOf(site.checking, x).filter((_, i) => !axes.includes(i));
    const node = keep2 ? kept2 : graph.reshape(kept2, shape);
    return fold(site.checking, { ...x, node, dtype: "float" });
  }
  function softmax(log3) {
    return {
      names: ["a", "axis"],
      required: 1,
      apply: (site, bound) => {
        const x = arrayArgument(site, bound, "a");
        const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
        const total2 = x && axes && logSumOver(site, x, axes, true);
        const shifted = total2 && applyMap(site.checking, "sub", [x, total2], site.place, "float");
        if (!shifted || log3) return shifted;
        return applyMap(site.checking, "exp", [shifted], site.place, "float");
      }
    };
  }

  // src/lang/elementwise.ts
  function unary(op, dtype = "float") {
    return { names: ["x"], build: (g, x) => g.map(op, x), dtype };
  }
  function binary2(op, dtype = "same") {
    return { names: ["x", "y"], build: (g, x, y) => g.map(op, x, y), dtype };
  }
  function of(names2, build, dtype = "float") {
    return { names: names2, build, dtype };
  }
  var half = (g, x) => g.mul(g.scalar(0.5), x);
  var sqrt2 = Math.SQRT2;
  var exp2 = unary("exp");
  var abs = unary("abs", "same");
  var round = unary("round", "same");
  var sign = unary("sign", "same");
  var square2 = of(["x"], (g, x) => g.mul(x, x), "same");
  var sigmoid2 = unary("sigmoid");
  var power3 = binary2("pow");
  var where = of(["condition", "x", "y"], (g, c, a, b) => g.where(c, a, b), "same");
  var clip = of(
    ["a", "min", "max"],
    (g, x, low2, high2) => g.map("minimum", g.map("maximum", x, low2), high2),
    "same"
  );
  var lt = binary2("lt", "bool");
  var le = binary2("le", "bool");
  var gt = binary2("gt", "bool");
  var ge = binary2("ge", "bool");
  var eq = binary2("eq", "bool");
  var ne = binary2("ne", "bool");
  var and = binary2("and", "bool");
  var or = binary2("or", "bool");
  var not = unary("not", "bool");
  var division = binary2("div", "float");
  var logit2 = of(["x"], (g, p) => g.sub(g.log(p), g.map("log1p", g.neg(p))));
  var logaddexp = of(["x", "y"], (g, a, b) => {
    const gap = g.map("abs", g.sub(a, b));
    return g.add(g.map("maximum", a, b), g.map("softplus", g.neg(gap)));
  });
  var log1mexp2 = of(["x"], (g, x) => g.log(g.neg(g.map("expm1", x))));
  var log22 = of(["x"], (g, x) => g.div(g.log(x), g.scalar(Math.LN2)));
  var log10 = of(["x"], (g, x) => g.div(g.log(x), g.scalar(Math.LN10)));
  var exp22 = of(["x"], (g, x) => g.exp(g.mul(g.scalar(Math.LN2), x)));
  var tan = of(["x"], (g, x) => g.div(g.map("sin", x), g.map("cos", x)));
  var sinh = of(["x"], (g, x) => half(g, g.sub(g.exp(x), g.exp(g.neg(x)))));
  var cosh = of(["x"], (g, x) => half(g, g.add(g.exp(x), g.exp(g.neg(x)))));
  var arcsin = of(["x"], (g, x) => {
    const one3 = g.scalar(1);
    const root = g.map("sqrt", g.mul(g.sub(one3, x), g.add(one3, x)));
    return g.mul(g.scalar(2), g.map("atan", g.div(x, g.add(one3, root))));
  });
  var arccos = of(["x"], (g, x) => {
    const one3 = g.scalar(1);
    const ratio = g.map("sqrt", g.div(g.sub(one3, x), g.add(one3, x)));
    return g.mul(g.scalar(2), g.map("atan", ratio));
  });
  var arctan = unary("atan");
  var arctan2 = of(["y", "x"], (g, y, x) => {
    const slope = g.map("atan", g.div(y, x));
    const turn2 = g.where(g.map("ge", y, g.scalar(0)), g.scalar(Math.PI), g.scalar(-Math.PI));
    const behind = g.where(g.map("lt", x, g.scalar(0)), g.add(slope, turn2), slope);
    const nowhere = g.map("and", g.map("eq", x, g.scalar(0)), g.map("eq", y, g.scalar(0)));
    return g.where(nowhere, g.scalar(0), behind);
  });
  var arcsinh = of(["x"], (g, x) => {
    const [one3, size] = [g.scalar(1), g.map("abs", x)];
    const square4 = g.mul(size, size);
    const rest = g.div(square4, g.add(one3, g.map("sqrt", g.add(square4, one3))));
    return g.mul(g.map("sign", x), g.map("log1p", g.add(size, rest)));
  });
  var arccosh = of(["x"], (g, x) => {
    const one3 = g.scalar(1);
    return g.log(g.add(x, g.map("sqrt", g.mul(g.sub(x, one3), g.add(x, one3)))));
  });
  var arctanh = of(
    ["x"],
    (g, x) => half(g, g.sub(g.map("log1p", x), g.map("log1p", g.neg(x))))
  );
  var deg2rad = of(["x"], (g, x) => g.mul(x, g.scalar(Math.PI / 180)));
  var rad2deg = of(["x"], (g, x) => g.mul(x, g.scalar(180 / Math.PI)));
  var probit = unary("normal_quantile");
  var invprobit = of(["x"], (g, x) => half(g, g.map("erfc", g.div(g.neg(x), g.scalar(sqrt2)))));
  var erfinv = of(
    ["x"],
    (g, x) => g.div(g.map("normal_quantile", half(g, g.add(x, g.scalar(1)))), g.scalar(sqrt2))
  );
  var reciprocal2 = of(["x"], (g, x) => g.div(g.scalar(1), x));
  var softplus2 = unary("softplus");
  var common = {
    exp: exp2,
    log: unary("log"),
    sqrt: unary("sqrt"),
    abs,
    sin: unary("sin"),
    cos: unary("cos"),
    tan,
    sinh,
    cosh,
    tanh: unary("tanh"),
    arcsin,
    arccos,
    arctan,
    arcsinh,
    arccosh,
    arctanh,
    floor: unary("floor", "same"),
    ceil: unary("ceil", "same"),
    round,
    maximum: binary2("maximum"),
    minimum: binary2("minimum"),
    clip,
    where,
    logaddexp
  };
  var inPytensorToo = {
    ...common,
    sqr: square2,
    sgn: sign,
    sigmoid: sigmoid2,
    invlogit: sigmoid2,
    logit: logit2,
    erf: unary("erf"),
    erfc: unary("erfc"),
    erfinv,
    switch: where,
    eq,
    neq: ne,
    lt,
    le,
    gt,
    ge,
    and_: and,
    or_: or,
    log1pexp: softplus2,
    log1mexp: log1mexp2,
    probit,
    invprobit
  };
  var onlyPytensor = {
    arctan2,
    deg2rad,
    rad2deg,
    log1p: unary("log1p"),
    expm1: unary("expm1"),
    square: square2,
    sign,
    log2: log22,
    log10,
    exp2: exp22,
    expit: sigmoid2,
    softplus: softplus2,
    power: power3,
    pow: power3,
    add: binary2("add"),
    sub: binary2("sub"),
    mul: binary2("mul"),
    div: division,
    true_div: division,
    mod: binary2("mod"),
    neg: unary("neg", "same"),
    xor: ne,
    invert: not,
    gammaln: unary("lgamma"),
    psi: unary("digamma"),
    digamma: unary("digamma"),
    isnan: unary("is_nan", "bool"),
    reciprocal: reciprocal2
  };
  var numpyFunctions = {
    ...common,
    log1p: unary("log1p"),
    expm1: unary("expm1"),
    arctan2,
    deg2rad,
    radians: deg2rad,
    rad2deg,
    degrees: rad2deg,
    absolute: abs,
    fabs: unary("abs"),
    square: square2,
    sign,
    log2: log22,
    log10,
    exp2: exp22,
    power: power3,
    float_power: binary2("pow", "float"),
    add: binary2("add"),
    subtract: binary2("sub"),
    multiply: binary2("mul"),
    divide: division,
    true_divide: division,
    mod: binary2("mod"),
    remainder: binary2("mod"),
    negative: unary("neg", "same"),
    reciprocal: reciprocal2,
    rint: round,
    around: round,
    fmax: binary2("maximum"),
    fmin: binary2("minimum"),
    less: lt,
    less_equal: le,
    greater: gt,
    greater_equal: ge,
    equal: eq,
    not_equal: ne,
    logical_and: and,
    logical_or: or,
    logical_xor: ne,
    logical_not: not,
    isnan: unary("is_nan", "bool")
  };
  var elementwise = {
    pm: { invlogit: sigmoid2, logit: logit2 },
    "pm.math": { ...inPytensorToo, ...onlyPytensor },
    pt: { ...inPytensorToo, ...onlyPytensor },
    "pt.special": {},
    np: numpyFunctions,
    math: {
      exp: exp2,
      log: unary("log"),
      log1p: unary("log1p"),
      expm1: unary("expm1"),
      log2: log22,
      log10,
      sqrt: unary("sqrt"),
      fabs: unary("abs"),
      sin: unary("sin"),
      cos: unary("cos"),
      tan,
      sinh,
      cosh,
      tanh: unary("tanh"),
      asin: arcsin,
      acos: arccos,
      atan: arctan,
      atan2: arctan2,
      radians: deg2rad,
      degrees: rad2deg,
      floor: unary("floor", "int"),
      ceil: unary("ceil", "int"),
      pow: binary2("pow", "float"),
      lgamma: unary("lgamma"),
      erf: unary("erf"),
      erfc: unary("erfc")
    },
    special: {
      expit: sigmoid2,
      logit: logit2,
      erf: unary("erf"),
      erfc: unary("erfc"),
      erfinv,
      gammaln: unary("lgamma"),
      loggamma: unary("lgamma"),
      digamma: unary("digamma"),
      psi: unary("digamma"),
      ndtr: invprobit,
      ndtri: probit,
      exp2: exp22,
      log1p: unary("log1p"),
      expm1: unary("expm1")
    }
  };
  var onlyInPytensor = new Set(Object.keys(onlyPytensor));

  // src/lang/numpy_functions.ts
  function known3(site, bound, name2) {
    const value = arrayArgument(site, bound, name2);
    if (!value) return void 0;
    const found = site.checking.graph.valueOf(value.node);
    if (found) return { value, shape: found.shape, numbers: found.values };
    return refuseRandom(site);
  }
  function refuseRandom(site) {
    const name2 = site.text.split(".").at(-1) ?? "";
    const message = `Cannot call ${site.text} on a random variable: NumPy only works on data`;
    if (["array", "asarray", "hstack", "column_stack"].includes(name2)) {
      const place4 = site.place;
      const stack2 = "write pm.math.stack([...])";
      return void site.checking.error("names/numpy-on-random-variable", message, place4, stack2);
    }
    const same = Object.hasOwn(elementwise["pm.math"], name2);
    const kin = [
      "stack",
      "concatenate",
      "dot",
      "matmul",
      "where",
      "sum",
      "mean",
      "prod",
      "max",
      "min"
    ];
    const hint = same || kin.includes(name2) ? `write pm.math.${name2}` : "write it with pm.math";
    const place3 = site.place;
    site.checking.error("names/numpy-on-random-variable", message, place3, hint);
  }
  function tuple(...items) {
    return { kind: "sequence", form: "tuple", items: [...items] };
  }
  function vector(site, numbers2, like) {
    return hostArray(site.checking, Float64Array.from(numbers2), [numbers2.length], like, site.place);
  }
  function ascending2(numbers2) {
    return [...numbers2.keys()].sort((i, j) => numbers2[i] - numbers2[j] || i - j);
  }
  function quantileOf(sorted2, q) {
    const at = q * (sorted2.length - 1);
    const low2 = Math.floor(at);
    const high2 = Math.min(low2 + 1, sorted2.length - 1);
    return sorted2[low2] + (at - low2) * (sorted2[high2] - sorted2[low2]);
  }
  function host(names2, required2, apply, more = {}) {
    return {
      names: names2,
      required: required2,
      ...more,
      apply: (site, bound) => {
        const x = known3(site, bound, names2[0]);
        if (x && x.numbers.length === 0 && required2 > 0 && names2[0] === "a") {
          const message = `Cannot call ${site.text} on an empty array`;
          return void site.checking.error("shapes/empty", message, site.place);
        }
        return x && apply(site, x, bound);
      }
    };
  }
  function alongAxis(site, x, bound, statistic, dtype = "float") {
    const axes = axesArgument(site, bound, x.shape);
    if (!axes) return void 0;
    const axis = axes[0];
    if (axes.length === x.shape.length) return pythonFloat(site, statistic(x.numbers), dtype);
    const inner = sizeOf(x.shape.slice(axis + 1));
    const extent = x.shape[axis];
    const shape = x.shape.filter((_, i) => i !== axis);
    const values = Float64Array.from({ length: sizeOf(shape) }, (_, flat4) => {
      const base = Math.floor(flat4 / inner) * extent * inner + flat4 % inner;
      return statistic(Float64Array.from({ length: extent }, (_2, k) => x.numbers[base + k * inner]));
    });
    return hostArray(site.checking, values, shape, dtype, site.place);
  }
  function pythonFloat(site, value, dtype) {
    return { ...pythonNumber(site.checking, value, dtype), origin: "numpy" };
  }
  function quantiles(scale) {
    return host(["a", "q", "axis"], 2, (site, x, bound) => {
      const q = known3(site, bound, "q");
      if (!q) return void 0;
      const outside = q.numbers.find((value) => !(value >= 0 && value <= scale));
      if (outside !== void 0) {
        const message = `Cannot call ${site.text}: wanted numbers between 0 and ${scale}, found ${outside}`;
        return void site.checking.error("support/number", message, site.place);
      }
      const one3 = (share2) => alongAxis(site, x, bound, (numbers2) => quantileOf(numbers2.toSorted(), share2 / scale));
      if (q.shape.length === 0) return one3(q.numbers[0]);
      const parts = Array.from(q.numbers, one3);
      const fine = parts.filter((part) => part?.kind === "numeric");
      return fine.length === parts.length ? stackArrays(site, fine, 0) : void 0;
    });
  }
  var unique = host(["a"], 1, (site, x, bound) => {
    const order = ascending2(x.numbers);
    const firsts = order.filter((i, k) => k === 0 || x.numbers[i] !== x.numbers[order[k - 1]]);
    const values = firsts.map((i) => x.numbers[i]);
    const codes3 = new Map(values.map((value, code2) => [value, code2]));
    const inverse3 = Array.from(x.numbers, (value) => codes3.get(value) ?? 0);
    const results = [vector(site, values, x.value.dtype)];
    if (flagArgument(site, bound, "return_index", false)) results.push(vector(site, firsts, "int"));
    if (flagArgument(site, bound, "return_inverse", false)) {
      results.push(vector(site, inverse3, "int"));
    }
    if (flagArgument(site, bound, "return_counts", false)) {
      const counts = values.map((_, code2) => inverse3.filter((one3) => one3 === code2).length);
      results.push(vector(site, counts, "int"));
    }
    return results.length === 1 ? results[0] : tuple(...results);
  }, { keywordOnly: ["return_index", "return_inverse", "return_counts"] });
  var sort = host(["a", "axis"], 1, (site, x) => {
    if (x.shape.length <= 1) return vector(site, x.numbers.toSorted(), x.value.dtype);
    return refuseRank(site, x);
  });
  var argsort = host(["a", "axis"], 1, (site, x) => {
    if (x.shape.length <= 1) return vector(site, ascending2(x.numbers), "int");
    return refuseRank(site, x);
  }, { ignored: ["kind"] });
  function refuseRank(site, x) {
    const message = `Cannot call ${site.text}: wanted a vector, found ${describeShape(x.shape)}`;
    site.checking.error("shapes/rank", message, site.place);
  }
  function extreme(sign2) {
    return host(["a", "axis"], 1, (site, x, bound) => alongAxis(site, x, bound, (numbers2) => {
      let best = 0;
      for (let i = 1; i < numbers2.length; i++) {
        if (sign2 * numbers2[i] > sign2 * numbers2[best]) best = i;
      }
      return best;
    }, "int"));
  }
  function search(names2, digitize) {
    return host(names2, 2, (site, first2, bound) => {
      const second2 = known3(site, bound, names2[1]);
      if (!second2) return void 0;
      const [edges2, values] = digitize ? [second2, first2] : [first2, second2];
      const side = bound.get("side")?.value;
      const right = digitize !== flagArgument(site, bound, "right", false) || side?.kind === "text" && side.value === "right";
      const at = (value) => {
        const found = edges2.numbers.findIndex((edge2) => right ? edge2 > value : edge2 >= value);
        return found < 0 ? edges2.numbers.length : found;
      };
      const positions = Float64Array.from(values.numbers, at);
      return hostArray(site.checking, positions, values.shape, "int", site.place);
    }, { keywordOnly: ["side", "right"] });
  }
  var isIn = host(["x", "values"], 2, (site, x, bound) => {
    const values = known3(site, bound, "values");
    if (!values) return void 0;
    const found = Float64Array.from(x.numbers, (one3) => values.numbers.includes(one3) ? 1 : 0);
    return hostArray(site.checking, found, x.shape, "bool", site.place);
  });
  var binCount = host(["a"], 1, (site, x, bound) => {
    const least2 = wholeArgument(site, bound, "minlength", 0);
    if (least2 === void 0 || !x.numbers.every((n) => Number.isInteger(n) && n >= 0)) {
      const message = `Cannot call ${site.text}: wanted whole numbers from 0`;
      return void site.checking.error("support/number", message, site.place);
    }
    const length2 = Math.max(least2, ...x.numbers.map((n) => n + 1));
    site.checking.allocate(length2, site.place);
    const counts = new Float64Array(length2);
    for (const n of x.numbers) counts[n]++;
    return vector(site, counts, "int");
  }, { keywordOnly: ["minlength"] });
  var nonzero = {
    names: ["a"],
    required: 1,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const found = x && nonZero(site.checking, x, site.place);
      return found && tuple(...found);
    }
  };
  var countNonzero = host(["x"], 1, (site, x) => {
    return pythonFloat(site, x.numbers.filter((n) => n !== 0).length, "int");
  });
  var flip = host(["x", "axis"], 1, (site, x, bound) => {
    const axes = axesArgument(site, bound, x.shape);
    return axes?.reduce(
      (value, axis) => takeAlong(site, value, axis, [...Array(x.shape[axis]).keys()].reverse()),
      x.value
    );
  });
  var range2 = host(
    ["a", "axis"],
    1,
    (site, x, bound) => alongAxis(site, x, bound, (n) => Math.max(...n) - Math.min(...n), x.value.dtype)
  );
  var median = host(
    ["a", "axis"],
    1,
    (site, x, bound) => alongAxis(site, x, bound, (numbers2) => quantileOf(numbers2.toSorted(), 0.5))
  );
  var average = host(["a", "axis", "weights"], 1, (site, x, bound) => {
    const axes = axesArgument(site, bound, x.shape);
    if (!axes) return void 0;
    const weights = arrayArgument(site, bound, "weights");
    if (!weights) return bound.has("weights") ? void 0 : meanOver(site, x.value, axes, false);
    const { checking, place: place3 } = site;
    const product4 = applyMap(checking, "mul", [x.value, weights], place3, "float");
    const total2 = product4 && reduceOver(site, product4, "sum", axes, false, "float");
    const weight = total2 && reduceOver(site, weights, "sum", axes, false, "float");
    return weight && applyMap(checking, "div", [total2, weight], place3, "float");
  });
  var meshgrid = {
    names: ["x", "y"],
    required: 2,
    keywordOnly: ["indexing"],
    apply: (site, bound) => {
      const [x, y] = [known3(site, bound, "x"), known3(site, bound, "y")];
      if (!x || !y) return void 0;
      const kind = bound.get("indexing")?.value;
      const ij = kind?.kind === "text" && kind.value === "ij";
      const [n, m] = [x.numbers.length, y.numbers.length];
      const shape = ij ? [n, m] : [m, n];
      site.checking.allocate(2 * n * m, site.place);
      const at = (of2) => Float64Array.from({ length: n * m }, (_, flat4) => {
        const [row, column] = [Math.floor(flat4 / shape[1]), flat4 % shape[1]];
        return of2 === "x" ? x.numbers[ij ? row : column] : y.numbers[ij ? column : row];
      });
      const made = ["x", "y"].map(
        (of2) => hostArray(site.checking, at(of2), shape, "float", site.place)
      );
      return { kind: "sequence", form: "list", items: made };
    }
  };
  var vander = host(["x", "n"], 1, (site, x, bound) => {
    const n = wholeArgument(site, bound, "n", x.numbers.length);
    if (n === void 0 || n < 0 || x.shape.length !== 1) return refuseRank(site, x);
    const up = flagArgument(site, bound, "increasing", false);
    site.checking.allocate(n * x.numbers.length, site.place);
    const values = new Float64Array(n * x.numbers.length);
    x.numbers.forEach((value, row) => {
      for (let k = 0, power5 = 1; k < n; k++, power5 *= value) {
        values[row * n + (up ? k : n - 1 - k)] = power5;
      }
    });
    return hostArray(site.checking, values, [x.numbers.length, n], x.value.dtype, site.place);
  }, { keywordOnly: ["increasing"] });
  function square3(site, x) {
    const [n, m] = x.shape;
    if (x.shape.length === 2 && n === m) return n;
    const message = `Cannot call ${site.text}: wanted a square matrix, found ${describeShape(x.shape)}`;
    return void site.checking.error("shapes/square", message, site.place);
  }
  var cholesky2 = host(["a"], 1, (site, x) => {
    const n = square3(site, x);
    if (n === void 0) return void 0;
    const factor2 = new Float64Array(n * n);
    choleskyOf(x.numbers, n, factor2);
    if (factor2.every(Number.isFinite)) {
      return hostArray(site.checking, factor2, [n, n], "float", site.place);
    }
    const message = `Cannot call ${site.text}: the matrix is not positive definite`;
    return void site.checking.error("support/number", message, site.place);
  });
  var inverse2 = host(["a"], 1, (site, x) => {
    const n = square3(site, x);
    if (n === void 0) return void 0;
    const a = Array.from({ length: n }, (_, i) => [
      ...x.numbers.slice(i * n, i * n + n),
      ...Array.from({ length: n }, (_2, j) => i === j ? 1 : 0)
    ]);
    for (let k = 0; k < n; k++) {
      const pivot = a.slice(k).reduce(
        (best, row, i) => Math.abs(row[k]) > Math.abs(a[best][k]) ? k + i : best,
        k
      );
      [a[k], a[pivot]] = [a[pivot], a[k]];
      if (a[k][k] === 0) {
        const message = `Cannot call ${site.text}: the matrix is singular`;
        return void site.checking.error("support/number", message, site.place);
      }
      a[k] = a[k].map((value) => value / a[k][k]);
      for (let i = 0; i < n; i++) {
        if (i === k) continue;
        const factor2 = a[i][k];
        a[i] = a[i].map((value, j) => value - factor2 * a[k][j]);
      }
    }
    const values = Float64Array.from(a.flatMap((row) => row.slice(n)));
    return hostArray(site.checking, values, [n, n], "float", site.place);
  });
  var numpyFunctions2 = {
    median,
    quantile: quantiles(1),
    percentile: quantiles(100),
    unique,
    sort,
    argsort,
    argmax: extreme(1),
    argmin: extreme(-1),
    searchsorted: search(["edges", "v"], false),
    digitize: search(["x", "bins"], true),
    isin: isIn,
    in1d: isIn,
    bincount: binCount,
    nonzero,
    flatnonzero: nonzero,
    count_nonzero: countNonzero,
    flip,
    ptp: range2,
    average,
    meshgrid,
    vander
  };
  var linalgFunctions = {
    cholesky: cholesky2,
    inv: inverse2
  };

  // src/lang/pandas.ts
  var readers = /* @__PURE__ */ new Set([
    "read_csv",
    "read_table",
    "read_json",
    "read_parquet",
    "read_excel",
    "read_feather"
  ]);
  function callPandas(checking, call2, name2) {
    if (readers.has(name2)) return hostData(checking, call2, name2);
    if (name2 === "Categorical" || name2 === "get_dummies") return ofCategories(checking, call2, name2);
    if (name2 !== "factorize") return { kind: "ignored", of: `pd.${name2}` };
    const args = evaluateArguments(checking, call2);
    const bound = args && bind(checking, args, "pd.factorize", {
      names: ["values", "sort"],
      required: 1
    });
    const given2 = bound?.get("values");
    if (!given2) return invalid;
    if (given2.value.kind === "ignored") return given2.value;
    const x = numeric(checking, given2.value, given2.place, "pd.factorize");
    const site = { checking, place: call2, text: "pd.factorize" };
    return x ? factorize(checking, call2, x, flagArgument(site, bound, "sort", false)) : invalid;
  }
  function ofCategories(checking, call2, name2) {
    const args = evaluateArguments(checking, call2);
    const text = `pd.${name2}`;
    const dummies = name2 === "get_dummies";
    const bound = args && bind(checking, args, text, {
      names: dummies ? ["data"] : ["values"],
      required: 1,
      keywordOnly: dummies ? ["drop_first"] : [],
      ignored: dummies ? ["dtype", "prefix", "prefix_sep", "dummy_na"] : ["ordered"]
    });
    const given2 = bound?.get(dummies ? "data" : "values");
    if (!given2) return invalid;
    if (given2.value.kind === "ignored") return given2.value;
    if (carriesResponse(given2.value)) return checking.derive(call2, given2.value);
    const x = numeric(checking, given2.value, given2.place, text);
    if (!x || !dummies) return x ?? invalid;
    const site = { checking, place: call2, text };
    return dummyColumns(checking, call2, x, flagArgument(site, bound, "drop_first", false));
  }
  function dummyColumns(checking, call2, x, dropFirst) {
    const found = categoriesOf(checking, x);
    if (!found || found.codes.length !== checking.graph.shapeOf(x.node)[0]) {
      return refuseRandom({ checking, place: call2.callee, text: "pd.get_dummies" }) ?? invalid;
    }
    const skipped = dropFirst ? 1 : 0;
    const width3 = found.order.length - skipped;
    const values = new Float64Array(found.codes.length * width3);
    found.codes.forEach((code2, row) => {
      if (code2 >= skipped) values[row * width3 + code2 - skipped] = 1;
    });
    return hostArray(checking, values, [found.codes.length, width3], "int", call2);
  }
  function categoriesOf(checking, x) {
    const found = checking.graph.valueOf(x.node);
    if (!found) return void 0;
    const names2 = namesOf(checking, x);
    const distinct = [...new Set(found.values)];
    const order = names2 ? distinct.sort((a, b) => names2[a] < names2[b] ? -1 : 1) : ascending2(Float64Array.from(distinct)).map((i) => distinct[i]);
    const codeOf = new Map(order.map((value, code2) => [value, code2]));
    return { codes: Float64Array.from(found.values, (value) => codeOf.get(value)), order };
  }
  function namesOf(checking, x) {
    const node = checking.graph.nodes[x.node];
    return node.kind === "column" ? checking.columns.get(node.column)?.categories : void 0;
  }
  function categoricalAttribute(checking, place3, x, name2) {
    if (name2 !== "codes" && name2 !== "categories") return void 0;
    const found = categoriesOf(checking, x);
    if (!found) return void 0;
    if (name2 === "categories") return labels(checking, place3, x, found.order);
    return hostArray(checking, found.codes, checking.graph.shapeOf(x.node), "int", place3);
  }
  function distinctValues(checking, place3, x, name2) {
    const found = checking.graph.valueOf(x.node);
    if (!found) return void 0;
    const distinct = [...new Set(found.values)];
    if (name2 === "nunique") return pythonNumber(checking, distinct.length, "int");
    return hostArray(checking, Float64Array.from(distinct), [distinct.length], x.dtype, place3);
  }
  function mapped(checking, { call: call2, positional }, x, name2) {
    const known5 = checking.graph.valueOf(x.node);
    const table2 = positional[0]?.value;
    const text = checking.text(call2.callee);
    if (!known5 || positional.length !== 1 || table2?.kind !== "dictionary") {
      const message = `Cannot call ${text}: wanted one dictionary`;
      return checking.error("names/wrong-kind", message, call2, 'write {"name": 0, ...}');
    }
    const names2 = namesOf(checking, x);
    const found = (value) => (names2 ? table2.entries.get(names2[value]) : void 0) ?? table2.entries.get(value);
    const values = new Float64Array(known5.values.length);
    for (const [i, value] of known5.values.entries()) {
      const one3 = found(value);
      const number3 = one3 && one3.kind === "numeric" ? checking.graph.constantOf(one3.node) : void 0;
      const stays = one3 === void 0 && name2 === "replace" && !names2;
      if (number3 === void 0 && !stays) {
        const what = names2 ? `"${names2[value]}"` : `${value}`;
        const message = `Cannot call ${text}: the dictionary has no number for ${what}`;
        return checking.error("names/wrong-kind", message, positional[0].place);
      }
      values[i] = number3 ?? value;
    }
    const whole2 = values.every(Number.isInteger);
    const made = hostArray(checking, values, known5.shape, whole2 ? "int" : "float", call2);
    return { ...made, origin: x.origin };
  }
  function hostData(checking, call2, name2) {
    checking.frame = true;
    const message = `pd.${name2} reads no file: the data that the host was given stand for it`;
    checking.findings.note("notes/data-of-the-host", message, call2.callee);
    return { kind: "data" };
  }
  function factorize(checking, call2, x, sorted2) {
    const found = checking.graph.valueOf(x.node);
    if (!found) {
      return refuseRandom({ checking, place: call2.callee, text: checking.text(call2.callee) }) ?? invalid;
    }
    const distinct = [...new Set(found.values)];
    const order = sorted2 ? ascending2(Float64Array.from(distinct)).map((i) => distinct[i]) : distinct;
    const codeOf = new Map(order.map((value, code2) => [value, code2]));
    const codes3 = Float64Array.from(found.values, (value) => codeOf.get(value));
    const items = [
      hostArray(checking, codes3, found.shape, "int", call2),
      labels(checking, call2, x, order)
    ];
    return { kind: "sequence", form: "tuple", items };
  }
  function labels(checking, place3, x, order) {
    const names2 = namesOf(checking, x);
    if (!names2) {
      return hostArray(checking, Float64Array.from(order), [order.length], x.dtype, place3);
    }
    const items = order.map((code2) => ({ kind: "text", value: names2[code2] }));
    return { kind: "sequence", form: "list", items };
  }

  // src/lang/attributes.ts
  function readAttribute(checking, e) {
    const object = peek(checking, e.object);
    const name2 = e.name.id;
    if (!["shape", "size", "ndim", "dtype"].includes(name2)) closeFilling(object);
    if (name2.startsWith("__") && object.kind !== "invalid") return refuseDunder(checking, e);
    switch (object.kind) {
      case "invalid":
      case "ignored":
        return object;
      case "module":
        return moduleMember(checking, e, object.module);
      case "numeric":
        return arrayAttribute(checking, e, object);
      case "response":
        return responseAttribute(checking, e, object);
      case "data":
        return dataAttribute(checking, e, object);
      case "builtin":
        return distributionMember(checking, e, object);
      case "none":
      case "slice":
      case "ellipsis":
      case "function":
      case "transform": {
        const message = `Cannot read .${name2} of ${describeValue(object)}: there is no such thing`;
        return checking.error("unsupported/expression", message, e.name);
      }
      default:
        return { kind: "method", object, name: name2 };
    }
  }
  function refuseDunder(checking, e) {
    const message = `Cannot read .${e.name.id}: names between double underscores are Python's own`;
    return checking.error("unsupported/attribute", message, e.name, "leave it out");
  }
  function distributionMember(checking, e, object) {
    if (object.kind === "builtin" && object.module === "pm" && e.name.id === "dist") {
      return { kind: "method", object, name: "dist" };
    }
    if (object.kind === "builtin" && object.module === "pm" && Object.hasOwn(replacements, object.name)) {
      checking.excused ||= object.name === "gp";
      const message2 = `Cannot use ${checking.text(e.object)}: not in the subset`;
      return checking.error("unsupported/function", message2, e.object, replacements[object.name]);
    }
    const message = `Cannot read .${e.name.id} of ${checking.text(e.object)}: not in the subset`;
    return checking.error("unsupported/expression", message, e.name);
  }
  function moduleMember(checking, e, module) {
    const name2 = e.name.id;
    const inner = submodules[`${module}.${name2}`];
    if (inner) return { kind: "module", module: inner };
    if (module === "other") return { kind: "ignored", of: checking.text(e) };
    const table2 = constants2[module];
    if (table2 && Object.hasOwn(table2, name2)) {
      return pythonNumber(checking, table2[name2], "float");
    }
    if (module === "np" && name2 === "newaxis") return { kind: "none" };
    return { kind: "builtin", module, name: name2 };
  }
  function shapeTuple(checking, shape) {
    const items = shape.map((extent) => pythonNumber(checking, extent, "int"));
    return { kind: "sequence", form: "tuple", items };
  }
  function sizeAttribute(checking, name2, shape) {
    if (name2 === "shape") return shapeTuple(checking, shape);
    if (name2 === "size") return pythonNumber(checking, sizeOf(shape), "int");
    return name2 === "ndim" ? pythonNumber(checking, shape.length, "int") : void 0;
  }
  function arrayAttribute(checking, e, object) {
    const name2 = e.name.id;
    const size = sizeAttribute(checking, name2, shapeOf(checking, object));
    if (size) return size;
    if (name2 === "T") return transpose(checking, object, e);
    if (name2 === "dtype") {
      return { kind: "text", value: object.dtype === "bool" ? "bool" : `${object.dtype}64` };
    }
    if (name2 === "values" && isHost(object)) return { ...object, origin: "numpy" };
    if (name2 === "real") return object;
    if (isHost(object)) {
      if (name2 === "cat") return object;
      const found = categoricalAttribute(checking, e, object, name2);
      if (found) return found;
    }
    return { kind: "method", object, name: name2 };
  }
  function responseAttribute(checking, e, object) {
    const name2 = e.name.id;
    const size = sizeAttribute(checking, name2, checking.responseShape);
    if (size) return size;
    return name2 === "values" ? object : { kind: "method", object, name: name2 };
  }
  var frameMethods = new Set(
    "groupby query loc iloc at merge join apply assign melt pivot pivot_table sort_values filter drop drop_duplicates sample head tail rename replace fillna map agg aggregate stack unstack transform set_index value_counts nunique mean std sum min max values iterrows itertuples T".split(" ")
  );
  function dataAttribute(checking, e, object) {
    const name2 = e.name.id;
    const methods = [
      "dropna",
      "reset_index",
      "keys",
      "get",
      "items",
      "copy",
      "to_numpy",
      "head",
      "describe",
      "columns"
    ];
    if (methods.includes(name2)) return { kind: "method", object, name: name2 };
    if (name2 === "shape" || name2 === "index") {
      const rows = pythonNumber(checking, checking.dataset.rows, "int");
      if (name2 === "index") return indexOfRows(checking, e);
      const columns = pythonNumber(checking, checking.columns.size, "int");
      return { kind: "sequence", form: "tuple", items: [rows, columns] };
    }
    const isColumn = checking.columns.has(name2) || checking.added.has(name2);
    if (checking.frame && isColumn) return columnValue(checking, name2, e, e.name);
    const text = checking.text(e.object);
    if (frameMethods.has(name2)) {
      const message2 = `Cannot use .${name2} of a data frame: not in the subset`;
      const hint = "do it beforehand, and give the result as a column of the data";
      return checking.error("unsupported/function", message2, e.name, hint);
    }
    const message = `Cannot read ${text}.${name2}: columns are reached by subscript`;
    return checking.error("unsupported/expression", message, e.name, `write ${text}["${name2}"]`);
  }
  function indexOfRows(checking, e) {
    const { rows } = checking.dataset;
    checking.allocate(rows, e);
    const node = checking.graph.array(Float64Array.from({ length: rows }, (_, i) => i), [rows]);
    return { kind: "numeric", node, dtype: "int", origin: "numpy" };
  }

  // src/lang/format.ts
  function formatText(checking, e) {
    let text = "";
    for (const part of e.parts) {
      if (typeof part === "string") text += part;
      else {
        const value = evaluate(checking, part.value);
        if (value.kind === "invalid" || value.kind === "ignored") return value;
        if (touchesResponse(value)) return checking.derive(e, value);
        const formatted = formatField(checking, part, value);
        if (formatted === void 0) return refuseField(checking, part, value);
        text += formatted;
      }
    }
    return { kind: "text", value: text };
  }
  function refuseField(checking, field2, value) {
    if (value.kind === "numeric" && numberOf3(checking, value) === void 0) return ignored;
    const message = `Cannot put ${describeValue(value)} into an f-string`;
    return checking.error("unsupported/expression", message, field2, "put in numbers and strings");
  }
  function formatField(checking, { conversion, format = "" }, value) {
    if (conversion) return void 0;
    if (value.kind === "text") return format === "" ? value.value : void 0;
    const number3 = numberOf3(checking, value);
    if (number3 === void 0 || value.kind !== "numeric") return void 0;
    if (value.dtype === "bool" && format === "") return number3 === 0 ? "False" : "True";
    if (format === "") return value.dtype === "int" ? `${number3}` : pythonFloat2(number3);
    const whole2 = /^(0?)([0-9]{0,2})d$/.exec(format);
    if (whole2 && value.dtype === "int") {
      return `${number3}`.padStart(Number(whole2[2]), whole2[1] === "0" ? "0" : " ");
    }
    const fixed = /^\.([0-9]{1,2})f$/.exec(format);
    return fixed ? number3.toFixed(Number(fixed[1])) : void 0;
  }
  function pythonFloat2(number3) {
    if (!Number.isFinite(number3)) return number3 > 0 ? "inf" : number3 < 0 ? "-inf" : "nan";
    const text = `${number3}`;
    const size = Math.abs(number3);
    if (size !== 0 && (size < 1e-4 || size >= 1e16)) return exponential3(number3);
    return Number.isInteger(number3) ? `${text}.0` : text;
  }
  function exponential3(number3) {
    const [digits2, power5] = number3.toExponential().split("e");
    const sign2 = power5.startsWith("-") ? "-" : "+";
    return `${digits2}e${sign2}${power5.replace(/^[+-]/, "").padStart(2, "0")}`;
  }

  // src/lang/creation.ts
  function filled(value) {
    const names2 = value === "fill_value" ? ["shape", "fill_value"] : ["shape"];
    return {
      names: [...names2, "dtype"],
      required: names2.length,
      ignored: ["order"],
      apply: (site, bound) => {
        const given2 = bound.get("shape");
        const shape = given2 && shapeArgument(site, given2);
        return shape && toBeFilled(site, bound, fill(site, bound, value, shape));
      }
    };
  }
  function filledLike(value) {
    const names2 = value === "fill_value" ? ["a", "fill_value"] : ["a"];
    return {
      names: [...names2, "dtype"],
      required: names2.length,
      apply: (site, bound) => {
        const x = arrayArgument(site, bound, "a");
        const made = x && fill(site, bound, value, shapeOf(site.checking, x));
        return made && toBeFilled(site, bound, { ...made, dtype: x.dtype });
      }
    };
  }
  function toBeFilled(site, bound, made) {
    const dtype = bound.get("dtype")?.value;
    const cast = made && dtype && dtype.kind !== "none" ? castArray(site, made, dtype) : made;
    return cast && { ...cast, filling: { open: true } };
  }
  function fill(site, bound, value, shape) {
    const { checking, place: place3 } = site;
    checking.allocate(sizeOf(shape), place3);
    if (value !== "fill_value") {
      return hostArray(checking, new Float64Array(sizeOf(shape)).fill(value), shape, "float", place3);
    }
    const x = arrayArgument(site, bound, "fill_value");
    return x && broadcastTo(site, x, shape);
  }
  var eye = {
    names: ["n"],
    required: 1,
    ignored: ["dtype"],
    apply: (site, bound) => {
      const n = wholeArgument(site, bound, "n", 0);
      if (n === void 0 || n < 0) return void 0;
      site.checking.allocate(n * n, site.place);
      const values = Float64Array.from({ length: n * n }, (_, i) => i % (n + 1) === 0 ? 1 : 0);
      return hostArray(site.checking, values, [n, n], "float", site.place);
    }
  };
  var arange = {
    names: ["start", "stop", "step"],
    required: 1,
    ignored: ["dtype"],
    apply: (site, bound) => {
      const { checking, place: place3 } = site;
      const given2 = ["start", "stop", "step"].map((name2) => bound.get(name2));
      const numbers2 = given2.map((one3) => numberOf3(checking, one3?.value));
      if (given2.some((one3, i) => one3 && one3.value.kind !== "none" && numbers2[i] === void 0)) {
        const message = `Cannot call ${site.text}: wanted numbers known before sampling`;
        return void checking.error("names/wrong-kind", message, place3);
      }
      const single = numbers2[1] === void 0;
      const [start, stop, step] = single ? [0, numbers2[0] ?? 0, numbers2[2] ?? 1] : [numbers2[0] ?? 0, numbers2[1] ?? 0, numbers2[2] ?? 1];
      const length2 = step === 0 ? NaN : Math.max(0, Math.ceil((stop - start) / step));
      if (!Number.isFinite(length2)) {
        return void checking.error(
          "support/number",
          `Cannot call ${site.text}: the step is 0`,
          place3
        );
      }
      checking.allocate(length2, place3);
      const values = Float64Array.from({ length: length2 }, (_, i) => start + i * step);
      const whole2 = [start, step].every(Number.isInteger) && given2.every((one3) => one3?.value.kind !== "numeric" || one3.value.dtype !== "float");
      return hostArray(checking, values, [length2], whole2 ? "int" : "float", place3);
    }
  };
  var linspace = {
    names: ["start", "stop", "num", "endpoint"],
    required: 2,
    ignored: ["dtype"],
    apply: (site, bound) => {
      const { checking, place: place3 } = site;
      const start = numberOf3(checking, bound.get("start")?.value);
      const stop = numberOf3(checking, bound.get("stop")?.value);
      const count = wholeArgument(site, bound, "num", 50);
      if (start === void 0 || stop === void 0 || count === void 0 || count < 0) {
        const message = `Cannot call ${site.text}: wanted numbers known before sampling`;
        return void checking.error("names/wrong-kind", message, place3);
      }
      checking.allocate(count, place3);
      const closed2 = flagArgument(site, bound, "endpoint", true);
      const step = (stop - start) / Math.max(1, closed2 ? count - 1 : count);
      const at = (i) => closed2 && i === count - 1 && i > 0 ? stop : start + i * step;
      return hostArray(
        checking,
        Float64Array.from({ length: count }, (_, i) => at(i)),
        [count],
        "float",
        place3
      );
    }
  };
  function asArray(tensor) {
    return {
      names: ["a", "dtype"],
      required: 1,
      ignored: ["name", "ndim", "copy", "order"],
      apply: (site, bound) => {
        const x = arrayArgument(site, bound, "a");
        if (!x) return void 0;
        if (tensor) return { ...x, origin: "tensor" };
        const dtype = bound.get("dtype")?.value;
        const made = { ...x, origin: x.origin === "tensor" ? "tensor" : "numpy" };
        return dtype ? castArray(site, made, dtype) : made;
      }
    };
  }
  function castArray(site, x, type) {
    const name2 = type.kind === "text" ? type.value : type.kind === "builtin" ? type.name : "";
    const kind = /^u?int/.test(name2) ? "int" : /^(float|double)/.test(name2) ? "float" : name2;
    if (kind === "float" || kind === "floatX") return { ...x, dtype: "float" };
    if (kind === "bool" || kind === "bool_") {
      const zero2 = pythonNumber(site.checking, 0, "int");
      return applyMap(site.checking, "ne", [x, zero2], site.place, "bool");
    }
    if (kind === "str" || kind === "category" || kind === "object") return x;
    if (kind !== "int") {
      const message = "Cannot convert an array to this type: wanted int, float or bool";
      return void site.checking.error("names/wrong-kind", message, site.place);
    }
    const known5 = site.checking.graph.valueOf(x.node);
    if (known5?.values.every(Number.isInteger)) return { ...x, dtype: "int" };
    const { checking, place: place3 } = site;
    const size = applyMap(checking, "abs", [x], place3, "float");
    const down = size && applyMap(checking, "floor", [size], place3, "float");
    const sign2 = down && applyMap(checking, "sign", [x], place3, "float");
    return sign2 && applyMap(checking, "mul", [down, sign2], place3, "int");
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
      return value !== void 0 && carriesResponse(value);
    }
    return e.kind === "subscript" && e.index.kind === "string" && e.object.kind === "name" && scope.get(e.object.id)?.kind === "data" && e.index.value === response?.name;
  }

  // src/lang/operators.ts
  function unaryOperator(checking, e) {
    const operand = evaluate(checking, e.operand);
    if (touchesResponse(operand)) return checking.derive(e, operand);
    if (e.op === "not") {
      const truth = truthOf(checking, operand, e.operand);
      return truth === void 0 ? invalid : pythonBool(checking, !truth);
    }
    const number3 = numeric(checking, operand, e.operand, `\`${e.op}\``);
    if (!number3) return invalid;
    if (e.op === "~") return invert(checking, number3, e);
    const dtype = number3.dtype === "bool" ? "int" : number3.dtype;
    if (e.op === "-") return applyMap(checking, "neg", [number3], e, dtype) ?? invalid;
    if (isHost(number3)) return { ...number3, dtype };
    const message = "Cannot use `+` before a random variable: PyMC has no such operator";
    return checking.error("unsupported/expression", message, e, "leave the + out");
  }
  function invert(checking, value, e) {
    if (value.dtype === "bool") return applyMap(checking, "not", [value], e, "bool") ?? invalid;
    const message = "Cannot use `~`: wanted conditions, found numbers";
    return checking.error("names/wrong-kind", message, e, "compare first, or write 1 - x");
  }
  function binaryOperator(checking, e) {
    return applyOperator(checking, e.op, evaluate(checking, e.left), evaluate(checking, e.right), e);
  }
  function applyOperator(checking, op, left, right, e) {
    if (left.kind === "invalid" || right.kind === "invalid") return invalid;
    if (left.kind === "ignored" || right.kind === "ignored") {
      return left.kind === "ignored" ? left : right;
    }
    if (touchesResponse(left) || touchesResponse(right)) return checking.derive(e, left, right);
    const joined5 = joinSequences(checking, op, left, right, e);
    if (joined5) return joined5;
    const a = numeric(checking, left, e.left, `\`${op}\``);
    const b = a && numeric(checking, right, e.right, `\`${op}\``);
    return b ? arithmetic(checking, op, a, b, e) : invalid;
  }
  function joinSequences(checking, op, left, right, e) {
    if (op === "+" && left.kind === "text" && right.kind === "text") {
      return shortText(checking, left.value + right.value, e);
    }
    if (op === "+" && left.kind === "sequence" && right.kind === "sequence" && left.form === right.form) {
      return { ...left, items: [...left.items, ...right.items] };
    }
    if (op !== "*") return void 0;
    const sequence2 = left.kind === "sequence" ? left : right.kind === "sequence" ? right : void 0;
    const times3 = numberOf3(checking, sequence2 === left ? right : left);
    if (!sequence2 || times3 === void 0) return void 0;
    const other = sequence2 === left ? right : left;
    if (other.kind === "numeric" && other.origin !== "python") return void 0;
    const count = Math.max(0, times3) * sequence2.items.length;
    if (count > limits.steps) checking.stop("unrolling", `a list of ${count} items`, e);
    const items = Array.from({ length: Math.max(0, times3) }, () => sequence2.items).flat();
    return { ...sequence2, items };
  }
  function shortText(checking, value, e) {
    if (value.length > limits.stringLength) {
      checking.stop("string", `a string of more than ${limits.stringLength} characters`, e);
    }
    return { kind: "text", value };
  }
  var plainOperators = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "**": "pow",
    "%": "mod"
  };
  var logicalOperators = { "&": "and", "|": "or", "^": "ne" };
  function arithmetic(checking, op, a, b, e) {
    if (op === "@") return matrixMultiply(checking, a, b, e) ?? invalid;
    if (op === "//") return floorDivide(checking, a, b, e) ?? invalid;
    if (Object.hasOwn(logicalOperators, op)) return logical(checking, op, a, b, e);
    if (!Object.hasOwn(plainOperators, op)) {
      const message = `Cannot use \`${op}\`: numbers are not strings of bits here`;
      return checking.error("unsupported/expression", message, e);
    }
    return applyMap(checking, plainOperators[op], [a, b], e, resultType(checking, op, a, b)) ?? invalid;
  }
  function resultType(checking, op, a, b) {
    if (op === "/") return "float";
    const wide = widest(a, b);
    if (op === "**" && wide !== "float") {
      const powers = checking.graph.valueOf(b.node)?.values;
      return powers?.every((power5) => power5 >= 0) ? "int" : "float";
    }
    return wide === "bool" ? "int" : wide;
  }
  function floorDivide(checking, a, b, e) {
    const ratio = applyMap(checking, "div", [a, b], e, "float");
    const dtype = widest(a, b) === "float" ? "float" : "int";
    return ratio && applyMap(checking, "floor", [ratio], e, dtype);
  }
  function logical(checking, op, a, b, e) {
    if (a.dtype === "bool" && b.dtype === "bool") {
      return applyMap(checking, logicalOperators[op], [a, b], e, "bool") ?? invalid;
    }
    const message = `Cannot use \`${op}\`: wanted conditions on both sides, found numbers`;
    const hint = "put comparisons into parentheses: (a > 1) & (b < 2)";
    return checking.error("names/wrong-kind", message, e, hint);
  }
  var comparisons2 = {
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "==": "eq",
    "!=": "ne"
  };
  function comparisonOperator2(checking, e) {
    const values = e.operands.map((operand) => evaluate(checking, operand));
    if (values.some((value) => value.kind === "invalid")) return invalid;
    if (values.some((value) => value.kind === "ignored")) return { kind: "ignored" };
    if (e.ops.length === 1 && isNoneTest(e)) return compareOnce(checking, e, 0, values);
    if (values.some(touchesResponse)) return checking.derive(e, ...values);
    let result = compareOnce(checking, e, 0, values);
    for (let i = 1; i < e.ops.length; i++) {
      const truth = truthOf(checking, result, e);
      if (truth === void 0) return invalid;
      if (!truth) return result;
      result = compareOnce(checking, e, i, values);
    }
    return result;
  }
  function isNoneTest(e) {
    const [, right] = e.operands;
    return (e.ops[0] === "is" || e.ops[0] === "is not") && right.kind === "constant";
  }
  function compareOnce(checking, e, i, values) {
    const [op, left, right] = [e.ops[i], values[i], values[i + 1]];
    const known5 = compareKnown(checking, op, left, right, e);
    if (known5 !== void 0) return pythonBool(checking, known5);
    if (!Object.hasOwn(comparisons2, op)) {
      const message = `Cannot use \`${op}\` with ${describeValue(left)} and ${describeValue(right)}`;
      return checking.error("unsupported/expression", message, e);
    }
    const a = numeric(checking, left, e.operands[i], `\`${op}\``);
    const b = a && numeric(checking, right, e.operands[i + 1], `\`${op}\``);
    if (!b) return invalid;
    if ((!isHost(a) || !isHost(b)) && refuseEquality(checking, op, e)) return invalid;
    const result = applyMap(checking, comparisons2[op], [a, b], e, "bool");
    if (!result) return invalid;
    const scalars = [a, b].every((x) => shapeOf(checking, x).length === 0);
    return {
      ...result,
      origin: scalars && isHost(a) && isHost(b) ? joinOrigins(a, b) : result.origin
    };
  }
  function refuseEquality(checking, op, e) {
    if (op !== "==" && op !== "!=") return false;
    const name2 = op === "==" ? "eq" : "neq";
    const message = `Cannot use \`${op}\` with a tensor: PyMC compares the variables, not their values`;
    checking.error("names/tensor-equality", message, e, `write pm.math.${name2}(a, b)`);
    return true;
  }
  function compareKnown(checking, op, left, right, place3) {
    if (op === "is" || op === "is not") return sameThing(left, right) === (op === "is");
    if (op === "in" || op === "not in") {
      const found = contains(checking, right, left, place3);
      return found === void 0 ? void 0 : found === (op === "in");
    }
    if (op !== "==" && op !== "!=") return void 0;
    const plain3 = (value) => value.kind === "text" || value.kind === "none";
    if (!plain3(left) && !plain3(right)) return void 0;
    const same = left.kind === right.kind && (left.kind !== "text" || right.kind === "text" && left.value === right.value);
    return same === (op === "==");
  }
  function sameThing(left, right) {
    if (left.kind === "none" || right.kind === "none") return left.kind === right.kind;
    return left === right;
  }
  function contains(checking, container, item2, place3) {
    if (container.kind === "text" && item2.kind === "text") {
      return container.value.includes(item2.value);
    }
    const key = item2.kind === "text" ? item2.value : numberOf3(checking, item2);
    if (key === void 0) return void 0;
    if (container.kind === "dictionary") return container.entries.has(key);
    if (container.kind === "data") return checking.columns.has(`${key}`);
    if (container.kind !== "sequence") return void 0;
    checking.step(place3);
    return container.items.some(
      (one3) => (one3.kind === "text" ? one3.value : numberOf3(checking, one3)) === key
    );
  }
  function booleanOperator(checking, e) {
    let value = invalid;
    for (const operand of e.operands) {
      value = evaluate(checking, operand);
      if (touchesResponse(value)) return checking.derive(e, value);
      const truth = truthOf(checking, value, operand);
      if (truth === void 0) return invalid;
      if (truth === (e.op === "or")) return value;
    }
    return value;
  }
  function conditionalOperator(checking, e) {
    const test = evaluate(checking, e.test);
    if (touchesResponse(test)) return checking.derive(e, test);
    const truth = truthOf(checking, test, e.test);
    if (truth === void 0) return mentionsResponse(checking, e) ? checking.derive(e) : invalid;
    return evaluate(checking, truth ? e.then : e.otherwise);
  }
  function truthOf(checking, value, place3) {
    switch (value.kind) {
      case "text":
        return value.value !== "";
      case "none":
        return false;
      case "sequence":
        return value.items.length > 0;
      case "dictionary":
        return value.entries.size > 0;
      case "invalid":
        return void 0;
      case "numeric":
        return truthOfNumber(checking, value, place3);
      case "ignored":
      case "response":
      case "derived":
      case "observed": {
        const message = `Cannot decide by ${describeValue(value)}: it is not known here`;
        checking.error("names/random-condition", message, place3);
        return void 0;
      }
      default:
        return true;
    }
  }
  function truthOfNumber(checking, value, place3) {
    const number3 = numberOf3(checking, value);
    if (number3 !== void 0) return number3 !== 0;
    if (!isHost(value) && !checking.graph.isHost(value.node)) {
      const message = "Cannot decide by a random variable: it is known only while sampling";
      checking.error(
        "names/random-condition",
        message,
        place3,
        "write pm.math.switch(condition, a, b)"
      );
    } else {
      const message = "Cannot decide by an array: it has more than one element";
      checking.error("names/wrong-kind", message, place3, "write np.where(condition, a, b)");
    }
    return void 0;
  }

  // src/lang/builtins.ts
  function one(checking, args, name2) {
    return bind(checking, args, name2, { names: ["x"], required: 1 })?.get("x");
  }
  function length(checking, args) {
    const given2 = one(checking, args, "len");
    if (!given2) return invalid;
    const { value, place: place3 } = given2;
    const count = lengthOf(checking, value);
    if (count !== void 0) return pythonNumber(checking, count, "int");
    if (value.kind === "invalid" || value.kind === "ignored") return value;
    const message = `Cannot take len of ${describeValue(value)}`;
    return checking.error("names/wrong-kind", message, place3);
  }
  function lengthOf(checking, value) {
    switch (value.kind) {
      case "sequence":
        return value.items.length;
      case "dictionary":
        return value.entries.size;
      case "text":
        return [...value.value].length;
      case "response":
        return checking.responseShape[0];
      case "data":
        return checking.dataset.rows;
      case "numeric":
        return shapeOf(checking, value)[0];
      default:
        return void 0;
    }
  }
  function absolute(checking, args) {
    const given2 = one(checking, args, "abs");
    const number3 = given2 && numeric(checking, given2.value, given2.place, "abs");
    if (!number3) return invalid;
    return applyMap(checking, "abs", [number3], args.call, number3.dtype) ?? invalid;
  }
  function range3(checking, args) {
    const bound = bind(checking, args, "range", { names: ["start", "stop", "step"], required: 1 });
    if (!bound) return invalid;
    const numbers2 = [];
    for (const [name2, { value, place: place3 }] of bound) {
      const number3 = wholeNumber(checking, value, place3, name2);
      if (number3 === void 0) return invalid;
      numbers2.push(number3);
    }
    const [start, stop, step] = numbers2.length === 1 ? [0, numbers2[0], 1] : [...numbers2, 1];
    const count = Math.max(0, Math.ceil((stop - start) / step));
    if (!(count <= limits.steps)) {
      checking.stop("unrolling", `a range of ${count} numbers`, args.call);
    }
    const items = Array.from(
      { length: count },
      (_, i) => pythonNumber(checking, start + i * step, "int")
    );
    return { kind: "sequence", form: "list", items };
  }
  function enumerate(checking, args) {
    const bound = bind(checking, args, "enumerate", { names: ["iterable", "start"], required: 1 });
    const given2 = bound?.get("iterable");
    const items = given2 && itemsOf(checking, given2.value, given2.place);
    const start = bound?.has("start") ? numberOf3(checking, bound.get("start")?.value) : 0;
    if (!items || start === void 0) return invalid;
    const pairs = items.map((item2, i) => ({
      kind: "sequence",
      form: "tuple",
      items: [pythonNumber(checking, start + i, "int"), item2]
    }));
    return { kind: "sequence", form: "list", items: pairs };
  }
  function zip(checking, args) {
    const columns = [];
    for (const { value, place: place3 } of args.positional) {
      const items = itemsOf(checking, value, place3);
      if (!items) return invalid;
      columns.push(items);
    }
    const count = columns.length === 0 ? 0 : Math.min(...columns.map((items) => items.length));
    const rows = Array.from({ length: count }, (_, i) => ({
      kind: "sequence",
      form: "tuple",
      items: columns.map((items) => items[i])
    }));
    return { kind: "sequence", form: "list", items: rows };
  }
  function sum2(checking, args) {
    const bound = bind(checking, args, "sum", { names: ["iterable", "start"], required: 1 });
    const given2 = bound?.get("iterable");
    const items = given2 && itemsOf(checking, given2.value, given2.place);
    if (!items) return invalid;
    const { place: place3 } = given2;
    const start = bound?.get("start")?.value ?? pythonNumber(checking, 0, "int");
    return items.reduce((total2, item2) => {
      checking.step(place3);
      return applyOperator(checking, "+", total2, item2, { left: place3, right: place3, ...span(place3) });
    }, start);
  }
  function span({ start, end }) {
    return { start, end };
  }
  function extreme2(op) {
    return (checking, args, name2) => {
      const single = args.positional.length === 1;
      const [first2] = args.positional;
      const items = single ? first2 && itemsOf(checking, first2.value, first2.place) : args.positional.map(({ value }) => value);
      if (!items || items.length === 0) return invalid;
      const place3 = first2.place;
      let best = items[0];
      for (const item2 of items.slice(1)) {
        checking.step(place3);
        const [a, b] = [best, item2].map((value) => numeric(checking, value, place3, name2));
        if (!a || !b) return invalid;
        if (!isHost(a) || !isHost(b)) return refuseComparison(checking, args, name2);
        const larger2 = applyMap(checking, op, [a, b], args.call, a.dtype);
        if (!larger2) return invalid;
        best = larger2;
      }
      return best;
    };
  }
  function refuseComparison(checking, args, name2) {
    const message = `Cannot call ${name2} on a random variable: it is known only while sampling`;
    const hint = `write pm.math.${name2}imum(a, b)`;
    return checking.error("names/random-condition", message, args.call, hint);
  }
  function convert(type) {
    return (checking, args, name2) => {
      const given2 = one(checking, args, name2);
      if (!given2) return invalid;
      const { value, place: place3 } = given2;
      if (value.kind === "text") {
        const parsed = Number(value.value);
        const infinite = /^[+-]?inf(inity)?$/i.test(value.value.trim());
        if (infinite) {
          return pythonNumber(checking, value.value.includes("-") ? -Infinity : Infinity, "float");
        }
        if (value.value.trim() !== "" && Number.isFinite(parsed) && type !== "str") {
          return pythonNumber(checking, parsed, type === "int" ? "int" : "float");
        }
      }
      const number3 = numeric(checking, value, place3, name2);
      if (!number3) return invalid;
      const site = { checking, place: args.call, text: name2 };
      const cast = castArray(site, number3, { kind: "text", value: type });
      return cast ? { ...cast, origin: isHost(cast) ? "python" : "tensor" } : invalid;
    };
  }
  function toBool(checking, args) {
    const given2 = one(checking, args, "bool");
    const truth = given2 && truthOf(checking, given2.value, given2.place);
    return truth === void 0 ? invalid : pythonBool(checking, truth);
  }
  function toText(checking, args) {
    const given2 = one(checking, args, "str");
    if (!given2) return invalid;
    const { place: place3 } = given2;
    const parts = [{ value: place3, start: place3.start, end: place3.end }];
    return formatText(checking, { kind: "formatted", parts, start: place3.start, end: place3.end });
  }
  function sequenceOf(form) {
    return (checking, args, name2) => {
      if (args.positional.length === 0) return { kind: "sequence", form, items: [] };
      const given2 = one(checking, args, name2);
      const items = given2 && itemsOf(checking, given2.value, given2.place);
      return items ? { kind: "sequence", form, items: [...items] } : invalid;
    };
  }
  function reversed(checking, args) {
    const given2 = one(checking, args, "reversed");
    const items = given2 && itemsOf(checking, given2.value, given2.place);
    return items ? { kind: "sequence", form: "list", items: [...items].reverse() } : invalid;
  }
  function sorted(checking, args) {
    const given2 = one(checking, args, "sorted");
    const items = given2 && itemsOf(checking, given2.value, given2.place);
    if (!items) return invalid;
    const keyed = items.map((item2) => ({
      item: item2,
      key: item2.kind === "text" ? item2.value : numberOf3(checking, item2)
    }));
    if (keyed.some(({ key }) => key === void 0)) {
      const message = "Cannot sort this: wanted numbers or strings known before sampling";
      return checking.error("names/wrong-kind", message, given2.place);
    }
    keyed.sort((a, b) => (a.key ?? 0) < (b.key ?? 0) ? -1 : a.key === b.key ? 0 : 1);
    return { kind: "sequence", form: "list", items: keyed.map(({ item: item2 }) => item2) };
  }
  function dictionary2(checking, args) {
    const entries2 = /* @__PURE__ */ new Map();
    const [first2] = args.positional;
    if (first2?.value.kind === "dictionary") {
      for (const [key, value] of first2.value.entries) entries2.set(key, value);
    } else if (first2) {
      for (const pair of itemsOf(checking, first2.value, first2.place) ?? []) {
        const [key, value] = pair.kind === "sequence" ? pair.items : [];
        const name2 = key?.kind === "text" ? key.value : numberOf3(checking, key);
        if (name2 === void 0 || !value) {
          const message = "Cannot make a dictionary of this: wanted pairs of a key and a value";
          return checking.error("names/wrong-kind", message, first2.place);
        }
        entries2.set(name2, value);
      }
    }
    for (const [key, { value }] of args.keywords) entries2.set(key, value);
    return { kind: "dictionary", entries: entries2 };
  }
  function roundNumber(checking, args) {
    const bound = bind(checking, args, "round", { names: ["x", "digits"], required: 1 });
    const given2 = bound?.get("x");
    const number3 = given2 && numeric(checking, given2.value, given2.place, "round");
    if (!number3 || !bound) return invalid;
    const digits2 = numberOf3(checking, bound.get("digits")?.value);
    if (digits2 === void 0) {
      return applyMap(checking, "round", [number3], args.call, "int") ?? invalid;
    }
    const scale = pythonNumber(checking, Number(`1e${digits2}`), "float");
    const grown = applyMap(checking, "mul", [number3, scale], args.call, "float");
    const whole2 = grown && applyMap(checking, "round", [grown], args.call, "float");
    return (whole2 && applyMap(checking, "div", [whole2, scale], args.call, "float")) ?? invalid;
  }
  function decide(every) {
    return (checking, args, name2) => {
      const given2 = one(checking, args, name2);
      const items = given2 && itemsOf(checking, given2.value, given2.place);
      if (!items) return invalid;
      for (const item2 of items) {
        const truth = truthOf(checking, item2, given2.place);
        if (truth === void 0) return invalid;
        if (truth !== every) return pythonBool(checking, !every);
      }
      return pythonBool(checking, every);
    };
  }
  var power4 = (checking, args) => {
    const bound = bind(checking, args, "pow", { names: ["x", "y"], required: 2 });
    const [x, y] = [bound?.get("x"), bound?.get("y")];
    if (!x || !y) return invalid;
    const place3 = { left: x.place, right: y.place, start: args.call.start, end: args.call.end };
    return applyOperator(checking, "**", x.value, y.value, place3);
  };
  var silent = () => none;
  var pythonFunctions = {
    abs: absolute,
    len: length,
    range: range3,
    enumerate,
    zip,
    sum: sum2,
    max: extreme2("maximum"),
    min: extreme2("minimum"),
    float: convert("float"),
    int: convert("int"),
    bool: toBool,
    str: toText,
    list: sequenceOf("list"),
    tuple: sequenceOf("tuple"),
    dict: dictionary2,
    reversed,
    sorted,
    round: roundNumber,
    any: decide(false),
    all: decide(true),
    pow: power4,
    print: silent,
    display: silent
  };
  var pythonBuiltins = new Set(Object.keys(pythonFunctions));
  function mayLook(name2, args) {
    if (name2 === "len" || name2 === "print" || name2 === "list" || name2 === "tuple" || name2 === "dict") return true;
    return !args.positional.some(({ value }) => carriesResponse(value));
  }

  // src/lang/assigned_parts.ts
  function setSubtensor(checking, call2, name2) {
    const text = checking.text(call2.callee);
    const [first2] = call2.arguments;
    const args = evaluateArguments(checking, call2);
    const bound = args && bind(checking, args, text, { names: ["x", "y"], required: 2 });
    const given2 = bound?.get("y");
    if (!args || !given2) return invalid;
    if (allArguments(args).some(({ value }) => carriesResponse(value))) return checking.derive(call2);
    if (first2.value.kind !== "subscript") {
      const message = `Cannot call ${text}: wanted a part of an array`;
      return checking.error("names/wrong-kind", message, first2, "write x[index]");
    }
    return replaced(checking, first2.value, given2, text, name2 === "inc_subtensor");
  }
  function setPart(checking, call2, object, name2) {
    if (name2 !== "set" && name2 !== "inc") return void 0;
    if (object.kind !== "numeric" || object.origin !== "tensor") return void 0;
    if (call2.callee.kind !== "attribute" || call2.callee.object.kind !== "subscript") return void 0;
    const text = checking.text(call2.callee);
    const args = evaluateArguments(checking, call2);
    const given2 = args && bind(checking, args, text, { names: ["y"], required: 1 })?.get("y");
    if (!given2) return invalid;
    if (carriesResponse(given2.value)) return checking.derive(call2, given2.value);
    return replaced(checking, call2.callee.object, given2, text, name2 === "inc");
  }
  function replaced(checking, part, given2, text, adds) {
    const x = evaluate(checking, part.object);
    const index = evaluate(checking, part.index);
    const value = numeric(checking, given2.value, given2.place, text);
    if (x.kind !== "numeric" || !value) return invalid;
    const before = adds ? takePart(checking, part, x, index) : void 0;
    if (before && before.kind !== "numeric") return before;
    const made = withPart(checking, part, x, index, value, before);
    return made ? { ...made, origin: "tensor" } : invalid;
  }
  function withPart(checking, part, x, index, value, before) {
    const { graph } = checking;
    const shape = shapeOf(checking, x);
    const size = sizeOf(shape);
    const all = Float64Array.from({ length: size }, (_, i) => i);
    const places2 = takePart(checking, part, hostArray(checking, all, shape, "int", part), index);
    const positions = places2.kind === "numeric" ? graph.valueOf(places2.node) : void 0;
    if (!positions) return void 0;
    if (before && new Set(positions.values).size < positions.values.length) {
      const message = `Cannot add to ${checking.text(part)}: an element is named twice`;
      return void checking.error("names/wrong-kind", message, part, "add one after another");
    }
    const site = { checking, place: part, text: checking.text(part) };
    const fitted2 = broadcastTo(site, value, positions.shape);
    if (!fitted2) return void 0;
    const node = before ? graph.add(before.node, fitted2.node) : fitted2.node;
    const source = Int32Array.from(all);
    positions.values.forEach((at, i) => source[at] = size + i);
    checking.allocate(2 * size, part);
    const made = graph.gather(graph.join([x.node, node]), source, shape);
    return fold(checking, { ...x, node: made, dtype: widest(x, value) });
  }
  function fillPart(checking, target, value) {
    if (target.object.kind !== "name") return false;
    const { id } = target.object;
    const x = checking.scope.get(id);
    if (x?.kind !== "numeric" || !x.filling?.open || !checking.scope.has(id)) return false;
    if (touchesResponse(value)) {
      checking.refuseResponse(value, target);
      return true;
    }
    const index = evaluate(checking, target.index);
    const number3 = numeric(checking, value, target, checking.text(target));
    if (index.kind === "invalid" || !number3) return true;
    if (number3.origin === "tensor") {
      const message = `Cannot assign a random variable to ${checking.text(target)}: arrays of NumPy hold numbers`;
      const hint = "collect them in a list, and write pm.math.stack(...)";
      checking.error("names/numpy-on-random-variable", message, target, hint);
      return true;
    }
    if (x.dtype === "int" && number3.dtype === "float") {
      const message = `Cannot assign to ${checking.text(target)}: NumPy would cut the decimals off`;
      checking.error("names/wrong-kind", message, target, "leave dtype=int out");
      return true;
    }
    const made = withPart(checking, target, x, index, number3);
    if (made) checking.scope.set(id, { ...made, dtype: x.dtype, filling: x.filling });
    return true;
  }

  // src/lang/inline.ts
  function makeFunction(checking, name2, parameters, body) {
    const defaults2 = /* @__PURE__ */ new Map();
    for (const parameter2 of parameters) {
      if (parameter2.default) defaults2.set(parameter2.name.id, evaluate(checking, parameter2.default));
    }
    return { kind: "function", name: name2, parameters, defaults: defaults2, body, scope: checking.scope };
  }
  function callFunction(checking, call2, f) {
    const args = evaluateArguments(checking, call2);
    return args ? applyFunction(checking, args, f) : invalid;
  }
  function applyFunction(checking, args, f) {
    const names2 = bindParameters(checking, args, f);
    if (!names2) return invalid;
    if (checking.calls >= limits.calls) {
      const message = `Cannot call ${f.name}: more than ${limits.calls} calls inside one another`;
      return checking.error(
        "unsupported/recursion",
        message,
        args.call,
        "write it without recursion"
      );
    }
    const isLambda = !Array.isArray(f.body);
    const locals = isLambda ? new Set(names2.keys()) : assignedNames(f.body);
    const outer2 = checking.scope;
    checking.scope = new Scope(f.scope, locals);
    for (const [name2, value] of names2) {
      closeFilling(value);
      checking.scope.set(name2, value);
    }
    checking.calls++;
    try {
      if (isLambda) return evaluate(checking, f.body);
      const end = runBody(checking, f.body);
      return end?.kind === "return" ? end.value : none;
    } finally {
      checking.calls--;
      checking.scope = outer2;
    }
  }
  function bindParameters(checking, { call: call2, positional, keywords: keywords2 }, f) {
    const names2 = /* @__PURE__ */ new Map();
    const plain3 = f.parameters.filter(({ form }) => form === "plain");
    const rest = f.parameters.find(({ form }) => form === "star");
    const others = f.parameters.find(({ form }) => form === "double_star");
    const refuse6 = (what) => {
      checking.error("names/arguments", `Cannot call ${f.name}: ${what}`, call2);
    };
    if (positional.length > plain3.length && !rest) {
      return refuse6(`wanted ${plain3.length} arguments, found ${positional.length}`);
    }
    positional.slice(0, plain3.length).forEach(({ value }, i) => names2.set(plain3[i].name.id, value));
    if (rest) {
      const items = positional.slice(plain3.length).map(({ value }) => value);
      names2.set(rest.name.id, { kind: "sequence", form: "tuple", items });
    }
    const known5 = f.parameters.filter(({ form }) => form === "plain" || form === "keyword_only");
    const entries2 = /* @__PURE__ */ new Map();
    for (const [name2, { value }] of keywords2) {
      if (names2.has(name2)) return refuse6(`${name2} is given twice`);
      if (known5.some((parameter2) => parameter2.name.id === name2)) names2.set(name2, value);
      else if (others) entries2.set(name2, value);
      else return refuse6(`it has no argument ${name2}`);
    }
    if (others) names2.set(others.name.id, { kind: "dictionary", entries: entries2 });
    for (const { name: name2 } of known5) {
      if (names2.has(name2.id)) continue;
      const value = f.defaults.get(name2.id);
      if (!value) return refuse6(`missing ${name2.id}`);
      names2.set(name2.id, value);
    }
    return names2;
  }

  // src/lang/products.ts
  function product2(dot2) {
    return {
      names: ["a", "b"],
      required: 2,
      apply: (site, bound) => {
        const a = arrayArgument(site, bound, "a");
        const b = a && arrayArgument(site, bound, "b");
        return b && matrixMultiply(site.checking, a, b, site.place, dot2);
      }
    };
  }
  var outer = {
    names: ["a", "b"],
    required: 2,
    apply: (site, bound) => {
      const a = arrayArgument(site, bound, "a");
      const b = a && arrayArgument(site, bound, "b");
      if (!b) return void 0;
      const column = asRank(site, a, (shape) => [sizeOf(shape), 1]);
      const row = asRank(site, b, (shape) => [sizeOf(shape)]);
      const made = applyMap(site.checking, "mul", [column, row], site.place, widest(a, b));
      return made && fold(site.checking, made);
    }
  };

  // src/lang/library.ts
  var shared = {
    sum: reduction("sum", counted),
    prod: reduction("prod", counted),
    max: reduction("max", (x) => x.dtype),
    min: reduction("min", (x) => x.dtype),
    amax: reduction("max", (x) => x.dtype),
    amin: reduction("min", (x) => x.dtype),
    any: logic("max"),
    all: logic("min"),
    mean: moments("mean"),
    var: moments("var"),
    std: moments("std"),
    cumsum: scan("cumsum"),
    cumprod: scan("cumprod"),
    dot: product2(true),
    matmul: product2(false),
    outer,
    stack,
    concatenate,
    hstack: tableStack("hstack"),
    vstack: tableStack("vstack"),
    column_stack: tableStack("column_stack"),
    zeros: filled(0),
    ones: filled(1),
    empty: filled(0),
    full: filled("fill_value"),
    zeros_like: filledLike(0),
    ones_like: filledLike(1),
    empty_like: filledLike(0),
    full_like: filledLike("fill_value"),
    reshape,
    flatten,
    ravel: flatten,
    expand_dims: expandDims,
    squeeze,
    transpose: transposeFunction,
    broadcast_to: broadcastToFunction,
    repeat,
    tile,
    diff,
    diag,
    eye,
    identity: eye,
    tril: triangle(true),
    triu: triangle(false),
    arange,
    linspace
  };
  var tensorOnly = {
    as_tensor: asArray(true),
    as_tensor_variable: asArray(true),
    constant: asArray(true),
    softmax: softmax(false),
    log_softmax: softmax(true),
    expand_packed_triangular: expandPacked
  };
  var arrayFunctions = {
    pm: { expand_packed_triangular: expandPacked },
    np: { ...shared, array: asArray(false), asarray: asArray(false), atleast_1d: asArray(false) },
    pt: { ...shared, ...tensorOnly, logsumexp: logSumExp(false) },
    "pm.math": { ...shared, ...tensorOnly, logsumexp: logSumExp(true) },
    "pt.special": { softmax: softmax(false), log_softmax: softmax(true) },
    special: { logsumexp: logSumExp(false), softmax: softmax(false), log_softmax: softmax(true) }
  };
  var notInPymcMath = /* @__PURE__ */ new Set([
    "any",
    "all",
    "var",
    "std",
    "hstack",
    "vstack",
    "column_stack",
    "empty",
    "reshape",
    "ravel",
    "expand_dims",
    "squeeze",
    "transpose",
    "repeat",
    "tile",
    "diag",
    "eye",
    "identity",
    "tril",
    "triu",
    "arange",
    "linspace",
    "amax",
    "amin",
    "outer",
    "as_tensor_variable"
  ]);

  // src/lang/dimensions.ts
  function setCoordinates(checking, { value, place: place3 }) {
    if (value.kind === "none" || value.kind === "invalid") return;
    if (value.kind !== "dictionary") {
      const message = `Cannot use ${describeValue(value)} as coords: wanted a dictionary`;
      checking.error("names/wrong-kind", message, place3, 'write coords={"group": ["a", "b"]}');
      return;
    }
    for (const [name2, labels2] of value.entries) setCoordinate(checking, `${name2}`, labels2, place3);
  }
  function setCoordinate(checking, name2, labels2, place3, length2) {
    if (labels2.kind === "none" && length2 !== void 0) {
      checking.dimensions.set(name2, { length: length2 });
      return;
    }
    if (touchesResponse(labels2)) {
      checking.refuseResponse(labels2, place3);
      return;
    }
    const found = labelsOf(checking, labels2);
    if (found) checking.dimensions.set(name2, { length: found.length, labels: found });
    else if (labels2.kind !== "invalid") {
      const message = `Cannot use ${describeValue(labels2)} as labels of "${name2}": wanted a list`;
      checking.error("names/wrong-kind", message, place3, "write range(n) or a list of strings");
    }
  }
  function labelsOf(checking, labels2) {
    if (labels2.kind === "sequence") {
      const items = labels2.items.map(
        (item2) => item2.kind === "text" ? item2.value : item2.kind === "numeric" ? numbersOf(checking, item2)?.[0] : void 0
      );
      const known5 = items.filter((item2) => item2 !== void 0);
      return known5.length === items.length ? known5 : void 0;
    }
    if (labels2.kind !== "numeric" || shapeOf(checking, labels2).length !== 1) return void 0;
    const numbers2 = numbersOf(checking, labels2);
    return numbers2 && [...numbers2];
  }
  function addCoordinates(checking, args, name2) {
    const [first2, second2] = args.positional;
    if (name2 === "add_coords" && first2) {
      setCoordinates(checking, first2);
      return none;
    }
    const title = first2?.value.kind === "text" ? first2.value.value : void 0;
    if (title === void 0) {
      const message = "Cannot add coordinates: wanted a name and values";
      return checking.error("names/arguments", message, args.call);
    }
    const values = second2 ?? args.keywords.get("values");
    const given2 = args.keywords.get("length");
    const length2 = given2 && numberOf3(checking, given2.value);
    setCoordinate(checking, title, values?.value ?? none, args.call, length2);
    return none;
  }
  function dimsArgument(checking, { value, place: place3 }) {
    const items = value.kind === "sequence" ? value.items : [value];
    const names2 = [];
    for (const item2 of items) {
      if (item2.kind === "text") names2.push(item2.value);
      else if (item2.kind === "none") names2.push(void 0);
      else if (item2.kind === "invalid") return void 0;
      else {
        const message = `Cannot use ${describeValue(item2)} as the name of an axis: wanted a string`;
        checking.error("names/wrong-kind", message, place3, 'write dims="group"');
        return void 0;
      }
    }
    return names2;
  }
  function shapeOfDims(checking, names2, place3, known5) {
    const shape = [];
    for (const [i, name2] of names2.entries()) {
      const dimension = name2 === void 0 ? void 0 : checking.dimensions.get(name2);
      const extent = dimension?.length ?? (name2 === void 0 ? known5?.[i] : void 0);
      if (extent === void 0) return unknownDimension(checking, name2 ?? "None", place3);
      shape.push(extent);
    }
    return shape;
  }
  function unknownDimension(checking, name2, place3) {
    const message = `Cannot find the axis "${name2}": it is not in coords`;
    const axes = [...checking.dimensions.keys()];
    const hint = axes.length > 0 ? knownNames(name2, "axes", axes) : `write pm.Model(coords={"${name2}": ...}), or shape= for dims=`;
    checking.error("names/unknown-dimension", message, place3, hint);
  }
  function nameAxes(checking, names2, shape, place3, define) {
    if (names2.length !== shape.length) {
      const message = `Cannot name ${shape.length} axes by ${names2.length} dims`;
      checking.error("shapes/dims", message, place3);
      return false;
    }
    for (const [i, name2] of names2.entries()) {
      const known5 = name2 === void 0 ? void 0 : checking.dimensions.get(name2);
      if (name2 === void 0) continue;
      if (!known5 && define) checking.dimensions.set(name2, { length: shape[i] });
      else if (!known5) return unknownDimension(checking, name2, place3) ?? false;
      else if (known5.length !== shape[i]) {
        const message = `Cannot use the axis "${name2}": its length is ${known5.length}, the value's is ${shape[i]}`;
        checking.error("shapes/dims", message, place3);
        return false;
      }
    }
    return true;
  }

  // src/lang/model.ts
  function checkWith(checking, s) {
    const before = checking.findings.errors;
    let model = false;
    for (const { context, target } of s.items) {
      const value = evaluate(checking, context);
      if (value.kind === "model") model = true;
      else if (value.kind === "invalid" || value.kind === "ignored") continue;
      else {
        const message = "Cannot check this `with`: wanted a model";
        const hint = "write `with pm.Model() as model:`";
        checking.error("unsupported/statement", message, context, hint);
      }
      if (target) assign(checking, target, value);
    }
    if (!model && checking.findings.errors > before) {
      checking.excused = true;
      return void 0;
    }
    const outer2 = checking.inModel;
    checking.inModel ||= model;
    const end = runBody(checking, s.body);
    checking.inModel = outer2;
    return end;
  }
  function openModel(checking, call2) {
    if (checking.modelPlace) {
      const line = checking.source.lineOf(checking.modelPlace.start);
      const message = `Cannot open a second model: line ${line} has opened one`;
      return checking.error("lh/second-model", message, call2, "write all variables into one model");
    }
    checking.modelPlace = call2;
    const args = evaluateArguments(checking, call2);
    const bound = args && bind(checking, args, "pm.Model", {
      names: ["name"],
      required: 0,
      keywordOnly: ["coords"],
      ignored: ["check_bounds", "coords_mutable"]
    });
    if (!bound) return { kind: "model" };
    const name2 = bound.get("name");
    if (name2 && name2.value.kind !== "none" && !(name2.value.kind === "text" && name2.value.value === "")) {
      const message = "Cannot use name of pm.Model: it would rename all variables";
      checking.error("unsupported/argument", message, name2.place, "write pm.Model()");
    }
    const coords = bound.get("coords");
    if (coords) setCoordinates(checking, coords);
    return { kind: "model" };
  }
  function checkFunction2(checking, s) {
    const { name: name2, parameters, body } = s;
    if (name2.id !== "gen_model") {
      const value = makeFunction(checking, name2.id, parameters, body);
      assign(checking, name2, value);
      if (/\.Model\s*\(/.test(bodyText(checking, s))) {
        checking.uncalled.set(name2.id, name2);
      }
      return;
    }
    const [only, ...rest] = parameters;
    const hint = "write `def gen_model(observed_data):` at the beginning of a line";
    if (!only || only.form !== "plain" || only.default || rest.some((p) => p.form === "plain" && !p.default)) {
      checking.excused = true;
      const message = "Cannot check gen_model: wanted one argument, the data";
      checking.error("names/arguments", message, s, hint);
    } else if (checking.inModel || checking.scope !== checking.globals || checking.modelFunction) {
      checking.excused = true;
      const message = "Cannot check gen_model: wanted one function, outside of any block";
      checking.error("unsupported/statement", message, s, hint);
    } else {
      checking.globals.set(name2.id, ignored);
      checking.modelFunction = s;
    }
  }
  function bodyText({ source }, { body }) {
    return body.map((statement) => source.slice(statement)).join("\n");
  }
  function checkModelFunction(checking, s) {
    const [data, ...rest] = s.parameters;
    checking.scope = new Scope(checking.globals, assignedNames(s.body));
    checking.frame = true;
    checking.scope.set(data.name.id, { kind: "data" });
    for (const { name: name2, default: value } of rest) {
      checking.scope.set(name2.id, value ? evaluate(checking, value) : invalid);
    }
    runBody(checking, s.body);
    checking.scope = checking.globals;
  }

  // src/lang/transforms.ts
  var plain2 = {
    ordered: "ordered",
    univariate_ordered: "ordered",
    multivariate_ordered: "ordered",
    log: "log",
    logodds: "logodds",
    simplex: "simplex",
    circular: "circular"
  };
  var transformNames = [...Object.keys(plain2), "Interval"];
  function transformFor(checking, args, law, options) {
    const own = withoutEnds(checking, families[law.family].transform(checking.graph, law));
    const replaced3 = options.get("default_transform");
    const base = replaced3 ? given(checking, args, replaced3, law) : own;
    const added = options.get("transform");
    if (!base || !added || added.value.kind === "none") return base;
    const top = given(checking, args, added, law);
    if (!top) return void 0;
    if (base.kind === "identity" || base.kind === top.kind) return top;
    return top.kind === "identity" ? base : { kind: "chain", parts: [top, base] };
  }
  function withoutEnds({ graph }, transform) {
    if (transform.kind !== "interval") return transform;
    const { lower: lower2, upper } = transform;
    const free2 = graph.constantOf(lower2) === -Infinity && graph.constantOf(upper) === Infinity;
    return free2 ? { kind: "identity" } : transform;
  }
  function given(checking, { call: call2 }, { value, place: place3 }, law) {
    if (value.kind === "none") return { kind: "identity" };
    const plainName = value.kind === "builtin" && value.module === "pm.transforms";
    const asked2 = plainName ? { kind: "transform", name: value.name } : value;
    const found = asked2.kind === "transform" ? named(checking, asked2, law) : void 0;
    if (found) return found;
    if (value.kind === "invalid") return void 0;
    const what = asked2.kind === "transform" ? asked2.name : describeValue(value);
    const message = `Cannot use ${what} as a transform of ${checking.text(call2.callee)} of ` + describeShape(law.shape);
    const hint = transformNames.includes(what) ? `${what} does not fit this variable${what === "ordered" ? ": give it a shape" : ""}` : knownNames(what, "transforms", transformNames);
    checking.error("unsupported/transform", message, place3, hint);
    return void 0;
  }
  function named(checking, value, law) {
    if (value.bounds) {
      const [lower2, upper] = value.bounds;
      return { kind: "interval", lower: lower2, upper };
    }
    const kind = Object.hasOwn(plain2, value.name) ? plain2[value.name] : void 0;
    const vector2 = law.shape.length > 0;
    switch (kind) {
      case "ordered":
        return vector2 ? { kind } : void 0;
      case "simplex":
        return families[law.family].transform(checking.graph, law).kind === kind ? { kind } : void 0;
      case "log":
      case "logodds":
      case "circular":
        return { kind };
      default:
        return void 0;
    }
  }

  // src/lang/law_structure.ts
  var required = {
    lkj_cholesky_cov: ["n", "sd_dist"],
    mixture: ["comp_dists"],
    truncated: ["dist"],
    censored: ["dist"]
  };
  function rerouted(request) {
    const [base] = request.laws?.get("dist") ?? [];
    if (request.family !== "truncated" || base?.family !== "normal") return request;
    const [mu, sigma] = base.args;
    const { laws: _, sizes: __, ...rest } = request;
    const given2 = new Map([["mu", mu], ["sigma", sigma], ...request.given]);
    const shape = request.shape ?? (request.size ? void 0 : base.shape);
    return { ...rest, family: "truncated_normal", given: given2, ...shape ? { shape } : {} };
  }
  function structureOf(g, request, args) {
    const { family, callee } = request;
    const [laws, sizes] = [request.laws ?? /* @__PURE__ */ new Map(), request.sizes ?? /* @__PURE__ */ new Map()];
    const missing = (required[family] ?? []).filter((name2) => !laws.has(name2) && !sizes.has(name2));
    if (missing.length > 0) {
      const message = `Cannot check ${callee}: missing ${missing.join(" and ")}`;
      return { code: "names/missing-argument", message };
    }
    const components2 = [...laws.values()].flat();
    switch (family) {
      case "mixture":
        return mixtureParts(g, request, components2, args[0]);
      case "truncated":
      case "censored":
        return boundedPart(request, components2[0]);
      case "lkj_cholesky_cov":
        return factorParts2(request, components2[0]);
      case "zero_sum_normal":
        return { sizes: [sizes.get("n_zerosum_axes") ?? 1] };
      case "gaussian_random_walk":
        return { components: [components2[0] ?? wideNormal(g)] };
      case "ar":
        return seriesParts(g, request, components2[0], args[0]);
      default:
        return sizes.get("lower") === 0 ? {
          code: "unsupported/argument",
          argument: "lower",
          message: `Cannot use lower=False in ${callee}: factors are lower triangular`
        } : {};
    }
  }
  function wideNormal(g) {
    return { family: "normal", args: [g.scalar(0), g.scalar(100)], shape: [] };
  }
  function mixtureParts(g, { callee }, components2, weights) {
    const count = g.shapeOf(weights).at(-1) ?? 1;
    const alone = components2.length === 1 && count > 1;
    const fits = alone ? components2[0].shape.at(-1) === count : components2.length === count;
    if (fits && !components2.some(({ components: inner }) => inner && alone)) return { components: components2 };
    const found = alone ? describeShape(components2[0].shape) : `${components2.length} distributions`;
    const message = `Cannot check ${callee}: ${found} cannot be mixed by ${count} weights`;
    const hint = "the last axis of the weights and of the components must be equally long";
    return { code: "shapes/mixture", argument: "comp_dists", message, hint };
  }
  function boundedPart({ callee }, base) {
    const { logCdf, logSurvival } = families[base.family];
    if (logCdf && logSurvival && eventRankOf(base) === 0) return { components: [base] };
    const name2 = `pm.${families[base.family].signature.names[0]}`;
    const message = `Cannot use ${name2} in ${callee}: its distribution function is not in the subset`;
    return { code: "unsupported/argument", argument: "dist", message };
  }
  function factorParts2({ callee, sizes }, sd) {
    const n = sizes?.get("n") ?? 0;
    if (!(n >= 1)) {
      const message2 = `Cannot use this n of ${callee}: wanted a whole number from 1, found ${n}`;
      return { code: "support/parameter", argument: "n", message: message2 };
    }
    if (broadcastsTo(sd.shape, [n])) return { components: [{ ...sd, shape: [n] }], sizes: [n] };
    const message = `Cannot use this sd_dist of ${callee}: wanted one deviation or ${n}, found ` + describeShape(sd.shape);
    return { code: "shapes/parameter", argument: "sd_dist", message };
  }
  function seriesParts(g, { callee, sizes }, start, rho) {
    const constant2 = sizes?.get("constant") ?? 0;
    const terms = g.shapeOf(rho).at(-1) ?? 1;
    const order = sizes?.get("ar_order") ?? terms - constant2;
    if (order >= 1 && order + constant2 === terms) {
      return { components: [start ?? wideNormal(g)], sizes: [order, constant2] };
    }
    const message = `Cannot use this rho of ${callee}: ${terms} coefficients for order ${order}` + (constant2 ? " with a constant" : "");
    return { code: "shapes/parameter", argument: "rho", message };
  }
  function componentBatches(g, { family, components: components2 = [], args }) {
    const count = family === "mixture" ? g.shapeOf(args[0]).at(-1) ?? 1 : 1;
    const alone = family === "mixture" && components2.length === 1 && count > 1;
    return components2.map((law) => {
      const batch2 = law.shape.slice(0, law.shape.length - eventRankOf(law));
      return alone ? batch2.slice(0, -1) : batch2;
    });
  }
  function withComponents(g, law) {
    const { components: components2 } = law;
    const wanted2 = components2 && componentShape(g, law, components2);
    if (!components2 || !wanted2) return law;
    const misfit2 = components2.find(({ shape }) => !broadcastsTo(shape, wanted2));
    if (!misfit2) return { ...law, components: components2.map((one3) => spread(one3, wanted2)) };
    const message = `Cannot use ${describeShape(misfit2.shape)} inside of ${describeShape(wanted2)}`;
    return { code: "shapes/broadcast", message };
  }
  function componentShape(g, law, components2) {
    switch (law.family) {
      case "mixture": {
        const count = g.shapeOf(law.args[0]).at(-1) ?? 1;
        return components2.length === 1 && count > 1 ? [...law.shape, count] : law.shape;
      }
      case "truncated":
      case "censored":
        return law.shape;
      case "gaussian_random_walk":
        return law.shape.slice(0, -1);
      case "ar":
        return [...law.shape.slice(0, -1), law.sizes?.[0] ?? 1];
      default:
        return void 0;
    }
  }
  function broadcastsTo(from, to) {
    return `${broadcastShapes(from, to)}` === `${to}`;
  }
  function spread(law, shape) {
    if (`${law.shape}` === `${shape}` || !law.components) return { ...law, shape };
    return { ...law, shape, components: law.components.map((one3) => spread(one3, shape)) };
  }

  // src/lang/parameter_domains.ts
  var wanted = {
    real: "a finite number",
    positive: "a number above 0",
    non_negative: "a number from 0",
    unit: "a number between 0 and 1",
    open_unit: "a number between 0 and 1, without the ends",
    bound: "a number",
    count: "a whole number from 0",
    simplex: "probabilities that sum to 1",
    ordered: "numbers in ascending order",
    matrix: "finite numbers",
    law: "a distribution",
    size: "a whole number"
  };
  var inDomain2 = {
    real: Number.isFinite,
    positive: (x) => x > 0 && x < Infinity,
    non_negative: (x) => x >= 0 && x < Infinity,
    unit: (x) => x >= 0 && x <= 1,
    open_unit: (x) => x > 0 && x < 1,
    bound: (x) => !Number.isNaN(x),
    count: (x) => Number.isInteger(x) && x >= 0,
    simplex: (x) => x >= 0 && x <= 1,
    ordered: Number.isFinite,
    matrix: Number.isFinite,
    law: () => true,
    size: Number.isInteger
  };
  function firstOutside(domain, { shape, values }) {
    const bad = values.findIndex((value) => !inDomain2[domain](value));
    if (bad >= 0) return [bad, `${values[bad]}`];
    const length2 = shape.at(-1);
    if (length2 === void 0) return void 0;
    for (let row = 0; row < values.length; row += length2) {
      const part = values.subarray(row, row + length2);
      if (domain === "ordered" && part.some((x, i) => i > 0 && x <= part[i - 1])) {
        return [row, part.join(", ")];
      }
      const total2 = part.reduce((a, b) => a + b, 0);
      if (domain === "simplex" && Math.abs(total2 - 1) > 1e-6) return [row, `a sum of ${total2}`];
    }
    return void 0;
  }
  function checkGiven(g, { signature: signature2 }, request) {
    return [...request.given].flatMap(([name2, node]) => {
      const domain = signature2.domains[name2] ?? "real";
      const what = `${name2} of ${request.callee}`;
      return problemOf(g, domain, node, what, name2, request.rows);
    });
  }
  function checkCanonical(g, { parameters, signature: signature2 }, law, request) {
    const problems = parameters.flatMap((name2, i) => {
      const domain = signature2.domains[name2];
      if (request.given.has(name2) || !domain) return [];
      const what = `${name2} of ${request.callee}, which follows from its arguments`;
      return problemOf(g, domain, law.args[i], what, void 0, request.rows);
    });
    return problems.length > 0 ? problems.slice(0, 1) : checkBounds(g, parameters, law, request);
  }
  function problemOf(g, domain, node, what, argument2, rows) {
    const known5 = g.valueOf(node);
    const bad = known5 && firstOutside(domain, known5);
    if (!known5 || !bad) return [];
    const whole2 = known5.shape.length === 1 && (domain === "simplex" || domain === "ordered");
    const where2 = whole2 ? "" : position(known5.shape, bad[0], rows);
    const message = `Cannot use this ${what}: wanted ${wanted[domain]}, found ${bad[1]}${where2}`;
    return [{ code: "support/parameter", argument: argument2, message }];
  }
  function position(shape, flat4, rows) {
    if (shape.length === 0) return "";
    if (shape.length === 1) return shape[0] === rows ? ` in row ${flat4 + 1}` : ` at [${flat4}]`;
    const at = [];
    let rest = flat4;
    for (let i = shape.length - 1; i >= 0; i--) {
      at.unshift(rest % shape[i]);
      rest = Math.floor(rest / shape[i]);
    }
    return ` at [${at.join(", ")}]`;
  }
  function checkBounds(g, names2, { args }, { callee, given: given2 }) {
    if (!names2.includes("lower") || !names2.includes("upper")) return [];
    const lower2 = g.valueOf(args[names2.indexOf("lower")]);
    const upper = g.valueOf(args[names2.indexOf("upper")]);
    const shape = lower2 && upper && broadcastShapes(lower2.shape, upper.shape);
    if (!lower2 || !upper || !shape) return [];
    const [i, j] = [lower2, upper].map((side) => broadcastIndex(side.shape, shape));
    const bad = i.findIndex((at, k) => !(lower2.values[at] < upper.values[j[k]]));
    if (bad < 0) return [];
    const [a, b] = [lower2.values[i[bad]], upper.values[j[bad]]];
    const message = `Cannot use the bounds of ${callee}: lower is ${a}, upper is ${b}`;
    const argument2 = given2.has("lower") && given2.has("upper") ? void 0 : "lower";
    return [{ code: "support/bounds", argument: argument2, message, hint: "lower must be less than upper" }];
  }

  // src/lang/make_law.ts
  function makeLaw(g, asked2) {
    const request = rerouted(asked2);
    const definition = families[request.family];
    const form = chooseForm(definition, request);
    if ("code" in form) return { ok: false, problems: [form] };
    const problems = checkGiven(g, definition, request);
    if (problems.length > 0) return { ok: false, problems };
    const args = lifted(g, definition, canonicalArguments(g, definition, form, request));
    const structure = structureOf(g, request, args);
    if ("code" in structure) return { ok: false, problems: [structure] };
    const partial = { family: request.family, args, ...structure };
    const shape = shapeOfLaw(g, definition, partial, request);
    if ("code" in shape) return { ok: false, problems: [shape] };
    const law = withComponents(g, { ...partial, shape: shape.shape });
    if ("code" in law) return { ok: false, problems: [law] };
    const outside = checkCanonical(g, definition, law, request);
    return outside.length > 0 ? { ok: false, problems: outside } : { ok: true, law };
  }
  function lifted(g, { parameters, parameterRanks, signature: signature2 }, args) {
    const lengths = args.flatMap(
      (node, i) => parameterRanks[i] > 0 && g.shapeOf(node).length > 0 ? [g.shapeOf(node).at(-1) ?? 1] : []
    );
    const single = signature2.names.includes("AR") ? 1 : 0;
    const length2 = Math.max(single, ...lengths);
    return args.map((node, i) => {
      const number3 = parameterRanks[i] === 1 && g.shapeOf(node).length === 0;
      const free2 = signature2.domains[parameters[i]] === "real" || parameters[i] === "sigma";
      return number3 && free2 && length2 > 0 ? g.broadcast(node, [length2]) : node;
    });
  }
  function chooseForm(definition, request) {
    const { forms, defaults: defaults2 } = definition.signature;
    const { given: given2, callee } = request;
    const names2 = [...given2.keys()];
    const fitting = forms.filter((form) => names2.every((name2) => form.names.includes(name2)));
    const missing = (form) => form.names.filter((name2) => !names2.includes(name2) && !Object.hasOwn(defaults2, name2));
    const complete = fitting.find((form) => missing(form).length === 0);
    if (complete) return complete;
    const hint = `${callee} takes ${forms.map((form) => form.names.join(" and ")).join(", or ")}`;
    if (fitting.length === 0) {
      const message2 = `Cannot check ${callee}: ${names2.join(" and ")} do not go together`;
      return { code: "names/conflicting-arguments", message: message2, hint };
    }
    const least2 = fitting.map(missing).reduce((a, b) => b.length < a.length ? b : a);
    const message = `Cannot check ${callee}: missing ${least2.join(" and ")}`;
    return { code: "names/missing-argument", message, hint };
  }
  function canonicalArguments(g, definition, form, { given: given2 }) {
    const { defaults: defaults2 } = definition.signature;
    const entries2 = form.names.map(
      (name2) => [name2, given2.get(name2) ?? g.scalar(defaults2[name2])]
    );
    return form.canonical(g, Object.fromEntries(entries2));
  }
  function batchOf2(shape, rank) {
    return shape.slice(0, shape.length - rank);
  }
  function shapeOfLaw(g, definition, law, request) {
    const { callee } = request;
    const ranks = definition.parameterRanks;
    for (const [i, node] of law.args.entries()) {
      if (g.shapeOf(node).length >= ranks[i]) continue;
      const argument2 = writtenName(definition, request, definition.parameters[i]);
      const wanted2 = ranks[i] === 1 ? "a vector" : "a matrix";
      const message = `Cannot use this ${argument2} of ${callee}: wanted ${wanted2}, found ` + describeShape(g.shapeOf(node));
      return { code: "shapes/parameter", argument: argument2, message };
    }
    const batches = law.args.map((node, i) => batchOf2(g.shapeOf(node), ranks[i]));
    if (definition.support === "components") batches.push(...componentBatches(g, law));
    const batch2 = broadcastShapes(...batches);
    if (!batch2) return unbroadcast(definition, batches, callee);
    const event = eventShape(g, definition, law, request);
    if (request.shape) return fitShape(request, batch2, event);
    if (request.size && `${broadcastShapes(batch2, request.size)}` !== `${request.size}`) {
      return misfit(request, request.size, batch2);
    }
    if (event.some((extent) => !(extent > 0))) return openEvent(request);
    return { shape: [...request.size ?? batch2, ...event] };
  }
  function writtenName({ signature: signature2 }, { given: given2 }, name2) {
    if (given2.has(name2)) return name2;
    const domain = signature2.domains[name2];
    return [...given2.keys()].find((key) => signature2.domains[key] === domain) ?? name2;
  }
  function unbroadcast({ parameters }, batches, callee) {
    const found = batches.map(
      (shape, i) => `${parameters[i] ?? "component"} ${describeShape(shape)}`
    );
    const message = `Cannot check ${callee}: its arguments do not broadcast (${found.join(", ")})`;
    return { code: "shapes/broadcast", message, hint: "shapes are compared from the last axis" };
  }
  function eventShape(g, definition, law, { shape, sizes }) {
    const rank = eventRankOf(law);
    if (rank === 0 || definition.support === "components") {
      return rank === 0 ? [] : law.components?.[0].shape.slice(-rank) ?? [];
    }
    const known5 = definition.eventShape?.(g, law);
    if (known5) return known5;
    const steps = sizes?.get("steps");
    if (steps !== void 0) return [steps + (law.sizes?.[0] ?? 1)];
    return shape && shape.length >= rank ? shape.slice(-rank) : new Array(rank).fill(0);
  }
  function openEvent({ callee }) {
    const message = `Cannot check ${callee}: it does not say how long it is`;
    return { code: "shapes/variable", message, hint: "write shape=n or dims=" };
  }
  function fitShape(request, batch2, event) {
    const { shape = [] } = request;
    const asked2 = batchOf2(shape, event.length);
    const found = [...batch2, ...event];
    const fits = shape.length >= event.length && `${shape.slice(asked2.length)}` === `${event}` && `${broadcastShapes(batch2, asked2)}` === `${asked2}`;
    return fits ? { shape } : misfit(request, shape, found);
  }
  function misfit({ callee }, asked2, found) {
    const message = `Cannot give ${callee} ${describeShape(asked2)}: its arguments have ` + describeShape(found);
    const hint = found.length === 0 ? void 0 : "the arguments must broadcast to the shape";
    return { code: "shapes/variable", argument: "shape", message, hint };
  }

  // src/lang/response_support.ts
  function outsideSupport(checking, column, law) {
    const outside = outsideTest(checking, law);
    const inner = column.values.length / Math.max(1, checking.dataset.rows);
    const found = column.values.findIndex((y, i) => !Number.isFinite(y) || outside(y, i));
    return found < 0 ? void 0 : Math.floor(found / inner);
  }
  var densityAtZero = /* @__PURE__ */ new Set([
    "half_normal",
    "half_student_t",
    "half_cauchy",
    "exponential",
    "chi_squared",
    "hurdle_gamma",
    "hurdle_log_normal"
  ]);
  function outsideTest(checking, law) {
    const whole2 = (y) => !Number.isInteger(y);
    switch (families[law.family].support) {
      case "positive":
        return densityAtZero.has(law.family) ? (y) => y < 0 : (y) => y <= 0;
      case "non_negative":
        return (y) => y < 0;
      case "unit":
        return (y) => y < 0 || y > 1;
      case "open_unit":
        return (y) => y <= 0 || y >= 1;
      case "interval":
        return outsideInterval(checking, law);
      case "count":
        return law.family === "geometric" ? (y) => whole2(y, 0) || y < 1 : (y) => whole2(y, 0) || y < 0;
      case "binary":
        return (y) => y !== 0 && y !== 1;
      case "bounded_count":
      case "code":
        return outsideCount(checking, law);
      case "count_vector":
        return (y) => whole2(y, 0) || y < 0;
      case "components":
        return outsideComponents(checking, law);
      default:
        return () => false;
    }
  }
  function outsideComponents(checking, law) {
    const axis = law.components?.find(({ shape }) => shape.length > law.shape.length);
    if (axis || !law.components) return () => false;
    const inside = law.components.map((component) => outsideTest(checking, component));
    const bounds2 = outsideInterval(checking, law);
    const censored2 = law.family === "censored";
    const atBound = (y, i) => {
      const [lower2, upper] = ["lower", "upper"].map(
        (name2) => parameterAt(checking, law, name2, law.shape)
      );
      return y === lower2?.(i) || y === upper?.(i);
    };
    return (y, i) => law.family !== "mixture" && bounds2(y, i) || inside.every((outside) => outside(y, i)) && !(censored2 && atBound(y, i));
  }
  function parameterAt(checking, law, name2, shape) {
    const i = families[law.family].parameters.indexOf(name2);
    const known5 = i < 0 ? void 0 : checking.graph.valueOf(law.args[i]);
    if (!known5 || families[law.family].parameterRanks[i] > 0) return void 0;
    const index = broadcastIndex(known5.shape, shape);
    return (at) => known5.values[index[at]];
  }
  function outsideInterval(checking, law) {
    const lower2 = parameterAt(checking, law, "lower", law.shape);
    const upper = parameterAt(checking, law, "upper", law.shape);
    const discrete = families[law.family].discrete;
    return (y, i) => discrete && !Number.isInteger(y) || lower2 !== void 0 && y < lower2(i) || upper !== void 0 && y > upper(i);
  }
  function outsideCount(checking, law) {
    const most2 = parameterAt(checking, law, "n", law.shape);
    const codes3 = codeCount(checking, law);
    return (y, i) => !Number.isInteger(y) || y < 0 || most2 !== void 0 && y > most2(i) || codes3 !== void 0 && y >= codes3;
  }
  function codeCount(checking, law) {
    const { parameters, parameterRanks, support } = families[law.family];
    if (support !== "code") return void 0;
    const i = parameterRanks.findIndex((rank) => rank === 1);
    const length2 = i < 0 ? void 0 : checking.graph.shapeOf(law.args[i]).at(-1);
    if (length2 === void 0) return void 0;
    return parameters[i] === "cutpoints" ? length2 + 1 : length2;
  }

  // src/lang/variable_arguments.ts
  var optionNames = /* @__PURE__ */ new Set([
    "observed",
    "shape",
    "size",
    "dims",
    "transform",
    "default_transform",
    "compute_corr"
  ]);
  var silentNames2 = /* @__PURE__ */ new Set([
    "initval",
    "rng",
    "random_seed",
    "dtype",
    "method",
    "store_in_trace"
  ]);
  function sortArguments(checking, args, family, named2) {
    const before = checking.findings.errors;
    const { signature: signature2 } = families[family];
    const given2 = /* @__PURE__ */ new Map();
    const options = /* @__PURE__ */ new Map();
    const order = named2 ? ["name", ...signature2.positional] : signature2.positional;
    let name2;
    for (const [i, argument2] of args.positional.entries()) {
      const parameter2 = order[i];
      if (parameter2 === "name" && named2 && i === 0) name2 = argument2;
      else if (parameter2 === void 0) refuseSurplus(checking, args, signature2, named2, argument2);
      else {
        warnKeyword(checking, args, signature2, parameter2, argument2);
        given2.set(parameter2, argument2);
      }
    }
    for (const [id, argument2] of args.keywords) {
      if (id === "name" && named2 && !name2) name2 = argument2;
      else placeKeyword(checking, args, families[family], id, argument2, given2, options);
    }
    for (const [id, { value }] of given2) if (value.kind === "none") given2.delete(id);
    return checking.findings.errors > before ? void 0 : { name: name2, options, given: given2 };
  }
  function refuseSurplus(checking, { call: call2 }, { positional }, named2, argument2) {
    const most2 = positional.length + (named2 ? 1 : 0);
    const callee = checking.text(call2.callee);
    const message = `Cannot check ${callee}: more than ${most2} positional arguments`;
    const hint = `positions: ${[...named2 ? ["name"] : [], ...positional].join(", ")}`;
    checking.error("names/too-many-arguments", message, argument2.place, hint);
  }
  function warnKeyword(checking, { call: call2 }, { keywordSince }, parameter2, { place: place3 }) {
    if (!keywordSince?.includes(parameter2)) return;
    const callee = checking.text(call2.callee);
    const message = `PyMC 5.28 takes ${parameter2} of ${callee} by keyword only`;
    checking.findings.warning("names/keyword-only", message, place3, `write ${parameter2}=`);
  }
  function placeKeyword(checking, args, { signature: signature2 }, id, argument2, given2, options) {
    const parameters = [...signature2.positional, ...signature2.keywordOnly ?? []];
    const place3 = argument2.keyword ?? argument2.place;
    if (given2.has(id) || id === "name") {
      const message = `Cannot check ${checking.text(args.call.callee)}: ${id} is given twice`;
      const hint = `leave the keyword out: the position of ${id} is taken`;
      checking.error("names/repeated-argument", message, place3, hint);
    } else if (parameters.includes(id)) given2.set(id, argument2);
    else if (id === "compute_p") return;
    else if (optionNames.has(id)) options.set(id, argument2);
    else if (silentNames2.has(id)) {
      if (argument2.value.kind === "derived") argument2.value.reported = true;
      const message = `${id}= has no effect: inference belongs to the host`;
      checking.findings.note("notes/inference-ignored", message, place3);
    } else refuseKeyword(checking, args, id, place3, parameters);
  }
  function refuseKeyword(checking, { call: call2 }, id, place3, parameters) {
    const callee = checking.text(call2.callee);
    const report = (code2, why, hint) => checking.error(code2, `Cannot use ${id}= in ${callee}: ${why}`, place3, hint);
    if (id === "logp" || id === "dist" || id === "logcdf" || id === "random") {
      const why = "a density of the program's own need not be normalised";
      report("lh/custom-density", why, `leave ${id}= out`);
    } else if (id === "total_size") {
      report("lh/rescaled-likelihood", "every row counts once", `leave ${id}= out`);
    } else if (id === "sd" && parameters.includes("sigma")) {
      report("names/unknown-argument", "PyMC calls it sigma since version 4", "write sigma=");
    } else if (id === "testval") {
      report("names/unknown-argument", "PyMC calls it initval since version 4", "leave testval= out");
    } else {
      const hint = knownNames(id, "parameters", [...parameters, "observed", "shape", "dims"]);
      report("names/unknown-argument", "no such parameter", hint);
    }
  }
  function requestOf(checking, args, family, given2) {
    const { domains } = families[family].signature;
    const numbers2 = /* @__PURE__ */ new Map();
    const laws = /* @__PURE__ */ new Map();
    const sizes = /* @__PURE__ */ new Map();
    let fine = true;
    for (const [name2, { value, place: place3 }] of given2) {
      if (domains[name2] === "law") {
        const found = lawsOf(checking, value, place3, name2);
        if (found) laws.set(name2, found);
        else fine = false;
      } else if (domains[name2] === "size") {
        const found = wholeNumber(checking, value, place3, name2);
        if (found !== void 0) sizes.set(name2, found);
        else fine = false;
      } else {
        const found = numeric(checking, value, place3, name2);
        if (found) numbers2.set(name2, found.node);
        else fine = false;
      }
    }
    if (!fine) return void 0;
    const callee = checking.text(args.call.callee);
    return { family, callee, given: numbers2, laws, sizes, rows: checking.dataset.rows };
  }
  function lawsOf(checking, value, place3, name2) {
    const items = value.kind === "sequence" ? value.items : [value];
    const laws = [];
    for (const item2 of items) {
      if (item2.kind === "law") laws.push(item2.law);
      else if (item2.kind === "invalid") return void 0;
      else {
        const found = item2.kind === "numeric" && item2.origin === "tensor" ? "a random variable" : describeValue(item2);
        const message = `Cannot use ${found} as ${name2}: wanted a distribution`;
        const hint = "write pm.Normal.dist(...), without a name";
        checking.error("names/wrong-kind", message, place3, hint);
        return void 0;
      }
    }
    return laws;
  }
  function lawOf(checking, args, request, given2, shapePlace) {
    const made = makeLaw(checking.graph, request);
    if (made.ok) return made.law;
    for (const problem of made.problems) {
      checking.error(
        problem.code,
        problem.message,
        placeOf(args, problem, given2, shapePlace),
        problem.hint
      );
    }
    return void 0;
  }
  function placeOf({ call: call2 }, { argument: argument2 }, given2, shapePlace) {
    if (argument2 === "shape" && shapePlace) return shapePlace;
    return (argument2 === void 0 ? void 0 : given2.get(argument2)?.place) ?? call2;
  }

  // src/lang/likelihood.ts
  function checkLikelihood(checking, args, family) {
    const before = checking.findings.errors;
    const observed = args.keywords.get("observed");
    const column = observed && checkObserved(checking, observed);
    const sorted2 = sortArguments(checking, args, family, true);
    const name2 = variableName(checking, args, sorted2?.name);
    const law = sorted2 && likelihoodLaw(checking, args, family, sorted2);
    if (name2 === void 0 || !sorted2 || !law || !column) return invalid;
    checkResponse(checking, args, column, law);
    nameRows(checking, sorted2);
    if (checking.findings.errors > before) return invalid;
    checking.likelihood = { name: name2, column: column.name, law };
    return { kind: "observed", name: name2 };
  }
  function checkObserved(checking, { value, place: place3 }) {
    if (value.kind === "response") return checking.response;
    if (value.kind === "invalid") return void 0;
    if (value.kind === "derived") value.reported = true;
    const found = value.kind === "numeric" ? describeNumeric(checking, value.node) : void 0;
    const wanted2 = checking.response?.name;
    const message = `Cannot observe ${found ?? describeValue(value)}: wanted ` + (wanted2 === void 0 ? "a response, which the data lack" : `the response, whole and unchanged`);
    const hint = wanted2 === void 0 ? 'give one column of the data the role "response"' : `write observed=data["${wanted2}"]`;
    checking.error("lh/observed-not-canonical", message, place3, hint);
    return void 0;
  }
  function describeNumeric(checking, node) {
    const found = checking.graph.nodes[node];
    if (found.kind === "column") return `the column "${found.column}"`;
    return found.shape.length > 0 ? "an expression" : void 0;
  }
  function likelihoodLaw(checking, args, family, { given: given2, options }) {
    const asked2 = requestOf(checking, args, family, given2);
    if (!asked2 || !checkAsked(checking, args, options)) return void 0;
    const natural = naturalLaw(checking, args, asked2, given2);
    const whole2 = natural && coverRows(checking, args, natural);
    return whole2 && sumOut(checking, whole2);
  }
  function naturalLaw(checking, args, request, given2) {
    const { graph, responseShape: shape } = checking;
    const { eventRank, eventShape: eventShape2 } = families[request.family];
    const open2 = eventRank > 0 && !eventShape2;
    const whole2 = { ...request, shape };
    if (open2) return lawOf(checking, args, whole2, given2);
    const free2 = makeLaw(graph, request);
    const fits = free2.ok && broadcastsTo2(free2.law, shape);
    return lawOf(checking, args, fits ? whole2 : request, given2);
  }
  function broadcastsTo2(law, shape) {
    const event = eventRankOf(law);
    const sameEvent = `${law.shape.slice(law.shape.length - event)}` === `${shape.slice(shape.length - event)}`;
    return sameEvent && `${broadcastShapes(law.shape, shape)}` === `${shape}`;
  }
  function coverRows(checking, args, law) {
    const { responseShape } = checking;
    if (`${law.shape}` === `${responseShape}`) return law;
    const name2 = checking.response?.name ?? "the response";
    const callee = checking.text(args.call.callee);
    const message = `Cannot score "${name2}" with ${callee}: the response has ${describeShape(responseShape)}, the distribution ${describeShape(law.shape)}`;
    const hint = law.shape.length > responseShape.length ? "each datum is scored once: leave [:, None] out, or sum over the other axis" : "each datum is scored once: give one parameter for each row, or one for all";
    checking.error("shapes/likelihood", message, args.call, hint);
    return void 0;
  }
  function checkAsked(checking, args, options) {
    const given2 = options.get("shape") ?? options.get("size");
    if (!given2 || given2.value.kind === "none") return true;
    const site = { checking, place: args.call, text: checking.text(args.call.callee) };
    const shape = shapeArgument(site, given2);
    if (!shape) return false;
    const { responseShape } = checking;
    if (`${shape}` === `${responseShape}`) return true;
    const message = `Cannot give the likelihood ${describeShape(shape)}: the response has ` + describeShape(responseShape);
    checking.error("shapes/likelihood", message, given2.place, "leave shape= out");
    return false;
  }
  function nameRows(checking, { options }) {
    const dims = options.get("dims");
    if (!dims || dims.value.kind === "none") return;
    const names2 = dimsArgument(checking, dims);
    if (names2) nameAxes(checking, names2, checking.responseShape, dims.place, false);
  }
  function checkResponse(checking, args, column, law) {
    const callee = checking.text(args.call.callee);
    const place3 = args.call.callee;
    if (law.family === "zero_sum_normal") {
      const message2 = `Cannot observe ${callee}: data do not sum to zero by construction`;
      checking.error("unsupported/likelihood", message2, place3, "write pm.Normal");
      return;
    }
    if (!families[law.family].proper) {
      const message2 = `Cannot use ${callee}: an improper law has no total mass`;
      checking.error("lh/improper-prior", message2, place3, "write a proper distribution");
      return;
    }
    if (column.type !== "real" && !isDiscrete(law) && column.resolution === void 0) {
      refuseDensity(checking, args, column);
      return;
    }
    const event = eventRankOf(law);
    if (event > 0 && law.shape.length === event) {
      const message2 = `Cannot score "${column.name}" with ${callee}: all rows would be one datum`;
      const hint2 = "give the vector a name of its own and each row a likelihood given it";
      checking.error("lh/joint-likelihood", message2, place3, hint2);
      return;
    }
    if (column.values.length === 0) {
      const message2 = `Cannot score "${column.name}": the data have no rows`;
      checking.error("data/no-rows", message2, place3);
      return;
    }
    const outside = outsideSupport(checking, column, law);
    if (outside === void 0) return;
    const message = `Cannot score "${column.name}" with ${callee}: it gives no ${isDiscrete(law) ? "mass" : "density"} to row ${outside + 1}`;
    const hint = `choose a distribution whose support holds all values of "${column.name}"`;
    checking.error("support/response", message, place3, hint);
  }
  var massFunctions = {
    count: "pm.Poisson or pm.NegativeBinomial",
    binary: "pm.Bernoulli",
    category: "pm.Categorical"
  };
  function refuseDensity(checking, { call: call2 }, { name: name2, type }) {
    const message = `Cannot score "${name2}" with ${checking.text(call2.callee)}: its type is ${type}, and a density is no probability`;
    const hint = `write ${massFunctions[type]}, or give the column a resolution: densities are then capped by it`;
    checking.error("lh/density-of-counts", message, call2.callee, hint);
  }

  // src/lang/variable_names.ts
  var pattern = /^[\p{ID_Start}_](?:[\p{ID_Continue} .,()-]{0,62}[\p{ID_Continue})])?$/u;
  function textArgument(checking, { value, place: place3 }, owner) {
    if (value.kind === "text") return value.value;
    if (value.kind === "invalid") return void 0;
    if (touchesResponse(value)) {
      checking.refuseResponse(value, place3);
      return void 0;
    }
    const message = `Cannot name ${owner}: wanted a string, found ${describeValue(value)}`;
    checking.error("names/variable-name", message, place3, `write ${owner}("name", ...)`);
    return void 0;
  }
  function declareVariable(checking, name2, place3) {
    const { variables, source } = checking;
    const first2 = variables.get(name2);
    if (first2) {
      const line = source.lineOf(first2.start);
      const message = `Cannot name a variable "${name2}": line ${line} has one of that name`;
      checking.error("lh/duplicate-name", message, place3, "choose another name");
    } else if (isReservedName(name2)) {
      const message = `Cannot name a variable "${name2}": the name is reserved for results`;
      checking.error("lh/reserved-name", message, place3, "choose another name");
    } else if (!pattern.test(name2)) {
      const message = `Cannot name a variable ${JSON.stringify(name2.slice(0, 64))}`;
      const hint = "use up to 64 letters, digits, underscores, blanks and .,()-, beginning with a letter";
      checking.error("names/variable-name", message, place3, hint);
    } else {
      variables.set(name2, place3);
      return true;
    }
    return false;
  }

  // src/lang/variables.ts
  function checkVariable(checking, call2, family) {
    const observed = isObserved(call2);
    if (observed) noteObserved(checking, call2);
    if (!insideModel(checking, call2)) return invalid;
    const args = evaluateArguments(checking, call2);
    return args ? variableOf2(checking, args, family, observed) : claimName(checking, call2);
  }
  function variableOf2(checking, args, family, observed) {
    if (observed) return checkLikelihood(checking, args, family);
    const sorted2 = sortArguments(checking, args, family, true);
    const name2 = variableName(checking, args, sorted2?.name);
    if (!sorted2 || name2 === void 0) return invalid;
    checking.priorMode ??= sorted2.options.get("observed")?.place;
    const law = priorLaw(checking, args, family, sorted2);
    return law ? addParameter(checking, args, name2, law, sorted2) : invalid;
  }
  function isObserved(call2) {
    return call2.arguments.some(
      ({ keyword: keyword2, value }) => keyword2?.id === "observed" && !(value.kind === "constant" && value.value === "None")
    );
  }
  function noteObserved(checking, call2) {
    if (checking.observedSeen) {
      const message = "Cannot observe a second variable: the response is scored exactly once";
      checking.error("lh/duplicate-observation", message, call2, "keep one variable with observed=");
    }
    checking.observedSeen = true;
  }
  function claimName(checking, call2) {
    const [first2] = call2.arguments;
    if (first2?.form === "positional" && first2.value.kind === "string") {
      declareVariable(checking, first2.value.value, first2);
    }
    return invalid;
  }
  function insideModel(checking, call2) {
    if (checking.inModel) return true;
    const callee = checking.text(call2.callee);
    const message = `Cannot make a variable with ${callee}: it stands outside of the model`;
    const hint = "indent it under `with pm.Model() as model:`";
    checking.error("names/no-model", message, call2, hint);
    return false;
  }
  function variableName(checking, args, given2) {
    const callee = checking.text(args.call.callee);
    const found = given2 ?? args.positional[0] ?? args.keywords.get("name");
    if (!found) {
      const message = `Cannot check ${callee}: the variable has no name`;
      checking.error("names/missing-argument", message, args.call, `write ${callee}("name", ...)`);
      return void 0;
    }
    const name2 = textArgument(checking, found, callee);
    return name2 !== void 0 && declareVariable(checking, name2, found.place) ? name2 : void 0;
  }
  function checkDist(checking, call2, family) {
    const args = evaluateArguments(checking, call2);
    return args ? lawValue(checking, args, family) : invalid;
  }
  function lawValue(checking, args, family) {
    const sorted2 = sortArguments(checking, args, family, false);
    const law = sorted2 && priorLaw(checking, args, family, sorted2);
    return law ? { kind: "law", law, place: args.call } : invalid;
  }
  function askedShape(checking, args, { options }) {
    const site = { checking, place: args.call, text: checking.text(args.call.callee) };
    const [shape, size, dims] = ["shape", "size", "dims"].map((name2) => options.get(name2));
    const asked2 = {};
    if (shape && shape.value.kind !== "none") asked2.shape = askedExtents(site, shape);
    if (size && size.value.kind !== "none") asked2.size = askedExtents(site, size);
    const failed2 = shape && shape.value.kind !== "none" && !asked2.shape || size && size.value.kind !== "none" && !asked2.size;
    if (failed2) return void 0;
    if (!dims || dims.value.kind === "none" || asked2.shape) return asked2;
    const names2 = dimsArgument(checking, dims);
    const named2 = names2 && shapeOfDims(checking, names2, dims.place);
    return named2 && { ...asked2, shape: named2 };
  }
  function askedExtents(site, given2) {
    const { value, place: place3 } = given2;
    if (value.kind === "numeric" && (value.origin === "numpy" || value.origin === "series")) {
      const message2 = "PyMC 5.28 takes no integers of NumPy as a shape";
      site.checking.findings.warning("names/not-in-pymc", message2, place3, "write int(...) around it");
    }
    const shape = shapeArgument(site, given2);
    const bad = shape?.find((extent) => extent < 1);
    if (bad === void 0) return shape;
    const message = `Cannot use the shape (${shape?.join(", ")}): wanted whole numbers from 1`;
    return void site.checking.error("shapes/shape", message, given2.place);
  }
  function priorLaw(checking, args, family, sorted2) {
    const { given: given2, options } = sorted2;
    const request = requestOf(checking, args, family, given2);
    const asked2 = askedShape(checking, args, sorted2);
    if (!request || !asked2) return void 0;
    const place3 = (options.get("shape") ?? options.get("dims") ?? options.get("size"))?.place;
    return lawOf(checking, args, { ...request, ...asked2 }, given2, place3);
  }
  function addParameter(checking, args, name2, prior, sorted2) {
    const { call: call2 } = args;
    const definition = families[prior.family];
    const callee = checking.text(call2.callee);
    if (!definition.proper) {
      const message = `Cannot use ${callee}: an improper prior has no total mass`;
      return checking.error("lh/improper-prior", message, call2.callee, "write a wide pm.Normal");
    }
    if (isDiscrete(prior) && isPerDatum(checking, prior)) {
      const latent = addLatent(checking, args, name2, prior);
      checking.named.set(name2, latent);
      return latent;
    }
    if (refuseUse(checking, lawNodes(prior), `the prior of "${name2}"`)) return invalid;
    const transform = isDiscrete(prior) ? summed(checking, args, name2, prior) : transformFor(checking, args, prior, sorted2.options);
    const dims = namedAxes(checking, sorted2, prior.shape);
    if (!transform || dims === void 0) return invalid;
    const index = checking.parameters.length;
    checking.parameterElements += sizeOf(prior.shape);
    if (index >= limits.randomVariables || checking.parameterElements > limits.parameterElements) {
      const most2 = index >= limits.randomVariables ? `${limits.randomVariables} in one program` : `${limits.parameterElements} elements in one program`;
      return checking.error("limit/variables", `Cannot add a variable: more than ${most2}`, call2);
    }
    checking.allocate(sizeOf(prior.shape), call2);
    checking.parameters.push({
      name: name2,
      shape: prior.shape,
      ...dims.length > 0 ? { dims } : {},
      prior,
      transform
    });
    checking.parameterPlaces.push(call2.callee);
    const node = checking.graph.parameter(index, prior.shape);
    const dtype = isDiscrete(prior) ? "int" : "float";
    const value = { kind: "numeric", node, dtype, origin: "tensor" };
    const made = structuredValue(checking, prior, value, sorted2.given);
    checking.named.set(name2, value);
    return made;
  }
  function summed(checking, { call: call2 }, name2, prior) {
    const found = finiteValues(checking.graph, prior);
    if (!found || families[prior.family].eventRank > 0) {
      const why = `${checking.text(call2.callee)} has no finite list of values known before sampling`;
      refuseLatent(checking, name2, call2.callee, why);
      return void 0;
    }
    return found;
  }
  function namedAxes(checking, { options }, shape) {
    const dims = options.get("dims");
    if (!dims || dims.value.kind === "none") return [];
    const names2 = dimsArgument(checking, dims);
    if (!names2 || !nameAxes(checking, names2, shape, dims.place, false)) return void 0;
    return names2;
  }
  function checkDeterministic(checking, call2) {
    if (!insideModel(checking, call2)) return invalid;
    const args = evaluateArguments(checking, call2);
    const text = checking.text(call2.callee);
    const bound = args && bind(checking, args, text, {
      names: ["name", "var", "model", "dims"],
      required: 2,
      ignored: ["auto"]
    });
    const [label2, expression2] = [bound?.get("name"), bound?.get("var")];
    if (!args || !bound || !label2 || !expression2) return args ? invalid : claimName(checking, call2);
    const name2 = textArgument(checking, label2, text);
    const declared = name2 !== void 0 && declareVariable(checking, name2, label2.place);
    if (anyTouchesResponse([expression2])) return checking.derive(call2, expression2.value);
    const value = numeric(checking, expression2.value, expression2.place, text);
    if (!value || !declared) return invalid;
    if (checking.graph.isHost(value.node) && value.origin !== "tensor") {
      const message = `PyMC refuses pm.Deterministic("${name2}", ...) of data alone`;
      checking.findings.warning("names/not-in-pymc", message, call2, "wrap the column in pm.Data");
    }
    const shape = checking.graph.shapeOf(value.node);
    const given2 = bound.get("dims");
    const dims = given2 && given2.value.kind !== "none" ? dimsArgument(checking, given2) : [];
    if (!dims || given2 && dims.length > 0 && !nameAxes(checking, dims, shape, given2.place, false)) {
      return invalid;
    }
    if (refuseUse(checking, [value.node], `"${name2}"`)) return invalid;
    checking.deterministics.push({ name: name2, node: value.node, ...dims.length > 0 ? { dims } : {} });
    const result = { ...value, origin: "tensor" };
    checking.named.set(name2, result);
    return result;
  }

  // src/lang/pymc.ts
  var plainFunctions = /* @__PURE__ */ new Set(["invlogit", "logit", "expand_packed_triangular"]);
  function callPymc(checking, call2, name2) {
    if (plainFunctions.has(name2)) return void 0;
    const family = familyOf(name2);
    if (family) return checkVariable(checking, call2, family);
    if (name2 === "Deterministic") return checkDeterministic(checking, call2);
    if (dataContainers.has(name2)) return callData(checking, call2, name2);
    if (name2 === "Model") return openModel(checking, call2);
    if (name2 === "modelcontext") return { kind: "model" };
    if (inference.has(name2)) return callInference(checking, call2, name2);
    if (isSilentName(name2)) return ignored;
    return refusePymc(checking, call2, name2);
  }
  function callDist(checking, call2, name2) {
    const family = familyOf(name2);
    return family ? checkDist(checking, call2, family) : refusePymc(checking, call2, name2);
  }
  function refusePymc(checking, call2, name2) {
    const message = `Cannot use pm.${name2}`;
    if (call2.arguments.some(({ keyword: keyword2 }) => keyword2?.id === "observed")) {
      checking.observedSeen = true;
    }
    checking.excused ||= mentionsResponse(checking, call2);
    if (name2 === "Potential") {
      const why = "a potential changes the posterior without being scored";
      const hint2 = "write it as a prior or into the likelihood: transform=pm.distributions.transforms.ordered for an order, pm.Censored for censored data";
      return checking.error("lh/potential", `${message}: ${why}`, call2.callee, hint2);
    }
    if (customDensities.has(name2)) {
      const why = "a density of the program's own need not be normalised";
      const hint2 = "choose a built-in distribution";
      return checking.error("lh/custom-density", `${message}: ${why}`, call2.callee, hint2);
    }
    if (name2 === "set_data") {
      const hint2 = "leave it out: the data belong to the host";
      return checking.error(
        "lh/changed-data",
        `${message}: it would change the data`,
        call2.callee,
        hint2
      );
    }
    if (Object.hasOwn(replacements, name2)) {
      const hint2 = replacements[name2];
      return checking.error(
        "unsupported/function",
        `${message}: not in the subset`,
        call2.callee,
        hint2
      );
    }
    const hint = knownNames(name2, "known", [...distributionNames, ...pmNames]);
    const unknown2 = `${message}: no such name in the subset`;
    return checking.error("names/unknown-function", unknown2, call2.callee, hint);
  }
  function callData(checking, call2, name2) {
    const text = `pm.${name2}`;
    if (name2 !== "Data") {
      const message = `PyMC 5.28 has no ${text}`;
      checking.findings.warning("names/not-in-pymc", message, call2.callee, "write pm.Data");
    }
    const args = evaluateArguments(checking, call2);
    const bound = args && bind(checking, args, text, {
      names: ["name", "value", "dims", "coords", "export_index_as_coords"],
      required: 2,
      keywordOnly: ["mutable", "infer_dims_and_coords"]
    });
    const [label2, given2] = [bound?.get("name"), bound?.get("value")];
    if (!bound || !label2 || !given2) return invalid;
    const title = textArgument(checking, label2, text);
    if (title === void 0 || !declareVariable(checking, title, label2.place)) return invalid;
    const coords = bound.get("coords");
    if (coords) setCoordinates(checking, coords);
    const found = given2.value;
    if (found.kind === "derived") return found;
    const whole2 = found.kind === "response";
    const number3 = whole2 ? void 0 : numeric(checking, found, given2.place, text);
    if (!whole2 && !number3) return invalid;
    if (number3 && !checking.graph.isHost(number3.node)) {
      const message = `Cannot put a random variable into ${text}: wanted data`;
      return checking.error("names/wrong-kind", message, given2.place, "write pm.Deterministic");
    }
    const shape = number3 ? checking.graph.shapeOf(number3.node) : checking.responseShape;
    const dims = bound.get("dims");
    if (dims && dims.value.kind !== "none") {
      const names2 = dimsArgument(checking, dims);
      if (!names2 || !nameAxes(checking, names2, shape, dims.place, true)) return invalid;
    }
    const value = number3 ? { ...number3, origin: "tensor" } : found;
    checking.named.set(title, value);
    return value;
  }
  function callInference(checking, call2, name2) {
    const pending = call2.arguments.map((argument2) => argument2.value);
    for (let e = pending.pop(); e; e = pending.pop()) {
      if (e.kind === "call" && changesModel(checking, e)) {
        const message2 = `Cannot call ${checking.text(e.callee)} inside of pm.${name2}`;
        return checking.error("unsupported/argument", message2, e, "leave the argument out");
      }
      pending.push(...children(e));
    }
    const message = `pm.${name2} has no effect: inference and its settings belong to the host`;
    checking.findings.note("notes/inference-ignored", message, call2);
    return ignored;
  }
  function changesModel(checking, { callee }) {
    if (callee.kind === "name") return checking.scope.get(callee.id)?.kind === "function";
    if (callee.kind !== "attribute") return true;
    const { object, name: name2 } = callee;
    const module = object.kind === "name" ? checking.scope.get(object.id) : void 0;
    if (module?.kind !== "module" || module.module !== "pm") return false;
    return !isSilentName(name2.id) && !inference.has(name2.id);
  }
  function callTransform(checking, call2, name2) {
    const args = evaluateArguments(checking, call2);
    if (!args) return invalid;
    if (name2 === "Interval" || name2 === "interval") {
      const names2 = ["lower", "upper"];
      const bound = bind(checking, args, name2, { names: names2, required: 0 });
      if (!bound) return invalid;
      const nodes = names2.map((side, i) => {
        const given2 = bound.get(side);
        if (!given2 || given2.value.kind === "none") {
          return checking.graph.scalar(i === 0 ? -Infinity : Infinity);
        }
        return numeric(checking, given2.value, given2.place, name2)?.node;
      });
      const [lower3, upper] = nodes;
      if (lower3 === void 0 || upper === void 0) return invalid;
      return { kind: "transform", name: name2, bounds: [lower3, upper] };
    }
    const lower2 = name2.toLowerCase();
    if ([
      "ordered",
      "logodds",
      "simplex",
      "circular",
      "log",
      "logtransform",
      "simplextransform",
      "circulartransform",
      "logoddstransform"
    ].includes(lower2)) {
      return { kind: "transform", name: lower2.replace("transform", "") };
    }
    const message = `Cannot use the transform ${name2}: not in the subset`;
    const hint = knownNames(name2, "transforms", transformNames);
    return checking.error("unsupported/transform", message, call2.callee, hint);
  }

  // src/lang/methods.ts
  function callMethod(checking, call2, method) {
    const { object, name: name2 } = method;
    if (object.kind === "builtin") return callDist(checking, call2, object.name);
    if (object.kind === "model" && isSilent(name2)) return ignored;
    const changed = setPart(checking, call2, object, name2);
    if (changed) return changed;
    const args = evaluateArguments(checking, call2);
    if (!args) return invalid;
    switch (object.kind) {
      case "response":
        return responseMethod(checking, args, object, name2);
      case "derived":
      case "observed":
        return checking.derive(call2, object);
      case "numeric":
        return arrayMethod(checking, args, object, name2);
      case "sequence":
        return sequenceMethod(checking, args, object, name2);
      case "dictionary":
        return dictionaryMethod(checking, args, object.entries, name2);
      case "data":
        return dataMethod(checking, args, name2);
      case "model":
        return modelMethod(checking, args, name2);
      default:
        return refuse3(checking, args, `methods of ${describeValue(object)} are not in the subset`);
    }
  }
  function refuse3(checking, { call: call2 }, why, hint) {
    const place3 = call2.callee.kind === "attribute" ? call2.callee.name : call2.callee;
    const message = `Cannot call ${checking.text(call2.callee)}: ${why}`;
    return checking.error("unsupported/function", message, place3, hint);
  }
  var keeping = /* @__PURE__ */ new Set(["to_numpy", "copy", "flatten", "ravel", "squeeze", "reset_index"]);
  var harmless = /* @__PURE__ */ new Set(["copy", "deep", "order", "drop"]);
  function responseMethod(checking, args, object, name2) {
    const plain3 = args.positional.length === 0 && [...args.keywords.keys()].every((keyword2) => harmless.has(keyword2));
    if (plain3 && keeping.has(name2) && checking.responseShape.length <= 1) return object;
    if (plain3 && (name2 === "to_numpy" || name2 === "copy")) return object;
    if (name2 === "astype") {
      const type = args.positional[0]?.value;
      const text = type?.kind === "builtin" ? type.name : type?.kind === "text" ? type.value : "";
      const whole2 = checking.response?.values.every(Number.isInteger) ?? false;
      if (/^float/.test(text) || /^u?int/.test(text) && whole2) return object;
    }
    if (name2 === "reshape" && checking.responseShape.length === 1) {
      const shape = args.positional.map(({ value }) => numberOf3(checking, value));
      const rows = checking.dataset.rows;
      if (shape.length === 1 && (shape[0] === -1 || shape[0] === rows)) return object;
    }
    return checking.derive(args.call, object);
  }
  var reductions = /* @__PURE__ */ new Set([
    "sum",
    "prod",
    "mean",
    "max",
    "min",
    "any",
    "all",
    "cumsum",
    "cumprod",
    "dot",
    "flatten",
    "ravel",
    "squeeze",
    "transpose",
    "repeat",
    "argmax",
    "argmin",
    "argsort",
    "nonzero"
  ]);
  function arrayMethod(checking, args, object, name2) {
    if (anyTouchesResponse(allArguments(args))) return checking.derive(args.call);
    const site = { checking, place: args.call, text: checking.text(args.call.callee) };
    switch (name2) {
      case "factorize":
        return factorize(checking, args.call, object, false);
      case "to_numpy":
      case "copy":
      case "to_list":
      case "tolist":
      case "eval":
      case "get_value":
        return object;
      case "item":
        return object;
      case "astype": {
        const type = args.positional[0]?.value ?? args.keywords.get("dtype")?.value;
        if (!type) return refuse3(checking, args, "wanted a type", "write .astype(int)");
        return castArray(site, object, type) ?? invalid;
      }
      case "reshape": {
        const [first2] = args.positional;
        if (!first2) return refuse3(checking, args, "wanted a shape");
        const items = args.positional.map(({ value: value2 }) => value2);
        const value = items.length > 1 ? { kind: "sequence", form: "tuple", items } : first2.value;
        const shape = shapeArgument(site, { ...first2, value }, true);
        return (shape && reshapeArray(site, object, shape)) ?? invalid;
      }
      case "std":
      case "var":
        return spread2(checking, args, object, name2);
      case "median":
      case "quantile":
        return viaFunction(checking, args, object, numpyFunctions2[name2]);
      case "unique":
      case "nunique":
        return distinctValues(checking, args.call, object, name2) ?? refuse3(checking, args, "its values are known only while sampling");
      case "map":
      case "replace":
        return mapped(checking, args, object, name2);
      case "round":
      case "clip":
      case "abs":
        return viaElementwise(checking, args, object, name2);
      case "isnull":
      case "isna":
        return viaElementwise(checking, { ...args, positional: [] }, object, "isnan");
      case "fillna":
      case "dropna":
        return object;
    }
    if (reductions.has(name2)) {
      return viaFunction(checking, args, object, arrayFunctions.np[name2] ?? numpyFunctions2[name2]);
    }
    return refuse3(checking, args, "no such method in the subset");
  }
  function viaFunction(checking, args, object, f) {
    const text = checking.text(args.call.callee);
    const { call: call2 } = args;
    const self = { value: object, place: call2.callee };
    const all = { ...args, positional: [self, ...args.positional] };
    const bound = bind(checking, all, text, { ...f, required: f.required });
    return (bound && f.apply({ checking, place: call2, text }, bound)) ?? invalid;
  }
  function viaElementwise(checking, args, object, name2) {
    const { names: names2, build } = elementwise.np[name2];
    const numbers2 = [object];
    const given2 = [...args.positional, ...args.keywords.values()];
    for (const { value, place: place3 } of given2.slice(0, names2.length - 1)) {
      const number3 = numeric(checking, value, place3, name2);
      if (!number3) return invalid;
      numbers2.push(number3);
    }
    if (numbers2.length !== names2.length) return refuse3(checking, args, "arguments are missing");
    const node = build(checking.graph, ...numbers2.map((number3) => number3.node));
    return { ...object, node, dtype: name2 === "isnan" ? "bool" : object.dtype };
  }
  function spread2(checking, args, object, name2) {
    const text = checking.text(args.call.callee);
    const site = { checking, place: args.call, text };
    const given2 = args.keywords.get("ddof");
    const ddof = given2 ? numberOf3(checking, given2.value) : void 0;
    if (object.origin === "series" && ddof === void 0 && !checking.frame) {
      const hint = `write np.${name2}(...), which divides by n, or give ddof=`;
      return refuse3(checking, args, "NumPy divides by n, pandas by n - 1", hint);
    }
    const axes = axisOf(checking, args, object);
    if (!axes) return refuse3(checking, args, "wanted axis= and ddof= only");
    const lost = ddof ?? (object.origin === "series" ? 1 : 0);
    const variance = varianceOver(site, object, axes, false, lost);
    if (!variance || name2 === "var") return variance ?? invalid;
    return viaFold(checking, applyMap(checking, "sqrt", [variance], args.call, "float"));
  }
  function viaFold(checking, value) {
    if (!value) return invalid;
    const known5 = checking.graph.valueOf(value.node);
    return known5 ? { ...value, node: checking.graph.array(known5.values, known5.shape) } : value;
  }
  function axisOf(checking, args, object) {
    const rank = shapeOf(checking, object).length;
    const given2 = args.positional[0] ?? args.keywords.get("axis");
    if (!given2) return Array.from({ length: rank }, (_, i) => i);
    const axis = numberOf3(checking, given2.value);
    if (axis === void 0 || axis < -rank || axis >= rank) return void 0;
    return [axis < 0 ? axis + rank : axis];
  }
  function sequenceMethod(checking, args, object, name2) {
    const [first2] = args.positional;
    if (name2 === "append" && object.form === "list" && args.positional.length === 1) {
      object.items.push(first2.value);
      checking.step(args.call);
      return none;
    }
    if (name2 === "extend" && object.form === "list" && first2?.value.kind === "sequence") {
      object.items.push(...first2.value.items);
      return none;
    }
    if (name2 === "copy") return { ...object, items: [...object.items] };
    if (name2 === "index" || name2 === "count") {
      const key = first2 && keyOf(checking, first2.value);
      const found = object.items.findIndex((item2) => keyOf(checking, item2) === key);
      if (name2 === "index" && key !== void 0 && found >= 0) return keyValue(checking, found);
    }
    return refuse3(checking, args, `no such method of a ${object.form} in the subset`);
  }
  function dictionaryMethod(checking, args, entries2, name2) {
    const list2 = (items) => ({ kind: "sequence", form: "list", items });
    const pairs = [...entries2].map(([key, value]) => [keyValue(checking, key), value]);
    if (name2 === "keys") return list2(pairs.map(([key]) => key));
    if (name2 === "values") return list2(pairs.map(([, value]) => value));
    if (name2 === "items") {
      return list2(pairs.map((items) => ({ kind: "sequence", form: "tuple", items })));
    }
    if (name2 === "get") {
      const key = args.positional[0] && keyOf(checking, args.positional[0].value);
      const found = key === void 0 ? void 0 : entries2.get(key);
      return found ?? args.positional[1]?.value ?? none;
    }
    if (name2 === "update" && args.positional[0]?.value.kind === "dictionary") {
      for (const [key, value] of args.positional[0].value.entries) entries2.set(key, value);
      return none;
    }
    return refuse3(checking, args, "no such method of a dictionary in the subset");
  }
  function dataMethod(checking, args, name2) {
    if (["copy", "dropna", "reset_index"].includes(name2)) return { kind: "data" };
    if (name2 === "keys") {
      const items = [...checking.columns.keys()].map((key) => keyValue(checking, key));
      return { kind: "sequence", form: "list", items };
    }
    if (name2 === "get" && args.positional.length === 1) {
      const { value, place: place3 } = args.positional[0];
      if (value.kind === "text") return columnValue(checking, value.value, args.call, place3);
    }
    if (name2 === "head" || name2 === "describe") return ignored;
    const text = checking.text(args.call.callee);
    return refuse3(
      checking,
      args,
      "columns are reached by subscript",
      `write ${text.replace(/\.\w+$/, "")}["name"]`
    );
  }
  function isSilent(name2) {
    return [
      "debug",
      "point_logps",
      "to_graphviz",
      "initial_point",
      "check_start_vals",
      "compile_logp"
    ].includes(name2);
  }
  function modelMethod(checking, args, name2) {
    if (name2 === "add_coord" || name2 === "add_coords") return addCoordinates(checking, args, name2);
    const why = name2 === "register_rv" || name2 === "add_random_variable" ? "variables are made by pm.Family(...)" : "no such method of the model in the subset";
    return refuse3(checking, args, why);
  }

  // src/lang/calls.ts
  function checkCall(checking, call2) {
    const { callee } = call2;
    if (callee.kind === "name" && !checking.scope.get(callee.id)) {
      if (!Object.hasOwn(pythonFunctions, callee.id)) return unknownName(checking, call2, callee.id);
    }
    const value = evaluate(checking, callee);
    switch (value.kind) {
      case "builtin":
        return callBuiltin(checking, call2, value);
      case "function":
        return callFunction(checking, call2, value);
      case "method":
        return callMethod(checking, call2, value);
      case "ignored":
      case "invalid":
        return value;
      default: {
        if (mentionsResponse(checking, call2)) return checking.derive(call2);
        const message = `Cannot call ${checking.text(callee)}: it is ${describeValue(value)}`;
        return checking.error("names/wrong-kind", message, callee);
      }
    }
  }
  function unknownName(checking, call2, name2) {
    if (mentionsResponse(checking, call2)) return checking.derive(call2);
    const message = `Cannot call ${name2}: not in the subset`;
    if (Object.hasOwn(builtinReplacements, name2)) {
      const hint2 = builtinReplacements[name2];
      return checking.error("unsupported/function", message, call2.callee, hint2);
    }
    const known5 = [
      ...checking.scope.names().filter((n) => !n.startsWith("__")),
      ...Object.keys(pythonFunctions)
    ];
    const hint = knownNames(name2, "known names", known5);
    return checking.error("names/undefined", `Cannot find the function ${name2}`, call2.callee, hint);
  }
  function callBuiltin(checking, call2, { module, name: name2 }) {
    if (module === "python") return callPython(checking, call2, name2);
    if (module === "pm") {
      const own = callPymc(checking, call2, name2);
      if (own) return own;
    }
    if (module === "pm.transforms") return callTransform(checking, call2, name2);
    if (module === "pd") return callPandas(checking, call2, name2);
    if (module === "pt" && (name2 === "set_subtensor" || name2 === "inc_subtensor")) {
      return setSubtensor(checking, call2, name2);
    }
    if (module === "np.random") return callRandom(checking, call2);
    return callLibrary(checking, call2, module, name2);
  }
  function callPython(checking, call2, name2) {
    if (name2 === "print" || name2 === "display") return { kind: "none" };
    if (name2 === "len" && call2.arguments.length === 1 && call2.arguments[0].form === "positional") {
      const value = peek(checking, call2.arguments[0].value);
      const shape = value.kind === "numeric" ? shapeOf(checking, value) : [];
      if (shape.length > 0) return pythonNumber(checking, shape[0], "int");
    }
    const args = evaluateArguments(checking, call2);
    if (!args) return invalid;
    if (!mayLook(name2, args)) return deriveFrom(checking, call2, args);
    const unread = args.positional.find(({ value }) => value.kind === "ignored");
    if (unread) return unread.value;
    return pythonFunctions[name2](checking, args, name2);
  }
  function deriveFrom(checking, call2, args) {
    return checking.derive(call2, ...allArguments(args).map(({ value }) => value));
  }
  function callRandom(checking, call2) {
    if (mentionsResponse(checking, call2)) return checking.derive(call2);
    return { kind: "ignored", of: checking.text(call2.callee) };
  }
  var conversions = {
    float64: "float",
    float32: "float",
    int64: "int",
    int32: "int",
    intp: "int",
    bool_: "bool"
  };
  function callLibrary(checking, call2, module, name2) {
    const text = checking.text(call2.callee);
    const each = elementwise[module]?.[name2];
    const array = arrayFunctions[module]?.[name2] ?? (module === "np" ? numpyFunctions2[name2] : module === "np.linalg" ? linalgFunctions[name2] : void 0);
    const cast = module === "np" && Object.hasOwn(conversions, name2);
    if (!each && !array && !cast) return unknownFunction(checking, call2, module, name2);
    if (module === "pm.math") warnPytensor(checking, call2, name2);
    const args = evaluateArguments(checking, call2);
    if (!args) return invalid;
    const whole2 = identityOfResponse(checking, args, module, name2);
    if (whole2) return whole2;
    if (anyTouchesResponse(allArguments(args))) return deriveFrom(checking, call2, args);
    const unread = allArguments(args).find(({ value }) => value.kind === "ignored");
    if (unread) return unread.value;
    const numpy = module === "np" || module === "np.linalg" || module === "special";
    if (numpy && !worksOnTensors.has(name2) && allArguments(args).some(({ value }) => isTensor(value))) {
      return refuseRandom({ checking, place: call2.callee, text }) ?? invalid;
    }
    if (cast) return castCall(checking, args, text, conversions[name2]);
    if (each && !(name2 === "where" && args.positional.length === 1)) {
      return callElementwise(checking, args, text, module, each);
    }
    const found = name2 === "where" ? numpyFunctions2.nonzero : array;
    return found ? callArrayFunction(checking, args, text, module, found) : invalid;
  }
  var worksOnTensors = new Set(
    "exp log sqrt abs absolute sin cos tan sinh cosh tanh floor ceil log1p expm1 square log2 log10 exp2 negative reciprocal power add subtract multiply divide true_divide mod repeat squeeze".split(" ")
  );
  function isTensor(value) {
    if (value.kind === "sequence") return value.items.some(isTensor);
    return value.kind === "numeric" && value.origin === "tensor";
  }
  function identityOfResponse(checking, args, module, name2) {
    const converters = [
      "array",
      "asarray",
      "as_tensor",
      "as_tensor_variable",
      "float64",
      "atleast_1d"
    ];
    if (module !== "np" && module !== "pt" && module !== "pm.math") return void 0;
    const [first2] = args.positional;
    const exact = keepsNumbers(checking, args.positional[1] ?? args.keywords.get("dtype"));
    const same = converters.includes(name2) && first2?.value.kind === "response" && exact;
    return same ? first2.value : void 0;
  }
  function keepsNumbers({ response }, type) {
    if (!type) return true;
    const { value } = type;
    const name2 = value.kind === "builtin" ? value.name : value.kind === "text" ? value.value : "";
    if (/^(float|double)/.test(name2)) return true;
    return /^u?int/.test(name2) && (response?.values.every(Number.isInteger) ?? false);
  }
  function castCall(checking, args, text, type) {
    const given2 = bind(checking, args, text, { names: ["x"], required: 1 })?.get("x");
    const x = given2 && numeric(checking, given2.value, given2.place, text);
    const site = { checking, place: args.call, text };
    return (x && castArray(site, x, { kind: "text", value: type })) ?? invalid;
  }
  function warnPytensor(checking, call2, name2) {
    if (!onlyInPytensor.has(name2) && !notInPymcMath.has(name2)) return;
    const message = `PyMC 5.28 has no ${checking.text(call2.callee)}`;
    const hint = `import pytensor.tensor as pt and write pt.${name2} if the program is to run there`;
    checking.findings.warning("names/not-in-pymc", message, call2.callee, hint);
  }
  function callElementwise(checking, args, text, module, { names: names2, build, dtype }) {
    const ignoredNames = module === "np" ? ["dtype", "out"] : ["dtype"];
    const clip2 = names2[0] === "a";
    const bound = bind(checking, args, text, {
      names: names2,
      required: names2.length,
      keywordOnly: clip2 ? ["a_min", "a_max"] : [],
      ignored: ignoredNames
    });
    if (!bound) return invalid;
    const numbers2 = [];
    for (const name2 of names2) {
      const given2 = bound.get(name2);
      const number3 = given2 && numeric(checking, given2.value, given2.place, text);
      if (!number3) return invalid;
      numbers2.push(number3);
    }
    if (module === "math" || module === "stats") {
      if (!onlyNumbers(checking, args, text, numbers2)) return invalid;
    }
    const shape = broadcast(checking, numbers2, args.call);
    if (!shape) return invalid;
    checking.allocate(shape.reduce((a, b) => a * b, 1), args.call);
    const node = build(checking.graph, ...numbers2.map((number3) => number3.node));
    const tensor = module === "pm" || module === "pm.math" || module === "pt";
    const values = names2[0] === "condition" ? numbers2.slice(1) : numbers2;
    const result = {
      kind: "numeric",
      node,
      dtype: dtype === "same" ? widest(...values) : dtype,
      origin: tensor ? "tensor" : joinOrigins(...numbers2)
    };
    return finite(checking, result, numbers2, args.call) ? result : invalid;
  }
  function onlyNumbers(checking, args, text, numbers2) {
    if (numbers2.some((number3) => !isHost(number3))) {
      refuseRandom({ checking, place: args.call.callee, text });
      return false;
    }
    if (numbers2.every((number3) => shapeOf(checking, number3).length === 0)) return true;
    const message = `Cannot call ${text} on an array: it takes one number`;
    checking.error("shapes/vector-argument", message, args.call, "write np. instead of math.");
    return false;
  }
  function callArrayFunction(checking, args, text, module, { names: names2, required: required2, keywordOnly, ignored: silent2, apply }) {
    const spread4 = spreadArguments(args, names2);
    const bound = bind(checking, spread4, text, { names: names2, required: required2, keywordOnly, ignored: silent2 });
    const result = bound && apply({ checking, place: args.call, text }, bound);
    if (!result) return invalid;
    const tensor = module === "pm.math" || module === "pt";
    if (result.kind !== "numeric") return result;
    if (tensor) return { ...result, origin: "tensor" };
    return result.origin === "series" ? { ...result, origin: "numpy" } : result;
  }
  function spreadArguments(args, names2) {
    if (names2[0] !== "a") return args;
    const aliases = /* @__PURE__ */ new Map([["input", "a"], ["x", "a"], ["array", "a"], ["arr", "a"], [
      "object",
      "a"
    ]]);
    const keywords2 = new Map([...args.keywords].map(([name2, given2]) => [
      names2.includes(name2) ? name2 : aliases.get(name2) ?? name2,
      given2
    ]));
    return { ...args, keywords: keywords2 };
  }
  function unknownFunction(checking, call2, module, name2) {
    if (mentionsResponse(checking, call2)) return checking.derive(call2);
    const text = checking.text(call2.callee);
    if (Object.hasOwn(functionReplacements, name2)) {
      const message2 = `Cannot call ${text}: not in the subset`;
      return checking.error("unsupported/function", message2, call2.callee, functionReplacements[name2]);
    }
    const known5 = [
      ...Object.keys(elementwise[module] ?? {}),
      ...Object.keys(arrayFunctions[module] ?? {}),
      ...Object.keys(module === "np" ? numpyFunctions2 : {}),
      ...Object.keys(constants2[module] ?? {})
    ];
    const message = `Cannot call ${text}: no such function in the subset`;
    const hint = knownNames(name2, "known", known5);
    return checking.error("names/unknown-function", message, call2.callee, hint);
  }

  // src/lang/evaluate.ts
  var largestInteger = 2 ** 53;
  function evaluate(checking, e) {
    checking.step(e);
    switch (e.kind) {
      case "number":
        return literal(checking, e);
      case "string":
        return e.bytes ? refuse4(checking, e, "bytes") : { kind: "text", value: e.value };
      case "constant":
        return constant(checking, e.value);
      case "name":
        return lookUp(checking, e);
      case "attribute":
        return readAttribute(checking, e);
      case "subscript":
        return subscript2(checking, e);
      case "slice":
        return slice2(checking, e);
      case "call":
        return checkCall(checking, e);
      case "unary":
        return unaryOperator(checking, e);
      case "binary":
        return binaryOperator(checking, e);
      case "comparison":
        return comparisonOperator2(checking, e);
      case "boolean":
        return booleanOperator(checking, e);
      case "conditional":
        return conditionalOperator(checking, e);
      case "list":
      case "tuple":
        return sequence(checking, e);
      case "dictionary":
        return dictionary3(checking, e);
      case "lambda":
        return makeFunction(checking, "lambda", e.parameters, e.body);
      case "comprehension":
        return comprehension(checking, e);
      case "formatted":
        return formatText(checking, e);
      case "set":
        return refuse4(checking, e, "a set");
      case "starred":
        return refuse4(checking, e, "a starred expression");
    }
  }
  function refuse4(checking, e, what) {
    if (mentionsResponse(checking, e)) return checking.derive(e);
    const message = `Cannot use ${what} here: not in the subset`;
    const hint = what === "a set" ? "write a list" : "write numbers, columns, names and arithmetic";
    return checking.error("unsupported/expression", message, e, hint);
  }
  function literal(checking, e) {
    if (e.imaginary) return refuse4(checking, e, "an imaginary number");
    const text = checking.source.slice(e);
    const integer = /^0[xXoObB]/.test(text) || !/[.eE]/.test(text);
    if (!Number.isFinite(e.value) || integer && e.value > largestInteger) {
      const message = `Cannot use ${text}: the number is too large`;
      const hint = "integers go up to 2**53, other numbers up to 1.8e308";
      return checking.error("support/number", message, e, hint);
    }
    return pythonNumber(checking, e.value, integer ? "int" : "float");
  }
  function constant(checking, value) {
    if (value === "...") return { kind: "ellipsis" };
    return value === "None" ? none : pythonBool(checking, value === "True");
  }
  function peek(checking, e) {
    if (e.kind !== "name") return evaluate(checking, e);
    const known5 = checking.scope.get(e.id);
    return known5?.kind === "numeric" ? known5 : evaluate(checking, e);
  }
  function closeFilling(value) {
    if (value.kind === "numeric" && value.filling) value.filling.open = false;
  }
  function lookUp(checking, { id, start, end }) {
    const known5 = checking.scope.get(id);
    if (known5) {
      closeFilling(known5);
      return known5;
    }
    if (pythonBuiltins.has(id)) return { kind: "builtin", module: "python", name: id };
    const names2 = [...checking.scope.names().filter((name2) => !name2.startsWith("__")), "abs", "len"];
    const message = `Cannot find the name ${id}: nothing has been assigned to it`;
    const hint = knownNames(id, "known names", names2);
    return checking.error("names/undefined", message, { start, end }, hint);
  }
  function evaluateItems(checking, items) {
    return items.flatMap((item2) => {
      if (item2.kind !== "starred") return [evaluate(checking, item2)];
      const value = evaluate(checking, item2.value);
      if (value.kind === "sequence") return value.items;
      if (value.kind === "invalid") return [value];
      const message = "Cannot spread this with *: wanted a list or a tuple";
      return [checking.error("unsupported/expression", message, item2)];
    });
  }
  function sequence(checking, e) {
    const items = evaluateItems(checking, e.items);
    if (items.some((value) => value.kind === "invalid")) return invalid;
    return { kind: "sequence", form: e.kind === "tuple" ? "tuple" : "list", items };
  }
  function dictionary3(checking, e) {
    const entries2 = /* @__PURE__ */ new Map();
    for (const [i, key] of e.keys.entries()) {
      const value = evaluate(checking, e.values[i]);
      if (key === void 0) {
        if (value.kind === "dictionary") {
          for (const [k, v] of value.entries) entries2.set(k, v);
        } else return refuse4(checking, e.values[i], "this with **");
      } else {
        const found = keyOf(checking, evaluate(checking, key));
        if (found === void 0) return refuse4(checking, key, "this as a key");
        entries2.set(found, value);
      }
    }
    return { kind: "dictionary", entries: entries2 };
  }
  function keyOf(checking, value) {
    if (value.kind === "text") return value.value;
    if (value.kind !== "numeric") return void 0;
    return checking.graph.constantOf(value.node);
  }
  function slice2(checking, e) {
    const parts = [];
    for (const part of e.parts) {
      const value = part ? evaluate(checking, part) : none;
      if (value.kind === "none") parts.push(void 0);
      else {
        if (touchesResponse(value)) return checking.derive(e, value);
        const number3 = part && numeric(checking, value, part, "a slice");
        if (!number3) return invalid;
        const known5 = checking.graph.valueOf(number3.node)?.values;
        if (known5?.length !== 1 || !Number.isInteger(known5[0])) {
          const message = "Cannot slice by this: wanted a whole number known before sampling";
          return checking.error("names/wrong-kind", message, part);
        }
        parts.push(known5[0]);
      }
    }
    return { kind: "slice", parts };
  }
  function subscript2(checking, e) {
    const object = peek(checking, e.object);
    if (object.kind === "invalid") return object;
    if (object.kind === "ignored") return object;
    const index = evaluate(checking, e.index);
    if (index.kind === "invalid") return invalid;
    if (object.kind === "builtin" && object.module === "np") {
      const joined5 = joinedColumns(checking, e, object.name, index);
      if (joined5) return joined5;
    }
    if (object.kind === "data") {
      return index.kind === "sequence" ? readColumns(checking, e, index.items) : readColumn(checking, e, index);
    }
    const part = takePart(checking, e, object, index);
    if (part.kind !== "numeric") return part;
    if (checking.graph.shapeOf(part.node).length > 0) closeFilling(object);
    const { filling: _, ...read } = part;
    return read;
  }

  // src/lang/rows.ts
  function rowsOf(checking, x, place3) {
    const [rows, ...rest] = shapeOf(checking, x);
    const size = sizeOf(rest);
    return Array.from({ length: rows }, (_, i) => {
      checking.step(place3);
      const index = Int32Array.from({ length: size }, (_2, k) => i * size + k);
      const origin = x.origin === "tensor" ? "tensor" : "numpy";
      return fold(checking, { ...x, node: checking.graph.gather(x.node, index, rest), origin });
    });
  }

  // src/lang/comprehensions.ts
  function comprehension(checking, e) {
    const outer2 = checking.scope;
    checking.scope = new Scope(outer2);
    const items = [];
    const entries2 = /* @__PURE__ */ new Map();
    const fine = runClauses(checking, e.clauses, () => {
      const item2 = evaluate(checking, e.item);
      if (!e.value) return items.push(item2) > 0;
      const key = keyOf(checking, item2);
      if (key === void 0) return false;
      entries2.set(key, evaluate(checking, e.value));
      return true;
    });
    checking.scope = outer2;
    if (!fine || items.some(({ kind }) => kind === "invalid")) return invalid;
    if (e.form === "dictionary") return { kind: "dictionary", entries: entries2 };
    return { kind: "sequence", form: "list", items };
  }
  function runClauses(checking, clauses, innermost) {
    const [clause, ...rest] = clauses;
    if (!clause) return innermost();
    const over2 = evaluate(checking, clause.over);
    const items = itemsOf(checking, over2, clause.over);
    if (!items) return false;
    for (const item2 of items) {
      checking.step(clause.over);
      assign(checking, clause.target, item2);
      const holds = testsHold(checking, clause.tests);
      if (holds === void 0) return false;
      if (holds && !runClauses(checking, rest, innermost)) return false;
    }
    return true;
  }
  function testsHold(checking, tests) {
    for (const test of tests) {
      const truth = truthOf(checking, evaluate(checking, test), test);
      if (truth !== true) return truth;
    }
    return true;
  }
  function itemsOf(checking, value, place3) {
    switch (value.kind) {
      case "sequence":
        return value.items;
      case "dictionary":
        return [...value.entries.keys()].map((key) => keyValue(checking, key));
      case "text":
        return [...value.value].map((letter) => ({ kind: "text", value: letter }));
      case "numeric":
        if (shapeOf(checking, value).length > 0) return rowsOf(checking, value, place3);
        break;
      case "invalid":
        return void 0;
    }
    if (touchesResponse(value)) {
      checking.refuseResponse(value, place3);
      return void 0;
    }
    const whole2 = numberOf3(checking, value) !== void 0;
    const message = `Cannot loop over ${whole2 ? "a number" : describeValue(value)}`;
    checking.error("names/wrong-kind", message, place3, whole2 ? "write range(...)" : void 0);
    return void 0;
  }
  function keyValue(checking, key) {
    if (typeof key === "string") return { kind: "text", value: key };
    const node = checking.graph.scalar(key);
    return {
      kind: "numeric",
      node,
      dtype: Number.isInteger(key) ? "int" : "float",
      origin: "python"
    };
  }

  // src/lang/import_statement.ts
  function checkImport(checking, s) {
    for (const { module, name: name2 } of s.imports) {
      const value = name2 === "*" ? void 0 : s.form === "from" ? memberOf(module) : moduleOf(module, name2);
      if (!value) refuseImport(checking, s, module, name2);
      else if (name2 === "data" || pythonBuiltins.has(name2)) refuseRebinding(checking, name2, s);
      else bindModule(checking, name2, value, s);
    }
  }
  function bindModule(checking, name2, value, place3) {
    const before = checking.scope.get(name2);
    const taken3 = before && before.kind !== "module" && before.kind !== "builtin" && checking.scope.has(name2);
    if (taken3) refuseRebinding(checking, name2, place3);
    else checking.scope.set(name2, value);
  }
  function moduleOf(module, name2) {
    const known5 = Object.hasOwn(modules, module) ? modules[module] : void 0;
    if (!known5) return void 0;
    const dotted = module.includes(".") && name2 === module.split(".")[0];
    if (!dotted) return { kind: "module", module: known5 };
    const first2 = Object.hasOwn(modules, name2) ? modules[name2] : void 0;
    return first2 && { kind: "module", module: first2 };
  }
  function memberOf(path) {
    if (Object.hasOwn(modules, path)) return { kind: "module", module: modules[path] };
    const dot2 = path.lastIndexOf(".");
    const [module, name2] = [path.slice(0, dot2), path.slice(dot2 + 1)];
    const known5 = Object.hasOwn(modules, module) ? modules[module] : void 0;
    if (!known5) return void 0;
    if (known5 === "other") return { kind: "ignored", of: path };
    const inner = submodules[`${known5}.${name2}`];
    return inner ? { kind: "module", module: inner } : { kind: "builtin", module: known5, name: name2 };
  }
  function refuseImport(checking, s, module, name2) {
    const message = `Cannot import ${module}: not in the subset`;
    const usual = s.form === "from" ? "write `import pymc as pm` and pm. before the name" : "write `import pymc as pm` or `import numpy as np`";
    checking.error("unsupported/import", message, s, insteadOfModule(module) ?? usual);
    if (name2 !== "*" && !checking.scope.get(name2)) checking.scope.set(name2, invalid);
  }

  // src/lang/statements.ts
  var hints = {
    while: "write `for i in range(n):`",
    class: "write the model in `with pm.Model() as model:`"
  };
  function checkModule(checking, statements2) {
    runBody(checking, statements2);
    if (checking.modelFunction) checkModelFunction(checking, checking.modelFunction);
  }
  function runBody(checking, statements2) {
    for (const [i, statement] of statements2.entries()) {
      checking.step(statement);
      const end = runStatement(checking, statement);
      if (!end) continue;
      const next = statements2[i + 1];
      if (next && statement.kind === "return") {
        const message = "This is never reached: it stands after a return";
        checking.findings.warning("names/unreachable", message, next, "leave it out");
      }
      return end;
    }
    return void 0;
  }
  function runStatement(checking, s) {
    switch (s.kind) {
      case "with":
        return checkWith(checking, s);
      case "return":
        return { kind: "return", value: returnValue(checking, s) };
      case "import":
        return void checkImport(checking, s);
      case "assign":
        return void checkAssignment(checking, s);
      case "expression":
        return void evaluateStatement(checking, s.value);
      case "def":
        return void checkFunction2(checking, s);
      case "for":
        return runFor(checking, s);
      case "if":
        return runIf(checking, s);
      case "break":
      case "continue":
        return { kind: s.kind };
      case "pass":
        return void 0;
      default:
        return void refuseStatement(checking, s);
    }
  }
  function runFor(checking, s) {
    const [target, over2] = s.expressions;
    const [body, otherwise = []] = s.bodies;
    const value = evaluate(checking, over2);
    const items = itemsOf(checking, value, over2);
    if (!items) return void skip(checking, s);
    for (const item2 of items) {
      checking.step(s);
      closeFilling(item2);
      assign(checking, target, item2);
      const end = runBody(checking, body);
      if (end?.kind === "return") return end;
      if (end?.kind === "break") return void 0;
    }
    return runBody(checking, otherwise);
  }
  function runIf(checking, s) {
    const [test] = s.expressions;
    const [body, otherwise = []] = s.bodies;
    const value = evaluate(checking, test);
    if (touchesResponse(value)) {
      checking.refuseResponse(value, test);
      return void skip(checking, s);
    }
    const truth = truthOf(checking, value, test);
    if (truth === void 0) return void skip(checking, s);
    return runBody(checking, truth ? body : otherwise);
  }
  function refuseStatement(checking, s) {
    const message = `Cannot check \`${s.kind}\`: not in the subset`;
    checking.error("unsupported/statement", message, s, hints[s.kind]);
    if ("bodies" in s) skip(checking, s);
  }
  function skip(checking, s) {
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
  function returnValue(checking, { value }) {
    return value ? evaluate(checking, value) : none;
  }
  function checkAssignment(checking, s) {
    if (s.form === "augmented") return augment(checking, s);
    if (!s.value) return;
    const value = evaluate(checking, s.value);
    if (!makesArray(checking, s)) closeFilling(value);
    for (const target of s.targets) assign(checking, target, value);
  }
  function makesArray(checking, { targets, value }) {
    if (targets.length !== 1 || targets[0].kind !== "name" || value?.kind !== "call") return false;
    const { callee } = value;
    if (callee.kind === "name") return checking.scope.get(callee.id)?.kind === "builtin";
    if (callee.kind !== "attribute" || callee.object.kind !== "name") return false;
    return checking.scope.get(callee.object.id)?.kind === "module";
  }
  function augment(checking, s) {
    const [target] = s.targets;
    if (!s.value || !s.op) return;
    const [before, value] = [evaluate(checking, target), evaluate(checking, s.value)];
    if (s.op === "+" && before.kind === "sequence" && before.form === "list" && value.kind === "sequence") {
      before.items.push(...value.items);
      return;
    }
    const place3 = { left: target, right: s.value, start: s.start, end: s.end };
    assign(checking, target, applyOperator(checking, s.op, before, value, place3));
  }
  function assign(checking, target, value) {
    switch (target.kind) {
      case "name":
        return bindName(checking, target.id, value, target);
      case "tuple":
      case "list":
        return unpack2(checking, target.items, value, target);
      case "subscript":
        return assignItem(checking, target, value);
      default: {
        const message = `Cannot assign to ${checking.text(target)}: wanted a name`;
        checking.error("unsupported/statement", message, target, "assign to a name");
      }
    }
  }
  function bindName(checking, id, value, place3) {
    const before = checking.scope.get(id);
    const taken3 = id === "gen_model" || before?.kind === "data" && value.kind !== "data" && value.kind !== "invalid" || before?.kind === "model" && value.kind !== "model" && value.kind !== "ignored" || before?.kind === "module" && value.kind !== "module";
    if (taken3) refuseRebinding(checking, id, place3);
    else if (before?.kind !== "model" || value.kind === "model") checking.scope.set(id, value);
  }
  function refuseRebinding(checking, name2, place3) {
    const message = `Cannot assign to ${name2}: the name is taken`;
    checking.error("names/rebound", message, place3, "choose another name");
  }
  function unpack2(checking, targets, value, place3) {
    if (value.kind === "invalid" || value.kind === "ignored") {
      for (const target of targets) assign(checking, target, value);
      return;
    }
    if (touchesResponse(value)) {
      const derived = checking.derive(place3, value);
      for (const target of targets) assign(checking, target, derived);
      return;
    }
    if (value.kind !== "sequence" && (value.kind !== "numeric" || shapeOf(checking, value).length === 0)) {
      const message = `Cannot unpack ${describeValue(value)} into ${targets.length} names`;
      checking.error("names/unpacking", message, place3);
      for (const target of targets) assign(checking, target, invalid);
      return;
    }
    const items = itemsOf(checking, value, place3);
    const starred = targets.findIndex(({ kind }) => kind === "starred");
    const fits = items && (starred < 0 ? items.length === targets.length : items.length >= targets.length - 1);
    if (!items || !fits) {
      if (items) {
        const message = `Cannot unpack ${describeValue(value)} of ${items.length} into ${targets.length} names`;
        checking.error("names/unpacking", message, place3);
      }
      for (const target of targets) assign(checking, target, invalid);
      return;
    }
    items.forEach(closeFilling);
    const extra = items.length - targets.length;
    let at = 0;
    for (const [i, target] of targets.entries()) {
      if (i === starred && target.kind === "starred") {
        const rest = items.slice(at, at + extra + 1);
        assign(checking, target.value, { kind: "sequence", form: "list", items: rest });
        at += extra + 1;
      } else assign(checking, target, items[at++]);
    }
  }
  function assignItem(checking, target, value) {
    if (fillPart(checking, target, value)) return;
    const object = evaluate(checking, target.object);
    const index = evaluate(checking, target.index);
    const key = keyOf(checking, index);
    if (object.kind === "invalid" || object.kind === "ignored" || index.kind === "invalid") return;
    if (object.kind === "dictionary" && key !== void 0) {
      object.entries.set(key, value);
      return;
    }
    if (object.kind === "sequence" && object.form === "list" && typeof key === "number") {
      const at = key < 0 ? key + object.items.length : key;
      if (at in object.items) {
        object.items[at] = value;
        return;
      }
    }
    if (object.kind === "data" && typeof key === "string" && addColumn(checking, key, value)) return;
    const protectedValue = object.kind === "data" || touchesResponse(object);
    if (protectedValue || mentionsResponse(checking, target)) {
      const message2 = `Cannot assign to ${checking.text(target)}: the data belong to the host`;
      checking.error("lh/changed-data", message2, target, "give the new values a name of their own");
      return;
    }
    const what = object.kind === "numeric" ? "arrays do" : `${describeValue(object)} does`;
    const message = `Cannot assign to ${checking.text(target)}: ${what} not change`;
    const hint = object.kind === "sequence" ? "write a list" : "fill an array of np.zeros before anything reads it, build it from a list, or write np.where or pm.math.switch";
    checking.error("unsupported/statement", message, target, hint);
  }

  // src/lang/check.ts
  function checkProgram(text, dataset, file2 = "program.py") {
    const source = new Source(text, file2);
    const tooLarge = checkSize(source);
    if (tooLarge) return { ok: false, diagnostics: [tooLarge.toDiagnostic(source)] };
    const parsed = parse(source);
    if (!parsed.ok) return { ok: false, diagnostics: [parsed.failure.toDiagnostic(source)] };
    const checking = new Checking(source, dataset);
    const stopped = run(() => {
      checkLiterals(checking, parsed.statements);
      checkModule(checking, parsed.statements);
    });
    if (!stopped) return finish(checking);
    return {
      ok: false,
      diagnostics: [...checking.findings.diagnostics, stopped.toDiagnostic(source)]
    };
  }
  function run(check2) {
    try {
      return void check2();
    } catch (error2) {
      if (error2 instanceof SyntaxFailure) return error2;
      throw error2;
    }
  }
  function checkSize(source) {
    const { text, lines } = source;
    const bytes = text.length > limits.bytes ? text.length : new TextEncoder().encode(text).length;
    if (bytes > limits.bytes) {
      const message2 = `Cannot read the program: more than ${limits.bytes} bytes`;
      return new SyntaxFailure("syntax/limit", message2, { start: 0, end: 1 });
    }
    if (lines <= limits.lines + 1) return checkCharacters(text);
    const message = `Cannot read the program: more than ${limits.lines} lines`;
    return new SyntaxFailure("syntax/limit", message, { start: 0, end: 1 });
  }
  function checkCharacters(text) {
    const zero2 = text.indexOf("\0");
    if (zero2 >= 0) {
      const message2 = "Cannot parse: source code string cannot contain null bytes";
      return new SyntaxFailure("syntax/character", message2, { start: zero2, end: zero2 + 1 });
    }
    const lone = text.search(
      /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
    );
    if (lone >= 0) {
      const message2 = "Cannot parse: half of a surrogate pair";
      return new SyntaxFailure("syntax/character", message2, { start: lone, end: lone + 1 });
    }
    const cookie = /^(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)/.exec(text);
    if (!cookie || /^utf-?8$/i.test(cookie[1])) return void 0;
    const message = `Cannot read the encoding ${cookie[1]}: programs are UTF-8`;
    const place3 = { start: cookie[0].length - cookie[1].length, end: cookie[0].length };
    return new SyntaxFailure("unsupported/encoding", message, place3, "leave the coding line out");
  }
  function finish(checking) {
    checkShared(checking);
    for (const value of checking.derived) {
      if (!value.reported) checking.refuseResponse(value, value.place);
    }
    const { findings, likelihood: likelihood2 } = checking;
    if (!checking.observedSeen && !checking.excused) refuseUnobserved(checking);
    if (findings.errors === 0 && !likelihood2) {
      const message = "Cannot check the program: its likelihood could not be read";
      checking.error("unsupported/program", message, checking.modelPlace ?? { start: 0, end: 0 });
    }
    const { diagnostics } = findings;
    if (findings.errors > 0 || !likelihood2) return { ok: false, diagnostics };
    const program = canonicalise(checking.graph, checking, likelihood2);
    for (const unused of program.unused) {
      const name2 = checking.parameters[unused].name;
      const message = `"${name2}" has no influence on the likelihood`;
      const place3 = checking.parameterPlaces[unused];
      findings.warning("names/unused-variable", message, place3, "leave it out");
    }
    warnConstantColumns(checking, program.checked);
    for (const { name: name2, place: place3 } of checking.latents.filter(({ used }) => !used)) {
      const message = `"${name2}" has no influence on the likelihood, and is left out`;
      findings.warning("names/unused-variable", message, place3, "leave it out");
    }
    return { ok: true, program: { ...program.checked, coords: coordsOf(checking), diagnostics } };
  }
  function coordsOf({ dimensions: dimensions2 }) {
    const labelled = [...dimensions2].flatMap(
      ([name2, { labels: labels2 }]) => labels2 ? [[name2, labels2]] : []
    );
    return Object.fromEntries(labelled);
  }
  function refuseUnobserved(checking) {
    const name2 = checking.response?.name ?? "response";
    const { modelPlace, priorMode } = checking;
    if (priorMode) {
      const message = "Cannot score the program: observed=None samples from the prior";
      checking.error("lh/unobserved", message, priorMode, `write observed=data["${name2}"]`);
    } else if (modelPlace) {
      const message = "Cannot score the program: no variable is observed";
      const hint = `give the likelihood observed=data["${name2}"]`;
      checking.error("lh/unobserved", message, modelPlace, hint);
    } else {
      const message = "Cannot score the program: it has no model";
      const other = checking.uncalled.values().next().value;
      const hint = other ? "call the function gen_model: the host calls `def gen_model(observed_data):` only" : "write `with pm.Model() as model:`";
      checking.error("names/no-model", message, other ?? { start: 0, end: 0 }, hint);
    }
  }

  // src/score/density_cap.ts
  function capDensity(elpdPointwise, total2, resolution, rowsOf2 = () => 1) {
    const cap = resolution !== void 0 && resolution > 0 ? -log(resolution) : Infinity;
    let sum3 = 0;
    let cappedPoints = 0;
    for (let i = 0; i < elpdPointwise.length; i++) {
      const most2 = rowsOf2(i) * cap;
      if (elpdPointwise[i] > most2) cappedPoints += 1;
      sum3 += Math.min(elpdPointwise[i], most2);
    }
    return { total: cappedPoints === 0 ? total2 : sum3, cappedPoints };
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
    ...Object.fromEntries(failureClasses.map((name2) => [name2, name2]))
  };
  function classOfDiagnostics(diagnostics) {
    const found = diagnostics.filter(({ severity }) => severity === "error").map(({ code: code2 }) => classOfPrefix[code2.split("/")[0]]);
    const first2 = failureClasses.find((name2) => found.includes(name2));
    if (first2) return first2;
    throw new Error(`internal: no class for ${diagnostics.map(({ code: code2 }) => code2).join(", ")}`);
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
  function error(code2, message, hint) {
    return { code: code2, severity: "error", message, hint };
  }

  // src/density/likelihoods.ts
  function factorised(g, pointwise) {
    return {
      whole: g.sum(pointwise),
      factorises: true,
      ofEach: pointwise,
      kept: (weights) => g.sum(g.where(weights, pointwise, g.scalar(0))),
      ofUnits: (unitOfRow, units) => g.scatter(pointwise, unitOfRow, [units])
    };
  }
  function summedOut(g, prior, terms) {
    const [count, observations] = g.shapeOf(terms);
    const whole2 = logSumExpLast(g, g.add(prior, g.sum(terms, [1])));
    const without = (ofUnits) => {
      const impossible = g.map("eq", ofUnits, g.scalar(-Infinity));
      const finite2 = g.where(impossible, g.scalar(0), ofUnits);
      const column = (x) => g.reshape(g.sum(x, [1]), [count, 1]);
      const rest = g.sub(column(finite2), finite2);
      const possible = g.map("eq", column(impossible), impossible);
      const each = g.where(possible, rest, g.scalar(-Infinity));
      return logSumExpLast(g, transposed4(g, g.add(g.reshape(prior, [count, 1]), each)));
    };
    return {
      whole: whole2,
      factorises: false,
      ofEach: g.sub(whole2, without(terms)),
      kept: (weights) => logSumExpLast(g, g.add(prior, g.sum(g.where(weights, terms, g.scalar(0)), [1]))),
      ofUnits(unitOfRow, units) {
        const index = new Int32Array(count * observations);
        for (let at = 0; at < index.length; at++) {
          index[at] = Math.floor(at / observations) * units + unitOfRow[at % observations];
        }
        return g.sub(whole2, without(g.scatter(terms, index, [count, units])));
      }
    };
  }
  function transposed4(g, x) {
    const [m, n] = g.shapeOf(x);
    const index = Int32Array.from({ length: m * n }, (_, at) => at % m * n + Math.floor(at / m));
    return g.gather(x, index, [n, m]);
  }

  // src/density/over_values.ts
  function dependsOnDiscrete({ nodes, parameters }) {
    const depends = [];
    for (const node of nodes) {
      const own = node.kind === "parameter" && parameters[node.parameter].transform.kind === "summed";
      depends.push(own || node.args.some((arg) => depends[arg]));
    }
    return depends;
  }
  function discreteValues({ parameters }) {
    const ranges = parameters.map(
      ({ transform, shape }) => transform.kind === "summed" ? { ...transform, size: sizeOf(shape) } : void 0
    );
    const combinations = ranges.reduce(
      (all, range4) => range4 ? all * range4.count ** range4.size : all,
      1
    );
    let block2 = combinations;
    const values = ranges.map((range4) => {
      if (!range4) return void 0;
      const out = new Float64Array(combinations * range4.size);
      for (let i = 0; i < range4.size; i++) {
        block2 /= range4.count;
        for (let k = 0; k < combinations; k++) {
          out[k * range4.size + i] = range4.lower + Math.floor(k / block2) % range4.count;
        }
      }
      return out;
    });
    return { combinations, values };
  }
  function overValues(g, count, node, args) {
    const shape = [count, ...node.shape];
    const [first2] = args;
    switch (node.kind) {
      case "map": {
        const aligned = args.map((arg) => alignedTo(g, arg, node.shape.length));
        return g.broadcast(g.map(node.op, ...aligned), shape);
      }
      case "reduce":
        return g.reduce(node.op, first2.node, node.axes.map((axis) => axis + 1));
      case "scan":
        return g.scan(node.op, first2.node, node.axis + 1);
      case "reshape":
        return g.reshape(first2.node, shape);
      case "gather": {
        const size = sizeOf(first2.shape);
        return g.gather(first2.node, repeated(node.index, count, size), shape);
      }
      case "take":
        return taken2(g, count, shape, args);
      case "join":
        return g.reshape(joined(g, count, args), shape);
      case "matmul":
        return product3(g, count, args);
      default:
        throw new Error(`internal: a ${node.kind} of a discrete variable`);
    }
  }
  function alignedTo(g, { node, shape, varies: varies3 }, rank) {
    if (!varies3 || shape.length >= rank) return node;
    const [count] = g.shapeOf(node);
    return g.reshape(node, [count, ...new Array(rank - shape.length).fill(1), ...shape]);
  }
  function repeated(index, count, size) {
    const out = new Int32Array(count * index.length);
    for (let k = 0; k < count; k++) {
      for (let i = 0; i < index.length; i++) {
        out[k * index.length + i] = index[i] < 0 ? -1 : k * size + index[i];
      }
    }
    return out;
  }
  function taken2(g, count, shape, [x, index]) {
    if (!x.varies) return g.take(x.node, index.node);
    const starts = Float64Array.from({ length: count }, (_, k) => k * sizeOf(x.shape));
    const from = g.array(starts, [count, ...index.shape.map(() => 1)]);
    return g.take(x.node, g.broadcast(g.add(index.node, from), shape));
  }
  function product3(g, count, [a, b]) {
    const [n, k] = a.shape;
    const m = b.shape[1];
    if (a.varies && b.varies) {
      const terms = g.mul(g.reshape(a.node, [count, n, k, 1]), g.reshape(b.node, [count, 1, k, m]));
      return g.sum(terms, [2]);
    }
    if (a.varies) {
      return g.reshape(g.matmul(g.reshape(a.node, [count * n, k]), b.node), [count, n, m]);
    }
    const sideBySide = g.gather(b.node, swapped(count, k, m), [k, count * m]);
    return g.gather(g.matmul(a.node, sideBySide), swapped(n, count, m), [count, n, m]);
  }
  function swapped(a, b, m) {
    const index = new Int32Array(a * b * m);
    for (let at = 0; at < index.length; at++) {
      const [j, i] = [Math.floor(at / (a * m)), Math.floor(at / m) % a];
      index[at] = (i * b + j) * m + at % m;
    }
    return index;
  }
  function joined(g, count, args) {
    const sizes = args.map(({ shape }) => sizeOf(shape));
    const total2 = sizes.reduce((sum3, size) => sum3 + size, 0);
    const index = new Int32Array(count * total2);
    let [start, at] = [0, 0];
    args.forEach(({ varies: varies3 }, a) => {
      for (let k = 0; k < count; k++) {
        const from = varies3 ? start + k * sizes[a] : start;
        for (let i = 0; i < sizes[a]; i++) index[k * total2 + at + i] = from + i;
      }
      start += varies3 ? count * sizes[a] : sizes[a];
      at += sizes[a];
    });
    return g.gather(g.join(args.map(({ node }) => node)), index, [count, total2]);
  }

  // src/density/remade.ts
  function remade(g, node, args) {
    switch (node.kind) {
      case "map":
        return g.map(node.op, ...args);
      case "reduce":
        return g.reduce(node.op, args[0], node.axes);
      case "scan":
        return g.scan(node.op, args[0], node.axis);
      case "reshape":
        return g.reshape(args[0], node.shape);
      case "gather":
        return g.gather(args[0], node.index, node.shape);
      case "scatter":
        return g.scatter(args[0], node.index, node.shape);
      case "take":
        return g.take(args[0], args[1]);
      case "join":
        return g.join(args, node.shape);
      case "matmul":
        return g.matmul(args[0], args[1]);
      case "cholesky":
        return g.cholesky(args[0]);
      case "solve":
        return g.solve(args[0], args[1], node.transposed);
      default:
        throw new Error(`internal: a ${node.kind} has no arguments`);
    }
  }

  // src/density/rewrite_logs.ts
  function rewriteLog(g, op, x) {
    return op === "log" ? logarithm2(g, x) : logOfOnePlus(g, x);
  }
  function logarithm2(g, x) {
    const node = g.nodes[x];
    if (node.kind === "reduce" && node.op === "sum") return logOfSum(g, node.args[0], node.axes);
    if (node.kind !== "map") return void 0;
    const [a, b] = node.args;
    switch (node.op) {
      case "exp":
        return a;
      case "sigmoid":
        return g.neg(g.map("softplus", g.neg(a)));
      case "sqrt":
        return g.mul(g.scalar(0.5), g.log(a));
      case "div":
        return g.constantOf(a) === 1 && sameShape(g.shapeOf(b), node.shape) ? g.neg(g.log(b)) : void 0;
      case "pow":
        return g.isPositive(a) ? g.mul(b, g.log(a)) : void 0;
      case "add":
        if (g.constantOf(a) === 1) return g.asMap(b, "exp") && g.map("log1p", b);
        if (g.constantOf(b) === 1) return g.asMap(a, "exp") && g.map("log1p", a);
        return logOfTwo2(g, a, b);
      case "sub":
        return g.constantOf(a) === 1 ? logOfOneMinus(g, b) : void 0;
      case "where":
        return isPower(g, x) ? g.where(a, g.log(b), g.log(node.args[2])) : void 0;
      case "mul": {
        const [factor2, rest] = g.factored(x);
        const parts = rest !== x && g.isPositive(factor2) && isPower(g, rest);
        return parts ? g.add(g.log(factor2), g.log(rest)) : void 0;
      }
      default:
        return void 0;
    }
  }
  function isPower(g, x) {
    const node = g.nodes[x];
    if (node.kind !== "map") return false;
    const [, yes, no] = node.args;
    const known5 = (branch) => g.nodes[branch].kind === "constant" || isPower(g, branch);
    return node.op === "exp" || node.op === "where" && known5(yes) && known5(no);
  }
  function logOfOnePlus(g, x) {
    const exponential4 = g.asMap(x, "exp");
    if (exponential4) return g.map("softplus", exponential4.args[0]);
    const [factor2, rest] = g.factored(x);
    return g.constantOf(factor2) === -1 && rest !== x ? logOfOneMinus(g, rest) : void 0;
  }
  function logOfOneMinus(g, x) {
    const sigmoid3 = g.asMap(x, "sigmoid");
    if (sigmoid3) return g.neg(g.map("softplus", sigmoid3.args[0]));
    const exponential4 = g.asMap(x, "exp");
    return exponential4 && g.map("log1mexp", exponential4.args[0]);
  }
  var ln22 = 0.6931471805599453;
  function logOfTwo2(g, a, b) {
    const [x, y] = [g.asMap(a, "exp")?.args[0], g.asMap(b, "exp")?.args[0]];
    if (x === void 0 || y === void 0) return void 0;
    const gap = g.neg(g.map("abs", g.sub(x, y)));
    const apart = g.add(g.map("maximum", x, y), g.map("softplus", gap));
    const middle = g.add(g.mul(g.scalar(0.5), g.add(x, y)), g.scalar(ln22));
    return g.where(g.map("eq", x, y), middle, apart);
  }
  function logOfSum(g, summand, axes) {
    const x = g.asMap(summand, "exp")?.args[0];
    if (x === void 0) return void 0;
    const shape = g.shapeOf(x);
    const most2 = g.map("floor", g.reduce("max", x, axes));
    const kept2 = g.reshape(most2, shape.map((extent, i) => axes.includes(i) ? 1 : extent));
    const finite2 = g.map("lt", g.map("abs", kept2), g.scalar(Infinity));
    const shifted = g.sub(x, g.where(finite2, kept2, g.scalar(0)));
    const sum3 = g.plainSum(g.exp(shifted), axes);
    const isFinite = g.reshape(finite2, g.shapeOf(most2));
    return g.where(isFinite, g.add(g.plainMap("log", [sum3]), most2), most2);
  }
  function rewritePower(g, x, y) {
    if (!sameShape(g.shapeOf(x), g.shapeOf(g.plainMap("pow", [x, y])))) return general(g, x, y);
    const square4 = () => g.mul(x, x);
    switch (g.constantOf(y)) {
      case 3:
        return g.mul(square4(), x);
      case 4:
        return g.mul(square4(), square4());
      case -2:
        return g.div(g.scalar(1), square4());
      case -0.5:
        return g.div(g.scalar(1), g.map("sqrt", x));
      case 1.5:
        return g.mul(x, g.map("sqrt", x));
      case 0:
      case 0.5:
      case 1:
      case 2:
      case -1:
        return void 0;
      default:
        return general(g, x, y);
    }
  }
  function general(g, x, y) {
    if (g.isPositive(x)) return g.exp(g.mul(y, g.log(x)));
    return varies(g, y) ? byLogarithm(g, x, y) : void 0;
  }
  function byLogarithm(g, x, y) {
    const isZero = g.map("eq", x, g.scalar(0));
    const safe = g.where(isZero, g.scalar(1), x);
    return g.where(isZero, powerOfZero(g, y), g.exp(g.mul(y, g.log(safe))));
  }
  function powerOfZero(g, y) {
    const zero2 = g.scalar(0);
    const below2 = g.where(g.map("lt", y, zero2), g.scalar(Infinity), g.exp(y));
    return g.where(g.map("gt", y, zero2), zero2, below2);
  }
  var smooth = /* @__PURE__ */ new Set(
    ["neg", "exp", "log", "log1p", "sqrt", "sigmoid", "softplus", "tanh", "add", "sub", "mul", "div"]
  );
  function varies(g, y) {
    const node = g.nodes[y];
    if (node.kind === "input") return true;
    const passes = node.kind === "reshape" || node.kind === "gather" || node.kind === "map" && smooth.has(node.op);
    if (!passes) return false;
    return node.args.every((arg) => g.isHost(arg) || varies(g, arg)) && node.args.some((arg) => varies(g, arg));
  }

  // src/density/rewrite_products.ts
  function rewriteProduct(g, op, a, b) {
    switch (op) {
      case "neg":
        return rewriteNegation(g, a);
      case "mul":
        return rewriteMul(g, a, b);
      case "div":
        return rewriteDiv(g, a, b);
      default:
        return rewriteAdd(g, op, a, b);
    }
  }
  function rewriteNegation(g, x) {
    const difference = g.asMap(x, "sub");
    if (difference && !g.isScalar(x)) return g.sub(difference.args[1], difference.args[0]);
    const [factor2, rest] = g.factored(x);
    if (rest !== x) return g.mul(g.neg(factor2), rest);
    return g.isScalar(x) ? void 0 : g.plainMap("mul", [g.scalar(-1), x]);
  }
  function scales(g, s, v) {
    return g.isScalar(s) && g.shapeOf(s).length <= g.shapeOf(v).length;
  }
  function rewriteMul(g, a, b) {
    if (scales(g, a, b) && (!g.isScalar(b) || isConstant2(g, a))) return scaled2(g, a, b);
    if (scales(g, b, a)) return scaled2(g, b, a);
    if (scales(g, a, b)) return scaled2(g, a, b);
    const [s, v] = g.factored(a);
    const [t, w] = g.factored(b);
    if (v === a && w === b) return void 0;
    return g.mul(g.mul(s, t), g.mul(v, w));
  }
  function isConstant2(g, x) {
    return g.nodes[x].kind === "constant";
  }
  function scaled2(g, s, v) {
    if (g.constantOf(s) === 1) return v;
    if (g.isScalar(v) && g.nodes[s].kind !== "constant") {
      const [c, x] = g.factored(s);
      const [d, y] = g.factored(v);
      if (x === s && y === v) return void 0;
      return g.mul(g.mul(c, d), g.mul(x, y));
    }
    const [t, w] = g.factored(v);
    if (w !== v) return g.mul(g.mul(s, t), w);
    const quotient = g.asMap(v, "div");
    if (quotient && g.isScalar(v) && g.nodes[quotient.args[0]].kind === "constant") {
      return g.div(g.mul(s, quotient.args[0]), quotient.args[1]);
    }
    return g.isScalar(v) ? void 0 : g.plainMap("mul", [s, v]);
  }
  function rewriteDiv(g, a, b) {
    const one3 = g.scalar(1);
    if (a === b) return g.broadcast(one3, g.shapeOf(a));
    if (g.constantOf(b) !== void 0 && scales(g, b, a)) return g.mul(g.div(one3, b), a);
    if (g.isScalar(a) && g.isScalar(b)) return void 0;
    if (scales(g, b, a)) return g.mul(g.div(one3, b), a);
    if (scales(g, a, b) && g.constantOf(a) !== 1) return g.mul(a, g.div(one3, b));
    const [s, v] = g.factored(a);
    const [t, w] = g.factored(b);
    if (v === a && w === b) return void 0;
    return g.mul(g.div(s, t), g.div(v, w));
  }
  function rewriteAdd(g, op, a, b) {
    if (op === "sub") {
      const sigmoid3 = g.constantOf(a) === 1 ? g.asMap(b, "sigmoid") : void 0;
      if (sigmoid3 && g.isScalar(a)) return g.map("sigmoid", g.neg(sigmoid3.args[0]));
    }
    if (a === b && op === "add") return g.mul(g.scalar(2), a);
    if (op === "sub" && g.constantOf(a) === 0 && scales(g, a, b)) return g.neg(b);
    const [s, v] = g.factored(a);
    const [t, w] = g.factored(b);
    const constants3 = g.constantOf(s) !== void 0 && g.constantOf(t) !== void 0;
    if (s === t && v !== a && w !== b && !constants3) return g.mul(s, g.map(op, v, w));
    const flip2 = op === "add" ? "sub" : "add";
    if (g.constantOf(t) === -1 && w !== b) return g.map(flip2, a, w);
    if (g.constantOf(s) === -1 && v !== a) {
      return op === "add" ? g.sub(b, v) : g.neg(g.add(v, b));
    }
    if (s === t && v !== a && w !== b) return g.mul(s, g.map(op, v, w));
    const opposite = v !== a && w !== b && isNegative(g, s, t);
    if (opposite) return g.mul(s, g.map(flip2, v, w));
    return addedConstants(g, op, a, b);
  }
  function isNegative(g, s, t) {
    const [c, x] = g.factored(s);
    const [d, y] = g.factored(t);
    const signs = [g.constantOf(c), g.constantOf(d)];
    return x === y && g.constantOf(x) === void 0 && signs[0] === -signs[1];
  }
  function addedConstants(g, op, a, b) {
    const inner = g.asMap(a, "add");
    if (!inner || g.constantOf(b) === void 0 || !scales(g, b, a)) return void 0;
    const at = inner.args.findIndex((arg) => g.constantOf(arg) !== void 0 && g.isScalar(arg));
    if (at < 0 || g.shapeOf(inner.args[1 - at]).length !== g.shapeOf(a).length) return void 0;
    return g.add(inner.args[1 - at], g.map(op, inner.args[at], b));
  }

  // src/density/rewrite_sums.ts
  function rewriteSum(g, x, axes) {
    const product4 = asMatrixProduct(g, x, axes);
    if (product4 !== void 0) return product4;
    const sum3 = new Decomposition(g, x, axes);
    return sum3.trivial ? void 0 : sum3.build();
  }
  var Decomposition = class {
    constructor(g, x, axes) {
      this.g = g;
      this.x = x;
      this.axes = axes;
      this.#count = axes.reduce((count, axis) => count * g.shapeOf(x)[axis], 1);
      this.#collect(x, g.scalar(1), 1);
    }
    g;
    x;
    axes;
    #groups = [];
    #others = [];
    #count;
    /** Nothing was taken apart. */
    get trivial() {
      const [only, ...rest] = this.#groups;
      return this.#others.length === 0 && rest.length === 0 && only?.terms.length === 1 && only.terms[0].node === this.x;
    }
    #collect(x, factor2, sign2) {
      const { g } = this;
      const node = g.nodes[x];
      if (g.isScalar(x)) return this.#scalar(g.mul(factor2, g.mul(g.scalar(this.#count), x)), sign2);
      const number3 = g.uniform(x);
      if (number3 !== void 0) return this.#collect(number3, factor2, sign2);
      if (!g.splitsSums && x !== this.x) return this.#array(x, factor2, sign2);
      if (node.kind === "constant" && node.values.every(Number.isFinite)) {
        return this.#scalar(g.mul(factor2, g.plainSum(x, this.axes)), sign2);
      }
      const [s, v] = g.factored(x);
      if (v !== x && this.#fits(v)) return this.#collect(v, g.mul(factor2, s), sign2);
      if (g.splitsSums && node.kind === "map" && (node.op === "add" || node.op === "sub")) {
        const [a, b] = node.args;
        if (this.#fits(a) && this.#fits(b)) {
          this.#collect(a, factor2, sign2);
          return this.#collect(b, factor2, node.op === "add" ? sign2 : sign2 === 1 ? -1 : 1);
        }
      }
      if (node.kind === "map" && node.op === "where" && g.isScalar(node.args[0])) {
        const [c, a, b] = node.args;
        if (this.#fits(a) && this.#fits(b)) {
          return this.#scalar(g.mul(factor2, g.where(c, this.#sumOf(a), this.#sumOf(b))), sign2);
        }
      }
      const choice = this.#counted(x);
      if (choice !== void 0) return this.#scalar(g.mul(factor2, choice), sign2);
      this.#array(x, factor2, sign2);
    }
    /** Σ of a choice, known from data, between two numbers: each as often as it is chosen. */
    #counted(x) {
      const { g } = this;
      const node = g.asMap(x, "where");
      if (!node || this.axes.length < g.shapeOf(x).length) return void 0;
      const [c, a, b] = node.args;
      const condition2 = g.nodes[c];
      if (condition2.kind !== "constant" || !g.isScalar(a) || !g.isScalar(b)) return void 0;
      const chosen = condition2.values.reduce((count, value) => value === 0 ? count : count + 1, 0);
      const times3 = this.#count / condition2.values.length;
      const part = (count, y) => count === 0 ? g.scalar(0) : g.mul(g.scalar(count * times3), g.reshape(y, []));
      return g.add(part(chosen, a), part(condition2.values.length - chosen, b));
    }
    #fits(v) {
      const { g } = this;
      if (g.isScalar(v)) return g.shapeOf(v).length <= g.shapeOf(this.x).length;
      return sameShape(g.shapeOf(v), g.shapeOf(this.x));
    }
    #sumOf(v) {
      const { g } = this;
      return g.isScalar(v) ? g.mul(g.scalar(this.#count), g.reshape(v, [])) : g.sum(v, this.axes);
    }
    #scalar(node, sign2) {
      const { g } = this;
      this.#others.push({ sign: sign2, node: g.isScalar(node) ? g.reshape(node, []) : node });
    }
    #array(node, factor2, sign2) {
      const shape = this.g.isScalar(factor2) ? this.g.reshape(factor2, []) : factor2;
      const group = this.#groups.find((one3) => one3.factor === shape);
      if (group) group.terms.push({ sign: sign2, node });
      else this.#groups.push({ factor: shape, terms: [{ sign: sign2, node }] });
    }
    build() {
      const { g } = this;
      let total2;
      for (const { factor: factor2, terms } of this.#groups) {
        total2 = joined2(g, total2, g.mul(factor2, g.plainSum(signedSum(g, terms), this.axes)), 1);
      }
      for (const { node, sign: sign2 } of this.#others) total2 = joined2(g, total2, node, sign2);
      return this.#shaped(total2);
    }
    /** Scalars alone do not know the shape of the sum. */
    #shaped(total2) {
      const shape = this.g.shapeOf(this.x).filter((_, i) => !this.axes.includes(i));
      return sizeOf(shape) === sizeOf(this.g.shapeOf(total2)) ? this.g.reshape(total2, shape) : this.g.broadcast(total2, shape);
    }
  };
  function joined2(g, total2, node, sign2) {
    if (total2 === void 0) return sign2 === 1 ? node : g.neg(node);
    return g.map(sign2 === 1 ? "add" : "sub", total2, node);
  }
  function signedSum(g, terms) {
    const ordered = [...terms].sort((a, b) => b.sign - a.sign);
    return ordered.reduce(
      (total2, { node, sign: sign2 }) => {
        if (total2 === void 0) return sign2 === 1 ? node : g.plainMap("mul", [g.scalar(-1), node]);
        return g.plainMap(sign2 === 1 ? "add" : "sub", [total2, node]);
      },
      void 0
    );
  }
  function asMatrixProduct(g, x, axes) {
    const product4 = g.asMap(x, "mul");
    const [n, k] = g.shapeOf(x);
    if (!product4 || g.shapeOf(x).length !== 2 || axes.length !== 1 || axes[0] !== 1) return void 0;
    const at = product4.args.findIndex(
      (arg) => g.nodes[arg].kind === "constant" && sizeOf(g.shapeOf(arg)) === n * k
    );
    const other = product4.args[1 - at];
    if (at < 0 || n === 1 || sizeOf(g.shapeOf(other)) !== k || g.shapeOf(other).at(-1) !== k) {
      return void 0;
    }
    return g.reshape(g.matmul(product4.args[at], g.reshape(other, [k, 1])), [n]);
  }

  // src/density/simplify.ts
  var SimplifyingBuilder = class extends GraphBuilder {
    #uniform = /* @__PURE__ */ new Map();
    /**
     * Whether sums are taken term by term. Not so in gradients: there, terms cancel near a mode, and
     * each sum of them on its own would keep a rounding error of their size.
     */
    splitsSums = true;
    constructor(columns) {
      super(columns);
    }
    /** Whether all elements are positive for certain. */
    isPositive(x) {
      return knownPositive(this, x);
    }
    /** Whether a node has one element. */
    isScalar(x) {
      return sizeOf(this.shapeOf(x)) === 1;
    }
    /** The node, if it is this elementwise operation. */
    asMap(x, op) {
      const node = this.nodes[x];
      return node.kind === "map" && node.op === op ? node : void 0;
    }
    map(op, ...args) {
      return this.#gathered(op, args) ?? this.#rewritten(op, args) ?? this.plainMap(op, args);
    }
    /** The number that all elements of an array are equal to. */
    uniform(x) {
      if (!this.#uniform.has(x)) this.#uniform.set(x, this.#lookUniform(x));
      return this.#uniform.get(x);
    }
    #lookUniform(x) {
      if (this.isScalar(x)) return void 0;
      const node = this.nodes[x];
      if (node.kind === "reshape") return this.uniform(node.args[0]);
      if (node.kind === "gather" && this.isScalar(node.args[0])) {
        return node.index.every((at) => at === 0) ? this.reshape(node.args[0], []) : void 0;
      }
      const value = this.constantOf(x);
      return value === void 0 ? void 0 : this.scalar(value);
    }
    /** Arrays of equal elements are computed as numbers, and become arrays afterwards. */
    #gathered(op, args) {
      if (!args.some((arg) => this.uniform(arg) !== void 0)) return void 0;
      const shape = this.#shapeOfAll(...args);
      const made = this.map(op, ...args.map((arg) => this.uniform(arg) ?? arg));
      return this.broadcast(made, shape);
    }
    /** The operation as it is, with nothing but folding. */
    plainMap(op, args) {
      const call2 = super.map;
      return call2.call(this, op, ...args);
    }
    #rewritten(op, args) {
      if (args.every((arg) => this.nodes[arg].kind === "constant")) return void 0;
      const [a, b, c] = args;
      switch (op) {
        case "neg":
        case "mul":
        case "div":
        case "add":
        case "sub":
          return rewriteProduct(this, op, a, b);
        case "log":
        case "log1p":
          return rewriteLog(this, op, a);
        case "exp":
          return this.#exponential(a);
        case "sqrt":
          return this.#root(a);
        case "abs":
          return this.#size(a);
        case "pow":
          return rewritePower(this, a, b);
        case "where":
          return this.#choice(a, b, c);
        default:
          return void 0;
      }
    }
    /** e^(log x) = x for positive x. */
    #exponential(x) {
      const inner = this.asMap(x, "log")?.args[0];
      return inner !== void 0 && this.isPositive(inner) ? inner : void 0;
    }
    /** √(x · x) = |x|. */
    #root(x) {
      const product4 = this.asMap(x, "mul");
      if (!product4 || product4.args[0] !== product4.args[1]) return void 0;
      return this.map("abs", product4.args[0]);
    }
    /** |−x| = |x|, and |x| = x for positive x. */
    #size(x) {
      if (this.isPositive(x)) return x;
      const [factor2, rest] = this.factored(x);
      return rest !== x && this.constantOf(factor2) === -1 ? this.map("abs", rest) : void 0;
    }
    /**
     * A choice known from data between one operation on two arguments is that operation on a chosen
     * argument; a choice between multiples of one array is a multiple of it.
     */
    #choice(condition2, yes, no) {
      if (yes === no) return this.broadcast(yes, this.#shapeOfAll(condition2, yes, no));
      if (this.nodes[condition2].kind !== "constant") return void 0;
      if (this.isScalar(yes) && this.isScalar(no)) return void 0;
      const [a, b] = [this.nodes[yes], this.nodes[no]];
      if (a.kind === "map" && b.kind === "map" && a.op === b.op && a.args.length === 1) {
        return this.map(a.op, this.map("where", condition2, a.args[0], b.args[0]));
      }
      const [s, x] = this.factored(yes);
      const [t, y] = this.factored(no);
      const known5 = this.constantOf(s) !== void 0 && this.constantOf(t) !== void 0;
      if (!known5 || x !== y || this.nodes[x].kind === "constant") return void 0;
      return this.map("mul", this.plainMap("where", [condition2, s, t]), x);
    }
    /** A node as a scalar factor (of a scalar: a constant factor) times the rest. */
    factored(x) {
      const node = this.nodes[x];
      if (node.kind !== "map") return [this.scalar(1), x];
      if (node.op === "neg") return [this.scalar(-1), node.args[0]];
      if (node.op === "mul") {
        const [a, b] = node.args;
        if (this.#isFactor(a, b, x)) return [a, b];
        if (this.#isFactor(b, a, x)) return [b, a];
      }
      return [this.scalar(1), x];
    }
    #isFactor(s, rest, product4) {
      if (!this.isScalar(s) || !sameShape(this.shapeOf(rest), this.shapeOf(product4))) return false;
      return this.nodes[s].kind === "constant" || !this.isScalar(product4);
    }
    #shapeOfAll(...nodes) {
      const shape = broadcastShapes(...nodes.map((x) => this.shapeOf(x)));
      if (!shape) throw new Error("internal: shapes that do not broadcast");
      return shape;
    }
    reduce(op, x, axes) {
      const shape = this.shapeOf(x);
      const all = axes ?? shape.map((_, i) => i);
      if (all.length > 0 && all.every((axis) => shape[axis] === 1)) {
        return this.reshape(x, shape.filter((_, i) => !all.includes(i)));
      }
      if (op === "sum" && this.nodes[x].kind !== "constant") {
        const simpler = rewriteSum(this, x, [...all].sort((p, q) => p - q));
        if (simpler !== void 0) return simpler;
      }
      const number3 = op === "max" || op === "min" ? this.uniform(x) : void 0;
      if (number3 !== void 0) {
        return this.broadcast(number3, shape.filter((_, i) => !all.includes(i)));
      }
      if (op === "prod" && all.length > 1) return this.#productByAxes(x, all);
      return super.reduce(op, x, all);
    }
    /** A sum that nothing more is to be taken out of. */
    plainSum(x, axes) {
      return super.reduce("sum", x, axes);
    }
    #productByAxes(x, axes) {
      return [...axes].sort((a, b) => b - a).reduce(
        (left, axis) => this.reduce("prod", left, [axis]),
        x
      );
    }
    take(x, index) {
      const known5 = this.nodes[index];
      if (known5.kind !== "constant") return super.take(x, index);
      return this.gather(x, Int32Array.from(known5.values), known5.shape);
    }
    /** Gathers of gathers are one; of a scalar that is everywhere the same, nothing is moved. */
    gather(x, index, shape) {
      const node = this.nodes[x];
      if (node.kind === "reshape") return this.gather(node.args[0], index, shape);
      if (node.kind !== "gather") return super.gather(x, index, shape);
      const through = index.map((at) => at < 0 ? -1 : node.index[at]);
      return super.gather(node.args[0], through, shape);
    }
    /** A permutation is put back by a gather. */
    scatter(x, index, shape) {
      const inverse3 = inverseOf(index, sizeOf(shape));
      return inverse3 ? this.gather(x, inverse3, shape) : super.scatter(x, index, shape);
    }
    reshape(x, shape) {
      const node = this.nodes[x];
      if (node.kind === "gather" && !sameShape(node.shape, shape)) {
        return this.gather(node.args[0], node.index, shape);
      }
      return super.reshape(x, shape);
    }
  };
  function inverseOf(index, size) {
    if (index.length !== size) return void 0;
    const inverse3 = new Int32Array(size).fill(-1);
    for (let i = 0; i < size; i++) {
      const at = index[i];
      if (at < 0 || inverse3[at] >= 0) return void 0;
      inverse3[at] = i;
    }
    return inverse3;
  }

  // src/density/assemble.ts
  function assemble(program, dataset) {
    return new Assembly(program, dataset).build();
  }
  var Assembly = class {
    constructor(program, dataset) {
      this.program = program;
      this.dataset = dataset;
      this.#varies = dependsOnDiscrete(program);
      this.#discrete = discreteValues(program);
      this.#nodes = new Array(program.nodes.length).fill(void 0);
      this.#parameters = program.parameters.map(() => void 0);
      let offset = 0;
      for (const { transform, shape } of program.parameters) {
        this.#offsets.push(offset);
        offset += sizeOf(unconstrainedShape(transform, shape));
      }
      this.#dimension = offset;
    }
    program;
    dataset;
    g = new SimplifyingBuilder();
    #nodes;
    #parameters;
    #offsets = [];
    #dimension;
    /** By node of the program, whether it has the axis of the values of discrete variables. */
    #varies;
    #discrete;
    build() {
      const { g, program } = this;
      program.nodes.forEach((_, id) => this.#node(id));
      const all = program.parameters.map((_, index) => index);
      const drawn = all.filter((index) => !this.#isDiscrete(index));
      const parameters = drawn.map((index) => this.#parameter(index));
      const fixed = drawn.filter((index) => !this.#lawVaries(program.parameters[index].prior));
      const shared2 = {
        g,
        dimension: this.#dimension,
        parameters,
        observations: sizeOf(batchShape(program.likelihood.law)),
        quantities: [
          ...all.map((index) => this.#valueOf(index)),
          ...program.deterministics.map(({ node }) => this.#quantity(node))
        ]
      };
      if (drawn.length === all.length) {
        const likelihood2 = factorised(g, this.#pointwise());
        return { ...shared2, likelihood: likelihood2, logPrior: this.#logPrior(fixed) };
      }
      const jacobians = drawn.filter((index) => !fixed.includes(index)).map((index) => g.sum(this.#parameter(index).logJacobian));
      const varying = all.filter((index) => !fixed.includes(index)).map((index) => this.#priorOverValues(index));
      const prior = varying.reduce((sum3, one3) => g.add(sum3, one3));
      const terms = this.#termsOverValues();
      return {
        ...shared2,
        likelihood: summedOut(g, prior, terms),
        logPrior: jacobians.reduce((sum3, one3) => g.add(sum3, one3), this.#logPrior(fixed)),
        logWeights: g.add(prior, g.sum(terms, [1]))
      };
    }
    #logPrior(indices) {
      const { g } = this;
      return indices.reduce((sum3, k) => g.add(sum3, priorOf(g, this.#parameter(k))), g.scalar(0));
    }
    #isDiscrete(index) {
      return this.#discrete.values[index] !== void 0;
    }
    #valueOf(index) {
      const { shape } = this.program.parameters[index];
      const varies3 = this.#isDiscrete(index);
      const node = varies3 ? this.#valuesOf(index) : this.#parameter(index).value;
      return { node, shape, varies: varies3 };
    }
    /** All values of a discrete variable `[values, …shape]`. */
    #valuesOf(index) {
      const { shape } = this.program.parameters[index];
      const { values, combinations } = this.#discrete;
      return this.g.array(values[index], [combinations, ...shape]);
    }
    #quantity(id) {
      const { shape } = this.program.nodes[id];
      return { node: this.#node(id), shape, varies: this.#varies[id] };
    }
    #pointwise() {
      const { law } = this.program.likelihood;
      const batch2 = batchShape(law);
      const density = families[law.family].logDensity(this.g, this.#response(), this.#law(law));
      return this.g.reshape(this.g.broadcast(density, batch2), [sizeOf(batch2)]);
    }
    #response() {
      const { column, law } = this.program.likelihood;
      return this.g.array(this.#column(column), law.shape);
    }
    /** log p(y_i | θ, z) for every value of z `[values, observations]`. */
    #termsOverValues() {
      const { law } = this.program.likelihood;
      const { combinations } = this.#discrete;
      const density = families[law.family].logDensity(this.g, this.#response(), this.#lawOver(law));
      const batch2 = batchShape(law);
      return this.g.reshape(this.g.broadcast(density, [combinations, ...batch2]), [
        combinations,
        sizeOf(batch2)
      ]);
    }
    /** log p of a parameter, or of a discrete variable, for every value of z `[values]`. */
    #priorOverValues(index) {
      const { g } = this;
      const { prior, shape } = this.program.parameters[index];
      const { combinations } = this.#discrete;
      const value = this.#isDiscrete(index) ? this.#valuesOf(index) : this.#parameter(index).value;
      const density = families[prior.family].logDensity(g, value, this.#lawOver(prior));
      const whole2 = g.broadcast(density, [combinations, ...shape]);
      return g.sum(whole2, shape.map((_, axis) => axis + 1));
    }
    #lawVaries({ args, components: components2 }) {
      return args.some((id) => this.#varies[id]) || (components2?.some((one3) => this.#lawVaries(one3)) ?? false);
    }
    /** A law with the axis of values in front. */
    #lawOver(law) {
      const ranks = families[law.family].parameterRanks;
      const args = law.args.map((id, i) => {
        const { shape: shape2 } = this.program.nodes[id];
        const argument2 = { node: this.#node(id), shape: shape2, varies: this.#varies[id] };
        return alignedTo(this.g, argument2, law.shape.length + ranks[i]);
      });
      const components2 = law.components?.map((one3) => this.#lawOver(one3));
      const shape = [this.#discrete.combinations, ...law.shape];
      return { ...law, args, shape, ...components2 && { components: components2 } };
    }
    #column(name2) {
      const column = this.dataset.columns.find((one3) => one3.name === name2);
      if (!column) throw new Error(`internal: a checked program reads unknown column ${name2}`);
      return column.values;
    }
    #law(law) {
      const args = law.args.map((id) => this.#node(id));
      const components2 = law.components?.map((one3) => this.#law(one3));
      return { ...law, args, ...components2 && { components: components2 } };
    }
    /** The law of what a non-centred value is made of. */
    #standard(transform, prior) {
      const { g } = this;
      if (transform.kind === "linear") {
        return { family: "normal", args: [g.scalar(0), g.scalar(1)], shape: prior.shape };
      }
      if (transform.kind !== "affine" && transform.kind !== "walk") {
        throw new Error("internal: a law that is not to be scaled");
      }
      const { location, scale } = transform;
      const args = prior.args.map(
        (id) => id === location ? g.scalar(0) : id === scale ? g.scalar(1) : this.#node(id)
      );
      const components2 = prior.components?.map((one3) => this.#law(one3));
      return { ...prior, args, ...components2 && { components: components2 } };
    }
    #transform(transform) {
      if (transform.kind === "chain") {
        return { ...transform, parts: transform.parts.map((part) => this.#transform(part)) };
      }
      if (transform.kind === "affine" || transform.kind === "walk") {
        const { location, scale } = transform;
        return { ...transform, location: this.#node(location), scale: this.#node(scale) };
      }
      if (transform.kind === "linear") {
        const { location, factor: factor2 } = transform;
        return { ...transform, location: this.#node(location), factor: this.#node(factor2) };
      }
      if (transform.kind !== "interval") return transform;
      const { lower: lower2, upper } = transform;
      return { ...transform, lower: this.#node(lower2), upper: this.#node(upper) };
    }
    #parameter(index) {
      return this.#parameters[index] ??= this.#place(index);
    }
    #place(index) {
      const { g } = this;
      const { shape, prior, transform: named2 } = this.program.parameters[index];
      const transform = this.#transform(named2);
      const unconstrained2 = unconstrainedShape(transform, shape);
      const offset = this.#offsets[index];
      const input = g.input(offset, unconstrained2);
      const value = forward(g, transform, input);
      const walk2 = transform.kind === "walk";
      const moved4 = walk2 || transform.kind === "affine" || transform.kind === "linear";
      const law = () => moved4 ? this.#standard(named2, prior) : this.#law(prior);
      return {
        input,
        offset,
        size: sizeOf(unconstrained2),
        value,
        // The sums of a walk's steps are a walk; they are as wide as the steps.
        drawn: walk2 ? g.scan("cumsum", input, shape.length - 1) : moved4 ? input : value,
        logJacobian: moved4 ? g.scalar(0) : logJacobian(g, transform, input),
        transform,
        get prior() {
          return law();
        }
      };
    }
    #node(id) {
      return this.#nodes[id] ??= this.#translated(this.program.nodes[id]);
    }
    #translated(node) {
      const { g } = this;
      const args = node.args.map((arg) => this.#node(arg));
      if (node.args.some((arg) => this.#varies[arg])) {
        const given2 = node.args.map((arg, i) => ({
          node: args[i],
          shape: this.program.nodes[arg].shape,
          varies: this.#varies[arg]
        }));
        return overValues(g, this.#discrete.combinations, node, given2);
      }
      switch (node.kind) {
        case "constant":
          return g.array(node.values, node.shape);
        case "column":
          return g.array(this.#column(node.column), node.shape);
        case "parameter":
          return this.#valueOf(node.parameter).node;
        case "input":
          throw new Error("internal: a checked program has no unconstrained inputs");
        default:
          return remade(g, node, args);
      }
    }
  };
  function batchShape(law) {
    return law.shape.slice(0, law.shape.length - eventRankOf(law));
  }
  function priorOf(g, { drawn, prior, logJacobian: logJacobian2 }) {
    return g.add(g.sum(priorByElement(g, drawn, prior)), g.sum(logJacobian2));
  }
  function priorByElement(g, value, prior) {
    const density = families[prior.family].logDensity(g, value, prior);
    return g.broadcast(density, batchShape(prior));
  }

  // src/density/discrete_draws.ts
  function drawValue(position2, logWeights, first2, count) {
    let largest2 = -Infinity;
    for (let k = 0; k < count; k++) largest2 = Math.max(largest2, logWeights[first2 + k]);
    let total2 = 0;
    for (let k = 0; k < count; k++) total2 += exp(logWeights[first2 + k] - largest2);
    let left = total2 * new RandomStream("discrete", ...position2).uniform();
    for (let k = 0; k < count - 1; k++) {
      left -= exp(logWeights[first2 + k] - largest2);
      if (left < 0) return k;
    }
    return count - 1;
  }

  // src/density/evaluator.ts
  function reachable2(nodes, roots) {
    const needed = new Uint8Array(nodes.length);
    let last = -1;
    for (const root of roots) {
      needed[root] = 1;
      if (root > last) last = root;
    }
    const found = [];
    for (let id = last; id >= 0; id--) {
      if (needed[id] === 0) continue;
      found.push(id);
      for (const arg of nodes[id].args) needed[arg] = 1;
    }
    return found.reverse();
  }

  // src/density/kernels.ts
  function kernelOf(node, args, out) {
    switch (node.kind) {
      case "map":
        return mapKernel(node, args, out);
      case "reduce":
        return reduceKernel(node, args[0], out);
      case "scan":
        return scanKernel(node, args[0].values, out);
      default:
        return () => evaluateInto(node, args, out);
    }
  }
  function reduceKernel(node, { shape, values }, out) {
    const { bases, offsets } = reductionPlan(shape, node.axes);
    const step = offsets.length > 1 ? offsets[1] - offsets[0] : 1;
    const even = offsets.every((offset, i) => offset === offsets[0] + i * step);
    if (node.op !== "sum" || !even) return () => evaluateInto(node, [{ shape, values }], out);
    return () => {
      for (let k = 0; k < bases.length; k++) {
        out[k] = sumInOrder(values, bases[k], offsets.length, step);
      }
    };
  }
  function scanKernel(node, values, out) {
    const stride = stridesOf(node.shape)[node.axis];
    const length2 = node.shape[node.axis] * stride;
    const isSum = node.op === "cumsum";
    return () => {
      for (let block2 = 0; block2 < out.length; block2 += length2) {
        for (let i = block2; i < block2 + stride; i++) out[i] = isSum ? 0 + values[i] : values[i];
        for (let i = block2 + stride; i < block2 + length2; i++) {
          out[i] = isSum ? out[i - stride] + values[i] : out[i - stride] * values[i];
        }
      }
    };
  }
  function mapKernel(node, args, out) {
    const spread4 = args.map((arg) => spreadOperand(arg, node.shape));
    const [a, b, c] = spread4.map(({ operand }) => operand);
    const kernel = elementKernel(node, out, a, b, c);
    const moves = spread4.flatMap(({ move }) => move ?? []);
    if (moves.length === 0) return kernel;
    return () => {
      for (const move of moves) move();
      kernel();
    };
  }
  function spreadOperand({ shape, values }, to) {
    if (values.length === 1) return { operand: { values, stride: 0 } };
    if (sameShape(shape, to) || values.length === sizeOf(to)) {
      return { operand: { values, stride: 1 } };
    }
    const index = broadcastIndex(shape, to);
    const copy = new Float64Array(index.length);
    const move = () => {
      for (let i = 0; i < index.length; i++) copy[i] = values[index[i]];
    };
    return { operand: { values: copy, stride: 1 }, move };
  }
  function elementKernel({ op, args }, out, a, b, c) {
    if (args.length === 1) return unaryKernel(applyUnary[op], out, a);
    if (args.length === 2) {
      return binaryKernels[op]?.(out, a, b) ?? binaryKernel(applyBinary[op], out, a, b);
    }
    return ternaryKernel(applyTernary[op], out, a, b, c);
  }
  function unaryKernel(f, out, a) {
    return () => {
      for (let i = 0; i < out.length; i++) out[i] = f(a.values[i * a.stride]);
    };
  }
  function binaryKernel(f, out, a, b) {
    return () => {
      for (let i = 0; i < out.length; i++) {
        out[i] = f(a.values[i * a.stride], b.values[i * b.stride]);
      }
    };
  }
  function ternaryKernel(f, out, a, b, c) {
    return () => {
      for (let i = 0; i < out.length; i++) {
        out[i] = f(a.values[i * a.stride], b.values[i * b.stride], c.values[i * c.stride]);
      }
    };
  }
  var binaryKernels = {
    add: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
      for (let i = 0; i < out.length; i++) out[i] = x[i * s] + y[i * t];
    },
    sub: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
      for (let i = 0; i < out.length; i++) out[i] = x[i * s] - y[i * t];
    },
    mul: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
      for (let i = 0; i < out.length; i++) out[i] = x[i * s] * y[i * t];
    },
    div: (out, { values: x, stride: s }, { values: y, stride: t }) => () => {
      for (let i = 0; i < out.length; i++) out[i] = x[i * s] / y[i * t];
    }
  };

  // src/density/plain.ts
  function plainEvaluator(plan) {
    return new PlainEvaluator(plan);
  }
  var PlainEvaluator = class {
    constructor(plan) {
      this.plan = plan;
      this.#tasks = plan.tasks.map(() => void 0);
    }
    plan;
    #values = /* @__PURE__ */ new Map();
    #tasks;
    run(task, position2, offset) {
      const { inputs, steps, out, places: places2, roots } = this.#task(task);
      for (const input of inputs) {
        const { values } = input;
        const begin3 = offset + input.offset;
        for (let i = 0; i < values.length; i++) values[i] = position2[begin3 + i];
      }
      for (const step of steps) step();
      roots.forEach((values, k) => out.set(values, places2[k]));
      return out;
    }
    places(task) {
      return this.#task(task).places;
    }
    #task(index) {
      return this.#tasks[index] ??= this.#prepare(this.plan.tasks[index]);
    }
    #prepare(ids) {
      const { nodes } = this.plan;
      const order = reachable2(nodes, ids);
      const inputs = order.flatMap((id) => {
        const node = nodes[id];
        return node.kind === "input" ? [{ offset: node.offset, values: this.#valuesOf(id) }] : [];
      });
      const steps = order.flatMap((id) => {
        const node = nodes[id];
        const leaf = node.kind === "constant" || node.kind === "input";
        return leaf ? [] : [this.#step(node, this.#valuesOf(id))];
      });
      const roots = ids.map((id) => this.#valuesOf(id));
      const places2 = new Int32Array(ids.length);
      let total2 = 0;
      roots.forEach(({ length: length2 }, k) => {
        places2[k] = total2;
        total2 += length2;
      });
      return { inputs, steps, out: new Float64Array(total2), places: places2, roots };
    }
    #valuesOf(id) {
      const known5 = this.#values.get(id);
      if (known5) return known5;
      const node = this.plan.nodes[id];
      const values = node.kind === "constant" ? node.values : new Float64Array(sizeOf(node.shape));
      this.#values.set(id, values);
      return values;
    }
    #step(node, out) {
      const args = node.args.map((id) => ({
        shape: this.plan.nodes[id].shape,
        values: this.#valuesOf(id)
      }));
      return kernelOf(node, args, out);
    }
  };

  // src/math/wasm/module_cache.ts
  var mostModules = 64;
  var entries = /* @__PURE__ */ new Map();
  function moduleOf2(bytes) {
    const key = hashOf2(bytes);
    const known5 = entries.get(key);
    const same = known5 !== void 0 && equal(known5.bytes, bytes);
    const entry = same ? known5 : { bytes, module: new WebAssembly.Module(bytes) };
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > mostModules) entries.delete(entries.keys().next().value);
    return entry.module;
  }
  function hashOf2(bytes) {
    let hash = 2166136261;
    for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 16777619);
    return hash;
  }
  function equal(a, b) {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
    return true;
  }

  // src/density/wasm/gradient_writer.ts
  var mostWritten2 = 32;
  function writeGradient(task, value, parts) {
    const f = new FunctionBody(["i32", "i32"], ["f64"]);
    const [position2, gradient] = [0, 1];
    const [from, to] = [f.local("i32"), f.local("i32")];
    for (const { input, offset, size: size2 } of parts) {
      if (input === void 0) continue;
      f.get(position2).i32(8 * offset).op("i32.add").set(from).i32(input).set(to);
      copyElements(f, from, to, size2);
      const last = 8 * size2 - 8;
      if (size2 > 1 && size2 & 1) f.get(to, from).loadSplat(last).store(last);
    }
    f.call(task);
    const density = f.i32(value).loadSplat(0).hold();
    const check2 = pushNothing(f, density).hold();
    for (const { slopes, offset, size: size2 } of parts) {
      f.i32(slopes).set(from).get(gradient).i32(8 * offset).op("i32.add").set(to);
      copyElements(f, from, to, size2, check2);
    }
    f.get(check2).pair(0).simd("f64x2.eq", "i64x2.all_true");
    f.when(() => f.get(density).extract(0).op("return"));
    const size = parts.reduce((sum3, part) => sum3 + part.size, 0);
    f.get(gradient).i32(0).i32(8 * size).fill();
    return f.number(-Infinity);
  }
  function pushNothing(f, x) {
    return f.get(x, x).simd("f64x2.sub");
  }
  function copyElements(f, from, to, size, check2) {
    const pair = f.local();
    const keep2 = () => {
      f.set(pair);
      if (check2 !== void 0) pushNothing(f, pair).get(check2).simd("f64x2.add").set(check2);
    };
    const pairs = size >> 1;
    if (size <= mostWritten2) {
      for (let k = 0; k < pairs; k++) {
        f.get(from).load(16 * k);
        keep2();
        f.get(to, pair).store(16 * k);
      }
    } else {
      const at = f.local("i32");
      f.countUp(at, 16 * pairs, 16, () => {
        f.get(from, at).op("i32.add").load(0);
        keep2();
        f.get(to, at).op("i32.add").get(pair).store(0);
      });
    }
    if (size & 1) {
      f.get(from).loadSplat(8 * size - 8);
      keep2();
      f.get(to, pair).extract(0).storeNumber(8 * size - 8);
    }
  }

  // src/density/wasm/imports.ts
  var native = /* @__PURE__ */ new Set([
    "neg",
    "exp",
    "log",
    "log1p",
    "expm1",
    "tanh",
    "sqrt",
    "abs",
    "sign",
    "floor",
    "ceil",
    "sigmoid",
    "softplus",
    "not",
    "is_nan",
    "add",
    "sub",
    "mul",
    "div",
    "maximum",
    "minimum",
    "lt",
    "le",
    "gt",
    "ge",
    "eq",
    "ne",
    "and",
    "or",
    "where"
  ]);
  var calls = {
    exp: ["exp"],
    sigmoid: ["exp"],
    softplus: ["exp", "log1p"],
    log: ["log"],
    log1p: ["log1p"],
    expm1: ["expm1"],
    tanh: ["tanh"]
  };
  var hosted = {
    ...applyUnary,
    ...applyBinary,
    ...applyTernary
  };
  var FunctionTable = class {
    #names = [];
    #hasSteps;
    #own;
    /** @param ids the nodes of the module. */
    constructor(roles, ids) {
      this.#hasSteps = ids.some((id) => roles.of(id) === "hosted");
      const needed = /* @__PURE__ */ new Set();
      for (const id of ids) {
        const node = roles.nodes[id];
        if (node.kind !== "map") continue;
        for (const name2 of calls[node.op] ?? []) needed.add(name2);
        if (native.has(node.op)) continue;
        if (!this.#names.includes(node.op)) this.#names.push(node.op);
      }
      this.#own = new FunctionLibrary(needed, this.#importCount);
    }
    get #importCount() {
      return this.#names.length + (this.#hasSteps ? 1 : 0);
    }
    /** Index of the imported function of an operation on numbers. */
    imported(op) {
      const index = this.#names.indexOf(op);
      if (index < 0) throw new Error(`internal: ${op} is not imported`);
      return index;
    }
    /** Index of the import that computes a step by the plain kernel. */
    get step() {
      if (!this.#hasSteps) throw new Error("internal: there are no steps");
      return this.#names.length;
    }
    /** Index of a function on two lanes. */
    own(name2) {
      return this.#own.index(name2);
    }
    /** Index of a task. */
    task(k) {
      return this.#importCount + this.#own.count + k;
    }
    /** The bodies of the functions on two lanes. */
    ownBodies() {
      return this.#own.bodies();
    }
    /** Declarations, as the module wants them. */
    declarations() {
      const numbers2 = (name2) => new Array(arityOf(name2)).fill("f64");
      const functions2 = this.#names.map((name2) => ({
        name: name2,
        parameters: numbers2(name2),
        results: ["f64"]
      }));
      const step = { name: "step", parameters: ["i32"], results: [] };
      return this.#hasSteps ? [...functions2, step] : functions2;
    }
    /** The functions themselves, as an instance wants them. */
    functions() {
      return Object.fromEntries(this.#names.map((name2) => [name2, hosted[name2]]));
    }
  };
  function arityOf(name2) {
    return name2 in applyUnary ? 1 : name2 in applyBinary ? 2 : 3;
  }

  // src/density/wasm/memory_map.ts
  var zeroAddress = 0;
  var wasteAddress = 16;
  var MemoryMap = class {
    constructor(roles) {
      this.roles = roles;
    }
    roles;
    fixed = [];
    #addresses = /* @__PURE__ */ new Map();
    #tables = /* @__PURE__ */ new Map();
    #matrices = [];
    #end = reservedBytes;
    /** How many bytes there are. */
    get size() {
      return this.#end;
    }
    /** Address of the elements of a node. */
    of(id) {
      const source = this.roles.resolve(id);
      const known5 = this.#addresses.get(source);
      if (known5 !== void 0) return known5;
      const node = this.roles.nodes[source];
      const address = node.kind === "constant" ? this.#fix(paired(node.values)) : this.#room(8 * this.roles.size(source));
      this.#addresses.set(source, address);
      return address;
    }
    /** Address of a table of the byte addresses of elements of `source`; −1 is a zero, or waste. */
    table(source, index, missing) {
      const key = `${this.roles.resolve(source)} ${missing} ${this.#indexKey(index)}`;
      const known5 = this.#tables.get(key);
      if (known5 !== void 0) return known5;
      const base = this.of(source);
      const odd = index.length & 1;
      const table2 = new Int32Array(index.length + odd);
      for (let i = 0; i < index.length; i++) table2[i] = index[i] < 0 ? missing : base + 8 * index[i];
      if (odd) table2[index.length] = missing === wasteAddress ? missing : table2[index.length - 1];
      const address = this.#fix(table2);
      this.#tables.set(key, address);
      return address;
    }
    #indices = /* @__PURE__ */ new Map();
    #indexKey(index) {
      const known5 = this.#indices.get(index);
      if (known5 !== void 0) return known5;
      this.#indices.set(index, this.#indices.size);
      return this.#indices.size - 1;
    }
    #broadcasts = /* @__PURE__ */ new Map();
    /** Address of the table by which a node is read under a larger shape. */
    broadcastTable(source, to) {
      const from = this.roles.nodes[source].shape;
      const key = `${from}|${to}`;
      const index = this.#broadcasts.get(key) ?? broadcastIndex(from, to);
      this.#broadcasts.set(key, index);
      return this.table(source, index, zeroAddress);
    }
    /** Address of data `[rows, columns]` column by column, each of them padded to an even length. */
    columns(values, rows, columns) {
      const stride = rows + (rows & 1);
      const turned2 = new Float64Array(stride * columns);
      for (let j = 0; j < columns; j++) {
        for (let i = 0; i < stride; i++) {
          turned2[j * stride + i] = values[Math.min(i, rows - 1) * columns + j];
        }
      }
      return this.#matrix(turned2);
    }
    /** The same for data whose rows are such columns. */
    columnsOfTransposed(values, columns, rows) {
      const stride = rows + (rows & 1);
      const padded2 = new Float64Array(stride * columns);
      for (let j = 0; j < columns; j++) {
        for (let i = 0; i < stride; i++) {
          padded2[j * stride + i] = values[j * rows + Math.min(i, rows - 1)];
        }
      }
      return this.#matrix(padded2);
    }
    /** A matrix and its transpose in the adjoint lie in one place. */
    #matrix(values) {
      const same = this.#matrices.find(
        (one3) => one3.values.length === values.length && one3.values.every((x, i) => Object.is(x, values[i]))
      );
      if (same) return same.address;
      const address = this.#fix(values);
      this.#matrices.push({ address, values });
      return address;
    }
    #fix(values) {
      const address = this.#room(values.byteLength);
      this.fixed.push({ address, values });
      return address;
    }
    #room(bytes) {
      const address = this.#end;
      this.#end += Math.ceil(bytes / 16) * 16;
      return address;
    }
  };
  function paired(values) {
    if ((values.length & 1) === 0) return values;
    const longer2 = new Float64Array(values.length + 1);
    longer2.set(values);
    longer2[values.length] = values[values.length - 1];
    return longer2;
  }

  // src/density/wasm/schedule.ts
  var mostTerms = 128;
  var Roles = class {
    constructor(nodes) {
      this.nodes = nodes;
    }
    nodes;
    #known = /* @__PURE__ */ new Map();
    /** The node whose elements these are. */
    resolve(id) {
      let at = id;
      while (this.of(at) === "alias") at = this.nodes[at].args[0];
      return at;
    }
    size(id) {
      return sizeOf(this.nodes[id].shape);
    }
    /** How a node is computed. */
    of(id) {
      const known5 = this.#known.get(id);
      if (known5) return known5;
      const role = this.#look(id, this.nodes[id]);
      this.#known.set(id, role);
      return role;
    }
    #look(id, node) {
      const size = this.size(id);
      const from = node.args.length > 0 ? this.size(node.args[0]) : 0;
      switch (node.kind) {
        case "constant":
        case "input":
          return node.kind;
        case "map":
          return size === 1 ? "scalar" : size === 0 ? "hosted" : "elementwise";
        case "reshape":
          return "alias";
        case "gather":
          if (size === 1 && node.index[0] >= 0) return from === 1 ? "alias" : "element";
          return size === 1 || size === 0 ? "hosted" : "elementwise";
        case "reduce":
          if (size === 1) return from > 1 ? "reduction" : "hosted";
          return size > 1 && from / size <= mostTerms ? "fold" : "hosted";
        case "scatter":
          return from > 1 ? "scatter" : "hosted";
        case "join":
          return "join";
        case "matmul":
          return this.#productRole(node);
        default:
          return "hosted";
      }
    }
    /** Products of data with one column. */
    #productRole(node) {
      const [a, b] = node.args;
      const [n, k] = this.nodes[a].shape;
      if (this.nodes[a].kind !== "constant" || this.nodes[b].shape[1] !== 1) return "hosted";
      if (n > 1 && k <= mostTerms && n >= k) return "rows";
      return k > 1 && n <= mostTerms ? "columns" : "hosted";
    }
    /** How many rounds the loop has in which a node is computed. */
    rounds(id) {
      const node = this.nodes[id];
      switch (this.of(id)) {
        case "reduction":
        case "scatter":
          return this.size(node.args[0]);
        case "columns":
          return this.size(node.args[1]);
        default:
          return this.size(id);
      }
    }
    inLoop(id) {
      const role = this.of(id);
      return role === "elementwise" || role === "rows" || role === "columns" || role === "reduction" || role === "fold" || role === "scatter";
    }
  };
  function scheduleOf(roles, roots) {
    return new Scheduler(roles).run(roots);
  }
  var Scheduler = class {
    constructor(roles) {
      this.roles = roles;
    }
    roles;
    #levels = [];
    #ready = /* @__PURE__ */ new Map();
    #stored = /* @__PURE__ */ new Set();
    run(roots) {
      const { roles } = this;
      for (const id of reachable2(roles.nodes, roots)) this.#place(id);
      for (const root of roots) this.#stored.add(roles.resolve(root));
      return { levels: this.#levels, stored: this.#stored };
    }
    #place(id) {
      const { roles } = this;
      const role = roles.of(id);
      switch (role) {
        case "constant":
        case "input":
          this.#ready.set(id, { level: 0, asScalar: 0, inMemory: 0 });
          return;
        case "alias":
          return;
        case "scalar":
          return this.#scalar(id, this.#latest(id, "asScalar"));
        case "element":
          this.#keep(roles.nodes[id].args[0]);
          return this.#scalar(id, this.#latest(id, "asScalar"));
        case "join":
        case "hosted":
          return this.#step(id);
        default:
          return this.#looped(id);
      }
    }
    #readyOf(arg) {
      return this.#ready.get(this.roles.resolve(arg));
    }
    #latest(id, by) {
      let level = 0;
      for (const arg of this.roles.nodes[id].args) level = Math.max(level, this.#readyOf(arg)[by]);
      return level;
    }
    #level(index) {
      while (this.#levels.length <= index) this.#levels.push({ scalars: [], steps: [], loops: [] });
      return this.#levels[index];
    }
    #keep(arg) {
      this.#stored.add(this.roles.resolve(arg));
    }
    #scalar(id, level) {
      this.#level(level).scalars.push(id);
      this.#ready.set(id, { level, asScalar: level, inMemory: level });
    }
    #step(id) {
      const level = this.#latest(id, "inMemory");
      for (const arg of this.roles.nodes[id].args) this.#keep(arg);
      this.#level(level).steps.push(id);
      this.#stored.add(id);
      this.#ready.set(id, { level, asScalar: level + 1, inMemory: level });
    }
    #looped(id) {
      const { roles } = this;
      const rounds = roles.rounds(id);
      let level = 0;
      for (const arg of roles.nodes[id].args) {
        const ready = this.#readyOf(arg);
        const source = roles.resolve(arg);
        if (this.#runsAlong(id, source, rounds)) level = Math.max(level, ready.level);
        else if (roles.size(source) === 1) level = Math.max(level, ready.asScalar);
        else level = Math.max(level, ready.inMemory);
      }
      for (const arg of roles.nodes[id].args) {
        const source = roles.resolve(arg);
        const along = this.#runsAlong(id, source, rounds) && this.#readyOf(arg).level === level;
        const indexed = roles.nodes[id].kind === "gather";
        if (!along && (roles.size(source) > 1 || indexed)) this.#stored.add(source);
      }
      this.#loop(level, rounds).nodes.push(id);
      const role = roles.of(id);
      if (role === "scatter" || role === "columns") this.#stored.add(id);
      this.#ready.set(id, { level, asScalar: level + 1, inMemory: level + 1 });
    }
    /** Whether an argument is made by rounds of the same loop, and read at the same place. */
    #runsAlong(id, source, rounds) {
      const { roles } = this;
      const role = roles.of(source);
      if (role !== "elementwise" && role !== "rows" && role !== "fold") return false;
      const own = roles.of(id);
      if (roles.nodes[id].kind === "gather" || own === "rows" || own === "fold") return false;
      return roles.size(source) === rounds;
    }
    #loop(level, count) {
      const { loops } = this.#level(level);
      let loop = loops.find((one3) => one3.count === count);
      if (!loop) loops.push(loop = { count, nodes: [] });
      return loop;
    }
  };

  // src/density/wasm/split_loops.ts
  var fewestProducts = 6;
  var mostSums = 10;
  var fewestElements = 64;
  var costly = /* @__PURE__ */ new Set([
    ...["exp", "log", "log1p", "expm1", "tanh", "sigmoid", "softplus"]
  ]);
  function splitLoops(roles, { levels, stored }) {
    const crossing = new Set(stored);
    const parted = levels.map((level) => ({
      ...level,
      loops: level.loops.flatMap((loop) => new LoopParts(roles, loop).split(crossing))
    }));
    return { levels: parted, stored: crossing };
  }
  var LoopParts = class {
    constructor(roles, loop) {
      this.roles = roles;
      this.loop = loop;
      this.#inLoop = new Set(loop.nodes);
    }
    roles;
    loop;
    #inLoop;
    /** Nodes of the loop by what they read in it. */
    #readers = /* @__PURE__ */ new Map();
    /** Consecutive loops; what one reads of another is added to `stored`. */
    split(stored) {
      const { loop: { count, nodes }, roles } = this;
      const isCostly = (id) => {
        const node = roles.nodes[id];
        return node.kind === "map" && costly.has(node.op);
      };
      if (count < fewestElements || !nodes.some(isCostly)) return [this.loop];
      for (const id of nodes) {
        for (const arg of this.#argsOf(id)) this.#readers.set(arg, [...this.#readersOf(arg), id]);
      }
      const predictor = this.#predictor(isCostly);
      const sums = this.#sumsOfProducts(predictor);
      const rest = nodes.filter((id) => !predictor.has(id) && !sums.has(id));
      const parts = [[...predictor], rest, ...chunks(roles, [...sums])].filter(
        ({ length: length2 }) => length2
      );
      this.#keepCrossing(parts, stored);
      return parts.map((part) => ({ count, nodes: part }));
    }
    /** Arguments that the loop itself makes. */
    #argsOf(id) {
      return this.roles.nodes[id].args.map((arg) => this.roles.resolve(arg)).filter((arg) => this.#inLoop.has(arg));
    }
    #readersOf(id) {
      return this.#readers.get(id) ?? [];
    }
    /** What one node is made of, with many products, none costly, and read by nothing else. */
    #predictor(isCostly) {
      let best = /* @__PURE__ */ new Set();
      for (const id of this.loop.nodes) {
        if (this.#readersOf(id).length === 0) continue;
        const made = this.#madeOf(id);
        if (made.size <= best.size || this.#productsIn(made) < fewestProducts) continue;
        const closed2 = [...made].every(
          (one3) => !isCostly(one3) && (one3 === id || this.#readersOf(one3).every((reader2) => made.has(reader2)))
        );
        if (closed2) best = made;
      }
      return best;
    }
    /** A node and all of the loop that it depends on, in order. */
    #madeOf(id) {
      const made = /* @__PURE__ */ new Set([id]);
      for (const one3 of [...this.loop.nodes].reverse()) {
        if (made.has(one3)) {
          for (const arg of this.#argsOf(one3)) made.add(arg);
        }
      }
      return new Set(this.loop.nodes.filter((one3) => made.has(one3)));
    }
    #productsIn(nodes) {
      let products = 0;
      for (const id of nodes) {
        const node = this.roles.nodes[id];
        if (this.roles.of(id) === "rows") products += this.roles.size(node.args[1]);
        else if (node.kind === "map" && node.op === "mul") products += 1;
      }
      return products;
    }
    /** Sums of data times something, with those products, if there are many. */
    #sumsOfProducts(others) {
      const { roles, loop } = this;
      const found = /* @__PURE__ */ new Set();
      let count = 0;
      for (const id of loop.nodes) {
        const node = roles.nodes[id];
        if (roles.of(id) === "columns") {
          found.add(id);
          count += roles.size(id);
        } else if (node.kind === "reduce" && node.op === "sum" && roles.of(id) === "reduction") {
          const product4 = roles.resolve(node.args[0]);
          if (others.has(product4) || !this.#isProductOfData(product4)) continue;
          found.add(product4).add(id);
          count += 1;
        }
      }
      return count >= fewestProducts ? found : /* @__PURE__ */ new Set();
    }
    #isProductOfData(id) {
      const { nodes } = this.roles;
      const node = nodes[id];
      return this.#inLoop.has(id) && this.#readersOf(id).length === 1 && node.kind === "map" && node.op === "mul" && node.args.some((arg) => nodes[arg].kind === "constant");
    }
    #keepCrossing(parts, stored) {
      for (const part of parts) {
        const own = new Set(part);
        for (const id of part) {
          for (const arg of this.#argsOf(id)) if (!own.has(arg)) stored.add(arg);
        }
      }
    }
  };
  function chunks(roles, nodes) {
    const parts = [];
    let sums = mostSums;
    for (const id of nodes) {
      if (sums >= mostSums) {
        parts.push([]);
        sums = 0;
      }
      parts.at(-1).push(id);
      if (roles.of(id) !== "elementwise") sums += roles.of(id) === "columns" ? roles.size(id) : 1;
    }
    return parts;
  }

  // src/density/wasm/lanes.ts
  var Lanes = class {
    /** @param single whether both lanes hold the same number. */
    constructor(f, nodes, functions2, single) {
      this.f = f;
      this.nodes = nodes;
      this.functions = functions2;
      this.single = single;
    }
    f;
    nodes;
    functions;
    single;
    #values = /* @__PURE__ */ new Map();
    #masks = /* @__PURE__ */ new Map();
    #shared = /* @__PURE__ */ new Map();
    /** The variable of a node that has been computed here. */
    valueOf(id) {
      const known5 = this.#values.get(id);
      if (known5 !== void 0) return known5;
      const mask = this.#masks.get(id);
      if (mask === void 0) return void 0;
      return this.define(id, this.f.get(mask).constant(1).simd("v128.and").hold());
    }
    /** Names a variable as the value of a node. */
    define(id, local) {
      this.#values.set(id, local);
      return local;
    }
    /** Computes an elementwise node. */
    map(id, node) {
      const comparison2 = comparisons3[node.op];
      if (comparison2 !== void 0) {
        for (const arg of node.args) this.operand(arg, node);
        this.#masks.set(id, this.f.simd(comparison2).hold());
        return;
      }
      if (this.#logic(id, node)) return;
      this.#push(node);
      this.define(id, this.f.hold());
    }
    /** Operations whose results are truth values stay masks until they are read as numbers. */
    #logic(id, node) {
      const [a, b] = node.args;
      switch (node.op) {
        case "and":
        case "or":
          this.#mask(a, node);
          this.#mask(b, node);
          this.f.simd(node.op === "and" ? "v128.and" : "v128.or");
          break;
        case "not":
          this.operand(a, node);
          this.f.constant(0).simd("f64x2.eq");
          break;
        case "is_nan":
          this.operand(a, node);
          this.operand(a, node);
          this.f.simd("f64x2.ne");
          break;
        default:
          return false;
      }
      this.#masks.set(id, this.f.hold());
      return true;
    }
    #mask(id, node) {
      const known5 = this.#masks.get(id);
      if (known5 !== void 0) return void this.f.get(known5);
      this.operand(id, node);
      this.f.constant(0).simd("f64x2.ne");
    }
    #push(node) {
      const { f } = this;
      const [a, b, c] = node.args;
      const simple2 = arithmetic2[node.op];
      if (simple2) {
        for (const arg of node.args) this.operand(arg, node);
        f.simd(simple2);
        return;
      }
      switch (node.op) {
        case "exp": {
          const size = this.#negatedSize(a);
          if (size) return void f.get(this.#decay(size.args[0], size));
          this.operand(a, node);
          return this.#exponential();
        }
        case "log":
        case "log1p":
        case "expm1":
        case "tanh":
          this.operand(a, node);
          f.call(this.functions.own(node.op));
          return;
        case "sigmoid":
          return this.#sigmoid(a, node);
        case "softplus":
          return this.#softplus(a, node);
        case "sign":
          return this.#sign(a, node);
        case "where":
          this.operand(b, node);
          this.operand(c, node);
          this.#mask(a, node);
          f.simd("v128.bitselect");
          return;
        default:
          return this.#callOut(node);
      }
    }
    /** x > 0 ? 1 : x < 0 ? −1 : x. */
    #sign(x, node) {
      const { f } = this;
      const compare = (op) => {
        this.operand(x, node);
        f.constant(0).simd(op, "v128.bitselect");
      };
      f.constant(1).constant(-1);
      this.operand(x, node);
      compare("f64x2.lt");
      compare("f64x2.gt");
    }
    /** (x ≥ 0 ? 1 : e) / (1 + e) with e = e^−|x|. */
    #sigmoid(x, node) {
      const e = this.#decay(x, node);
      this.f.constant(1).get(e);
      this.operand(x, node);
      this.f.constant(0).simd("f64x2.ge", "v128.bitselect");
      this.f.constant(1).get(e).simd("f64x2.add", "f64x2.div");
    }
    /** (x > 0 ? x + l : l) with l = log(1 + e^−|x|). */
    #softplus(x, node) {
      const l = this.#share(`log1p decay ${this.#sizeKey(x, node)}`, () => {
        this.f.get(this.#decay(x, node)).call(this.functions.own("log1p"));
      });
      this.operand(x, node);
      this.f.get(l).simd("f64x2.add").get(l);
      this.operand(x, node);
      this.f.constant(0).simd("f64x2.gt", "v128.bitselect");
    }
    /** e^−|x|, shared by what is computed from x and −x. */
    #decay(x, node) {
      return this.#share(`decay ${this.#sizeKey(x, node)}`, () => {
        this.operand(x, node);
        this.f.simd("f64x2.abs", "f64x2.neg");
        this.#exponential();
      });
    }
    /** e to what is on the stack; in loops without a call. */
    #exponential() {
      if (this.single) this.f.call(this.functions.own("exp"));
      else pushExponential(this.f, this.f.hold(), this.functions.own("farExp"));
    }
    /** |x|, if the node is −|x|. */
    #negatedSize(id) {
      const node = this.nodes[id];
      if (node.kind !== "map" || node.op !== "neg" && node.op !== "mul") return void 0;
      if (node.op === "mul" && !node.args.some((arg) => this.#isMinusOne(arg))) return void 0;
      const inner = node.args.map((arg) => this.nodes[arg]).find((arg) => arg.kind !== "constant");
      const size = inner?.kind === "map" && inner.op === "abs" ? inner : void 0;
      return size && sameShape(size.shape, node.shape) ? size : void 0;
    }
    /** The key of |x|: that of y if x is −y. */
    #sizeKey(x, node) {
      const inner = this.nodes[x];
      if (inner.kind === "map" && this.nodes[x].shape.length === node.shape.length) {
        const [a, b] = inner.args;
        if (inner.op === "neg") return this.key(a, inner);
        if (inner.op === "mul" && this.#isMinusOne(a)) return this.key(b, inner);
        if (inner.op === "mul" && this.#isMinusOne(b)) return this.key(a, inner);
      }
      return this.key(x, node);
    }
    #isMinusOne(id) {
      const node = this.nodes[id];
      return node.kind === "constant" && node.values.length === 1 && node.values[0] === -1;
    }
    #share(key, push) {
      const known5 = this.#shared.get(key);
      if (known5 !== void 0) return known5;
      push();
      const local = this.f.hold();
      this.#shared.set(key, local);
      return local;
    }
    /** Calls the function on numbers, once or for each lane. */
    #callOut(node) {
      const { f } = this;
      const index = this.functions.imported(node.op);
      const call2 = (lane) => {
        for (const arg of node.args) {
          this.operand(arg, node);
          f.extract(lane);
        }
        f.call(index);
      };
      call2(0);
      f.simd("f64x2.splat");
      if (this.single) return;
      call2(1);
      f.replaceHigh();
    }
  };
  var comparisons3 = {
    lt: "f64x2.lt",
    le: "f64x2.le",
    gt: "f64x2.gt",
    ge: "f64x2.ge",
    eq: "f64x2.eq",
    ne: "f64x2.ne"
  };
  var arithmetic2 = {
    neg: "f64x2.neg",
    sqrt: "f64x2.sqrt",
    abs: "f64x2.abs",
    floor: "f64x2.floor",
    ceil: "f64x2.ceil",
    add: "f64x2.add",
    sub: "f64x2.sub",
    mul: "f64x2.mul",
    div: "f64x2.div",
    maximum: "f64x2.max",
    minimum: "f64x2.min"
  };

  // src/density/wasm/loop_writer.ts
  var fewestToPair = 64;
  var joins = {
    sum: "f64x2.add",
    prod: "f64x2.mul",
    max: "f64x2.max",
    min: "f64x2.min"
  };
  var LoopLanes = class extends Lanes {
    constructor(f, context, scalars, count, position2, shift) {
      super(f, context.nodes, context.functions, false);
      this.context = context;
      this.scalars = scalars;
      this.count = count;
      this.position = position2;
      this.shift = shift;
    }
    context;
    scalars;
    count;
    position;
    shift;
    #loaded = /* @__PURE__ */ new Map();
    operand(id, node) {
      if (this.context.roles.size(id) === 1) return this.scalars.push(id);
      this.element(id, node.shape);
    }
    key(id, node) {
      const spread4 = this.context.roles.size(id) === this.count ? "" : ` ${node.shape}`;
      return `${this.context.roles.resolve(id)}${spread4}`;
    }
    /** Pushes the elements of an array under the shape of what reads them. */
    element(id, shape) {
      const { roles, memory: memory2 } = this.context;
      const source = roles.resolve(id);
      if (roles.size(id) === this.count) {
        const local = this.valueOf(source);
        if (local !== void 0) return void this.f.get(local);
        return this.#load(`${source}`, () => this.at(memory2.of(source)));
      }
      const table2 = memory2.broadcastTable(id, shape);
      this.#load(`${source} ${table2}`, () => this.indexed(table2));
    }
    #load(key, push) {
      const known5 = this.#loaded.get(key);
      if (known5 !== void 0) return void this.f.get(known5);
      push();
      const local = this.f.hold();
      this.#loaded.set(key, local);
      this.f.get(local);
    }
    /** Pushes two elements of an array that runs along the loop from `address` on. */
    at(address) {
      this.f.get(this.position).load(address + this.shift);
    }
    /** Pushes two elements whose addresses stand in a table. */
    indexed(table2) {
      this.pushIndex(table2 + 4);
      this.pushIndex(table2);
      this.f.loadSplat(0).loadHigh(0);
    }
    /** Pushes an entry of a table for the current elements. */
    pushIndex(table2) {
      this.f.get(this.position).i32(1).op("i32.shr_u").loadIndex(table2 + this.shift / 2);
    }
  };
  var LoopWriter = class {
    constructor(f, context, scalars, schedule2, loop) {
      this.f = f;
      this.context = context;
      this.scalars = scalars;
      this.schedule = schedule2;
      this.loop = loop;
      this.#position = f.local("i32");
    }
    f;
    context;
    scalars;
    schedule;
    loop;
    #position;
    #sums = /* @__PURE__ */ new Map();
    #coefficients = /* @__PURE__ */ new Map();
    write() {
      const { nodes } = this.loop;
      for (const id of nodes) this.#prepare(id, this.context.nodes[id]);
      const rounds = Math.ceil(this.loop.count / 2);
      const width3 = rounds >= fewestToPair ? 2 : 1;
      const left = rounds % width3;
      const ends = (last) => last && this.loop.count % 2 === 1;
      this.f.countUp(this.#position, 16 * (rounds - left), 16 * width3, () => {
        this.#rounds(Array.from({ length: width3 }, (_, k) => 16 * k), ends(left === 0));
      });
      if (left) this.#rounds([0], ends(true));
      for (const id of nodes) this.#finish(id);
    }
    /**
     * Rounds side by side: one can compute while another waits for its results, and numbers that all
     * of them need are fetched once. What is summed keeps the order of the rounds.
     *
     * @param odd whether nothing is in the second lane of the very last round.
     */
    #rounds(shifts, odd) {
      const { f, context, scalars, loop } = this;
      const rounds = shifts.map(
        (shift) => new LoopLanes(f, context, scalars, loop.count, this.#position, shift)
      );
      for (const id of loop.nodes) {
        const node = context.nodes[id];
        const role = context.roles.of(id);
        if (role === "rows") this.#rows(id, node, rounds);
        else if (role === "columns") this.#columns(id, node, rounds, odd);
        else {
          rounds.forEach((lanes, k) => this.#round(id, node, lanes, odd && k === rounds.length - 1));
        }
        if (role !== "reduction" && role !== "scatter" && role !== "columns") this.#keep(id, rounds);
      }
    }
    /** Stores elements that are read from memory later. */
    #keep(id, rounds) {
      if (!this.schedule.stored.has(id)) return;
      const { f, context: { memory: memory2, nodes } } = this;
      for (const lanes of rounds) {
        f.get(this.#position);
        lanes.element(id, nodes[id].shape);
        f.store(memory2.of(id) + lanes.shift);
      }
    }
    /** What has to stand before the loop: numbers in variables, sums at their start. */
    #prepare(id, node) {
      const { f, context: { roles, memory: memory2, nodes } } = this;
      const role = roles.of(id);
      for (const arg of node.args) {
        const source = roles.resolve(arg);
        if (roles.size(arg) === 1 && nodes[source].kind !== "constant") {
          this.scalars.variable(source);
        }
      }
      if (role === "reduction") this.#sums.set(id, [this.#accumulator(node)]);
      if (role === "scatter") f.clear(memory2.of(id), 16 * Math.ceil(roles.size(id) / 2));
      if (role === "columns") {
        this.#sums.set(id, Array.from({ length: roles.size(id) }, () => this.#accumulator()));
      }
      if (role === "rows") this.#coefficients.set(id, this.#loadCoefficients(node.args[1]));
    }
    #accumulator(node) {
      const { f } = this;
      const op = node ? joins[node.op] : "f64x2.add";
      const [pair, before] = [f.local(), f.local()];
      const start = node ? startOf2(node) : 0;
      f.pair(start).set(pair).pair(start).set(before);
      return { op, pair, before };
    }
    #loadCoefficients(arg) {
      const { f, context: { roles, memory: memory2, nodes } } = this;
      const source = roles.resolve(arg);
      if (roles.size(source) === 1 && nodes[source].kind !== "constant") {
        return [this.scalars.variable(source)];
      }
      const address = memory2.of(source);
      return Array.from(
        { length: roles.size(source) },
        (_, l) => f.i32(address + 8 * l).loadSplat(0).hold()
      );
    }
    #round(id, node, lanes, odd) {
      switch (this.context.roles.of(id)) {
        case "reduction":
          return this.#accumulate(
            this.#sums.get(id)[0],
            odd,
            () => this.#element(node.args[0], lanes)
          );
        case "scatter":
          return this.#scatter(id, node, lanes);
        case "fold":
          return this.#fold(id, node, lanes);
        default:
          return this.#elementwise(id, node, lanes);
      }
    }
    /** Pushes elements of an array that runs along the loop. */
    #element(arg, lanes) {
      lanes.element(arg, this.context.nodes[arg].shape);
    }
    #elementwise(id, node, lanes) {
      if (node.kind === "map") return lanes.map(id, node);
      if (node.kind !== "gather") throw new Error(`internal: a ${node.kind} in a loop`);
      const { roles, memory: memory2 } = this.context;
      const source = node.args[0];
      if (roles.size(source) === 1 && node.index.every((at) => at === 0)) {
        this.scalars.push(source);
      } else lanes.indexed(memory2.table(source, node.index, zeroAddress));
      lanes.define(id, this.f.hold());
    }
    /** join(sum, x), remembering what was there before, if the last round is odd. */
    #accumulate({ op, pair, before }, odd, push) {
      const { f } = this;
      if (odd) f.get(pair).set(before);
      f.get(pair);
      push();
      f.simd(op).set(pair);
    }
    /** Σ_l A_il b_l: terms of even and of odd l apart, as `matrixProduct` sums them. */
    #rows(id, node, rounds) {
      const { f } = this;
      const [rows, columns] = this.context.nodes[node.args[0]].shape;
      const base = this.context.memory.columns(this.#data(node.args[0]), rows, columns);
      const coefficients2 = this.#coefficients.get(id);
      const sums = rounds.map(() => [f.pair(0).hold(), f.pair(0).hold()]);
      for (let l = 0; l < columns; l++) {
        for (const [k, lanes] of rounds.entries()) {
          const sum3 = sums[k][l & 1];
          f.get(sum3);
          lanes.at(base + 8 * l * (rows + (rows & 1)));
          f.get(coefficients2[l]).simd("f64x2.mul", "f64x2.add").set(sum3);
        }
      }
      for (const [k, lanes] of rounds.entries()) {
        lanes.define(id, f.get(...sums[k]).simd("f64x2.add").hold());
      }
    }
    /** Σ_i A_ji x_i for every row j of data. */
    #columns(id, node, rounds, odd) {
      const { f } = this;
      const [columns, rows] = this.context.nodes[node.args[0]].shape;
      const data = this.#data(node.args[0]);
      const base = this.context.memory.columnsOfTransposed(data, columns, rows);
      for (const [j, sum3] of this.#sums.get(id).entries()) {
        for (const [k, lanes] of rounds.entries()) {
          this.#accumulate(sum3, odd && k === rounds.length - 1, () => {
            lanes.at(base + 8 * j * (rows + (rows & 1)));
            this.#element(node.args[1], lanes);
            f.simd("f64x2.mul");
          });
        }
      }
    }
    /** Elements over some axes, in order; sums and products take those of even and of odd apart. */
    #fold(id, node, lanes) {
      const { f, context: { nodes, memory: memory2 } } = this;
      const { bases, offsets } = reductionPlan(nodes[node.args[0]].shape, node.axes);
      const table2 = memory2.table(node.args[0], bases, zeroAddress);
      const [low2, high2] = [f.local("i32"), f.local("i32")];
      lanes.pushIndex(table2);
      f.set(low2);
      lanes.pushIndex(table2 + 4);
      f.set(high2);
      const chains = node.op === "sum" || node.op === "prod" ? 2 : 1;
      for (let chain = 0; chain < chains; chain++) {
        f.pair(startOf2(node));
        for (let j = chain; j < offsets.length; j += chains) {
          f.get(high2).get(low2).loadSplat(8 * offsets[j]).loadHigh(8 * offsets[j]);
          f.simd(joins[node.op]);
        }
      }
      if (chains === 2) f.simd(joins[node.op]);
      lanes.define(id, f.hold());
    }
    #data(id) {
      const node = this.context.nodes[id];
      if (node.kind !== "constant") throw new Error("internal: a product of data without data");
      return node.values;
    }
    #scatter(id, node, lanes) {
      const { f } = this;
      if (node.kind !== "scatter") throw new Error(`internal: a ${node.kind} that scatters`);
      const table2 = this.context.memory.table(id, node.index, wasteAddress);
      const address = f.local("i32");
      for (const lane of [0, 1]) {
        lanes.pushIndex(table2 + 4 * lane);
        f.tee(address).get(address).loadNumber(0);
        this.#element(node.args[0], lanes);
        f.extract(lane).op("f64.add").storeNumber(0);
      }
    }
    /** Joins the lanes of sums, each of which then is a number, or an element of an array. */
    #finish(id) {
      const sums = this.#sums.get(id);
      if (!sums) return;
      const { f, context: { roles, memory: memory2 } } = this;
      sums.forEach((sum3, j) => {
        const odd = this.loop.count & 1 ? sum3.before : sum3.pair;
        f.get(sum3.pair, odd).shuffle(0, 1).get(odd, sum3.pair).shuffle(1, 0).simd(sum3.op);
        if (roles.of(id) === "reduction") {
          this.scalars.define(id, f.hold());
          return this.scalars.keep(id);
        }
        const total2 = f.hold();
        f.i32(memory2.of(id) + 8 * j).get(total2).extract(0).storeNumber(0);
      });
    }
  };

  // src/density/wasm/task_writer.ts
  function writeTask(context, schedule2) {
    const f = new FunctionBody();
    const scalars = new ScalarCode(f, context, schedule2.stored);
    for (const level of schedule2.levels) {
      for (const id of level.scalars) scalars.compute(id);
      for (const id of level.steps) writeStep(f, context, scalars, id);
      for (const loop of level.loops) new LoopWriter(f, context, scalars, schedule2, loop).write();
    }
    return f;
  }
  var ScalarCode = class extends Lanes {
    constructor(f, context, stored) {
      super(f, context.nodes, context.functions, true);
      this.context = context;
      this.stored = stored;
    }
    context;
    stored;
    compute(id) {
      const node = this.nodes[id];
      if (node.kind === "map") this.map(id, node);
      else if (node.kind === "gather") {
        const address = this.context.memory.of(node.args[0]) + 8 * node.index[0];
        this.define(id, this.f.i32(address).loadSplat(0).hold());
      } else throw new Error(`internal: a ${node.kind} is no scalar`);
      this.keep(id);
    }
    /** Stores a number that others read from memory. */
    keep(id) {
      if (!this.stored.has(id)) return;
      this.f.i32(this.context.memory.of(id));
      this.push(id);
      this.f.extract(0).storeNumber(0);
    }
    operand(id, _node) {
      this.push(id);
    }
    key(id) {
      return `${this.context.roles.resolve(id)}`;
    }
    /** Pushes a number. */
    push(id) {
      const source = this.context.roles.resolve(id);
      if (this.nodes[source].kind !== "constant") this.f.get(this.variable(source));
      else this.f.i32(this.context.memory.of(source)).loadSplat(0);
    }
    /** The variable of a number that is not constant. */
    variable(id) {
      const source = this.context.roles.resolve(id);
      return this.valueOf(source) ?? this.define(source, this.f.i32(this.context.memory.of(source)).loadSplat(0).hold());
    }
  };
  function writeStep(f, context, scalars, id) {
    const { nodes, roles, memory: memory2 } = context;
    if (roles.of(id) === "hosted") {
      f.i32(context.stepNumber(id)).call(context.functions.step);
      return;
    }
    let to = memory2.of(id);
    for (const arg of nodes[id].args) {
      const size = roles.size(arg);
      if (size === 1) {
        f.i32(to);
        scalars.push(arg);
        f.extract(0).storeNumber(0);
      } else f.copy(to, memory2.of(arg), 8 * size);
      to += 8 * size;
    }
  }
  function startOf2({ op }) {
    return { sum: 0, prod: 1, max: -Infinity, min: Infinity }[op];
  }

  // src/density/wasm/evaluator.ts
  var mostNodes = 2e4;
  var mostBytes2 = 1 << 28;
  var mostCode = 4 << 20;
  function wasmEvaluator(plan) {
    const ids = reachable2(plan.nodes, plan.tasks.flat());
    if (ids.length > mostNodes) return void 0;
    const generated = generate(plan, ids);
    const code2 = generated.bodies.reduce((sum3, body) => sum3 + body.size, 0);
    if (generated.context.memory.size > mostBytes2 || code2 > mostCode) return void 0;
    return new WasmEvaluator(plan, ids, generated);
  }
  function generate(plan, ids) {
    const { nodes, tasks } = plan;
    const roles = new Roles(nodes);
    const memory2 = new MemoryMap(roles);
    const functions2 = new FunctionTable(roles, ids);
    const steps = [];
    const stepNumber = (id) => {
      const known5 = steps.indexOf(id);
      return known5 < 0 ? steps.push(id) - 1 : known5;
    };
    const context = { nodes, roles, memory: memory2, functions: functions2, stepNumber };
    const tasksBodies = tasks.map(
      (roots) => writeTask(context, splitLoops(roles, scheduleOf(roles, roots)))
    );
    const places2 = tasks.map((roots) => Int32Array.from(roots, (id) => memory2.of(id) / 8));
    for (const id of steps) for (const arg of [id, ...nodes[id].args]) memory2.of(arg);
    for (const id of ids) if (nodes[id].kind === "input") memory2.of(id);
    const bodies2 = [...functions2.ownBodies(), ...tasksBodies, ...gradientBodies(plan, ids, context)];
    return { context, bodies: bodies2, steps, places: places2 };
  }
  function gradientBodies({ nodes, tasks, parts }, ids, { memory: memory2, functions: functions2 }) {
    if (!parts) return [];
    const inputs = /* @__PURE__ */ new Map();
    for (const id of ids) {
      const node = nodes[id];
      if (node.kind === "input") inputs.set(node.offset, memory2.of(id));
    }
    const [value, ...slopes] = tasks[0];
    const placed = parts.map((part, k) => ({
      ...part,
      input: inputs.get(part.offset),
      slopes: memory2.of(slopes[k])
    }));
    return [writeGradient(functions2.task(0), memory2.of(value), placed)];
  }
  var WasmEvaluator = class {
    constructor(plan, ids, generated) {
      this.plan = plan;
      const { context: { functions: functions2, memory: memory2 }, bodies: bodies2, steps, places: places2 } = generated;
      this.#memory = memory2;
      this.#places = places2;
      this.#steps = steps;
      [this.#targets, this.#sources] = this.#inputs(ids);
      const tasks = plan.tasks.map((_, k) => ({ name: `task${k}`, index: functions2.task(k) }));
      const gradient = { name: "gradient", index: functions2.task(tasks.length) };
      const exports = plan.parts ? [...tasks, gradient] : tasks;
      const bytes = assembleModule(functions2.declarations(), bodies2, exports);
      const host2 = {
        memory: sharedMemory(),
        ...functions2.functions(),
        step: (k) => this.#kernels[k]()
      };
      const instance = new WebAssembly.Instance(moduleOf2(bytes), { host: host2 });
      this.#tasks = tasks.map(({ name: name2 }) => instance.exports[name2]);
      if (plan.parts) {
        this.generated = {
          gradient: instance.exports.gradient,
          enter: () => this.#enter(),
          write: (inputs) => this.#write(inputs, 0)
        };
      }
    }
    plan;
    generated;
    #tasks;
    /** Nodes that are called out for, and their kernels on views of the memory. */
    #steps;
    #kernels = [];
    #memory;
    #places;
    /** Where every number of the position goes, in elements; the last of an odd array goes twice. */
    #targets;
    #sources;
    #values = new Float64Array(0);
    run(task, position2, offset) {
      this.#enter();
      this.#write(position2, offset);
      this.#tasks[task]();
      return this.#values;
    }
    #write(position2, offset) {
      const values = this.#values;
      const targets = this.#targets;
      const sources = this.#sources;
      for (let j = 0; j < targets.length; j++) values[targets[j]] = position2[offset + sources[j]];
    }
    places(task) {
      return this.#places[task];
    }
    #inputs(ids) {
      const [targets, sources] = [[], []];
      for (const id of ids) {
        const node = this.plan.nodes[id];
        if (node.kind !== "input") continue;
        const size = sizeOf(node.shape);
        const base = this.#memory.of(id) / 8;
        const padded2 = size === 1 ? 1 : size + (size & 1);
        for (let i = 0; i < padded2; i++) {
          targets.push(base + i);
          sources.push(node.offset + Math.min(i, size - 1));
        }
      }
      return [Int32Array.from(targets), Int32Array.from(sources)];
    }
    #enter() {
      if (isTenant(this)) return false;
      moveIn(this, this.#memory.size);
      this.renew();
      const { buffer } = sharedMemory();
      this.#values.fill(0, 0, 2);
      for (const { address, values } of this.#memory.fixed) {
        if (values instanceof Float64Array) this.#values.set(values, address / 8);
        else new Int32Array(buffer, address, values.length).set(values);
      }
      return true;
    }
    renew() {
      this.#values = new Float64Array(sharedMemory().buffer);
      this.#kernels = this.#steps.map((id) => {
        const node = this.plan.nodes[id];
        return kernelOf(node, node.args.map((arg) => this.#view(arg)), this.#view(id).values);
      });
    }
    #view(id) {
      const { shape } = this.plan.nodes[id];
      const values = new Float64Array(sharedMemory().buffer, this.#memory.of(id), sizeOf(shape));
      return { shape, values };
    }
  };

  // src/density/backend.ts
  function compilePlan(plan, backend) {
    return (backend === "wasm" ? wasmEvaluator(plan) : void 0) ?? plainEvaluator(plan);
  }

  // src/density/matrix_adjoints.ts
  function pullMatrix(g, node, id, adjoint, contribute, isActive) {
    const full = filled2(g, adjoint, node.shape);
    if (node.kind === "cholesky") return contribute(0, choleskyAdjoint(g, id, full));
    const [a, b] = node.args;
    if (node.kind === "matmul") {
      if (isActive(0)) contribute(0, g.matmul(full, transposed5(g, b)));
      if (isActive(1)) contribute(1, g.matmul(transposed5(g, a), full));
      return;
    }
    const right = g.solve(a, full, !node.transposed);
    if (isActive(1)) contribute(1, right);
    if (!isActive(0)) return;
    const product4 = node.transposed ? g.matmul(id, transposed5(g, right)) : g.matmul(right, transposed5(g, id));
    contribute(0, g.neg(lower(g, product4, 1)));
  }
  function choleskyAdjoint(g, factor2, adjoint) {
    const p = lower(g, g.matmul(transposed5(g, factor2), adjoint), 0.5);
    const left = g.solve(factor2, p, true);
    const s = g.solve(factor2, transposed5(g, left), true);
    return lower(g, g.add(s, transposed5(g, s)), 0.5);
  }
  function lower(g, x, diagonal) {
    const [n] = g.shapeOf(x);
    const mask = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) mask[i * n + j] = 1;
      mask[i * n + i] = diagonal;
    }
    return g.mul(g.array(mask, [n, n]), x);
  }
  function transposed5(g, x) {
    const [n, m] = g.shapeOf(x);
    const index = new Int32Array(n * m);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < m; j++) index[j * n + i] = i * m + j;
    }
    return g.gather(x, index, [m, n]);
  }

  // src/density/moved_adjoints.ts
  function pullMoved(g, node, adjoint, contribute, isActive) {
    const shapeOf3 = (k) => g.shapeOf(node.args[k]);
    switch (node.kind) {
      case "reshape":
        return contribute(
          0,
          g.isScalar(adjoint) ? g.reshape(adjoint, []) : g.reshape(filled2(g, adjoint, node.shape), shapeOf3(0))
        );
      case "gather":
        return contribute(0, g.scatter(filled2(g, adjoint, node.shape), node.index, shapeOf3(0)));
      case "scatter":
        return contribute(0, g.gather(filled2(g, adjoint, node.shape), node.index, shapeOf3(0)));
      case "take":
        throw new Error("internal: an index that is not known from data");
      case "join": {
        const full = filled2(g, adjoint, node.shape);
        let begin3 = 0;
        node.args.forEach((_, k) => {
          const size = sizeOf(shapeOf3(k));
          if (isActive(k)) contribute(k, g.gather(full, rangeFrom(begin3, size), shapeOf3(k)));
          begin3 += size;
        });
      }
    }
  }
  function rangeFrom(begin3, size) {
    return Int32Array.from({ length: size }, (_, i) => begin3 + i);
  }

  // src/density/reduced_adjoints.ts
  function pullReduced(g, node, id, adjoint, contribute) {
    const x = node.args[0];
    if (node.kind === "scan") return contribute(0, scanAdjoint(g, node, id, adjoint));
    const kept2 = g.shapeOf(x).map((extent, i) => node.axes.includes(i) ? 1 : extent);
    const spread4 = (y) => sizeOf(g.shapeOf(y)) === 1 ? y : g.reshape(y, kept2);
    const above = spread4(adjoint);
    switch (node.op) {
      case "sum":
        return contribute(0, above);
      case "prod":
        return contribute(0, g.mul(above, productOfOthers(g, x, node.axes[0])));
      default: {
        const isExtreme = g.map("eq", x, spread4(id));
        const ties = spread4(g.sum(isExtreme, node.axes));
        contribute(0, g.mul(g.div(above, ties), isExtreme));
      }
    }
  }
  function productOfOthers(g, x, axis) {
    const before = (y) => {
      const moved4 = g.gather(y, alongAxis2(g.shapeOf(x), axis, (i) => i - 1), g.shapeOf(x));
      const first2 = g.array(firstAlong(g.shapeOf(x), axis), g.shapeOf(x));
      return g.scan("cumprod", g.add(moved4, first2), axis);
    };
    return g.mul(before(x), reversed2(g, before(reversed2(g, x, axis)), axis));
  }
  function scanAdjoint(g, { op, axis, args, shape }, id, adjoint) {
    const full = filled2(g, op === "cumsum" ? adjoint : g.mul(adjoint, id), shape);
    const sums = reversed2(g, g.scan("cumsum", reversed2(g, full, axis), axis), axis);
    return op === "cumsum" ? sums : g.div(sums, args[0]);
  }
  function reversed2(g, x, axis) {
    const shape = g.shapeOf(x);
    return g.gather(x, alongAxis2(shape, axis, (i) => shape[axis] - 1 - i), shape);
  }
  function alongAxis2(shape, axis, from) {
    const index = new Int32Array(sizeOf(shape));
    const stride = stridesOf(shape)[axis];
    forEachIndex(shape, (at, flat4) => {
      const source = from(at[axis]);
      index[flat4] = source < 0 ? -1 : flat4 + (source - at[axis]) * stride;
    });
    return index;
  }
  function firstAlong(shape, axis) {
    const ones = new Float64Array(sizeOf(shape));
    forEachIndex(shape, (at, flat4) => {
      ones[flat4] = at[axis] === 0 ? 1 : 0;
    });
    return ones;
  }

  // src/density/slopes.ts
  var one2 = (g) => g.scalar(1);
  var twoOverRootPi = 1.1283791670955126;
  var oneOverRootTwoPi = 0.3989422804014327;
  var times2 = (slope) => (g, adjoint, [x], out) => g.mul(adjoint, slope(g, x, out));
  var divided = (g, adjoint, divisor) => g.isScalar(divisor) ? g.div(adjoint, divisor) : g.mul(adjoint, g.div(one2(g), divisor));
  var over = (divisor) => (g, adjoint, [x], out) => divided(g, adjoint, divisor(g, x, out));
  var bell = (factor2) => times2((g, x) => g.mul(g.scalar(factor2), g.exp(g.neg(g.square(x)))));
  var unaryPulls = {
    neg: (g, adjoint) => g.neg(adjoint),
    exp: times2((_g, _x, out) => out),
    log: over((_g, x) => x),
    log1p: over((g, x) => g.add(one2(g), x)),
    log1mexp: (g, adjoint, [x]) => g.neg(g.div(adjoint, g.map("expm1", g.neg(x)))),
    expm1: times2((g, _x, out) => g.add(one2(g), out)),
    sqrt: (g, adjoint, _args, out) => g.div(g.mul(g.scalar(0.5), adjoint), out),
    abs: times2((g, x) => g.map("sign", x)),
    sign: 0,
    floor: 0,
    ceil: 0,
    round: 0,
    sigmoid: times2((g, x, out) => g.mul(out, g.map("sigmoid", g.neg(x)))),
    softplus: times2((g, x) => g.map("sigmoid", x)),
    tanh: times2((g, _x, out) => g.sub(one2(g), g.square(out))),
    sin: times2((g, x) => g.map("cos", x)),
    cos: times2((g, x) => g.neg(g.map("sin", x))),
    atan: over((g, x) => g.add(one2(g), g.square(x))),
    lgamma: times2((g, x) => g.map("digamma", x)),
    digamma: times2((g, x) => g.map("trigamma", x)),
    trigamma: () => {
      throw new Error("internal: the third derivative of log Γ is not in the language");
    },
    erf: bell(twoOverRootPi),
    erfc: bell(-twoOverRootPi),
    // φ(x) / Φ(x), by logarithms, so that neither underflows.
    log_normal_cdf: times2(
      (g, x, out) => g.mul(
        g.scalar(oneOverRootTwoPi),
        g.exp(g.sub(g.mul(g.scalar(-0.5), g.square(x)), out))
      )
    ),
    normal_quantile: (g, adjoint, _args, out) => g.mul(
      adjoint,
      g.mul(g.scalar(1 / oneOverRootTwoPi), g.exp(g.mul(g.scalar(0.5), g.square(out))))
    ),
    log_i0: times2((g, x) => g.map("bessel_ratio", x)),
    // (I₁ / I₀)′ = 1 − r / x − r² (Abramowitz and Stegun 1964, 9.6.26); ½ at 0.
    bessel_ratio: times2((g, x, out) => {
      const isZero = g.map("eq", x, g.scalar(0));
      const safe = g.where(isZero, one2(g), x);
      const slope = g.sub(g.sub(one2(g), g.div(out, safe)), g.square(out));
      return g.where(isZero, g.scalar(0.5), slope);
    }),
    not: 0,
    is_nan: 0
  };
  function share(g, first2, x, y) {
    const tie = g.mul(g.scalar(0.5), g.map("eq", x, y));
    return g.add(g.map(first2, x, y), tie);
  }
  var flat2 = [0, 0];
  var binaryPulls = {
    add: [(_g, adjoint) => adjoint, (_g, adjoint) => adjoint],
    sub: [(_g, adjoint) => adjoint, (g, adjoint) => g.neg(adjoint)],
    mul: [
      (g, adjoint, [, b]) => g.mul(adjoint, b),
      (g, adjoint, [a]) => g.mul(adjoint, a)
    ],
    div: [
      (g, adjoint, [, b]) => divided(g, adjoint, b),
      (g, adjoint, [, b], out) => g.neg(g.mul(divided(g, adjoint, b), out))
    ],
    pow: [powerOfBase, powerOfExponent],
    maximum: [
      (g, adjoint, [a, b]) => g.mul(adjoint, share(g, "gt", a, b)),
      (g, adjoint, [a, b]) => g.mul(adjoint, share(g, "gt", b, a))
    ],
    minimum: [
      (g, adjoint, [a, b]) => g.mul(adjoint, share(g, "lt", a, b)),
      (g, adjoint, [a, b]) => g.mul(adjoint, share(g, "lt", b, a))
    ],
    mod: [
      (_g, adjoint) => adjoint,
      (g, adjoint, [a, b]) => g.neg(g.mul(adjoint, g.map("floor", g.div(a, b))))
    ],
    gammainc: [
      (g, adjoint, [a, x]) => g.mul(adjoint, g.map("gammainc_shape_slope", a, x)),
      (g, adjoint, [a, x]) => g.mul(adjoint, gammaDensity2(g, a, x))
    ],
    gammaincc: [
      (g, adjoint, [a, x]) => g.neg(g.mul(adjoint, g.map("gammainc_shape_slope", a, x))),
      (g, adjoint, [a, x]) => g.neg(g.mul(adjoint, gammaDensity2(g, a, x)))
    ],
    gammainc_shape_slope: [noSecondSlope, noSecondSlope],
    lt: flat2,
    le: flat2,
    gt: flat2,
    ge: flat2,
    eq: flat2,
    ne: flat2,
    and: flat2,
    or: flat2
  };
  function noSecondSlope() {
    throw new Error("internal: slopes of incomplete functions are not differentiated again");
  }
  function powerOfBase(g, adjoint, [x, y]) {
    const slope = g.mul(y, g.map("pow", x, g.sub(y, one2(g))));
    return g.mul(adjoint, g.where(g.map("eq", y, g.scalar(0)), g.scalar(0), slope));
  }
  function powerOfExponent(g, adjoint, [x], out) {
    const isZero = g.map("eq", x, g.scalar(0));
    return g.mul(adjoint, g.mul(out, g.log(g.where(isZero, one2(g), x))));
  }
  function gammaDensity2(g, a, x) {
    const powers = g.sub(g.mul(g.sub(a, one2(g)), g.log(x)), x);
    return g.exp(g.sub(powers, g.map("lgamma", a)));
  }
  function betaDensity(g, a, b, x) {
    const lgamma2 = (y) => g.map("lgamma", y);
    const powers = g.add(
      g.mul(g.sub(a, one2(g)), g.log(x)),
      g.mul(g.sub(b, one2(g)), g.map("log1p", g.neg(x)))
    );
    return g.exp(g.add(powers, g.sub(lgamma2(g.add(a, b)), g.add(lgamma2(a), lgamma2(b)))));
  }
  var ternaryPulls = {
    where: [
      0,
      (g, adjoint, [condition2]) => g.where(condition2, adjoint, g.scalar(0)),
      (g, adjoint, [condition2]) => g.where(condition2, g.scalar(0), adjoint)
    ],
    betainc: [
      (g, adjoint, [a, b, x]) => g.mul(adjoint, g.map("betainc_a_slope", a, b, x)),
      (g, adjoint, [a, b, x]) => g.mul(adjoint, g.map("betainc_b_slope", a, b, x)),
      (g, adjoint, [a, b, x]) => g.mul(adjoint, betaDensity(g, a, b, x))
    ],
    betainc_a_slope: [noSecondSlope, noSecondSlope, noSecondSlope],
    betainc_b_slope: [noSecondSlope, noSecondSlope, noSecondSlope]
  };

  // src/density/differentiate.ts
  function gradientOf(g, root, leaves) {
    const splits = g.splitsSums;
    g.splitsSums = false;
    const slopes = reverse(g, root, leaves);
    g.splitsSums = splits;
    return slopes;
  }
  function reverse(g, root, leaves) {
    const active = activeNodes(g, root, leaves);
    const adjoints = new Adjoints(g);
    adjoints.add(root, g.scalar(1));
    for (let id = root; id >= 0; id--) {
      const adjoint = active[id] ? adjoints.of(id) : void 0;
      if (adjoint === void 0) continue;
      const node = g.nodes[id];
      if (node.kind === "gather" && g.isScalar(id) && node.index[0] >= 0) {
        adjoints.addElement(node.args[0], node.index[0], g.reshape(adjoint, []));
        continue;
      }
      const contribute = (k, part) => {
        if (active[node.args[k]]) adjoints.add(node.args[k], part);
      };
      pull(g, node, id, adjoint, contribute, (k) => active[node.args[k]]);
    }
    return leaves.map((leaf) => filled2(g, adjoints.of(leaf) ?? g.scalar(0), g.shapeOf(leaf)));
  }
  var Adjoints = class {
    constructor(g) {
      this.g = g;
    }
    g;
    #sums = /* @__PURE__ */ new Map();
    /** Of arrays from which single elements were read: adjoints of these, by flat index. */
    #elements = /* @__PURE__ */ new Map();
    /** Adds a part, of any shape that broadcasts to the node's. */
    add(id, part) {
      const known5 = this.#sums.get(id);
      this.#sums.set(id, known5 === void 0 ? part : this.g.add(known5, part));
    }
    addElement(id, at, part) {
      let elements2 = this.#elements.get(id);
      if (!elements2) this.#elements.set(id, elements2 = /* @__PURE__ */ new Map());
      const known5 = elements2.get(at);
      elements2.set(at, known5 === void 0 ? part : this.g.add(known5, part));
    }
    /** The whole adjoint, once all that read the node have given their parts. */
    of(id) {
      const elements2 = this.#elements.get(id);
      this.#elements.delete(id);
      if (elements2) this.add(id, this.#assembled(elements2, this.g.shapeOf(id)));
      return this.#sums.get(id);
    }
    /** Elements at their places in an array, zeros elsewhere. */
    #assembled(elements2, shape) {
      const { g } = this;
      const places2 = [...elements2.keys()].sort((a, b) => a - b);
      const joined5 = g.join(places2.map((at) => elements2.get(at)));
      const index = new Int32Array(sizeOf(shape)).fill(-1);
      places2.forEach((at, k) => {
        index[at] = k;
      });
      return g.gather(joined5, index, shape);
    }
  };
  function activeNodes(g, root, leaves) {
    const active = [];
    for (let id = 0; id <= root; id++) {
      active.push(leaves.includes(id) || g.nodes[id].args.some((arg) => active[arg]));
    }
    return active;
  }
  function filled2(g, adjoint, shape) {
    const from = g.shapeOf(adjoint);
    if (sameShape(from, shape)) return adjoint;
    return sizeOf(from) === sizeOf(shape) ? g.reshape(adjoint, shape) : g.broadcast(adjoint, shape);
  }
  function pull(g, node, id, adjoint, contribute, isActive) {
    switch (node.kind) {
      case "constant":
      case "column":
      case "parameter":
      case "input":
        return;
      case "map":
        return pullMap(g, node, id, adjoint, contribute, isActive);
      case "reduce":
      case "scan":
        return pullReduced(g, node, id, adjoint, contribute);
      case "reshape":
      case "gather":
      case "scatter":
      case "take":
      case "join":
        return pullMoved(g, node, adjoint, contribute, isActive);
      case "matmul":
      case "cholesky":
      case "solve":
        return pullMatrix(g, node, id, adjoint, contribute, isActive);
    }
  }
  function pullMap(g, node, id, adjoint, contribute, isActive) {
    pullsOf(node).forEach((one3, k) => {
      if (one3 === 0 || !isActive(k)) return;
      const raw = one3(g, adjoint, node.args, id);
      contribute(k, summedTo(g, raw, node.shape, g.shapeOf(node.args[k])));
    });
  }
  function pullsOf({ op, args }) {
    if (args.length === 1) return [unaryPulls[op]];
    return args.length === 2 ? binaryPulls[op] : ternaryPulls[op];
  }
  function summedTo(g, adjoint, out, to) {
    const from = g.shapeOf(adjoint);
    if (sizeOf(to) === 1) {
      const times3 = sizeOf(out) / sizeOf(from);
      return g.reshape(g.mul(g.scalar(times3), g.sum(adjoint)), to);
    }
    if (sizeOf(to) === sizeOf(out)) return sizeOf(from) === 1 ? adjoint : filled2(g, adjoint, to);
    const full = filled2(g, adjoint, out);
    const shift = out.length - to.length;
    const axes = out.map((_, i) => i).filter((i) => i < shift || to[i - shift] === 1 && out[i] > 1);
    return g.reshape(g.sum(full, axes), to);
  }

  // src/density/fast_sums.ts
  var mostFactors = 1e3;
  function fastSums(g, roots) {
    const known5 = /* @__PURE__ */ new Map();
    for (const id of reachable2(g.nodes, roots)) known5.set(id, replaced2(g, id, known5));
    return roots.map((root) => known5.get(root));
  }
  function replaced2(g, id, known5) {
    const node = g.nodes[id];
    if (node.kind === "reduce" && node.op === "sum" && g.isScalar(id)) {
      const fast = splitSum(g, id, node.args[0]);
      if (fast !== void 0) return fast;
    }
    const args = node.args.map((arg) => known5.get(arg));
    return args.every((arg, k) => arg === node.args[k]) ? id : again(g, node, args);
  }
  function again(g, node, args) {
    if (node.kind === "map") return g.plainMap(node.op, args);
    if (node.kind === "reduce" && node.op === "sum") return g.plainSum(args[0], node.axes);
    return remade(g, node, args);
  }
  function splitSum(g, sum3, x) {
    const size = sizeOf(g.shapeOf(x));
    if (size > mostFactors || size === 1) return void 0;
    const terms = { softplus: [], others: [], guards: [] };
    collect3(g, withoutGuards(g, x, terms.guards), 1, terms);
    if (terms.softplus.length === 0) return void 0;
    const scalar = (y) => g.reshape(y, g.shapeOf(sum3));
    const linear = terms.others.concat(
      terms.softplus.map(({ x: x2, factor: factor2 }) => ({ x: g.map("maximum", x2, g.scalar(0)), factor: factor2 }))
    );
    const axes = g.shapeOf(x).map((_, i) => i);
    const logs = terms.softplus.map(({ x: x2, factor: factor2 }) => {
      const ratios = g.add(g.scalar(1), g.exp(g.neg(g.map("abs", x2))));
      return { x: scalar(g.log(g.reduce("prod", ratios))), factor: factor2 };
    });
    const total2 = g.add(scalar(g.plainSum(combined(g, linear), axes)), combined(g, logs));
    return terms.guards.reduce(
      (value, guard2) => g.where(scalar(allHold(g, guard2)), value, g.scalar(-Infinity)),
      total2
    );
  }
  function withoutGuards(g, x, guards) {
    const node = g.nodes[x];
    if (node.kind !== "map" || node.op !== "where") return x;
    const [guard2, kept2, otherwise] = node.args;
    if (g.constantOf(otherwise) !== -Infinity || !sameShape(g.shapeOf(kept2), node.shape)) return x;
    guards.push(guard2);
    return withoutGuards(g, kept2, guards);
  }
  function allHold(g, guard2) {
    return g.isScalar(guard2) ? guard2 : g.reduce("prod", g.map("ne", guard2, g.scalar(0)));
  }
  function combined(g, terms) {
    const times3 = ({ x, factor: factor2 }) => factor2 === 1 ? x : g.plainMap("mul", [g.scalar(factor2), x]);
    const [first2, ...rest] = [...terms].sort((a, b) => b.factor - a.factor);
    return rest.reduce(
      (sum3, { x, factor: factor2 }) => factor2 < 0 ? g.plainMap("sub", [sum3, times3({ x, factor: -factor2 })]) : g.plainMap("add", [sum3, times3({ x, factor: factor2 })]),
      times3(first2)
    );
  }
  function collect3(g, x, factor2, terms) {
    const node = g.nodes[x];
    if (node.kind === "map" && node.op === "softplus") {
      terms.softplus.push({ x: node.args[0], factor: factor2 });
      return;
    }
    const [s, v] = g.factored(x);
    const known5 = g.constantOf(s);
    if (v !== x && known5 !== void 0) return collect3(g, v, factor2 * known5, terms);
    const sums = node.kind === "map" && (node.op === "add" || node.op === "sub");
    if (sums && node.args.every((arg) => sameShape(g.shapeOf(arg), node.shape))) {
      collect3(g, node.args[0], factor2, terms);
      return collect3(g, node.args[1], node.op === "add" ? factor2 : -factor2, terms);
    }
    terms.others.push({ x, factor: factor2 });
  }

  // src/density/unguarded.ts
  function unguarded(g, x) {
    const known5 = /* @__PURE__ */ new Map();
    return withoutGuards2(g, x, known5);
  }
  function withoutGuards2(g, x, known5) {
    const found = known5.get(x) ?? strip(g, x, (arg) => withoutGuards2(g, arg, known5));
    known5.set(x, found);
    return found;
  }
  function strip(g, x, inner) {
    const node = g.nodes[x];
    if (node.kind === "reshape") return g.reshape(inner(node.args[0]), node.shape);
    if (node.kind === "reduce" && node.op === "sum") {
      return fitted(g, g.sum(inner(node.args[0]), node.axes), x);
    }
    if (node.kind !== "map") return x;
    const [a, b, c] = node.args;
    switch (node.op) {
      case "add":
        return fitted(g, g.add(inner(a), inner(b)), x);
      case "sub":
        return fitted(g, g.sub(inner(a), b), x);
      case "mul": {
        const [factor2, rest] = g.factored(x);
        return rest !== x && (g.constantOf(factor2) ?? 0) > 0 ? fitted(g, g.mul(factor2, inner(rest)), x) : x;
      }
      case "where":
        if (g.constantOf(c) === -Infinity) return fitted(g, inner(b), x);
        if (g.constantOf(b) === -Infinity) return fitted(g, inner(c), x);
        if (g.constantOf(c) === 0) return fitted(g, g.where(a, inner(b), c), x);
        return x;
      default:
        return x;
    }
  }
  function fitted(g, x, like) {
    const shape = g.shapeOf(like);
    if (g.isScalar(x) && g.isScalar(like)) return g.reshape(x, shape);
    return g.broadcast(x, shape);
  }

  // src/density/gradient.ts
  function gradientRoots({ g, parameters }, value) {
    const inputs = parameters.map(({ input }) => input);
    return fastSums(g, [value, ...gradientOf(g, unguarded(g, value), inputs)]);
  }
  var GradientReader = class {
    constructor({ dimension, parameters }, run2, task = 0) {
      this.run = run2;
      this.task = task;
      const places2 = run2.places(task);
      this.#value = places2[0];
      this.#places = new Int32Array(dimension);
      parameters.forEach(({ offset, size }, k) => {
        for (let i = 0; i < size; i++) this.#places[offset + i] = places2[k + 1] + i;
      });
    }
    run;
    task;
    /** Where the value and each coordinate of the gradient lie. */
    #value;
    #places;
    /** −∞ and zeros unless all numbers are finite. */
    read(position2, offset, gradient, at) {
      return this.take(this.run.run(this.task, position2, offset), gradient, at);
    }
    /** The same from the results of the task. */
    take(result, gradient, at) {
      const places2 = this.#places;
      const value = result[this.#value];
      let check2 = value - value;
      for (let j = 0; j < places2.length; j++) {
        const slope = result[places2[j]];
        gradient[at + j] = slope;
        check2 += slope - slope;
      }
      if (check2 === 0) return value;
      for (let j = 0; j < places2.length; j++) gradient[at + j] = 0;
      return -Infinity;
    }
  };

  // src/density/extended.ts
  var ExtendedModule = class {
    dimension;
    #inputs;
    #reader;
    #generated;
    /** Whose further inputs stand in `#inputs`, and in the memory of generated code. */
    #current;
    #entered;
    /**
     * @param value the log density, a node of the program's graph.
     * @param further how many inputs there are behind the unconstrained vector.
     */
    constructor(assembled, backend, value, further) {
      const { g, dimension, parameters: parts } = assembled;
      const tasks = [gradientRoots(assembled, value)];
      const inputSize = dimension + further;
      const run2 = compilePlan({ nodes: g.nodes, inputSize, tasks, parts }, backend);
      this.dimension = dimension;
      this.#inputs = new Float64Array(inputSize);
      this.#reader = new GradientReader(assembled, run2);
      this.#generated = run2.generated;
    }
    /** The same for generated code, where there is such. */
    generatedFor(one3) {
      const generated = this.#generated;
      return generated && { gradient: generated.gradient, enter: () => this.#enter(generated, one3) };
    }
    /** Value and gradient at a position, with the further inputs of `one`. */
    logDensity(one3, position2, gradient, offset) {
      this.#take(one3);
      for (let j = 0; j < this.dimension; j++) this.#inputs[j] = position2[offset + j];
      this.#entered = one3;
      return this.#reader.read(this.#inputs, 0, gradient, offset);
    }
    #enter(generated, one3) {
      const anew = generated.enter();
      if (!anew && this.#entered === one3) return;
      this.#take(one3);
      generated.write(this.#inputs);
      this.#entered = one3;
    }
    #take(one3) {
      if (this.#current === one3) return;
      this.#inputs.set(one3.further, this.dimension);
      this.#current = one3;
    }
  };
  var ExtendedDensity = class {
    /** @param further never to be changed. */
    constructor(module, further, startingRegion2) {
      this.module = module;
      this.further = further;
      this.startingRegion = startingRegion2;
      this.dimension = module.dimension;
      this.generated = module.generatedFor(this);
    }
    module;
    further;
    startingRegion;
    dimension;
    generated;
    logDensity(position2, gradient, offset) {
      return this.module.logDensity(this, position2, gradient, offset);
    }
  };

  // src/density/few_rows.ts
  var worthwhile = 100;
  function fewRows(g, x, rows) {
    const few = new FewRows(g, rows, g.shapeOf(x)[0]);
    const apart = few.count >= worthwhile && 4 * rows.length <= few.count;
    return apart ? few.of(x) : few.taken(x);
  }
  var FewRows = class {
    /** @param count how many rows there are. */
    constructor(g, rows, count) {
      this.g = g;
      this.rows = rows;
      this.count = count;
    }
    g;
    rows;
    count;
    #known = /* @__PURE__ */ new Map();
    /** The rows of a node. */
    of(x) {
      const made = this.#known.get(x) ?? this.#make(x) ?? this.taken(x);
      this.#known.set(x, made);
      return made;
    }
    /** The rows, once the whole is there. */
    taken(x) {
      const { g, rows } = this;
      const shape = this.#fewer(g.shapeOf(x));
      const width3 = sizeOf(shape) / rows.length;
      const index = Int32Array.from(
        { length: rows.length * width3 },
        (_, k) => rows[Math.floor(k / width3)] * width3 + k % width3
      );
      return g.gather(x, index, shape);
    }
    #fewer(shape) {
      return [this.rows.length, ...shape.slice(1)];
    }
    #make(x) {
      const { g } = this;
      const node = g.nodes[x];
      switch (node.kind) {
        case "map":
          return g.plainMap(node.op, node.args.map((arg) => this.#operand(arg, node.shape)));
        case "reshape":
          if (g.shapeOf(node.args[0])[0] !== this.count) return void 0;
          return g.reshape(this.of(node.args[0]), this.#fewer(node.shape));
        case "matmul":
          return g.matmul(this.of(node.args[0]), node.args[1]);
        case "reduce":
          return this.#reduced(node);
        default:
          return void 0;
      }
    }
    /** An operand of an elementwise node; what is broadcast along the rows stays. */
    #operand(x, whole2) {
      const shape = this.g.shapeOf(x);
      return shape.length === whole2.length && shape[0] === this.count ? this.of(x) : x;
    }
    #reduced({ op, args, axes }) {
      return axes.includes(0) ? void 0 : this.g.reduce(op, this.of(args[0]), axes);
    }
  };

  // src/density/mixture.ts
  function mixtureModule(assembled, backend, parts) {
    const { g, dimension, likelihood: likelihood2, logPrior } = assembled;
    const [whole2, tempered2, power5] = [0, 1, 2].map((k) => g.input(dimension + k, []));
    const lacking = g.sub(g.input(dimension + 3, [parts.length]), partLikelihoods(assembled, parts));
    const components2 = [
      whole2,
      g.sub(tempered2, g.mul(power5, likelihood2.whole)),
      g.log(g.sum(g.exp(lacking)))
    ];
    const mixture2 = g.log(components2.map((one3) => g.exp(one3)).reduce((a, b) => g.add(a, b)));
    const value = g.add(g.add(logPrior, likelihood2.whole), mixture2);
    return new ExtendedModule(assembled, backend, value, 3 + parts.length);
  }
  function furtherInputs({ whole: whole2, tempered: tempered2, parts }) {
    const { logWeight: logWeight2, power: power5 } = tempered2;
    return Float64Array.of(whole2, logWeight2, power5, ...parts.map((part) => part.logWeight));
  }
  function partLikelihoods({ g, likelihood: likelihood2, observations }, parts) {
    if (parts.every(({ rows }) => rows.length === 1)) {
      return fewRows(g, likelihood2.ofEach, Int32Array.from(parts, ({ rows: [i] }) => i));
    }
    const partOfRow = new Int32Array(observations).fill(parts.length);
    parts.forEach(({ rows }, u) => rows.forEach((i) => partOfRow[i] = u));
    const all = likelihood2.ofUnits(partOfRow, parts.length + 1);
    return g.gather(all, Int32Array.from(parts, (_, u) => u), [parts.length]);
  }

  // src/density/partial.ts
  var WeightedDensity = class {
    #module;
    #observations;
    constructor(assembled, backend) {
      const { g, dimension, observations, likelihood: likelihood2, logPrior } = assembled;
      const weights = g.input(dimension, [observations]);
      const value = g.add(logPrior, likelihood2.kept(weights));
      this.#module = new ExtendedModule(assembled, backend, value, observations);
      this.#observations = observations;
    }
    /** The posterior without these observations. */
    without(rows, region) {
      const weights = new Float64Array(this.#observations).fill(1);
      for (const row of rows) weights[row] = 0;
      return new ExtendedDensity(this.#module, weights, region);
    }
  };

  // src/density/posterior_tasks.ts
  var likelihood = 1;
  var quantities = 2;
  var latentPrior = 3;
  var latentJoint = 4;
  var PosteriorTasks = class {
    #assembled;
    #backend;
    #gradientRoots;
    #pointwise;
    /** Index of the parameter that is to be integrated out, and which element each row sees. */
    #latent;
    /** The small module, and the large one. */
    #both;
    #all;
    /** @param pointwise the node of log p(y_i | position) `[observations]`. */
    constructor(assembled, pointwise, backend, latent) {
      const { g, logPrior, likelihood: { whole: whole2 } } = assembled;
      this.#assembled = assembled;
      this.#backend = backend;
      this.#gradientRoots = gradientRoots(assembled, g.add(logPrior, whole2));
      this.#pointwise = pointwise;
      this.#latent = latent;
    }
    /** The gradient for other generated code; compiles the large module. */
    get generated() {
      return this.#large().run.generated;
    }
    /** Log density, and its gradient into `gradient[at …)`. */
    gradient(position2, offset, gradient, at) {
      const reader2 = this.#all ?? (this.#latent ? this.#large() : this.#small());
      return reader2.read(position2, offset, gradient, at);
    }
    /** The same, and the likelihood of every observation into `out[outOffset …)`. */
    withLikelihood(position2, gradient, offset, out, outOffset) {
      const reader2 = this.#small();
      const values = reader2.run.run(0, position2, offset);
      const places2 = reader2.run.places(0);
      const from = places2[places2.length - 1];
      for (let i = 0; i < this.#assembled.observations; i++) out[outOffset + i] = values[from + i];
      return reader2.take(values, gradient, offset);
    }
    /** The likelihood of every observation into `out[outOffset …)`. */
    likelihood(position2, offset, out, outOffset) {
      this.#copy(likelihood, this.#assembled.observations, position2, offset, out, outOffset);
    }
    /** The log prior of every element of the latent, likewise. */
    latentPrior(position2, offset, out, outOffset) {
      const { size } = this.#assembled.parameters[this.#latent.parameter];
      this.#copy(latentPrior, size, position2, offset, out, outOffset);
    }
    /** Likelihood and log prior of its element of every observation, likewise. */
    latentJoint(position2, offset, out, outOffset) {
      this.#copy(latentJoint, this.#assembled.observations, position2, offset, out, outOffset);
    }
    /** The constrained quantities; last the weights of summed-out values, if there are any. */
    quantities(position2, offset) {
      const { run: run2 } = this.#large();
      return { values: run2.run(quantities, position2, offset), places: run2.places(quantities) };
    }
    /** Copies the only node of a task. */
    #copy(task, count, position2, offset, out, outOffset) {
      const { run: run2 } = this.#large();
      const values = run2.run(task, position2, offset);
      const from = run2.places(task)[0];
      for (let i = 0; i < count; i++) out[outOffset + i] = values[from + i];
    }
    #small() {
      return this.#both ??= this.#reader(this.#compile([[...this.#gradientRoots, this.#pointwise]]));
    }
    #large() {
      return this.#all ??= this.#reader(this.#compile(this.#allTasks(), true));
    }
    #reader(run2) {
      return new GradientReader(this.#assembled, run2);
    }
    #compile(tasks, withDoor = false) {
      const { g: { nodes }, dimension: inputSize, parameters } = this.#assembled;
      const plan = { nodes, inputSize, tasks, ...withDoor && { parts: parameters } };
      return compilePlan(plan, this.#backend);
    }
    #allTasks() {
      const { g, observations, quantities: quantities2, logWeights } = this.#assembled;
      const weights = logWeights === void 0 ? [] : [logWeights];
      const own = [...quantities2.map(({ node }) => node), ...weights];
      const tasks = [this.#gradientRoots, [this.#pointwise], own];
      if (!this.#latent) return tasks;
      const { parameter: parameter2, elementOfRow } = this.#latent;
      const prior = elementPrior(this.#assembled, parameter2);
      const ofRow = g.gather(prior, elementOfRow, [observations]);
      return [...tasks, [prior], [g.add(this.#pointwise, ofRow)]];
    }
  };
  function elementPrior({ g, parameters }, index) {
    const { drawn, prior, logJacobian: logJacobian2 } = parameters[index];
    return g.add(priorByElement(g, drawn, prior), logJacobian2);
  }

  // src/density/starting_region.ts
  var first = (a) => a;
  var second = (_a, b) => b;
  var centres = {
    normal: first,
    half_normal: first,
    log_normal: (mu) => exp(mu),
    truncated_normal(mu, sigma, lower2, upper) {
      if (lower2 < mu && mu < upper) return mu;
      const reach3 = (upper - lower2) / 2;
      return mu <= lower2 ? lower2 + Math.min(sigma, reach3) : upper - Math.min(sigma, reach3);
    },
    student_t: second,
    half_student_t: second,
    cauchy: first,
    half_cauchy: first,
    exponential: (lam) => 1 / lam,
    gamma: (alpha, beta2) => alpha / beta2,
    inverse_gamma: (alpha, beta2) => beta2 / (alpha + 1),
    chi_squared: first,
    weibull: second,
    beta: (alpha, beta2) => alpha / (alpha + beta2),
    uniform: (lower2, upper) => (lower2 + upper) / 2,
    triangular: (lower2, upper, c) => (lower2 + upper + c) / 3,
    laplace: first,
    logistic: first,
    logit_normal: (mu) => 1 / (1 + exp(-mu)),
    gumbel: first,
    moyal: first,
    skew_normal: first,
    ex_gaussian: (mu, _sigma, nu) => mu + nu,
    wald: first,
    pareto: (alpha, m) => m * (1 + 1 / alpha),
    rice: (nu, sigma) => nu + sigma,
    von_mises: first,
    mv_normal: first,
    mv_student_t: second
  };
  var spreads = {
    normal: second,
    log_normal: second,
    student_t: (_nu, _mu, sigma) => sigma,
    cauchy: second,
    laplace: second,
    logistic: second,
    logit_normal: second,
    gumbel: second,
    moyal: second,
    skew_normal: second,
    zero_sum_normal: first,
    gaussian_random_walk: second,
    ar: second
  };
  function startingRegion({ g, dimension, parameters }) {
    const region = {
      centre: new Float64Array(dimension),
      spread: new Float64Array(dimension).fill(1)
    };
    const laws = parameters.map(({ prior }) => prior);
    const tasks = parameters.map((one3, k) => [...laws[k].args, ...boundsOf2(one3)]);
    const run2 = plainEvaluator({ nodes: g.nodes, inputSize: dimension, tasks });
    parameters.forEach((one3, k) => {
      const result = run2.run(k, region.centre, 0);
      const places2 = run2.places(k);
      const values = tasks[k].map(
        (id, i) => result.slice(places2[i], places2[i] + sizeOf(g.shapeOf(id)))
      );
      const shapes = tasks[k].map((id) => g.shapeOf(id));
      place(region, one3, laws[k].family, laws[k].shape, laws[k].args.length, values, shapes);
    });
    return region;
  }
  function boundsOf2({ transform }) {
    return transform.kind === "interval" ? [transform.lower, transform.upper] : [];
  }
  function place({ centre: centre2, spread: spread4 }, { offset, size, transform }, family, shape, argCount, values, shapes) {
    if (["affine", "walk", "linear"].includes(transform.kind)) return;
    const readers2 = values.map((one3, i) => readerOf(one3, shapes[i], shape));
    const at = (k, i) => readers2[k]?.(i) ?? 0;
    const of2 = (rule, i, otherwise) => rule && argCount > 0 ? rule(at(0, i), at(1, i), argCount > 2 ? at(2, i) : 0, argCount > 3 ? at(3, i) : 0) : otherwise;
    for (let i = 0; i < size; i++) {
      const scale = of2(spreads[family], i, 1);
      if (scale > 0 && scale < 1) spread4[offset + i] = scale;
      const value = of2(centres[family], i, NaN);
      const lower2 = at(argCount, i);
      const upper = at(argCount + 1, i);
      const q = unconstrained(transform.kind, value, lower2, upper);
      if (Math.abs(q) < Infinity) centre2[offset + i] = q;
    }
  }
  function readerOf(values, from, to) {
    if (values.length === 1) return () => values[0];
    if (values.length === sizeOf(to) || from.length > to.length) return (i) => values[i] ?? 0;
    const shift = to.length - from.length;
    if (from.some((extent, i) => extent !== 1 && extent !== to[shift + i])) return () => NaN;
    const index = broadcastIndex(from, to);
    return (i) => values[index[i]];
  }
  function unconstrained(kind, x, lower2, upper) {
    switch (kind) {
      case "identity":
      case "circular":
        return x;
      case "log":
        return log(x);
      case "logodds":
        return log(x / (1 - x));
      case "interval":
        if (lower2 === -Infinity) return upper === Infinity ? x : log(upper - x);
        return upper === Infinity ? log(x - lower2) : log((x - lower2) / (upper - x));
      default:
        return 0;
    }
  }

  // src/density/compile.ts
  function compileLogDensity(program, dataset, options = {}) {
    return new CompiledDensity(program, dataset, options);
  }
  var CompiledDensity = class {
    dimension;
    observations;
    factorises;
    quantities;
    quantityShapes;
    latents;
    withLikelihood;
    #assembled;
    #backend;
    #tasks;
    #region;
    #weighted;
    constructor(program, dataset, { backend, latent, unitOfRow }) {
      const assembled = assemble(program, dataset);
      const { dimension, parameters, likelihood: likelihood2, quantities: quantities2 } = assembled;
      this.#assembled = assembled;
      this.#backend = backend ?? "wasm";
      this.dimension = dimension;
      this.observations = assembled.observations;
      this.factorises = likelihood2.factorises;
      this.quantityShapes = [...program.parameters, ...program.deterministics].map((one3, k) => ({
        name: one3.name,
        shape: quantities2[k].shape,
        dims: one3.dims
      }));
      this.quantities = this.quantityShapes.flatMap(({ name: name2, shape }) => elementNames(name2, shape));
      const pointwise = pointwiseOf(assembled, unitOfRow);
      const tasks = new PosteriorTasks(assembled, pointwise, this.#backend, latent);
      this.#tasks = tasks;
      if (!latent) {
        this.withLikelihood = (position2, gradient, offset2, out, outOffset) => tasks.withLikelihood(position2, gradient, offset2, out, outOffset);
        return;
      }
      const { offset, size } = parameters[latent.parameter];
      this.latents = {
        ...{ offset, elements: size, elementOfRow: latent.elementOfRow },
        logPrior: (position2, at, out, outOffset) => tasks.latentPrior(position2, at, out, outOffset),
        logJoint: (position2, at, out, outOffset) => tasks.latentJoint(position2, at, out, outOffset)
      };
    }
    get generated() {
      return this.#tasks.generated;
    }
    get startingRegion() {
      return this.#region ??= startingRegion(this.#assembled);
    }
    logDensity(position2, gradient, offset) {
      return this.#tasks.gradient(position2, offset, gradient, offset);
    }
    logLikelihood(position2, offset, out, outOffset) {
      this.#tasks.likelihood(position2, offset, out, outOffset);
    }
    without(rows) {
      this.#weighted ??= new WeightedDensity(this.#assembled, this.#backend);
      return this.#weighted.without(rows, this.startingRegion);
    }
    mixture(components2) {
      const module = mixtureModule(this.#assembled, this.#backend, components2.parts);
      return new ExtendedDensity(module, furtherInputs(components2), this.startingRegion);
    }
    constrain(position2, offset, out, outOffset) {
      const { values, places: places2 } = this.#tasks.quantities(position2, offset);
      const value = this.factorises ? 0 : this.#valueDrawn(position2, offset, values, places2[places2.length - 1]);
      let at = outOffset;
      this.#assembled.quantities.forEach(({ shape, varies: varies3 }, k) => {
        const size = sizeOf(shape);
        const from = places2[k] + (varies3 ? value * size : 0);
        for (let i = 0; i < size; i++) out[at++] = values[from + i];
      });
    }
    /** Which of its values a summed-out variable is drawn to have. */
    #valueDrawn(position2, offset, values, at) {
      const { g, logWeights } = this.#assembled;
      const own = position2.subarray(offset, offset + this.dimension);
      return drawValue(own, values, at, sizeOf(g.shapeOf(logWeights)));
    }
  };
  function pointwiseOf({ g, likelihood: likelihood2, observations }, unitOfRow) {
    if (likelihood2.factorises || !unitOfRow) return likelihood2.ofEach;
    const rows = [];
    for (const unit of unitOfRow) rows[unit] = (rows[unit] ?? 0) + 1;
    const shares = Float64Array.from(rows, (count) => 1 / count);
    const each = g.mul(likelihood2.ofUnits(unitOfRow, rows.length), g.array(shares, [rows.length]));
    return g.gather(each, unitOfRow, [observations]);
  }
  function elementNames(name2, shape) {
    if (shape.length === 0) return [name2];
    const names2 = [];
    forEachIndex(shape, (at) => void names2.push(`${name2}[${at.join(", ")}]`));
    return names2;
  }

  // src/density/non_centred.ts
  var locations = {
    normal: 0,
    student_t: 1,
    cauchy: 0,
    laplace: 0,
    logistic: 0,
    gumbel: 0
  };
  function nonCentred(program) {
    const discrete = dependsOnDiscrete(program);
    const parameters = program.parameters.map(
      (one3) => one3.prior.args.some((id) => discrete[id]) ? one3 : moved2(program, one3)
    );
    return parameters.some((one3, k) => one3 !== program.parameters[k]) ? { ...program, parameters } : void 0;
  }
  function moved2(program, parameter2) {
    const { prior, shape, transform } = parameter2;
    if (prior.family === "gaussian_random_walk") return movedWalk(program, parameter2);
    if (prior.family === "mv_normal") return movedRows(program, parameter2);
    const at = locations[prior.family];
    const distinct = new Set(prior.args).size === prior.args.length;
    const suits = at !== void 0 && distinct && transform.kind === "identity" && sizeOf(shape) > 1;
    if (!suits || !isFree(program, prior.args[at + 1])) return parameter2;
    const [location, scale] = [prior.args[at], prior.args[at + 1]];
    return { ...parameter2, transform: { kind: "affine", location, scale } };
  }
  function movedWalk(program, parameter2) {
    const { prior, shape, transform } = parameter2;
    const [location, scale] = prior.args;
    const single = [location, scale].every((id) => program.nodes[id].shape.length === 0);
    const suits = single && location !== scale && transform.kind === "identity" && (shape.at(-1) ?? 0) > 2;
    if (!suits || !isFree(program, scale)) return parameter2;
    return { ...parameter2, transform: { kind: "walk", location, scale } };
  }
  function movedRows(program, parameter2) {
    const { prior, shape, transform } = parameter2;
    const [location, factor2] = prior.args;
    const suits = shape.length === 2 && shape[0] > 1 && transform.kind === "identity" && program.nodes[factor2].shape.length === 2;
    if (!suits || !isFree(program, factor2)) return parameter2;
    return { ...parameter2, transform: { kind: "linear", location, factor: factor2 } };
  }
  function isFree({ nodes }, id) {
    const seen = /* @__PURE__ */ new Set();
    const open2 = [id];
    for (let next = open2.pop(); next !== void 0; next = open2.pop()) {
      if (nodes[next].kind === "parameter") return true;
      if (seen.has(next)) continue;
      seen.add(next);
      open2.push(...nodes[next].args);
    }
    return false;
  }

  // src/math/ranges.ts
  function addTimes(out, factor2, values, offset, from, to) {
    for (let s = from; s < to; s++) out[s] += factor2 * values[offset + s];
  }
  function sumRange(values, from, to) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let s = from;
    for (; s + 4 <= to; s += 4) {
      s0 += values[s];
      s1 += values[s + 1];
      s2 += values[s + 2];
      s3 += values[s + 3];
    }
    for (; s < to; s++) s0 += values[s];
    return s0 + s1 + (s2 + s3);
  }
  function dotRange(a, i, b, j, length2) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let s = 0;
    for (; s + 4 <= length2; s += 4) {
      s0 += a[i + s] * b[j + s];
      s1 += a[i + s + 1] * b[j + s + 1];
      s2 += a[i + s + 2] * b[j + s + 2];
      s3 += a[i + s + 3] * b[j + s + 3];
    }
    for (; s < length2; s++) s0 += a[i + s] * b[j + s];
    return s0 + s1 + (s2 + s3);
  }
  function meanSquare(values, offset, length2) {
    return dotRange(values, offset, values, offset, length2) / length2;
  }

  // src/infer/order.ts
  var runs = new Uint32Array(0);
  var merged = new Uint32Array(0);
  function orderOf(values) {
    const n = values.length;
    if (runs.length < n) {
      runs = new Uint32Array(n);
      merged = new Uint32Array(n);
    }
    for (let begin3 = 0; begin3 < n; begin3 += 8) insertionSort(values, begin3, Math.min(begin3 + 8, n));
    for (let width3 = 8; width3 < n; width3 *= 2) {
      for (let begin3 = 0; begin3 < n; begin3 += 2 * width3) {
        merge2(values, begin3, Math.min(begin3 + width3, n), Math.min(begin3 + 2 * width3, n));
      }
      [runs, merged] = [merged, runs];
    }
    return runs.subarray(0, n);
  }
  function insertionSort(values, begin3, end) {
    for (let i = begin3; i < end; i++) {
      const value = values[i];
      let to = i;
      for (; to > begin3 && values[runs[to - 1]] > value; to--) runs[to] = runs[to - 1];
      runs[to] = i;
    }
  }
  function merge2(values, begin3, middle, end) {
    let a = begin3;
    let b = middle;
    let to = begin3;
    while (a < middle && b < end) {
      const left = runs[a];
      const right = runs[b];
      if (values[left] <= values[right]) {
        merged[to++] = left;
        a++;
      } else {
        merged[to++] = right;
        b++;
      }
    }
    while (a < middle) merged[to++] = runs[a++];
    while (b < end) merged[to++] = runs[b++];
  }

  // src/infer/diagnostics.ts
  function convergence(values, chains) {
    const split = splitChains(values, chains);
    if (!isUsable2(split)) return { rhat: NaN, essBulk: NaN, essTail: NaN, essMean: NaN };
    const scores = scoresOf(split.values);
    return {
      rhat: rhatOf(scores, split.chains),
      essBulk: essOf(scores.bulk, split.chains),
      essTail: tailEss(values, chains),
      essMean: essOf(split.values, split.chains)
    };
  }
  function mixingOf(values, chains) {
    const split = splitChains(values, chains);
    if (!isUsable2(split)) return { rhat: NaN, essBulk: NaN };
    const scores = scoresOf(split.values);
    return { rhat: rhatOf(scores, split.chains), essBulk: essOf(scores.bulk, split.chains) };
  }
  function rhat(values, chains) {
    const split = splitChains(values, chains);
    return isUsable2(split) ? rhatOf(scoresOf(split.values), split.chains) : NaN;
  }
  function essMean(values, chains) {
    const split = splitChains(values, chains);
    return isUsable2(split) ? essOf(split.values, split.chains) : NaN;
  }
  function splitChains(values, chains) {
    const draws = values.length / chains;
    const half2 = Math.floor(draws / 2);
    const out = new Float64Array(2 * chains * half2);
    for (let c = 0; c < chains; c++) {
      const first2 = c * draws;
      const second2 = first2 + draws - half2;
      out.set(values.subarray(first2, first2 + half2), c * half2);
      out.set(values.subarray(second2, second2 + half2), (chains + c) * half2);
    }
    return { values: out, chains: 2 * chains };
  }
  function isUsable2({ values, chains }) {
    if (values.length < 2 * chains) return false;
    for (let i = 0; i < values.length; i++) if (!(Math.abs(values[i]) < Infinity)) return false;
    return true;
  }
  function scoresOf(values) {
    const n = values.length;
    const order = orderOf(values);
    const bulk = scoresInOrder(values, order);
    const half2 = n >> 1;
    const upper = values[order[half2]];
    const middle = n % 2 === 1 ? upper : 0.5 * values[order[half2 - 1]] + 0.5 * upper;
    const distances = new Float64Array(n);
    for (let i = 0; i < n; i++) distances[i] = Math.abs(values[i] - middle);
    return { bulk, folded: scoresInOrder(distances, foldedOrder(distances, order, half2)) };
  }
  var foldedIndices = new Uint32Array(0);
  function foldedOrder(distances, order, half2) {
    const n = order.length;
    if (foldedIndices.length < n) foldedIndices = new Uint32Array(n);
    let below2 = half2 - 1;
    let above = half2;
    for (let to = 0; to < n; to++) {
      const takeBelow = above === n || below2 >= 0 && distances[order[below2]] <= distances[order[above]];
      foldedIndices[to] = takeBelow ? order[below2--] : order[above++];
    }
    return foldedIndices.subarray(0, n);
  }
  function rhatOf({ bulk, folded }, chains) {
    return Math.max(plainRhat(bulk, chains), plainRhat(folded, chains));
  }
  function plainRhat(values, chains) {
    const { within: within4, between: between4, draws } = chainVariances(values, chains);
    return Math.sqrt((draws * between4 / within4 + draws - 1) / draws);
  }
  function chainVariances(values, chains) {
    const draws = values.length / chains;
    const means = chainMeans(values, chains);
    let within4 = 0;
    for (let c = 0, i = 0; c < chains; c++) {
      for (const end = i + draws; i < end; i++) {
        within4 += (values[i] - means[c]) * (values[i] - means[c]);
      }
    }
    return { within: within4 / (draws - 1) / chains, between: varianceOf(means), draws, means };
  }
  function chainMeans(values, chains) {
    const draws = values.length / chains;
    const means = new Float64Array(chains);
    for (let c = 0, i = 0; c < chains; c++) {
      let sum3 = 0;
      for (const end = i + draws; i < end; i++) sum3 += values[i];
      means[c] = sum3 / draws;
    }
    return means;
  }
  function varianceOf(values) {
    if (values.length < 2) return 0;
    let mean = 0;
    for (const v of values) mean += v / values.length;
    let square4 = 0;
    for (const v of values) square4 += (v - mean) * (v - mean);
    return square4 / (values.length - 1);
  }
  function scoresInOrder(values, order) {
    const n = values.length;
    const distinct = blomScores(n);
    const out = new Float64Array(n);
    for (let first2 = 0; first2 < n; ) {
      const value = values[order[first2]];
      let end = first2 + 1;
      while (end < n && values[order[end]] === value) end++;
      const score = end - first2 === 1 ? distinct[first2] : normalQuantile((0.5 * (first2 + 1 + end) - 0.375) / (n + 0.25));
      for (; first2 < end; first2++) out[order[first2]] = score;
    }
    return out;
  }
  var blom = new Float64Array(0);
  function blomScores(n) {
    if (blom.length !== n) {
      blom = Float64Array.from({ length: n }, (_, r) => normalQuantile((r + 0.625) / (n + 0.25)));
    }
    return blom;
  }
  function quantileOfSorted(sorted2, p) {
    const place3 = sorted2.length * p + 1 - p;
    const k = Math.floor(Math.min(Math.max(place3, 1), sorted2.length - 1));
    const gamma3 = Math.min(Math.max(place3 - k, 0), 1);
    return (1 - gamma3) * sorted2[k - 1] + gamma3 * sorted2[Math.min(k, sorted2.length - 1)];
  }
  function tailEss(values, chains) {
    const sorted2 = values.slice().sort();
    const of2 = (p) => {
      const q = quantileOfSorted(sorted2, p);
      const split = splitChains(values.map((v) => v <= q ? 1 : 0), chains);
      return essOf(split.values, split.chains);
    };
    return Math.min(of2(0.05), of2(0.95));
  }
  function essOf(values, chains) {
    const n = values.length;
    const draws = n / chains;
    if (isConstant3(values)) return n;
    const centred2 = values.slice();
    const means = chainMeans(values, chains);
    for (let c = 0, i = 0; c < chains; c++) {
      for (let s = 0; s < draws; s++, i++) centred2[i] -= means[c];
    }
    const within4 = meanAutocovariance(centred2, chains, 0) * draws / (draws - 1);
    const total2 = within4 * (draws - 1) / draws + varianceOf(means);
    const rho = (lag) => 1 - (within4 - meanAutocovariance(centred2, chains, lag)) / total2;
    const tau = autocorrelationTime(rho, draws);
    return n / Math.max(tau, 2.302585092994046 / log(n));
  }
  function isConstant3(values) {
    let low2 = Infinity;
    let high2 = -Infinity;
    for (let i = 0; i < values.length; i++) {
      low2 = Math.min(low2, values[i]);
      high2 = Math.max(high2, values[i]);
    }
    return high2 - low2 < 1e-15;
  }
  function meanAutocovariance(centred2, chains, lag) {
    const draws = centred2.length / chains;
    let sum3 = 0;
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
      sum3 += a + b;
    }
    return sum3 / draws / chains;
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
    let sum3 = 0;
    for (let i = 0; i <= last; i++) sum3 += kept2[i];
    return -1 + 2 * sum3 + (kept2[last + 1] ?? 0);
  }

  // src/loo/regressors.ts
  var drawsPerRegressor = 10;
  var maxPairDimension = 12;
  function choosePairs(d, draws) {
    const room = Math.floor(draws / drawsPerRegressor);
    if (d > room) return void 0;
    const squares2 = Array.from({ length: d }, (_, i) => [i, i]);
    if (2 * d > room) return [];
    if (d > maxPairDimension || d + d * (d + 1) / 2 > room) return squares2;
    return squares2.flatMap(([i]) => Array.from({ length: i + 1 }, (_, j) => [i, j]));
  }
  function regressorColumns(set2, pairs) {
    const draws = set2.chains * set2.draws;
    const columns = rawColumns(set2, pairs);
    const { weights } = set2;
    if (weights) {
      for (let at = 0; at < columns.length; at++) columns[at] *= weights[at % draws];
    }
    for (let at = 0; at < columns.length; at += draws) {
      if (!normalise(columns, at, draws)) return void 0;
    }
    return columns;
  }
  function rawColumns(set2, pairs) {
    const d = set2.dimension;
    const draws = set2.chains * set2.draws;
    const columns = new Float64Array((d + pairs.length) * draws);
    const q = new Float64Array(d * draws);
    for (let j = 0; j < d; j++) {
      for (let s = 0; s < draws; s++) q[j * draws + s] = set2.positions[s * d + j];
      const scale = standardise(q, j * draws, draws, set2.weights);
      for (let s = 0; s < draws; s++) columns[j * draws + s] = set2.gradients[s * d + j] * scale;
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
  function standardise(values, offset, length2, weights) {
    const sum3 = weights ? dotRange(weights, 0, values, offset, length2) : sumRange(values, offset, offset + length2);
    for (let s = offset; s < offset + length2; s++) values[s] -= sum3 / length2;
    if (!weights) return normalise(values, offset, length2);
    let square4 = 0;
    for (let s = 0; s < length2; s++) square4 += weights[s] * values[offset + s] * values[offset + s];
    const scale = Math.sqrt(square4 / length2);
    if (!(scale > 0 && scale < Infinity)) return 0;
    for (let s = offset; s < offset + length2; s++) values[s] /= scale;
    return scale;
  }
  function normalise(values, offset, length2) {
    const scale = Math.sqrt(dotRange(values, offset, values, offset, length2) / length2);
    if (!(scale > 0 && scale < Infinity)) return 0;
    for (let s = offset; s < offset + length2; s++) values[s] /= scale;
    return scale;
  }

  // src/loo/control_variates.ts
  var folds = 4;
  var ridge = 1e-10;
  var ControlVariates = class {
    /** Draws of all chains. */
    draws;
    /** How many regressors there are. */
    count;
    #chains;
    #independent;
    /** With mean square 1, `[count, draws]`. */
    #columns;
    #fits;
    #weights;
    /** Builds the regressors of draws, and what slopes without each quarter need. */
    constructor(set2) {
      this.draws = set2.chains * set2.draws;
      this.#independent = set2.weights !== void 0;
      this.#chains = set2.chains;
      const pairs = choosePairs(set2.dimension, this.draws);
      const fitted2 = pairs && (fitColumns(set2, pairs) ?? fitColumns(set2, []));
      this.#columns = fitted2?.columns ?? new Float64Array(0);
      this.#fits = fitted2?.fits ?? [];
      this.count = this.#columns.length / this.draws;
    }
    /** What the mean of the function `values[offset .. offset + draws)` has to be corrected by. */
    correction(values, offset = 0) {
      this.#weights ??= this.#correctionWeights();
      return dotRange(this.#weights, 0, values, offset, this.draws);
    }
    /**
     * The correction is linear in the values; its weight of every draw. Fold f is corrected by
     * −β_f · m_f, its slopes and its part of the columns' means; so a draw outside of it counts by its
     * column's distance from their mean, times G_f⁻¹ m_f.
     */
    #correctionWeights() {
      const { draws, count } = this;
      const out = new Float64Array(draws);
      for (const { from, to, factor: factor2, sums, means } of this.#fits) {
        const pull4 = sums.map((sum3) => sum3 / draws);
        solve(factor2, pull4);
        const constant2 = dotRange(pull4, 0, means, 0, count);
        for (let s = 0; s < draws; s++) if (s < from || s >= to) out[s] += constant2;
        for (let k = 0; k < count; k++) {
          addTimes(out, -pull4[k], this.#columns, k * draws, 0, from);
          addTimes(out, -pull4[k], this.#columns, k * draws, to, draws);
        }
      }
      return out;
    }
    /**
     * Correction and standard error of the mean of `values` `[draws]`: the error is that of what the
     * slopes of the other folds leave.
     */
    correct(values) {
      const rest = values.slice();
      for (const fit of this.#fits) {
        const slopes = this.#slopes(fit, values);
        for (let k = 0; k < this.count; k++) {
          addTimes(rest, -slopes[k], this.#columns, k * this.draws, fit.from, fit.to);
        }
      }
      const mcse = this.#independent ? independentError(rest) : monteCarloError(rest, this.#chains);
      const mean = sumRange(values, 0, this.draws) / this.draws;
      const variance = meanSquare(values, 0, this.draws) - mean * mean;
      const perDraw = variance > 0 ? mcse * mcse / variance : 1 / this.draws;
      return { correction: this.correction(values), mcse, perDraw, largest: largestShare(rest) };
    }
    /** Least-squares slopes of the values outside of a fold. */
    #slopes({ from, to, factor: factor2, means }, values) {
      const { draws } = this;
      const total2 = sumRange(values, 0, from) + sumRange(values, to, draws);
      const out = means.map((mean, k) => {
        const at = k * draws;
        const before = dotRange(this.#columns, at, values, 0, from);
        return before + dotRange(this.#columns, at + to, values, to, draws - to) - mean * total2;
      });
      solve(factor2, out);
      return out;
    }
  };
  function solve(factor2, values) {
    solveLower(factor2, values.length, values);
    solveUpper(factor2, values.length, values);
  }
  function logGain(correction) {
    return correction > -0.5 ? log1p(correction) : correction;
  }
  function monteCarloError(values, chains) {
    const n = values.length;
    let mean = 0;
    for (const v of values) mean += v;
    mean /= n;
    let square4 = 0;
    for (const v of values) square4 += (v - mean) * (v - mean);
    return square4 === 0 ? 0 : Math.sqrt(square4 / (n - 1) / essMean(values, chains));
  }
  function independentError(values) {
    const n = values.length;
    const mean = sumRange(values, 0, n) / n;
    return Math.sqrt((meanSquare(values, 0, n) - mean * mean) / (n - 1));
  }
  function largestShare(values) {
    let [largest2, sum3] = [0, 0];
    for (const v of values) {
      sum3 += v * v;
      if (v * v > largest2) largest2 = v * v;
    }
    return sum3 > 0 ? largest2 / sum3 : 0;
  }
  function fitColumns(set2, pairs) {
    const draws = set2.chains * set2.draws;
    const columns = regressorColumns(set2, pairs);
    const fits = columns && fitsOf(columns, columns.length / draws, draws);
    return fits && { columns, fits };
  }
  function fitsOf(columns, count, draws) {
    const parts = Array.from({ length: folds }, (_, f) => {
      const [from, to] = [Math.floor(f * draws / folds), Math.floor((f + 1) * draws / folds)];
      const products = productsOf(columns, count, draws, from, to);
      const sums = new Float64Array(count);
      for (let k = 0; k < count; k++) sums[k] = sumRange(columns, k * draws + from, k * draws + to);
      return { from, to, sums, products };
    });
    const fits = parts.map(({ from, to, sums }, f) => {
      const others = parts.filter((_, other) => other !== f);
      const rest = draws - (to - from);
      const means = total(others.map((part) => part.sums)).map((sum3) => sum3 / rest);
      const factor2 = total(others.map((part) => part.products));
      for (let i = 0; i < count; i++) {
        for (let j = 0; j <= i; j++) factor2[i * count + j] -= rest * means[i] * means[j];
        factor2[i * count + i] += rest * ridge;
      }
      return { from, to, sums, means, factor: factor2, proper: cholesky(factor2, count) };
    });
    return fits.every(({ proper }) => proper) ? fits : void 0;
  }
  function total(arrays) {
    const out = new Float64Array(arrays[0].length);
    for (const array of arrays) for (let k = 0; k < out.length; k++) out[k] += array[k];
    return out;
  }
  function productsOf(columns, count, draws, from, to) {
    const out = new Float64Array(count * count);
    const even = count & ~1;
    for (let i = 0; i < even; i += 2) {
      for (let j = 0; j <= i; j += 2) {
        const at = i * count + j;
        [out[at], out[at + 1], out[at + count], out[at + count + 1]] = fourProducts(
          columns,
          i * draws + from,
          j * draws + from,
          draws,
          to - from
        );
      }
    }
    for (let j = 0; even < count && j < count; j++) {
      const [a, b] = [even * draws + from, j * draws + from];
      out[even * count + j] = dotRange(columns, a, columns, b, to - from);
    }
    return out;
  }
  function fourProducts(columns, p, q, stride, length2) {
    let [ac, ad, bc, bd] = [0, 0, 0, 0];
    for (let s = 0; s < length2; s++) {
      const a = columns[p + s];
      const b = columns[p + stride + s];
      const c = columns[q + s];
      const d = columns[q + stride + s];
      ac += a * c;
      ad += a * d;
      bc += b * c;
      bd += b * d;
    }
    return [ac, ad, bc, bd];
  }

  // src/loo/posterior.ts
  function pointwiseLogLikelihood(density, set2, earlier) {
    const { observations: n } = density;
    const out = new Float64Array(set2.chains * set2.draws * n);
    const before = earlier?.chainSet.draws ?? 0;
    for (let c = 0; c < set2.chains; c++) {
      const first2 = c * set2.draws;
      if (earlier) {
        const from = c * before * n;
        out.set(earlier.logLikelihood.subarray(from, from + before * n), first2 * n);
      }
      for (let s = first2 + before; s < first2 + set2.draws; s++) {
        density.logLikelihood(set2.positions, s * set2.dimension, out, s * n);
      }
    }
    return out;
  }
  function coordinate(set2, k) {
    const out = new Float64Array(set2.chains * set2.draws);
    for (let s = 0; s < out.length; s++) out[s] = set2.positions[s * set2.dimension + k];
    return out;
  }
  var maxQuantities = 128;
  function relativeEfficiency(density, set2) {
    if (set2.chains === 1) return 1;
    const draws = set2.chains * set2.draws;
    const count = density.quantities.length;
    const columns = count > 0 && count <= maxQuantities ? quantityColumns(density, set2) : Array.from({ length: set2.dimension }, (_, k) => coordinate(set2, k));
    let sum3 = 0;
    for (const column of columns) sum3 += essMean(column, set2.chains);
    const efficiency2 = sum3 / columns.length / draws;
    return efficiency2 > 1 / draws ? efficiency2 : 1 / draws;
  }
  function quantityColumns(density, set2) {
    const draws = set2.chains * set2.draws;
    const row = new Float64Array(density.quantities.length);
    const columns = density.quantities.map(() => new Float64Array(draws));
    for (let s = 0; s < draws; s++) {
      density.constrain(set2.positions, s * set2.dimension, row, 0);
      for (let k = 0; k < row.length; k++) columns[k][s] = row[k];
    }
    return columns;
  }
  var known4 = /* @__PURE__ */ new WeakMap();
  function mixing(set2) {
    const found = known4.get(set2) ?? findMixing(set2);
    known4.set(set2, found);
    return found;
  }
  function findMixing(set2) {
    let rhatMax = 1;
    let essBulkMin = set2.chains * set2.draws;
    for (let k = 0; k < set2.dimension; k++) {
      const { rhat: r, essBulk: ess } = mixingOf(coordinate(set2, k), set2.chains);
      if (!(r <= rhatMax)) rhatMax = r === r ? r : Infinity;
      if (!(ess >= essBulkMin)) essBulkMin = ess === ess ? ess : 0;
    }
    return {
      rhatMax,
      essBulkMin,
      divergent: countDivergences(set2) / (set2.chains * set2.draws),
      stuck: isStuck(set2)
    };
  }
  function isStuck(set2) {
    const d = set2.dimension;
    for (let c = 0; c < set2.chains; c++) {
      let moves = 0;
      for (let s = c * set2.draws + 1; s < (c + 1) * set2.draws; s++) {
        if (set2.positions[s * d] !== set2.positions[(s - 1) * d]) moves += 1;
      }
      if (moves < 0.1 * (set2.draws - 1)) return true;
    }
    return false;
  }

  // src/math/wasm/exponentials.ts
  var batchSize = batchBytes / 8;
  var code;
  var view = new Float64Array(0);
  function batch() {
    const { buffer } = sharedMemory();
    if (view.buffer !== buffer) view = new Float64Array(buffer, firstBatch, batchSize);
    return view;
  }
  function exponentiate(count) {
    code ??= instantiate2();
    if (count > 0) code(16 * Math.ceil(count / 2));
  }
  function instantiate2() {
    const library2 = new FunctionLibrary(["exp"], 0);
    const f = new FunctionBody(["i32"], []);
    const [bytes, at] = [0, f.local("i32")];
    f.asLongAs(() => f.get(at, bytes).op("i32.lt_u"), () => {
      f.get(at).get(at).load(firstBatch).call(library2.index("exp")).store(firstBatch);
      f.get(at).i32(16).op("i32.add").set(at);
    });
    const exported = [{ name: "exponentiate", index: library2.count }];
    const module = assembleModule([], [...library2.bodies(), f], exported);
    const host2 = { memory: sharedMemory() };
    const instance = new WebAssembly.Instance(new WebAssembly.Module(module), { host: host2 });
    return instance.exports.exponentiate;
  }

  // src/math/exponentials.ts
  var worthwhile2 = 16;
  function exponentials(values, shift, out) {
    const { length: length2 } = values;
    if (length2 < worthwhile2) {
      for (let i = 0; i < length2; i++) out[i] = exp(values[i] - shift);
      return;
    }
    for (let from = 0; from < length2; from += batchSize) {
      const count = Math.min(batchSize, length2 - from);
      const numbers2 = batch();
      for (let k = 0; k < count; k++) numbers2[k] = values[from + k] - shift;
      exponentiate(count);
      for (let k = 0; k < count; k++) out[from + k] = numbers2[k];
    }
  }
  function sumOfExponentials(values, shift, offset, length2, stride) {
    let sum3 = 0;
    if (length2 < worthwhile2) {
      for (let k = 0; k < length2; k++) sum3 += exp(values[offset + k * stride] - shift);
      return sum3;
    }
    for (let from = 0; from < length2; from += batchSize) {
      const count = Math.min(batchSize, length2 - from);
      const numbers2 = batch();
      for (let k = 0; k < count; k++) numbers2[k] = values[offset + (from + k) * stride] - shift;
      exponentiate(count);
      for (let k = 0; k < count; k++) sum3 += numbers2[k];
    }
    return sum3;
  }

  // src/math/log_sum_exp.ts
  function logSumExp2(values, offset = 0, length2 = values.length - offset, stride = 1) {
    let largest2 = -Infinity;
    const end = offset + length2 * stride;
    for (let i = offset; i < end; i += stride) {
      if (!(values[i] <= largest2)) largest2 = values[i];
    }
    if (!(largest2 > -Infinity && largest2 < Infinity)) return largest2;
    return largest2 + log(sumOfExponentials(values, largest2, offset, length2, stride));
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
    let highest = -Infinity;
    for (let j = 0; j < m; j++) {
      const b2 = (1 - Math.sqrt(m / (j + 0.5))) / scale + 1 / x[n - 1];
      const k2 = meanLog1m(x, b2);
      grid[j] = b2;
      logLikelihood[j] = n * (log(-b2 / k2) - k2 - 1);
      if (logLikelihood[j] > highest) highest = logLikelihood[j];
    }
    const b = posteriorMean(m, highest);
    const k = meanLog1m(x, b);
    return { k: (n * k + priorWeight * priorK) / (n + priorWeight), sigma: -k / b };
  }
  function posteriorMean(m, highest) {
    let total2 = 0;
    for (let j = 0; j < m; j++) {
      logLikelihood[j] = exp(logLikelihood[j] - highest);
      total2 += logLikelihood[j];
    }
    const negligible = 10 * 2220446049250313e-31 * total2;
    let kept2 = 0;
    let sum3 = 0;
    for (let j = 0; j < m; j++) {
      if (!(logLikelihood[j] >= negligible)) continue;
      kept2 += logLikelihood[j];
      sum3 += logLikelihood[j] * grid[j];
    }
    return sum3 / kept2;
  }
  var smallest = 1e-150;
  var largest = 1e150;
  function meanLog1m(x, b) {
    const n = x.length;
    let sum3 = 0;
    let product4 = 1;
    let i = 0;
    for (; i + 8 <= n; i += 8) {
      const eight = (1 - b * x[i]) * (1 - b * x[i + 1]) * ((1 - b * x[i + 2]) * (1 - b * x[i + 3])) * ((1 - b * x[i + 4]) * (1 - b * x[i + 5]) * ((1 - b * x[i + 6]) * (1 - b * x[i + 7])));
      if (!(eight > smallest && eight < largest)) {
        sum3 += sumLog1m(x, b, i, i + 8);
        continue;
      }
      product4 *= eight;
      if (product4 > smallest && product4 < largest) continue;
      sum3 += log(product4);
      product4 = 1;
    }
    let rest = 1;
    for (; i < n; i++) rest *= 1 - b * x[i];
    if (!(rest > smallest && rest < largest)) {
      return (sum3 + log(product4) + sumLog1m(x, b, n - n % 8, n)) / n;
    }
    return (sum3 + log(product4 * rest)) / n;
  }
  function sumLog1m(x, b, begin3, end) {
    let sum3 = 0;
    for (let i = begin3; i < end; i++) sum3 += log1p(-b * x[i]);
    return sum3;
  }
  function paretoQuantile(logTail, k, sigma) {
    return Math.abs(k) < 2220446049250313e-31 ? -sigma * logTail : sigma * expm1(-k * logTail) / k;
  }

  // src/loo/quickselect.ts
  function quickselect(values, length2, k) {
    let left = 0;
    let right = length2 - 1;
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
        const swapped2 = values[i];
        values[i] = values[j];
        values[j] = swapped2;
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
  function psisLoo(logLikelihood2, draws, observations, rEff, plain3 = new Uint8Array(observations)) {
    const smoother = new Smoother(draws, tailLength(draws, rEff));
    const out = {
      elpdPointwise: new Float64Array(observations),
      plainPointwise: new Float64Array(observations),
      lppdPointwise: new Float64Array(observations),
      paretoK: new Float64Array(observations),
      influence: new Float64Array(observations * draws)
    };
    const rows = new Float64Array(Math.min(together, observations) * draws);
    const row = (k) => rows.subarray(k * draws, (k + 1) * draws);
    const scratch = new Float64Array(draws);
    for (let i = 0; i < observations; i++) {
      const place3 = i % together;
      if (place3 === 0) turn(logLikelihood2, i, Math.min(together, observations - i), rows, draws);
      const influence = out.influence.subarray(i * draws, (i + 1) * draws);
      const one3 = smoother.smooth(row(place3), scratch, influence);
      out.elpdPointwise[i] = one3.elpd;
      out.plainPointwise[i] = one3.plain;
      if (plain3[i] === 1) smoother.plainInfluence(influence);
      out.lppdPointwise[i] = one3.lppd;
      out.paretoK[i] = one3.k;
    }
    const weights = (i) => {
      turn(logLikelihood2, i, 1, rows, draws);
      const own = new Float64Array(draws);
      smoother.smooth(row(0), own, scratch);
      return own;
    };
    return {
      draws,
      observations,
      ...out,
      ...totals(out.elpdPointwise, out.lppdPointwise),
      goodK: goodParetoK(draws),
      weights
    };
  }
  var together = 8;
  function turn(logLikelihood2, first2, count, rows, draws) {
    const observations = logLikelihood2.length / draws;
    for (let s = 0, at = first2; s < draws; s++, at += observations) {
      for (let j = 0; j < count; j++) rows[j * draws + s] = logLikelihood2[at + j];
    }
  }
  function totals(elpd, lppd) {
    const n = elpd.length;
    let elpdLoo2 = 0;
    let pLoo = 0;
    for (let i = 0; i < n; i++) {
      elpdLoo2 += elpd[i];
      pLoo += lppd[i] - elpd[i];
    }
    let square4 = 0;
    for (const e of elpd) square4 += (e - elpdLoo2 / n) * (e - elpdLoo2 / n);
    return { elpdLoo: elpdLoo2, pLoo, se: Math.sqrt(square4) };
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
    #ratioSum = 0;
    /** log(1 − p) at the probabilities (j − ½) / length. */
    #logTails;
    constructor(draws, tail2) {
      this.#draws = draws;
      this.#ratios = new Float64Array(draws);
      this.#scratch = new Float64Array(draws);
      this.#tail = this.#scratch.subarray(draws - tail2);
      this.#smoothed = new Float64Array(tail2);
      this.#taken = new Uint32Array(tail2);
      this.#exceedances = new Float64Array(tail2);
      this.#logTails = new Float64Array(tail2);
      for (let j = 0; j < tail2; j++) this.#logTails[j] = log1p(-(j + 0.5) / tail2);
    }
    /**
     * Fills weights and influence of an observation with these log likelihoods `[draws]`; returns its
     * estimates.
     */
    smooth(logLikelihood2, weights, influence) {
      const draws = this.#draws;
      const lowest = this.#fillRatios(logLikelihood2);
      const k = this.#smoothTail();
      let weightSum = 0;
      let densitySum = 0;
      let likelihoodSum = 0;
      let ratioSum = 0;
      for (let s = 0; s < draws; s++) {
        const ratio = this.#ratios[s];
        const weight = this.#weightOf(ratio);
        const density = weight === ratio ? 1 : weight / ratio;
        weights[s] = weight;
        influence[s] = density;
        likelihoodSum += 1 / ratio;
        ratioSum += ratio;
        weightSum += weight;
        densitySum += density;
      }
      const weightScale = 1 / weightSum;
      const densityScale = draws / densitySum;
      for (let s = 0; s < draws; s++) {
        weights[s] *= weightScale;
        influence[s] = influence[s] * densityScale - draws * weights[s];
      }
      const lppd = likelihoodSum < Infinity ? lowest + log(likelihoodSum / draws) : logSumExp2(logLikelihood2) - log(draws);
      this.#ratioSum = ratioSum;
      const plain3 = lowest + log(draws / ratioSum);
      return { elpd: lowest + log(densitySum / weightSum), plain: plain3, lppd, k };
    }
    /** Influence of the draws on the plain estimate of the observation that was smoothed last. */
    plainInfluence(influence) {
      const scale = this.#draws / this.#ratioSum;
      for (let s = 0; s < this.#draws; s++) influence[s] = 1 - this.#ratios[s] * scale;
    }
    /** Ratios 1 / likelihood, scaled to a maximum of 1; returns the lowest log likelihood. */
    #fillRatios(logLikelihood2) {
      let lowest = Infinity;
      for (let s = 0; s < this.#draws; s++) {
        if (logLikelihood2[s] < lowest) lowest = logLikelihood2[s];
      }
      for (let s = 0; s < this.#draws; s++) this.#ratios[s] = -logLikelihood2[s];
      exponentials(this.#ratios, -lowest, this.#ratios);
      return lowest;
    }
    /** Prepares the smoothed tail; returns k. Without a fit the tail stays as it is. */
    #smoothTail() {
      const length2 = this.#tail.length;
      this.#taken.fill(0);
      if (length2 < 5) {
        this.#tail.fill(Infinity);
        return Infinity;
      }
      this.#scratch.set(this.#ratios);
      const cutIndex = this.#draws - length2 - 1;
      quickselect(this.#scratch, this.#draws, cutIndex);
      const cutoff = this.#scratch[cutIndex];
      this.#tail.sort();
      this.#smoothed.set(this.#tail);
      if (this.#tail[length2 - 1] - this.#tail[0] < 22250738585072014e-324) return 0;
      for (let j = 0; j < length2; j++) this.#exceedances[j] = this.#tail[j] - cutoff;
      const { k, sigma } = fitPareto(this.#exceedances);
      if (!(Math.abs(k) < Infinity && sigma > 0)) return Infinity;
      for (let j = 0; j < length2; j++) {
        const quantile = cutoff + paretoQuantile(this.#logTails[j], k, sigma);
        this.#smoothed[j] = Math.min(quantile, 1);
      }
      return k;
    }
    /** The smoothed ratio; each place in the tail is given away once, in the order of draws. */
    #weightOf(ratio) {
      const tail2 = this.#tail;
      if (!(ratio >= tail2[0])) return ratio;
      let low2 = 0;
      let high2 = tail2.length - 1;
      while (low2 < high2) {
        const middle = low2 + high2 >>> 1;
        if (tail2[middle] < ratio) low2 = middle + 1;
        else high2 = middle;
      }
      const place3 = low2 + this.#taken[low2]++;
      return place3 < tail2.length && tail2[place3] === ratio ? this.#smoothed[place3] : ratio;
    }
  };

  // src/loo/estimate.ts
  var pull2 = 0.2;
  var calmVariance = 0.35;
  var refitAllBelow = 50;
  function estimateElpd(density, set2, known5) {
    const draws = set2.chains * set2.draws;
    const logLikelihood2 = pointwiseLogLikelihood(density, set2, known5);
    const rEff = relativeEfficiency(density, set2);
    const variance = variances(logLikelihood2, draws, density.observations);
    const plain3 = Uint8Array.from(variance, (v) => v <= calmVariance ? 1 : 0);
    const psis = psisLoo(logLikelihood2, draws, density.observations, rEff, plain3);
    const bad = badObservations(psis);
    const isBad = new Uint8Array(density.observations);
    for (const i of bad) isBad[i] = 1;
    const variates = new ControlVariates(set2);
    const corrected = psis.elpdPointwise.map((e, i) => plain3[i] === 1 ? psis.plainPointwise[i] : e);
    const influence = new Float64Array(draws);
    for (let i = 0; i < density.observations; i++) {
      if (isBad[i] === 0) addTo(influence, psis.influence, i * draws);
    }
    const { mcse, perDraw } = variates.correct(influence);
    for (let i = 0; i < density.observations; i++) {
      const at = i * draws;
      corrected[i] -= logGain(-variates.correction(psis.influence, at));
      corrected[i] -= 0.5 * perDraw * meanSquare(psis.influence, at, draws);
    }
    const full = { density, chainSet: set2, logLikelihood: logLikelihood2 };
    return {
      full,
      psis,
      variates,
      corrected,
      variance,
      bad,
      influence,
      mcse,
      left: Math.sqrt(perDraw * draws)
    };
  }
  function variances(logLikelihood2, draws, observations) {
    const mean = new Float64Array(observations);
    const square4 = new Float64Array(observations);
    for (let s = 0; s < draws; s++) {
      for (let i = 0; i < observations; i++) {
        const rest = logLikelihood2[s * observations + i] - mean[i];
        mean[i] += rest / (s + 1);
        square4[i] += rest * (logLikelihood2[s * observations + i] - mean[i]);
      }
    }
    return square4.map((v) => v / (draws - 1));
  }
  function addTo(sum3, values, offset) {
    for (let s = 0; s < sum3.length; s++) sum3[s] += values[offset + s];
  }
  function refitLimit(observations) {
    return observations <= refitAllBelow ? observations : Math.max(5, Math.floor(0.1 * observations));
  }
  function badObservations(psis) {
    const all = Array.from({ length: psis.observations }, (_, i) => i);
    return all.filter((i) => needsRefit(psis, i));
  }
  function needsRefit({ paretoK, goodK, lppdPointwise, elpdPointwise }, i) {
    if (!(paretoK[i] <= goodK)) return true;
    return paretoK[i] > 0.5 && lppdPointwise[i] - elpdPointwise[i] > pull2;
  }

  // src/importance/features.ts
  var far2 = 4;
  function clamped(value) {
    return value > far2 ? far2 : value < -far2 ? -far2 : value;
  }
  function featureCount(coordinates) {
    return coordinates < 2 ? 1 + 2 * coordinates : 4 * coordinates - 2;
  }
  function writeFeatures(z, near2, k, features) {
    let at = featureCount(k);
    const own = near2[k];
    features[at++] = z[k];
    features[at++] = own * own - 1;
    if (k > 0) features[at++] = near2[0] * own;
    if (k > 1) features[at++] = near2[1] * own;
  }

  // src/importance/split_student.ts
  var peakDensity = 0.386699020961393;
  function drawDistance(stream) {
    for (; ; ) {
      const u = 2 * stream.uniform() - 1;
      const v = 2 * stream.uniform() - 1;
      const w = u * u + v * v;
      if (w > 0 && w < 1) return Math.abs(u) * Math.sqrt(8 * (1 / Math.sqrt(Math.sqrt(w)) - 1) / w);
    }
  }
  var meanDistance = 0.7978845608028654;
  var symmetricDraws = 100;
  var maxRatio = 8;
  var halvings = 20;
  function fitSplit(values, weights, effective) {
    const mean = dotRange(values, 0, weights, 0, values.length);
    let square4 = 0;
    let cube = 0;
    for (let s = 0; s < values.length; s++) {
      const rest = values[s] - mean;
      const part = weights[s] * rest * rest;
      square4 += part;
      cube += part * rest;
    }
    const skewness = cube / (square4 * Math.sqrt(square4)) * effective / (effective + symmetricDraws);
    const right = rightWidth(Math.abs(skewness));
    const [l, r] = skewness < 0 ? [right, 1 / right] : [1 / right, right];
    const scale = Math.sqrt(square4 / moments2(r).variance);
    return { mode: mean - scale * meanDistance * (r - l), left: scale * l, right: scale * r };
  }
  function moments2(r) {
    const gap = r - 1 / r;
    const squared = gap * gap;
    const variance = (1 - meanDistance * meanDistance) * squared + 1;
    const cube = meanDistance * gap * ((2 * meanDistance * meanDistance - 1) * squared + 1);
    return { variance, skewness: cube / (variance * Math.sqrt(variance)) };
  }
  function rightWidth(skewness) {
    let [low2, high2] = [1, Math.sqrt(maxRatio)];
    for (let k = 0; k < halvings; k++) {
      const middle = 0.5 * (low2 + high2);
      if (moments2(middle).skewness < skewness) low2 = middle;
      else high2 = middle;
    }
    return low2;
  }

  // src/importance/triangular.ts
  var wideShare = 0.3;
  var wider = 1.8;
  var maxExponent = 2;
  function widthOf(exponent) {
    const x = Math.min(maxExponent, Math.abs(exponent));
    const width3 = 1 + x * (1 + x * (0.5 + x * (1 / 6)));
    return exponent < 0 ? 1 / width3 : width3;
  }
  var TriangularProposal = class {
    dimension;
    logPeak;
    #map;
    /** By coordinate: mode, and both widths. */
    #mode;
    #left;
    #right;
    /** Slopes of all coordinates, one after another, and the same of spreads. */
    #slopes;
    #spreads;
    /** Share of the wide draws, times their density at the mode over that of the others. */
    #widePeak;
    /** The vector at hand, standardised, the same clamped, and the features of its coordinates. */
    #z;
    #clamped;
    #features;
    constructor(map) {
      const d = map.centre.length;
      const { conditionals } = map;
      this.dimension = d;
      this.#map = map;
      this.#mode = Float64Array.from(conditionals, ({ mode }) => mode);
      this.#left = Float64Array.from(conditionals, ({ left }) => left);
      this.#right = Float64Array.from(conditionals, ({ right }) => right);
      this.#slopes = Float64Array.from(conditionals.flatMap(({ slopes }) => [...slopes]));
      this.#spreads = Float64Array.from(conditionals.flatMap(({ spreads: spreads2 }) => [...spreads2]));
      this.#z = new Float64Array(d);
      this.#clamped = new Float64Array(d);
      this.#features = new Float64Array(featureCount(d));
      this.#features[0] = 1;
      let logPeak = 0;
      let wide = wideShare;
      conditionals.forEach(({ left, right }, j) => {
        logPeak += log(2 * peakDensity / (left + right) / map.scale[j]);
        wide /= wider;
      });
      this.logPeak = logPeak;
      this.#widePeak = wide;
    }
    draw(stream, out, offset) {
      const factor2 = stream.uniform() < wideShare ? wider : 1;
      const { centre: centre2, scale } = this.#map;
      for (let j = 0, p = 0, q = 0; j < this.dimension; p += featureCount(j), q += j, j++) {
        const [left, right] = [this.#left[j], this.#right[j]];
        const distance2 = factor2 * drawDistance(stream);
        const below2 = stream.uniform() * (left + right) < left;
        const noise = this.#mode[j] + (below2 ? -left * distance2 : right * distance2);
        const z = this.#mean(p, featureCount(j)) + noise * this.#width(q, j);
        this.#add(j, z);
        out[offset + j] = centre2[j] + scale[j] * z;
      }
    }
    relativeDensity(position2, offset) {
      const { centre: centre2, scale } = this.#map;
      let widths = 1;
      let narrow = 1;
      let wide = 1;
      for (let j = 0, p = 0, q = 0; j < this.dimension; p += featureCount(j), q += j, j++) {
        const z = (position2[offset + j] - centre2[j]) / scale[j];
        const width3 = this.#width(q, j);
        const rest = (z - this.#mean(p, featureCount(j))) / width3 - this.#mode[j];
        const distance2 = rest / (rest < 0 ? this.#left[j] : this.#right[j]);
        const square4 = 0.125 * distance2 * distance2;
        narrow *= 1 + square4;
        wide *= 1 + square4 / (wider * wider);
        widths *= width3;
        this.#add(j, z);
      }
      const both = (1 - wideShare) * fallOff(narrow) + this.#widePeak * fallOff(wide);
      return both / widths;
    }
    /** Coordinate j is z: its features follow. */
    #add(j, z) {
      this.#z[j] = z;
      this.#clamped[j] = clamped(z);
      writeFeatures(this.#z, this.#clamped, j, this.#features);
    }
    /** Mean of a coordinate, whose `count` slopes begin at p. */
    #mean(p, count) {
      let mean = 0;
      for (let k = 0; k < count; k++) mean += this.#slopes[p + k] * this.#features[k];
      return mean;
    }
    /** Width of a coordinate, whose `count` spreads begin at q. */
    #width(q, count) {
      if (count === 0) return 1;
      let exponent = 0;
      for (let k = 0; k < count; k++) exponent += this.#spreads[q + k] * this.#clamped[k];
      return widthOf(exponent);
    }
  };
  function fallOff(x) {
    const square4 = x * x;
    return 1 / (square4 * square4 * Math.sqrt(x));
  }

  // src/importance/laplace_proposal.ts
  var width = 1.1;
  function laplaceProposal({ mode, factor: factor2 }) {
    const d = mode.length;
    const scale = mode.map((_, j) => factor2[j * d + j]);
    const conditionals = Array.from(mode, (_, j) => {
      const inverse3 = new Float64Array(d);
      inverse3[j] = 1;
      solveUpper(factor2, d, inverse3);
      const slopes = new Float64Array(featureCount(j));
      for (let l = 0; l < j; l++) slopes[featureCount(l)] = -inverse3[l] * scale[l];
      return { mode: 0, left: width, right: width, slopes, spreads: new Float64Array(j) };
    });
    return new TriangularProposal({ centre: mode, scale, conditionals });
  }

  // src/importance/modes.ts
  var climbs = 4;
  var leastArrivals = 2;
  var evidenceGap2 = 10;
  var reach = 4;
  function modesOf(density, key, budget) {
    const found = [];
    for (let c = 0; c < climbs; c++) {
      const from = uniformStart(density, new RandomStream(...key, "climb", c), budget);
      const mode = from && laplaceApproximation(density, from, budget);
      if (mode) found.push(mode);
    }
    if (found.length < leastArrivals) return [];
    found.sort((a, b) => b.evidence - a.evidence);
    const distinct = [];
    for (const one3 of found) {
      if (one3.evidence < found[0].evidence - evidenceGap2) break;
      if (distinct.every((other) => distance(other, one3.mode) > reach)) distinct.push(one3);
    }
    return distinct;
  }
  function distance({ mode, factor: factor2 }, point) {
    const rest = point.map((x, i) => x - mode[i]);
    solveLower(factor2, rest.length, rest);
    return Math.sqrt(rest.reduce((sum3, r) => sum3 + r * r, 0));
  }

  // src/importance/mixture_proposal.ts
  var MixtureProposal = class {
    constructor(first2, second2, share2) {
      this.first = first2;
      this.second = second2;
      this.share = share2;
      this.dimension = first2.dimension;
      this.logPeak = first2.logPeak;
      this.#weight = share2 * exp(second2.logPeak - first2.logPeak);
    }
    first;
    second;
    share;
    dimension;
    logPeak;
    /** What relative densities of the second count for. */
    #weight;
    draw(stream, out, offset) {
      const from = stream.uniform() < this.share ? this.second : this.first;
      from.draw(stream, out, offset);
    }
    relativeDensity(position2, offset) {
      return (1 - this.share) * this.first.relativeDensity(position2, offset) + this.#weight * this.second.relativeDensity(position2, offset);
    }
  };

  // src/importance/proposal.ts
  function* drawFrom(proposal, target, count, stream, budget, earlier) {
    const from = earlier?.count ?? 0;
    if (budget.used + count - from > budget.limit) return void 0;
    budget.used += count - from;
    const d = proposal.dimension;
    const draws = {
      ...{ proposal, count, dimension: d },
      positions: longer(count * d, earlier?.positions),
      gradients: longer(count * d, earlier?.gradients),
      logDensities: longer(count, earlier?.logDensities),
      logWeights: longer(count, earlier?.logWeights),
      logLikelihood: longer(count * target.observations, earlier?.logLikelihood)
    };
    for (let s = from; s < count; s += gradientsPerYield) {
      fill2(draws, target, stream, s, Math.min(count, s + gradientsPerYield));
      yield;
    }
    return draws;
  }
  function fill2(draws, target, stream, from, to) {
    const { proposal, dimension: d, positions, logDensities, logWeights, logLikelihood: logLikelihood2 } = draws;
    const n = target.observations;
    for (let s = from; s < to; s++) {
      proposal.draw(stream, positions, s * d);
      const value = evaluate2(draws, target, s);
      const weight = value - proposal.logPeak - log(proposal.relativeDensity(positions, s * d));
      logDensities[s] = value;
      logWeights[s] = Math.abs(weight) < Infinity ? weight : -Infinity;
      if (logWeights[s] === -Infinity) logLikelihood2.fill(0, s * n, (s + 1) * n);
    }
  }
  function evaluate2({ dimension, positions, gradients, logLikelihood: logLikelihood2 }, target, s) {
    const [at, row] = [s * dimension, s * target.observations];
    if (target.withLikelihood) {
      return target.withLikelihood(positions, gradients, at, logLikelihood2, row);
    }
    target.logLikelihood(positions, at, logLikelihood2, row);
    return target.logDensity(positions, gradients, at);
  }
  function longer(length2, first2) {
    const out = new Float64Array(length2);
    if (first2) out.set(first2);
    return out;
  }

  // src/importance/weights.ts
  var halvings2 = 12;
  function effectiveSize(weights) {
    let sum3 = 0;
    let square4 = 0;
    for (const w of weights) {
      sum3 += w;
      square4 += w * w;
    }
    return square4 > 0 ? sum3 * sum3 / square4 : 0;
  }
  function normalised(values) {
    let top = -Infinity;
    for (const v of values) if (v > top) top = v;
    const weights = new Float64Array(values.length);
    exponentials(values, top, weights);
    return summingToOne(weights);
  }
  function tempered(logWeights, wanted2) {
    const whole2 = normalised(logWeights);
    if (whole2.effective >= wanted2) return whole2;
    const top = whole2.weights.reduce((a, b) => Math.max(a, b));
    const root = whole2.weights.map((w) => w / top);
    let kept2 = logWeights.map((w) => w > -Infinity ? 1 : 0);
    let next = new Float64Array(kept2.length);
    for (let k = 0; k < halvings2; k++) {
      for (let s = 0; s < root.length; s++) {
        root[s] = Math.sqrt(root[s]);
        next[s] = kept2[s] * root[s];
      }
      if (effectiveSize(next) >= wanted2) [kept2, next] = [next, kept2];
    }
    return summingToOne(kept2);
  }
  function summingToOne(weights) {
    const scale = 1 / sumRange(weights, 0, weights.length);
    for (let s = 0; s < weights.length; s++) weights[s] *= scale;
    return { weights, effective: effectiveSize(weights) };
  }

  // src/loo/averages.ts
  function leaveOneOutAverages(logLikelihood2, logWeights, variates, skipped = []) {
    const draws = logWeights.length;
    const n = logLikelihood2.length / draws;
    const total2 = new Float64Array(draws);
    const ratios = new Float64Array(draws);
    const constant2 = variates.correction(new Float64Array(draws).fill(1));
    const share2 = relative(logWeights, ratios, variates, constant2);
    const own = ratios.map((ratio) => share2.scale * ratio);
    const pointwise = new Float64Array(n);
    const excess = new Float64Array(n);
    const lacking = new Float64Array(draws);
    let raw = 0;
    let kept2 = 0;
    for (let i = 0; i < n; i++) {
      if (skipped.includes(i)) continue;
      kept2++;
      for (let s = 0; s < draws; s++) lacking[s] = logWeights[s] - logLikelihood2[s * n + i];
      const one3 = relative(lacking, ratios, variates, constant2);
      addTimes(total2, -one3.scale, ratios, 0, 0, draws);
      excess[i] = share2.variance - one3.variance;
      pointwise[i] = share2.logMean - one3.logMean;
      raw += share2.rawLogMean - one3.rawLogMean;
    }
    addTimes(total2, kept2, own, 0, 0, draws);
    const { mcse, perDraw, largest: largest2 } = variates.correct(total2);
    for (let i = 0; i < n; i++) pointwise[i] += 0.5 * perDraw * excess[i];
    return { pointwise, mcse, raw, largest: largest2 };
  }
  function relative(values, ratios, variates, constant2) {
    const draws = values.length;
    let max = values[0];
    for (let s = 1; s < draws; s++) if (values[s] > max) max = values[s];
    exponentials(values, max, ratios);
    const sum3 = sumRange(ratios, 0, draws);
    const scale = draws / sum3;
    const rawLogMean = max + log(sum3 / draws);
    const logMean = rawLogMean + logGain(scale * variates.correction(ratios) - constant2);
    const variance = scale * scale * meanSquare(ratios, 0, draws) - 1;
    return { rawLogMean, logMean, scale, variance };
  }

  // src/loo/looks.ts
  var maxDraws = 8e3;
  var maxCells = 4e6;
  function maxDrawsOf({ chains }, observations) {
    return Math.floor(Math.min(maxDraws, maxCells / chains / observations));
  }
  function drawsFor(set2, mcse, wanted2, observations) {
    if (mcse <= wanted2) return 0;
    const factor2 = 1.1 * (mcse / wanted2) * (mcse / wanted2);
    const next = set2.draws * Math.min(4, Math.max(1.25, factor2));
    const draws = Math.min(25 * Math.ceil(next / 25), maxDrawsOf(set2, observations));
    return draws > set2.draws ? draws : 0;
  }
  var Looks = class {
    #draws = 0;
    #sum = 0;
    /** The error with `draws` draws, of which one look found `mcse`. */
    errorAfter(draws, mcse) {
      this.#draws += draws;
      this.#sum += draws * draws * mcse * mcse;
      return Math.sqrt(this.#sum / this.#draws / draws);
    }
  };

  // src/importance/fit_triangular.ts
  var linearShrinkage = 1;
  var furtherShrinkage = 2;
  var spreadShrinkage = 60;
  var width2 = 1.05;
  var leastRest = 25e-4;
  function fitTriangular(draws, { weights, effective }) {
    const { centre: centre2, scale } = draws;
    const products = new WeightedProducts(draws, weights);
    const conditionals = Array.from(centre2, (_, j) => conditionalOf(products, j, effective));
    return new TriangularProposal({ centre: centre2, scale, conditionals });
  }
  function standardised2(positions, dimension, { weights }) {
    const d = dimension;
    const [centre2, scale] = standardisation(positions, d, weights);
    if (!scale.every((one3, j) => varies2(one3, centre2[j]))) return void 0;
    const columns = (n) => Array.from({ length: n }, () => new Float64Array(weights.length));
    const features = columns(featureCount(d - 1) + 1);
    const near2 = columns(d);
    const z = new Float64Array(d);
    const own = new Float64Array(d);
    const row = new Float64Array(featureCount(d));
    row[0] = 1;
    for (let s = 0; s < weights.length; s++) {
      for (let j = 0; j < d; j++) {
        z[j] = (positions[s * d + j] - centre2[j]) / scale[j];
        near2[j][s] = own[j] = clamped(z[j]);
        writeFeatures(z, own, j, row);
      }
      for (let p = 0; p < features.length; p++) features[p][s] = row[p];
    }
    return { centre: centre2, scale, features, near: near2 };
  }
  function varies2(sd, mean) {
    return sd > 1e-12 * Math.abs(mean) && sd > 1e-150 && sd < 1e150;
  }
  function standardisation(positions, d, weights) {
    const centre2 = new Float64Array(d);
    const scale = new Float64Array(d);
    for (let s = 0; s < weights.length; s++) {
      for (let j = 0; j < d; j++) centre2[j] += weights[s] * positions[s * d + j];
    }
    for (let s = 0; s < weights.length; s++) {
      for (let j = 0; j < d; j++) {
        const rest = positions[s * d + j] - centre2[j];
        scale[j] += weights[s] * rest * rest;
      }
    }
    return [centre2, scale.map(Math.sqrt)];
  }
  var WeightedProducts = class {
    constructor(draws, weights) {
      this.draws = draws;
      this.weights = weights;
      this.count = weights.length;
      this.ofFeatures = this.#products(draws.features);
      this.ofNear = this.#products(draws.near);
    }
    draws;
    weights;
    count;
    /** Of any two features, lower triangle `[features, features]`. */
    ofFeatures;
    /** Of any two clamped coordinates, the same. */
    ofNear;
    /** `values` less `mean`, times the weights. */
    weighted(values, mean = 0) {
      const out = new Float64Array(this.count);
      for (let s = 0; s < this.count; s++) out[s] = this.weights[s] * (values[s] - mean);
      return out;
    }
    #products(columns) {
      const n = columns.length;
      const out = new Float64Array(n * n);
      for (let p = 0; p < n; p++) {
        const own = this.weighted(columns[p]);
        for (let q = 0; q <= p; q++) out[p * n + q] = dotRange(own, 0, columns[q], 0, this.count);
      }
      return out;
    }
  };
  function conditionalOf(products, j, effective) {
    const { features, near: near2 } = products.draws;
    const slopes = slopesOf(products, j, effective);
    const rest = features[featureCount(j)].slice();
    slopes.forEach((slope, p) => addTimes(rest, -slope, features[p], 0, 0, rest.length));
    const spreads2 = spreadsOf(products, j, rest, effective);
    divideByWidths(rest, spreads2, near2);
    const { mode, left, right } = fitSplit(rest, products.weights, effective);
    return { slopes, spreads: spreads2, mode, left: width2 * left, right: width2 * right };
  }
  function slopesOf(products, j, effective) {
    const all = products.draws.features.length;
    const count = featureCount(j);
    const own = featureCount(j) * all;
    const slopes = products.ofFeatures.slice(own, own + count);
    const further = furtherShrinkage * count / effective;
    const ridge2 = new Float64Array(count).fill(further);
    ridge2[0] = 0;
    for (let k = 0; k < j; k++) ridge2[featureCount(k)] = linearShrinkage / effective;
    return ridgeSolution(products.ofFeatures, all, ridge2, slopes);
  }
  function spreadsOf(products, j, rest, effective) {
    if (j === 0) return new Float64Array(0);
    const { near: near2 } = products.draws;
    const logs = new Float64Array(rest.length);
    for (let s = 0; s < rest.length; s++) logs[s] = log(Math.max(leastRest, Math.abs(rest[s])));
    const own = products.weighted(logs, dotRange(logs, 0, products.weights, 0, rest.length));
    const spreads2 = new Float64Array(j);
    for (let k = 0; k < j; k++) spreads2[k] = dotRange(own, 0, near2[k], 0, rest.length);
    const ridge2 = new Float64Array(j).fill(spreadShrinkage / effective);
    return ridgeSolution(products.ofNear, near2.length, ridge2, spreads2);
  }
  function ridgeSolution(products, stride, ridge2, b) {
    const n = b.length;
    const matrix = new Float64Array(n * n);
    for (let p = 0; p < n; p++) {
      for (let q = 0; q <= p; q++) matrix[p * n + q] = products[p * stride + q];
      matrix[p * n + p] += ridge2[p];
    }
    if (!cholesky(matrix, n)) return b.fill(0);
    solveLower(matrix, n, b);
    solveUpper(matrix, n, b);
    return b;
  }
  function divideByWidths(rest, spreads2, near2) {
    if (spreads2.length === 0) return;
    const exponents = new Float64Array(rest.length);
    spreads2.forEach((spread4, k) => addTimes(exponents, spread4, near2[k], 0, 0, rest.length));
    for (let s = 0; s < rest.length; s++) rest[s] /= widthOf(exponents[s]);
  }

  // src/loo/proposal_fit.ts
  var pull3 = 0.1;
  var wholeShare = 0.25;
  var largestRatio = 1e8;
  var mostExponent = 600;
  var wantedPerCoordinate = 10;
  var wantedAtLeast = 60;
  var mostWanted = 0.3;
  var flatShare = 0.3;
  var flatSpread = 1.2;
  var mostFlattened = 0.7;
  function fitToPosterior(rounds) {
    const positions = joined3(rounds.map((one3) => one3.positions));
    const logWeights = pooledLogWeights(rounds);
    if (!logWeights.some((w) => w > -Infinity)) return void 0;
    const weights = weightsFor(logWeights, rounds[0].dimension);
    const draws = standardised2(positions, rounds[0].dimension, weights);
    return draws && fitTriangular(draws, weights);
  }
  function fitToLeaveOneOut(rounds) {
    const positions = joined3(rounds.map((one3) => one3.positions));
    const likelihoods = rounds.map((one3) => one3.logLikelihood);
    return fitToDraws(positions, rounds[0].dimension, pooledLogWeights(rounds), likelihoods);
  }
  function fitToDraws(positions, dimension, logWeights, likelihoods) {
    const columns = columnsOf(likelihoods, logWeights.length);
    if (!logWeights.some((w) => w > -Infinity)) return void 0;
    const logTarget = withLacking(logWeights, normalised(logWeights).weights, columns);
    const weights = weightsFor(logTarget, dimension);
    const draws = standardised2(positions, dimension, weights);
    if (!draws) return void 0;
    const flat4 = weightsFor(flattened(logTarget, columns), dimension);
    return new MixtureProposal(fitTriangular(draws, weights), fitTriangular(draws, flat4), flatShare);
  }
  function weightsFor(logWeights, dimension) {
    const wanted2 = Math.max(wantedAtLeast, wantedPerCoordinate * dimension);
    return tempered(logWeights, Math.min(wanted2, mostWanted * logWeights.length));
  }
  function pooledLogWeights(rounds) {
    if (rounds.length === 1) return rounds[0].logWeights;
    const total2 = rounds.reduce((sum3, { count }) => sum3 + count, 0);
    const top = Math.max(...rounds.map(({ proposal }) => proposal.logPeak));
    const shares = rounds.map(({ proposal, count }) => exp(proposal.logPeak - top) * count / total2);
    return joined3(rounds.map(({ count, dimension, positions, logDensities, logWeights }) => {
      const own = new Float64Array(count).fill(-Infinity);
      for (let s = 0; s < count; s++) {
        if (logWeights[s] === -Infinity) continue;
        let density = 0;
        rounds.forEach(({ proposal }, k) => {
          density += shares[k] * proposal.relativeDensity(positions, s * dimension);
        });
        own[s] = logDensities[s] - top - log(density);
      }
      return own;
    }));
  }
  function withLacking(logWeights, weights, columns) {
    const influence = new Float64Array(weights.length);
    for (const column of columns) addInfluence(influence, column, weights);
    for (let s = 0; s < influence.length; s++) influence[s] = Math.abs(influence[s]);
    const mean = dotRange(influence, 0, weights, 0, influence.length);
    if (!(mean > 0 && mean < Infinity)) return logWeights;
    const scale = (1 - wholeShare) / mean;
    return logWeights.map((w, s) => w + log(wholeShare + scale * influence[s]));
  }
  function addInfluence(sum3, column, weights) {
    const { mean, variance } = momentsOf(column, weights);
    if (!(variance > pull3)) return;
    const ratios = new Float64Array(column.length);
    for (let s = 0; s < ratios.length; s++) ratios[s] = Math.min(mostExponent, mean - column[s]);
    exponentials(ratios, 0, ratios);
    const scale = 1 / dotRange(ratios, 0, weights, 0, ratios.length);
    for (let s = 0; s < ratios.length; s++) {
      sum3[s] += 1 - Math.min(largestRatio, scale * ratios[s]);
    }
  }
  function flattened(logTarget, columns) {
    const totals2 = new Float64Array(logTarget.length);
    for (const column of columns) for (let s = 0; s < totals2.length; s++) totals2[s] += column[s];
    const { mean, variance } = momentsOf(totals2, normalised(logTarget).weights);
    const power5 = Math.min(mostFlattened, flatSpread / Math.sqrt(variance));
    return logTarget.map((w, s) => w - power5 * (totals2[s] - mean));
  }
  function momentsOf(values, weights) {
    const mean = dotRange(values, 0, weights, 0, values.length);
    let variance = 0;
    for (let s = 0; s < values.length; s++) {
      variance += weights[s] * (values[s] - mean) * (values[s] - mean);
    }
    return { mean, variance };
  }
  function columnsOf(likelihoods, draws) {
    const observations = likelihoods.reduce((sum3, { length: length2 }) => sum3 + length2, 0) / draws;
    return Array.from({ length: observations }, (_, i) => {
      const column = new Float64Array(draws);
      let at = 0;
      for (const values of likelihoods) {
        for (let k = i; k < values.length; k += observations) column[at++] = values[k];
      }
      return column;
    });
  }
  function joined3(arrays) {
    if (arrays.length === 1) return arrays[0];
    const out = new Float64Array(arrays.reduce((sum3, { length: length2 }) => sum3 + length2, 0));
    let at = 0;
    for (const array of arrays) {
      out.set(array, at);
      at += array.length;
    }
    return out;
  }

  // src/loo/tail_shape.ts
  var leastTail = 5;
  function tailShape(ratios) {
    const draws = ratios.length;
    const length2 = Math.min(Math.floor(draws / 5), Math.floor(3 * Math.sqrt(draws)));
    if (length2 < leastTail) return Infinity;
    const cut = draws - length2 - 1;
    quickselect(ratios, draws, cut);
    const tail2 = ratios.subarray(cut + 1).sort();
    if (!(tail2[length2 - 1] - tail2[0] > 0)) return 0;
    const { k, sigma } = fitPareto(tail2.map((ratio) => ratio - ratios[cut]));
    return Math.abs(k) < Infinity && sigma > 0 ? k : Infinity;
  }

  // src/loo/importance.ts
  var maxDimension = 12;
  var leastRounds = 2;
  var mostRounds = 5;
  var roundPerCoordinate = 40;
  var roundAtLeast = 200;
  var goodEfficiency = 0.25;
  var leastEfficiency = 0.15;
  var hopeless = 0.03;
  var otherShare = 0.1;
  var mostRefits = 6;
  var largestShare2 = 0.15;
  var errorThatMatters = 0.025;
  var patience2 = 2;
  var mostMore = 2;
  var goodShape = 0.7;
  var mostNats = 600;
  var atLast = 2;
  var maxDraws2 = 4e4;
  var maxCells2 = 4e6;
  function* importanceLoo(density, goal, budget) {
    if (!isSuitable(density, goal)) return void 0;
    const key = [...goal.seedKey, "importance"];
    const [best, ...others] = modesOf(density, key, budget).map(laplaceProposal);
    if (!best) return void 0;
    const sampling = new Sampling(density, [best, ...others], goal, new RandomStream(...key), budget);
    return (yield* sampling.learn()) ? yield* sampling.estimate() : void 0;
  }
  function* importanceByChains(density, set2, goal, budget) {
    if (!isSuitable(density, goal)) return void 0;
    const logLikelihood2 = pointwiseLogLikelihood(density, set2);
    const alike = new Float64Array(set2.chains * set2.draws);
    const first2 = fitToDraws(set2.positions, set2.dimension, alike, [logLikelihood2]);
    if (!first2) return void 0;
    const stream = new RandomStream(...goal.seedKey, "importance by chains");
    return yield* new Sampling(density, [first2], goal, stream, budget).estimate();
  }
  function isSuitable({ dimension, observations, factorises }, goal) {
    const cells = observations * Math.max(roundDraws(dimension), goal.chains * goal.draws);
    const small = 0 < dimension && dimension <= maxDimension && cells <= maxCells2;
    return small && factorises !== false;
  }
  function roundDraws(dimension) {
    return Math.max(roundAtLeast, roundPerCoordinate * dimension);
  }
  var Sampling = class {
    #density;
    #goal;
    #stream;
    #budget;
    /** Around modes beside the best. */
    #others;
    #proposal;
    constructor(density, [first2, ...others], goal, stream, budget) {
      this.#density = density;
      this.#others = others;
      this.#proposal = this.#withOthers(first2);
      this.#goal = goal;
      this.#stream = stream;
      this.#budget = budget;
    }
    /** Fits the proposal in rounds, at last to posteriors without an observation; says whether it fits. */
    *learn() {
      const rounds = yield* this.#approach(roundDraws(this.#density.dimension));
      return rounds !== void 0 && this.#refit(rounds);
    }
    /**
     * Fits the proposal to the posterior, in rounds of `count` draws; returns the last two rounds, if it
     * fits.
     */
    *#approach(count) {
      let rounds = [];
      for (let round2 = 1; ; round2++) {
        const drawn = yield* this.#draw(count);
        if (!drawn) return void 0;
        rounds = [...rounds.slice(-1), drawn];
        const efficiency2 = efficiencyOf(drawn);
        if (round2 > leastRounds && efficiency2 < hopeless) return void 0;
        if (round2 >= leastRounds && efficiency2 >= goodEfficiency || round2 === mostRounds) {
          return rounds;
        }
        const next = fitToPosterior(rounds);
        if (!next) return void 0;
        this.#proposal = this.#withOthers(next);
      }
    }
    /** Fits the proposal to these draws; says whether that succeeds. */
    #refit(drawn) {
      const next = fitToLeaveOneOut(drawn);
      if (next) this.#proposal = this.#withOthers(next);
      return next !== void 0;
    }
    /** The proposal, and a share of draws around each other mode. */
    #withOthers(proposal) {
      return this.#others.reduce(
        (sum3, other) => new MixtureProposal(sum3, other, otherShare),
        proposal
      );
    }
    /**
     * Draws until the error is small enough; fits the proposal anew if it is that of one draw, and once
     * if more than twice the draws to begin with would be needed.
     */
    *estimate() {
      for (let refits = 0; refits <= mostRefits; refits++) {
        const { drawn, averages } = yield* this.#drawOn(refits === 0);
        if (!drawn) return void 0;
        const estimate = averages && trusted(drawn, averages);
        if (estimate) return estimate;
        if (averages && refits > 0) return void 0;
        if (!this.#refit([drawn])) return void 0;
      }
      return void 0;
    }
    /** Draws until the error is small enough, or the proposal should be fitted anew. */
    *#drawOn(isFirst) {
      const { chains, draws, targetMcse } = this.#goal;
      const first2 = chains * draws;
      const most2 = Math.min(maxDraws2, Math.floor(maxCells2 / this.#density.observations));
      const looks = new Looks();
      let drawn;
      for (let count = Math.min(first2, most2); ; ) {
        drawn = yield* this.#draw(count, drawn);
        if (!drawn) return {};
        const averages = averagesOf(drawn);
        const mcse = looks.errorAfter(count, averages.mcse);
        const hangs = averages.largest > largestShare2 && averages.mcse > errorThatMatters;
        if (hangs && (isFirst || count >= patience2 * first2)) return { drawn };
        const enough = mcse <= (count < most2 ? 1 : atLast) * targetMcse;
        if (!hangs && enough) return { drawn, averages: { ...averages, mcse } };
        if (count === most2) return {};
        const next = hangs ? 2 * count : nextCount(count, mcse / targetMcse);
        if (isFirst && next > mostMore * first2) return { drawn };
        count = Math.min(most2, next);
      }
    }
    #draw(count, earlier) {
      return drawFrom(this.#proposal, this.#density, count, this.#stream, this.#budget, earlier);
    }
  };
  function efficiencyOf({ logWeights, count }) {
    const some = logWeights.some((w) => w > -Infinity);
    return some ? normalised(logWeights).effective / count : 0;
  }
  function averagesOf(draws) {
    const { count, dimension, positions, gradients, logWeights, logLikelihood: logLikelihood2 } = draws;
    const weights = normalised(logWeights).weights.map((w) => count * w);
    const independent = { chains: 1, draws: count, dimension, positions, gradients, weights };
    const variates = new ControlVariates(independent);
    return leaveOneOutAverages(logLikelihood2, logWeights, variates);
  }
  function nextCount(count, excess) {
    return 25 * Math.ceil(count * Math.min(4, Math.max(1.25, 1.1 * excess * excess)) / 25);
  }
  function trusted({ count, logWeights, logLikelihood: logLikelihood2 }, { pointwise, mcse, raw }) {
    const { weights, effective } = normalised(logWeights);
    if (effective < leastEfficiency * count) return void 0;
    const n = pointwise.length;
    const lppd = new Float64Array(n);
    const shapes = new Float64Array(n);
    const own = new Float64Array(count);
    for (let i = 0; i < n; i++) {
      for (let s = 0; s < count; s++) own[s] = logLikelihood2[s * n + i];
      const one3 = ofObservation(own, weights);
      lppd[i] = one3.lppd;
      shapes[i] = one3.shape;
      if (!(one3.shape <= goodShape)) return void 0;
    }
    return { pointwise, lppd, raw, mcse, shapes, draws: count, effective };
  }
  function ofObservation(own, weights) {
    let top = -Infinity;
    for (const v of own) if (v > top) top = v;
    for (let s = 0; s < own.length; s++) own[s] = Math.max(-mostNats, own[s] - top);
    exponentials(own, 0, own);
    const lppd = top + log(dotRange(own, 0, weights, 0, own.length));
    for (let s = 0; s < own.length; s++) own[s] = weights[s] / own[s];
    return { lppd, shape: tailShape(own) };
  }

  // src/loo/line_modes.ts
  var maxSteps = 24;
  var maxFactor = 4;
  var maxMove = 3;
  var flat3 = 0.02;
  var ModeSearch = class {
    #functions;
    #peaks = { centre: new Float64Array(0), scale: new Float64Array(0) };
    #points;
    #middle;
    #left;
    #right;
    /** Between them lies the mode. */
    #low;
    #high;
    #settled;
    constructor(functions2, count) {
      this.#functions = functions2;
      const make = () => new Float64Array(count);
      [this.#points, this.#middle, this.#left, this.#right] = [make(), make(), make(), make()];
      [this.#low, this.#high] = [make(), make()];
      this.#settled = new Uint8Array(count);
    }
    /**
     * Moves `peaks` to the modes of the functions and to the widths of their peaks: the standard
     * deviation of the normal law that has the same second difference over half a width to both sides.
     */
    seek(peaks) {
      this.#peaks = peaks;
      this.#low.fill(-Infinity);
      this.#high.fill(Infinity);
      this.#settled.fill(0);
      for (let step = 0; step < maxSteps; step++) if (this.#step()) return;
    }
    /** One step of every function that needs one; returns whether none does any more. */
    #step() {
      this.#evaluate(0, this.#middle);
      this.#evaluate(-0.5, this.#left);
      this.#evaluate(0.5, this.#right);
      let all = true;
      for (let i = 0; i < this.#settled.length; i++) {
        if (this.#settled[i] === 1) continue;
        this.#bracket(i);
        if (this.#move(i)) this.#settled[i] = 1;
        else all = false;
      }
      return all;
    }
    #evaluate(shift, out) {
      const { centre: centre2, scale } = this.#peaks;
      for (let i = 0; i < centre2.length; i++) this.#points[i] = centre2[i] + shift * scale[i];
      this.#functions(this.#points, out);
    }
    #bracket(i) {
      const at = this.#peaks.centre[i];
      const half2 = 0.5 * this.#peaks.scale[i];
      const left = this.#left[i];
      const middle = this.#middle[i];
      const right = this.#right[i];
      const low2 = right > middle ? at : middle > left ? at - half2 : -Infinity;
      const high2 = left > middle ? at : middle > right ? at + half2 : Infinity;
      if (low2 > this.#low[i]) this.#low[i] = low2;
      if (high2 < this.#high[i]) this.#high[i] = high2;
    }
    /** Moves one centre; returns whether it was there already. */
    #move(i) {
      const { centre: centre2, scale } = this.#peaks;
      const slope = this.#right[i] - this.#left[i];
      const bend = 2 * this.#middle[i] - this.#right[i] - this.#left[i];
      const width3 = bend > 0 ? within2(Math.sqrt(0.25 / bend), 1 / maxFactor, maxFactor) : 1;
      const full = bend > 0 ? 0.25 * slope / bend : Math.sign(slope) * maxMove;
      const step = within2(full, -maxMove, maxMove);
      if (!(Math.abs(step) <= maxMove)) return true;
      const next = centre2[i] + step * scale[i];
      if (next > this.#low[i] && next < this.#high[i]) {
        centre2[i] = next;
        scale[i] *= width3;
        return Math.abs(step) < 0.5 * width3 && width3 > 0.7 && width3 < 1.4;
      }
      return this.#halve(i);
    }
    /** Goes to the middle of the bracket, with a width that fits into it; not closer than needed. */
    #halve(i) {
      const { centre: centre2, scale } = this.#peaks;
      const fall = Math.abs(this.#middle[i] - Math.min(this.#left[i], this.#right[i]));
      if (fall < flat3) return true;
      const [low2, high2] = [this.#low[i], this.#high[i]];
      if (!(high2 > low2)) return true;
      centre2[i] = 0.5 * (low2 + high2);
      scale[i] = Math.min(scale[i], 0.5 * (high2 - low2));
      return false;
    }
  };
  function within2(x, least2, most2) {
    return Math.min(most2, Math.max(least2, x));
  }

  // src/loo/line_integrals.ts
  var reach2 = 9;
  var spacing = 0.3;
  var maxExtension = 24;
  var endFall = 14;
  var maxHalvings = 5;
  var agreement = 2e-3;
  var LineIntegrals = class {
    #modes;
    #rule;
    constructor(functions2, count) {
      this.#modes = new ModeSearch(functions2, count);
      this.#rule = new TrapezoidalRule(functions2, count);
    }
    /**
     * Writes log ∫ f_i(z) dz of every function into `out[outOffset …)`. `peaks` says where to begin
     * and is left where the modes were found.
     */
    write(peaks, out, outOffset) {
      this.#modes.seek(peaks);
      const rule = this.#rule;
      rule.begin(peaks);
      for (let halving = 0; halving < maxHalvings && !rule.agrees(); halving++) rule.halve();
      rule.write(out, outOffset);
    }
  };
  function nodeAt(t) {
    const [grown, shrunk] = [exp(t), exp(-t)];
    return { sinh: 0.5 * (grown - shrunk), logCosh: log(0.5 * (grown + shrunk)) };
  }
  var firstNodes = Array.from(
    { length: 2 * (reach2 + maxExtension) + 1 },
    (_, j) => nodeAt((j - reach2 - maxExtension) * spacing)
  );
  var mostFirst = firstNodes.length;
  var TrapezoidalRule = class {
    #functions;
    #count;
    #peaks = { centre: new Float64Array(0), scale: new Float64Array(0) };
    #points;
    #logs;
    /** Logarithms of the terms of the first spacing `[nodes, functions]`, in the order of evaluation. */
    #terms;
    /** Whether those nodes count for twice the spacing as well `[nodes]`. */
    #even = new Uint8Array(mostFirst);
    #evaluated = 0;
    #edge;
    #top;
    #sum;
    /** The sum with twice the spacing. */
    #coarse;
    #spacing = spacing;
    #nodes = reach2;
    constructor(functions2, count) {
      this.#functions = functions2;
      this.#count = count;
      this.#terms = new Float64Array(mostFirst * count);
      const make = () => new Float64Array(count);
      [this.#points, this.#logs, this.#edge] = [make(), make(), make()];
      [this.#sum, this.#coarse, this.#top] = [make(), make(), make()];
    }
    /** The first nodes, and more at both ends until every integrand has fallen there. */
    begin(peaks) {
      this.#peaks = peaks;
      this.#spacing = spacing;
      this.#nodes = reach2;
      this.#evaluated = 0;
      this.#top.fill(-Infinity);
      for (let j = 1 - reach2; j < reach2; j++) this.#addFirst(j);
      this.#addEnds();
      while (this.#nodes < reach2 + maxExtension && !this.#hasFallen()) {
        this.#nodes++;
        this.#addEnds();
      }
      this.#addUp();
    }
    #addEnds() {
      this.#addFirst(-this.#nodes);
      this.#edge.set(this.#logs);
      this.#addFirst(this.#nodes);
      for (let i = 0; i < this.#count; i++) this.#edge[i] = Math.max(this.#edge[i], this.#logs[i]);
    }
    #hasFallen() {
      for (let i = 0; i < this.#count; i++) {
        if (this.#edge[i] > this.#top[i] - endFall && this.#top[i] < Infinity) return false;
      }
      return true;
    }
    /** Whether the rule is what it is with twice the spacing. */
    agrees() {
      for (let i = 0; i < this.#count; i++) {
        const [sum3, coarse] = [this.#sum[i], 2 * this.#coarse[i]];
        if (Math.abs(sum3 - coarse) > agreement * sum3) return false;
      }
      return true;
    }
    /** Adds the nodes half-way between those that are there. */
    halve() {
      this.#coarse.set(this.#sum);
      const last = this.#nodes * spacing;
      const count = Math.round(2 * last / this.#spacing);
      for (let k = 0; k < count; k++) {
        this.#evaluate(nodeAt((k + 0.5) * this.#spacing - last));
        for (let i = 0; i < this.#count; i++) this.#addTerm(i, this.#logs[i]);
      }
      this.#spacing /= 2;
    }
    write(out, outOffset) {
      for (let i = 0; i < this.#count; i++) {
        const size = this.#sum[i] * this.#spacing * this.#peaks.scale[i];
        out[outOffset + i] = Math.abs(this.#top[i]) < Infinity ? this.#top[i] + log(size) : this.#top[i];
      }
    }
    /** A node of the first spacing, whose terms are added up with the others. */
    #addFirst(j) {
      this.#evaluate(firstNodes[j + reach2 + maxExtension]);
      this.#even[this.#evaluated] = j % 2 === 0 ? 1 : 0;
      const at = this.#evaluated * this.#count;
      this.#evaluated++;
      for (let i = 0; i < this.#count; i++) {
        const term = this.#logs[i];
        this.#terms[at + i] = term;
        if (term > this.#top[i]) this.#top[i] = term;
      }
    }
    /** The logarithms of the terms at a node. */
    #evaluate({ sinh: sinh2, logCosh }) {
      const { centre: centre2, scale } = this.#peaks;
      for (let i = 0; i < this.#count; i++) this.#points[i] = centre2[i] + scale[i] * sinh2;
      this.#functions(this.#points, this.#logs);
      for (let i = 0; i < this.#count; i++) this.#logs[i] += logCosh;
    }
    /** The sums of the first spacing. */
    #addUp() {
      const n = this.#count;
      const length2 = this.#evaluated * n;
      const [terms, top, sum3, coarse] = [this.#terms, this.#top, this.#sum, this.#coarse];
      for (let i = 0; i < n; i++) {
        const shift = Math.abs(top[i]) < Infinity ? top[i] : 0;
        for (let at = i; at < length2; at += n) terms[at] -= shift;
      }
      exponentials(terms.subarray(0, length2), 0, terms);
      for (let i = 0; i < n; i++) {
        let [all, even] = [0, 0];
        for (let at = i, k = 0; at < length2; at += n, k++) {
          all += terms[at];
          if (this.#even[k] === 1) even += terms[at];
        }
        sum3[i] = all;
        coarse[i] = even;
      }
    }
    #addTerm(i, term) {
      if (term > this.#top[i]) {
        this.#sum[i] *= exp(this.#top[i] - term);
        this.#coarse[i] *= exp(this.#top[i] - term);
        this.#top[i] = term;
      }
      this.#sum[i] += term === -Infinity ? 0 : exp(term - this.#top[i]);
    }
  };

  // src/loo/latent_integrals.ts
  var LatentIntegrals = class {
    /** The unconstrained vector: to be written before `write`, which changes the latents in it. */
    position;
    #latents;
    /** Coordinate of the latent of each observation. */
    #coordinates;
    #starts;
    #peaks;
    #integrals;
    /** @param starts where modes and widths are sought from, so that values depend on positions alone. */
    constructor({ latents, observations: n, dimension }, starts) {
      if (!latents) throw new Error("internal: nothing to integrate out");
      this.#latents = latents;
      this.#coordinates = latents.elementOfRow.map((element2) => latents.offset + element2);
      this.position = new Float64Array(dimension);
      this.#starts = starts;
      this.#peaks = { centre: new Float64Array(n), scale: new Float64Array(n) };
      this.#integrals = new LineIntegrals((points, logs) => this.#evaluate(points, logs), n);
    }
    /** Writes the integral of every observation into `out[outOffset …)`. */
    write(out, outOffset) {
      this.#peaks.centre.set(this.#starts.centre);
      this.#peaks.scale.set(this.#starts.scale);
      this.#integrals.write(this.#peaks, out, outOffset);
    }
    /** Moves the latents of `position` to the modes that `write` found. */
    moveToModes() {
      this.#move(this.#peaks.centre);
    }
    #move(points) {
      for (let i = 0; i < points.length; i++) this.position[this.#coordinates[i]] = points[i];
    }
    /** log p(y_i, z_i | θ) of every observation at z_i = points[i]. */
    #evaluate(points, logs) {
      this.#move(points);
      this.#latents.logJoint(this.position, 0, logs, 0);
      for (let i = 0; i < points.length; i++) if (logs[i] !== logs[i]) logs[i] = -Infinity;
    }
  };

  // src/loo/integrated.ts
  function integratedPosterior(density, set2) {
    const integrals = new LatentIntegrals(density, startsIn(set2, density));
    return {
      dimension: density.dimension,
      observations: density.observations,
      startingRegion: density.startingRegion,
      logDensity: (position2, gradient, offset) => density.logDensity(position2, gradient, offset),
      logLikelihood(position2, offset, out, outOffset) {
        for (let k = 0; k < density.dimension; k++) integrals.position[k] = position2[offset + k];
        integrals.write(out, outOffset);
      },
      without: (rows) => density.without(rows),
      mixture: (components2) => density.mixture(components2),
      quantities: density.quantities,
      quantityShapes: density.quantityShapes,
      constrain: (position2, offset, out, outOffset) => density.constrain(position2, offset, out, outOffset)
    };
  }
  function startsIn(set2, { latents }) {
    if (!latents) throw new Error("internal: nothing to integrate out");
    const ofRow = Array.from(
      latents.elementOfRow,
      (element2) => momentsIn(set2, latents.offset + element2)
    );
    return {
      centre: Float64Array.from(ofRow, ({ mean }) => mean),
      scale: Float64Array.from(ofRow, ({ sd }) => sd > 1e-6 && sd < 1e6 ? sd : 1)
    };
  }
  function momentsIn({ positions, dimension, chains, draws }, k) {
    const count = chains * draws;
    let [mean, square4] = [0, 0];
    for (let s = 0; s < count; s++) mean += positions[s * dimension + k] / count;
    for (let s = 0; s < count; s++) {
      const rest = positions[s * dimension + k] - mean;
      square4 += rest * rest / count;
    }
    return { mean, sd: Math.sqrt(square4) };
  }

  // src/infer/pooled_adaptations.ts
  function pooledAdaptations(set2) {
    const { draws, dimension, adaptations } = set2;
    const levels = adaptations.map((_, c) => meanLevel(set2, c));
    const top = Math.max(...levels);
    const best = levels.indexOf(top);
    const kept2 = levels.map((level) => level >= top - 20 - 2 * dimension);
    const metric = pooledMetric(set2, kept2) ?? adaptations[best].metric;
    const half2 = (best * draws + (draws >> 1)) * dimension;
    const rescue = set2.positions.slice(half2, half2 + dimension);
    return adaptations.map((own, c) => {
      const { position: position2, stepSize } = kept2[c] ? own : { ...adaptations[best], position: rescue };
      return { metric, stepSize, position: position2, stream: own.stream };
    });
  }
  function meanLevel(set2, c) {
    let sum3 = 0;
    for (let s = c * set2.draws; s < (c + 1) * set2.draws; s++) sum3 += set2.logDensities[s];
    return sum3 / set2.draws;
  }
  function pooledMetric(set2, kept2) {
    const { chains, draws, dimension } = set2;
    const estimator = new CovarianceEstimator(dimension, dimension <= maxDenseDimension);
    for (let s = 0; s < chains * draws; s++) {
      if (kept2[Math.floor(s / draws)]) estimator.add(set2.positions, s * dimension);
    }
    const estimate = estimator.regularised(new Float64Array(dimension));
    return estimator.dense ? chooseMetric(estimate, dimension, true) : diagonalMetric(estimate);
  }

  // src/loo/mixed_chains.ts
  var mixedRhat = 1.05;
  var nearlyMixedRhat = 1.2;
  var maxDivergent = 0.01;
  var retune = 50;
  var shortShare = 0.15;
  var longShare = 0.9;
  var alwaysAllowed = 2e5;
  var maxFactor2 = 4;
  var faraway = 1e12;
  var settledRhat = 1.1;
  var farRhat = 1.4;
  var comparable = 5;
  function rhatOfShortChains(dimension) {
    return 1 + (mixedRhat - 1) * Math.max(1, 1 + 0.15 * log(dimension / 20));
  }
  function* sampleMixed(density, schedule2, budget, other) {
    const first2 = { density, schedule: schedule2, result: yield* shortChains(density, schedule2, budget) };
    if (isGood(first2.result)) return { ...first2.result, density };
    const attempts2 = [];
    let open2 = [first2];
    if (other && !lacksDraws(first2.result)) {
      const second2 = yield* otherSpelling(other(), schedule2, budget);
      if (isGood(second2.result)) return { ...second2.result, density: second2.density };
      open2 = [first2, second2].sort((a, b) => efficiency(b.result) - efficiency(a.result));
    }
    for (const one3 of open2) {
      const next = yield* again2(one3, budget);
      if (isGood(next.result)) return { ...next.result, density: next.density };
      attempts2.push(next);
    }
    if (other && open2.length === 1) {
      const second2 = yield* otherSpelling(other(), schedule2, budget);
      if (isGood(second2.result)) return { ...second2.result, density: second2.density };
      attempts2.push(second2);
    }
    const best = attempts2.reduce((a, b) => efficiency(b.result) > efficiency(a.result) ? b : a);
    const apart = [...open2, ...attempts2].map(({ result }) => result).find(haveModes);
    if (apart) return notMixed(apart.chainSet, mixing(apart.chainSet));
    if (best.result.kind === "no_finite_start") return best.result;
    const last = yield* longChains(best, budget);
    return last.kind === "chains" ? { ...last, density: best.density } : last;
  }
  function* otherSpelling(density, schedule2, budget) {
    const own = { ...schedule2, seedKey: [...schedule2.seedKey, "other"] };
    return { density, schedule: own, result: yield* shortChains(density, own, budget) };
  }
  function* again2(attempt, budget) {
    const { density, schedule: schedule2, result } = attempt;
    if (result.kind !== "chains") return attempt;
    return { ...attempt, result: yield* retuned(density, schedule2, result.chainSet, budget) };
  }
  function efficiency(result) {
    if (result.kind !== "chains") return 0;
    const { chainSet } = result;
    return mixing(chainSet).essBulkMin / chainSet.gradientEvaluations;
  }
  function lacksDraws(result) {
    if (result.kind !== "chains") return false;
    const { rhatMax, divergent, stuck } = mixing(result.chainSet);
    return rhatMax <= nearlyMixedRhat && divergent <= maxDivergent && !stuck;
  }
  function shortChains(density, { chains, tune, draws, seedKey: seedKey2 }, budget) {
    const options = { chains, tune, draws };
    return within3(
      shortShare,
      budget,
      (allowance) => sampleChains(density, options, seedKey2, allowance)
    );
  }
  function isGood(result) {
    if (result.kind !== "chains") return false;
    const { chainSet } = result;
    const { rhatMax, divergent, stuck } = mixing(chainSet);
    const limit = rhatOfShortChains(chainSet.dimension);
    return rhatMax <= limit && divergent <= maxDivergent && !stuck;
  }
  function* longChains({ density, schedule: schedule2, result: again3 }, budget) {
    const { chains, tune, draws, seedKey: seedKey2 } = schedule2;
    const long = {
      chains,
      tune: Math.max(500, tune),
      draws: Math.max(1e3, draws),
      targetAcceptance: 0.95,
      start: "uniform"
    };
    const fallback = again3.kind === "chains" && mixing(again3.chainSet).rhatMax <= mixedRhat;
    const rest = budget.limit - budget.used;
    if (again3.kind === "chains" && leastCost(again3.chainSet, long) > longShare * rest) {
      return fallback ? again3 : { kind: "budget" };
    }
    const last = yield* within3(
      longShare,
      budget,
      (allowance) => sampleChains(density, long, [...seedKey2, "long"], allowance)
    );
    if (last.kind === "budget" && fallback) return again3;
    if (last.kind !== "chains") return last;
    const longest = yield* drawOn(density, last.chainSet, budget);
    const mixed2 = mixing(longest);
    if (mixed2.rhatMax <= mixedRhat) return { kind: "chains", chainSet: longest };
    return notMixed(longest, mixed2);
  }
  function* drawOn(density, first2, budget) {
    let set2 = first2;
    while (mixing(set2).rhatMax > mixedRhat && lacksDraws({ kind: "chains", chainSet: set2 })) {
      const more = first2.draws * maxFactor2 > set2.draws ? 2 * set2.draws : 0;
      const cost = set2.steps.reduce((sum3, n) => sum3 + n, 0);
      if (more === 0 || budget.used + 1.2 * cost > budget.limit) break;
      const longer2 = yield* continueChains(density, set2, more, budget);
      if (longer2.kind !== "chains") break;
      set2 = longer2.chainSet;
    }
    return set2;
  }
  function leastCost({ chains, draws, steps }, long) {
    const perTransition = steps.reduce((sum3, n) => sum3 + n, 0) / (chains * draws);
    return 0.75 * perTransition * chains * (long.tune + long.draws);
  }
  function* retuned(density, { chains, draws, seedKey: seedKey2 }, set2, budget) {
    const options = {
      ...{ chains, tune: retune, draws: 2 * draws, targetAcceptance: 0.9 },
      warmStart: pooledAdaptations(set2)
    };
    return yield* within3(
      shortShare,
      budget,
      (allowance) => sampleChains(density, options, [...seedKey2, "retuned"], allowance)
    );
  }
  function* within3(share2, budget, work) {
    const rest = Math.max(0, budget.limit - budget.used);
    const limit = budget.used + Math.max(share2 * rest, Math.min(rest, alwaysAllowed));
    const allowance = { used: budget.used, limit };
    const result = yield* work(allowance);
    budget.used = allowance.used;
    return result;
  }
  function notMixed(set2, mixed2) {
    const reason = `chains did not mix: R-hat ${mixed2.rhatMax.toFixed(3)}`;
    const cause = runsAway(set2) ? "; draws run off towards infinity, as they do where a posterior is improper" : stayApart(set2) || keepToModes(set2) ? "; each chain keeps to a mode of its own" : "";
    return { kind: "numeric", reason: reason + cause };
  }
  function runsAway({ positions }) {
    return positions.some((q) => !(Math.abs(q) < faraway));
  }
  function haveModes(result) {
    return result.kind === "chains" && keepToModes(result.chainSet) && areAlikeInDensity(result.chainSet);
  }
  function keepToModes(set2) {
    if (!(mixing(set2).rhatMax > farRhat)) return false;
    return Array.from({ length: set2.dimension }, (_, k) => coordinate(set2, k)).some(
      (values) => rhat(values, set2.chains) > farRhat && haveSettled(values, set2)
    );
  }
  function areAlikeInDensity({ logDensities, chains, draws }) {
    const means = Array.from({ length: chains }, (_, c) => {
      const own = logDensities.subarray(c * draws, (c + 1) * draws);
      return own.reduce((sum3, value) => sum3 + value, 0) / draws;
    });
    return Math.max(...means) - Math.min(...means) <= comparable;
  }
  function stayApart(set2) {
    return Array.from({ length: set2.dimension }, (_, k) => coordinate(set2, k)).every(
      (values) => rhat(values, set2.chains) <= mixedRhat || haveSettled(values, set2)
    );
  }
  function haveSettled(values, { chains, draws }) {
    return Array.from({ length: chains }, (_, c) => values.subarray(c * draws, (c + 1) * draws)).every((own) => rhat(own, 1) <= settledRhat);
  }

  // src/loo/marginal.ts
  var relativeStep = 1e-4;
  function marginalPosterior(density) {
    const marginal = new Marginal(density);
    const { dimension, observations, startingRegion: startingRegion2 } = marginal;
    const pointwise = new Float64Array(observations);
    const point = new Float64Array(dimension);
    const valueAt = (k, at) => {
      const before = point[k];
      point[k] = at;
      const value = marginal.evaluate(point, 0, pointwise, 0);
      point[k] = before;
      return value;
    };
    return {
      ...{ dimension, observations, startingRegion: startingRegion2 },
      logDensity(position2, gradient, offset) {
        for (let k = 0; k < dimension; k++) point[k] = position2[offset + k];
        const value = marginal.evaluate(point, 0, pointwise, 0);
        let check2 = value - value;
        for (let k = 0; k < dimension; k++) {
          const step = relativeStep * (startingRegion2?.spread[k] ?? 1);
          const slope = (valueAt(k, point[k] + step) - value) / step;
          gradient[offset + k] = slope;
          check2 += slope - slope;
        }
        if (check2 === 0) return value;
        gradient.fill(0, offset, offset + dimension);
        return -Infinity;
      },
      valueAlone: (position2, offset) => marginal.evaluate(position2, offset, pointwise, 0),
      logLikelihood: (position2, offset, out, outOffset) => void marginal.evaluate(position2, offset, out, outOffset),
      withLikelihood(position2, gradient, offset, out, outOffset) {
        gradient.fill(0, offset, offset + dimension);
        return marginal.evaluate(position2, offset, out, outOffset);
      },
      project: (set2) => marginal.project(set2)
    };
  }
  var Marginal = class {
    dimension;
    observations;
    startingRegion;
    #density;
    #latents;
    /** Which of the density's coordinates are left `[dimension]`. */
    #kept;
    #integrals;
    /** Elements that no observation sees. */
    #unseen;
    #gradient;
    #joint;
    #prior;
    constructor(density) {
      const { latents, dimension, observations, startingRegion: region } = density;
      if (!latents) throw new Error("internal: nothing to integrate out");
      const { offset, elements: elements2 } = latents;
      const coordinates = Array.from({ length: dimension }, (_, k) => k);
      const isLatent = (k) => k >= offset && k < offset + elements2;
      const own = latents.elementOfRow.map((element2) => offset + element2);
      const startOf3 = (values, otherwise) => Float64Array.from(own, (k) => values?.[k] ?? otherwise);
      const starts = { centre: startOf3(region?.centre, 0), scale: startOf3(region?.spread, 1) };
      this.#density = density;
      this.#latents = latents;
      this.#kept = Int32Array.from(coordinates.filter((k) => !isLatent(k)));
      this.dimension = this.#kept.length;
      this.observations = observations;
      this.startingRegion = region && {
        centre: Float64Array.from(this.#kept, (k) => region.centre[k]),
        spread: Float64Array.from(this.#kept, (k) => region.spread[k])
      };
      this.#integrals = new LatentIntegrals(density, starts);
      if (region) this.#integrals.position.set(region.centre);
      const seen = new Set(latents.elementOfRow);
      this.#unseen = Array.from({ length: elements2 }, (_, e) => e).filter((e) => !seen.has(e));
      this.#gradient = new Float64Array(dimension);
      this.#joint = new Float64Array(observations);
      this.#prior = new Float64Array(elements2);
    }
    /**
     * Log density at `from[offset …)`, −∞ where it is no number, and the integrals into
     * `out[outOffset …)`:
     * log p(θ) = log p(θ, z, y) − Σ log p(y_i, z_i | θ) for any z; here, where the integrands are largest.
     */
    evaluate(from, offset, out, outOffset) {
      const integrals = this.#integrals;
      for (let k = 0; k < this.dimension; k++) integrals.position[this.#kept[k]] = from[offset + k];
      integrals.write(out, outOffset);
      integrals.moveToModes();
      this.#latents.logJoint(integrals.position, 0, this.#joint, 0);
      let value = this.#density.logDensity(integrals.position, this.#gradient, 0);
      for (let i = 0; i < this.observations; i++) value += out[outOffset + i] - this.#joint[i];
      value -= this.#priorOfUnseen();
      return value === value ? value : -Infinity;
    }
    project({ chains, draws, dimension: all, positions }) {
      const d = this.dimension;
      const own = new Float64Array(chains * draws * d);
      for (let at = 0; at < own.length; at++) {
        own[at] = positions[Math.floor(at / d) * all + this.#kept[at % d]];
      }
      return { chains, draws, dimension: d, positions: own };
    }
    #priorOfUnseen() {
      if (this.#unseen.length === 0) return 0;
      this.#latents.logPrior(this.#integrals.position, 0, this.#prior, 0);
      return this.#unseen.reduce((sum3, element2) => sum3 + this.#prior[element2], 0);
    }
  };

  // src/loo/mixture.ts
  var ownComponent = 0.1;
  var restlessVariance = 0.2;
  var restlessK = 0.5;
  var farVariance = 4;
  var wholeShare2 = 0.25;
  var leastDraws = 3;
  var doubt = 2;
  var leastTempered = 0.02;
  var mostTempered = 0.25;
  var maxPower = 0.7;
  var targetAcceptance = 0.7;
  var warmTune = 50;
  function farObservations({ variance }) {
    return indicesOf(variance, (v) => !(v <= farVariance));
  }
  function components({ variance }) {
    return indicesOf(variance, (v) => v > ownComponent && v <= farVariance);
  }
  function indicesOf(values, holds) {
    const found = [];
    values.forEach((value, i) => holds(value) && found.push(i));
    return found;
  }
  function isRestless(estimate) {
    const { variance, psis: { paretoK } } = estimate;
    return components(estimate).some(
      (i) => !(variance[i] <= restlessVariance && paretoK[i] <= restlessK)
    );
  }
  function mixtureOf(unit, estimate) {
    const own = components(estimate);
    const share2 = log((1 - wholeShare2) / own.length);
    const { elpdPointwise } = estimate.psis;
    const parts = own.map((u) => ({ rows: [u], logWeight: share2 + elpdPointwise[u] }));
    return { whole: log(wholeShare2), tempered: temperedOf(unit, estimate), parts };
  }
  function temperedOf(unit, { full, left }) {
    const share2 = temperedShare(left);
    if (unit.factorises === false) return { logWeight: log(share2), power: 0 };
    const totals2 = rowSums(full.logLikelihood, unit.observations);
    const mean = sumRange(totals2, 0, totals2.length) / totals2.length;
    const variance = meanSquare(totals2.map((v) => v - mean), 0, totals2.length);
    const power5 = Math.min(maxPower, 0.5 / Math.sqrt(variance));
    const logMean = logSumExp2(totals2.map((v) => -power5 * v)) - log(totals2.length);
    return { logWeight: log(share2) - logMean, power: power5 };
  }
  function temperedShare(left) {
    return Math.min(mostTempered, Math.max(leastTempered, mostTempered * (left - 0.1) / 0.2));
  }
  function rowSums(values, columns) {
    const sums = new Float64Array(values.length / columns);
    for (let s = 0; s < sums.length; s++) {
      for (let i = s * columns; i < (s + 1) * columns; i++) sums[s] += values[i];
    }
    return sums;
  }
  function* mixtureLoo(unit, estimate, goal, budget) {
    const { chainSet } = estimate.full;
    const mixture2 = mixtureOf(unit, estimate);
    const density = unit.mixture(mixture2);
    const options = {
      ...{ chains: chainSet.chains, tune: warmTune, draws: firstDraws(estimate, goal) },
      targetAcceptance,
      warmStart: pooledAdaptations(chainSet)
    };
    const first2 = yield* sampleChains(density, options, [...goal.seedKey, "mixture"], budget);
    if (first2.kind !== "chains") return void 0;
    const far3 = farObservations(estimate);
    const averages = new MixtureAverages(unit, mixture2, far3);
    return yield* drawOn2(density, first2.chainSet, averages, goal, budget);
  }
  function firstDraws({ mcse, psis, full }, { draws, targetMcse }) {
    const factor2 = doubt * mcse / targetMcse * (doubt * mcse / targetMcse);
    const wanted2 = 25 * Math.ceil(Math.min(6, Math.max(leastDraws, factor2)) * draws / 25);
    return Math.min(wanted2, Math.max(draws, maxDrawsOf(full.chainSet, psis.observations)));
  }
  function* drawOn2(density, first2, averages, { targetMcse }, budget) {
    const { observations } = averages.unit;
    const looks = new Looks();
    let set2 = first2;
    for (; ; ) {
      const found = averages.estimate(set2);
      const mcse = looks.errorAfter(set2.draws, found.mcse);
      const mixed2 = mixing(set2).rhatMax <= mixedRhat;
      const wanted2 = drawsFor(set2, mcse, targetMcse, observations);
      const draws = mixed2 ? wanted2 : Math.min(2 * set2.draws, maxDrawsOf(set2, observations));
      const cost = set2.gradientEvaluations * (draws - set2.draws) / set2.draws;
      const last = !mixed2 && set2.draws >= 1e3;
      if (draws <= set2.draws || last || budget.used + cost > budget.limit) {
        return mixed2 ? { pointwise: found.pointwise, mcse } : void 0;
      }
      const longer2 = yield* continueChains(density, set2, draws, budget);
      if (longer2.kind !== "chains") return mixed2 ? { pointwise: found.pointwise, mcse } : void 0;
      set2 = longer2.chainSet;
    }
  }
  var MixtureAverages = class {
    /** @param unit whose observations are left out, all but those `far`. */
    constructor(unit, mixture2, far3) {
      this.unit = unit;
      this.mixture = mixture2;
      this.far = far3;
    }
    unit;
    mixture;
    far;
    #known;
    /** Estimates of all observations, and the error of their sum. */
    estimate(set2) {
      const { logLikelihood: logLikelihood2, whole: whole2 } = this.#densities(set2);
      return leaveOneOutAverages(logLikelihood2, whole2, new ControlVariates(set2), this.far);
    }
    /** log L_i `[draws, observations]`, and log p / q `[draws]`. */
    #densities(set2) {
      const logLikelihood2 = pointwiseLogLikelihood(this.unit, set2, this.#known);
      this.#known = { chainSet: set2, logLikelihood: logLikelihood2 };
      return { logLikelihood: logLikelihood2, whole: this.#shares(logLikelihood2) };
    }
    /** log p / q `[draws]`, from the likelihoods of the units. */
    #shares(own) {
      const n = this.unit.observations;
      const { whole: whole2, tempered: tempered2, parts } = this.mixture;
      const terms = new Float64Array(2 + parts.length).fill(whole2);
      return rowSums(own, n).map((total2, s) => {
        terms[1] = tempered2.logWeight - tempered2.power * total2;
        parts.forEach(({ rows: [u], logWeight: logWeight2 }, k) => {
          terms[2 + k] = logWeight2 - own[s * n + u];
        });
        return -logSumExp2(terms);
      });
    }
  };

  // src/loo/bridge.ts
  function bridge(logA, logB) {
    const shareA = logA.length / (logA.length + logB.length);
    let low2 = Infinity;
    let high2 = -Infinity;
    for (const values of [logA, logB]) {
      for (const v of values) {
        if (v < low2) low2 = v;
        if (v > high2) high2 = v;
      }
    }
    let logRatio = 0.5 * (low2 + high2);
    for (let i = 0; i < 100 && high2 - low2 > 1e-12 * (1 + Math.abs(logRatio)); i++) {
      const { excess, slope } = balance(logA, logB, shareA, logRatio);
      if (Math.abs(excess) < 1e-13) break;
      if (excess >= 0) low2 = logRatio;
      if (excess <= 0) high2 = logRatio;
      const newton = logRatio + excess / slope;
      logRatio = newton > low2 && newton < high2 ? newton : 0.5 * (low2 + high2);
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
    let slope = 0;
    for (const v of logA) {
      const f = termA(v - logRatio, shareA) / logA.length;
      excess += f;
      slope += shareA * f * termB(v - logRatio, shareA);
    }
    for (const v of logB) {
      const h = termB(v - logRatio, shareA) / logB.length;
      excess -= h;
      slope += (1 - shareA) * h * termA(v - logRatio, shareA);
    }
    return { excess, slope };
  }
  function withInfluence(logA, logB, shareA, logRatio) {
    const { slope } = balance(logA, logB, shareA, logRatio);
    const influenceA = centred(logA.map((v) => termA(v - logRatio, shareA) / slope));
    const influenceB = centred(logB.map((v) => -termB(v - logRatio, shareA) / slope));
    return { logRatio, influenceA, influenceB };
  }
  function centred(values) {
    let mean = 0;
    for (const v of values) mean += v / values.length;
    return values.map((v) => v - mean);
  }

  // src/loo/exact.ts
  var warmTune2 = 30;
  var mixedRhat2 = 1.05;
  function* refitWithout(full, i, settings, key, budget) {
    const rest = full.density.without([i]);
    const streams = [...key, "without", i];
    let result = yield* sampleWithout(rest, full.chainSet, settings, streams, budget);
    while (result.kind === "chains") {
      const set2 = result.chainSet;
      const estimate = bridgeBetween(full, i, set2);
      const draws = 2 * set2.draws;
      const affordable = budget.used + 1.2 * set2.gradientEvaluations <= settings.softLimit;
      if (estimate.mcse <= settings.targetMcse || draws > settings.maxDraws || !affordable) {
        return { kind: "refit", ...estimate, draws: set2.draws };
      }
      result = yield* continueChains(rest, set2, draws, budget);
    }
    return result;
  }
  function* sampleWithout(rest, full, settings, key, budget) {
    const { chains, adaptations: warmStart } = full;
    const warm = { chains, tune: warmTune2, draws: settings.draws, warmStart };
    const result = yield* sampleChains(rest, warm, key, budget);
    if (result.kind !== "chains" || mixing(result.chainSet).rhatMax <= mixedRhat2) return result;
    const fresh = { chains, tune: 100, draws: 2 * settings.draws };
    const again3 = yield* sampleChains(rest, fresh, [...key, "fresh"], budget);
    if (again3.kind !== "chains" || mixing(again3.chainSet).rhatMax <= mixedRhat2) return again3;
    const cold = { chains, tune: 500, draws: 1e3, targetAcceptance: 0.95 };
    return yield* sampleChains(rest, cold, [...key, "cold"], budget);
  }
  function bridgeBetween(full, i, set2) {
    const n = full.density.observations;
    const draws = set2.chains * set2.draws;
    const row = new Float64Array(n);
    const without = new Float64Array(draws);
    for (let s = 0; s < draws; s++) {
      full.density.logLikelihood(set2.positions, s * set2.dimension, row, 0);
      without[s] = row[i];
    }
    const fullDraws = full.chainSet.chains * full.chainSet.draws;
    const within4 = Float64Array.from({ length: fullDraws }, (_, s) => full.logLikelihood[s * n + i]);
    const { logRatio, influenceA, influenceB } = bridge(without, within4);
    const { correction, mcse } = new ControlVariates(set2).correct(influenceA);
    return { elpd: logRatio + correction, influence: influenceB, mcse };
  }

  // src/loo/k_fold.ts
  function foldCount(observations) {
    return Math.min(10, observations);
  }
  function assignFolds(observations, folds2, key) {
    const random2 = new RandomStream(...key);
    const order = Int32Array.from({ length: observations }, (_, i) => i);
    for (let i = observations - 1; i > 0; i--) {
      const j = random2.below(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    const fold2 = new Int32Array(observations);
    for (let rank = 0; rank < observations; rank++) fold2[order[rank]] = rank % folds2;
    return fold2;
  }
  function* kFold(full, folds2, settings, key, budget) {
    const n = full.density.observations;
    const foldOf = assignFolds(n, folds2, [...key, "members"]);
    const pointwise = new Float64Array(n);
    let squaredError = 0;
    for (let fold2 = 0; fold2 < folds2; fold2++) {
      const members = Array.from({ length: n }, (_, i) => i).filter((i) => foldOf[i] === fold2);
      const rest = full.density.without(members);
      const streams = [...key, "without", fold2];
      const result = yield* sampleWithout(rest, full.chainSet, settings, streams, budget);
      if (result.kind !== "chains") return result;
      squaredError += scoreFold(full, result.chainSet, members, pointwise);
    }
    return { kind: "k_fold", pointwise, mcse: Math.sqrt(squaredError) };
  }
  function scoreFold({ density }, set2, members, pointwise) {
    const draws = set2.chains * set2.draws;
    const row = new Float64Array(density.observations);
    const values = new Float64Array(members.length * draws);
    for (let s = 0; s < draws; s++) {
      density.logLikelihood(set2.positions, s * set2.dimension, row, 0);
      for (let m = 0; m < members.length; m++) values[m * draws + s] = row[members[m]];
    }
    const variates = new ControlVariates(set2);
    const influence = new Float64Array(draws);
    const one3 = new Float64Array(draws);
    for (let m = 0; m < members.length; m++) {
      const mean = logSumExp2(values, m * draws, draws, 1) - log(draws);
      for (let s = 0; s < draws; s++) {
        one3[s] = exp(values[m * draws + s] - mean) - 1;
        influence[s] += one3[s];
      }
      pointwise[members[m]] = mean + variates.correction(one3);
    }
    const { mcse } = variates.correct(influence);
    return mcse * mcse;
  }

  // src/loo/refits.ts
  var refitShare = 0.6;
  var maxDrawsForRefit = 2e3;
  function* refitBad(estimate, goal, budget) {
    const { psis, bad, corrected, mcse, full } = estimate;
    if (bad.length === 0) {
      return { pointwise: corrected, done: [], left: [], mcse, folds: 0, mixture: false };
    }
    const limit = refitLimit(psis.observations);
    const each = 1.2 * full.chainSet.gradientEvaluations;
    const folds2 = foldCount(psis.observations);
    const folded = full.density.factorises !== false;
    if (folded && bad.length > limit && budget.used + folds2 * each <= budget.limit) {
      const found = yield* inFolds(estimate, goal, folds2, budget);
      if (found) return found;
    }
    return yield* oneByOne(estimate, worst(estimate, limit), goal, budget);
  }
  function worst({ psis, bad }, limit) {
    const worstFirst = [...bad].sort((a, b) => psis.paretoK[b] - psis.paretoK[a] || a - b);
    return worstFirst.slice(0, limit).sort((a, b) => a - b);
  }
  function* inFolds({ full }, { seedKey: seedKey2, draws }, folds2, budget) {
    const found = yield* kFold(full, folds2, { draws, maxDraws: draws, targetMcse: 0, softLimit: 0 }, [
      ...seedKey2,
      "folds"
    ], budget);
    if (found.kind !== "k_fold") return void 0;
    const { pointwise, mcse } = found;
    return { pointwise, done: [], left: [], mcse, folds: folds2, mixture: false };
  }
  function* oneByOne(estimate, chosen, goal, budget) {
    const { psis, variates, bad } = estimate;
    const pointwise = Float64Array.from(estimate.corrected);
    const { values, influence, squaredError } = yield* refitEach(estimate, chosen, goal, budget);
    addTo(influence, estimate.influence, 0);
    for (const [i, value] of values) pointwise[i] = value;
    const left = bad.filter((i) => !values.has(i));
    for (const i of left) addTo(influence, psis.influence, i * psis.draws);
    const { mcse } = variates.correct(influence);
    const total2 = Math.sqrt(mcse * mcse + squaredError);
    return { pointwise, done: [...values.keys()], left, mcse: total2, folds: 0, mixture: false };
  }
  function* refitEach({ full, variates, psis }, chosen, goal, budget) {
    const values = /* @__PURE__ */ new Map();
    const influence = new Float64Array(psis.draws);
    let squaredError = 0;
    for (const [n, i] of chosen.entries()) {
      if (budget.used + 1.2 * full.chainSet.gradientEvaluations > budget.limit) break;
      const settings = shareOf(goal, budget, chosen.length, n);
      const allowance = { used: budget.used, limit: settings.softLimit };
      const one3 = yield* refitWithout(full, i, settings, goal.seedKey, allowance);
      budget.used = allowance.used;
      if (one3.kind !== "refit") continue;
      values.set(i, one3.elpd + variates.correction(one3.influence));
      addTo(influence, one3.influence, 0);
      squaredError += one3.mcse * one3.mcse;
    }
    return { values, influence, squaredError };
  }
  function shareOf(goal, budget, count, n) {
    return {
      draws: goal.draws,
      maxDraws: maxDrawsForRefit,
      targetMcse: refitShare * goal.targetMcse / Math.sqrt(count),
      softLimit: budget.used + (budget.limit - budget.used) / (count - n)
    };
  }

  // src/loo/units.ts
  function unitPosterior(density, unitOfRow) {
    if (!unitOfRow) {
      const rowsOf3 = Array.from({ length: density.observations }, (_, i) => [i]);
      return wrapped2(density, rowsOf3, density.latents);
    }
    const rowsOf2 = [];
    for (let i = 0; i < unitOfRow.length; i++) (rowsOf2[unitOfRow[i]] ??= []).push(i);
    for (let u = 0; u < rowsOf2.length; u++) {
      if (!rowsOf2[u]) throw new Error(`internal: unit ${u} has no row`);
    }
    return wrapped2(density, rowsOf2, latentsOfUnits(density, rowsOf2));
  }
  function wrapped2(density, rowsOf2, latents) {
    const rows = new Float64Array(density.observations);
    const single = rowsOf2.every((unit, u) => unit.length === 1 && unit[0] === u);
    const sumRows = (position2, offset, out, outOffset) => {
      density.logLikelihood(position2, offset, rows, 0);
      for (let u = 0; u < rowsOf2.length; u++) {
        let sum3 = 0;
        for (const i of rowsOf2[u]) sum3 += rows[i];
        out[outOffset + u] = sum3;
      }
    };
    return {
      dimension: density.dimension,
      startingRegion: density.startingRegion,
      logDensity: (position2, gradient, offset) => density.logDensity(position2, gradient, offset),
      observations: rowsOf2.length,
      factorises: density.factorises,
      rowsOf: rowsOf2,
      ...single && density.withLikelihood && {
        withLikelihood: (position2, gradient, offset, out, outOffset) => density.withLikelihood(position2, gradient, offset, out, outOffset)
      },
      logLikelihood: single ? (position2, offset, out, outOffset) => density.logLikelihood(position2, offset, out, outOffset) : sumRows,
      without: (units) => density.without(units.flatMap((u) => rowsOf2[u])),
      mixture(components2) {
        const parts = components2.parts.map(({ rows: units, logWeight: logWeight2 }) => ({
          rows: units.flatMap((u) => rowsOf2[u]),
          logWeight: logWeight2
        }));
        return density.mixture({ ...components2, parts });
      },
      quantities: density.quantities,
      quantityShapes: density.quantityShapes,
      constrain: (position2, offset, out, outOffset) => density.constrain(position2, offset, out, outOffset),
      ...latents ? { latents } : {}
    };
  }
  function latentsOfUnits(density, rowsOf2) {
    const { latents } = density;
    if (!latents) return void 0;
    const elementOfRow = Int32Array.from(rowsOf2, ([first2]) => latents.elementOfRow[first2]);
    const fits = rowsOf2.every(
      (rows, u) => rows.every((i) => latents.elementOfRow[i] === elementOfRow[u])
    );
    if (!fits) return void 0;
    const prior = new Float64Array(latents.elements);
    const ofRows = new Float64Array(density.observations);
    return {
      ...{ offset: latents.offset, elements: latents.elements, elementOfRow },
      logPrior: (position2, offset, out, outOffset) => latents.logPrior(position2, offset, out, outOffset),
      logJoint(position2, offset, out, outOffset) {
        latents.logPrior(position2, offset, prior, 0);
        density.logLikelihood(position2, offset, ofRows, 0);
        for (let u = 0; u < rowsOf2.length; u++) {
          let sum3 = prior[elementOfRow[u]];
          for (const i of rowsOf2[u]) sum3 += ofRows[i];
          out[outOffset + u] = sum3;
        }
      }
    };
  }
  function canIntegrate({ latents, observations }) {
    return latents !== void 0 && new Set(latents.elementOfRow).size === observations;
  }

  // src/loo/elpd.ts
  var goodRhat = 1.02;
  var maxDrawsForRhat = 1e3;
  function* elpdLoo(first2, settings, budget, other) {
    const usedBefore = budget.used;
    const units = unitPosterior(first2, settings.unitOfRow);
    const integrated = canIntegrate(units);
    const target = integrated ? marginalPosterior(units) : units;
    const direct2 = yield* importanceLoo(target, settings, budget);
    if (direct2) return ofWeightedDraws(direct2, budget.used - usedBefore, integrated);
    const found = yield* sampleMixed(first2, settings, budget, other);
    if (found.kind !== "chains") return found;
    const weighted = yield* weightedByChains(found, settings, budget);
    if (weighted) return ofWeightedDraws(weighted, budget.used - usedBefore, integrated);
    return yield* ofChains(found, settings, budget, usedBefore);
  }
  function* weightedByChains({ density, chainSet }, settings, budget) {
    const units = unitPosterior(density, settings.unitOfRow);
    if (!canIntegrate(units)) {
      return yield* importanceByChains(units, chainSet, settings, budget);
    }
    const marginal = marginalPosterior(units);
    return yield* importanceByChains(marginal, marginal.project(chainSet), settings, budget);
  }
  function* sampleForDraws(first2, settings, budget, other) {
    const anyError = { ...settings, targetMcse: Infinity };
    const found = yield* sampleMixed(first2, settings, budget, other);
    if (found.kind !== "chains") return found;
    const drawn = yield* drawOn3(found, anyError, budget);
    return "kind" in drawn ? drawn : drawn.sampled;
  }
  function* ofChains(found, settings, budget, usedBefore) {
    const drawn = yield* drawOn3(found, settings, budget);
    if ("kind" in drawn) return drawn;
    const { units, estimate, sampled } = drawn;
    const refitted = yield* settle(units, estimate, settings, budget);
    const elpdRaw = sampled.integrated ? plainPsis(units, sampled.chainSet) : estimate.psis.elpdLoo;
    return assemble2(estimate, refitted, sampled, elpdRaw, budget.used - usedBefore);
  }
  function* drawOn3({ density, chainSet }, settings, budget) {
    const units = unitPosterior(density, settings.unitOfRow);
    let set2 = chainSet;
    const integrated = canIntegrate(units);
    let mixed2 = mixing(set2);
    let estimate = estimateElpd(integrated ? integratedPosterior(units, set2) : units, set2);
    const looks = new Looks();
    for (; ; ) {
      const mcse = looks.errorAfter(set2.draws, estimate.mcse);
      estimate = { ...estimate, mcse };
      const draws = moreDraws(set2, mixed2, { units, estimate }, settings, budget);
      if (draws === 0) break;
      const longer2 = yield* continueChains(density, set2, draws, budget);
      if (longer2.kind === "budget" && mixed2.rhatMax <= mixedRhat) break;
      if (longer2.kind !== "chains") return longer2;
      set2 = longer2.chainSet;
      mixed2 = mixing(set2);
      estimate = estimateElpd(estimate.full.density, set2, estimate.full);
    }
    if (!(mixed2.rhatMax <= mixedRhat)) return notMixed(set2, mixed2);
    const { rhatMax, essBulkMin } = mixed2;
    const divergences = countDivergences(set2);
    const { psis } = estimate;
    const sampled = { density, chainSet: set2, psis, integrated, rhatMax, essBulkMin, divergences };
    return { units, estimate, sampled };
  }
  function ofWeightedDraws(found, gradients, integrated) {
    const { pointwise, lppd, raw, mcse, shapes, draws } = found;
    return {
      kind: "ok",
      method: integrated ? "integrated_importance" : "importance",
      ...totals(pointwise, lppd),
      elpdRaw: raw,
      mcse,
      elpdPointwise: pointwise,
      paretoK: shapes,
      goodK: goodParetoK(draws),
      exactRefits: [],
      unresolved: [],
      gradients,
      draws
    };
  }
  function wantsMixture(units, estimate) {
    return isRestless(estimate) && estimate.full.density === units;
  }
  function* settle(units, estimate, settings, budget) {
    const far3 = farObservations(estimate);
    const fewFar = far3.length <= refitLimit(estimate.psis.observations);
    if (wantsMixture(units, estimate) && fewFar) {
      const found = yield* mixtureAndRefits(units, estimate, far3, settings, budget);
      if (found) return found;
    }
    return yield* refitBad(estimate, settings, budget);
  }
  function* mixtureAndRefits(units, estimate, far3, settings, budget) {
    const refits = yield* refitEach(estimate, far3, settings, budget);
    if (refits.values.size < far3.length) return void 0;
    const { mcse } = estimate.variates.correct(refits.influence);
    const squaredError = refits.squaredError + mcse * mcse;
    const { targetMcse } = settings;
    const left = Math.max(0.25 * targetMcse * targetMcse, targetMcse * targetMcse - squaredError);
    const goal = { ...settings, targetMcse: Math.sqrt(left) };
    const found = yield* mixtureLoo(units, estimate, goal, budget);
    if (!found) return void 0;
    for (const [i, value] of refits.values) found.pointwise[i] = value;
    const total2 = Math.sqrt(found.mcse * found.mcse + squaredError);
    return { ...found, mcse: total2, done: far3, left: [], folds: 0, mixture: true };
  }
  function plainPsis(density, set2) {
    const logLikelihood2 = pointwiseLogLikelihood(density, set2);
    const rEff = relativeEfficiency(density, set2);
    return psisLoo(logLikelihood2, set2.chains * set2.draws, density.observations, rEff).elpdLoo;
  }
  function moreDraws(set2, mixed2, { units, estimate }, settings, budget) {
    const { mcse, psis } = estimate;
    if (wantsMixture(units, estimate) && mixed2.rhatMax <= mixedRhat) return 0;
    const draws = Math.max(
      mixed2.rhatMax > goodRhat ? atMost2(2 * set2.draws, maxDrawsForRhat) : 0,
      drawsFor(set2, mcse, settings.targetMcse, psis.observations)
    );
    const cost = set2.gradientEvaluations * (draws - set2.draws) / set2.draws;
    return draws > 0 && budget.used + cost <= budget.limit ? draws : 0;
  }
  function atMost2(draws, limit) {
    return draws <= limit ? draws : 0;
  }
  function assemble2({ psis }, refitted, sampled, elpdRaw, gradients) {
    const sums = totals(refitted.pointwise, psis.lppdPointwise);
    if (!(Math.abs(sums.elpdLoo) < Infinity)) {
      return { kind: "numeric", reason: "a pointwise predictive density is not finite" };
    }
    return {
      kind: "ok",
      method: methodOf(refitted, sampled.integrated),
      ...sums,
      elpdRaw,
      mcse: refitted.mcse,
      elpdPointwise: refitted.pointwise,
      paretoK: psis.paretoK,
      goodK: psis.goodK,
      exactRefits: refitted.done,
      unresolved: refitted.left,
      gradients,
      draws: sampled.chainSet.draws,
      sampled
    };
  }
  function methodOf({ folds: folds2, done, mixture: mixture2 }, integrated) {
    if (folds2 > 0) return "k_fold";
    if (mixture2) return "mixture";
    const smoothed = integrated ? "integrated" : "psis";
    return done.length > 0 ? `${smoothed}_refit` : smoothed;
  }

  // src/predict/draw_law.ts
  function drawLaw(random2, law, valueOf, out) {
    const family = families[law.family];
    const batch2 = law.shape.slice(0, law.shape.length - family.eventRank);
    const args = law.args.map((id, k) => {
      const value = valueOf(id);
      const rank = family.parameterRanks[k] ?? 0;
      const event = rank === 0 ? [] : value.shape.slice(value.shape.length - rank);
      return broadcastTo2(value, [...batch2, ...event]);
    });
    const component = (index, into) => {
      const inner = law.components?.[index];
      if (!inner) throw new Error(`internal: ${law.family} has no component ${index}`);
      drawLaw(random2, inner, valueOf, into);
    };
    family.draw(random2, args, law, out, component);
  }
  function broadcastTo2(value, shape) {
    if (sameShape(value.shape, shape)) return value;
    const values = new Float64Array(sizeOf(shape));
    if (value.values.length === 1) return { shape, values: values.fill(value.values[0]) };
    const index = broadcastIndex(value.shape, shape);
    for (let i = 0; i < values.length; i++) values[i] = value.values[index[i]];
    return { shape, values };
  }

  // src/predict/interpreter.ts
  function nodesOfLaw(law) {
    return [...law.args, ...(law.components ?? []).flatMap(nodesOfLaw)];
  }
  var Interpreter = class {
    #nodes;
    #values;
    /** Nodes to compute on every run, in order, with their arguments' values. */
    #steps = [];
    #parameters = /* @__PURE__ */ new Map();
    /**
     * @param columns values by name, row-major, of every column that the needed nodes read.
     * @throws internal, if a column is missing.
     */
    constructor(nodes, columns, targets) {
      this.#nodes = nodes;
      this.#values = new Array(nodes.length);
      const varies3 = new Uint8Array(nodes.length);
      for (const id of neededNodes(nodes, targets)) {
        const node = nodes[id];
        const out = node.kind === "column" ? columnOf(columns, node.column) : bufferOf(node);
        const value = { shape: node.shape, values: out };
        this.#values[id] = value;
        if (node.kind === "column") continue;
        if (node.kind === "parameter") {
          varies3[id] = 1;
          const known5 = this.#parameters.get(node.parameter) ?? [];
          this.#parameters.set(node.parameter, [...known5, out]);
          continue;
        }
        const args = node.args.map((arg) => this.#values[arg]);
        if (node.args.some((arg) => varies3[arg] === 1)) {
          varies3[id] = 1;
          this.#steps.push({ node, args, out });
        } else if (node.kind !== "constant") evaluateInto(node, args, out);
      }
    }
    /** Sets the value of a parameter `[sizeOf(shape)]`; one that is not needed is ignored. */
    setParameter(parameter2, values) {
      for (const out of this.#parameters.get(parameter2) ?? []) out.set(values);
    }
    /** Computes everything that depends on parameters. */
    run() {
      for (const { node, args, out } of this.#steps) evaluateInto(node, args, out);
    }
    /** The value of a needed node, as of the last run; overwritten by the next. */
    value(id) {
      const value = this.#values[id];
      if (!value) throw new Error(`internal: node ${id} (${this.#nodes[id].kind}) was not asked for`);
      return value;
    }
  };
  function neededNodes(nodes, targets) {
    const needed = new Uint8Array(nodes.length);
    for (const id of targets) needed[id] = 1;
    for (let id = nodes.length - 1; id >= 0; id--) {
      if (needed[id] === 1) {
        for (const arg of nodes[id].args) needed[arg] = 1;
      }
    }
    return Array.from({ length: nodes.length }, (_, id) => id).filter((id) => needed[id] === 1);
  }
  function bufferOf(node) {
    return node.kind === "constant" ? node.values : new Float64Array(sizeOf(node.shape));
  }
  function columnOf(columns, name2) {
    const values = columns.get(name2);
    if (!values) throw new Error(`internal: there is no column "${name2}"`);
    return values;
  }

  // src/base/diagnostic.ts
  var InputError = class extends Error {
    /** With the texts of the files that spans name, for {@linkcode renderDiagnostics}. */
    constructor(diagnostics, sources) {
      super(diagnostics.map((d) => d.message).join("; "));
      this.diagnostics = diagnostics;
      this.sources = sources;
    }
    diagnostics;
    sources;
    /** The name that `instanceof` cannot see across processes. */
    name = "InputError";
  };
  function inputError(code2, message, span2, hint) {
    return new InputError([{ code: code2, severity: "error", message, span: span2, hint }]);
  }

  // src/predict/new_rows.ts
  function graphForRows(program, columns, oldRows, rows, latent) {
    const rewriter = new Rewriter(program, columns, oldRows, rows, latent);
    const { law } = program.likelihood;
    const nodes = rewriter.rewrite(nodesOfLaw(law));
    return { nodes, law: rewriter.law(law) };
  }
  var Rewriter = class {
    constructor(program, columns, oldRows, rows, latent) {
      this.program = program;
      this.columns = columns;
      this.oldRows = oldRows;
      this.rows = rows;
      this.latent = latent;
      this.#nodes = program.nodes;
    }
    program;
    columns;
    oldRows;
    rows;
    latent;
    #nodes;
    #done = /* @__PURE__ */ new Map();
    #data = /* @__PURE__ */ new Map();
    rewrite(targets) {
      const nodes = [...this.#nodes];
      for (const id of neededNodes(this.#nodes, targets)) {
        this.#rememberData(id);
        const reshaped = this.#reshape(id, this.#nodes[id]);
        this.#done.set(id, reshaped);
        nodes[id] = reshaped.node;
      }
      return nodes;
    }
    /** A law whose rows are the new ones, and its components likewise. */
    law(law) {
      const shape = law.shape.map((extent, i) => i === 0 ? this.rows : extent);
      if (law.shape[0] !== this.oldRows) refuse5("the response does not have one value per row");
      for (const id of law.args) {
        const own = this.#nodes[id].shape;
        const tied = own.length === law.shape.length && own[0] !== 1;
        if (tied && this.#axisOf(id) === void 0) refuse5(numberPerRow);
      }
      const components2 = law.components?.map(
        (one3) => one3.shape[0] === this.oldRows && one3.shape.length === law.shape.length ? this.law(one3) : one3
      );
      return { ...law, shape, ...components2 ? { components: components2 } : {} };
    }
    /** Keeps the values of nodes that depend on data alone. */
    #rememberData(id) {
      const node = this.#nodes[id];
      if (node.kind === "parameter" || node.kind === "input") return;
      if (node.kind === "constant") {
        this.#data.set(id, { shape: node.shape, values: node.values });
        return;
      }
      if (node.kind === "column") {
        const values2 = this.columns.get(node.column);
        if (values2) this.#data.set(id, { shape: node.shape, values: values2 });
        return;
      }
      const args = node.args.map((arg) => this.#data.get(arg));
      if (args.some((arg) => arg === void 0)) return;
      const values = evaluateNode(node, args);
      this.#data.set(id, { shape: node.shape, values });
    }
    #reshape(id, node) {
      if (node.kind === "column") {
        const hasRows = node.shape[0] === this.oldRows && node.shape.length > 0;
        return hasRows ? { node: this.#withRows(node, 0), axis: 0 } : this.#kept(id, node);
      }
      if (node.kind === "parameter") {
        const grows = node.parameter === this.latent;
        return grows ? { node: this.#withRows(node, 0), axis: 0 } : { node };
      }
      if (node.args.every((arg) => this.#axisOf(arg) === void 0)) {
        return this.#spreadOverRows(node) ?? this.#kept(id, node);
      }
      return this.#withRowAxis(id, node);
    }
    /** A node without a row axis: a constant with its value if data alone decide it. */
    #kept(id, node) {
      const value = this.#data.get(id);
      if (!value || node.kind === "constant") return { node };
      return { node: { kind: "constant", args: [], shape: value.shape, values: value.values } };
    }
    /** A broadcast of something without rows to one copy per row. */
    #spreadOverRows(node) {
      if (node.kind !== "gather" || node.shape[0] !== this.oldRows) return void 0;
      const from = this.#done.get(node.args[0]).node.shape;
      const known5 = broadcastShapes(from, node.shape);
      if (!known5 || sizeOf(known5) !== sizeOf(node.shape) || from.length >= node.shape.length) {
        return void 0;
      }
      const whole2 = broadcastIndex(from, node.shape);
      if (!node.index.every((at, i) => at === whole2[i])) return void 0;
      const shape = this.#rowShape(node.shape, 0);
      return { node: { ...node, shape, index: broadcastIndex(from, shape) }, axis: 0 };
    }
    #withRowAxis(id, node) {
      switch (node.kind) {
        case "map":
          return this.#map(node);
        case "reduce":
          return this.#reduce(id, node);
        case "scan":
          if (node.axis === this.#axisOf(node.args[0])) refuse5("it accumulates over the rows");
          return this.#sameAxis(node, node.args[0]);
        case "reshape":
          return this.#reshaped(node);
        case "gather":
          return this.#gather(node);
        case "take":
          if (this.#axisOf(node.args[0]) !== void 0) refuse5("it indexes by row");
          return this.#sameAxis(node, node.args[1]);
        case "matmul":
          if (this.#axisOf(node.args[0]) !== 0 || this.#axisOf(node.args[1]) !== void 0) {
            refuse5("it multiplies over the rows");
          }
          return this.#sameAxis(node, node.args[0]);
        case "join":
          return this.#join(node);
        default:
          return refuse5(`it has a ${node.kind} over the rows`);
      }
    }
    #map(node) {
      let axis;
      for (const arg of node.args) {
        const own = this.#axisOf(arg);
        if (own === void 0) continue;
        const seen = node.shape.length - this.#nodes[arg].shape.length + own;
        if (axis !== void 0 && axis !== seen) refuse5("two of its axes go over rows");
        axis = seen;
      }
      for (const arg of node.args) {
        const { shape } = this.#nodes[arg];
        const at = axis - (node.shape.length - shape.length);
        if (this.#axisOf(arg) === void 0 && at >= 0 && shape[at] !== 1) {
          refuse5(numberPerRow);
        }
      }
      return { node: this.#withRows(node, axis), axis };
    }
    #reduce(id, node) {
      const axis = this.#axisOf(node.args[0]);
      if (node.axes.includes(axis)) {
        if (!this.#data.has(id)) refuse5("it sums over the rows");
        return this.#kept(id, node);
      }
      const left = axis - node.axes.filter((other) => other < axis).length;
      return { node: this.#withRows(node, left), axis: left };
    }
    #reshaped(node) {
      const from = this.#nodes[node.args[0]].shape;
      const axis = this.#axisOf(node.args[0]);
      const before = sizeOf(from.slice(0, axis));
      for (let i = 0; i < node.shape.length; i++) {
        const fits = node.shape[i] === this.oldRows && sizeOf(node.shape.slice(0, i)) === before;
        if (fits) return { node: this.#withRows(node, i), axis: i };
      }
      return refuse5("it joins the rows with another axis");
    }
    /** Picks the same elements of every row, or turns axes around. */
    #gather(node) {
      const [arg] = node.args;
      const from = this.#nodes[arg].shape;
      const axis = this.#axisOf(arg);
      for (let to = 0; to < node.shape.length; to++) {
        if (node.shape[to] !== this.oldRows) continue;
        const index = this.#regathered(node, from, axis, to);
        if (index) {
          return { node: { ...node, index, shape: this.#rowShape(node.shape, to) }, axis: to };
        }
      }
      return refuse5("it picks rows of the data");
    }
    /** The index at the new rows, if row i of the result reads row i of the argument alone. */
    #regathered(node, from, axis, to) {
      const fromStrides = stridesOf(from);
      const toStrides = stridesOf(node.shape);
      const shape = this.#rowShape(node.shape, to);
      const newFrom = stridesOf(this.#rowShape(from, axis));
      const newTo = stridesOf(shape);
      const out = new Int32Array(sizeOf(shape));
      for (let flat4 = 0; flat4 < node.index.length; flat4++) {
        const row = Math.floor(flat4 / toStrides[to]) % this.oldRows;
        const source = node.index[flat4];
        if (source < 0 || Math.floor(source / fromStrides[axis]) % this.oldRows !== row) {
          return void 0;
        }
        const first2 = source - row * fromStrides[axis];
        if (node.index[flat4 - row * toStrides[to]] !== first2) return void 0;
        if (row > 0) continue;
        const target = moved3(flat4, toStrides, newTo, node.shape);
        const origin = moved3(first2, fromStrides, newFrom, from);
        for (let i = 0; i < this.rows; i++) out[target + i * newTo[to]] = origin + i * newFrom[axis];
      }
      return out;
    }
    /** Vectors over rows, stacked: `[k, rows]` or `[k · rows]` split later. */
    #join(node) {
      const vectors = node.args.every(
        (arg) => this.#axisOf(arg) === 0 && this.#nodes[arg].shape.length === 1
      );
      const stacked = node.shape.length === 2 && node.shape[0] === node.args.length;
      if (!vectors || !stacked) refuse5("it joins rows end to end");
      return { node: this.#withRows(node, 1), axis: 1 };
    }
    #sameAxis(node, arg) {
      const axis = this.#axisOf(arg);
      return { node: this.#withRows(node, axis), axis };
    }
    #axisOf(id) {
      return this.#done.get(id).axis;
    }
    #withRows(node, axis) {
      return { ...node, shape: this.#rowShape(node.shape, axis) };
    }
    #rowShape(shape, axis) {
      return shape.map((extent, i) => i === axis ? this.rows : extent);
    }
  };
  var numberPerRow = "it has a number or a parameter for each row of the data";
  function moved3(flat4, strides, to, shape) {
    let sum3 = 0;
    for (let i = 0; i < shape.length; i++) sum3 += Math.floor(flat4 / strides[i]) % shape[i] * to[i];
    return sum3;
  }
  function refuse5(why) {
    throw inputError(
      "predict/rows",
      `Cannot predict at new rows: the program is tied to the rows of its data, for ${why}`,
      void 0,
      "write it with columns of the data and one number per parameter or group"
    );
  }

  // src/predict/draws.ts
  function columnsOf2(dataset) {
    return new Map(dataset.columns.map(({ name: name2, values }) => [name2, values]));
  }
  var valuesOf = (interpreter) => (id) => interpreter.value(id);
  function rowOf(values, s, size) {
    return values.subarray(s * size, (s + 1) * size);
  }
  function replicate(program, dataset, posterior, { key, at, redraw }) {
    const training = columnsOf2(dataset);
    const { nodes, law } = at ? graphForRows(program, training, dataset.rows, at.rows, redraw) : { nodes: program.nodes, law: program.likelihood.law };
    const columns = at ? new Map([...training, ...at.columns]) : training;
    const interpreter = new Interpreter(nodes, columns, nodesOfLaw(law));
    const fresh = redraw === void 0 ? void 0 : freshPrior(program, training, redraw, at?.rows);
    const random2 = new RandomStream(...key, "predictive");
    const size = sizeOf(law.shape);
    const out = new Float64Array(posterior.draws * size);
    for (let s = 0; s < posterior.draws; s++) {
      for (const [k, { shape }] of program.parameters.entries()) {
        const value = rowOf(posterior.parameters[k], s, sizeOf(shape));
        fresh?.interpreter.setParameter(k, value);
        if (k !== redraw) interpreter.setParameter(k, value);
      }
      if (fresh) {
        fresh.interpreter.run();
        drawLaw(random2, fresh.law, valuesOf(fresh.interpreter), fresh.value);
        interpreter.setParameter(redraw, fresh.value);
      }
      interpreter.run();
      drawLaw(random2, law, valuesOf(interpreter), rowOf(out, s, size));
    }
    return out;
  }
  function freshPrior(program, columns, parameter2, rows) {
    const { prior } = program.parameters[parameter2];
    if (families[prior.family].eventRank > 0) throw new Error("internal: no prior of single rows");
    const law = rows === void 0 ? prior : { ...prior, shape: [rows] };
    const interpreter = new Interpreter(program.nodes, columns, nodesOfLaw(prior));
    return { law, interpreter, value: new Float64Array(sizeOf(law.shape)) };
  }

  // src/predict/row_latent.ts
  var elementwise2 = /* @__PURE__ */ new Set(["identity", "log", "logodds", "interval"]);
  function rowLatent(program, columns) {
    if (program.parameters.some(({ transform }) => transform.kind === "summed")) return void 0;
    let best;
    for (const [parameter2, { shape }] of program.parameters.entries()) {
      if (shape.length !== 1 || sizeOf(shape) < 2) continue;
      if (best && sizeOf(program.parameters[best.parameter].shape) >= sizeOf(shape)) continue;
      const elementOfRow = elementsSeen(program, columns, parameter2);
      if (elementOfRow) best = { parameter: parameter2, elementOfRow };
    }
    return best;
  }
  function elementsSeen(program, columns, parameter2) {
    const own = program.parameters[parameter2];
    if (families[own.prior.family].eventRank > 0 || own.prior.components) return void 0;
    if (!elementwise2.has(own.transform.kind)) return void 0;
    const { likelihood: likelihood2 } = program;
    if (likelihood2.law.components || families[likelihood2.law.family].eventRank > 0) return void 0;
    const trace = new Tracer(program, columns, parameter2);
    const priors = program.parameters.flatMap(({ prior }) => nodesOfLaw(prior));
    if (priors.some((id) => trace.of(id) !== void 0)) return void 0;
    return trace.ofLaw(likelihood2.law);
  }
  var Tracer = class {
    constructor(program, columns, parameter2) {
      this.program = program;
      this.columns = columns;
      this.parameter = parameter2;
    }
    program;
    columns;
    parameter;
    #found = /* @__PURE__ */ new Map();
    /** The element of each observation, if every one depends on exactly one. */
    ofLaw(law) {
      const out = new Int32Array(sizeOf(law.shape)).fill(-1);
      for (const id of law.args) {
        const one3 = this.of(id);
        if (one3 === "mixed") return void 0;
        if (one3 && !merge3(out, spread3(one3, this.program.nodes[id].shape, law.shape))) {
          return void 0;
        }
      }
      return out.every((element2) => element2 >= 0) ? out : void 0;
    }
    /** What a node depends on; found bottom-up so that deep graphs do not overflow the stack. */
    of(id) {
      for (const needed of neededNodes(this.program.nodes, [id])) {
        if (!this.#found.has(needed)) {
          this.#found.set(needed, this.#follow(this.program.nodes[needed]));
        }
      }
      return this.#found.get(id);
    }
    #follow(node) {
      if (node.kind === "parameter" && node.parameter === this.parameter) {
        return Int32Array.from({ length: sizeOf(node.shape) }, (_, i) => i);
      }
      const args = node.args.map((arg) => this.#found.get(arg));
      if (args.every((arg) => arg === void 0)) return void 0;
      if (args.includes("mixed")) return "mixed";
      switch (node.kind) {
        case "map":
          return this.#ofMap(node, args);
        case "reshape":
          return args[0];
        case "gather": {
          const from = args[0];
          return node.index.map((at) => at < 0 ? -1 : from[at]);
        }
        case "take":
          return this.#ofTake(node, args[0]);
        case "join":
          return this.#ofJoin(node, args);
        default:
          return "mixed";
      }
    }
    #ofMap(node, args) {
      const out = new Int32Array(sizeOf(node.shape)).fill(-1);
      for (const [k, arg] of args.entries()) {
        if (!arg) continue;
        const shape = this.program.nodes[node.args[k]].shape;
        if (!merge3(out, spread3(arg, shape, node.shape))) return "mixed";
      }
      return out;
    }
    #ofTake(node, from) {
      if (!from) return "mixed";
      const index = new Interpreter(this.program.nodes, this.columns, [node.args[1]]).value(node.args[1]).values;
      return Int32Array.from(index, (at) => from[at]);
    }
    #ofJoin(node, args) {
      const parts = args.map(
        (arg, k) => arg ?? new Int32Array(sizeOf(this.program.nodes[node.args[k]].shape)).fill(-1)
      );
      return Int32Array.from(parts.flatMap((part) => [...part]));
    }
  };
  function spread3(from, shape, to) {
    return broadcastIndex(shape, to).map((at) => from[at]);
  }
  function merge3(into, from) {
    for (let i = 0; i < into.length; i++) {
      if (from[i] < 0) continue;
      if (into[i] >= 0 && into[i] !== from[i]) return false;
      into[i] = from[i];
    }
    return true;
  }

  // src/score/units.ts
  function unitsOf(dataset, choice) {
    const group = dataset.columns.find(({ role }) => role === "group");
    const time = dataset.columns.find(({ role }) => role === "time");
    if (choice === "group") return group ? groupsOf(group) : noGroups(dataset);
    const structure = group ?? time;
    const undecided = choice === void 0 && structure !== void 0;
    return { unit: "row", diagnostics: undecided ? [undecidedWarning(structure)] : [] };
  }
  function groupsOf({ values }) {
    const ids = /* @__PURE__ */ new Map();
    const unitOfRow = Int32Array.from(values, (value) => {
      const known5 = ids.get(value);
      if (known5 === void 0) ids.set(value, ids.size);
      return known5 ?? ids.size - 1;
    });
    return { unit: "group", unitOfRow, diagnostics: [] };
  }
  function noGroups({ columns }) {
    return {
      unit: "group",
      diagnostics: [{
        code: "data/no-groups",
        severity: "error",
        message: 'Cannot leave groups out: no column of the data has the role "group"',
        hint: `give one of ${columns.map(({ name: name2 }) => name2).join(", ")} that role`
      }]
    };
  }
  function undecidedWarning({ name: name2, role }) {
    return {
      code: "loo/unit",
      severity: "warning",
      message: `The data have a ${role} column, "${name2}", but single rows are left out: that asks how well a row is predicted from its own ${role === "group" ? "group" : "future"}`,
      hint: role === "group" ? 'set unit = "group" to leave out whole groups, or unit = "row" if that is meant' : 'set unit = "row" if that is meant'
    };
  }

  // src/score/version.ts
  var engineVersion = "7";
  var engineName = "native";

  // src/score/fit.ts
  var maxCells3 = 2e7;
  function tooMany2(rows, cells) {
    return {
      code: "budget/rows",
      severity: "error",
      message: `Cannot cross-validate ${rows} rows: they and the draws make ${cells} likelihoods, more than ${maxCells3}`,
      hint: "score a sample of the rows, or fewer draws"
    };
  }
  function seedKey(program, dataset, schedule2) {
    return ["score", program.hash, dataset.digest, engineVersion, schedule2.seed];
  }
  function spellings(program, latent) {
    const other = nonCentred(program);
    if (!other) return [program];
    const ofRows = latent && new Set(latent.elementOfRow).size === latent.elementOfRow.length;
    return ofRows ? [other, program] : [program, other];
  }
  function prepare(program, dataset, schedule2) {
    const units = unitsOf(dataset, schedule2.unit);
    const refused = units.diagnostics.find(({ severity }) => severity === "error");
    if (refused) return { kind: "failure", diagnostic: refused };
    const latent = rowLatent(program, columnsOf2(dataset));
    const [compileFirst, other] = spellings(program, latent).map(
      (one3) => () => compileLogDensity(one3, dataset, { latent, unitOfRow: units.unitOfRow })
    );
    const first2 = compileFirst();
    const { chains, tune, draws, targetMcse } = schedule2;
    const cells = first2.observations * chains * draws;
    if (cells > maxCells3) {
      return { kind: "failure", diagnostic: tooMany2(first2.observations, cells) };
    }
    const settings = {
      ...{ chains, tune, draws, targetMcse, seedKey: seedKey(program, dataset, schedule2) },
      ...units.unitOfRow ? { unitOfRow: units.unitOfRow } : {}
    };
    return { units, first: first2, other, settings };
  }
  function* fitChecked(program, dataset, schedule2) {
    const prepared = prepare(program, dataset, schedule2);
    if ("kind" in prepared) return prepared;
    const { units, first: first2, other, settings } = prepared;
    const budget = { used: 0, limit: schedule2.maxGradients };
    const estimate = yield* elpdLoo(first2, settings, budget, other);
    if (estimate.kind !== "ok") {
      return { kind: "failure", diagnostic: failureDiagnostic(estimate, schedule2) };
    }
    return { kind: "fit", program, dataset, units, estimate };
  }
  function* withChains(fit, schedule2) {
    const { program, dataset, estimate } = fit;
    const sampled = estimate.sampled ?? (yield* chainsFor(fit, schedule2));
    if ("diagnostic" in sampled) return sampled;
    const latent = sampled.integrated ? rowLatent(program, columnsOf2(dataset)) : void 0;
    return { ...fit, sampled, ...latent ? { latent: latent.parameter } : {} };
  }
  function* chainsFor({ program, dataset }, schedule2) {
    const prepared = prepare(program, dataset, schedule2);
    if ("kind" in prepared) return prepared;
    const { first: first2, other, settings } = prepared;
    const budget = { used: 0, limit: schedule2.maxGradients };
    const found = yield* sampleForDraws(first2, settings, budget, other);
    return "kind" in found ? { kind: "failure", diagnostic: failureDiagnostic(found, schedule2) } : found;
  }

  // src/predict/checks.ts
  function looPit(observed, replicated, weights) {
    const n = observed.length;
    return observed.map((y, i) => {
      const w = weights(i);
      let below2 = 0;
      for (let s = 0; s < w.length; s++) {
        const value = replicated[s * n + i];
        if (value < y) below2 += w[s];
        else if (value === y) below2 += 0.5 * w[s];
      }
      return Math.min(1, below2);
    });
  }
  var statistics = {
    mean: meanOf,
    sd: (values) => {
      const mean = meanOf(values);
      let square4 = 0;
      for (const v of values) square4 += (v - mean) * (v - mean);
      return Math.sqrt(square4 / Math.max(1, values.length - 1));
    },
    min: (values) => values.reduce((a, b) => Math.min(a, b), Infinity),
    max: (values) => values.reduce((a, b) => Math.max(a, b), -Infinity)
  };
  var shareOfZeros = (values) => {
    let zeros = 0;
    for (const v of values) if (v === 0) zeros += 1;
    return zeros / values.length;
  };
  function meanOf(values) {
    let sum3 = 0;
    for (const v of values) sum3 += v;
    return sum3 / values.length;
  }
  function predictiveChecks(observed, replicated, discrete) {
    const chosen = discrete ? { ...statistics, zeros: shareOfZeros } : statistics;
    const entries2 = Object.entries(chosen).map(
      ([name2, statistic]) => [name2, check(observed, replicated, statistic)]
    );
    return Object.fromEntries(entries2);
  }
  function check(observed, replicated, statistic) {
    const n = observed.length;
    const draws = replicated.length / n;
    const wanted2 = statistic(observed);
    let above = 0;
    let sum3 = 0;
    for (let s = 0; s < draws; s++) {
      const value = statistic(replicated.subarray(s * n, (s + 1) * n));
      sum3 += value;
      above += value > wanted2 ? 1 : value === wanted2 ? 0.5 : 0;
    }
    return { observed: wanted2, predicted: sum3 / draws, p: above / draws };
  }

  // src/infer/standard_errors.ts
  function momentsOf2(values, chains) {
    const n = values.length;
    const mean = sumOf(values) / n;
    const squares2 = values.map((x) => (x - mean) * (x - mean));
    const total2 = sumOf(squares2);
    const variance = total2 / n;
    const sd = Math.sqrt(total2 / (n - 1));
    const fourth = sumOf(squares2.map((x) => x * x)) / n;
    const ofVariance = (fourth - variance * variance) / essMean(squares2, chains);
    return {
      mean,
      sd,
      mcseMean: sd / Math.sqrt(essMean(values, chains)),
      mcseSd: variance === 0 ? 0 : Math.sqrt(ofVariance / variance / 4)
    };
  }
  function sumOf(values) {
    let sum3 = 0;
    for (const value of values) sum3 += value;
    return sum3;
  }

  // src/score/summaries.ts
  function summarise({ density, chainSet }) {
    const { chains } = chainSet;
    const scalars = constrainedDraws(density, chainSet).map((draws) => summaryOf(draws, chains));
    const params = {};
    let at = 0;
    for (const { name: name2, shape } of density.quantityShapes ?? []) {
      const n = sizeOf(shape);
      params[name2] = joined4(scalars.slice(at, at + n), shape);
      at += n;
    }
    return params;
  }
  function constrainedDraws(density, set2) {
    const count = set2.chains * set2.draws;
    const row = new Float64Array(density.quantities.length);
    const columns = density.quantities.map(() => new Float64Array(count));
    for (let s = 0; s < count; s++) {
      density.constrain(set2.positions, s * set2.dimension, row, 0);
      columns.forEach((column, k) => column[s] = row[k]);
    }
    return columns;
  }
  function summaryOf(draws, chains) {
    const sorted2 = Float64Array.from(draws).sort();
    const { essBulk, essTail, rhat: rhat2 } = convergence(draws, chains);
    return {
      ...momentsOf2(draws, chains),
      q05: quantileOfSorted(sorted2, 0.05),
      q95: quantileOfSorted(sorted2, 0.95),
      ...narrowest(sorted2, 0.94),
      essBulk,
      essTail,
      rhat: rhat2
    };
  }
  function narrowest(sorted2, share2) {
    const inside = Math.floor(share2 * sorted2.length);
    let best = 0;
    for (let i = 1; i + inside < sorted2.length; i++) {
      if (sorted2[i + inside] - sorted2[i] < sorted2[best + inside] - sorted2[best]) best = i;
    }
    return { hdi03: sorted2[best], hdi97: sorted2[best + inside] };
  }
  function joined4(scalars, shape) {
    const each = (key) => scalars.map((one3) => one3[key]);
    return {
      mean: each("mean"),
      sd: each("sd"),
      mcseMean: each("mcseMean"),
      mcseSd: each("mcseSd"),
      q05: each("q05"),
      q95: each("q95"),
      hdi03: each("hdi03"),
      hdi97: each("hdi97"),
      essBulk: each("essBulk"),
      essTail: each("essTail"),
      rhat: each("rhat"),
      shape
    };
  }

  // src/score/predictive.ts
  function parameterDraws(fit) {
    const { density, chainSet } = fit.sampled;
    const columns = constrainedDraws(density, chainSet);
    let at = 0;
    const parameters = fit.program.parameters.map(({ shape }) => {
      const size = sizeOf(shape);
      const own = interleaved(columns.slice(at, at + size));
      at += size;
      return own;
    });
    return { draws: chainSet.chains * chainSet.draws, parameters };
  }
  function interleaved(columns) {
    const size = columns.length;
    const draws = columns[0]?.length ?? 0;
    const out = new Float64Array(size * draws);
    for (const [k, column] of columns.entries()) {
      for (let s = 0; s < draws; s++) out[s * size + k] = column[s];
    }
    return out;
  }
  function predictiveOf(fit) {
    const { program, dataset, estimate, sampled, units, latent } = fit;
    const response = dataset.columns.find(({ name: name2 }) => name2 === program.likelihood.column) ?? responseColumn(dataset);
    const posterior = parameterDraws(fit);
    const key = ["checks", program.hash, dataset.digest];
    const replicated = replicate(program, dataset, posterior, { key });
    const discrete = families[program.likelihood.law.family].discrete;
    const checks = predictiveChecks(response.values, replicated, discrete);
    const scalar = estimate.elpdPointwise.length === response.values.length;
    const factorises = sampled.density.factorises !== false;
    if (units.unit === "group" || !scalar || !factorises) return { looPit: [], checks };
    const loose = latent === void 0 ? replicated : replicate(program, dataset, posterior, { key: [...key, "loo"], redraw: latent });
    const pit = looPit(response.values, loose, (i) => sampled.psis.weights(i));
    return { looPit: [...pit], checks };
  }

  // src/score/holdout.ts
  function elpdOfHoldout(fit) {
    const { program, dataset } = fit;
    const { holdout } = dataset;
    const { column, law } = program.likelihood;
    if (!holdout || eventRankOf(law) > 0 || law.shape.length !== 1) return void 0;
    const response = holdout.columns.find(({ name: name2 }) => name2 === column);
    const pointwise = pointwiseAt(fit, holdout.rows, response.values);
    if (!pointwise) return void 0;
    const total2 = pointwise.reduce((sum3, one3) => sum3 + one3, 0);
    return capDensity(pointwise, total2, response.resolution).total;
  }
  function pointwiseAt(fit, rows, response) {
    const { program, dataset } = fit;
    const training = columnsOf2(dataset);
    let graph;
    try {
      graph = graphForRows(program, training, dataset.rows, rows);
    } catch (error2) {
      if (error2 instanceof InputError) return void 0;
      throw error2;
    }
    const columns = new Map(dataset.holdout.columns.map(({ name: name2, values }) => [name2, values]));
    const interpreter = new Interpreter(graph.nodes, columns, nodesOfLaw(graph.law));
    const density = new Density(graph.law, graph.nodes.map(({ shape }) => shape), response);
    const { draws, parameters } = parameterDraws(fit);
    const logs = Array.from({ length: rows }, () => new Float64Array(draws));
    for (let s = 0; s < draws; s++) {
      for (const [k, { shape }] of program.parameters.entries()) {
        const size = sizeOf(shape);
        interpreter.setParameter(k, parameters[k].subarray(s * size, (s + 1) * size));
      }
      interpreter.run();
      const own = density.at((id) => interpreter.value(id).values);
      for (let i = 0; i < rows; i++) logs[i][s] = own[i];
    }
    return Float64Array.from(logs, (own) => logSumExp2(own) - log(draws));
  }
  var Density = class {
    #ids;
    #interpreter;
    #density;
    constructor(law, shapes, response) {
      const g = new GraphBuilder();
      this.#ids = [...new Set(nodesOfLaw(law))];
      const placed = new Map(this.#ids.map((id, k) => [id, g.parameter(k, shapes[id])]));
      const own = place2(law, placed);
      const value = g.array(response, law.shape);
      this.#density = g.broadcast(families[law.family].logDensity(g, value, own), law.shape);
      this.#interpreter = new Interpreter(g.nodes, /* @__PURE__ */ new Map(), [this.#density]);
    }
    at(valuesOf2) {
      for (const [k, id] of this.#ids.entries()) this.#interpreter.setParameter(k, valuesOf2(id));
      this.#interpreter.run();
      return this.#interpreter.value(this.#density).values;
    }
  };
  function place2(law, placed) {
    const args = law.args.map((id) => placed.get(id));
    const components2 = law.components?.map((one3) => place2(one3, placed));
    return { ...law, args, ...components2 && { components: components2 } };
  }

  // src/score/score.ts
  function* scoreProgram(source, dataset, schedule2, options = {}) {
    const checked = checkProgram(source, dataset, options.file);
    if (!checked.ok) return rejectedExecution(checked.diagnostics);
    return yield* scoreChecked(checked.program, dataset, schedule2, options);
  }
  function* scoreChecked(program, dataset, schedule2, options = {}) {
    const fit = yield* fitChecked(program, dataset, schedule2);
    if (fit.kind === "failure") return unfitExecution(program, fit.diagnostic);
    if (!options.summaries && !dataset.holdout) return executionOf(fit, schedule2);
    const sampled = yield* withChains(fit, schedule2);
    if (sampled.kind === "fit") return executionOf(sampled, schedule2, options);
    const execution = executionOf(fit, schedule2);
    return { ...execution, diagnostics: [...execution.diagnostics, withoutDraws(sampled)] };
  }
  function withoutDraws({ diagnostic }) {
    const message = `No draws to summarise or to predict withheld rows with: ${diagnostic.message}`;
    return { ...diagnostic, severity: "warning", message };
  }
  function executionOf(fit, schedule2, options = {}) {
    const { program, units } = fit;
    return {
      status: "ok",
      engine: engineName,
      engineVersion,
      programHash: program.hash,
      score: scoreOf(fit, schedule2, options.summaries ?? false),
      diagnostics: [...program.diagnostics, ...units.diagnostics, ...leftOver2(fit)]
    };
  }
  function rejectedExecution(diagnostics) {
    return {
      status: "rejected",
      failureClass: classOfDiagnostics(diagnostics),
      engine: engineName,
      engineVersion,
      diagnostics
    };
  }
  function unfitExecution(program, diagnostic) {
    return {
      status: "error",
      failureClass: classOfDiagnostics([diagnostic]),
      engine: engineName,
      engineVersion,
      programHash: program.hash,
      diagnostics: [...program.diagnostics, diagnostic]
    };
  }
  function leftOver2({ estimate, units }) {
    const n = estimate.unresolved.length;
    if (n === 0) return [];
    const message = `The Pareto k of ${n} ${units.unit}${n === 1 ? "" : "s"} exceeds ${estimate.goodK.toFixed(2)}, and the budget has no room to refit without them`;
    const hint = "raise max_gradients, or take their part of the estimate with care";
    return [{ code: "loo/pareto-k", severity: "warning", message, hint }];
  }
  function scoreOf(fit, schedule2, summaries) {
    const { program, dataset, estimate, units } = fit;
    const sampled = "sampled" in fit ? fit : void 0;
    const column = dataset.columns.find(({ name: name2 }) => name2 === program.likelihood.column);
    const rows = rowsPerUnit(units.unitOfRow);
    const { elpdPointwise, elpdLoo: elpdLoo2 } = estimate;
    const capped = capDensity(elpdPointwise, elpdLoo2, column?.resolution, (i) => rows?.[i] ?? 1);
    return {
      elpdLoo: elpdLoo2,
      elpdReward: capped.total,
      ...sampled ? heldOut(sampled) : {},
      elpdRaw: estimate.elpdRaw,
      looMethod: estimate.method,
      unit: units.unit,
      se: estimate.se,
      pLoo: estimate.pLoo,
      mcse: estimate.mcse,
      elpdPointwise: [...elpdPointwise],
      paretoK: [...estimate.paretoK],
      goodK: estimate.goodK,
      exactRefits: estimate.exactRefits,
      unresolved: estimate.unresolved,
      cappedPoints: capped.cappedPoints,
      gradients: estimate.gradients,
      ...diagnosticsOf(estimate),
      chains: schedule2.chains,
      tune: schedule2.tune,
      draws: estimate.draws,
      params: summaries && sampled ? summarise(sampled.sampled) : {},
      ...summaries && sampled ? { predictive: predictiveOf(sampled) } : {}
    };
  }
  function diagnosticsOf({ sampled }) {
    if (!sampled) return {};
    const { rhatMax, essBulkMin, divergences } = sampled;
    return { rhatMax, essBulkMin, divergences };
  }
  function heldOut(fit) {
    const elpdHoldout = elpdOfHoldout(fit);
    return elpdHoldout === void 0 || !Number.isFinite(elpdHoldout) ? {} : { elpdHoldout };
  }
  function rowsPerUnit(unitOfRow) {
    if (!unitOfRow) return void 0;
    const rows = [];
    for (const u of unitOfRow) rows[u] = (rows[u] ?? 0) + 1;
    return rows;
  }

  // src/pymc/graph_reader.ts
  var GraphReader = class {
    constructor(nodes, graph, dataset, parameter2) {
      this.nodes = nodes;
      this.graph = graph;
      this.parameter = parameter2;
      this.#columns = dataset.columns.filter(({ role }) => role !== "response");
    }
    nodes;
    graph;
    parameter;
    #known = /* @__PURE__ */ new Map();
    #columns;
    /** The engine's node for an extracted one. */
    node(index) {
      if (!this.#known.has(index)) this.#known.set(index, this.#make(this.nodes[index]));
      return this.#known.get(index);
    }
    #make(node) {
      if (node.op === "parameter") return this.parameter(node.parameter);
      if (node.op === "constant") return this.#constant(node.values, node.shape);
      const args = [];
      for (const index of node.args) {
        const arg = this.node(index);
        if (arg === void 0) return void 0;
        args.push(arg);
      }
      return this.#operation(node, args);
    }
    /** Numbers that are those of a predictor are the predictor, as in the native language. */
    #constant(values, shape) {
      const same = shape.length > 0 && this.#columns.find(
        (column) => sameShape(column.shape ?? [column.values.length], shape) && column.values.every((value, i) => Object.is(value, values[i]))
      );
      return same ? this.graph.column(same.name, shape) : this.graph.array(values, shape);
    }
    #operation(node, args) {
      const { graph: g } = this;
      const { op, shape } = node;
      switch (op) {
        case "gather":
          return this.#gather(args[0], node.index, shape);
        case "reshape":
          return g.reshape(args[0], shape);
        case "join":
          return g.join(args, shape);
        case "sum":
        case "prod":
        case "max":
        case "min":
          return g.reduce(op, args[0], node.axes);
        case "cumsum":
        case "cumprod":
          return g.scan(op, args[0], node.axis);
        case "softmax":
        case "log_softmax":
          return this.#softmax(op, args[0], node.axis);
        case "matmul":
          return g.matmul(args[0], args[1]);
        case "cholesky":
          return g.cholesky(args[0]);
        case "solve":
          return g.solve(args[0], args[1], node.transposed);
        default:
          return this.#map(op, args);
      }
    }
    /** An index that is a column of codes stays the column, so that new rows can be predicted. */
    #gather(x, index, shape) {
      const { graph: g } = this;
      const code2 = g.shapeOf(x).length === 1 && shape.length === 1 ? this.#columns.find(
        ({ values }) => values.length === index.length && values.every((value, i) => value === index[i])
      ) : void 0;
      const identity = index.every((at, i) => at === i);
      return code2 && !identity ? g.take(x, g.column(code2.name, shape)) : g.gather(x, index, shape);
    }
    #softmax(op, x, axis) {
      const { graph: g } = this;
      const kept2 = g.shapeOf(x).map((extent, i) => i === axis ? 1 : extent);
      const top = g.reshape(g.reduce("max", x, [axis]), kept2);
      const shifted = g.sub(x, top);
      const total2 = g.reshape(g.sum(g.exp(shifted), [axis]), kept2);
      return op === "softmax" ? g.div(g.exp(shifted), total2) : g.sub(shifted, g.log(total2));
    }
    /** PyTensor spells broadcasting out; the builder takes what it adds away again. */
    #map(op, args) {
      if (args.length === 1) return this.graph.map(op, args[0]);
      if (args.length === 2) return this.graph.map(op, args[0], args[1]);
      return this.graph.map("where", args[0], args[1], args[2]);
    }
  };

  // src/pymc/transform_value.ts
  var asked = {
    Ordered: "ordered",
    SimplexTransform: "simplex",
    LogTransform: "log",
    LogOddsTransform: "logodds",
    CircularTransform: "circular"
  };
  var defaults = {
    SimplexTransform: ["Dirichlet"],
    CircularTransform: ["VonMises"]
  };
  function transformValue(family, transform, place3) {
    const name2 = transform === null ? void 0 : asked[transform];
    const own = defaults[transform ?? ""]?.includes(family) ?? (name2 === "log" || name2 === "logodds");
    if (name2 === void 0 || own) return /* @__PURE__ */ new Map();
    return /* @__PURE__ */ new Map([["transform", { value: { kind: "transform", name: name2 }, place: place3 }]]);
  }

  // src/pymc/to_program.ts
  function checkExtraction(extraction, dataset, file2 = "program.py") {
    return new ExtractionCheck(extraction, dataset, file2).result();
  }
  var unknown = invalid;
  var ExtractionCheck = class {
    constructor(extraction, dataset, file2) {
      this.extraction = extraction;
      const { text, places: places2 } = listing(extraction);
      this.#places = places2;
      this.#checking = new Checking(new Source(text, file2), dataset);
      this.#checking.inModel = true;
      this.#checking.modelPlace = { start: 0, end: 0 };
      this.#checking.observedSeen = true;
      const parameter2 = (index) => this.#parameter(index);
      this.#graph = new GraphReader(extraction.nodes, this.#checking.graph, dataset, parameter2);
    }
    extraction;
    #checking;
    #graph;
    #places;
    #parameters = [];
    result() {
      const { parameters, likelihood: likelihood2, deterministics } = this.extraction;
      parameters.forEach((_, index) => this.#parameter(index));
      const place3 = this.#places[parameters.length];
      const observed = { value: { kind: "response" }, place: place3.callee };
      this.#variable(likelihood2.name, likelihood2.law, place3, /* @__PURE__ */ new Map([["observed", observed]]));
      for (const { name: name2, node } of deterministics) this.#deterministic(name2, node);
      this.#refuseMemory(place3.callee);
      return finish(this.#checking);
    }
    /** By then text, strings and loops have become constants: none of them may be the response. */
    #refuseMemory(place3) {
      const constants3 = this.#checking.graph.nodes.filter((node) => node.kind === "constant");
      const lists = constants3.map(({ values }) => [...values]).filter(({ length: length2 }) => length2 > 1);
      const numbers2 = [...constants3].flatMap(({ values }) => [...values]);
      if (memoryIn(this.#checking, { numbers: numbers2, lists })) refuseMemory(this.#checking, place3);
    }
    /** The node of a parameter; its law is checked when it is first asked for. */
    #parameter(index) {
      if (index in this.#parameters) return this.#parameters[index];
      this.#parameters[index] = void 0;
      const { name: name2, law, transform } = this.extraction.parameters[index];
      const place3 = this.#places[index];
      const options = transformValue(law.pymc, transform, place3.callee);
      const value = this.#variable(name2, law, place3, options);
      const node = value.kind === "sequence" ? this.#checking.named.get(name2) : value;
      const found = node?.kind === "numeric" ? node.node : void 0;
      this.#parameters[index] = found;
      return found;
    }
    #variable(name2, law, place3, options) {
      const named2 = { value: { kind: "text", value: name2 }, place: place3.callee };
      const args = this.#arguments(law, place3, options, named2);
      const family = familyOf(law.pymc);
      if (!family) return this.#unknownFamily(law, place3);
      return args ? variableOf2(this.#checking, args, family, options.has("observed")) : unknown;
    }
    #unknownFamily(law, { callee }) {
      const message = `Cannot use pm.${law.pymc}: it is not in the engine's language`;
      return this.#checking.error("unsupported/distribution", message, callee);
    }
    #arguments(law, place3, options, name2) {
      const given2 = (argument2) => ({
        value: this.#value(argument2, place3),
        place: place3.callee
      });
      const positional = [...name2 ? [name2] : [], ...law.args.map(given2)];
      const keywords2 = new Map(Object.entries(law.kwargs).map(([key, one3]) => [key, given2(one3)]));
      for (const [key, option] of options) keywords2.set(key, option);
      if (!options.has("observed")) keywords2.set("shape", this.#shape(law.shape, place3));
      const values = [...positional, ...keywords2.values()];
      if (values.some(({ value }) => value.kind === "invalid")) return void 0;
      return { call: place3.call, positional, keywords: keywords2 };
    }
    #shape(shape, { callee }) {
      const items = shape.map((extent) => this.#number(this.#checking.graph.scalar(extent), "int"));
      return { value: { kind: "sequence", form: "tuple", items }, place: callee };
    }
    #number(node, dtype) {
      return { kind: "numeric", node, dtype, origin: "numpy" };
    }
    #value(argument2, place3) {
      switch (argument2.kind) {
        case "none":
          return none;
        case "text":
          return { kind: "text", value: argument2.value };
        case "boolean":
          return this.#number(this.#checking.graph.scalar(argument2.value ? 1 : 0), "int");
        case "list":
          return {
            kind: "sequence",
            form: "list",
            items: argument2.items.map((one3) => this.#value(one3, place3))
          };
        case "law":
          return this.#law(argument2.law, place3);
        case "node": {
          const node = this.#graph.node(argument2.node);
          if (node === void 0) return unknown;
          return this.#number(node, this.#isWhole(node) ? "int" : "float");
        }
      }
    }
    #isWhole(node) {
      const known5 = this.#checking.graph.valueOf(node);
      return known5 !== void 0 && known5.values.every(Number.isInteger);
    }
    #law(law, place3) {
      const family = familyOf(law.pymc);
      if (!family) return this.#unknownFamily(law, place3);
      const args = this.#arguments(law, place3, /* @__PURE__ */ new Map());
      return args ? lawValue(this.#checking, args, family) : unknown;
    }
    #deterministic(name2, index) {
      const node = this.#graph.node(index);
      if (node === void 0 || name2.endsWith("_corr") || name2.endsWith("_stds")) return;
      if (declareVariable(this.#checking, name2, { start: 0, end: 0 })) {
        this.#checking.deterministics.push({ name: name2, node });
      }
    }
  };
  function listing({ parameters, likelihood: likelihood2 }) {
    let text = "";
    const places2 = [...parameters, likelihood2].map(({ name: name2, law }) => {
      text += `${name2} = `;
      const start = text.length;
      text += `pm.${law.pymc}`;
      const callee = { kind: "name", id: `pm.${law.pymc}`, start, end: text.length };
      text += `(...)
`;
      const call2 = { kind: "call", callee, arguments: [], start, end: text.length - 1 };
      return { call: call2, callee };
    });
    return { text, places: places2 };
  }

  // src/pymc/read_extraction.ts
  var extractionLimits = {
    /** Nodes of one model. */
    nodes: 5e4,
    /** Elements of one array. */
    elements: 4e6,
    /** Axes of one array. */
    axes: 8,
    /** Free random variables. */
    parameters: 1e3,
    /** Characters of a name. */
    name: 256,
    /** Laws inside one another. */
    depth: 4
  };
  var Violation = class extends Error {
  };
  function demand(condition2, what) {
    if (!condition2) throw new Violation(what);
  }
  function readExtraction(printed) {
    try {
      const fields = record2(printed, "the extraction");
      demand(fields.format === 1, "format is not 1");
      if (fields.unsupported !== void 0) {
        return { kind: "unsupported", construct: name(fields.unsupported) };
      }
      return { kind: "model", extraction: readModel(fields) };
    } catch (error2) {
      if (error2 instanceof Violation) return { kind: "violation", what: error2.message };
      throw error2;
    }
  }
  function readModel(fields) {
    const listed = list(fields.nodes, "nodes", extractionLimits.nodes);
    const parameters = list(fields.parameters, "parameters", extractionLimits.parameters);
    const nodes = [];
    for (const one3 of listed) nodes.push(readNode(record2(one3, "a node"), nodes, parameters.length));
    const likelihood2 = record2(fields.likelihood, "likelihood");
    const extraction = {
      nodes,
      parameters: parameters.map((one3) => readParameter(record2(one3, "a parameter"), nodes)),
      likelihood: {
        name: name(likelihood2.name),
        law: readLaw(likelihood2.law, nodes, 0),
        value: numbers(likelihood2.value)
      },
      deterministics: list(fields.deterministics, "deterministics", extractionLimits.parameters).map((one3) => readDeterministic(record2(one3, "a deterministic"), nodes))
    };
    checkParameterShapes(extraction);
    return extraction;
  }
  function checkParameterShapes({ nodes, parameters }) {
    for (const { op, parameter: parameter2, shape } of nodes) {
      if (op !== "parameter") continue;
      const law = parameters[parameter2 ?? -1]?.law;
      demand(law !== void 0 && sameShape(law.shape, shape), "a parameter of another shape");
    }
  }
  function readParameter(fields, nodes) {
    const { transform } = fields;
    return {
      name: name(fields.name),
      law: readLaw(fields.law, nodes, 0),
      transform: transform === null ? null : name(transform),
      dims: dimensions(fields.dims)
    };
  }
  function readDeterministic(fields, nodes) {
    return {
      name: name(fields.name),
      node: nodeIndex(fields.node, nodes.length),
      dims: dimensions(fields.dims)
    };
  }
  function readLaw(value, nodes, depth) {
    demand(depth <= extractionLimits.depth, "laws nested too deeply");
    const fields = record2(value, "a law");
    const argument2 = (one3) => readArgument(one3, nodes, depth);
    const kwargs = Object.entries(record2(fields.kwargs, "keywords"));
    demand(kwargs.length <= 32, "too many keywords");
    return {
      pymc: name(fields.pymc),
      args: list(fields.args, "arguments", 32).map(argument2),
      kwargs: Object.fromEntries(kwargs.map(([key, one3]) => [name(key), argument2(one3)])),
      shape: shapeOf2(fields.shape)
    };
  }
  function readArgument(value, nodes, depth) {
    const fields = record2(value, "an argument");
    switch (fields.kind) {
      case "none":
        return { kind: "none" };
      case "boolean":
        demand(typeof fields.value === "boolean", "a boolean that is none");
        return { kind: "boolean", value: fields.value };
      case "text":
        return { kind: "text", value: name(fields.value) };
      case "node":
        return { kind: "node", node: nodeIndex(fields.node, nodes.length) };
      case "law":
        return { kind: "law", law: readLaw(fields.law, nodes, depth + 1) };
      case "list": {
        const items = list(fields.items, "items", 256);
        return { kind: "list", items: items.map((one3) => readArgument(one3, nodes, depth + 1)) };
      }
      default:
        throw new Violation("an argument of unknown kind");
    }
  }
  var mapArity = new Map([
    ...unaryOps.map((op) => [op, 1]),
    ...binaryOps.map((op) => [op, 2]),
    ...ternaryOps.map((op) => [op, 3])
  ]);
  function readNode(fields, before, parameters) {
    const op = name(fields.op);
    const args = list(fields.args, "arguments", 4096).map((at) => nodeIndex(at, before.length));
    const shape = shapeOf2(fields.shape);
    const shapes = args.map((at) => before[at].shape);
    const arity = mapArity.get(op);
    if (arity === void 0) return readSpecialNode(op, fields, args, shapes, shape, parameters);
    demand(args.length === arity, `${op} with ${args.length} arguments`);
    const joint = broadcastShapes(...shapes);
    demand(joint !== void 0 && sameShape(joint, shape), `${op} of a wrong shape`);
    return { op, args, shape };
  }
  function readSpecialNode(op, fields, args, shapes, shape, parameters) {
    const size = sizeOf(shape);
    const count = (wanted2) => demand(args.length === wanted2, `${op} with other arguments`);
    switch (op) {
      case "constant": {
        count(0);
        const values = numbers(fields.values);
        demand(values.length === size, "a constant of another size than its shape");
        return { op, args, shape, values };
      }
      case "parameter":
        count(0);
        return { op, args, shape, parameter: whole(fields.parameter, 0, parameters - 1) };
      case "gather": {
        count(1);
        const index = list(fields.index, "index", extractionLimits.elements);
        demand(index.length === size, "an index of another size than its shape");
        const last = sizeOf(shapes[0]) - 1;
        return { op, args, shape, index: Int32Array.from(index, (at) => whole(at, -1, last)) };
      }
      case "reshape":
        count(1);
        demand(sizeOf(shapes[0]) === size, "a reshape to another size");
        return { op, args, shape };
      case "join":
        demand(args.length > 0 && shapes.reduce((sum3, s) => sum3 + sizeOf(s), 0) === size, "a join");
        return { op, args, shape };
      default:
        count(op === "matmul" || op === "solve" ? 2 : 1);
        return readShapedNode(op, fields, args, shapes, shape);
    }
  }
  function readShapedNode(op, fields, args, [first2, second2], shape) {
    const wanted2 = (right) => demand(sameShape(shape, right), `${op} of a wrong shape`);
    const square4 = () => demand(first2.length === 2 && first2[0] === first2[1], `${op} of no square`);
    switch (op) {
      case "sum":
      case "prod":
      case "max":
      case "min": {
        const axes = list(fields.axes, "axes", first2.length).map(
          (a) => whole(a, 0, first2.length - 1)
        );
        demand(axes.length > 0 && axes.every((a, i) => i === 0 || a > axes[i - 1]), "axes");
        wanted2(first2.filter((_, i) => !axes.includes(i)));
        return { op, args, shape, axes };
      }
      case "cumsum":
      case "cumprod":
      case "softmax":
      case "log_softmax":
        wanted2(first2);
        return { op, args, shape, axis: whole(fields.axis, 0, first2.length - 1) };
      case "cholesky":
        square4();
        wanted2(first2);
        return { op, args, shape };
      case "solve":
        square4();
        demand(second2.length === 2 && second2[0] === first2[0], "a solve of wrong shapes");
        demand(typeof fields.transposed === "boolean", "a solve without a direction");
        wanted2(second2);
        return { op, args, shape, transposed: fields.transposed };
      case "matmul":
        demand(first2.length === 2 && second2.length === 2 && first2[1] === second2[0], "a matmul");
        wanted2([first2[0], second2[1]]);
        return { op, args, shape };
      default:
        throw new Violation(`an operation that does not exist: ${op}`);
    }
  }
  function record2(value, what) {
    demand(
      typeof value === "object" && value !== null && !Array.isArray(value),
      `${what}: no object`
    );
    return value;
  }
  function list(value, what, most2) {
    demand(Array.isArray(value), `${what}: no list`);
    demand(value.length <= most2, `${what}: more than ${most2}`);
    return value;
  }
  function whole(value, least2, most2) {
    demand(Number.isSafeInteger(value), "a whole number is wanted");
    demand(value >= least2 && value <= most2, "a number out of range");
    return value;
  }
  function nodeIndex(value, count) {
    return whole(value, 0, count - 1);
  }
  function name(value) {
    demand(typeof value === "string" && value.length <= extractionLimits.name, "a name is wanted");
    return value;
  }
  function dimensions(value) {
    return list(value, "dims", extractionLimits.axes).map((one3) => one3 === null ? null : name(one3));
  }
  function shapeOf2(value) {
    const shape = list(value, "a shape", extractionLimits.axes).map((extent) => whole(extent, 0, extractionLimits.elements));
    demand(sizeOf(shape) <= extractionLimits.elements, "an array that is too large");
    return shape;
  }
  var spelled = { inf: Infinity, "-inf": -Infinity, nan: NaN };
  function numbers(value) {
    return Float64Array.from(list(value, "values", extractionLimits.elements), number2);
  }
  function number2(value) {
    if (typeof value === "string" && value in spelled) return spelled[value];
    demand(typeof value === "number", "a number is wanted");
    return value;
  }

  // src/score/score_graph.ts
  function* scoreGraph(graph, dataset, schedule2, options = {}) {
    const read = readExtraction(graph);
    if (read.kind !== "model") {
      const what = read.kind === "unsupported" ? read.construct : `its graph is broken: ${read.what}`;
      return rejectedExecution([unsupported2(what)]);
    }
    const checked = checkExtraction(read.extraction, dataset, options.file);
    if (!checked.ok) return rejectedExecution(checked.diagnostics);
    return yield* scoreChecked(checked.program, dataset, schedule2, options);
  }
  function unsupported2(what) {
    const message = `Cannot score the program: ${what}`;
    return { code: "unsupported/pymc-graph", severity: "error", message };
  }

  // src/exec/messages.ts
  var launchedArgument = "launched";
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
    constructor(to) {
      this.#writer = "getWriter" in to ? to.getWriter() : to;
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
    #filling;
    #fault;
    constructor(from, caps = defaultFrameCaps) {
      this.#reader = "getReader" in from ? from.getReader() : from;
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
    /** True if more has come already than the frames that were read. */
    get ahead() {
      return this.#buffered > 0;
    }
    /** Waits, while nobody reads, until anything comes: a byte or the end. It stays to be read. */
    async arrival() {
      if (!this.#fault && this.#buffered === 0) await this.#fill();
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
        const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
        const json = JSON.parse(text.decode(bytes.subarray(0, jsonLength)));
        const frame2 = hasPayload ? { json, payload: bytes.slice(jsonLength) } : { json };
        return { kind: "frame", frame: frame2 };
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
    async #take(length2) {
      while (this.#buffered < length2) {
        if (!await this.#fill()) return void 0;
      }
      return this.#drop(length2);
    }
    /** The chunk that is waited for already, or the next one; false at the end. */
    #fill() {
      return this.#filling ??= this.#nextChunk().finally(() => this.#filling = void 0);
    }
    async #nextChunk() {
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
    #peek(length2) {
      const first2 = this.#chunks[0];
      if (first2 === void 0) return new Uint8Array(0);
      if (first2.length >= length2 || this.#chunks.length === 1) return first2.subarray(0, length2);
      return this.#join().subarray(0, length2);
    }
    #drop(length2) {
      const all = this.#chunks[0]?.length >= length2 ? this.#chunks[0] : this.#join();
      this.#buffered -= length2;
      if (all.length > length2) this.#chunks[0] = all.subarray(length2);
      else this.#chunks.shift();
      return all.subarray(0, length2);
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
  async function probe(launched) {
    const attempts2 = {
      read: () => Deno.readDirSync("/").next(),
      write: () => Deno.writeFileSync("sluice-probe", new Uint8Array(0), { createNew: true }),
      net: () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
      run: launched ? askToRun : () => new Deno.Command("/sluice-probe").outputSync(),
      env: () => Deno.env.get("HOME"),
      sys: () => Deno.hostname(),
      codegen: () => (0, globalThis.eval)("1")
    };
    const found = {};
    for (const [name2, attempt] of Object.entries(attempts2)) {
      found[name2] = await isDenied(attempt) ? "denied" : "open";
    }
    return found;
  }
  function askToRun() {
    const { state } = Deno.permissions.querySync({ name: "run" });
    if (state === "denied") throw new Deno.errors.NotCapable("run");
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
    for (const name2 of Object.getOwnPropertyNames(globalThis)) {
      if (kept.has(name2)) continue;
      if (!Reflect.deleteProperty(global, name2)) Reflect.set(global, name2, void 0);
    }
    for (const value of [Object, Array, Function, Promise, Map, Set, RegExp, JSON, Math, Reflect]) {
      Object.freeze(value);
      if ("prototype" in value) Object.freeze(value.prototype);
    }
  }

  // src/exec/worker_pipes.ts
  var chunkBytes = 64 << 10;
  function inputOf(pipe) {
    return {
      read: async () => {
        const buffer = new Uint8Array(chunkBytes);
        const length2 = await pipe.read(buffer);
        return length2 === null ? { value: void 0, done: true } : { value: buffer.subarray(0, length2), done: false };
      },
      cancel: async () => {
      }
      // a worker reads until it ends
    };
  }
  function outputOf(pipe) {
    return {
      write: async (bytes = new Uint8Array(0)) => {
        for (let at = 0; at < bytes.length; ) at += await pipe.write(bytes.subarray(at));
      },
      close: async () => {
      }
      // closed by the end of the worker
    };
  }

  // src/exec/worker_serve.ts
  var lookUpEvery = 25;
  async function serve(score) {
    const { args, exit, stdin, stdout, version, memoryUsage } = Deno;
    const cpuMicros = cpuClock();
    Deno.addSignalListener("SIGINT", () => {
    });
    await void 0;
    const writer = new FrameWriter(outputOf(stdout));
    const frames = queueFrames(inputOf(stdin), () => exit(0));
    const probes = await probe(args.includes(launchedArgument));
    await writer.write({ kind: "hello", denoVersion: version.deno, probes });
    lockDown();
    const setup = await frames();
    const dataset = datasetFromJson(setup.dataset);
    for (; ; ) {
      const job = await frames();
      const before = cpuMicros();
      const overdue = () => (cpuMicros() - before) / 1e3 > setup.cpuMs;
      const answer = await runJob(() => score(job, dataset, setup.schedule), overdue);
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
  var { stderr } = Deno;
  var nothing = new Uint8Array(0);
  async function macrotask() {
    await stderr.write(nothing);
  }
  function queueFrames(input, onEnd) {
    const reader2 = new FrameReader(input, workerInputCaps);
    const waiting = [];
    let wake = () => {
    };
    const pump = async () => {
      for (; ; ) {
        const read = await reader2.read();
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
  serve(
    ({ program, graph }, dataset, schedule2) => graph === void 0 ? scoreProgram(program, dataset, schedule2) : scoreGraph(graph, dataset, schedule2)
  );
})();
