import { withoutTitles } from '../../src/encoding/templates/choice.ts';
import { overAttributes } from '../../src/encoding/templates/notation.ts';
import { withAttributes } from '../../src/training/attributes.ts';
import { encodeTreebank, numberingOf } from '../../src/training/examples.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { Paradigm } from '../parser.ts';
import type { BigramModel } from './bigram-model.ts';
import { BigramParser } from './bigram-parser.ts';
import { arcKeys } from './interpolated.ts';
import { labelKeys } from './labels.ts';
import { type BigramOptions, bigramOptions, bigramTemplates, searchSettings } from './options.ts';
import { encodedColumns } from './patterns.ts';
import { Phases } from './training/held-out.ts';
import { INTERPOLATED_PHASES, learnInterpolated } from './training/learn-arcs.ts';
import { LABEL_PHASES, learnLabels } from './training/learn-labels.ts';
import { ZEMAN_PHASES, ZemanEstimate, zemanColumns } from './zeman.ts';

/** Dependency parsing by counts of word pairs: trained in seconds, weak alone, useful in a vote. */
export const bigram: Paradigm<BigramOptions> = {
  name: 'bigram',
  summary: 'Counts pairs of words and tags, and takes the most probable tree (Zeman 1998, Collins 1996).',
  options: bigramOptions,
  templates: bigramTemplates,
  train,
  load: BigramParser.load,
};

export async function train(treebank: Treebank, options: BigramOptions, run: TrainingRun) {
  const search = searchSettings(options);
  const chosen = withoutTitles(bigramTemplates.choose(options));
  const all = await encodeTreebank(treebank, encodedColumns, { ...options, stem: 'none' }, run);
  const { encoded, attributes } = withAttributes(all, Object.values(chosen).flat());
  const expanded = (list: readonly string[]) => {
    const templates = overAttributes(list, attributes);
    return templates.length > 0 ? templates : list;
  };
  const templates = { arcs: expanded(chosen.arcs), labels: expanded(chosen.labels) };
  const { examples, tags, singleRoot } = encoded;
  const { normalize, maxLength } = options;
  const numbering = numberingOf(encoded, encoded);
  const model: BigramModel = {
    settings: { ...search, templates, tags, normalize, stem: 'none', singleRoot, maxLength },
    numbering,
  };
  const { settings } = model;
  const isZeman = settings.estimate === 'zeman';
  const arcPhases = isZeman ? ZEMAN_PHASES : INTERPOLATED_PHASES;
  const phases = new Phases(run, arcPhases + LABEL_PHASES, examples.length);
  const estimate = isZeman
    ? await ZemanEstimate.learn(zemanColumns(model), settings, examples, phases)
    : await learnInterpolated(arcKeys(model), examples, run.seed, phases);
  const labels = await learnLabels(labelKeys(model), numbering, examples, run.seed, phases);
  run.onProgress?.({ epoch: 1, epochs: 1, done: examples.length, total: examples.length });
  return new BigramParser(model, estimate, labels);
}
