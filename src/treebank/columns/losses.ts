import { universalSource } from '../json/universal-source.ts';
import type { DependencyFormat } from '../reading/format.ts';
import { isFilled, type Sentence } from '../sentence.ts';
import type { StringColumn } from './names.ts';

interface Loss {
  readonly name: string;
  isIn(sentence: Sentence): boolean;
}

const column = (name: string, key: StringColumn): Loss => ({
  name,
  isIn: (sentence) => isFilled(sentence[key]),
});

/** What stands in the lines of CoNLL-U, beside the columns of a `Sentence`. */
const lines = (name: string, pattern: RegExp): Loss => ({
  name,
  isIn: ({ source }) => pattern.test(universalSource(source)?.text ?? ''),
});

const phrases: Loss = { name: 'phrases', isIn: ({ source }) => source?.format === 'brackets' };

const hasProjectiveColumns = /^(?:[^\t\n]+\t){8}(?:[^_\t]|_[^\t]|_\t[^_\r\n])/m;
const projectiveColumns: Loss = {
  name: 'PHEAD and PDEPREL',
  isIn: ({ source }) => source?.format === 'conllx' && hasProjectiveColumns.test(source.text),
};

const universalOnly = [
  lines('comments', /^#/m),
  lines('multiword tokens', /^\d+-\d+\t/m),
  lines('empty nodes', /^\d+\.\d+\t/m),
  column('DEPS', 'deps'),
  column('MISC', 'misc'),
];

/** What `formatSentence` has no place for in each format. */
const losses: Readonly<Record<DependencyFormat, readonly Loss[]>> = {
  conllu: [phrases, projectiveColumns],
  json: [phrases, projectiveColumns],
  conllx: [phrases, ...universalOnly],
  'three-column': [
    phrases,
    projectiveColumns,
    ...universalOnly,
    column('lemmas', 'lemmas'),
    { name: 'UPOS (CPOSTAG)', isIn: ({ upos, xpos }) => isFilled(upos) && isFilled(xpos) },
    column('features', 'feats'),
    column('labels', 'labels'),
  ],
};

/**
 * The names of what is in the sentence and is lost when `formatSentence` writes it in a format other than its
 * own.
 */
export function lostIn(sentence: Sentence, format: DependencyFormat): string[] {
  if (sentence.source?.format === format) return [];
  return losses[format].filter((loss) => loss.isIn(sentence)).map(({ name }) => name);
}
