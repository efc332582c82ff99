import { join } from 'node:path';
import { isPipeline } from '../../../annotators/registry.ts';
import type { ParseFileOptions } from '../../../parsers/run/parse-file.ts';
import { UsageError } from '../../../src/errors.ts';
import { sentenceRows } from '../../../src/evaluate/lock-step.ts';
import type { Uncertainty } from '../../../src/evaluate/sampling.ts';
import { Candidates, uncertainties, uncertaintyOf, wordsOf } from '../../../src/evaluate/sampling.ts';
import { writeTextFile } from '../../../src/files/atomic-file.ts';
import { DEFAULT_ENCODING } from '../../../src/files/encoding.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import { detached } from '../../../src/platform/platform.ts';
import { asBlock, withComments } from '../../../src/treebank/columns/comments.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { withTemporaryFolder } from '../../folders.ts';
import type { Command } from '../../options/command.ts';
import * as shared from '../../options/common.ts';
import { parsedEncoding } from '../../options/formats.ts';
import { note, plural, printJson } from '../../terminal/output.ts';
import { watch, withProgress } from '../../terminal/progress.ts';

interface SampleFlags extends shared.CommonFlags {
  readonly model: readonly string[];
  readonly count: number;
  readonly by?: Uncertainty;
  readonly perToken?: boolean;
  readonly known?: string;
  readonly output: string;
  readonly jobs: number;
}

export function sampleCommand(command: Command): Command {
  return command
    .argument('<input>', 'text, or sentences (-: standard input)')
    .with(
      shared
        .repeatable(
          '--model <file>',
          'parser or pipeline; for disagreement, several, of which the first writes the trees',
        )
        .makeOptionMandatory(),
    )
    .integer('--count <n>', 'number of sentences to select', { min: 1 }, 100)
    .choice(
      '--by <measure>',
      'select by the probability of the model’s tree, the disagreement of several models, or words not in --known',
      uncertainties,
      'disagreement of several models, else probability',
    )
    .option('--per-token', 'divide uncertainty by sentence length; otherwise long sentences are preferred')
    .option('--known <file>', 'treebank that the models were trained on')
    .option('-o, --output <file>', 'CoNLL-U output, most uncertain sentences first (-: standard output)', '-')
    .with(shared.formatOption(), shared.encodingOption(), shared.allowMissingOption(), shared.jobsOption())
    .with(shared.jsonOption('print the selection as JSON'), shared.quietOption())
    .examples(
      'parliament sample --model english.model new.txt --count 200 -o correct.conllu',
      'parliament sample --model a.model --model b.model --model c.model new.conllu --count 50',
      'parliament sample --model a.model new.conllu --by new-words --known train.conllu',
    )
    .action(sample);
}

async function sample(input: string, flags: SampleFlags): Promise<void> {
  const { model: models, known, quiet, json, output, count, jobs, allowMissing, format, encoding } = flags;
  const by = flags.by ?? (models.length > 1 ? 'disagreement' : 'probability');
  if (by === 'disagreement' && models.length === 1)
    throw new UsageError('--by disagreement needs several models');
  if (by !== 'disagreement' && models.length > 1)
    throw new UsageError(`--by ${by} takes one model: several are for --by disagreement`);
  if ((by === 'new-words') !== (known !== undefined))
    throw new UsageError('--by new-words and --known FILE go together');
  if (json && output === '-') throw new UsageError('--json needs -o: standard output has the sentences');
  await withTemporaryFolder(async (folder) => {
    const written = await parsedEncoding(input, { format, encoding, to: 'conllu' });
    const files: string[] = [];
    for (const [i, file] of models.entries()) {
      const parsed = join(folder, `${i}.conllu`);
      const [first] = files;
      const reading =
        first === undefined ? { format, encoding } : { format: 'conllu' as const, encoding: written };
      const options = { ...reading, jobs, allowMissing, confidence: by === 'probability' };
      await parse(file, first ?? input, parsed, options, quiet);
      files.push(parsed);
    }
    const words = new Set<string>();
    if (known !== undefined)
      for await (const sentence of await openTreebank(known, { format, encoding, expect: 'tokens' }))
        for (const word of wordsOf(sentence)) if (!words.has(word)) words.add(detached(word));
    const candidates = new Candidates(Math.max(1000, 5 * count));
    const [first, ...others] = await Promise.all(
      files.map((file) => openTreebank(file, { format: 'conllu', expect: 'tokens', encoding: written })),
    );
    for await (const { sentences, number } of sentenceRows([watch(first!, 'choosing', quiet), ...others])) {
      const [sentence] = sentences as [Sentence];
      const score = uncertaintyOf(by, sentences, words) / (flags.perToken ? sentence.length : 1);
      const { id, length: tokens } = sentence;
      const text = detached(asBlock(formatSentence(sentence, 'conllu')));
      candidates.add({ number, id: id && detached(id), tokens, score, text });
    }
    await write(candidates, by, { ...flags, encoding: written ?? DEFAULT_ENCODING });
  });
}

async function parse(
  file: string,
  input: string,
  parsed: string,
  reading: ParseFileOptions,
  quiet?: boolean,
): Promise<void> {
  const model = readModelFile(file);
  await withProgress('parsing', 'sentences', quiet, async (onProgress) => {
    const options = { ...reading, to: 'conllu', onProgress } as const;
    if (isPipeline(model)) {
      const { parseWithPipeline } = await import('../../../combine/pipeline/parse-with-pipeline.ts');
      await parseWithPipeline(model, input, parsed, options);
    } else {
      const { parseFile } = await import('../../../parsers/run/parse-file.ts');
      await parseFile(model, input, parsed, options);
    }
  });
}

async function write(
  candidates: Candidates,
  by: Uncertainty,
  { count, output, json, quiet, encoding }: SampleFlags,
): Promise<void> {
  const chosen = candidates.chosen(count);
  const texts = chosen.map(({ score, text }) =>
    withComments(text, { uncertainty: score.toFixed(3) }, 'first'),
  );
  await writeTextFile(output, texts.join(''), encoding);
  const tokens = chosen.reduce((sum, each) => sum + each.tokens, 0);
  if (json) printJson({ by, tokens, sentences: chosen.map(({ text: _, ...each }) => each) });
  else if (!quiet) note(`${plural(chosen.length, 'sentence')} of ${plural(tokens, 'token')} chosen by ${by}`);
}
