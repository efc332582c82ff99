import { InvalidArgumentError } from 'commander';
import { UsageError } from '../../../src/errors.ts';
import { tagOf } from '../../../src/evaluate/breakdowns/buckets.ts';
import { sentencePairs } from '../../../src/evaluate/lock-step.ts';
import { ErrorReasons, type KindOfError } from '../../../src/explain/error-reasons.ts';
import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import type { MatrixExplanation } from '../../../src/explain/matrix.ts';
import { weights } from '../../../src/report/explanation/section.ts';
import { figures, fitTable, tableOf, text, textTable } from '../../../src/report/tables/table.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { plural, print, printJson, printText, styled } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';
import { type Explainer, type ExplainFlags, openExplainer, type WrongChoice } from './sentence.ts';

/** Reads `label=obl` or `tag=NOUN`. */
export function wrongChoice(text: string): WrongChoice {
  const [, by, value] = /^(label|tag)=(.+)$/.exec(text) ?? [];
  if (by === undefined) throw new InvalidArgumentError('Expected label=NAME or tag=NAME.');
  return { by: by as WrongChoice['by'], value };
}

/** Kinds of errors shown; templates and words of each. */
const KINDS = 8;
const TEMPLATES = 8;
const WORDS = 6;

interface Found {
  readonly words: number;
  readonly errors: number;
  readonly kinds: readonly KindOfError[];
}

export async function explainErrors(file: string, flags: ExplainFlags): Promise<void> {
  const { model, gold, json, wrong } = flags;
  if (gold === undefined) throw new UsageError('--wrong goes by the right trees: it needs --gold');
  const explainer = await openExplainer(model);
  const found = await withProgress('explaining', 'sentences', flags.quiet, (onProgress) =>
    collect(explainer, file, { ...flags, gold, wrong: wrong! }, onProgress),
  );
  if (json) printJson({ model, file, gold, wrong, ...found });
  else printErrors(found, wrong!);
}

async function collect(
  explainer: Explainer,
  file: string,
  { gold, format, encoding, wrong }: ExplainFlags & { gold: string; wrong: WrongChoice },
  onProgress: (done: number) => void,
): Promise<Found> {
  const right = await openTreebank(gold, { format, encoding, expect: 'trees' });
  const input = await openTreebank(file, { format, encoding, expect: 'tokens' });
  const reasons = new ErrorReasons();
  let [sentences, words, errors] = [0, 0, 0];
  for await (const pair of sentencePairs(right, input)) {
    sentences++;
    const asked = wordsOf(pair.gold, wrong);
    words += asked.length;
    if (asked.length > 0) {
      const whole = scored(explainer.explain(pair.predicted, { gold: pair.gold }));
      for (const d of asked.filter((d) => isWrong(whole, d))) {
        reasons.add(scored(explainer.explain(pair.predicted, { gold: pair.gold, arc: d })), sentences);
        errors++;
      }
    }
    onProgress(sentences);
  }
  return { words, errors, kinds: reasons.report() };
}

function wordsOf(gold: Sentence, { by, value }: WrongChoice): number[] {
  const tokens = Array.from({ length: gold.length }, (_, i) => i + 1);
  return tokens.filter((d) => (by === 'label' ? gold.labels[d] : tagOf(gold, d)) === value);
}

function isWrong({ tree, gold }: MatrixExplanation, d: number): boolean {
  return tree.heads[d] !== gold!.heads[d] || tree.labels[d] !== gold!.labels[d];
}

/** The explanation of a parser that scores arcs; others cannot attribute errors to features of arcs. */
function scored(explained: ParseExplanation): MatrixExplanation {
  const own = explained.paradigm === 'pipeline' ? explained.parser : explained;
  if (own !== undefined && 'arcs' in own) return own;
  throw new UsageError(
    `--wrong goes with parsers that score arcs (graph, network, bigram), not with ${own?.paradigm}`,
  );
}

function printErrors({ words, errors, kinds }: Found, { by, value }: WrongChoice): void {
  print(styled('bold', `${by} ${value}: ${plural(errors, 'error')} in ${plural(words, 'word')}`));
  const width = process.stdout.columns ?? Number.POSITIVE_INFINITY;
  for (const kind of kinds.slice(0, KINDS)) printKind(kind, width);
  const rest = kinds.slice(KINDS).reduce((sum, { count }) => sum + count, 0);
  if (rest > 0) print(`\n${plural(rest, 'error')} of other kinds; --json has them all.`);
}

function printKind({ of, found, gold, count, margin, templates, tokens }: KindOfError, width: number): void {
  const what = of === 'label' ? `labelled ${found} for ${gold}` : `head ${found} for ${gold}`;
  print('\n', styled('bold', `${what}: ${plural(count, 'time')}`));
  const places = tokens.slice(0, WORDS).map(({ form, token, sentence }) => `${form} (${sentence}:${token})`);
  print(`Sentence and token: ${places.join(', ')}${tokens.length > WORDS ? ', …' : ''}`);
  print(
    `The wrong answer scores ${Math.round(margin).toLocaleString('en-US')} more on average. For it speak:`,
  );
  const table = tableOf(templates.slice(0, TEMPLATES), [
    [text('template'), ({ template }) => template],
    [weights('difference', 'on average'), ({ difference }) => difference],
    [figures('misled', 'times', 0), ({ misled }) => misled],
  ]);
  printText(textTable(fitTable(table, width)));
}
