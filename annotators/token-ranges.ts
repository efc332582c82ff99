import type { Sentence } from '../src/treebank/sentence.ts';
import { inText, spacesAfter, spacesBefore } from '../src/treebank/surface.ts';
import type { Tokenizer } from './annotator.ts';

/** Wraps a tokenizer: adds the offsets of each token in the text to MISC, as UDPipe does: `TokenRange=0:3`. */
export function withRanges(tokenizer: Tokenizer): Tokenizer {
  return {
    task: tokenizer.task,
    save: (model) => tokenizer.save(model),
    open(layout, file, options) {
      const stream = tokenizer.open(layout, file, options);
      const offsets = new TokenOffsets();
      const ranged = (sentences: readonly Sentence[]) => sentences.map((sentence) => offsets.added(sentence));
      return { push: (text) => ranged(stream.push(text)), end: () => ranged(stream.end()) };
    },
  };
}

/** A token line: id, last word of a multiword token, form, columns in between, MISC. */
const TOKEN = /^(\d+)(?:-(\d+))?\t([^\t\n]*)(\t.*\t)([^\t\n]*)$/gm;

class TokenOffsets {
  /** Unicode characters (code points) so far. */
  private offset = 0;

  added(sentence: Sentence): Sentence {
    const misc = [...sentence.misc];
    let covered = 0;
    const text = sentence.source!.text.replace(TOKEN, (row, id, last, form, columns, own) => {
      const d = Number(id);
      if (d <= covered) return row;
      const start = this.offset + charactersOf(spacesBefore(own));
      const end = start + charactersOf(inText(form, own));
      this.offset = end + charactersOf(spacesAfter(own));
      const all = `${own === '_' ? '' : `${own}|`}TokenRange=${start}:${end}`;
      covered = Number(last ?? id);
      if (last === undefined) misc[d] = all;
      return `${id}${last === undefined ? '' : `-${last}`}\t${form}${columns}${all}`;
    });
    return { ...sentence, misc, source: { ...sentence.source!, text } };
  }
}

function charactersOf(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) count++;
  return count;
}
