import { findParadigm, paradigmNames } from '../../../parsers/registry.ts';
import { UsageError } from '../../../src/errors.ts';
import { optionsInText } from '../../options/options-in-text.ts';
import { type Learnable, readLearning } from './trainable.ts';

/** A parser with options of its own. */
export interface ParserInText {
  readonly parser: string;
  readonly options: Record<string, unknown>;
}

/** A parser in the value of an option, as it is typed: `graph --decoder eisner`. Throws `UsageError` for what is none. */
export async function readParserInText(flag: string, text: string): Promise<ParserInText> {
  const [name, options = ''] = text.trim().split(/\s+(.*)/s, 2);
  const within = `option '${flag}': ${text}`;
  if (!paradigmNames().includes(name))
    throw new UsageError(`${within}: '${name}' is not one of ${paradigmNames().join(', ')}`);
  return { parser: name, options: await readInText(await findParadigm(name), options, within) };
}

/** The options of what is learnt in a text that has them as they are typed. */
export function readInText(
  learnable: Learnable,
  text: string,
  within: string,
): Promise<Record<string, unknown>> {
  return readLearning(learnable, optionsInText(learnable.options, text, within));
}
