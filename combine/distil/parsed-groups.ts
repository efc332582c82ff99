import { createHash } from 'node:crypto';
import {
  type ParseBatchesOptions,
  parseBatches,
  type ThreadedParser,
} from '../../parsers/run/parse-batches.ts';
import { InputError } from '../../src/errors.ts';
import { Store } from '../../src/files/store.ts';
import type { TextBatch } from '../../src/treebank/sentence.ts';

/** Sentences in a group: seconds of work that a killed program loses. */
const GROUP = 1000;

interface Group {
  readonly name: string;
  readonly isKept: boolean;
  /** Number of its batches that are not parsed yet. */
  left: number;
  text: string;
}

export interface GroupOptions extends Omit<ParseBatchesOptions, 'to'> {
  /** A folder that keeps parsed groups; undefined: none are kept. */
  readonly store: string | undefined;
  /** What trees depend on besides the sentences, as JSON data. */
  readonly origin: readonly unknown[];
}

/** Parses batches in groups, and yields each group as CoNLL-U; one that is kept from before is not parsed again. */
export async function* parsedGroups(
  threaded: ThreadedParser,
  batches: AsyncIterable<TextBatch>,
  { store: folder, origin, ...options }: GroupOptions,
): AsyncGenerator<string> {
  const store = folder === undefined ? undefined : await Store.open(folder);
  const groups: Group[] = [];
  async function* missing(): AsyncGenerator<TextBatch> {
    for await (const group of grouped(batches)) {
      const text = group.map((batch) => batch.text).join('');
      const name = `${createHash('sha256')
        .update(JSON.stringify([origin, options.confidence, text]))
        .digest('hex')}.conllu`;
      const kept = store?.read(name)?.toString();
      groups.push({ name, isKept: kept !== undefined, left: group.length, text: kept ?? '' });
      if (kept === undefined) yield* group;
    }
  }
  for await (const { text, fault } of parseBatches(threaded, missing(), { ...options, to: 'conllu' })) {
    if (fault !== undefined) throw new InputError(fault.problem, fault.place);
    while (groups[0].isKept) yield groups.shift()!.text;
    const [group] = groups;
    group.text += text;
    group.left--;
    if (group.left > 0) continue;
    store?.write(group.name, Buffer.from(group.text));
    yield groups.shift()!.text;
  }
  for (const { text } of groups) yield text;
}

async function* grouped(batches: AsyncIterable<TextBatch>): AsyncGenerator<TextBatch[]> {
  let group: TextBatch[] = [];
  let sentences = 0;
  for await (const batch of batches) {
    group.push(batch);
    sentences += batch.sentences?.length ?? 0;
    if (sentences < GROUP) continue;
    yield group;
    group = [];
    sentences = 0;
  }
  if (group.length > 0) yield group;
}
