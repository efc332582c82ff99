import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { loadNumbering, saveNumbering } from '../../src/encoding/numbering.ts';
import type { ExplainRequest } from '../../src/explain/request.ts';
import type { YamadaMatsumotoExplanation } from '../../src/explain/steps.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { EncodedParser, type EncodedTree } from '../parser.ts';
import type { ClassifierData, Machines } from './classifiers/classifier.ts';
import { ClassifierSet, loadClassifiers } from './classifiers/classifier.ts';
import { RowExplainer } from './explainer.ts';
import { LABEL_MACHINES, YamadaMatsumotoModel } from './model.ts';
import { type YamadaMatsumotoSettings, yamadaMatsumotoSettings } from './settings.ts';
import { ACTIONS } from './system.ts';

const NAME = 'yamada-matsumoto';

function actionMachines({ degree, multiclass = 'one-vs-rest' }: YamadaMatsumotoSettings): Machines {
  return { degree, multiclass };
}

/** A trained parser of Yamada & Matsumoto (2003), which labels the arcs of complete trees. */
export class YamadaMatsumotoParser extends EncodedParser {
  readonly paradigm = NAME;
  private readonly actions: ClassifierSet;
  private readonly labelling: ClassifierSet;

  constructor(
    private readonly model: YamadaMatsumotoModel,
    actions: readonly ClassifierData[],
    labelling: readonly ClassifierData[],
  ) {
    const { settings, numbering } = model;
    super(numbering, ['form', ...settings.tags, 'feats'], settings.maxLength);
    this.actions = new ClassifierSet(actions, actionMachines(settings), ACTIONS);
    this.labelling = new ClassifierSet(labelling, LABEL_MACHINES, numbering.labels.length);
  }

  static load(file: ModelReader): YamadaMatsumotoParser {
    const fields = file.fields(NAME);
    const settings = yamadaMatsumotoSettings(fields.fields('settings'));
    const columns = ['form' as const, ...settings.tags, ...(settings.feats ? (['feats'] as const) : [])];
    const numbering = loadNumbering(file, NAME, settings, columns);
    const actions = fields.objects('actionClassifiers');
    const labels = fields.objects('labelClassifiers');
    return new YamadaMatsumotoParser(
      new YamadaMatsumotoModel({ settings, numbering }),
      loadClassifiers(file, 'actions', actions, actionMachines(settings), ACTIONS),
      loadClassifiers(file, 'labels', labels, LABEL_MACHINES, numbering.labels.length),
    );
  }

  save(file: ModelWriter): void {
    file.header[NAME] = {
      settings: this.model.settings,
      ...saveNumbering(this.numbering, file),
      actionClassifiers: this.actions.save(file, 'actions'),
      labelClassifiers: this.labelling.save(file, 'labels'),
    };
  }

  explain(sentence: Sentence, request: ExplainRequest = {}): YamadaMatsumotoExplanation {
    const classifiers = { actions: this.actions, labels: this.labelling };
    return new RowExplainer(this.model, classifiers, sentence, this.built(sentence), request).explain();
  }

  protected fillTree(sentence: EncodedSentence, tree: EncodedTree, confidences?: Float64Array): void {
    this.model.findHeads(sentence, this.actions, tree.heads, confidences);
    this.model.findLabels(sentence, this.labelling, tree.heads, tree.labels);
  }
}
