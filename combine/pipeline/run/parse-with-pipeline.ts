import { type ParseFigures, type ParseFileOptions, parseSource } from '../../../parsers/run/parse-file.ts';
import { OptionError } from '../../../src/errors.ts';
import { TextFile, TextStart } from '../../../src/files/text-file.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { isFilledFormat } from '../../../src/treebank/columns/write.ts';
import type { TreebankFormat } from '../../../src/treebank/reading/format.ts';
import { openPipeline } from '../saved-pipeline.ts';
import { type InputOptions, sentencesOf } from './pipeline-input.ts';
import { threadedPipeline } from './threaded-pipeline.ts';

export interface PipelineFileOptions extends ParseFileOptions, InputOptions {}

/**
 * Parses a file (`-` is standard input) with a pipeline, in order and in bounded memory: text, or sentences, whose
 * tokens stay as they are, as does all else but what the pipeline fills. The output appears as a whole when all is
 * done, or not at all, and does not depend on `jobs`.
 *
 * @param pipeline its model's file, or the model
 * @throws InputError where the model, the text or a sentence is not usable
 * @throws UsageError for text where there is no tokenizer, and for options that contradict each other or the input
 */
export async function parseWithPipeline(
  pipeline: string | ModelReader,
  input: string,
  output: string,
  options: PipelineFileOptions = {},
): Promise<ParseFigures> {
  const model = typeof pipeline === 'string' ? readModelFile(pipeline) : pipeline;
  const opened = await openPipeline(model);
  const text = new TextStart(new TextFile(input, options.encoding, false));
  const source = await sentencesOf(text, opened.tokenizer, options);
  const to = outputFormat(source.format, options.to);
  return parseSource(threadedPipeline(opened, model, options.keep), source, output, { ...options, to });
}

/** That of the input, where it has columns for all that is filled. */
function outputFormat(input: TreebankFormat, asked: TreebankFormat | undefined): TreebankFormat {
  if (asked === undefined) return isFilledFormat(input) ? input : 'conllu';
  if (asked !== 'three-column') return asked;
  throw new OptionError(
    (option) =>
      `${option('to', asked)}: that format has no columns for lemmas, tags and features, expected conllu or conllx`,
  );
}
