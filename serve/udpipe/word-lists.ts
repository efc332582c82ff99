/** Sentences that are cut into words, without anything else, as CoNLL-U. */

const NO_BREAK_SPACE = '\u00a0';

/** A sentence a line, its words separated by blanks; a no-break space stands for a space within a word. */
export function ofHorizontal(text: string): string {
  return text.split('\n').map(wordsOf).map(conllu).join('');
}

function wordsOf(line: string): string[] {
  return line
    .split(/[ \t\r]+/)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(NO_BREAK_SPACE, ' '));
}

/** A word a line, up to the first tab or carriage return; blank lines between sentences. */
export function ofVertical(text: string): string {
  return text
    .split(/\n[ \t\r]*\n/)
    .map((sentence) => sentence.split('\n').map(firstColumn).filter(Boolean))
    .map(conllu)
    .join('');
}

function firstColumn(line: string): string {
  return line.split(/[\t\r]/, 1)[0].trim();
}

function conllu(forms: readonly string[]): string {
  if (forms.length === 0) return '';
  const lines = forms.map((form, i) => `${i + 1}\t${form}\t_\t_\t_\t_\t_\t_\t_\t_\n`);
  return `${lines.join('')}\n`;
}
