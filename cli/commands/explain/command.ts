import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { UsageError } from '../../../src/errors.ts';
import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import { writeTextFile } from '../../../src/files/atomic-file.ts';
import { checkStandardInput, STANDARD_STREAM } from '../../../src/files/text-file.ts';
import { explanationPage } from '../../../src/report/explanation/explanation-page.ts';
import { heatMap, heatMapLegend } from '../../../src/report/explanation/heat-map.ts';
import type { ExplanationSection } from '../../../src/report/explanation/section.ts';
import { explanationSections } from '../../../src/report/explanation/sections.ts';
import { fitTable, textTable } from '../../../src/report/tables/table.ts';
import { drawPhraseTree } from '../../../src/report/trees/phrase-text.ts';
import { drawTree } from '../../../src/report/trees/tree-text.ts';
import { parseBrackets } from '../../../src/treebank/phrases/brackets.ts';
import * as shared from '../../options/common.ts';
import { examples } from '../../terminal/help.ts';
import { note, print, printJson, printText, styled, warn } from '../../terminal/output.ts';
import { type Asked, askedSentence, type ExplainFlags, openExplainer } from './sentence.ts';
import { explainErrors, wrongChoice } from './wrong.ts';

export function explainCommand(command: Command): Command {
  return command
    .argument(
      '<file>',
      'sentences in CoNLL-U, CoNLL-X, 3 columns or brackets; for a pipeline, also text (-: standard input)',
    )
    .requiredOption('--model <file>', 'model from train or pipeline, or the name of a ready one')
    .addOption(
      shared
        .integerOption('--sentence <n>', 'number of the sentence', { min: 1 }, undefined, '1')
        .conflicts('id'),
    )
    .option('--id <name>', 'the sentence with this sent_id')
    .option('--gold <file>', 'gold trees of the same tokens, to compare with')
    .addOption(
      shared.integerOption(
        '--arc <token>',
        'explain the head and label of this token, feature by feature (graph, network and bigram)',
      ),
    )
    .addOption(
      shared.integerOption(
        '--step <n>',
        'explain this step, feature by feature (transition and yamada-matsumoto)',
      ),
    )
    .addOption(
      new Option(
        '--wrong <label=name>',
        'explain errors on words with this gold label (or tag=name): the decisive templates over all sentences (graph, network and bigram)',
      )
        .argParser(wrongChoice)
        .conflicts(['sentence', 'id', 'arc', 'step', 'html']),
    )
    .option('--html <file>', 'write a self-contained page to step through instead')
    .option('--ascii', 'draw the tree with ASCII characters')
    .addOption(shared.formatOption())
    .addOption(shared.encodingOption())
    .addOption(shared.allowMissingOption())
    .addOption(shared.quietOption())
    .addOption(shared.jsonOption('print the explanation as JSON'))
    .addHelpText(
      'after',
      examples(
        'parliament explain --model graph.model dev.conllu --sentence 3 --arc 5 --gold dev.conllu',
        'parliament explain --model beam.model dev.conllu --id s-12 --html steps.html',
        'parliament explain --model english.model new.txt --json',
        'parliament explain --model graph.model dev.conllu --wrong label=obl --gold dev.conllu',
      ),
    )
    .action(explain);
}

async function explain(file: string, flags: ExplainFlags): Promise<void> {
  const { model, gold, arc, step, json, html } = flags;
  checkStandardInput(gold === undefined ? [file] : [file, gold]);
  if (json && html === STANDARD_STREAM) {
    throw new UsageError('--html - writes the page to standard output, which leaves no room for --json');
  }
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

export function printExplanation(
  explained: ParseExplanation,
  asked: Asked,
  { ascii, arc }: ExplainFlags,
): void {
  const width = process.stdout.columns ?? Number.POSITIVE_INFINITY;
  const { id, notices } = explained;
  print(
    styled('bold', `sentence ${asked.number}${id === undefined ? '' : ` (${id})`}, ${explained.paradigm}`),
  );
  printText(treeText(explained, asked, !ascii, width));
  for (const notice of notices) warn(notice);
  for (const section of explanationSections(explained)) printSection(section, width);
  const scored = explained.paradigm === 'pipeline' ? explained.parser : explained;
  if (arc !== undefined || scored === undefined || !('marginals' in scored)) return;
  print('\n', styled('bold', 'Heat map'));
  print(heatMapLegend);
  for (const line of heatMap(scored, Math.min(width, MOST_WIDTH))) print(line);
}

const MOST_WIDTH = 160;

function treeText(explained: ParseExplanation, { sentence }: Asked, unicode: boolean, width: number): string {
  const parser = explained.paradigm === 'pipeline' ? explained.parser : explained;
  if (parser?.paradigm === 'pcfg') {
    return [...parseBrackets(parser.brackets)].map(({ tree }) => drawPhraseTree(tree, { unicode })).join('');
  }
  const { tree, gold } = explained;
  const found = { heads: Int32Array.from(tree.heads), labels: tree.labels };
  const right = gold && { heads: Int32Array.from(gold.heads), labels: gold.labels };
  return drawTree({ ...sentence, upos: explained.tokens.map(({ tag }) => tag) }, found, {
    unicode,
    width,
    gold: right,
  });
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
