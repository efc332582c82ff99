import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import type { ColumnEncoder, EncodedColumn, EncodedSentence } from '../../src/encoding/columns.ts';
import { isAttributeColumn } from '../../src/encoding/features.ts';
import { type Numbering, type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { savedTemplates } from '../../src/encoding/templates/template-file.ts';
import type { BigramExplanation } from '../../src/explain/matrix.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { BigramSection, FeatureColumns, PatternColumns } from './patterns.ts';
import { arcNotation, bigramSections, encodedColumns, labelNotation } from './patterns.ts';

export const estimates = ['interpolated', 'zeman'] as const;

/** The best tree of all, the best projective one, or the greedy search of Zeman (1998). */
export const bigramDecoders = ['chu-liu-edmonds', 'eisner', 'greedy'] as const;

/** Settings saved in the model: training options, and values derived from the training data. */
export type BigramSettings = NumberingSettings &
  Readonly<Omit<ReturnType<typeof bigramSettings>, keyof NumberingSettings>>;

/** Reads the settings in a model's header; throws `InputError` if they are invalid. */
export function bigramSettings(fields: HeaderFields) {
  const sections = fields.fields('templates');
  const templates: Readonly<Record<BigramSection, readonly string[]>> = {
    arcs: savedTemplates(sections, 'arcs', bigramSections.arcs),
    labels: savedTemplates(sections, 'labels', bigramSections.labels),
  };
  return {
    estimate: fields.choice('estimate', estimates),
    decoder: fields.choice('decoder', bigramDecoders),
    templates,
    /** In Zeman's estimate: weight of pairs of forms against pairs of tags. */
    lambda: fields.number('lambda', 0, 1),
    tags: tagsIn(fields),
    normalize: fields.flag('normalize'),
    stem: 'none',
    singleRoot: fields.flag('singleRoot'),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
  };
}

/** A parser without its counts. */
export type BigramModel = { readonly settings: BigramSettings; readonly numbering: Numbering };

/** Returns the columns that the patterns, or Zeman's estimate, depend on. */
export function columnsUsed(model: BigramModel): EncodedColumn[] {
  const { templates, tags, estimate } = model.settings;
  const columns = patternColumns(model);
  const arcs = arcNotation.patterns(templates.arcs, columns);
  const patterns = [...arcs, ...labelNotation.patterns(templates.labels, columns)];
  const fields = patterns.flatMap(({ fields }) => fields.map(({ column }) => columns.names[column]));
  return [...encodedColumns(tags), ...columns.names.filter(isAttributeColumn)].filter(
    (name) => estimate === 'zeman' || name === tags[0] || fields.includes(name),
  );
}

export function patternColumns({ numbering: { encoder }, settings }: BigramModel): PatternColumns {
  return { names: encoder.names, tags: settings.tags, isFilled: (name) => encoder.isFilled(name) };
}

export function featureColumns({ numbering: { encoder }, settings }: BigramModel): FeatureColumns {
  const column = encoder.names.indexOf(settings.tags[0]);
  return {
    tag: column,
    form: encoder.names.indexOf('form'),
    tagCount: encoder.vocabulary(column).size,
    punctuation: valuesMatching(encoder, 'form', /^\p{P}+$/u),
  };
}

/** Returns 1 for each value of a column that matches the pattern, else 0. */
export function valuesMatching(encoder: ColumnEncoder, name: EncodedColumn, pattern: RegExp): Uint8Array {
  const vocabulary = encoder.vocabulary(encoder.names.indexOf(name));
  const marks = new Uint8Array(vocabulary.size);
  for (const string of vocabulary.strings()) if (pattern.test(string)) marks[vocabulary.idOf(string)] = 1;
  return marks;
}

/** Scores of arcs, estimated from counts. */
export interface ArcEstimate {
  /** Fills scores: (n + 1) × (n + 1), row = head. */
  score(sentence: EncodedSentence, scores: Float32Array): void;
  /** By token of the last sentence: 1 if greedy search should give it at most one dependent. */
  readonly takesOne?: Uint8Array;
  /** Explains the scores of the arcs into a token (slow). */
  reasons(sentence: EncodedSentence, d: number): ArcReasons;
  save(file: ModelWriter): void;
}

/** What the score of the arc from a head consists of. */
export interface ArcReasons {
  /** The weighted gain of each pattern, in an interpolated estimate. */
  gains?(head: number): number[];
  /** The counts behind Zeman's estimate. */
  counts?(head: number): NonNullable<BigramExplanation['counts']>[number];
}
