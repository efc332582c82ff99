import { expect, test } from 'vitest';
import { stackSystems } from '../../../../parsers/transition/systems/registry.ts';
import { StackConfiguration } from '../../../../parsers/transition/systems/stack-configuration.ts';
import {
  dependentOf,
  headOf,
  LEFT,
  RIGHT,
  SHIFT,
  topAndNext,
} from '../../../../parsers/transition/systems/system.ts';
import * as yamadaMatsumoto from '../../../../parsers/yamada-matsumoto/system.ts';
import { RowConfiguration } from '../../../../parsers/yamada-matsumoto/system.ts';

test.each(Object.entries(stackSystems))(
  'in %s, LEFT makes the left of two words the dependent, and RIGHT the right one',
  (_, make) => {
    const system = make(true);
    for (const [action, head, dependent] of [
      [LEFT, 2, 1],
      [RIGHT, 1, 2],
    ] as const) {
      const configuration = new StackConfiguration();
      system.start(configuration, 2);
      system.apply(configuration, SHIFT, 0);
      if (system.focus !== topAndNext) system.apply(configuration, SHIFT, 0);
      expect(headOf(system, configuration, action)).toBe(head);
      expect(dependentOf(system, configuration, action)).toBe(dependent);
      system.apply(configuration, action, 5);
      expect([configuration.head(dependent), configuration.head(head)]).toEqual([head, -1]);
      expect(configuration.label(dependent)).toBe(5);
    }
  },
);

test('LEFT and RIGHT do the same in the system of Yamada and Matsumoto', () => {
  const system = new yamadaMatsumoto.YamadaMatsumoto(true);
  const headsAfter = (action: number) => {
    const configuration = new RowConfiguration();
    system.start(configuration, 2);
    system.apply(configuration, action);
    return [configuration.heads[1], configuration.heads[2]];
  };
  expect(headsAfter(yamadaMatsumoto.LEFT)).toEqual([2, 0]);
  expect(headsAfter(yamadaMatsumoto.RIGHT)).toEqual([0, 1]);
});
