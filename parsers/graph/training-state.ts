import { z } from 'zod';
import { AveragedWeights } from '../../src/learn/weights.ts';
import { otherTraining } from '../../src/model/checkpoint-file.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';

const positionSchema = z.object({
  /** Names the options, data and seed that the state belongs to. */
  fingerprint: z.string(),
  epoch: z.int().min(1),
  done: z.int().min(0),
  tokens: z.int(),
  heads: z.int(),
  arcs: z.int(),
  arcExamples: z.int(),
  labelExamples: z.int(),
});

/** Everything that training changes: saved at any sentence, it is enough to go on as if never stopped. */
export class TrainingState {
  readonly arcs: AveragedWeights;
  readonly labels: AveragedWeights;
  /** The epoch at work, from 1, and how many of its sentences are done. */
  epoch = 1;
  done = 0;
  /** Of the tokens seen in this epoch: how many, with the right head, with the right head and label. */
  tokens = 0;
  heads = 0;
  rightArcs = 0;

  constructor(
    bits: number,
    /** Names the options, data and seed; a state is of use to no other training. */
    private readonly fingerprint: string,
  ) {
    this.arcs = new AveragedWeights(2 ** bits);
    this.labels = new AveragedWeights(2 ** (bits - 1));
  }

  startEpoch(epoch: number): void {
    this.epoch = epoch;
    this.done = this.tokens = this.heads = this.rightArcs = 0;
  }

  save(file: ModelWriter): void {
    file.header.training = {
      fingerprint: this.fingerprint,
      epoch: this.epoch,
      done: this.done,
      tokens: this.tokens,
      heads: this.heads,
      arcs: this.rightArcs,
      arcExamples: this.arcs.examples,
      labelExamples: this.labels.examples,
    };
    file.section('arcs.values', this.arcs.values);
    file.section('arcs.totals', this.arcs.totals);
    file.section('labels.values', this.labels.values);
    file.section('labels.totals', this.labels.totals);
  }

  /** Takes up a state that was saved; throws `UsageError` where it belongs to another training. */
  restore(file: ModelReader): void {
    const position = file.has('arcs.values') ? file.part('training', positionSchema) : undefined;
    if (position?.fingerprint !== this.fingerprint) throw otherTraining(file);
    this.epoch = position.epoch;
    this.done = position.done;
    this.tokens = position.tokens;
    this.heads = position.heads;
    this.rightArcs = position.arcs;
    this.arcs.examples = position.arcExamples;
    this.labels.examples = position.labelExamples;
    this.arcs.values.set(file.section('arcs.values', 'int16'));
    this.arcs.totals.set(file.section('arcs.totals', 'float64'));
    this.labels.values.set(file.section('labels.values', 'int16'));
    this.labels.totals.set(file.section('labels.totals', 'float64'));
  }
}
