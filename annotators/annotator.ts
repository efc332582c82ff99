import type { z } from 'zod';
import type { Calibration } from '../src/learn/calibration.ts';
import type { ModelReader } from '../src/model/model-reader.ts';
import type { ModelWriter } from '../src/model/model-writer.ts';
import type { NamedScores, TrainingRun } from '../src/training/training-run.ts';
import type { AnnotatedColumn } from '../src/treebank/columns/names.ts';
import type { ColumnAlternative } from '../src/treebank/columns/write.ts';
import type { Sentence, Treebank } from '../src/treebank/sentence.ts';
import type { TextNormalization } from '../src/treebank/text-normalization.ts';

/** A trained annotator. Not shared between threads: each thread loads its own over the same shared weights. */
export interface Annotator {
  readonly task: string;
  /** Maps raw confidences to probabilities; saved in the model's header. */
  calibration?: Calibration | undefined;
  /** Writes a header field named after the task, and sections named `<task>.…`, so that one file can hold several. */
  save(model: ModelWriter): void;
}

/** Splits text into sentences and words. */
export interface Tokenizer extends Annotator {
  /** Whether it segments texts without blanks between words; absent: no. */
  readonly segments?: boolean | undefined;
  /** The normalization of texts, which all models that read its words need, too; absent: none. */
  readonly normalization?: TextNormalization | undefined;
  /** Opens a stream that takes a text in chunks of any size; `file` names the text in messages. */
  open(layout?: TextLayout, file?: string, options?: StreamOptions): SentenceStream;
}

export interface StreamOptions extends SentenceNaming {
  /** Write into MISC the probability that a token's and its sentence's boundaries are right: `TokenConfidence=0.987`. */
  readonly confidence?: boolean | undefined;
}

/** Names of the document and of sentences, for a text that is one of several, or a part of one. */
export interface SentenceNaming {
  /** The document's name, for `# newdoc id = …`; null if the text continues a document. Default: no name. */
  readonly document?: string | null | undefined;
  /** Whether the text begins within a paragraph, and so without `# newpar`. Default: no. */
  readonly continuesParagraph?: boolean | undefined;
  /** Gives each sentence its `sent_id`; default: 1, 2, 3, … */
  readonly nextId?: (() => string) | undefined;
}

/** Layout of a text: running text, one sentence per line, or one token per line with blank lines between sentences. */
export type TextLayout = (typeof textLayouts)[number];
export const textLayouts = ['text', 'lines', 'tokens'] as const;
/** Returns sentences as soon as no further text can change them, in bounded memory. */
export type SentenceStream = { push(text: string): Sentence[]; end(): Sentence[] };
/** Predicted columns of a sentence, each complete and laid out as in `Sentence`. */
export type Annotation = Partial<Pick<Sentence, AnnotatedColumn>>;

/** Predicts columns of sentences that are split into words. */
export interface ColumnAnnotator extends Annotator {
  /** The columns that it reads, besides forms. */
  readonly reads: readonly AnnotatedColumn[];
  /** The columns that it fills, all of them in every sentence. */
  readonly writes: readonly AnnotatedColumn[];
  /** @param kept columns of the sentence that stay as they are; predictions should agree with them */
  annotate(sentence: Sentence, kept?: ReadonlySet<AnnotatedColumn>): Annotation;
  /** The probability that all its columns are right, for tokens 1…n; without calibration: a score from 0 to 1. */
  confidences?(sentence: Sentence): Float64Array;
  /** The candidates of each token (index 0: the root), the best first; empty for a token without choice. */
  alternatives?(sentence: Sentence): readonly (readonly ColumnAlternative[])[];
}

/** A task that an annotator can be trained for; the command line is generated from it. */
export interface AnnotationTask<Options = unknown, A extends Annotator = Annotator> {
  readonly name: string;
  readonly summary: string;
  readonly options: z.ZodType<Options>;
  /** Whether training with these options saves its state and can be resumed; absent: never. */
  keepsState?(options: Options): boolean;
  /** Options for the folds of jackknifing, which train many times; absent: the same. */
  foldOptions?(options: Options): Options;
  /** Trains an annotator; the same treebank, options and seed give the same one, byte for byte. */
  train(treebank: Treebank, options: Options, run: TrainingRun<NamedScores>): Promise<A>;
  /** Scores an annotator on a treebank: percentages by metric. */
  score(annotator: A, treebank: Treebank, signal?: AbortSignal): Promise<NamedScores>;
  /** Opens a trained annotator; throws `InputError` if the model is not of this task. */
  load(model: ModelReader): A;
}
