import { basename } from 'node:path';
import type { NamedFile, NamedVote } from '../../../serve/models/served-model.ts';
import { UsageError } from '../../../src/errors.ts';
import { list } from '../../options/lists.ts';

/** What stands before `=`, if that can be a name, and what stands after it. */
const named = /^([\p{L}\p{N}][\p{L}\p{N}._-]*)=(.+)$/su;

/** `english=models/en.model`, or a file alone: then its name without `.model`. */
export function namedFile(text: string): NamedFile {
  const [, name, file] = named.exec(text) ?? [];
  if (name !== undefined) return { name, file };
  return { name: basename(text).replace(/\.model$/, ''), file: text };
}

/** `both=english,beam`, or the models alone: then `vote`. */
export function namedVotes(texts: readonly string[]): NamedVote[] {
  return texts.map((text) => {
    const [, name = 'vote', models = text] = named.exec(text) ?? [];
    const members = list(models);
    if (members.length < 2 || members.includes('')) {
      throw new UsageError(`--vote ${text}: expected the names of two models at least, as in --vote a,b,c`);
    }
    return { name, members };
  });
}
