import type { Paradigm } from '../parser.ts';
import { type YamadaMatsumotoOptions, yamadaMatsumotoOptions } from './options.ts';
import { YamadaMatsumotoParser } from './parser.ts';
import { train } from './train.ts';

/** Deterministic bottom-up parsing by support vector machines. */
export const yamadaMatsumoto: Paradigm<YamadaMatsumotoOptions> = {
  name: 'yamada-matsumoto',
  summary:
    'Links neighbouring trees by support vector machines: shift, left, right (Yamada & Matsumoto 2003).',
  options: yamadaMatsumotoOptions,
  train,
  load: YamadaMatsumotoParser.load,
};
