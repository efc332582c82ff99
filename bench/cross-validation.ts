import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { readInText } from '../cli/commands/train/trainable.ts';
import { trainParser } from '../combine/train-parser.ts';
import type { Paradigm } from '../parsers/parser.ts';
import { findParadigm } from '../parsers/registry.ts';
import { scoreHeldOut } from '../src/training/held-out.ts';
import type { EpochScores } from '../src/training/training-run.ts';
import type { Sentence } from '../src/treebank/sentence.ts';
import { inMemory } from '../src/treebank/treebanks.ts';

/** A paradigm with options to compare, and the command-line arguments that set them. */
export interface Candidate {
  readonly words: string;
  readonly paradigm: Paradigm;
  readonly options: object;
}

export async function candidateOf(name: string, words: string): Promise<Candidate> {
  const paradigm = await findParadigm(name);
  return { words, paradigm, options: await readInText(paradigm, words, `train ${name}`) };
}

export interface Fold {
  readonly train: readonly Sentence[];
  readonly heldOut: readonly Sentence[];
}

/** Sentences per block where no documents are marked: neighbours are mostly from one text, and stay in one fold. */
const SENTENCES_PER_BLOCK = 20;

const startsDocument = ({ source }: Sentence) => /^# *newdoc\b/m.test(source?.text ?? '');

/** Samples about `most` tokens of a treebank as documents, or else as blocks of neighbouring sentences. */
export function blocksOf(sentences: readonly Sentence[], most: number): Sentence[][] {
  const hasDocuments = sentences.some(startsDocument);
  const blocks: Sentence[][] = [];
  sentences.forEach((sentence, i) => {
    if (i === 0 || (hasDocuments ? startsDocument(sentence) : i % SENTENCES_PER_BLOCK === 0)) blocks.push([]);
    blocks.at(-1)!.push(sentence);
  });
  const tokens = sentences.reduce((sum, { length }) => sum + length, 0);
  const share = Math.min(1, most / tokens);
  return blocks.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share));
}

export function foldsOf(blocks: readonly (readonly Sentence[])[], k: number): Fold[] {
  return Array.from({ length: k }, (_, fold) => ({
    train: blocks.filter((_, i) => i % k !== fold).flat(),
    heldOut: blocks.filter((_, i) => i % k === fold).flat(),
  }));
}

/** Trains in one thread, and scores the held-out sentences after the last epoch, or after every one. */
export async function measureFold(
  { paradigm, options }: Candidate,
  { train, heldOut }: Fold,
  { seed, everyEpoch }: { readonly seed: number; readonly everyEpoch: boolean },
): Promise<Omit<FoldResult, 'key'>> {
  const started = process.cpuUsage();
  const scores: EpochScores[] = [];
  const dev = inMemory(heldOut, 'held-out sentences');
  const { parser } = await trainParser(paradigm, inMemory(train, 'training sentences'), {
    options,
    seed,
    jobs: 1,
    ...(everyEpoch && { dev }),
    onProgress: (progress) => {
      if (progress.dev !== undefined) scores.push(progress.dev);
    },
  });
  if (!everyEpoch) scores.push(await scoreHeldOut(dev, (sentence) => parser.parse(sentence)));
  const { user, system } = process.cpuUsage(started);
  const tokens = heldOut.reduce((sum, { length }) => sum + length, 0);
  return { tokens, scores, cpuSeconds: (user + system) / 1e6 };
}

export interface FoldResult {
  /** Identifies the training: options, treebank, sampling, fold, seed. */
  readonly key: string;
  readonly tokens: number;
  /** After the last epoch, or after every one. */
  readonly scores: readonly { readonly uas: number; readonly las: number }[];
  readonly cpuSeconds: number;
}

/** Measurements by key, optionally saved in a file, one line of JSON each. */
export class Results {
  private readonly results = new Map<string, FoldResult>();

  constructor(private readonly file: string | undefined) {
    if (file === undefined || !existsSync(file)) return;
    const text = readFileSync(file, 'utf8');
    // An incomplete last line was cut off when the program was stopped.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    truncateSync(file, Buffer.byteLength(whole));
    for (const line of whole.split('\n').slice(0, -1)) {
      const result: FoldResult = JSON.parse(line);
      this.results.set(result.key, result);
    }
  }

  async get(key: string, measure: () => Promise<Omit<FoldResult, 'key'>>): Promise<FoldResult> {
    const known = this.results.get(key);
    if (known !== undefined) return known;
    const result = { key, ...(await measure()) };
    this.results.set(key, result);
    if (this.file !== undefined) appendFileSync(this.file, `${JSON.stringify(result)}\n`);
    return result;
  }
}
