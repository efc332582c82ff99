import { quantized, rounded } from '../../src/learn/linear/weights.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import { LinearMethod } from '../linear-method.ts';
import { GraphModel } from './graph-model.ts';
import { GraphParser } from './graph-parser.ts';
import { GraphTrainer, graphTrainingState } from './learning/trainer.ts';
import { type LearningSettings, readTrainingData, type TrainingData } from './learning/training-data.ts';
import type { GraphOptions } from './options.ts';
import type { GraphSettings } from './settings.ts';

/** How graph parsers are trained. */
class GraphMethod extends LinearMethod<GraphOptions, GraphSettings, LearningSettings, GraphParser> {
  override epochs({ epochs }: GraphOptions): number {
    return epochs;
  }

  protected override readonly read = readTrainingData;

  protected override trainer(data: TrainingData, fingerprint: string, run: TrainingRun): GraphTrainer {
    return new GraphTrainer(data, graphTrainingState(data, fingerprint), run);
  }

  protected override parserOf(data: TrainingData, weights: readonly Float32Array[]): GraphParser {
    const [arcs, labels, parts] = weights;
    return new GraphParser(new GraphModel(data), {
      // How far apart scores are says what is pruned.
      arcs: parts === undefined ? quantized(arcs) : rounded(arcs),
      labels: quantized(labels),
      parts: parts && quantized(parts),
    });
  }
}

export const linear = new GraphMethod();
