// AssemblyScript: skip-gram with negative sampling (Mikolov et al. 2013) over words that are sums of subwords (Bojanowski et
// al. 2017). Every thread runs `learn` over the same words with the same draws, and owns some of the dimensions: dot products
// are sums over the lanes of all threads, in the order of lanes, so that the number of threads changes no bit.

import { field, sigmoid, sums } from '../../network/assembly/vectors.ts';
import { FLOAT, VECTOR } from '../../network/layout.ts';
import { BATCH, LANES, LINE_END, SkipGramFields } from '../layout.ts';
import { meet } from './barrier.ts';
import { below, draw, startDraws } from './draws.ts';

// The struct's fields, read once a call.
let words: usize = 0;
let keep: usize = 0;
let aliases: usize = 0;
let vocabulary: u32 = 0;
let rowStarts: usize = 0;
let rows: usize = 0;
let window: i32 = 0;
let negatives: i32 = 0;
let inputs: usize = 0;
let outputs: usize = 0;
let width: usize = 0;
let centers: usize = 0;
let targets: usize = 0;
let steps: usize = 0;
let hidden: usize = 0;
let gradient: usize = 0;
let partial: usize = 0;
let laneBytes: usize = 0;

/**
 * Learns from the words from `first` to before `last`: draws which frequent ones to leave out, then windows and negatives.
 *
 * @param struct of `SkipGramFields`, this thread's
 * @param rate at the first word; falls by `decay` per word
 */
export function learn(
  struct: usize,
  first: i32,
  last: i32,
  seed: u32,
  epoch: u32,
  chunk: u32,
  rate: f32,
  decay: f32,
): void {
  open(struct);
  startDraws(seed, epoch, chunk);
  const kept = field(struct, SkipGramFields.kept);
  const places = field(struct, SkipGramFields.places);
  const count = subsample(kept, places, first, last);
  let start = 0;
  let end = 0;
  let filled = 0;
  let pairs = 0;
  let now = rate;
  for (let i = 0; i < count; i++) {
    const word = load<i32>(kept + (i << 2));
    if (word === LINE_END) {
      start = i + 1;
      continue;
    }
    if (end <= i) {
      end = i + 1;
      while (end < count && load<i32>(kept + (end << 2)) !== LINE_END) end++;
    }
    if (filled === 0) now = rate - decay * (load<i32>(places + (i << 2)) as f32);
    const more = addTargets(kept, i, start, end, pairs);
    if (more === pairs) continue;
    const center = centers + ((filled as usize) << 3);
    pairs = more;
    store<i32>(center, word);
    store<i32>(center, pairs, 4);
    if (++filled < BATCH) continue;
    learnBatch(struct, filled, pairs, now);
    filled = 0;
    pairs = 0;
  }
  if (filled > 0) learnBatch(struct, filled, pairs, now);
}

function open(struct: usize): void {
  words = field(struct, SkipGramFields.words);
  keep = field(struct, SkipGramFields.keep);
  aliases = field(struct, SkipGramFields.aliases);
  vocabulary = field(struct, SkipGramFields.vocabulary) as u32;
  rowStarts = field(struct, SkipGramFields.rowStarts);
  rows = field(struct, SkipGramFields.rows);
  window = field(struct, SkipGramFields.window) as i32;
  negatives = field(struct, SkipGramFields.negatives) as i32;
  inputs = field(struct, SkipGramFields.inputs);
  outputs = field(struct, SkipGramFields.outputs);
  width = field(struct, SkipGramFields.width);
  centers = field(struct, SkipGramFields.centers);
  targets = field(struct, SkipGramFields.targets);
  steps = field(struct, SkipGramFields.steps);
  hidden = field(struct, SkipGramFields.hidden);
  gradient = field(struct, SkipGramFields.gradient);
  laneBytes = field(struct, SkipGramFields.laneBytes);
}

/** Copies the words that are kept, and each one's place from `first` on; returns their number. */
function subsample(kept: usize, places: usize, first: i32, last: i32): i32 {
  let count = 0;
  for (let i = first; i < last; i++) {
    const word = load<i32>(words + ((i as usize) << 2));
    if (word !== LINE_END && draw() > load<u32>(keep + ((word as usize) << 2))) continue;
    store<i32>(kept + (count << 2), word);
    store<i32>(places + (count << 2), i - first);
    count++;
  }
  return count;
}

