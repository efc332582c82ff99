import { InputError } from '../../../src/errors.ts';
import { UnknownFormatError } from '../../../src/treebank/reading/format.ts';

/** What to do with text where a model reads sentences. */
export const PIPELINE_ADVICE =
  'for text, put models together with parliament pipeline, or train them all with parliament train pipeline';

/** Says of an input that is in no format of sentences how it can be parsed if it is text. */
export async function adviseOnText<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnknownFormatError)) throw error;
    throw new InputError(`${error.problem}; ${PIPELINE_ADVICE}`, error.place);
  }
}
