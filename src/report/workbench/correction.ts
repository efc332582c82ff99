import { EditedTreebank } from '../../treebank/editing/edited-treebank.ts';
import { byId } from '../html/browser/page.ts';
import { saveFile } from '../html/browser/tools.ts';
import { html } from '../html/html.ts';
import type { Learning, OfferedModel, TreebankFolder } from './backend.ts';
import { TreeEditor } from './editor/tree-editor.ts';

/** Milliseconds between two requests for the state of a training. */
const POLL_INTERVAL = 500;

interface SavedFile {
  readonly name: string;
  readonly version: string;
}

/** The part of the page that corrects trees: of a model, of the form, or of a file in the folder. */
export class Correction {
  private treebank: EditedTreebank | undefined;
  private folder: TreebankFolder | undefined;
  /** The file as it was opened or saved; undefined for trees that are in none yet. */
  private file: SavedFile | undefined;
  /** Whether the user has been warned that closing discards unsaved changes. */
  private isWarned = false;
  private readonly editor: TreeEditor;
  private readonly name = byId<HTMLInputElement>('file-name');

  /** @param learnt called when a new model has been trained */
  constructor(private readonly learnt: () => Promise<void>) {
    const changed = () => this.showState();
    this.editor = new TreeEditor(byId('editor'), { changed, say: (text) => this.say(text) });
    const onClick = (id: string, clicked: () => void) => byId(id).addEventListener('click', clicked);
    onClick('download', () => this.download());
    onClick('close-correction', () => this.close());
    onClick('save', () => void this.save());
    onClick('learn', () => void this.learn());
    onClick('open-file', () => void this.openFile(byId<HTMLSelectElement>('files').value));
    byId('correction').addEventListener('keydown', (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
      event.preventDefault();
      if (this.folder === undefined) this.download();
      else void this.save();
    });
    addEventListener('beforeunload', (event) => {
      if (this.treebank?.isChanged) event.preventDefault();
    });
  }

  /** Offers to open and save the files of a folder. */
  async offer(folder: TreebankFolder): Promise<void> {
    this.folder = folder;
    const files = await folder.files();
    byId('saving').hidden = false;
    byId('folder').hidden = files.length === 0;
    byId('files').innerHTML = html`${files.map((name) => html`<option>${name}</option>`)}`.text;
  }

  /** Opens the first file at the word with the lowest confidence, if the folder is set to start there. */
  async openUnsure(): Promise<void> {
    const { value } = byId<HTMLSelectElement>('files');
    if (!this.folder?.startsUnsure || value === '') return;
    await this.openFile(value);
    if (this.treebank !== undefined) this.editor.goToUnsure();
  }

  /** Offers the models that can be trained further. */
  offerModels(models: readonly OfferedModel[]): void {
    const able = models.filter(({ kind, abilities }) => kind !== 'vote' && abilities.includes('parser'));
    byId('learner').innerHTML = html`${able.map(({ name }) => html`<option>${name}</option>`)}`.text;
  }

  /** Opens a text; throws `InputError` if it is not CoNLL-U. */
  open(text: string, index = 0, file?: SavedFile): void {
    const name = file?.name ?? 'corrected.conllu';
    this.treebank = new EditedTreebank(text, name);
    this.file = file;
    this.name.value = name;
    byId('correction').hidden = false;
    this.say('');
    this.editor.open(this.treebank, index);
    this.editor.focus();
  }

  say(text: string): void {
    byId('correction-status').textContent = '';
    byId('correction-problem').textContent = text;
  }

  private async openFile(name: string): Promise<void> {
    byId('correction').hidden = false;
    try {
      const { text, version } = await this.folder!.open(name);
      this.open(text, 0, { name, version });
    } catch (error) {
      this.say((error as Error).message);
    }
  }

  private async save(): Promise<void> {
    if (this.treebank === undefined || this.folder === undefined) return;
    const name = this.name.value.trim();
    // Under another name it is a new file, which replaces none.
    const replaced = name === this.file?.name ? this.file.version : undefined;
    try {
      this.file = { name, version: await this.folder.save(name, this.treebank.text, replaced) };
      this.treebank.setSaved();
      this.say('');
      await this.offer(this.folder);
      byId('correction-status').textContent = `${name} is saved`;
    } catch (error) {
      this.say((error as Error).message);
    }
  }

  /** Trains the chosen model further on the saved file, and shows the progress and the scores. */
  private async learn(): Promise<void> {
    const { folder } = this;
    const model = byId<HTMLSelectElement>('learner').value;
    if (folder === undefined) return;
    if (this.file === undefined || this.treebank?.isChanged) {
      this.say('Save the file first: the model is trained on the saved file.');
      return;
    }
    this.say('');
    byId<HTMLButtonElement>('learn').disabled = true;
    try {
      let learning = await folder.learn(model, this.file.name);
      while (learning.state === 'running') {
        byId('correction-status').textContent = `training: ${Math.round(100 * (learning.share ?? 0))}%`;
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
        learning = await folder.learning();
      }
      if (learning.problem !== undefined) this.say(learning.problem);
      else await this.showScores(learning);
    } catch (error) {
      this.say((error as Error).message);
    }
    byId<HTMLButtonElement>('learn').disabled = false;
  }

  private async showScores({ learnt = '', scores }: Learning): Promise<void> {
    if (scores === undefined) return;
    const figures = ({ uas, las }: { uas: number; las: number }) =>
      `${uas.toFixed(1)} UAS, ${las.toFixed(1)} LAS`;
    const { before, after, heldOut } = scores;
    byId('correction-status').textContent =
      `${learnt} is trained. On ${heldOut} held-out sentences: ${figures(before)} before, ${figures(after)} after.`;
    await this.learnt();
  }

  private download(): void {
    if (this.treebank === undefined) return;
    saveFile(this.name.value, 'text/plain', this.treebank.text);
    if (this.folder === undefined) this.treebank.setSaved();
  }

  private close(): void {
    if (this.treebank?.isChanged && !this.isWarned) {
      this.isWarned = true;
      this.say('The changes are not saved. Close again to discard them.');
      return;
    }
    this.treebank = undefined;
    byId('correction').hidden = true;
    byId('words').focus();
  }

  private showState(): void {
    this.isWarned = false;
    byId('correction-title').textContent = `Correct trees${this.treebank?.isChanged ? ' (changed)' : ''}`;
  }
}
