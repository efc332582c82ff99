import type { ColumnAnnotator } from '../../annotators/annotator.ts';
import { type AnnotatedColumn, morphologyColumns } from '../../src/treebank/columns/names.ts';
import type { FilledColumns } from '../../src/treebank/columns/write.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { KeepName } from '../names.ts';

const columnsOf: Readonly<Record<KeepName, readonly AnnotatedColumn[]>> = {
  tags: morphologyColumns,
  lemmas: ['lemmas'],
};

/**
 * Fills the columns of sentences by annotators, each of which sees the columns of those before it.
 *
 * Annotation of the input that is kept is seen by later annotators, too: the lemmatizer reads kept tags. `_` is filled;
 * but in FEATS it means “no features” if other words of the sentence have some.
 */
export class SentenceAnnotation {
  private readonly kept: ReadonlySet<AnnotatedColumn>;

  constructor(
    private readonly annotators: readonly ColumnAnnotator[],
    keep: readonly KeepName[] = [],
  ) {
    this.kept = new Set(keep.flatMap((name) => columnsOf[name]));
  }

  columns(sentence: Sentence): FilledColumns {
    return this.allColumns([sentence])[0];
  }

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

  /** The predicted columns, merged with those that are kept. */
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