/** Adds the word at i's neighbours in its window, each followed by its negatives; returns the new number of targets. */
function addTargets(kept: usize, i: i32, start: i32, end: i32, pairs: i32): i32 {
  const reach = 1 + (below(window) as i32);
  const from = max(start, i - reach);
  const to = min(end, i + reach + 1);
  let at = targets + ((pairs as usize) << 2);
  for (let j = from; j < to; j++) {
    if (j === i) continue;
    const target = load<u32>(kept + (j << 2));
    store<u32>(at, target);
    at += 4;
    for (let n = 0; n < negatives; n++) {
      let negative = sample();
      while (negative === target) negative = sample();
      store<u32>(at, negative);
      at += 4;
    }
  }
  return ((at - targets) >> 2) as i32;
}

/** Draws a word by the alias method (Walker 1977): a threshold and another word for each. */
function sample(): u32 {
  const word = below(vocabulary);
  const alias = aliases + ((word as usize) << 3);
  return draw() <= load<u32>(alias) ? word : load<u32>(alias, 4);
}

/** Takes a gradient step for every target of the batch; all dot products use the weights before the batch. */
function learnBatch(struct: usize, filled: i32, pairs: i32, rate: f32): void {
  const batch = field(struct, SkipGramFields.batch) as i32;
  store<i32>(struct + SkipGramFields.batch * FLOAT, batch + 1);
  partial = field(struct, batch & 1 ? SkipGramFields.oddPartial : SkipGramFields.evenPartial);
  multiply(struct, filled);
  meet(field(struct, SkipGramFields.arrivals), field(struct, SkipGramFields.threads) as i32, batch + 1);
  fillSteps(pairs, rate);
  update(filled);
}

/** Fills the centres' vectors and, for each lane of this thread, the products with their targets' vectors. */
function multiply(struct: usize, filled: i32): void {
  const firstLane = field(struct, SkipGramFields.firstLane) as i32;
  const lastLane = field(struct, SkipGramFields.lastLane) as i32;
  const bounds = field(struct, SkipGramFields.bounds);
  let pair: usize = 0;
  for (let n = 0; n < filled; n++) {
    const center = centers + ((n as usize) << 3);
    const vector = hidden + (n as usize) * width;
    average(vector, load<u32>(center));
    const last = load<u32>(center, 4) as usize;
    for (; pair < last; pair++) {
      const target = outputs + (load<u32>(targets + (pair << 2)) as usize) * width;
      let i: usize = 0;
      for (let lane = firstLane; lane < lastLane; lane++) {
        const end = load<u32>(bounds + (lane << 2)) as usize;
        let sum = f32x4.splat(0);
        for (; i < end; i += VECTOR)
          sum = f32x4.add(sum, f32x4.mul(v128.load(vector + i), v128.load(target + i)));
        v128.store(partial + (lane as usize) * laneBytes + (pair << 4), sum);
      }
    }
  }
}

/** The mean of the rows of a word. */
function average(vector: usize, word: u32): void {
  const starts = rowStarts + ((word as usize) << 2);
  const first = rows + ((load<u32>(starts) as usize) << 2);
  const last = rows + ((load<u32>(starts, 4) as usize) << 2);
  const scale = f32x4.splat(1 / (((last - first) >> 2) as f32));
  let i: usize = 0;
  for (; i + 4 * VECTOR <= width; i += 4 * VECTOR) {
    let p = f32x4.splat(0);
    let q = f32x4.splat(0);
    let r = f32x4.splat(0);
    let s = f32x4.splat(0);
    for (let at = first; at < last; at += 4) {
      const row = inputs + i + (load<u32>(at) as usize) * width;
      p = f32x4.add(p, v128.load(row));
      q = f32x4.add(q, v128.load(row, VECTOR));
      r = f32x4.add(r, v128.load(row, 2 * VECTOR));
      s = f32x4.add(s, v128.load(row, 3 * VECTOR));
    }
    v128.store(vector + i, f32x4.mul(p, scale));
    v128.store(vector + i, f32x4.mul(q, scale), VECTOR);
    v128.store(vector + i, f32x4.mul(r, scale), 2 * VECTOR);
    v128.store(vector + i, f32x4.mul(s, scale), 3 * VECTOR);
  }
  for (; i < width; i += VECTOR) {
    let p = f32x4.splat(0);
    for (let at = first; at < last; at += 4)
      p = f32x4.add(p, v128.load(inputs + i + (load<u32>(at) as usize) * width));
    v128.store(vector + i, f32x4.mul(p, scale));
  }
}

