// Functions that give the same bits in every engine, by + − × ÷ alone: the standard does not define how `Math.exp` and `**` round.

/** ln 2 as the sum of a number with few bits, whose small multiples are exact, and a remainder. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** 1 / k! from k = 13 down to 0: enough for 53 bits where |r| ≤ ln 2 / 2. */
const TERMS = seriesTerms(13);
/** 2ⁿ from n = −1074 to 1023. */
const LEAST_POWER = -1074;
const POWERS = powersOfTwo();
/** The logarithm of the least power; below it eˣ is taken as 0. */
const LEAST = LEAST_POWER * Math.LN2;

/** eˣ = 2ⁿ eʳ, where n is whole and |r| ≤ ln 2 / 2: eʳ by its Taylor series. */
export function exponential(x: number): number {
  if (x < LEAST) return 0;
  if (x > 709) return Number.POSITIVE_INFINITY;
  const n = Math.round(x * Math.LOG2E);
  const r = x - n * LN2_HIGH - n * LN2_LOW;
  let series = 0;
  for (let k = 0; k < TERMS.length; k++) series = series * r + TERMS[k];
  return series * POWERS[n - LEAST_POWER];
}

/** (e²ˣ − 1) / (e²ˣ + 1) */
export const tanh = (x: number): number => 1 - 2 / (exponential(2 * x) + 1);

/** ln x, by Halley's iteration, which triples the right digits each time; as `Math.log` where x is no positive number. */
export function logarithm(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x > 0 ? x : Number.NaN;
  let power = 0;
  let rest = x;
  for (; rest >= 2; rest /= 2) power++;
  for (; rest < 1; rest *= 2) power--;
  let log = (2 * (rest - 1)) / (rest + 1);
  for (let i = 0; i < 3; i++) {
    const guess = exponential(log);
    log += (2 * (rest - guess)) / (rest + guess);
  }
  return log + power * Math.LN2;
}

/** baseⁿ for a whole n from 0 on, by squaring. */
export function wholePower(base: number, n: number): number {
  let [power, square] = [1, base];
  for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power *= square;
    square *= square;
  }
  return power;
}

function seriesTerms(degree: number): Float64Array {
  const terms = new Float64Array(degree + 1);
  let factorial = 1;
  for (let k = 0; k <= degree; k++) {
    if (k > 0) factorial *= k;
    terms[degree - k] = 1 / factorial;
  }
  return terms;
}

function powersOfTwo(): Float64Array {
  const powers = new Float64Array(1023 - LEAST_POWER + 1);
  powers[-LEAST_POWER] = 1;
  for (let i = -LEAST_POWER + 1; i < powers.length; i++) powers[i] = 2 * powers[i - 1];
  for (let i = -LEAST_POWER - 1; i >= 0; i--) powers[i] = powers[i + 1] / 2;
  return powers;
}
