import { basename } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { ColumnCheck } from '../../../parsers/run/column-check.ts';
import { placeText, UsageError } from '../../../src/errors.ts';
import { tagOf } from '../../../src/evaluate/breakdowns/buckets.ts';
import { sentencePairs } from '../../../src/evaluate/lock-step.ts';
import { ErrorReasons, type KindOfError } from '../../../src/explain/error-reasons.ts';
import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import type { MatrixExplanation } from '../../../src/explain/matrix.ts';
import { writeTextFile } from '../../../src/files/atomic-file.ts';
import { checkStandardInput, STANDARD_STREAM } from '../../../src/files/text-file.ts';
import { explanationPage } from '../../../src/report/explanation/explanation-page.ts';
import { heatMap, heatMapLegend } from '../../../src/report/explanation/matrix-sections.ts';
import type { ExplanationSection } from '../../../src/report/explanation/section.ts';
import { parserExplanation, shownScore, weights } from '../../../src/report/explanation/section.ts';
import { explanationSections } from '../../../src/report/explanation/sections.ts';
import { figures, fitTable, tableOf, text, textTable } from '../../../src/report/tables/table.ts';
import { drawPhraseTree, drawTree } from '../../../src/report/trees/tree-text.ts';
import { parseBrackets } from '../../../src/treebank/phrases/brackets.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { Command } from '../../options/command.ts';
import * as shared from '../../options/common.ts';
import {
  note,
  plural,
  print,
  printJson,
  printText,
  styled,
  terminalColumns,
  warn,
} from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';
import type { Asked, Explainer, ExplainFlags, WrongChoice } from './sentence.ts';
import { askedSentence, openExplainer } from './sentence.ts';

export function explainCommand(command: Command): Command {
  return command
    .argument(
      '<file>',
      'sentences in CoNLL-U, CoNLL-X, 3 columns or brackets; for a pipeline, also text (-: standard input)',
    )
    .requiredOption('--model <file>', 'model from train or pipeline, or the name of a ready one')
    .with(
      shared
        .integerOption('--sentence <n>', 'number of the sentence', { min: 1 }, undefined, '1')
        .conflicts('id'),
    )
    .option('--id <name>', 'sent_id of the sentence')
    .option('--gold <file>', 'gold trees of the same tokens, to compare with')
    .integer(
      '--arc <token>',
      'explain the head and label of this token, feature by feature (graph, network and bigram)',
    )
    .integer('--step <n>', 'explain this step, feature by feature (transition and yamada-matsumoto)')
    .with(
      new Option(
        '--wrong <label=name>',
        'explain errors on words with this gold label (or tag=name): the decisive feature templates over all sentences (graph, network and bigram)',
      )
        .argParser(wrongChoice)
        .conflicts(['sentence', 'id', 'arc', 'step', 'html']),
    )
    .option('--html <file>', 'write a self-contained, interactive page instead')
    .option('--ascii', 'draw the tree with ASCII characters')
    .with(shared.formatOption(), shared.encodingOption(), shared.allowMissingOption(), shared.quietOption())
    .with(shared.jsonOption('print the explanation as JSON'))
    .examples(
      'parliament explain --model graph.model dev.conllu --sentence 3 --arc 5 --gold dev.conllu',
      'parliament explain --model beam.model dev.conllu --id s-12 --html steps.html',
      'parliament explain --model english.model new.txt --json',
      'parliament explain --model graph.model dev.conllu --wrong label=obl --gold dev.conllu',
    )
    .action(explain);
}

async function explain(file: string, flags: ExplainFlags): Promise<void> {
  const { model, gold, arc, step, json, html } = flags;
  checkStandardInput(gold === undefined ? [file] : [file, gold]);
  if (json && html === STANDARD_STREAM)
    throw new UsageError('--html - writes the page to standard output: expected no --json');
  if (flags.wrong !== undefined) return explainErrors(file, flags);
  const explainer = await openExplainer(model);
  const asked = await askedSentence(file, explainer, flags);
  const explanation = explainer.explain(asked.sentence, { gold: asked.gold, arc, step });
  if (html !== undefined) await writePage(html, explanation, asked, flags);
  if (json) printJson({ model, file, sentence: asked.number, explanation });
  else if (html === undefined) printExplanation(explanation, asked, flags);
}

