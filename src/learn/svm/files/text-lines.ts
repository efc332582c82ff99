import type { TextFile } from '../../../files/text/text-file.ts';

/** The lines of a text file, without their ends (`\n` or `\r\n`); an empty one after the last end is none. */
export async function* textLines(file: TextFile): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of file.chunks()) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield withoutReturn(line);
  }
  if (rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
