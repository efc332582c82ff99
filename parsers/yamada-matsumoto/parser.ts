import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { loadNumbering, saveNumbering } from '../../src/encoding/numbering.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { EncodedParser, type EncodedTree } from '../encoded-parser.ts';
import type { MachineData } from './classifiers/classifier.ts';
import { loadMachines, MachineSet } from './classifiers/classifier-set.ts';
import { LABEL_DEGREE, YamadaMatsumotoModel } from './model.ts';
import { yamadaMatsumotoSettings } from './settings.ts';

const NAME = 'yamada-matsumoto';

/** A trained parser of Yamada & Matsumoto (2003); arcs get their labels once the tree is whole. */
export class YamadaMatsumotoParser extends EncodedParser {
  readonly paradigm = NAME;
  private readonly actions: MachineSet;
  private readonly labelling: MachineSet;

  constructor(
    private readonly model: YamadaMatsumotoModel,
    actions: readonly MachineData[],
    labelling: readonly MachineData[],
  ) {
    const { settings, numbering, system } = model;
    super(numbering, ['form', ...settings.tags, 'feats'], settings.maxLength);
    this.actions = new MachineSet(actions, settings.degree, system.kinds.length);
    this.labelling = new MachineSet(labelling, LABEL_DEGREE, numbering.labels.length);
  }

  static load(file: ModelReader): YamadaMatsumotoParser {
    const fields = file.fields(NAME);
    const settings = yamadaMatsumotoSettings(fields.fields('settings'));
    return new YamadaMatsumotoParser(
      new YamadaMatsumotoModel({ settings, numbering: loadNumbering(file, NAME, settings) }),
      loadMachines(fields.objects('actions'), file, 'actions'),
      loadMachines(fields.objects('labelling'), file, 'labels'),
    );
  }

  save(file: ModelWriter): void {
    file.header[NAME] = {
      settings: this.model.settings,
      ...saveNumbering(this.numbering, file),
      actions: this.actions.save(file, 'actions'),
      labelling: this.labelling.save(file, 'labels'),
    };
  }

  findTree(sentence: EncodedSentence): EncodedTree {
    const tree = this.roomFor(sentence.length);
    this.model.findHeads(sentence, this.actions, tree.heads);
    this.model.findLabels(sentence, this.labelling, tree.heads, tree.labels);
    return tree;
  }
}
