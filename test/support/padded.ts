/** CoNLL-U in which every sentence has a comment of so many characters more: many batches of text, and few sentences. */
export function padded(text: string, characters: number): string {
  const comment = `# padding = ${'x'.repeat(characters)}\n`;
  return text.replace(/(?<=^|\n\n)(?=[^\n])/g, comment);
}
