import { InputError, OptionError, type Place, placeText, UsageError } from '../../src/errors.ts';
import { sendingErrors } from '../../src/sent-error.ts';
import { asBlock, withComments } from '../../src/treebank/columns/comments.ts';
import { kindsIn, miscWithConfidences, withoutConfidences } from '../../src/treebank/columns/confidence.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { jsonOf } from '../../src/treebank/json/json-sentence.ts';
import { formatBrackets } from '../../src/treebank/phrases/brackets.ts';
import type { DependencyFormat, TreebankFormat } from '../../src/treebank/reading/format.ts';
import { SkippedMarks } from '../../src/treebank/reading/skipped-marks.ts';
import { readBatch } from '../../src/treebank/reading/treebank-file.ts';
import type { DependencyTree, Sentence, TextBatch } from '../../src/treebank/sentence.ts';
import { byProbability, type Parse, type Parser, type RankedParse } from '../parser.ts';
import { type UnseenCounts, UnseenValues } from './column-check.ts';

/** How a batch is read, parsed and written. */
export interface BatchOptions {
  readonly format: TreebankFormat;
  /** Output format; the batch's own by default. */
  readonly to?: TreebankFormat | undefined;
  readonly skipInvalid: boolean;
  readonly confidence?: boolean | undefined;
  /** Number of best trees per sentence; comments have their ranks (`rankedText`). */
  readonly nBest?: number | undefined;
  /** Whether a tokenizer made the sentences: a sentence that the parser refuses is then not an error in the input. */
  readonly isText?: boolean | undefined;
}

/** A malformed sentence, as data to send between threads (an error would lose its class on the way). */
export type Fault = { readonly problem: string; readonly place: Place };
/** The part of a parser that parsing a file uses. */
export type SentenceParser = Pick<Parser, 'reads' | 'filled' | 'writes' | 'parse' | 'parseAll' | 'nBest'>;

/** The output of a batch, its figures, and what went wrong. */
export interface ParsedBatch {
  /** The batch with predicted heads and labels, without the sentences that were skipped. */
  readonly text: string;
  readonly sentences: number;
  readonly tokens: number;
  readonly ties?: number | undefined;
  readonly skipped: readonly Fault[];
  /** Marks of the last of these, to be carried over to the next batch. */
  readonly marks: readonly string[];
  /** Sentences that a step failed on: the text has them without a tree. */
  readonly failed: readonly Fault[];
  /** The parser's notices about sentences: `file:line: notice`. */
  readonly notices: readonly string[];
  readonly unseen: UnseenCounts;
  /** The malformed sentence that ended the batch, if malformed ones are not skipped; the text is then incomplete. */
  readonly fault?: Fault | undefined;
}

/** What a worker thread does with each batch, by a parser that it opens once. */
export async function batchWorker<Copy>(
  { parser: copy, options }: { readonly parser: Copy; readonly options: BatchOptions },
  open: (copy: Copy) => Promise<SentenceParser>,
) {
  const parser = await open(copy);
  return sendingErrors((batch: TextBatch) => parseBatch(parser, batch, options));
}

/**
 * Parses a batch. Throws `UsageError` for brackets from a parser without phrases, and for confidences that the parser or the
 * format does not have.
 */
export function parseBatch(parser: SentenceParser, batch: TextBatch, options: BatchOptions): ParsedBatch {
  const { format, to = format, skipInvalid, confidence, nBest, isText = false } = options;
  if (nBest !== undefined) checkRanking(parser, to, confidence);
  const skipped: Fault[] = [];
  const failed: Fault[] = [];
  const notices: string[] = [];
  const onSkip = ({ problem, place }: InputError) => skipped.push({ problem, place });
  const marks = new SkippedMarks();
  const unseen = new UnseenValues();
  let text = '';
  let ties: number | undefined;
  let fault: Fault | undefined;
  const read: Sentence[] = [];
  try {
    const reading = { format, expect: 'tokens', skipInvalid, onSkip } as const;
    for (const sentence of readBatch(batch, reading, marks)) read.push(sentence);
  } catch (error) {
    fault = faultOf(error);
  }
  try {
    const ranked = rankedParses(parser, read, options);
    for (const [i, sentence] of read.entries()) {
      const found = ranked[i];
      if ('problem' in found) {
        failed.push(found);
        if (to !== 'brackets') text += formatSentence(sentence, to, withoutTree(sentence));
        continue;
      }
      const [parse] = found;
      const filled = parse.columns === undefined ? sentence : { ...sentence, ...parse.columns };
      if (nBest !== undefined) text += rankedText(filled, found, to);
      else text += confidence ? writtenWithConfidences(filled, parse, to) : written(filled, parse, to);
      unseen.add(filled, parse.unseen);
      // The lines of a text's sentences are those of CoNLL-U, which its user does not see.
      const place = isText
        ? `sentence ${sentence.id ?? i + 1}: `
        : placeText({ file: batch.file, line: sentence.source?.line });
      for (const notice of parse.notices) notices.push(place + notice);
      if (parse.ties !== undefined) ties = (ties ?? 0) + parse.ties;
    }
  } catch (error) {
    // This error is about a sentence before the malformed one.
    fault = faultOf(error);
  }
  const tokens = read.reduce((sum, { length }) => sum + length, 0);
  return {
    text,
    sentences: read.length,
    tokens,
    ties,
    skipped,
    marks: marks.lines,
    failed,
    notices,
    unseen: unseen.counts,
    fault,
  };
}

