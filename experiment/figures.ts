import type { CellResult, RuleScores } from './job.ts';

/** A figure that a table can show. */
export interface Figure {
  /** What stands above its column. */
  readonly title: string;
  readonly unit: string;
  readonly decimals: number;
  readonly better: 'higher' | 'lower';
  /** Measured anew in every run, so that it differs from run to run. */
  readonly isTiming: boolean;
  /** NaN where it is not defined. */
  of(result: CellResult, scores: RuleScores): number;
}

type Score = 'uas' | 'las' | 'laa' | 'rootAccuracy' | 'completeRate' | 'labelledCompleteRate';

function score(title: string, key: Score): Figure {
  const of = (_: CellResult, scores: RuleScores) => scores[key] ?? Number.NaN;
  return { title, unit: '%', decimals: 2, better: 'higher', isTiming: false, of };
}

/** Everything that `report` may name; scores as `src/evaluate` defines them. */
export const figures = {
  uas: score('UAS', 'uas'),
  las: score('LAS', 'las'),
  laa: score('LAA', 'laa'),
  rootAccuracy: score('root', 'rootAccuracy'),
  completeRate: score('complete', 'completeRate'),
  labelledCompleteRate: score('labelled complete', 'labelledCompleteRate'),
  seconds: {
    title: 'training s',
    unit: 's',
    decimals: 1,
    better: 'lower',
    isTiming: true,
    of: ({ seconds }) => seconds,
  },
  sentencesPerSecond: {
    title: 'sentences/s parsed',
    unit: 'sentences/s',
    decimals: 0,
    better: 'higher',
    isTiming: true,
    of: ({ dev, parseSeconds }) => dev.sentences / parseSeconds,
  },
  memory: {
    title: 'memory MB',
    unit: 'MB',
    decimals: 0,
    better: 'lower',
    isTiming: true,
    of: ({ peakMemory }) => peakMemory / 1e6,
  },
} satisfies Record<string, Figure>;

export type FigureName = keyof typeof figures;
export const figureNames = Object.keys(figures) as [FigureName, ...FigureName[]];

/** The figures of the scores alone: the same in every run. */
export const scoreNames = figureNames.filter((name) => !figures[name].isTiming);
