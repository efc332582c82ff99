import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';

export interface Columns {
  /** Each is a string of values separated by spaces; by default all values are `_`. */
  readonly lemmas?: string;
  readonly upos?: string;
  readonly xpos?: string;
  readonly feats?: string;
  readonly labels?: string;
  readonly file?: string;
  /** The line of the first token in `file`; by default 1. */
  readonly line?: number;
}

/** A sentence in mini-notation: `sentence('the cat sleeps', '2 3 0', { labels: 'det nsubj root' })`. */
export function sentence(forms: string, heads: string, columns: Columns = {}): Sentence {
  const words = column(forms);
  const length = words.length - 1;
  const optional = (text?: string) => column(text ?? Array(length).fill('_').join(' '), length);
  const { file, line = 1 } = columns;
  return {
    length,
    forms: words,
    lemmas: optional(columns.lemmas),
    upos: optional(columns.upos),
    xpos: optional(columns.xpos),
    feats: optional(columns.feats),
    heads: Int32Array.from([-1, ...column(heads, length).slice(1).map(Number)]),
    labels: optional(columns.labels),
    deps: optional(),
    misc: optional(),
    source:
      file === undefined
        ? undefined
        : {
            file,
            format: 'conllu',
            line,
            text: '',
            lines: Int32Array.from(words, (_, d) => line + Math.max(d - 1, 0)),
          },
  };
}

/** A treebank in memory. */
export function treebank(name: string, ...sentences: Sentence[]): Treebank {
  return {
    name,
    async *[Symbol.asyncIterator]() {
      yield* sentences;
    },
  };
}

function column(text: string, length?: number): string[] {
  const values = text === '' ? [] : text.split(' ');
  if (length !== undefined && values.length !== length) {
    throw new Error(`“${text}” has ${values.length} values, expected ${length}`);
  }
  return ['', ...values];
}
