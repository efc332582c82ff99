import { parseWithPipeline } from '../../../combine/pipeline/run/parse-with-pipeline.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { count, duration, note, plural } from '../../terminal/output.ts';
import type { ParseFlags } from './flags.ts';
import { adviseOnText } from './plain-text.ts';
import { ParseReport } from './report.ts';

/** From text to trees; of sentences, fills the columns and finds the trees. */
export async function parseThrough(model: ModelReader, input: string, flags: ParseFlags): Promise<void> {
  const { output, quiet: _, json: __, ...options } = flags;
  const report = new ParseReport('parsing', flags);
  const { seconds, tokens, ...figures } = await report.follow((told) =>
    adviseOnText(parseWithPipeline(model, input, output, { ...options, ...told })),
  );
  const wordsPerSecond = tokens / seconds;
  report.tell({ ...figures, words: tokens, seconds, wordsPerSecond }, () => {
    const what = `${plural(figures.sentences, 'sentence')} of ${plural(tokens, 'word')}`;
    note(`${what} parsed in ${duration(seconds)} (${count(wordsPerSecond)} words/s)`);
  });
}
