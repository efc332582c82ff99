import { InputError } from '../../src/errors.ts';
import { nearestWords } from '../../src/learn/vectors/nearest.ts';
import { readVectors } from '../../src/learn/vectors/read-vectors.ts';
import { loadVectors } from '../../src/learn/vectors/saved-vectors.ts';
import { writeVectors } from '../../src/learn/vectors/write-vectors.ts';
import { isModelFile } from '../../src/model/model-file.ts';
import { figures, text, textTable } from '../../src/report/tables/table.ts';
import { quote } from '../../src/visible.ts';
import type { Command } from '../options/command.ts';
import { jsonOption } from '../options/common.ts';
import { printJson, printText, warn } from '../terminal/output.ts';

const MOST_WORDS = 2_000_000;
const DECIMALS = 3;

export function vectorsCommand(command: Command): Command {
  command
    .command('nearest')
    .description('Print the words whose vectors are nearest by cosine.')
    .argument(
      '<file>',
      'vectors from train vectors, or in the format of GloVe, word2vec or fastText; these are quantized to 8 bits, which changes cosines by some thousandths',
    )
    .argument('<words...>', 'words; if the vectors have subwords, also words that the text lacks')
    .integer('--count <n>', 'neighbours per word', { min: 1, max: 1000 }, 10)
    .with(jsonOption('print them as JSON'))
    .examples(
      'parliament vectors nearest hungarian.vectors asztal házaikban',
      'parliament vectors nearest glove.6B.100d.txt.gz table --count 3 --json',
    )
    .action(nearest);
  command
    .command('export')
    .description('Write vectors as text for other programs (.vec), the most frequent words first.')
    .argument('<file>', 'vectors, as for nearest')
    .requiredOption('-o, --output <file>', 'output file (-: standard output); gzip if it ends in .gz')
    .examples('parliament vectors export hungarian.vectors -o hungarian.vec')
    .action(async (path: string, { output }: { readonly output: string }) =>
      writeVectors(output, await open(path)),
    );
  return command.examples(
    'parliament train vectors --text novels.txt.gz --model hungarian.vectors',
    'parliament vectors nearest hungarian.vectors asztal',
  );
}

const open = async (path: string) => (isModelFile(path) ? loadVectors(path) : readVectors(path, MOST_WORDS));

async function nearest(
  path: string,
  words: readonly string[],
  flags: { readonly count: number; readonly json?: boolean },
): Promise<void> {
  const table = await open(path);
  const found = words.flatMap((word) => {
    const neighbours = nearestWords(table, word, flags.count);
    if (neighbours !== undefined) return { word, neighbours };
    warn(`${path}: no vector for ${quote(word)}`);
    return [];
  });
  if (found.length === 0) throw new InputError('no vector for any of these words', { file: path });
  if (flags.json) return printJson(found);
  const rows = found.flatMap(({ word, neighbours }) =>
    neighbours.map((neighbour) => [word, neighbour.word, neighbour.cosine]),
  );
  const columns = [text('word'), text('nearest'), figures('cosine', 'cosine', DECIMALS)];
  printText(textTable({ columns, rows }));
}
