import { Option } from 'commander';
import { type StackingOptions, stackingOptions } from '../../../combine/stack/options.ts';
import { OptionError } from '../../../src/errors.ts';
import { severalTimes } from '../../options/repeated.ts';
import { optionsOfSchema, readOptions } from '../../options/schema-options.ts';
import { cacheOption } from './kept-parts.ts';
import { readParserInText } from './parser-in-text.ts';
import type { GivenOptions, OptionGroup } from './trainable.ts';

const foldsOption = stackingOptions.pick({ folds: true });

/** By whom a parser is guided, and where what is finished of that is kept. */
export interface GivenStacking extends StackingOptions {
  readonly cache?: string | undefined;
}

export function stackingGroup(): OptionGroup {
  return {
    title: 'Guides:',
    options: [guideOption(), ...optionsOfSchema(foldsOption), cacheOption()],
  };
}

export function guideOption(): Option {
  return severalTimes(
    new Option(
      '--guide <parser>',
      'another parser, with its options in quotation marks, whose trees this one has as features; may be given several times',
    ),
  );
}

/** Who guides, and what goes with that; undefined: nothing of it is asked for. */
export async function readStacking(given: GivenOptions): Promise<GivenStacking | undefined> {
  const guides = await readGuides(given);
  const cache = given.cache as string | undefined;
  const { folds } = readOptions(foldsOption, given);
  if (guides === undefined && cache !== undefined)
    throw new OptionError((option) => `${option('cache', cache)} goes with ${option('guide')}`);
  return guides === undefined && folds === undefined ? undefined : { guides, folds, cache };
}

export async function readGuides(given: GivenOptions): Promise<StackingOptions['guides']> {
  const asked = given.guide as readonly string[] | undefined;
  return asked && Promise.all(asked.map((text) => readParserInText('--guide', text)));
}
