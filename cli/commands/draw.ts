import { Option } from 'commander';
import { InputError } from '../../src/errors.ts';
import { bracketVerdicts } from '../../src/evaluate/comparison/compare-phrases.ts';
import { sentencePairs } from '../../src/evaluate/lock-step.ts';
import { writeTextFile } from '../../src/files/atomic-file.ts';
import { checkStandardInput } from '../../src/files/text-file.ts';
import { type Picture, stacked, svgDocument, verdict } from '../../src/report/svg.ts';
import { phrasePair, phrasePicture } from '../../src/report/trees/phrase-svg.ts';
import { comparedPicture, treePicture } from '../../src/report/trees/tree-svg.ts';
import { drawPhraseTree, drawTree } from '../../src/report/trees/tree-text.ts';
import { phraseTreeToForest, treeToTikz } from '../../src/report/trees/tree-tikz.ts';
import { nodesOf, type PhraseTree } from '../../src/treebank/phrases/phrase-tree.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { DependencyTree, Sentence } from '../../src/treebank/sentence.ts';
import type { Command } from '../options/command.ts';
import { type CommonFlags, encodingOption, formatOption, quietOption } from '../options/common.ts';
import { chosenSentences, type NumberRange, numberRanges } from '../options/sentence-choice.ts';
import type { Piece } from '../terminal/output.ts';
import { count, note, plural, print, printText, styled, terminalColumns } from '../terminal/output.ts';

interface DrawFlags extends CommonFlags {
  readonly sentence?: readonly NumberRange[];
  readonly id?: string;
  readonly gold?: string;
  readonly svg?: string;
  readonly tikz?: string;
  readonly ascii?: boolean;
}

/** Maximum number of tokens in a picture: placing the arcs takes quadratic time. */
const MOST_TOKENS = 10_000;

export function drawCommand(command: Command): Command {
  return command
    .argument('<file>', 'dependencies or brackets (-: standard input)')
    .with(
      new Option('--sentence <n,m-k>', 'numbers of the sentences')
        .argParser(numberRanges)
        .default(undefined, '1')
        .conflicts('id'),
    )
    .option('--id <name>', 'sent_id of the sentence')
    .option(
      '--gold <file>',
      'gold trees of the same tokens, to mark errors (in brackets if both files have them)',
    )
    .with(
      new Option('--svg <file>', 'write an SVG picture instead (-: standard output)').conflicts('ascii'),
      new Option(
        '--tikz <file>',
        'write LaTeX code instead, for the packages tikz-dependency and forest (-: standard output)',
      ).conflicts(['svg', 'ascii']),
    )
    .option('--ascii', 'draw with ASCII characters')
    .with(formatOption(), encodingOption(), quietOption())
    .examples(
      'parliament draw parsed.conllu --sentence 3,7-9',
      'parliament draw parsed.mrg --gold gold.mrg --sentence 3',
      'parliament draw parsed.conllu --sentence 3,7-9 --tikz trees.tex',
      'parliament draw parsed.conllu --id s-12 --gold gold.conllu --svg trees.svg',
    )
    .action(drawFile);
}

/** A sentence to draw: `gold` with `--gold`; phrases if the files have brackets. */
interface Drawn {
  readonly sentence: Sentence;
  readonly gold?: DependencyTree;
  readonly phrases?: PhraseTree | undefined;
  readonly goldPhrases?: PhraseTree | undefined;
}

export async function drawFile(file: string, flags: DrawFlags): Promise<void> {
  const { id, sentence: ranges = [{ from: 1, to: 1 }], svg, tikz, quiet } = flags;
  const wanted = id === undefined ? { ranges } : { id };
  const chosen = chosenSentences(await openDrawn(file, flags), wanted, {
    file,
    sentenceOf: (item) => item.sentence,
    onNotice: (notice) => quiet || note(notice),
  });
  const output = svg ?? tikz;
  if (output === undefined) return printTrees(chosen, flags);
  const drawn: Drawn[] = [];
  let tokens = 0;
  const problem = `the sentences chosen have more than ${count(MOST_TOKENS)} tokens, too many for one picture`;
  for await (const { item } of chosen) {
    checkDrawable(item.sentence);
    tokens += item.sentence.length;
    if (tokens > MOST_TOKENS) throw new InputError(problem, { file });
    drawn.push(item);
  }
  const text = svg === undefined ? latexDocument(drawn) : svgDocument(stacked(drawn.map(inPicture)));
  await writeTextFile(output, text);
  if (!quiet && output !== '-') note(`${output}: written`);
}