async function writePage(
  path: string,
  explanation: ParseExplanation,
  { number }: Asked,
  { model, quiet }: ExplainFlags,
): Promise<void> {
  const page = explanationPage(explanation, { title: `How ${basename(model)} parses sentence ${number}` });
  await writeTextFile(path, page);
  if (!quiet && path !== '-') note(`${path}: written`);
}

function printExplanation(explained: ParseExplanation, asked: Asked, { ascii, arc }: ExplainFlags) {
  const width = terminalWidth();
  const { id, notices } = explained;
  print(
    styled('bold', `sentence ${asked.number}${id === undefined ? '' : ` (${id})`}, ${explained.paradigm}`),
  );
  printText(treeText(explained, asked, !ascii, width));
  for (const notice of notices) warn(notice);
  for (const section of explanationSections(explained)) printSection(section, width);
  const scored = parserExplanation(explained);
  if (arc !== undefined || scored === undefined || !('marginals' in scored)) return;
  print('\n', styled('bold', 'Heat map'));
  print(heatMapLegend);
  for (const line of heatMap(scored, Math.min(width, MOST_WIDTH))) print(line);
}

const MOST_WIDTH = 160;

const terminalWidth = () => terminalColumns() ?? Number.POSITIVE_INFINITY;

function treeText(explained: ParseExplanation, { sentence }: Asked, unicode: boolean, width: number): string {
  const parser = parserExplanation(explained);
  const brackets = parser !== undefined && 'brackets' in parser ? parser.brackets : '';
  const phrases = [...parseBrackets(brackets)].map(({ tree }) => drawPhraseTree(tree, { unicode })).join('');
  const { tree, gold } = explained;
  if (phrases !== '' && gold === undefined) return phrases;
  const found = { heads: Int32Array.from(tree.heads), labels: tree.labels };
  const right = gold && { heads: Int32Array.from(gold.heads), labels: gold.labels };
  const shown = { ...sentence, upos: explained.tokens.map(({ tag }) => tag) };
  return phrases + drawTree(shown, found, { unicode, width, gold: right });
}

function printSection({ title, lines, tables }: ExplanationSection, width: number): void {
  print('\n', styled('bold', title));
  for (const line of lines) print(line);
  for (const { title: caption, table, notes } of tables) {
    print('\n', styled('dim', caption));
    for (const each of notes) print(each);
    if (table.rows.length > 0) printText(textTable(fitTable(table, width)));
  }
}

function wrongChoice(text: string): WrongChoice {
  const [, by, value] = /^(label|tag)=(.+)$/.exec(text) ?? [];
  if (by === undefined) throw new InvalidArgumentError('Expected label=NAME or tag=NAME.');
  return { by: by as WrongChoice['by'], value };
}

/** Maximum number of kinds of errors shown, and of templates and words for each. */
const KINDS = 8;
const TEMPLATES = 8;
const WORDS = 6;

async function explainErrors(file: string, flags: ExplainFlags): Promise<void> {
  const { model, gold, json, wrong, allowMissing } = flags;
  if (gold === undefined) throw new UsageError('--wrong needs gold trees: --gold');
  const explainer = await openExplainer(model);
  const check = new ColumnCheck(explainer);
  const { leftOut, ...found } = await withProgress('explaining', 'sentences', flags.quiet, (onProgress) =>
    collect(explainer, file, { ...flags, gold, wrong: wrong!, check }, onProgress),
  );
  if (found.words === 0 && leftOut.length === 0)
    throw new UsageError(`no word of ${gold} has the gold ${wrong!.by} ${wrong!.value}`);
  check.settle(file, { allowMissing, onWarning: warn });
  if (leftOut.length > 0) warn(`${plural(leftOut.length, 'sentence')} left out, the first: ${leftOut[0]}`);
  if (json) printJson({ model, file, gold, wrong, ...found, leftOut: leftOut.length });
  else printErrors(found, wrong!);
}

type WrongFlags = ExplainFlags & { readonly gold: string; readonly wrong: WrongChoice };

