import type { Paradigm } from '../parser.ts';
import { NetworkParser } from './network-parser.ts';
import { type NetworkOptions, networkOptions } from './options.ts';
import { train } from './train.ts';

export const network: Paradigm<NetworkOptions> = {
  name: 'network',
  summary: 'A recurrent network reads the sentence and scores all arcs (Dozat & Manning 2017).',
  options: networkOptions,
  takesVectors: true,
  furtherOptions: ['epochs', 'rate', 'batch', 'shuffle'],
  takesSilver: () => true,
  keepsState: () => true,
  train,
  load: NetworkParser.load,
};
