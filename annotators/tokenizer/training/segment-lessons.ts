import { ATOM_PAD, Atoms } from '../segments/atoms.ts';
import type { Segmentation } from '../segments/segmentation.ts';
import { TOKEN_PAD } from '../sentences/token-list.ts';
import type { Habits } from '../tokens/known-end.ts';
import type { SettledPairs } from '../tokens/settled-pairs.ts';
import { SpanCounts } from './span-counts.ts';
import type { Lesson } from './training-data.ts';

/** A paragraph as atoms. */
export interface SegmentLesson {
  readonly atoms: Atoms;
  /** Of each atom, whether a token ends after it. */
  readonly ends: Uint8Array;
  /** The first atom of each token, by index, and one after the last of all. */
  readonly firsts: Int32Array;
}

/** What tokens are learnt from where they are found as the best way to cut a text. */
export interface SegmentLessons {
  readonly byLesson: ReadonlyMap<Lesson, SegmentLesson>;
  readonly counts: SpanCounts;
  readonly segmentation: Segmentation;
}

export function segmentLessons(
  lessons: readonly Lesson[],
  habits: Habits,
  settledKinds: SettledPairs,
): SegmentLessons {
  const byLesson = new Map(lessons.map((lesson) => [lesson, segmentLesson(lesson, habits, settledKinds)]));
  const counts = new SpanCounts();
  for (const { atoms, ends } of byLesson.values()) counts.add(atoms, ends);
  return { byLesson, counts, segmentation: { spans: counts.table(), settledKinds } };
}

function segmentLesson({ units, tokens }: Lesson, habits: Habits, settledKinds: SettledPairs): SegmentLesson {
  const atoms = new Atoms().read(units, habits, settledKinds);
  const ends = new Uint8Array(atoms.end);
  const firsts = new Int32Array(tokens.end - TOKEN_PAD + 1);
  ends[ATOM_PAD - 1] = 1;
  let a = ATOM_PAD;
  for (let t = TOKEN_PAD; t < tokens.end; t++) {
    firsts[t - TOKEN_PAD] = a;
    while (a < atoms.end && atoms.ends[a] <= tokens.endOf(t)) a++;
    ends[a - 1] = 1;
  }
  firsts[tokens.end - TOKEN_PAD] = a;
  return { atoms, ends, firsts };
}
