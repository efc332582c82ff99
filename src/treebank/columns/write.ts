import { UsageError } from '../../errors.ts';
import { quote } from '../../visible.ts';
import { textMatchesWords, withText } from '../editing/rows.ts';
import type { DocumentFormat } from '../json/documents.ts';
import { jsonOf } from '../json/json-sentence.ts';
import { universalSource } from '../json/read-json.ts';
import { lineAfter } from '../reading/batches.ts';
import type { ColumnFormat, DependencyFormat, TreebankFormat } from '../reading/format.ts';
import { dependencyFormats } from '../reading/format.ts';
import type { DependencyTree, Sentence, SentenceSource } from '../sentence.ts';
import { checkArcs, columnOf, currentSource, isFilled } from '../sentence.ts';
import { spacedText } from '../surface.ts';
import { ColumnLine } from './column-line.ts';
import { withComments, withValue } from './comments.ts';
import type { AnnotatedColumn, StringColumn } from './names.ts';
import { areConllu, CONLLU_COLUMNS, FORM, GLOBAL_COLUMNS, globalColumns, MISC } from './names.ts';
import { conlluToPlus } from './plus.ts';
import { idBefore } from './read.ts';

/** A tree to be written with a sentence; `misc` replaces the sentence's MISC in CoNLL-U. */
export interface WrittenTree extends DependencyTree {
  readonly misc?: readonly string[] | undefined;
}

const commonColumns = [undefined, 'forms', 'lemmas', 'upos', 'xpos', 'feats', 'heads', 'labels'] as const;

/** The columns that are written again, at their places in a line; undefined: those that stay as they are. */
const writtenColumns: Readonly<Record<ColumnFormat, readonly (StringColumn | 'heads' | undefined)[]>> = {
  conllu: [...commonColumns, 'deps', 'misc'],
  conllx: commonColumns,
  'three-column': ['forms', undefined, 'heads'],
};

const SENTENCE_ID = 'sent_id';
const TAB = 9;
const LINE_FEED = 10;

/** Reused from line to line; nothing here is asynchronous. */
const row = new ColumnLine();

/**
 * Formats a sentence, with the heads and labels of `tree` (default: the sentence's), ending with a blank line.
 *
 * A sentence read from a file of the same format comes back byte for byte, except changed values; a comment `# text`
 * that matched the words changes with them, the tag of three columns never. Any other sentence, also one with
 * more or fewer tokens than it was read with, is written anew, without what the format cannot hold:
 * - `conllu`: PHEAD and PDEPREL of CoNLL-X, and a declaration of the columns of CoNLL-U Plus;
 * - `conllx`: comments, multiword ranges, empty nodes, DEPS and MISC;
 * - `three-column`: all columns except form, tag (XPOS, or UPOS where there is none) and head;
 * - `json`: as for `conllu`, into which it can be converted and back;
 * - `conllup`: only sentences that were read from CoNLL-U Plus can be written.
 *
 * A head of −1 is written as `_`.
 *
 * @throws UsageError for an unknown format, for a tree of another sentence, for a field with a tab or line end, and for a sentence
 *   built by a program that lacks a column to be written
 */
export function formatSentence(
  sentence: Sentence,
  format: DependencyFormat,
  tree: WrittenTree = sentence,
): string {
  if (format === 'json') return asJson(sentence, formatSentence(sentence, 'conllu', tree));
  if (!dependencyFormats.includes(format)) throw new UsageError(`${format}: no format of dependency trees`);
  checkArcs(tree, sentence.length);
  const source = sourceIn(format, sentence);
  if (format === 'conllup') {
    if (sentence.source?.format !== 'conllup' || source === undefined)
      throw new UsageError(
        'CoNLL-U Plus can be written only from CoNLL-U Plus, which declares the columns: write conllu',
      );
    return conlluToPlus(rewritten(sentence, source, tree), sentence);
  }
  if (source !== undefined) {
    const text = rewritten(sentence, source, tree);
    return format === sentence.source?.format ? text : withoutOtherColumns(text);
  }
  if (format === 'three-column') return threeColumns(sentence, tree);
  return tenColumns(sentence, tree, format === 'conllu');
}

/** The sentence's source text if it is, or can be converted to, this format. */
function sourceIn(format: ColumnFormat | 'conllup', sentence: Sentence): SentenceSource | undefined {
  if (format === 'conllu' || format === 'conllup') return universalSource(sentence);
  const source = currentSource(sentence);
  return source?.format === format ? source : undefined;
}

