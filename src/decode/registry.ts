import { checkFields } from '../checks.ts';
import { UsageError } from '../errors.ts';
import { createChuLiuEdmonds } from './chu-liu-edmonds.ts';
import type { Decoder, DecoderOptions } from './decoder.ts';
import { createEisner } from './eisner.ts';
import { createMatrixPower } from './matrix-power.ts';

/** The decoders by name; a new one needs only a line here. */
export const decoders = {
  'chu-liu-edmonds': createChuLiuEdmonds,
  eisner: createEisner,
  'matrix-power': createMatrixPower,
} satisfies Record<string, (options: DecoderOptions) => Decoder>;

export type DecoderName = keyof typeof decoders;
export const decoderNames = Object.keys(decoders) as [DecoderName, ...DecoderName[]];

/** Makes a decoder; throws `UsageError` for an unknown name or option. */
export function createDecoder(name: string, options: DecoderOptions): Decoder {
  if (!Object.hasOwn(decoders, name))
    throw new UsageError(`no decoder "${name}", expected one of ${decoderNames.join(', ')}`);
  checkFields('createDecoder', options, ['singleRoot'] satisfies (keyof DecoderOptions)[]);
  return decoders[name as DecoderName](options);
}
