import type { Parameters } from '../http/decoding.ts';
import { RequestError } from '../http/errors.ts';
import type { ParseRequest } from '../requests/work.ts';
import { type Ability, checkAbilities, findModel, type ServedModel } from '../tasks/served-models.ts';
import { type OutputName, type RequestInput, sentenceInput, textFault } from '../tasks/texts.ts';

/** Reads the parameters of UDPipe's service, with text in NFC and LF as there; throws `RequestError`. */
export function askedFor(parameters: Parameters, models: readonly ServedModel[]): ParseRequest {
  const data = parameters.get('data');
  if (data === undefined) throw new RequestError("the parameter 'data' is required");
  const fault = textFault(data);
  if (fault !== undefined) throw new RequestError(fault);
  const model = findModel(models, parameters.get('model'));
  const asked = stepsOf(parameters);
  checkAbilities(model, asked);
  return {
    model,
    input: inputOf(data.normalize('NFC').replaceAll('\r\n', '\n'), parameters),
    steps: { columns: asked.includes('tagger'), trees: asked.includes('parser') },
    output: outputOf(parameters.get('output')),
  };
}

/** A parameter asks for its step whatever its value; `none` turns tagger and parser off. */
function stepsOf(parameters: Parameters): Ability[] {
  const steps: readonly Ability[] = ['tokenizer', 'tagger', 'parser'];
  const isNone = (step: Ability) => step !== 'tokenizer' && parameters.get(step) === 'none';
  return steps.filter((step) => parameters.has(step) && !isNone(step));
}

function inputOf(data: string, parameters: Parameters): RequestInput {
  const tokenizer = parameters.get('tokenizer');
  // Options are `name` or `name=value`, separated by semicolons; UDPipe's others change nothing here.
  if (tokenizer !== undefined) {
    const options = tokenizer.split(';');
    const ranges = options.some((option) => /^ranges(=|$)/.test(option));
    return { text: data, layout: options.includes('presegmented') ? 'lines' : 'text', ranges };
  }
  const input = parameters.get('input') ?? 'conllu';
  const read = inputs.get(input);
  if (read === undefined) throw unknown('input', input, [...inputs.keys()]);
  return sentenceInput(read(data), 'conllu');
}

const inputs: ReadonlyMap<string, (data: string) => string> = new Map([
  ['conllu', (data: string) => data],
  ['horizontal', ofHorizontal],
  ['vertical', ofVertical],
]);

const outputNames: readonly OutputName[] = [
  'conllu',
  'horizontal',
  'vertical',
  'plaintext',
  'plaintext=normalized_spaces',
];

function outputOf(name = 'conllu'): OutputName {
  const found = outputNames.find((each) => each === name);
  if (found === undefined) throw unknown('output', name, outputNames);
  return found;
}

function unknown(what: string, name: string, known: readonly string[]): RequestError {
  return new RequestError(`unknown ${what} format '${name.slice(0, 40)}', expected ${known.join(', ')}`);
}

/** Stands for a space within a word where spaces separate words. */
const NO_BREAK_SPACE = '\u00a0';

/** CoNLL-U of one sentence per line, its words separated by spaces. */
function ofHorizontal(text: string): string {
  return text.split('\n').map(wordsIn).map(conllu).join('');
}

function wordsIn(line: string): string[] {
  return line
    .split(/[ \t\r]+/)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(NO_BREAK_SPACE, ' '));
}

/** CoNLL-U of one word per line, up to the first tab or carriage return; blank lines separate sentences. */
function ofVertical(text: string): string {
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
