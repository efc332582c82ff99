import { parseFile } from '../../../parsers/run/parse-file.ts';
import { UsageError } from '../../../src/errors.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { count, duration, note, plural } from '../../terminal/output.ts';
import type { ParseFlags } from './flags.ts';
import { adviseOnText, PIPELINE_ADVICE } from './plain-text.ts';
import { ParseReport } from './report.ts';

/** Finds the trees of sentences, and leaves all else as it is. */
export async function parseTrees(model: ModelReader, input: string, flags: ParseFlags): Promise<void> {
  const { output, input: kind = 'conllu', quiet: _, json: __, keep: ___, ...options } = flags;
  if (kind !== 'conllu') {
    throw new UsageError(
      `--input ${kind}: the model is a parser, and reads sentences that a tokenizer has cut; ${PIPELINE_ADVICE}`,
    );
  }
  const report = new ParseReport('parsing', flags);
  const { seconds, ...figures } = await report.follow((told) =>
    adviseOnText(parseFile(model, input, output, { ...options, ...told })),
  );
  const sentencesPerSecond = figures.sentences / seconds;
  report.tell({ ...figures, seconds, sentencesPerSecond }, () => {
    const rate = `${count(sentencesPerSecond)} sentences/s`;
    note(`${plural(figures.sentences, 'sentence')} parsed in ${duration(seconds)} (${rate})`);
  });
}
