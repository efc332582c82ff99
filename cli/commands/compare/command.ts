import type { Command } from 'commander';
import { UsageError } from '../../../src/errors.ts';
import { isSplitOtherwise } from '../../../src/evaluate/attachment/ud-counts.ts';
import type { ComparedSentence } from '../../../src/evaluate/compared-sentence.ts';
import { comparePhrases, type PhraseComparison } from '../../../src/evaluate/comparison/compare-phrases.ts';
import type { Comparison } from '../../../src/evaluate/comparison/comparison.ts';
import { parserNames } from '../../../src/evaluate/comparison/names.ts';
import { AtomicFile } from '../../../src/files/atomic-file.ts';
import { isSameFile } from '../../../src/files/files.ts';
import { checkStandardInput } from '../../../src/files/text-file.ts';
import { sameTreesNotes } from '../../../src/report/tables/comparison-tables.ts';
import { acceptOldFormats } from '../../options/formats.ts';
import { punctuationHelp, scoresHelp } from '../../options/scoring.ts';
import { examples } from '../../terminal/help.ts';
import { note, warn } from '../../terminal/output.ts';
import { tableFormats } from '../../terminal/tables.ts';
import { compareFiles } from './files.ts';
import { find } from './find.ts';
import { type CompareFlags, compareOptions } from './options.ts';
import { pageOf, show } from './print.ts';
import { isVoteShown, membersOf, voteOf } from './vote.ts';

export function compareCommand(command: Command): Command {
  const compared = command
    .argument('<gold>', 'gold trees (-: standard input)')
    .argument('<predicted...>', 'trees of two or more parsers for the same text');
  return acceptOldFormats(compareOptions(compared), tableFormats)
    .addHelpText('after', scoresHelp())
    .addHelpText('after', punctuationHelp())
    .addHelpText(
      'after',
      examples(
        'parliament compare gold.conllu graph.conllu transition.conllu --html report.html',
        'parliament compare gold.conllu a.conllu b.conllu c.conllu vote.conllu --members a,b,c',
        'parliament compare gold.conllu a.conllu b.conllu --find only-right=a,label=obl',
        'parliament compare gold.conllu *.parsed.conllu --punctuation exclude --by distance,label --limit 20',
      ),
    )
    .action(run);
}

async function run(goldFile: string, predictedFiles: readonly string[], flags: CompareFlags): Promise<void> {
  const { html, quiet } = flags;
  checkOutput([goldFile, ...predictedFiles], flags);
  if (flags.find !== undefined) return find(goldFile, predictedFiles, flags, flags.find);
  const members = membersOf(parserNames(predictedFiles, flags.names), flags.members);
  const page = html === undefined ? undefined : await AtomicFile.create(html);
  try {
    const { comparison, sentences, areBrackets } = await compareFiles(goldFile, predictedFiles, flags);
    for (const { name, report } of comparison.parsers) {
      if (isSameFile(report.file, goldFile)) warn(`${name} is the gold file itself`);
      for (const warning of report.warnings) warn(`${name}: ${warning}`);
    }
    for (const warning of sameTreesNotes(comparison)) warn(warning);
    const phrases = areBrackets ? await phrasesOf(comparison, sentences, flags) : undefined;
    const vote = isVoteShown(flags) ? await voteOf(comparison, sentences, members, flags) : undefined;
    if (html !== '-') show({ comparison, phrases, vote }, flags);
    if (page === undefined) return;
    await page.write(await pageOf({ comparison, phrases, vote }, sentences, flags));
    await page.commit();
    if (!quiet && html !== '-') note(`${html}: written`);
  } finally {
    await page?.discard();
  }
}

function checkOutput(inputs: readonly string[], flags: CompareFlags): void {
  const { html, to } = flags;
  checkStandardInput(inputs);
  if (html === '-' && to !== 'text') {
    throw new UsageError(
      '--html - writes the page to standard output, which leaves no room for other formats',
    );
  }
}

/** Compares brackets; undefined if some parser splits the text into other words. */
async function phrasesOf(
  { parsers }: Comparison,
  sentences: AsyncIterable<ComparedSentence>,
  { rounds, seed }: CompareFlags,
): Promise<PhraseComparison | undefined> {
  const others = parsers.filter(({ report }) => isSplitOtherwise(report.text));
  if (others.length === 0) {
    const named = parsers.map(({ name, report: { file } }) => ({ name, file }));
    return comparePhrases(sentences, named, { rounds, seed });
  }
  const names = others.map(({ name }) => name).join(', ');
  warn(`brackets are compared as dependencies alone: ${names} split the text otherwise than gold`);
  return undefined;
}
