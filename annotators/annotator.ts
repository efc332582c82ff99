import type { z } from 'zod';
import type { ModelReader } from '../src/model/model-reader.ts';
import type { ModelWriter } from '../src/model/model-writer.ts';
import type { NamedScores, TrainingRun } from '../src/training/training-run.ts';
import type { AnnotatedColumn } from '../src/treebank/columns/names.ts';
import type { Sentence, Treebank } from '../src/treebank/sentence.ts';

/**
 * What adds to a text what it was trained to find. Not to be shared between threads: each loads its own, over
 * the same shared weights.
 */
export interface Annotator {
  /** The name of its task. */
  readonly task: string;
  /**
   * Writes one field of the header, called as its task, and sections whose names begin with that and a dot: so
   * that several annotators, and a parser, can stand in one file.
   */
  save(model: ModelWriter): void;
}

/** Cuts text into sentences and words. */
export interface Tokenizer extends Annotator {
  /**
   * The sentences of a text that comes in pieces, however it is cut.
   *
   * @param file what to call the text
   */
  open(layout?: TextLayout, file?: string): SentenceStream;
}

/** How a text is cut already: not at all, one sentence a line, or one token a line with blank lines between sentences. */
export type TextLayout = 'text' | 'lines' | 'tokens';

/** Gives sentences as soon as no text to come can change them, in bounded memory. */
export interface SentenceStream {
  push(text: string): Sentence[];
  /** The last sentences; the text ends here. */
  end(): Sentence[];
}

/** Columns of a sentence that have been found: each whole, laid out as in `Sentence`. */
export type Annotation = Partial<Pick<Sentence, AnnotatedColumn>>;

/** What a word could be given: values of columns, and their score in the annotator's own unit. */
export interface ColumnAlternative {
  readonly columns: Readonly<Partial<Record<AnnotatedColumn, string>>>;
  readonly score: number;
}

/** Fills columns of sentences that are cut into words already. */
export interface ColumnAnnotator extends Annotator {
  /** The columns besides forms that it looks at. */
  readonly reads: readonly AnnotatedColumn[];
  /** The columns that it fills, all of them in every sentence. */
  readonly writes: readonly AnnotatedColumn[];
  annotate(sentence: Sentence): Annotation;
  /**
   * Of each token from index 1 on what it could be given, the best first, as `annotate` gives it: for explanations.
   * None where there was nothing to choose between.
   */
  alternatives?(sentence: Sentence): readonly (readonly ColumnAlternative[])[];
}

/** Something to annotate that can be learnt from a treebank: all that the command line knows of it. */
export interface AnnotationTask<Options = unknown, A extends Annotator = Annotator> {
  readonly name: string;
  /** One line for `--help`. */
  readonly summary: string;
  /** As a paradigm's: the command line is made from it. */
  readonly options: z.ZodType<Options>;
  /** Whether a training with such options keeps its state, so that it can be resumed; absent: none does. */
  keepsState?(options: Options): boolean;
  /** How it is learnt for the folds of a jack-knifing, many times over, if not with the same options. */
  foldOptions?(options: Options): Options;
  /** Learns an annotator; the same treebank, options and seed give the same one, byte for byte. */
  train(treebank: Treebank, options: Options, run: TrainingRun<NamedScores>): Promise<A>;
  /** How well an annotator does on a treebank, in percent, by the names of what is scored. */
  score(annotator: A, treebank: Treebank, signal?: AbortSignal): Promise<NamedScores>;
  /** Opens a trained annotator; throws `InputError` where the model is not of this task. */
  load(model: ModelReader): A;
}
