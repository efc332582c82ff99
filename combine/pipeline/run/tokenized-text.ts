import type { TextLayout, Tokenizer } from '../../../annotators/annotator.ts';
import { cutText } from '../../../annotators/run/tokenize-file.ts';
import type { SentenceSource } from '../../../parsers/run/parse-file.ts';
import { InputError } from '../../../src/errors.ts';
import { countLines } from '../../../src/files/encoding.ts';
import type { TextStart } from '../../../src/files/text-file.ts';
import { DEFAULT_BATCH, type TextBatch } from '../../../src/treebank/reading/batches.ts';

/** The sentences that a tokenizer finds in a text, as CoNLL-U. */
export function tokenizedText(text: TextStart, tokenizer: Tokenizer, layout: TextLayout): SentenceSource {
  const name = text.file.path;
  return { name, format: 'conllu', isText: true, batches: () => batches(text, tokenizer, layout) };
}

async function* batches(
  start: TextStart,
  tokenizer: Tokenizer,
  layout: TextLayout,
): AsyncGenerator<TextBatch> {
  const name = start.file.path;
  // Lines are those of the sentences, not of the text.
  const file = `${name}, tokenized`;
  let line = 1;
  let text = '';
  for await (const sentences of cutText(start.chunks(), tokenizer, layout, name)) {
    for (const { source } of sentences) text += source!.text;
    if (text.length < DEFAULT_BATCH) continue;
    yield { file, line, text };
    line += countLines(text, text.length);
    text = '';
  }
  if (text !== '') yield { file, line, text };
  else if (line === 1) throw new InputError('no text, but white space at most', { file: name });
}
