import { InputError } from '../src/errors.ts';
import { joinStrings, splitStrings } from '../src/model/layout.ts';
import { ModelReader } from '../src/model/model-reader.ts';
import { ModelWriter, modelBytes } from '../src/model/model-writer.ts';
import type { ColumnAlternative } from '../src/treebank/columns/write.ts';
import type { Sentence } from '../src/treebank/sentence.ts';
import { inAscii } from '../src/treebank/text-normalization.ts';
import type { Annotation, ColumnAnnotator } from './annotator.ts';

/** Sections of a model: the lexicon given when an annotator was trained, and the one given when it is used. */
const sections = ['lexicon', 'overrides'] as const;
const overridden = ['lemmas', 'feats'] as const;

/**
 * A user's lexicon, which overrides predicted lemmas and features. Its lines are form, tag (UPOS, XPOS, or `_` for any), lemma
 * and features, separated by tabs; a lemma or features `_` leave the prediction unchanged.
 */
export class Overrides {
  /** Lemma and features by form (typographic marks in ASCII) and tag, separated by a tab. */
  private readonly entries = new Map<string, readonly [lemma: string, feats: string]>();

  private constructor(private readonly lines: readonly string[]) {
    for (const line of lines) {
      const [form, tag, lemma, feats] = line.split('\t');
      this.entries.set(`${inAscii.word(form)}\t${tag}`, [lemma, feats]);
    }
  }

  /** Reads a lexicon; blank lines and lines that begin with `# ` are left out. Throws `InputError`. */
  static read(text: string, file: string): Overrides {
    const lines: string[] = [];
    const seen = new Map<string, number>();
    const all = text.replace(/^\ufeff/, '').split(/\r?\n/);
    for (const [i, line] of all.entries()) {
      if (line.trim() === '' || line.startsWith('# ')) continue;
      const cells = line.split('\t');
      const fail = (problem: string) => new InputError(problem, { file, line: i + 1 });
      if (cells.length < 3 || cells.length > 4)
        throw fail(`${cells.length} columns, expected form, tag, lemma and features, separated by tabs`);
      if (cells.includes('')) throw fail('a column is empty, expected a value or “_”');
      const key = `${cells[0]}\t${cells[1]}`;
      const before = seen.get(key);
      if (before !== undefined)
        throw fail(`${cells[0]} with the tag ${cells[1]} is already in line ${before}`);
      seen.set(key, i + 1);
      lines.push([...cells, '_'].slice(0, 4).join('\t'));
    }
    if (lines.length === 0) throw new InputError('no words', { file });
    return new Overrides(lines);
  }

  /** Whether an annotator predicts lemmas or features. */
  static canApplyTo({ writes }: ColumnAnnotator): boolean {
    return overridden.some((column) => writes.includes(column));
  }

  /** Wraps an annotator with the lexicons of its model, if it predicts lemmas or features. */
  static applied(annotator: ColumnAnnotator, model: ModelReader): ColumnAnnotator {
    if (!Overrides.canApplyTo(annotator)) return annotator;
    let applied = annotator;
    for (const section of sections) {
      if (!model.has(section)) continue;
      const lines = splitStrings(model.section(section, 'uint8'));
      applied = new Overrides(lines).appliedTo(applied, section);
    }
    return applied;
  }

  /** Wraps an annotator with this lexicon, which is saved with it in a section of its model. */
  appliedTo(annotator: ColumnAnnotator, section: (typeof sections)[number] = 'lexicon'): ColumnAnnotator {
    const { task, reads, writes, alternatives, confidences } = annotator;
    const annotate: ColumnAnnotator['annotate'] = (sentence, kept) =>
      this.override(sentence, annotator.annotate(sentence, kept));
    const withLexicon = (sentence: Sentence): ColumnAlternative[][] => {
      const { feats } = annotate(sentence);
      const changed = (one: ColumnAlternative, d: number) =>
        feats === undefined ? one : { ...one, columns: { ...one.columns, feats: feats[d] } };
      return annotator.alternatives!(sentence).map((all, d) =>
        all.map((one, i) => (i === 0 ? changed(one, d) : one)),
      );
    };
    const raised = (sentence: Sentence) => {
      const found = annotator.confidences!(sentence);
      return writes.includes('lemmas') ? this.raise(sentence, found) : found;
    };
    return {
      task,
      reads,
      writes,
      annotate,
      ...(alternatives && { alternatives: withLexicon }),
      ...(confidences && { confidences: raised }),
      get calibration() {
        return annotator.calibration;
      },
      set calibration(calibration) {
        annotator.calibration = calibration;
      },
      save: (model) => {
        annotator.save(model);
        this.save(model, section);
      },
    };
  }

  save(model: ModelWriter, section: (typeof sections)[number]): void {
    model.section(section, joinStrings(this.lines));
  }

  /** The annotation with the lexicon's values in its columns. */
  override(sentence: Sentence, annotation: Annotation): Annotation {
    const { forms, length } = sentence;
    const { upos, xpos } = { ...sentence, ...annotation };
    const changed: { -readonly [Column in (typeof overridden)[number]]?: string[] } = {};
    for (let d = 1; d <= length; d++) {
      const entry = this.find(forms[d], upos[d], xpos[d]);
      if (entry === undefined) continue;
      for (const [i, column] of overridden.entries()) {
        const found = annotation[column];
        if (found === undefined || entry[i] === '_') continue;
        changed[column] ??= [...found];
        changed[column][d] = entry[i];
      }
    }
    return { ...annotation, ...changed };
  }

  /** Sets the confidences of words whose lemma is in the lexicon to 1. */
  raise({ forms, upos, xpos, length }: Sentence, confidences: Float64Array): Float64Array {
    for (let d = 1; d <= length; d++) {
      const [lemma = '_'] = this.find(forms[d], upos[d], xpos[d]) ?? [];
      if (lemma !== '_') confidences[d] = 1;
    }
    return confidences;
  }

  private find(form: string, ...tags: readonly string[]): readonly [string, string] | undefined {
    for (const tag of [...tags, '_']) {
      const entry = this.entries.get(`${inAscii.word(form)}\t${tag}`);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }
}

/** Adds a lexicon to a model, so that annotators opened from it in any thread apply it. */
export function withOverrides(model: ModelReader, overrides: Overrides): ModelReader {
  const writer = new ModelWriter();
  writer.copy(model);
  overrides.save(writer, 'overrides');
  return ModelReader.fromBuffer(modelBytes(writer), model.name);
}
