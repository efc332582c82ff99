import type { InputError } from '../../errors.ts';
import type { AnnotatedColumn } from '../../treebank/columns/names.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import { quote } from '../../visible.ts';
import { errorAt, type Role, where } from '../lock-step.ts';
import { alignWords, type PlacedSentence, PlacedWords } from './align.ts';
import { type Counterpart, ELSEWHERE, NOT_THERE } from './counterpart.ts';
import { NONE, splits } from './splits.ts';

/** A stretch of text that both sides split differently; both begin and end a sentence at its ends. */
export class DifferingStretch {
  readonly gold = new PlacedWords();
  readonly predicted = new PlacedWords();
  private readonly text = new SharedText();

  addGold(sentence: Sentence, number: number): void {
    this.take(this.gold, sentence, number);
  }

  addPredicted(sentence: Sentence, number: number): void {
    this.take(this.predicted, sentence, number);
  }

  get isBehind(): boolean {
    return this.predicted.end < this.gold.end;
  }

  get isClosed(): boolean {
    return this.predicted.end === this.gold.end;
  }

  counterparts(): Counterpart[] {
    const { gold, predicted } = this;
    const alignment = alignWords(gold.words, predicted.words);
    const goldOf = new Int32Array(predicted.words.length).fill(NONE);
    alignment.forEach((p, g) => {
      if (p !== NONE) goldOf[p] = g;
    });
    const found = splits(gold, predicted, goldOf);
    return gold.sentences.map((sentence, i) => {
      const heads = headsOf(sentence, predicted, alignment, goldOf);
      const column = (name: 'labels' | AnnotatedColumn) =>
        Array.from(heads, (_, d) => {
          const p = d === 0 ? NONE : alignment[sentence.firstWord + d - 1];
          if (p === NONE) return '';
          const { of, number } = predicted.words[p];
          return predicted.sentences[of].sentence[name][number];
        });
      return {
        heads,
        labels: column('labels'),
        upos: column('upos'),
        xpos: column('xpos'),
        feats: column('feats'),
        lemmas: column('lemmas'),
        split: found[i],
      };
    });
  }

  goesOn(role: Role, ended: string): InputError {
    const [side, other] = role === 'gold' ? [this.gold, this.predicted] : [this.predicted, this.gold];
    const [longer, shorter] = role === 'gold' ? ['gold', 'predicted'] : ['predicted', 'gold'];
    const rest = quote(this.text.rest);
    const problem = `the ${shorter} text ends, but the ${longer} one goes on with ${rest}, ${ended} does not`;
    return errorAt(...placeIn(side, other.end), role, problem);
  }

  private take(side: PlacedWords, sentence: Sentence, number: number): void {
    const start = side.end;
    const text = side.add(sentence, number);
    const same = this.text.take(text);
    if (same >= 0) throw this.parting(start + same, side === this.gold, text.slice(same), same);
  }

  /** @param text the rest of the text last added, which differs after `same` characters */
  private parting(at: number, isGold: boolean, text: string, same: number): InputError {
    const { gold, predicted } = this;
    const [place, otherPlace] = [placeIn(gold, at), placeIn(predicted, at)];
    const other = where(...otherPlace, 'predicted');
    const [a, b] = [gold.at(at), predicted.at(at)];
    if (a?.start === b?.start && a?.isPart === false && b?.isPart === false) {
      const forms = [place, otherPlace].map(([sentence, d]) => quote(sentence.forms[d]));
      return errorAt(...place, 'gold', `token ${a.number} is ${forms[0]}, but ${other} has ${forms[1]}`);
    }
    const rest = this.text.rest.slice(same);
    const [ours, theirs] = (isGold ? [text, rest] : [rest, text]).map(quote);
    return errorAt(...place, 'gold', `the text goes on with ${ours}, but with ${theirs} at ${other}`);
  }
}

/** The sentence at a character, the word's number in it, and the sentence's number in the treebank. */
function placeIn(side: PlacedWords, at: number): [sentence: Sentence, d: number, number: number] {
  const word = side.at(at);
  const { sentence, number } = side.sentences[word?.of ?? 0];
  return [sentence, word?.number ?? 0, number];
}

function headsOf(
  { sentence, firstWord }: PlacedSentence,
  predicted: PlacedWords,
  alignment: Int32Array,
  goldOf: Int32Array,
): Int32Array {
  const heads = new Int32Array(sentence.length + 1).fill(NOT_THERE);
  for (let d = 1; d <= sentence.length; d++) {
    const p = alignment[firstWord + d - 1];
    if (p === NONE) continue;
    const { head } = predicted.words[p];
    if (head === -1) {
      heads[d] = 0;
      continue;
    }
    const h = goldOf[head] - firstWord + 1;
    heads[d] = goldOf[head] !== NONE && h >= 1 && h <= sentence.length ? h : ELSEWHERE;
  }
  return heads;
}

/** Compares two texts that arrive in pieces; keeps what one side has and the other has not reached yet. */
class SharedText {
  /** The text of the side that is ahead; compared up to `at`. */
  private ahead = '';
  private at = 0;

  get rest(): string {
    return this.ahead.slice(this.at);
  }

  take(text: string): number {
    const left = this.ahead.length - this.at;
    const shared = Math.min(left, text.length);
    if (!this.ahead.startsWith(text.slice(0, shared), this.at)) {
      let same = 0;
      while (this.ahead[this.at + same] === text[same]) same++;
      return same;
    }
    if (text.length <= left) {
      this.at += shared;
    } else {
      this.ahead = text;
      this.at = shared;
    }
    return -1;
  }
}
