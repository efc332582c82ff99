import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveEncoder } from '../../src/learn/encoder/encoder-file.ts';
import { encoderOptions, trainEncoder } from '../../src/training/encoder/train.ts';
import { babble } from './babble.ts';

/** Saves a small language model to a file. */
export async function encoderFile(): Promise<string> {
  const options = encoderOptions.parse({ units: 16, vocabulary: 30, negatives: 20, epochs: 1 });
  const { encoder } = await trainEncoder(babble(1, 500), 'babble', { options, seed: 1, jobs: 1 });
  const path = join(mkdtempSync(join(tmpdir(), 'encoder-')), 'small.encoder');
  saveEncoder(path, encoder, {});
  return path;
}
