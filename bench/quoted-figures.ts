/** docs/figures.json: figures that the pages quote, by group and name, and the commands that measure them. */
import { minifySync, parseSync, transformSync } from 'rolldown/utils';
import { fileSize } from '../cli/terminal/output.ts';

export type Groups = Readonly<Record<string, Group>>;

export interface Group {
  readonly data: string;
  /** How its figures without a command of their own were measured, or where they are from. */
  readonly source?: string;
  readonly chosenOnDev: boolean;
  readonly figures: Readonly<Record<string, Figure>>;
}

type Values = Readonly<Record<string, number | string>>;

export interface Figure {
  /** By key, the heading of a column: a number, or text such as `88.24 / 86.52` and `25 s`. */
  readonly values: Values;
  /** The commit whose code gave it. */
  readonly commit: string;
  /** A later commit, whose code gives the same on the first sentences of the same files. */
  readonly confirmed?: string;
  /** Steps between `; `, the last of which prints JSON; or one such command for each key. */
  readonly command?: string | Readonly<Record<string, string>>;
  readonly source?: string;
  readonly chosenOnDev?: boolean;
}

type Scores = Readonly<Record<string, number>>;
/** What `train --json` prints. */
interface TrainingReport {
  readonly bytes: number;
  readonly scores: Scores | PipelineScores;
}
interface PipelineScores {
  /** From raw text. */
  readonly text: Scores;
  /** Of gold tokens. */
  readonly tokens: Scores;
}
/** What `evaluate --json` prints. */
type EvaluationReport = readonly [Scores & { readonly ud?: Scores }];

/** Each command of a figure, with the keys whose values it measures. */
export function commandsOf({ command = {}, values }: Figure): { command: string; keys: string[] }[] {
  if (typeof command === 'string') return [{ command, keys: Object.keys(values) }];
  const keysOf = (one: string) => Object.keys(command).filter((key) => command[key] === one);
  return [...new Set(Object.values(command))].map((one) => ({ command: one, keys: keysOf(one) }));
}

/** The values that a report has of these keys, with two decimals; a pair of numbers is UAS / LAS. */
export function measuredValues(keys: readonly string[], before: Values, report: unknown): Values {
  const scores = scoresOf(report);
  const measured = keys.flatMap((key) => {
    const isPair = String(before[key]).includes(' / ');
    const found = (isPair ? ['UAS', 'LAS'] : [key]).map((name) => scores[name]);
    if (found.includes(undefined)) return [];
    const shown = found.map((value) => (typeof value === 'number' ? value.toFixed(2) : value));
    return [[key, typeof before[key] === 'number' ? Number(shown[0]) : shown.join(' / ')]];
  });
  return Object.fromEntries(measured);
}

/** The scores of a report, which `train --json` or `evaluate --json` prints, by the keys of figures. */
export function scoresOf(report: unknown): Readonly<Record<string, number | string | undefined>> {
  const printed = report as TrainingReport | EvaluationReport;
  if (!('scores' in printed)) {
    const [{ ud, uas, las, f1, exactMatch, taggingAccuracy }] = printed;
    return { UAS: uas, LAS: las, 'UD LAS': ud?.las, F1: f1, exact: exactMatch, tags: taggingAccuracy };
  }
  const { scores, bytes } = printed;
  const size = fileSize(bytes);
  if (!isPipeline(scores)) {
    const { uas, las, Lemmas, ...tags } = scores;
    return { ...tags, UAS: uas, LAS: las, 'lemmas, own tags': Lemmas, size };
  }
  const { LAS, Words, ...text } = scores.text;
  return { ...text, 'UD LAS': LAS, words: Words, "lemmas, tagger's": scores.tokens.Lemmas, size };
}

function isPipeline(scores: Scores | PipelineScores): scores is PipelineScores {
  return typeof scores.text === 'object';
}

/**
 * A source file without what does not decide on figures: comments, line breaks, messages of errors that are thrown and, but
 * in AssemblyScript, types.
 */
export function codeThatRuns(file: string, source: string): string {
  if (file.includes('/assembly/')) return source;
  const { code } = minifySync(file, transformSync(file, source).code, { compress: false, mangle: false });
  const messages = messagesIn(parseSync(file.replace(/ts$/, 'js'), code).program);
  return messages.reduceRight((text, [start, end]) => text.slice(0, start) + text.slice(end), code);
}

/** Where the messages of errors that are thrown begin and end, in the order of the code. */
function messagesIn(node: object, isThrown = false): [start: number, end: number][] {
  const { type, start, end } = node as {
    readonly type?: string;
    readonly start: number;
    readonly end: number;
  };
  if (isThrown && (type === 'TemplateLiteral' || type === 'Literal')) return [[start, end]];
  const parts: unknown[] = Object.values(node);
  return parts
    .filter((part) => typeof part === 'object' && part !== null)
    .flatMap((part) => messagesIn(part, isThrown || type === 'ThrowStatement'));
}
