import type { StackConfiguration } from './stack-configuration.ts';

/** A pair of nodes that an arc may be between. */
export interface NodePair {
  /** The left and the right one, as templates call them. */
  readonly names: readonly [left: string, right: string];
  /** The left one in a configuration; −1: none. */
  left(configuration: StackConfiguration): number;
  /** The right one in a configuration; −1: none. */
  right(configuration: StackConfiguration): number;
}

/** The top of the stack and the front of the buffer. */
export const topAndNext: NodePair = {
  names: ['s0', 'b0'],
  left: (configuration) => configuration.stack(0),
  right: (configuration) => configuration.buffer(0),
};

/** The two topmost tokens of the stack. */
export const twoTopmost: NodePair = {
  names: ['s1', 's0'],
  left: (configuration) => configuration.stack(1),
  right: (configuration) => configuration.stack(0),
};
