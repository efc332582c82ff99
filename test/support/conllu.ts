/**
 * A sentence of CoNLL-U in mini-notation: a word for each token, `form/UPOS/head/label` (XPOS is the UPOS
 * again).
 */
export function conlluSentence(words: string): string {
  const lines = words.split(' ').map((word, i) => {
    const [form, tag, head, label] = word.split('/');
    return `${i + 1}\t${form}\t_\t${tag}\t${tag}\t_\t${head}\t${label}\t_\t_\n`;
  });
  return `${lines.join('')}\n`;
}

/**
 * The sentences of a text in columns, each as its token lines (multiword ranges and empty nodes left out),
 * cut into fields.
 */
export function rowsOf(text: string): string[][][] {
  return text
    .split(/(?:\r?\n){2,}/)
    .map((block) => block.split(/\r?\n/).filter((line) => /^\d+\t/.test(line)))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.split('\t')));
}

/** The text with HEAD and DEPREL, columns 7 and 8 of every token line, blotted out. */
export function withoutTrees(text: string): string {
  return text.replace(/^(\ufeff?\d+(?:\t[^\t\r\n]*){5})\t[^\t\r\n]*\t[^\t\r\n]*/gm, '$1\t?\t?');
}
