/**
 * The prose of a page in Markdown: code blocks and tables are left out, and so are the notes that a command has put below a
 * table of its own; the lines stay where they are.
 * @param {string} text
 * @returns {import('./passage.mjs').Passage[]}
 */
export function markdownProse(text) {
  let fence = '';
  let isMade = false;
  const lines = text.split('\n').map((line) => {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== '') {
      if (mark?.startsWith(fence)) fence = '';
      return '';
    }
    if (mark !== undefined) fence = mark;
    if (/^<!-- (?:table|end of) /.test(line)) isMade = line.startsWith('<!-- table');
    return mark !== undefined || /^\s*\|/.test(line) || (isMade && line.startsWith('- ')) ? '' : line;
  });
  return [{ line: 1, text: lines.join('\n') }];
}