/**
 * The trees of each sentence, the best first. If a step of a pipeline fails on what an earlier step made, only that sentence
 * gets no tree; errors in the input or the options are thrown.
 */
function rankedParses(
  parser: SentenceParser,
  sentences: readonly Sentence[],
  { confidence, nBest, isText = false }: BatchOptions,
): readonly (readonly [RankedParse, ...RankedParse[]] | Fault)[] {
  const isUsers = (error: unknown) => error instanceof UsageError || (error instanceof InputError && !isText);
  const ranked = (sentence: Sentence) =>
    (nBest === undefined ? [parser.parse(sentence, { confidence })] : parser.nBest!(sentence, nBest)) as [
      RankedParse,
      ...RankedParse[],
    ];
  try {
    if (nBest !== undefined) return sentences.map(ranked);
    return parser.parseAll(sentences, { confidence }).map((parse) => [parse]);
  } catch (error) {
    if (isUsers(error)) throw error;
  }
  return sentences.map((sentence) => {
    try {
      return ranked(sentence);
    } catch (error) {
      if (isUsers(error)) throw error;
      const { file, line } = sentence.source ?? {};
      return { problem: error instanceof InputError ? error.problem : String(error), place: { file, line } };
    }
  });
}

function withoutTree({ length }: Sentence): DependencyTree {
  return { heads: new Int32Array(length + 1).fill(-1), labels: new Array<string>(length + 1).fill('_') };
}

function faultOf(error: unknown): Fault {
  if (!(error instanceof InputError)) throw error;
  return { problem: error.problem, place: error.place };
}

function writtenWithConfidences(sentence: Sentence, parse: Parse, to: TreebankFormat): string {
  const { heads, labels, confidences: arcs, columnConfidences } = parse;
  const misc = miscWithConfidences(sentence, { ...columnConfidences, ...(arcs && { arcs }) }, to);
  if (arcs === undefined && columnConfidences === undefined)
    throw new OptionError((option) => `${option('confidence')}: this parser has no confidences`);
  return formatSentence(sentence, to as DependencyFormat, { heads, labels, misc });
}

function checkRanking({ nBest }: SentenceParser, to: TreebankFormat, confidence?: boolean): void {
  if (nBest === undefined)
    throw new OptionError((option) => `${option('nBest')}: this model finds the best tree only`);
  if (confidence)
    throw new OptionError((option) => `${option('nBest')} and ${option('confidence')}: one or the other`);
  if (to === 'conllx' || to === 'three-column' || to === 'conllup') {
    throw new OptionError(
      (option) =>
        `${option('nBest')} writes CoNLL-U, JSON or brackets, not ${to}: add ${option('to', 'conllu')}`,
    );
  }
}

/** All trees of a sentence, with the comments `# tree = 2 of 5` and `# probability = 0.12`. */
function rankedText(sentence: Sentence, parses: readonly RankedParse[], to: TreebankFormat): string {
  const trees = to === 'brackets' ? parses : differentTrees(parses);
  const texts = trees.map((parse, i) => {
    const tree = `${i + 1} of ${trees.length}`;
    const comments = { tree, probability: parse.probability?.toPrecision(3) };
    if (to === 'brackets') return withComments(written(sentence, parse, to), comments);
    const conllu = withComments(written(sentence, parse, 'conllu'), comments);
    if (to === 'json') return jsonOf(conllu);
    return i === 0 ? conllu : asBlock(conllu);
  });
  return texts.join('');
}

/** Merges trees that differ in their phrases only; their probabilities add up. */
function differentTrees(parses: readonly RankedParse[]): RankedParse[] {
  const different = new Map<string, RankedParse>();
  for (const parse of parses) {
    const key = `${parse.heads}\t${parse.labels.join('\t')}`;
    const before = different.get(key);
    if (before === undefined) different.set(key, parse);
    else if (before.probability !== undefined && parse.probability !== undefined)
      different.set(key, { ...before, probability: before.probability + parse.probability });
  }
  return byProbability(different.values());
}

function written(sentence: Sentence, parse: Parse, to: TreebankFormat): string {
  if (to !== 'brackets') {
    const { heads, labels, columns = {} } = parse;
    const misc = withoutConfidences(sentence.misc, ['arcs', ...kindsIn(columns)]);
    return formatSentence(sentence, to, { heads, labels, misc });
  }
  if (parse.phrases !== undefined) return `${formatBrackets(parse.phrases)}\n`;
  throw new OptionError(
    (option) =>
      `${placeText({ file: sentence.source?.file })}heads and labels, which this parser finds, do not fit into brackets: use ${option('to', 'conllu')}, or convert the file to CoNLL-U first`,
  );
}
