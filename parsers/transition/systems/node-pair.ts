import type { StackConfiguration } from './stack-configuration.ts';

/** A pair of nodes that an arc may be between. */
export interface NodePair {
  /** The left and the right one, as templates call them. */
  readonly names: readonly [left: string, right: string];
  /** Nodes whose agreement and case tell about the pair. */
  readonly around: readonly string[];
  /** The left one in a configuration; −1: none. */
  left(configuration: StackConfiguration): number;
  /** The right one in a configuration; −1: none. */
  right(configuration: StackConfiguration): number;
  /** The node that either may be connected with next; −1: none. */
  third(configuration: StackConfiguration): number;
}

/** The top of the stack and the front of the buffer. */
export const topAndNext: NodePair = {
  names: ['s0', 'b0'],
  around: ['s0L', 's0R', 's0H', 'b0L', 'b1'],
  left: (configuration) => configuration.stack(0),
  right: (configuration) => configuration.buffer(0),
  third: (configuration) => configuration.stack(1),
};

/** The two topmost tokens of the stack. */
export const twoTopmost: NodePair = {
  names: ['s1', 's0'],
  around: ['s1L', 's1R', 's0L', 's0R', 'b0'],
  left: (configuration) => configuration.stack(1),
  right: (configuration) => configuration.stack(0),
  third: (configuration) => configuration.buffer(0),
};
