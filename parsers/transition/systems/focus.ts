import { LEFT } from './actions.ts';
import type { StackConfiguration } from './stack-configuration.ts';

/** The pair of nodes that the next arc is between. */
export interface Focus {
  /** The left and the right one, as templates call them. */
  readonly names: readonly [left: string, right: string];
  /** The left one in a configuration; −1: none. */
  left(configuration: StackConfiguration): number;
  /** The right one in a configuration; −1: none. */
  right(configuration: StackConfiguration): number;
}

/** The top of the stack and the front of the buffer. */
export const topAndNext: Focus = {
  names: ['s0', 'b0'],
  left: (configuration) => configuration.stack(0),
  right: (configuration) => configuration.buffer(0),
};

/** The two topmost tokens of the stack. */
export const twoTopmost: Focus = {
  names: ['s1', 's0'],
  left: (configuration) => configuration.stack(1),
  right: (configuration) => configuration.stack(0),
};

/** The head of the arc that LEFT or RIGHT would make now. */
export function headOf(focus: Focus, configuration: StackConfiguration, action: number): number {
  return action === LEFT ? focus.right(configuration) : focus.left(configuration);
}

/** The dependent of the arc that LEFT or RIGHT would make now. */
export function dependentOf(focus: Focus, configuration: StackConfiguration, action: number): number {
  return action === LEFT ? focus.left(configuration) : focus.right(configuration);
}
