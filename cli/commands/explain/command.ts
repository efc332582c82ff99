import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { UsageError } from '../../../src/errors.ts';
import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import { writeTextFile } from '../../../src/files/text/atomic-file.ts';
import { checkStandardInput, STANDARD_STREAM } from '../../../src/files/text/text-file.ts';
import { explanationPage } from '../../../src/report/explanation/explanation-page.ts';
import type { TreebankFormat } from '../../../src/treebank/reading/format.ts';
import {
  allowMissingOption,
  encodingOption,
  formatOption,
  integer,
  jsonOption,
  quietOption,
} from '../../options/common.ts';
import { examples } from '../../terminal/help.ts';
import { note, printJson } from '../../terminal/output.ts';
import { type Asked, askedSentence } from './asked-sentence.ts';
import { openExplainer } from './explainer.ts';
import { printExplanation } from './text.ts';
import { explainErrors, type WrongChoice, wrongChoice } from './wrong.ts';

export interface ExplainFlags {
  readonly model: string;
  readonly sentence?: number;
  readonly id?: string;
  readonly gold?: string;
  readonly arc?: number;
  readonly step?: number;
  readonly html?: string;
  readonly wrong?: WrongChoice;
  readonly ascii?: boolean;
  readonly format?: TreebankFormat;
  readonly encoding: string;
  readonly allowMissing?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `parliament explain --model M FILE [--sentence N | --id X] [--arc D | --step N] [--html FILE] [--json]` */
export function explainCommand(command: Command): Command {
  return command
    .argument(
      '<file>',
      'sentences in CoNLL-U, CoNLL-X, 3 columns or brackets; for a pipeline, text, too (-: standard input)',
    )
    .requiredOption('--model <file>', 'a model that train or pipeline has written')
    .addOption(
      new Option('--sentence <n>', 'number of the sentence')
        .argParser(integer({ min: 1 }))
        .default(undefined, '1')
        .conflicts('id'),
    )
    .option('--id <name>', 'the sentence with this sent_id')
    .option('--gold <file>', 'the right trees of the same tokens: what the parser chose is set against them')
    .addOption(
      new Option(
        '--arc <token>',
        'what decided the head and the label of this token, feature by feature (graph, network and bigram)',
      ).argParser(integer({ min: 1 })),
    )
    .addOption(
      new Option(
        '--step <n>',
        'what decided this step, feature by feature (transition and yamada-matsumoto)',
      ).argParser(integer({ min: 1 })),
    )
    .addOption(
      new Option(
        '--wrong <label=name>',
        'why words with this label (or tag=name) in gold are parsed wrong: the templates that decide, over all sentences (graph, network and bigram)',
      )
        .argParser(wrongChoice)
        .conflicts(['sentence', 'id', 'arc', 'step', 'html']),
    )
    .option('--html <file>', 'write a page to step through instead: one file that needs nothing else')
    .option('--ascii', 'draw the tree with ASCII characters')
    .addOption(formatOption())
    .addOption(encodingOption())
    .addOption(allowMissingOption())
    .addOption(quietOption())
    .addOption(jsonOption('print the explanation as JSON'))
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
