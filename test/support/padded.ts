/** CoNLL-U with an additional comment of this length in every sentence, so that few sentences make many batches. */
export function padded(text: string, characters: number): string {
  const comment = `# padding = ${'x'.repeat(characters)}\n`;
  return text.replace(/(?<=^|\n\n)(?=[^\n])/g, comment);
}