/** Explains the errors on the chosen words; leaves out sentences that cannot be explained, as they are too long. */
async function collect(
  explainer: Explainer,
  file: string,
  { gold, format, encoding, wrong, check }: WrongFlags & { readonly check: ColumnCheck },
  onProgress: (done: number) => void,
) {
  const right = await openTreebank(gold, { format, encoding, expect: 'trees' });
  const input = await openTreebank(file, { format, encoding, expect: 'tokens' });
  const reasons = new ErrorReasons();
  const leftOut: string[] = [];
  let [words, errors] = [0, 0];
  for await (const pair of sentencePairs(right, input)) {
    const { number } = pair;
    onProgress(number);
    check.add(pair.predicted);
    const tokens = Array.from({ length: pair.gold.length }, (_, i) => i + 1);
    const chosen = tokens.filter(
      (d) => (wrong.by === 'label' ? pair.gold.labels[d] : tagOf(pair.gold, d)) === wrong.value,
    );
    if (chosen.length === 0) continue;
    const explained = attempted(() => explainer.explain(pair.predicted, { gold: pair.gold }));
    if (typeof explained === 'string') {
      leftOut.push(placeText(pair.predicted.source ?? {}) + explained);
      continue;
    }
    words += chosen.length;
    const whole = scored(explained);
    for (const d of chosen.filter((d) => isWrong(whole, d))) {
      reasons.add(scored(explainer.explain(pair.predicted, { gold: pair.gold, arc: d })), number);
      errors++;
    }
  }
  return { words, errors, kinds: reasons.report(), leftOut };
}

/** The explanation, or the message of a `UsageError`. */
function attempted(explain: () => ParseExplanation): ParseExplanation | string {
  try {
    return explain();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

function isWrong({ tree, gold }: MatrixExplanation, d: number): boolean {
  return tree.heads[d] !== gold!.heads[d] || tree.labels[d] !== gold!.labels[d];
}

/** The explanation of a parser that scores arcs; throws `UsageError` for others. */
function scored(explained: ParseExplanation): MatrixExplanation {
  const own = parserExplanation(explained);
  if (own !== undefined && 'arcs' in own) return own;
  throw new UsageError(
    `--wrong goes with parsers that score arcs (graph, network, bigram), not with ${own?.paradigm}`,
  );
}

function printErrors(
  { words, errors, kinds }: Omit<Awaited<ReturnType<typeof collect>>, 'leftOut'>,
  { by, value }: WrongChoice,
): void {
  print(styled('bold', `${by} ${value}: ${plural(errors, 'error')} in ${plural(words, 'word')}`));
  const width = terminalWidth();
  for (const kind of kinds.slice(0, KINDS)) printKind(kind, width);
  const rest = kinds.slice(KINDS).reduce((sum, { count }) => sum + count, 0);
  if (rest > 0) print(`\n${plural(rest, 'error')} of other kinds; --json has them all.`);
}

function printKind(
  { of, found, gold, count: times, margin, templates, tokens }: KindOfError,
  width: number,
): void {
  const heads = found === gold ? `another ${gold} as head` : `head with tag ${found} instead of ${gold}`;
  const what = of === 'label' ? `label ${found} instead of ${gold}` : heads;
  print('\n', styled('bold', `${what}: ${plural(times, 'time')}`));
  const places = tokens.slice(0, WORDS).map(({ form, token, sentence }) => `${form} (${sentence}:${token})`);
  print(`Sentence and token: ${places.join(', ')}${tokens.length > WORDS ? ', …' : ''}`);
  const helpful = templates.filter(({ difference }) => difference > 0).slice(0, TEMPLATES);
  const reasons = helpful.length === 0 ? 'No template favours it on average.' : 'Templates in its favour:';
  print(`The wrong answer scores ${shownScore(margin)} more on average. ${reasons}`);
  const table = tableOf(helpful, [
    [text('template'), ({ template }) => template],
    [weights('difference', 'on average'), ({ difference }) => difference],
    [figures('misled', 'times', 0), ({ misled }) => misled],
  ]);
  if (helpful.length > 0) printText(textTable(fitTable(table, width)));
}
