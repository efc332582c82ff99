import { wordClasses } from '../../lexicon/word-classes.ts';

/** A class has to have been seen this often to stand for its words. */
const LEAST = 10;

export interface KnownWord {
  readonly form: string;
  /** Whether it began its sentence. */
  readonly isFirst: boolean;
}

/** What words count as while substates are learnt: rare ones as their class, so that nothing is learnt by heart. */
export class WordKinds {
  private readonly words = new Map<string, number>();
  private readonly classes = new Map<string, number>();

  /** @param rare words seen this often or less are rare */
  constructor(
    words: readonly KnownWord[],
    private readonly rare: number,
    private readonly suffix: number,
  ) {
    for (const { form } of words) this.words.set(form, (this.words.get(form) ?? 0) + 1);
    for (const { form, isFirst } of words) {
      if (!this.isRare(form)) continue;
      for (const name of wordClasses(form, isFirst, suffix)) {
        this.classes.set(name, (this.classes.get(name) ?? 0) + 1);
      }
    }
  }

  isRare(form: string): boolean {
    return (this.words.get(form) ?? 0) <= this.rare;
  }

  /** A frequent word, after `=`; of a rare one, the narrowest class that is not rare itself, after a space. */
  of(form: string, isFirst: boolean): string {
    if (!this.isRare(form)) return `=${form}`;
    const names = wordClasses(form, isFirst, this.suffix);
    const name = names.findLast((one) => (this.classes.get(one) ?? 0) >= LEAST);
    return ` ${name ?? names[0]}`;
  }
}
