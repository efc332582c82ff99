import type { TextLayout } from '../../annotators/annotator.ts';
import { InputError } from '../../src/errors.ts';
import { detectFormat, type TreebankFormat } from '../../src/treebank/reading/format.ts';
import { RequestError } from '../http/request-error.ts';
import { checkAbilities } from '../models/find-model.ts';
import type { ServedModel } from '../models/served-model.ts';
import { faultOf, sentenceWords, WORDS_NAME, type Words } from '../tasks/words.ts';

/** The words of a request, as text or as sentences. */
export interface GivenWords {
  readonly text?: string;
  readonly layout?: TextLayout;
  readonly sentences?: string;
}

/**
 * @param model which is to cut text
 * @throws RequestError for neither or both, for text that the model cannot cut, and sentences of no known format
 */
export function givenWords({ text, layout, sentences }: GivenWords, model: ServedModel): Words {
  if ((text === undefined) === (sentences === undefined))
    throw new RequestError('expected text or sentences');
  const words = (text ?? sentences)!;
  const fault = faultOf(words);
  if (fault !== undefined) throw new RequestError(fault);
  if (text !== undefined) {
    checkAbilities(model, ['tokenizer']);
    return { text, layout: layout ?? 'text' };
  }
  if (layout !== undefined) throw new RequestError('layout is of text: sentences are cut into words');
  return sentenceWords(words, formatOf(words));
}

function formatOf(sentences: string): TreebankFormat {
  if (sentences.trim() === '') throw new RequestError('no sentences');
  try {
    return detectFormat(sentences, WORDS_NAME);
  } catch (error) {
    if (error instanceof InputError) throw new RequestError(error.message);
    throw error;
  }
}
