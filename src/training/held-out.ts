import { charactersOf } from '../evaluate/alignment/align.ts';
import { AttachmentCounts } from '../evaluate/attachment/attachment-counts.ts';
import { flatten } from '../evaluate/parseval/flat-tree.ts';
import { PhraseCounts } from '../evaluate/parseval/score-phrases.ts';
import { phraseScorers, scoreSentence } from '../evaluate/parseval/scorers.ts';
import { finish, mix } from '../learn/hashing.ts';
import { Turns } from '../threads/scheduling.ts';
import type { PhraseTree } from '../treebank/phrases/phrase-tree.ts';
import type { Sentence, Treebank } from '../treebank/sentence.ts';
import { eachChanged, withSentences } from '../treebank/treebanks.ts';
import { sentences } from './examples.ts';
import type { EpochScores } from './training-run.ts';

interface LabelledTree {
  readonly heads: Int32Array;
  readonly labels: ArrayLike<string | number>;
  readonly phrases?: PhraseTree | undefined;
}

/** Scores trees, punctuation included, and brackets (as EVALB) if both sides have them; may be aborted. */
export async function scoreHeldOut<Sentence extends LabelledTree & { readonly length: number }>(
  heldOut: Iterable<Sentence> | AsyncIterable<Sentence>,
  find: (sentence: Sentence) => LabelledTree,
  signal?: AbortSignal,
): Promise<EpochScores> {
  const arcs = new AttachmentCounts();
  const brackets = new PhraseCounts();
  const turns = new Turns(signal);
  for await (const gold of heldOut) {
    signal?.throwIfAborted();
    if (turns.isDue) await turns.give();
    const found = find(gold);
    arcs.add(gold.heads, gold.labels, found.heads, found.labels, gold.length);
    if (gold.phrases === undefined || found.phrases === undefined) continue;
    const [right, given] = [gold.phrases, found.phrases].map((tree) => flatten({ tree }));
    const score = scoreSentence(phraseScorers.evalb, right, given);
    if (score.words > 0) brackets.add(score);
  }
  const { sentences, f1 } = brackets.figures();
  return { uas: arcs.uas, las: arcs.las, ...(sentences > 0 && { f1 }) };
}

/**
 * Wraps training and held-out data; calls `onWarning` once if they share sentences.
 * @param by what two equal sentences share: words, tags and tree, or only the text
 */
export function watchShared<Dev extends Treebank | undefined>(
  train: Treebank,
  dev: Dev,
  onWarning: ((warning: string) => void) | undefined,
  by: 'trees' | 'text' = 'trees',
): { readonly train: Treebank; readonly dev: Dev | Treebank } {
  if (dev === undefined || onWarning === undefined) return { train, dev };
  const compared = by === 'trees' ? treeHash : textHash;
  const learnt = new Set<number>();
  let hasWarned = false;
  const learning = eachChanged(train, (sentence) => {
    learnt.add(compared(sentence));
    return sentence;
  });
  const heldOut = withSentences(dev, async function* () {
    const shared = new SharedSentences();
    for await (const sentence of dev) {
      shared.add(sentence.length, learnt.has(compared(sentence)));
      yield sentence;
    }
    if (shared.sentences === 0 || hasWarned) return;
    hasWarned = true;
    onWarning(shared.warning(dev.name, train.name, by));
  });
  return { train: learning, dev: heldOut };
}

/** Counts scored sentences that are learnt from, too. */
export class SharedSentences {
  sentences = 0;
  tokens = 0;
  private readonly all = { sentences: 0, tokens: 0 };

  get areAll(): boolean {
    return this.sentences > 0 && this.sentences === this.all.sentences;
  }

  /** The percentage of tokens that are in shared sentences. */
  get percentage(): number {
    return this.all.tokens === 0 ? 0 : (100 * this.tokens) / this.all.tokens;
  }

  add(tokens: number, isLearnt: boolean): void {
    for (const counts of isLearnt ? [this.all, this] : [this.all]) {
      counts.sentences++;
      counts.tokens += tokens;
    }
  }

  /** @param same what is the same: `trees` or `text` */
  warning(scored: string, train: string, same = 'trees'): string {
    const { sentences: count, percentage, all } = this;
    const share = `${percentage.toFixed(1)}% of its tokens`;
    const is = count === 1 ? 'is' : 'are';
    return `${count} of ${sentences(all.sentences)} of ${scored} (${share}) ${is} also in ${train}, with the same ${same}: scores on them are too high`;
  }
}

/** A hash of 53 bits over words, tags and tree. */
export function treeHash({ length, forms, upos, xpos, heads, labels }: Sentence): number {
  const hash = new Hash(length);
  for (let i = 1; i <= length; i++) {
    for (const text of [forms[i], upos[i], xpos[i], labels[i]]) hash.addText(text);
    hash.add(heads[i]);
  }
  return hash.number;
}

/** A hash of 53 bits over the text without spaces, however it is split into words. */
export function textHash(sentence: Sentence): number {
  const hash = new Hash(0);
  hash.addText(charactersOf(sentence));
  return hash.number;
}

class Hash {
  private low = 0;

  constructor(private high: number) {}

  add(field: number): void {
    this.high = mix(this.high, field);
    this.low = mix(this.low, Math.imul(field + 1, 0x85ebca6b));
  }

  addText(text: string): void {
    for (let c = 0; c < text.length; c++) this.add(text.charCodeAt(c));
    this.add(-2);
  }

  get number(): number {
    return (finish(this.high) >>> 0) * 2 ** 21 + (finish(this.low) >>> 11);
  }
}
