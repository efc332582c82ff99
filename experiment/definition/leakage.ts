import { basename } from 'node:path';
import { SharedSentences } from '../../src/training/held-out.ts';
import type { Selection } from '../jobs/job.ts';
import { inFiles, overlap } from '../jobs/selection.ts';
import type { SurveyedSentence, SurveyedTreebank, TreebankSurvey } from './treebanks.ts';

/** Percentage of scored tokens that may be in silver trees by chance: “Thank you.” occurs in any text. */
const MOST_SHARED = 5;

/** Silver trees are compared by text: another parser's words and trees differ from gold. */
type Compared = Exclude<keyof SurveyedSentence, 'length'>;

interface Leak {
  /** The treebank of the training sentences. */
  readonly title: string;
  readonly learnt: Selection;
  readonly scored: Selection;
  readonly by: Compared;
  readonly shared: SharedSentences;
}

/** Finds scored sentences that are also training sentences, in the same file or in others. */
export class Leakage {
  /** By the selections compared: many cells have the same ones. */
  private readonly compared = new Map<string, SharedSentences>();
  /** The worst leak of each pair of files: several cells can have one, as in a learning curve. */
  private readonly noted = new Map<string, Leak>();

  constructor(private readonly survey: TreebankSurvey) {}

  /** Whether some scored sentences are training sentences, or the training data contain a copy of all of them. */
  isLearnt(learnt: Selection, scored: Selection): boolean {
    return overlap(learnt, scored) || this.shared(learnt, scored).areAll;
  }

  /** Whether more scored sentences have silver trees than chance explains. */
  sharesText(silver: Selection, scored: Selection): boolean {
    return this.shared(silver, scored, 'text').percentage > MOST_SHARED;
  }

  note({ title }: SurveyedTreebank, learnt: Selection, scored: Selection, by: Compared = 'trees'): void {
    const shared = this.shared(learnt, scored, by);
    const files = JSON.stringify([learnt, scored].map((each) => inFiles(each).map(({ path }) => path)));
    if (shared.sentences > (this.noted.get(files)?.shared.sentences ?? 0))
      this.noted.set(files, { title, learnt, scored, by, shared });
  }

  warnings(): string[] {
    return [...this.noted.values()].map(({ title, learnt, scored, by, shared }) => {
      const isHeldOut = learnt.path === scored.path && !overlap(learnt, scored);
      const names = isHeldOut ? ['the held-out part', 'the training part'] : [scored, learnt].map(namesOf);
      return `${title}: ${shared.warning(names[0], names[1], by)}`;
    });
  }

  private shared(learnt: Selection, scored: Selection, by: Compared = 'trees'): SharedSentences {
    const key = JSON.stringify([learnt, scored, by]);
    const known = this.compared.get(key);
    if (known !== undefined) return known;
    const numbers = new Set<number>();
    this.survey.each(learnt, (sentence) => numbers.add(sentence[by]));
    const shared = new SharedSentences();
    this.survey.each(scored, (sentence) => shared.add(sentence.length, numbers.has(sentence[by])));
    this.compared.set(key, shared);
    return shared;
  }
}

/** `train.conllu + dev.conllu`. */
const namesOf = (selected: Selection): string =>
  inFiles(selected)
    .map(({ path }) => basename(path))
    .join(' + ');
