import type { ColumnAnnotator } from '../../annotators/annotator.ts';
import { type AnnotatedColumn, morphologyColumns } from '../../src/treebank/columns/names.ts';
import type { FilledColumns } from '../../src/treebank/columns/write.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';

/** What may be kept of the annotation that an input has. */
export const keepNames = ['tags', 'lemmas'] as const;
export type KeepName = (typeof keepNames)[number];

const columnsOf: Readonly<Record<KeepName, readonly AnnotatedColumn[]>> = {
  tags: morphologyColumns,
  lemmas: ['lemmas'],
};

/**
 * Has annotators fill the columns of sentences, each by what those before it have found.
 *
 * What is to be kept of a sentence's own annotation is seen by later annotators: lemmas go by the tags that are
 * kept. `_` is no annotation, and is filled; but in FEATS it says that a word has no features, in sentences some of
 * whose words have some.
 */
export class SentenceAnnotation {
  private readonly kept: ReadonlySet<AnnotatedColumn>;

  constructor(
    private readonly annotators: readonly ColumnAnnotator[],
    keep: readonly KeepName[] = [],
  ) {
    this.kept = new Set(keep.flatMap((name) => columnsOf[name]));
  }

  /** The columns that are filled in a sentence. */
  columns(sentence: Sentence): FilledColumns {
    return this.allColumns([sentence])[0];
  }

  /** The columns that are filled in each of several sentences, by one annotator after the other. */
  allColumns(sentences: readonly Sentence[]): FilledColumns[] {
    const all: FilledColumns[] = sentences.map(() => ({}));
    for (const annotator of this.annotators) {
      for (const [i, sentence] of sentences.entries()) {
        const found = annotator.annotate({ ...sentence, ...all[i] });
        all[i] = { ...all[i], ...this.merged(sentence, found) };
      }
    }
    return all;
  }

  /** What was found, but for what is kept. */
  private merged(sentence: Sentence, found: FilledColumns): FilledColumns {
    if (this.kept.size === 0) return found;
    const names = Object.keys(found) as AnnotatedColumn[];
    return Object.fromEntries(
      names.map((name) => [
        name,
        this.kept.has(name) ? mergedColumn(sentence, name, found[name]!) : found[name],
      ]),
    );
  }
}

function mergedColumn(
  sentence: Sentence,
  name: AnnotatedColumn,
  found: readonly string[],
): readonly string[] {
  const own = sentence[name];
  if (name === 'feats' && own.some((value, d) => d > 0 && value !== '_')) return own;
  return own.map((value, d) => (value === '_' ? found[d] : value));
}
