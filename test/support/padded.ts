/** CoNLL-U in which every sentence has an additional comment of this length: many batches of text, and few sentences. */
export function padded(text: string, characters: number): string {
  const comment = `# padding = ${'x'.repeat(characters)}\n`;
  return text.replace(/(?<=^|\n\n)(?=[^\n])/g, comment);
}