/** Fills the gradients of the log likelihood with respect to the products, times the rate: rate (label − sigmoid). */
function fillSteps(pairs: i32, rate: f32): void {
  const minus = f32x4.splat(-rate);
  for (let pair: usize = 0; pair < (pairs as usize); pair += 4) {
    const at = partial + (pair << 4);
    const products = sums(ofLanes(at), ofLanes(at + 16), ofLanes(at + 32), ofLanes(at + 48));
    v128.store(steps + (pair << 2), f32x4.mul(minus, sigmoid(products)));
  }
  const block = (negatives + 1) << 2;
  const end = steps + (pairs << 2);
  for (let at = steps; at < end; at += block) store<f32>(at, load<f32>(at) + rate);
}

function ofLanes(at: usize): v128 {
  let sum = v128.load(at);
  for (let lane: usize = 1; lane < (LANES as usize); lane++)
    sum = f32x4.add(sum, v128.load(at + lane * laneBytes));
  return sum;
}

/** Adds the steps to the vectors of targets, and to all rows of the centres. */
function update(filled: i32): void {
  let from: usize = 0;
  for (let n = 0; n < filled; n++) {
    const center = centers + ((n as usize) << 3);
    const to = load<u32>(center, 4) as usize;
    updateTargets(hidden + (n as usize) * width, from, to);
    addToRows(load<u32>(center));
    from = to;
  }
}

/** Fills `gradient` for one centre, whose targets are numbered from `from` to before `to`. */
function updateTargets(vector: usize, from: usize, to: usize): void {
  const first = targets + (from << 2);
  const last = targets + (to << 2);
  const apart = steps - targets;
  let i: usize = 0;
  for (; i + 4 * VECTOR <= width; i += 4 * VECTOR) {
    const h = v128.load(vector + i);
    const h1 = v128.load(vector + i, VECTOR);
    const h2 = v128.load(vector + i, 2 * VECTOR);
    const h3 = v128.load(vector + i, 3 * VECTOR);
    let p = f32x4.splat(0);
    let q = f32x4.splat(0);
    let r = f32x4.splat(0);
    let s = f32x4.splat(0);
    for (let at = first; at < last; at += 4) {
      const row = outputs + i + (load<u32>(at) as usize) * width;
      const step = v128.load32_splat(at + apart);
      let values = v128.load(row);
      p = f32x4.add(p, f32x4.mul(step, values));
      v128.store(row, f32x4.add(values, f32x4.mul(step, h)));
      values = v128.load(row, VECTOR);
      q = f32x4.add(q, f32x4.mul(step, values));
      v128.store(row, f32x4.add(values, f32x4.mul(step, h1)), VECTOR);
      values = v128.load(row, 2 * VECTOR);
      r = f32x4.add(r, f32x4.mul(step, values));
      v128.store(row, f32x4.add(values, f32x4.mul(step, h2)), 2 * VECTOR);
      values = v128.load(row, 3 * VECTOR);
      s = f32x4.add(s, f32x4.mul(step, values));
      v128.store(row, f32x4.add(values, f32x4.mul(step, h3)), 3 * VECTOR);
    }
    v128.store(gradient + i, p);
    v128.store(gradient + i, q, VECTOR);
    v128.store(gradient + i, r, 2 * VECTOR);
    v128.store(gradient + i, s, 3 * VECTOR);
  }
  for (; i < width; i += VECTOR) {
    const h = v128.load(vector + i);
    let p = f32x4.splat(0);
    for (let at = first; at < last; at += 4) {
      const row = outputs + i + (load<u32>(at) as usize) * width;
      const step = v128.load32_splat(at + apart);
      const values = v128.load(row);
      p = f32x4.add(p, f32x4.mul(step, values));
      v128.store(row, f32x4.add(values, f32x4.mul(step, h)));
    }
    v128.store(gradient + i, p);
  }
}

/** Adds the whole gradient to every row of a word, as fastText does, although its vector is the mean of the rows. */
function addToRows(word: u32): void {
  const starts = rowStarts + ((word as usize) << 2);
  const last = rows + ((load<u32>(starts, 4) as usize) << 2);
  for (let at = rows + ((load<u32>(starts) as usize) << 2); at < last; at += 4) {
    const row = inputs + (load<u32>(at) as usize) * width;
    for (let i: usize = 0; i < width; i += VECTOR)
      v128.store(row + i, f32x4.add(v128.load(row + i), v128.load(gradient + i)));
  }
}
