import { InputError, UsageError } from '../../errors.ts';
import { confidenceIn } from '../columns/confidence.ts';
import type { StringColumn } from '../columns/names.ts';
import { readColumns } from '../columns/read.ts';
import type { Query } from '../query/query.ts';
import { detectFormat } from '../reading/format.ts';
import type { Sentence } from '../sentence.ts';
import { type Edit, type EditLabels, editedText } from './edits.ts';
import { isUniversal } from './problems.ts';
import { readSentence, textMatchesWords, withText } from './rows.ts';

/** A change that can be undone: the texts of the sentences from index `at` on, before and after it. */
interface Change {
  readonly at: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A state of the text: the change that led to it, undefined at the beginning. */
type Revision = Change | undefined;

/** A word and a parser's confidence in its arc (`Confidence` in MISC, from 0 to 1). */
export interface UnsureWord {
  readonly confidence: number;
  /** The sentence's number, from 0. */
  readonly index: number;
  readonly token: number;
}

const compareUnsure = (a: UnsureWord, b: UnsureWord): number =>
  a.confidence - b.confidence || a.index - b.index || a.token - b.token;

/** A treebank in CoNLL-U that can be edited; what edits do not change keeps its bytes. */
export class EditedTreebank {
  readonly labels: EditLabels;
  /** Whether its labels are UD relations, so that UD's rules apply. */
  readonly isUniversal: boolean;
  private readonly texts: string[];
  private readonly sentences: (Sentence | undefined)[];
  private readonly done: Change[] = [];
  private readonly undone: Change[] = [];
  private saved: Revision;

  /** Throws `InputError` for a text that is not CoNLL-U or has no sentences. */
  constructor(text: string, file = 'text') {
    if (text.trim() === '') throw new InputError('no sentences', { file });
    const format = detectFormat(text, file);
    if (format !== 'conllu')
      throw new InputError(`format ${format}, expected CoNLL-U: convert makes it of other formats`, { file });
    const reading = { format, expect: 'tokens' } as const;
    this.sentences = [...readColumns({ file, line: 1, text }, format, reading)];
    if (this.sentences.length === 0) throw new InputError('no sentences', { file });
    this.texts = this.sentences.map((sentence) => sentence!.source!.text);
    this.isUniversal = isUniversal(this.values('labels'));
    const root = this.values('labels', (sentence, d) => sentence.heads[d] === 0)[0] ?? 'root';
    const joined = this.isUniversal ? 'parataxis' : '_';
    this.labels = { root, unknown: this.isUniversal ? 'dep' : '_', joined };
  }

  get length(): number {
    return this.texts.length;
  }

  get text(): string {
    return this.texts.join('');
  }

  get isChanged(): boolean {
    return this.revision !== this.saved;
  }

  get revision(): Revision {
    return this.done.at(-1);
  }

  /** Declares the text as saved that it had at a revision. */
  setSaved(revision: Revision): void {
    this.saved = revision;
  }

  get canUndo(): boolean {
    return this.done.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  /** @param index from 0 */
  sentence(index: number): Sentence {
    this.sentences[index] ??= readSentence(this.texts[index]);
    return this.sentences[index];
  }

  /** The values of a column in the treebank by falling frequency. */
  values(column: StringColumn, isCounted: (sentence: Sentence, d: number) => boolean = () => true): string[] {
    const counts = new Map<string, number>();
    for (let i = 0; i < this.length; i++) {
      const sentence = this.sentence(i);
      for (let d = 1; d <= sentence.length; d++) {
        const value = sentence[column][d];
        if (value !== '_' && isCounted(sentence, d)) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    }
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value);
  }

  /** The word with the lowest confidence, or the next one after `last`; undefined if there is none. */
  nextUnsure(last?: UnsureWord): UnsureWord | undefined {
    let next: UnsureWord | undefined;
    for (let index = 0; index < this.length; index++) {
      for (const [token, misc] of this.sentence(index).misc.entries()) {
        const confidence = confidenceIn(misc);
        if (confidence === undefined) continue;
        const word = { confidence, index, token };
        if (last !== undefined && compareUnsure(word, last) <= 0) continue;
        if (next === undefined || compareUnsure(word, next) < 0) next = word;
      }
    }
    return next;
  }

  /**
   * The first word of the next match of a query, searching from word `after` of sentence `from` to the end, then
   * from the beginning; undefined if there is none.
   */
  nextMatch(query: Query, from: number, after: number): Omit<UnsureWord, 'confidence'> | undefined {
    for (let k = 0; k <= this.length; k++) {
      const index = (from + k) % this.length;
      let token = Number.POSITIVE_INFINITY;
      query.eachMatch(this.sentence(index), (tokens) => {
        const first = tokens.reduce((least, d) => (d > 0 && d < least ? d : least), Number.POSITIVE_INFINITY);
        if (k > 0 || first > after) token = Math.min(token, first);
      });
      if (token < Number.POSITIVE_INFINITY) return { index, token };
    }
    return undefined;
  }

  /** Applies an edit to a sentence; throws `UsageError`, with nothing changed, if it is impossible. */
  apply(index: number, edit: Edit): void {
    const text = this.texts[index];
    if (text === undefined) throw new UsageError(`there is no sentence ${index + 1}`);
    const before = this.texts.slice(index, edit.kind === 'join-sentences' ? index + 2 : index + 1);
    const edited = editedText(text, edit, this.labels, this.texts[index + 1]);
    const after = textMatchesWords(text) ? edited.map((each) => withText(each)) : edited;
    if (before.join('') === after.join('') && before.length === after.length) return;
    const change = { at: index, before, after };
    this.replace(index, before.length, after);
    this.done.push(change);
    this.undone.length = 0;
  }

  /** Returns the index of the changed sentence; undefined if there is nothing to undo. */
  undo(): number | undefined {
    return this.move(this.done, this.undone, true);
  }

  redo(): number | undefined {
    return this.move(this.undone, this.done, false);
  }

  private move(from: Change[], to: Change[], isUndo: boolean): number | undefined {
    const change = from.pop();
    if (change === undefined) return undefined;
    const { at, before, after } = change;
    to.push(change);
    this.replace(at, (isUndo ? after : before).length, isUndo ? before : after);
    return at;
  }

  private replace(at: number, count: number, texts: readonly string[]): void {
    this.texts.splice(at, count, ...texts);
    this.sentences.splice(at, count, ...texts.map(() => undefined));
  }
}
