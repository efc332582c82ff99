import type { ColumnEncoder } from '../../encoding/columns.ts';
import type { GivenFile } from '../../files/given-file.ts';
import { EncoderInput } from '../../learn/encoder/encoder-input.ts';
import { CharacterInput, type NetworkInput, VectorInput } from '../../learn/network/inputs.ts';
import { openEncoder } from '../encoder/saved-encoder.ts';
import type { TrainingRun } from '../training-run.ts';
import { reportCoverage, type VectorOptions, vectorsOf } from '../vectors.ts';

export interface InputOptions extends VectorOptions {
  readonly encoder?: GivenFile | undefined;
  /** Filters over characters; default: none. */
  readonly characters?: number | undefined;
}

/** Opens the inputs of the options; `inputs` completes them once the treebank's words are known. */
export async function openInputs(options: InputOptions) {
  const { characters = 0 } = options;
  const vectors = await vectorsOf(options);
  const encoder = options.encoder && openEncoder(options.encoder);
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
