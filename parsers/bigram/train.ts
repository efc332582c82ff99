import { withoutTitles } from '../../src/encoding/templates/choice.ts';
import { encodeTreebank, numberingOf } from '../../src/training/examples.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { INTERPOLATED_PHASES, learnInterpolated } from './arcs/learn-interpolated.ts';
import { ZEMAN_PHASES, ZemanEstimate } from './arcs/zeman.ts';
import { arcKeys, type BigramModel, labelKeys, zemanColumns } from './bigram-model.ts';
import { BigramParser } from './bigram-parser.ts';
import { LABEL_PHASES, learnLabels } from './labels/learn-labels.ts';
import { type BigramOptions, searchSettings } from './options.ts';
import { bigramTemplates } from './patterns/chosen-templates.ts';
import { columnsRead } from './patterns/sections.ts';
import { Phases } from './phases.ts';

/** Counts what the sentences of a treebank show, and learns how much counts of each kind tell. */
export async function train(
  treebank: Treebank,
  options: BigramOptions,
  run: TrainingRun,
): Promise<BigramParser> {
  const search = searchSettings(options);
  const templates = withoutTitles(bigramTemplates.choose(options));
  const encoded = await encodeTreebank(treebank, columnsRead, { ...options, stem: 'none' }, run);
  const { examples, labels, tags, singleRoot } = encoded;
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
  const named = await learnLabels(
    labelKeys(model),
    numbering.candidates,
    labels.length,
    examples,
    run.seed,
    phases,
  );
  run.onProgress?.({ epoch: 1, epochs: 1, done: examples.length, total: examples.length });
  return new BigramParser(model, estimate, named);
}
