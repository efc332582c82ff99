import { Command, Option } from 'commander';
import { InputError } from '../../src/errors.ts';
import { writeTextFile } from '../../src/files/atomic-file.ts';
import { phraseTreeToSvg } from '../../src/report/phrase-svg.ts';
import { drawPhraseTree } from '../../src/report/phrase-text.ts';
import { treeToSvg } from '../../src/report/tree-svg.ts';
import { drawTree } from '../../src/report/tree-text.ts';
import { parseBrackets } from '../../src/treebank/brackets.ts';
import type { TreebankFormat } from '../../src/treebank/format.ts';
import type { PhraseTree } from '../../src/treebank/phrase-tree.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { openTreebank } from '../../src/treebank/treebank-file.ts';
import { examples } from '../help.ts';
import { encodingOption, formatOption, integer, quietOption } from '../options.ts';
import { count, note } from '../output.ts';

interface DrawFlags {
  readonly sentence?: number;
  readonly id?: string;
  readonly svg?: string;
  readonly ascii?: boolean;
  readonly format?: TreebankFormat;
  readonly encoding: string;
  readonly quiet?: boolean;
}

/**
 * No picture of a longer sentence could be looked at, and placing its arcs takes the square of its length.
 */
const MOST_TOKENS = 10_000;

/** `parliament draw FILE [--sentence N | --id X] [--svg OUT]` */
export function drawCommand(): Command {
  return new Command('draw')
    .description('Draw the tree of one sentence in the terminal, or as a picture.')
    .argument('<file>', 'dependencies or brackets (-: standard input)')
    .addOption(
      new Option('--sentence <n>', 'number of the sentence')
        .argParser(integer({ min: 1 }))
        .default(undefined, '1')
        .conflicts('id'),
    )
    .option('--id <name>', 'the sentence with this sent_id')
    .addOption(
      new Option('--svg <file>', 'write an SVG picture instead (-: standard output)').conflicts('ascii'),
    )
    .option('--ascii', 'draw with ASCII characters')
    .addOption(formatOption())
    .addOption(encodingOption())
    .addOption(quietOption())
    .addHelpText(
      'after',
      examples(
        'parliament draw parsed.conllu --sentence 3',
        'parliament draw parsed.conllu --id s-12 --svg tree.svg',
      ),
    )
    .action(draw);
}

async function draw(file: string, flags: DrawFlags): Promise<void> {
  const { format, encoding, svg, ascii, quiet } = flags;
  const treebank = await openTreebank(file, { format, encoding, expect: 'tokens' });
  const sentence = await find(treebank, flags);
  if (sentence.length > MOST_TOKENS) {
    const problem = `${count(sentence.length)} tokens, too many to draw: expected ${count(MOST_TOKENS)} at most`;
    throw new InputError(problem, sentence.source);
  }
  const phrases = treebank.format === 'brackets' ? phrasesOf(sentence) : undefined;
  if (svg === undefined) {
    process.stdout.write(inText(sentence, phrases, !ascii));
    return;
  }
  await writeTextFile(svg, phrases ? phraseTreeToSvg(phrases) : treeToSvg(sentence));
  if (!quiet && svg !== '-') note(`${svg}: written`);
}

async function find(treebank: Treebank, { id, sentence: wanted = 1 }: DrawFlags): Promise<Sentence> {
  let number = 0;
  for await (const sentence of treebank) {
    number++;
    if (id === undefined ? number === wanted : sentence.id === id) return sentence;
  }
  const what = id === undefined ? `no sentence ${wanted}` : `no sentence with the id ${id}`;
  throw new InputError(`${what} among ${number}`, { file: treebank.name });
}

function inText(sentence: Sentence, phrases: PhraseTree | undefined, unicode: boolean): string {
  try {
    if (phrases !== undefined) return drawPhraseTree(phrases, { unicode });
    return drawTree(sentence, sentence, { unicode, width: process.stdout.columns });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${error.problem}; --svg draws it`, sentence.source);
  }
}

/** The tree as it stood in the file; the reader has made dependencies of it. */
function phrasesOf({ source }: Sentence): PhraseTree {
  const [first] = [...parseBrackets(source!.text, source!)];
  return first!.tree;
}