/** Formats a sentence as JSON: its source text, if that is JSON equivalent to the given CoNLL-U. */
function asJson(sentence: Sentence, conllu: string): string {
  const { source } = sentence;
  const isUnchanged = source?.format === 'json' && universalSource(sentence)?.text === conllu;
  return isUnchanged ? source.text : jsonOf(conllu);
}

/** Returns the source text with the values that have changed. */
function rewritten(sentence: Sentence, source: SentenceSource, tree: WrittenTree): string {
  const { heads, labels, misc = sentence.misc } = tree;
  const current = { ...sentence, heads, labels, misc };
  const { text, areWordsNew } = rewrittenTokens(current, source);
  if (source.format !== 'conllu') return text;
  const isTextOld = areWordsNew && textMatchesWords(source.text);
  const conllu = isTextOld ? withText(text, current) : text;
  const { id } = sentence;
  const before = idBefore(source.text);
  if (id === before) return conllu;
  if (id !== undefined) checkField(id);
  return id === undefined || before === undefined
    ? withComments(conllu, { [SENTENCE_ID]: id })
    : withValue(conllu, SENTENCE_ID, id);
}

/** Returns the source text with the values of tokens that have changed, and whether this changes the plain text. */
function rewrittenTokens(sentence: Sentence, { text, lines, format }: SentenceSource) {
  const titles = writtenColumns[format as ColumnFormat];
  const columns = titles.map((title) => (title === undefined ? undefined : sentence[title]));
  let result = '';
  let copied = 0;
  let areWordsNew = false;
  const replace = (place: number, value: string): void => {
    checkField(value);
    result += text.slice(copied, row.start(place)) + value;
    copied = row.start(place + 1) - 1;
  };
  let at = 0;
  let line = lines[0];
  for (let d = 1; d <= sentence.length; d++) {
    for (; line < lines[d]; line++) at = lineAfter(text, at);
    row.read(text, at);
    for (let place = 0; place < columns.length; place++) {
      const value = columns[place]?.[d];
      if (value === undefined) continue;
      if (typeof value === 'number') {
        if (row.integer(place) !== value) replace(place, headText(value));
      } else if (!row.equals(place, value)) {
        replace(place, value);
        if (place === FORM || place === MISC) areWordsNew ||= isRespelled(sentence, d, format);
      }
    }
  }
  return { text: result + text.slice(copied), areWordsNew };
}

/** Whether a token of CoNLL-U, or the white space around it, differs from the source, which `row` has. */
const isRespelled = ({ forms, misc }: Sentence, d: number, format: TreebankFormat): boolean =>
  format === 'conllu' && spacedText(row.field(FORM), row.field(MISC)) !== spacedText(forms[d], misc[d]);

/** Removes a declaration of other columns than CoNLL-U's, and a byte-order mark before it, with which the text would be read as CoNLL-U Plus. */
function withoutOtherColumns(conllu: string): string {
  if (areConllu(globalColumns(conllu) ?? CONLLU_COLUMNS)) return conllu;
  return withComments(conllu, { [GLOBAL_COLUMNS]: undefined }).replace(/^\ufeff/, '');
}

function threeColumns(sentence: Sentence, { heads }: DependencyTree): string {
  const [forms, upos, xpos] = columnsOf(sentence, 'forms', 'upos', 'xpos');
  let text = '';
  for (let d = 1; d <= sentence.length; d++)
    text += `${forms[d]}\t${xpos[d] === '_' ? upos[d] : xpos[d]}\t${headText(heads[d])}\n`;
  checkLayout(text, 2 * sentence.length, sentence.length, [forms, upos, xpos]);
  return `${text}\n`;
}

function tenColumns(sentence: Sentence, tree: WrittenTree, isConllu: boolean): string {
  const { heads, labels } = tree;
  const [forms, lemmas, upos, xpos, feats] = columnsOf(sentence, 'forms', 'lemmas', 'upos', 'xpos', 'feats');
  const [deps, own] = isConllu ? columnsOf(sentence, 'deps', 'misc') : [];
  const misc = tree.misc ?? own;
  let text = '';
  for (let d = 1; d <= sentence.length; d++) {
    const token = `${d}\t${forms[d]}\t${lemmas[d]}\t${upos[d]}\t${xpos[d]}\t${feats[d]}`;
    const end = deps === undefined ? '_\t_' : `${deps[d]}\t${misc![d]}`;
    text += `${token}\t${headText(heads[d])}\t${labels[d]}\t${end}\n`;
  }
  const written = [forms, lemmas, upos, xpos, feats, labels, deps ?? [], misc ?? []];
  checkLayout(text, 9 * sentence.length, sentence.length, written);
  if (!isConllu || sentence.id === undefined) return `${text}\n`;
  checkField(sentence.id);
  return `# ${SENTENCE_ID} = ${sentence.id}\n${text}\n`;
}

