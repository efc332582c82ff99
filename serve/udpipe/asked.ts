import type { TextLayout } from '../../annotators/annotator.ts';
import type { Parameters } from '../http/decoding.ts';
import { RequestError } from '../http/request-error.ts';
import { checkAbilities, findModel } from '../models/find-model.ts';
import type { Ability, ServedModel } from '../models/served-model.ts';
import type { ParseRequest } from '../requests/parsed-text.ts';
import type { OutputName } from '../tasks/outputs.ts';
import { faultOf, sentenceWords, type Words } from '../tasks/words.ts';
import { ofHorizontal, ofVertical } from './word-lists.ts';

/**
 * Reads the parameters of UDPipe's service. Text is put into NFC, and its lines end in LF, as there.
 *
 * @throws RequestError for what it does not have
 */
export function askedFor(parameters: Parameters, models: readonly ServedModel[]): ParseRequest {
  const data = parameters.get('data');
  if (data === undefined) throw new RequestError("the parameter 'data' is required");
  const fault = faultOf(data);
  if (fault !== undefined) throw new RequestError(fault);
  const model = findModel(models, parameters.get('model'));
  const asked = stepsOf(parameters);
  checkAbilities(model, asked);
  return {
    model,
    words: wordsOf(data.normalize('NFC').replaceAll('\r\n', '\n'), parameters),
    steps: { columns: asked.includes('tagger'), trees: asked.includes('parser') },
    output: outputOf(parameters.get('output')),
  };
}

/** A step is asked for where its parameter is there, whatever it holds; tags and trees not where that is `none`. */
function stepsOf(parameters: Parameters): Ability[] {
  const steps: readonly Ability[] = ['tokenizer', 'tagger', 'parser'];
  const isNone = (step: Ability) => step !== 'tokenizer' && parameters.get(step) === 'none';
  return steps.filter((step) => parameters.has(step) && !isNone(step));
}

function wordsOf(data: string, parameters: Parameters): Words {
  const tokenizer = parameters.get('tokenizer');
  if (tokenizer !== undefined) return { text: data, layout: layoutOf(tokenizer) };
  const input = parameters.get('input') ?? 'conllu';
  const read = inputs.get(input);
  if (read === undefined) throw unknown('input', input, [...inputs.keys()]);
  return sentenceWords(read(data), 'conllu');
}

/** Its options are `name` or `name=value`, separated by semicolons; of them the one that says where sentences end. */
function layoutOf(tokenizer: string): TextLayout {
  return tokenizer.split(';').includes('presegmented') ? 'lines' : 'text';
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