async function openDrawn(
  file: string,
  { format, encoding, gold: goldFile }: DrawFlags,
): Promise<AsyncIterable<Drawn>> {
  if (goldFile === undefined) {
    const treebank = await openTreebank(file, { format, encoding, expect: 'tokens' });
    return each(treebank, (sentence) => ({ sentence, phrases: sentence.phrases }));
  }
  checkStandardInput([file, goldFile]);
  const gold = await openTreebank(goldFile, { format, encoding, expect: 'trees' });
  const predicted = await openTreebank(file, { format, encoding, expect: 'heads' });
  const hasPhrases = [gold, predicted].every((treebank) => treebank.format === 'brackets');
  return each(sentencePairs(gold, predicted), ({ predicted: sentence, gold }) => {
    return { sentence, gold, ...(hasPhrases && { phrases: sentence.phrases, goldPhrases: gold.phrases }) };
  });
}

async function* each<T, U>(items: AsyncIterable<T>, turn: (item: T) => U): AsyncGenerator<U> {
  for await (const item of items) yield turn(item);
}

async function printTrees(
  chosen: AsyncIterable<{ readonly item: Drawn; readonly number: number }>,
  { sentence: ranges = [], ascii }: DrawFlags,
): Promise<void> {
  const areSeveral = ranges.length > 1 || ranges.some(({ from, to }) => to > from);
  let isFirst = true;
  for await (const { item, number } of chosen) {
    checkDrawable(item.sentence);
    const text = inText(item, !ascii);
    const { id } = item.sentence;
    const heading = `sentence ${number}${id === undefined ? '' : ` (${id})`}`;
    if (areSeveral) print(isFirst ? '' : '\n', styled('bold', heading));
    printText(...text);
    isFirst = false;
  }
}

/** Refuses a sentence that is too long for a picture. */
export function checkDrawable({ length: tokens, source }: Sentence): void {
  if (tokens <= MOST_TOKENS) return;
  const expected = `expected ${count(MOST_TOKENS)} at most`;
  throw new InputError(`${count(tokens)} tokens, too many to draw: ${expected}`, source);
}

function inText({ sentence, gold, phrases, goldPhrases }: Drawn, unicode: boolean): Piece[] {
  try {
    if (phrases !== undefined) return phrasesInText(phrases, goldPhrases, unicode);
    const text = drawTree(sentence, sentence, { unicode, width: terminalColumns(), gold });
    if (gold === undefined) return [text];
    const lines = inColour(text, (i) => verdict(gold, sentence, i + 1) === 'right');
    return [...lines, wrongCount(sentence, gold)];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${error.problem}; --svg draws it`, sentence.source);
  }
}

function phrasesInText(phrases: PhraseTree, gold: PhraseTree | undefined, unicode: boolean): Piece[] {
  const text = drawPhraseTree(phrases, { unicode, gold });
  if (gold === undefined) return [text];
  const wrong = bracketVerdicts(gold, phrases);
  const missing = nodesOf(gold).filter((node) => wrong.has(node)).length;
  const nodes = nodesOf(phrases);
  const pieces = inColour(text, (i) => nodes[i] !== undefined && !wrong.has(nodes[i]));
  const counted = nodes.map((node) => wrong.get(node)).filter((verdict) => verdict !== undefined);
  const tags = counted.filter((verdict) => verdict === 'tag').length;
  const crossing = counted.filter((verdict) => verdict === 'crossing').length;
  if (wrong.size === 0) return [...pieces, 'all right\n'];
  const brackets = counted.length - tags;
  return [
    ...pieces,
    `${plural(brackets, 'bracket')} wrong, ${crossing} of them crossing; ${missing} missing; ${plural(tags, 'tag')} wrong\n`,
  ];
}

/** The lines of a text, in red unless they are right. */
function inColour(text: string, isRight: (line: number) => boolean): Piece[] {
  const lines = text.trimEnd().split('\n');
  return lines.flatMap((line, i) => [isRight(i) ? line : styled('red', line), '\n']);
}

function wrongCount(sentence: Sentence, gold: DependencyTree): string {
  const verdicts = Array.from({ length: sentence.length }, (_, i) => verdict(gold, sentence, i + 1));
  const times = (wanted: string) => verdicts.filter((each) => each === wanted).length;
  const [heads, labels] = [times('wrong-head'), times('wrong-label')];
  if (heads + labels === 0) return 'all right\n';
  return `${heads + labels} of ${sentence.length} wrong: ${plural(heads, 'head')}, ${plural(labels, 'label')} of right heads\n`;
}

function inPicture({ sentence, gold, phrases, goldPhrases }: Drawn): Picture {
  if (phrases !== undefined && goldPhrases !== undefined)
    return stacked(phrasePair(goldPhrases, phrases, sentence.id));
  if (phrases !== undefined) return phrasePicture(phrases, sentence.id);
  return gold === undefined ? treePicture(sentence) : comparedPicture(sentence, { gold, tree: sentence });
}

function latexDocument(drawn: readonly Drawn[]): string {
  const trees = drawn.map(({ sentence, gold, phrases, goldPhrases }) =>
    phrases === undefined ? treeToTikz(sentence, sentence, gold) : phraseTreeToForest(phrases, goldPhrases),
  );
  return `% \\usepackage[T1]{fontenc}\n% \\usepackage{tikz-dependency,forest}\n${trees.join('\n')}`;
}
