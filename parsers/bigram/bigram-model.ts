import type { ColumnEncoder, EncodedColumn } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import { type ArcPart, ArcParts, type PartColumns } from './arcs/arc-parts.ts';
import type { ZemanColumns } from './arcs/zeman.ts';
import { LabelKeys } from './labels/label-keys.ts';
import { PatternKeys } from './patterns/pattern-keys.ts';
import type { PatternColumns } from './patterns/pattern-notation.ts';
import { arcNotation, columnsRead, labelNotation } from './patterns/sections.ts';
import type { BigramSettings } from './settings.ts';

/** What is the same for all estimates: settings, and the numbers that words and labels have. */
export interface BigramModel {
  readonly settings: BigramSettings;
  readonly numbering: Numbering;
}

/** The keys under which arcs are counted. */
export function arcKeys(model: BigramModel): PatternKeys<ArcPart> {
  const columns = partColumns(model);
  const patterns = arcNotation.patterns(model.settings.templates.arcs, patternColumns(model));
  return new PatternKeys(patterns, (most) => new ArcParts(columns, most));
}

/** The keys under which labels are counted. */
export function labelKeys(model: BigramModel): LabelKeys {
  const patterns = labelNotation.patterns(model.settings.templates.labels, patternColumns(model));
  return new LabelKeys(patterns, partColumns(model));
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

function patternColumns({ numbering: { encoder }, settings }: BigramModel): PatternColumns {
  return { names: encoder.names, tags: settings.tags, isFilled: (name) => encoder.isFilled(name) };
}

/** What Zeman's estimate reads: his tags have morphological features, and his verbs' tags begin with V. */
export function zemanColumns({ numbering: { encoder }, settings }: BigramModel): ZemanColumns {
  const column = (name: EncodedColumn) => encoder.names.indexOf(name);
  const form = column('form');
  return {
    form,
    lemma: column('lemma'),
    tag: [...settings.tags, 'feats' as const].map(column),
    // A number that no token has, where the treebank has no comma.
    comma: encoder.vocabulary(form).idOf(',') || -1,
    isVerb: marked(encoder, settings.tags[0], /^(V|ADI)/i),
  };
}

function partColumns({ numbering: { encoder }, settings }: BigramModel): PartColumns {
  const column = encoder.names.indexOf(settings.tags[0]);
  return {
    tag: column,
    form: encoder.names.indexOf('form'),
    tagCount: encoder.vocabulary(column).size,
    punctuation: marked(encoder, 'form', /^\p{P}+$/u),
  };
}

/** Of each number of a column, 1 where its string is such. */
function marked(encoder: ColumnEncoder, name: EncodedColumn, pattern: RegExp): Uint8Array {
  const vocabulary = encoder.vocabulary(encoder.names.indexOf(name));
  const marks = new Uint8Array(vocabulary.size);
  for (const string of vocabulary.strings()) if (pattern.test(string)) marks[vocabulary.idOf(string)] = 1;
  return marks;
}
