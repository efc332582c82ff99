import type { AveragedWeights } from '../../../src/learn/linear/weights.ts';
import type { FeatureList } from '../feature-list.ts';
import { Place } from '../segments/atoms.ts';
import { isToken, Segmenter } from '../segments/segmenter.ts';
import { TOKEN_PAD } from '../sentences/token-list.ts';
import type { SegmentLesson, SegmentLessons } from './segment-lessons.ts';
import type { Example, Lesson } from './training-data.ts';

/** Learns how to cut sentences into tokens by the averaged structured perceptron (Collins 2002). */
export class SegmentTrainer {
  private readonly segmenters = new Map<Lesson, Segmenter>();

  constructor(
    private readonly lessons: SegmentLessons,
    private readonly list: FeatureList,
    private readonly weights: AveragedWeights,
  ) {
    for (const [lesson, { atoms }] of lessons.byLesson) {
      this.segmenters.set(lesson, new Segmenter(atoms, lessons.counts, list));
    }
  }

  /** Cuts a sentence, and learns from what is not as it should be. */
  learn({ lesson, first, last }: Example): void {
    const segmenter = this.segmenters.get(lesson)!;
    const gold = this.lessons.byLesson.get(lesson)!;
    const start = gold.firsts[first - TOKEN_PAD];
    const end = gold.firsts[last + 1 - TOKEN_PAD];
    segmenter.cut(this.weights.values, start, end, gold.ends);
    this.learnPlaces(segmenter, gold, start, end);
    this.learnSegments(segmenter, gold, gold.ends, segmenter.ends, start, end, 1);
    this.learnSegments(segmenter, gold, segmenter.ends, gold.ends, start, end, -1);
    this.weights.examples++;
  }

  private learnPlaces(
    segmenter: Segmenter,
    { atoms, ends }: SegmentLesson,
    start: number,
    end: number,
  ): void {
    for (let a = start; a < end - 1; a++) {
      if (ends[a] === segmenter.ends[a] || atoms.places[a] === Place.end) continue;
      segmenter.fillPlace(a, ends);
      this.change(ends[a] === 1 ? 1 : -1);
    }
  }

  /** Changes the weights of the tokens of one way to cut that are not in another. */
  private learnSegments(
    segmenter: Segmenter,
    gold: SegmentLesson,
    ends: Uint8Array,
    others: Uint8Array,
    start: number,
    end: number,
    step: number,
  ): void {
    let first = start;
    for (let a = start; a < end; a++) {
      if (ends[a] === 0) continue;
      if (!isToken(others, first, a)) {
        segmenter.fillSegment(first, a, gold.ends);
        this.change(step);
      }
      first = a + 1;
    }
  }

  private change(step: number): void {
    const { list, weights } = this;
    for (let k = 0; k < list.count; k++) weights.add(list.indices[k], step);
  }
}
