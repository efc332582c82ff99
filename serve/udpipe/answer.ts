import { packageVersion } from '../../src/files/package-version.ts';
import { framed } from '../http/streamed.ts';

const generator = `Parliament ${packageVersion()}`;

/** What stands before sentences in CoNLL-U: what has made them, with which model. */
function comments(model: string): string {
  return `# generator = ${generator}\n# udpipe_model = ${model}\n`;
}

/** The answer of `/process`: JSON, laid out as UDPipe's service does, around a text that comes in parts. */
export function processAnswer(
  model: string,
  isConllu: boolean,
  parts: AsyncIterable<string>,
): AsyncGenerator<string> {
  const whole = JSON.stringify({ model, acknowledgements: [generator], result: '' }, undefined, 1);
  const end = '"\n}';
  const head = whole.slice(0, -end.length) + (isConllu ? inString(comments(model)) : '');
  return framed(head, escaped(parts), `${end}\n`);
}

async function* escaped(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts) yield inString(part);
}

/** A text as it stands within a string of JSON. */
function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
