import { z } from 'zod';
import type { ColumnEncoder } from '../../encoding/columns.ts';
import { OptionError } from '../../errors.ts';
import { isFolder } from '../../files/files.ts';
import { givenFile } from '../../files/given-file.ts';
import type { ContextEncoder } from '../../learn/encoder/encoder.ts';
import { loadEncoder, NamedEncoder } from '../../learn/encoder/encoder-file.ts';
import { EncoderInput } from '../../learn/encoder/encoder-input.ts';
import { givenEncoder } from '../../learn/encoder/published/folder.ts';
import { keepDescriptions, PublishedEncoder } from '../../learn/encoder/published/published-encoder.ts';
import { type NetworkInput, VectorInput } from '../../learn/network/inputs.ts';
import { CharacterInput } from '../../learn/network/layers/characters.ts';
import { readVectors } from '../../learn/vectors/read-vectors.ts';
import { MOST_WORDS, type VectorTable } from '../../learn/vectors/vector-table.ts';
import { givenFileOption, whole } from '../options.ts';
import type { TrainingRun } from '../training-run.ts';

const DEFAULT_LIMIT = 200_000;

/** The options of networks that can read word vectors and an encoder. */
export const inputOptions = {
  vectors: givenFileOption(
    'word vectors (of train vectors, or GloVe, word2vec, fastText .vec; maybe gzip), which are copied into the model',
  ),
  vectorsLimit: whole(1, MOST_WORDS)
    .optional()
    .describe(`maximum number of words read from the beginning of that file (default: ${DEFAULT_LIMIT})`),
  encoder: givenFileOption(
    'contextual encoder whose layers are an input: a language model made by train encoder, which is copied into the model, or the folder of a published one (ONNX), which must stay beside it',
    (path) => (isFolder(path) ? givenEncoder(path) : givenFile(path)),
  ),
  encoderByName: z
    .boolean()
    .optional()
    .describe(
      'store the path and digest of the encoder’s file, not a copy: the file must stay there, or beside the model',
    ),
};

export interface InputOptions extends Readonly<z.infer<z.ZodObject<typeof inputOptions>>> {
  /** Filters over characters; default: none. */
  readonly characters?: number | undefined;
}

/** The options of vectors and encoders among the options of a network or a pipeline. */
export function inputsAmong({ vectors, vectorsLimit, encoder, encoderByName }: InputOptions): InputOptions {
  return { vectors, vectorsLimit, encoder, encoderByName };
}

/** Opens the inputs of the options; `inputs` completes them once the treebank's words are known. */
export async function openInputs(options: InputOptions) {
  const { characters = 0 } = options;
  const vectors = await vectorsOf(options);
  const encoder = openEncoder(options);
  const inputs = (
    words: Pick<ColumnEncoder, 'keptForms'>,
    run: Pick<TrainingRun, 'onNotice' | 'onWarning'>,
  ): NetworkInput[] => {
    if (vectors !== undefined) reportCoverage(vectors, words.keptForms(), run);
    return [
      ...(vectors === undefined ? [] : [new VectorInput(vectors)]),
      ...(encoder === undefined ? [] : [new EncoderInput(encoder, true)]),
      ...(characters === 0 ? [] : [CharacterInput.of(words.keptForms(), characters)]),
    ];
  };
  return { isEmpty: vectors === undefined && encoder === undefined && characters === 0, inputs };
}

async function vectorsOf({ vectors, vectorsLimit }: InputOptions): Promise<VectorTable | undefined> {
  if (vectors !== undefined) return readVectors(vectors.path, vectorsLimit ?? DEFAULT_LIMIT);
  if (vectorsLimit === undefined) return undefined;
  throw new OptionError((option) => `${option('vectorsLimit', vectorsLimit)} goes with ${option('vectors')}`);
}

function openEncoder({ encoder, encoderByName }: InputOptions): ContextEncoder | undefined {
  if (encoder === undefined && encoderByName !== undefined)
    throw new OptionError(
      (option) => `${option('encoderByName', encoderByName)} goes with ${option('encoder')}`,
    );
  if (encoder === undefined) return undefined;
  if (!isFolder(encoder.path))
    return encoderByName ? NamedEncoder.open(encoder.path) : loadEncoder(encoder.path);
  keepDescriptions();
  return PublishedEncoder.open(encoder);
}

/** Minimum share of a treebank's words with a vector; below it, the vectors are probably of another language. */
const LEAST_COVERAGE = 0.2;

/** Reports the share of a treebank's distinct words that have a vector; warns if it is small. */
function reportCoverage(
  vectors: VectorTable,
  forms: Iterable<string>,
  run: Pick<TrainingRun, 'onNotice' | 'onWarning'>,
): void {
  const words = [...forms].filter((form) => form !== '');
  const known = words.filter((word) => vectors.has(word)).length;
  const share = `${Math.floor((100 * known) / words.length)}% of the treebank’s ${words.length} different words have vectors`;
  if (known < LEAST_COVERAGE * words.length) run.onWarning?.(`${share}: are they of another language?`);
  else run.onNotice?.(share);
}
