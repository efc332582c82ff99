import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import type { ColumnEncoder, EncodedColumn, EncodedSentence } from '../../src/encoding/columns.ts';
import { type Numbering, type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { savedTemplates } from '../../src/encoding/templates/template-file.ts';
import type { BigramExplanation } from '../../src/explain/matrix.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import {
  arcNotation,
  type BigramSection,
  bigramSections,
  columnsRead,
  type FeatureColumns,
  labelNotation,
  type PatternColumns,
} from './patterns.ts';

/** How the arcs' probabilities are estimated. */
export const estimates = ['interpolated', 'zeman'] as const;

/** How the best tree is found: of all trees, of projective ones, or by Zeman's own search. */
export const bigramDecoders = ['chu-liu-edmonds', 'eisner', 'greedy'] as const;

/** What a trained bigram parser must know of how it was trained: some options, and what the data decided. */
export interface BigramSettings extends NumberingSettings {
  readonly estimate: (typeof estimates)[number];
  readonly decoder: (typeof bigramDecoders)[number];
  /** What is counted. */
  readonly templates: Readonly<Record<BigramSection, readonly string[]>>;
  /** Zeman's weight of pairs of forms against pairs of tags. */
  readonly lambda: number;
  readonly singleRoot: boolean;
  readonly maxLength: number;
}

/** The settings in a model's header; throws `InputError` where they are not such. */
export function bigramSettings(fields: HeaderFields): BigramSettings {
  const templates = fields.fields('templates');
  return {
    estimate: fields.choice('estimate', estimates),
    decoder: fields.choice('decoder', bigramDecoders),
    templates: {
      arcs: savedTemplates(templates, 'arcs', bigramSections.arcs),
      labels: savedTemplates(templates, 'labels', bigramSections.labels),
    },
    lambda: fields.number('lambda', 0, 1),
    tags: tagsIn(fields),
    normalize: fields.flag('normalize'),
    stem: 'none',
    singleRoot: fields.flag('singleRoot'),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
  };
}

/** What is the same for all estimates: settings, and the numbers that words and labels have. */
export interface BigramModel {
  readonly settings: BigramSettings;
  readonly numbering: Numbering;
}

/** The columns that are looked at: by patterns, and by Zeman's estimate. */
export function columnsLookedAt(model: BigramModel): EncodedColumn[] {
  const { templates, tags, estimate } = model.settings;
  const columns = patternColumns(model);
  const patterns = [
    ...arcNotation.patterns(templates.arcs, columns),
    ...labelNotation.patterns(templates.labels, columns),
  ];
  const fields = patterns.flatMap(({ fields }) => fields.map(({ column }) => columns.names[column]));
  return columnsRead(tags).filter(
    (name) => estimate === 'zeman' || name === tags[0] || fields.includes(name),
  );
}

/** What patterns can be made of. */
export function patternColumns({ numbering: { encoder }, settings }: BigramModel): PatternColumns {
  return { names: encoder.names, tags: settings.tags, isFilled: (name) => encoder.isFilled(name) };
}

/** Where the features of arcs are read from. */
export function featureColumns({ numbering: { encoder }, settings }: BigramModel): FeatureColumns {
  const column = encoder.names.indexOf(settings.tags[0]);
  return {
    tag: column,
    form: encoder.names.indexOf('form'),
    tagCount: encoder.vocabulary(column).size,
    punctuation: marked(encoder, 'form', /^\p{P}+$/u),
  };
}

/** For each value of a column: 1 if its string matches the pattern. */
export function marked(encoder: ColumnEncoder, name: EncodedColumn, pattern: RegExp): Uint8Array {
  const vocabulary = encoder.vocabulary(encoder.names.indexOf(name));
  const marks = new Uint8Array(vocabulary.size);
  for (const string of vocabulary.strings()) if (pattern.test(string)) marks[vocabulary.idOf(string)] = 1;
  return marks;
}

/** How likely each arc of a sentence is, learnt from counts. */
export interface ArcEstimate {
  /** Fills the score matrix of a sentence (graph/decoders/decoder.ts): a tree's score is the sum of its arcs'. */
  score(sentence: EncodedSentence, scores: Float32Array): void;
  /** Of the tokens last scored, by position: 1 where a greedy search should give it one dependent at most. */
  readonly takesOne?: Uint8Array;
  /** What the scores of the arcs into a token are made of; for one arc at a time, and not fast. */
  reasons(sentence: EncodedSentence, d: number): ArcReasons;
  save(file: ModelWriter): void;
}

/** What the scores of the arcs into one token are made of. */
export interface ArcReasons {
  /** What each pattern adds to the score of the arc from a head, where there are patterns. */
  gains?(head: number): number[];
  /** The counts behind it, where the estimate keeps counts. */
  counts?(head: number): NonNullable<BigramExplanation['counts']>[number];
}