/**
 * Throws `UsageError` for a field with a tab or line end, which would be read as several. Counting them in the text is faster
 * than looking at each field.
 */
function checkLayout(
  text: string,
  tabs: number,
  lines: number,
  columns: readonly (readonly string[])[],
): void {
  let [foundTabs, foundLines] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === TAB) foundTabs++;
    else if (code === LINE_FEED) foundLines++;
  }
  if (foundTabs !== tabs || foundLines !== lines)
    for (const column of columns) for (const field of column) checkField(field);
}

function checkField(field: string): void {
  if (/[\t\n]/.test(field)) throw new UsageError(`${quote(field)}: expected text without tabs and line ends`);
}

const columnsOf = (sentence: Sentence, ...names: readonly StringColumn[]): (readonly string[])[] =>
  names.map((name) => columnOf(sentence, name));

const headText = (head: number): string => (head < 0 ? '_' : String(head));

/** Annotated columns of a sentence, laid out as in `Sentence`. */
export type FilledColumns = Partial<Pick<Sentence, AnnotatedColumn>>;

/** A candidate annotation of a word: values of columns, and a score whose unit depends on the annotator. */
export interface ColumnAlternative {
  readonly columns: Readonly<Partial<Record<AnnotatedColumn, string>>>;
  readonly score: number;
}

/** The formats with all columns that annotators fill. */
export type AnnotatedFormat = Exclude<DependencyFormat, 'three-column'>;

export const isAnnotatedFormat = (format: TreebankFormat): format is AnnotatedFormat =>
  format !== 'three-column' && format !== 'brackets';

/** A part of a sentence that some format cannot hold. */
type Loss = { readonly name: string; isIn(sentence: Sentence): boolean };

const column = (name: string, key: StringColumn): Loss => ({
  name,
  isIn: (sentence) => isFilled(sentence[key]),
});

const lines = (name: string, pattern: RegExp): Loss => ({
  name,
  isIn: (sentence) => pattern.test(universalSource(sentence)?.text ?? ''),
});

const phrases: Loss = { name: 'phrases', isIn: ({ source }) => source?.format === 'brackets' };
const conlluColumns: readonly string[] = CONLLU_COLUMNS;
const otherColumns: Loss = {
  name: 'other columns',
  isIn: ({ source }) => source?.columns?.some((name) => !conlluColumns.includes(name)) ?? false,
};
const hasProjectiveColumns = /^(?:[^\t\n]+\t){8}(?:[^_\t]|_[^\t]|_\t[^_\r\n])/m;
const projectiveColumns: Loss = {
  name: 'PHEAD and PDEPREL',
  isIn: ({ source }) => source?.format === 'conllx' && hasProjectiveColumns.test(source.text),
};

/** What only formats other than CoNLL-U have. */
const otherFormats = [phrases, projectiveColumns, otherColumns];

const multiwordTokens = lines('multiword tokens', /^\d+-\d+\t/m);
const emptyNodes = lines('empty nodes', /^\d+\.\d+\t/m);
const deps = column('DEPS', 'deps');
const universalOnly = [lines('comments', /^#/m), multiwordTokens, emptyNodes, deps, column('MISC', 'misc')];
const otherComments = lines('comments', /^#(?![ \t]*text[ \t]*=)/m);
const otherMisc: Loss = {
  name: 'MISC',
  isIn: ({ misc }) => misc.some((value) => /(?:^|\|)(?!Spaces?After=)[^_|]/.test(value)),
};

const losses: Readonly<Record<DependencyFormat | DocumentFormat, readonly Loss[]>> = {
  conllu: otherFormats,
  conllup: [],
  json: otherFormats,
  conllx: [phrases, otherColumns, ...universalOnly],
  'three-column': [
    ...otherFormats,
    ...universalOnly,
    column('lemmas', 'lemmas'),
    { name: 'UPOS (CPOSTAG)', isIn: ({ upos, xpos }) => isFilled(upos) && isFilled(xpos) },
    column('features', 'feats'),
    column('labels', 'labels'),
  ],
  spacy: [...otherFormats, otherComments, emptyNodes, multiwordTokens, deps, otherMisc],
  stanza: [...otherFormats, otherComments],
};

/** Names the parts of a sentence that are lost when it is written in a format. */
export function lostIn(sentence: Sentence, format: DependencyFormat | DocumentFormat): string[] {
  if (sentence.source?.format === format) return [];
  return losses[format].filter((loss) => loss.isIn(sentence)).map(({ name }) => name);
}
