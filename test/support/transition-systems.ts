import {
  hasLabel,
  type PartialTree,
  type TransitionSystem,
} from '../../parsers/transition/systems/system.ts';
import type { Random } from '../../src/learn/random.ts';

/** A tree with labels by number. */
export interface LabelledTree {
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

/** What tests do with a transition system, whatever its configurations are. */
export interface TestedSystem {
  readonly name: string;
  /** The tree that the oracle's transitions build; undefined where the oracle says that it cannot be built. */
  rebuild(gold: LabelledTree): (LabelledTree & { readonly steps: number }) | undefined;
  /** The heads that transitions drawn from those permitted build, and how many they were. */
  wander(length: number, random: Random): { readonly heads: Int32Array; readonly steps: number };
}

export function tested<Configuration extends PartialTree>(
  system: TransitionSystem<Configuration>,
): TestedSystem {
  const configuration = system.create();
  const oracle = system.createOracle();
  const read = (length: number) => ({
    heads: Int32Array.from({ length: length + 1 }, (_, d) => (d === 0 ? -1 : configuration.head(d))),
    labels: Int32Array.from({ length: length + 1 }, (_, d) => (d === 0 ? 0 : configuration.label(d))),
  });
  return {
    name: system.name,
    rebuild({ heads, labels }) {
      const length = heads.length - 1;
      system.start(configuration, length);
      oracle.start({ length, heads, labels });
      let steps = 0;
      for (; !system.isComplete(configuration); steps++) {
        const kind = oracle.next(configuration);
        if (kind === -1) return undefined;
        if (!system.permits(configuration, kind)) throw new Error(`kind ${kind} is not permitted`);
        const label = hasLabel(kind) ? labels[system.dependentOf(configuration, kind)]! : 0;
        system.apply(configuration, kind, label);
      }
      return { ...read(length), steps };
    },
    wander(length, random) {
      system.start(configuration, length);
      let steps = 0;
      for (; !system.isComplete(configuration); steps++) {
        const permitted = system.kinds.filter((kind) => system.permits(configuration, kind));
        if (permitted.length === 0) throw new Error('no transition is permitted');
        system.apply(configuration, permitted[random.below(permitted.length)]!, 0);
      }
      return { heads: read(length).heads, steps };
    },
  };
}
