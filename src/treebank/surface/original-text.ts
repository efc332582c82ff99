import { universalSource } from '../json/universal-source.ts';
import type { Sentence } from '../sentence.ts';

/** The text that a sentence was cut out of, by its `# text` comment; undefined where there is none. */
export function originalText({ source }: Sentence): string | undefined {
  const [, text] =
    /^#[ \t]*text[ \t]*=[ \t]*(.*?)[ \t]*\r?$/m.exec(universalSource(source)?.text ?? '') ?? [];
  return text === '' ? undefined : text;
}
