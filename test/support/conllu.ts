/**
 * A sentence of CoNLL-U from mini-notation: `form/UPOS/head/label` for each token. XPOS is the same as UPOS.
 */
export function conlluSentence(words: string): string {
  const lines = words.split(' ').map((word, i) => {
    const [form, tag, head, label] = word.split('/');
    return `${i + 1}\t${form}\t_\t${tag}\t${tag}\t_\t${head}\t${label}\t_\t_\n`;
  });
  return `${lines.join('')}\n`;
}

/**
 * The sentences of a text in columns, each as its token lines, split into fields. Multiword ranges and empty nodes are
 * left out.
 */
export function rowsOf(text: string): string[][][] {
  return text
    .split(/(?:\r?\n){2,}/)
    .map((block) => block.split(/\r?\n/).filter((line) => /^\d+\t/.test(line)))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.split('\t')));
}

/** The text without HEAD and DEPREL, which are columns 7 and 8 of every token line. */
export function withoutTrees(text: string): string {
  return text.replace(/^(\ufeff?\d+(?:\t[^\t\r\n]*){5})\t[^\t\r\n]*\t[^\t\r\n]*/gm, '$1\t?\t?');
}
