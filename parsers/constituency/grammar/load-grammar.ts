import type { HeaderFields } from '../../../src/model/header-fields.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { GrammarTables } from './grammar.ts';
import type { Rules } from './rules.ts';

/**
 * The grammar in a model.
 *
 * @param fields what the header says of it
 * @throws InputError where parsing by it would not end, or not give a tree of all words
 */
export function loadGrammar(file: ModelReader, fields: HeaderFields): GrammarTables {
  const labels = labelsIn(fields);
  const size = labels.length;
  const start = fields.integer('start', 0, size - 1);
  if (labels[start] !== undefined) fields.refuse('start', 'a state without a label');
  const tags = file.section('tags', 'uint8', { length: size, most: 1 });
  if (labels.some((label, state) => tags[state] === 1 && label === undefined)) {
    file.refuse('section tags: a tag without a label');
  }
  const occurrences = file.section('occurrences', 'int32', { length: size, least: 1 });
  const [binary, chains] = ['binary', 'chains'].map((name) => loadRules(file, name, size));
  const grammar = { start, labels, tags, occurrences, binary, chains };
  checkStart(file, grammar);
  checkChains(file, grammar);
  return grammar;
}

/** The labels of states; null, in the header, is that of the start and of intermediate states. */
export function labelsIn(fields: HeaderFields): (string | undefined)[] {
  return fields.list('labels').map((label) => {
    const isLabel = label === null || (typeof label === 'string' && /^[^ \t\r\n()]+$/.test(label));
    if (!isLabel) fields.refuse('labels', 'a list of nulls and of strings without spaces and brackets');
    return (label ?? undefined) as string | undefined;
  });
}

function loadRules(file: ModelReader, name: string, stateCount: number): Rules {
  const scores = file.section(`${name}.scores`, 'float32', { most: 0 });
  const length = 3 * scores.length;
  return { states: file.section(name, 'int32', { length, least: 0, most: stateCount - 1 }), scores };
}

/** The start has one child, which is a node of the treebank's: a tree is read from there. */
function checkStart(file: ModelReader, { start, labels, binary, chains }: GrammarTables): void {
  for (let at = 0; at < binary.states.length; at += 3) {
    if (binary.states[at] === start) file.refuse('section binary: the start with two children');
  }
  const { states } = chains;
  for (let at = 0; at < states.length; at += 3) {
    const isChild = states[at] === start && states[at + 2] === start;
    if (isChild && labels[states[at + 1]] === undefined) {
      file.refuse('section chains: the start above a state without a label');
    }
  }
}

/** Whoever follows a chain up, from its end to the state above and so on, comes to its top. */
function checkChains(file: ModelReader, { chains: { states }, labels }: GrammarTables): void {
  const size = labels.length;
  const aboveOf = new Map<number, number>();
  for (let at = 0; at < states.length; at += 3) {
    const key = states[at] * size + states[at + 1];
    if (!aboveOf.has(key)) aboveOf.set(key, states[at + 2]);
  }
  /** Those known to come to their top. */
  const sound = new Set<number>();
  for (let at = 0; at < states.length; at += 3) {
    const top = states[at];
    const path = new Set<number>();
    for (let state = states[at + 1]; state !== top && !sound.has(top * size + state); ) {
      const above = aboveOf.get(top * size + state);
      if (above === undefined || path.has(state))
        file.refuse(`section chains: no way from ${state} up to ${top}`);
      path.add(state);
      state = above;
    }
    for (const state of path) sound.add(top * size + state);
  }
}
