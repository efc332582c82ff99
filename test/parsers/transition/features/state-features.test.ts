import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StateFeatures } from '../../../../parsers/transition/features/state-features.ts';
import { templateSets } from '../../../../parsers/transition/features/template-sets.ts';
import { compileTemplates } from '../../../../parsers/transition/features/templates.ts';
import { stackSystems } from '../../../../parsers/transition/systems/registry.ts';
import { valueAt } from '../../../../src/encoding/columns.ts';
import { overAttributes } from '../../../../src/encoding/templates/notation.ts';
import { finish, mix } from '../../../../src/learn/hashing.ts';
import type { Sentence } from '../../../../src/treebank/sentence.ts';
import { encoded, smallSentences } from '../../../support/encoded.ts';
import { randomWalk, type WalkedTree } from '../../../support/transition-walk.ts';

/** The moves of the notation, by the names that `WalkedTree` has for them. */
const moves: Record<string, string> = { L: 'left', L2: 'left2', R: 'right', R2: 'right2', H: 'head' };

const columns = ['form', 'upos', 'xpos', 'feats', 'feats:Case'] as const;

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
  const [, start, path, value, offset = '0'] = /^([sb]\d)((?:[LR]2?|H)*)([a-z]+(?::Case)?)([+-]\d)?$/.exec(
    field,
  )!;
  const node = (path!.match(/[LR]2?|H/g) ?? []).reduce(
    (at, move) => tree.move(at, moves[move]!),
    tree.start(start!),
  );
  if (node === -1) return -1;
  const position = Math.min(Math.max(node + Number(offset), -1), tree.heads.length);
  switch (value) {
    case 'f':
      return ids('form', position);
    case 'm':
      return ids('feats', position);
    case 'm:Case':
      return ids('feats:Case', position);
    case 'p':
      return ids('upos', position);
    case 'x':
      return ids('xpos', position);
    case 'px':
      return (ids('upos', position) << 12) ^ ids('xpos', position);
    case 'r':
      return tree.heads[node] === -1 ? -1 : tree.labels[node]!;
    case 'vl':
      return tree.children(node, -1).length;
    case 'vr':
      return tree.children(node, 1).length;
    case 'rl':
      return tree.children(node, -1).reduce((set, child) => set | (1 << tree.labels[child]!), 0);
    case 'rr':
      return tree.children(node, 1).reduce((set, child) => set | (1 << tree.labels[child]!), 0);
    default:
      throw new Error(`no value ${value}`);
  }
}

test.each(Object.keys(stackSystems) as (keyof typeof stackSystems)[])(
  'features of %s follow their templates in every configuration of random walks',
  (name) => {
    const system = stackSystems[name](true);
    const neighbours = ['s0f-1 b0f+1 s0Lp-1', 's1px+3 s0HHx-4', 'b0m+9 distance'];
    const templates = overAttributes(
      [...Object.values(templateSets(system)).flat(), ...neighbours],
      ['Case'],
    );
    fc.assert(
      fc.property(smallSentences(1, 8), fc.infiniteStream(fc.nat()), (one: Sentence, choices) => {
        const { encoder, sentence } = encoded(one, columns);
        const compiled = compileTemplates(templates, ['upos', 'xpos']);
        const features = new StateFeatures(compiled, columns, system.focus);
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
