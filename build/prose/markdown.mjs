/**
 * The prose of a page in Markdown: code blocks and tables are left out, the lines stay where they are.
 * @param {string} text
 * @returns {import('./passage.mjs').Passage[]}
 */
export function markdownProse(text) {
  let fence = '';
  const lines = text.split('\n').map((line) => {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== '') {
      if (mark?.startsWith(fence)) fence = '';
      return '';
    }
    if (mark !== undefined) fence = mark;
    return mark !== undefined || /^\s*\|/.test(line) ? '' : line;
  });
  return [{ line: 1, text: lines.join('\n') }];
}
