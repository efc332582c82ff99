import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StateFeatures } from '../../../../parsers/transition/features/state-features.ts';
import { compileTemplates, templatesOf } from '../../../../parsers/transition/features/templates.ts';
import { stackSystems } from '../../../../parsers/transition/systems/registry.ts';
import { valueAt } from '../../../../src/encoding/columns.ts';
import { finish, mix } from '../../../../src/learn/hashing.ts';
import type { Sentence } from '../../../../src/treebank/sentence.ts';
import { encoded, smallSentences } from '../../../support/encoded.ts';
import { randomWalk, type WalkedTree } from '../../../support/transition-walk.ts';

const columns = ['form', 'upos', 'xpos', 'feats'] as const;

/** The values of a template, looked up by its name in the tree so far, and hashed as the class documents. */
function literalHash(
  template: string,
  number: number,
  tree: WalkedTree,
  ids: (column: string, i: number) => number,
) {
  let hash = number;
  for (const field of template.split(' ')) hash = mix(hash, literalValue(field, tree, ids));
  return finish(hash);
}

function literalValue(field: string, tree: WalkedTree, ids: (column: string, i: number) => number): number {
  if (field === 'distance') return tree.distance();
  const path = field.split('.');
  const value = path.pop()!;
  const node = path.slice(1).reduce((at, move) => tree.move(at, move), tree.start(path[0]!));
  if (node === -1) return -1;
  switch (value) {
    case 'tag':
      return (ids('upos', node) << 12) ^ ids('xpos', node);
    case 'label':
      return tree.heads[node] === -1 ? -1 : tree.labels[node]!;
    case 'leftCount':
      return tree.children(node, -1).length;
    case 'rightCount':
      return tree.children(node, 1).length;
    case 'leftLabels':
      return tree.children(node, -1).reduce((set, child) => set | (1 << tree.labels[child]!), 0);
    case 'rightLabels':
      return tree.children(node, 1).reduce((set, child) => set | (1 << tree.labels[child]!), 0);
    default:
      return ids(value, node);
  }
}

test.each(Object.keys(stackSystems) as (keyof typeof stackSystems)[])(
  'features of %s are what the templates say, wherever a sequence of transitions leads',
  (name) => {
    const system = stackSystems[name](true);
    const templates = templatesOf(system, true);
    fc.assert(
      fc.property(smallSentences(1, 8), fc.infiniteStream(fc.nat()), (one: Sentence, choices) => {
        const { encoder, sentence } = encoded(one, columns);
        const numbers = [[0], [3], [1, 2]];
        const features = new StateFeatures(compileTemplates(templates), numbers, system.focus);
        const ids = (column: string, i: number) =>
          valueAt(sentence, encoder.names.indexOf(column as 'form'), i);
        features.prepare(sentence);
        for (const tree of randomWalk(system, one.length, choices)) {
          features.extract(tree.configuration);
          const expected = templates.map((template, t) => literalHash(template, t + 1, tree, ids));
          expect([...features.hashes]).toEqual(expected);
        }
      }),
      { numRuns: 60 },
    );
  },
);
