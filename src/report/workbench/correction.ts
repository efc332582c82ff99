import { NO_FILE } from '../../errors.ts';
import { EditedTreebank } from '../../treebank/editing/edited-treebank.ts';
import { byId, setDisabled } from '../html/browser/page.ts';
import { saveFile } from '../html/browser/tools.ts';
import { html } from '../html/html.ts';
import type { Learning, OfferedModel, ShowStatus, TreebankFolder } from './backend.ts';
import { TreeEditor } from './editor/tree-editor.ts';

/** Milliseconds between two requests for the state of a training. */
const POLL_INTERVAL = 500;
/** Number of these requests in a row that may fail before a training is given up. */
const MOST_FAILED_POLLS = 20;

/** Reports files that are being opened, or cannot be. */
export interface Notices {
  readonly say: ShowStatus;
  readonly refuse: (problem: string) => void;
}

interface Opened {
  readonly treebank: EditedTreebank;
  /** The file as it was opened or saved; undefined for trees that are in none yet. */
  file: { readonly name: string; readonly version: string } | undefined;
}

/** The part of the page for correcting trees, which come from a model, the form, or a file of the folder. */
export class Correction {
  private opened: Opened | undefined;
  private opening: AbortController | undefined;
  private folder: TreebankFolder | undefined;
  /** Resolves when the last save has ended: the next one needs its version. */
  private saving = Promise.resolve();
  /** Whether the user has been warned that closing, or opening something else, discards unsaved changes. */
  private isWarned = false;
  private readonly editor: TreeEditor;
  private readonly name = byId<HTMLInputElement>('file-name');

  /** @param learnt called when a new model has been trained */
  constructor(
    private readonly notices: Notices,
    private readonly learnt: () => Promise<void>,
  ) {
    const hooks = {
      changed: () => this.showState(),
      say: (text: string) => this.say(text),
      clearMessage: (text: string) => {
        const problem = byId('correction-problem');
        if (problem.textContent === text) problem.textContent = '';
      },
    };
    this.editor = new TreeEditor(byId('editor'), hooks);
    const onClick = (id: string, clicked: () => void) => byId(id).addEventListener('click', clicked);
    onClick('download', () => this.download());
    onClick('close-correction', () => this.close());
    onClick('save', () => this.save());
    onClick('learn', () => void this.learn());
    onClick('open-file', () => void this.openFile(byId<HTMLSelectElement>('files').value));
    byId('correction').addEventListener('keydown', (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      if (this.folder === undefined) this.download();
      else this.save();
    });
    addEventListener('beforeunload', (event) => {
      this.editor.commit();
      if (this.isChanged) event.preventDefault();
    });
  }

  /** Offers to open and save the files of a folder. */
  async offer(folder: TreebankFolder): Promise<void> {
    this.folder = folder;
    const files = await folder.files();
    byId('saving').hidden = false;
    byId('folder').hidden = files.length === 0;
    fillList(byId('files'), files);
  }

  /** Opens the first file at the word with the lowest confidence, if the folder is set to start there. */
  async openUnsure(): Promise<void> {
    const { value } = byId<HTMLSelectElement>('files');
    if (!this.folder?.startsUnsure || value === '') return;
    await this.openFile(value);
    if (this.opened !== undefined) this.editor.goToUnsure();
  }

  /** Offers the models that can be trained further. */
  offerModels(models: readonly OfferedModel[]): void {
    const able = models.filter(({ kind, abilities }) => kind !== 'vote' && abilities.includes('parser'));
    fillList(
      byId('learner'),
      able.map(({ name }) => name),
    );
  }

  /** Opens a text, but first warns of unsaved changes; throws `InputError` if it is not CoNLL-U. */
  open(text: string, index = 0): void {
    const treebank = new EditedTreebank(text, NO_FILE);
    if (!this.mayDiscard('Open')) return;
    this.opening?.abort();
    this.show({ treebank, file: undefined }, index);
    this.editor.focus();
  }

  say(text: string): void {
    this.isWarned = false;
    byId('correction-status').textContent = '';
    byId('correction-problem').textContent = text;
  }

  /** Opens a file of the folder, but first warns of unsaved changes. Meanwhile the editor is inert: edits would be lost. */
  private async openFile(name: string): Promise<void> {
    if (!this.mayDiscard('Open')) return;
    this.opening?.abort();
    this.opening = new AbortController();
    const { signal } = this.opening;
    const { activeElement } = document;
    byId('correction').inert = true;
    this.notices.say(`opening ${name} …`);
    try {
      const { text, version } = await this.folder!.open(name, signal);
      this.show({ treebank: new EditedTreebank(text, name), file: { name, version } }, 0);
      this.notices.say('');
      // The tree gets the focus unless the user has moved it in the meantime.
      if (document.activeElement === activeElement) this.editor.focus();
    } catch (error) {
      if (signal.aborted) return;
      byId('correction').inert = false;
      this.notices.refuse((error as Error).message);
    }
  }

  private show(opened: Opened, index: number): void {
    this.opened = opened;
    this.name.value = opened.file?.name ?? 'corrected.conllu';
    byId('correction').hidden = false;
    byId('correction').inert = false;
    this.say('');
    this.editor.open(opened.treebank, index);
  }

  private get isChanged(): boolean {
    return this.opened?.treebank.isChanged ?? false;
  }

  private save(): void {
    const { opened, folder } = this;
    if (opened === undefined || folder === undefined || !this.editor.commit()) return;
    const name = this.name.value.trim();
    this.saving = this.saving.then(() => this.saveIn(folder, name, opened));
  }

  /** Saves a treebank; meanwhile it can be edited, and another one can be opened. */
  private async saveIn(folder: TreebankFolder, name: string, opened: Opened): Promise<void> {
    const { treebank, file } = opened;
    const { text, revision } = treebank;
    // Under another name it is a new file, which replaces none.
    const replaced = name === file?.name ? file.version : undefined;
    try {
      opened.file = { name, version: await folder.save(name, text, replaced) };
      treebank.setSaved(revision);
      this.showState();
      this.say('');
      await this.offer(folder);
      byId('correction-status').textContent = `${name} is saved`;
    } catch (error) {
      this.say((error as Error).message);
    }
  }

  /** Trains the chosen model further on the saved file, and shows the progress and the scores. */
  private async learn(): Promise<void> {
    const { folder } = this;
    const file = this.opened?.file;
    const model = byId<HTMLSelectElement>('learner').value;
    if (folder === undefined) return;
    if (file === undefined || this.isChanged) {
      this.say('Save the file first: the model is trained on the saved file.');
      return;
    }
    this.say('');
    const setTraining = (isTraining: boolean) =>
      setDisabled([
        [byId('learner'), false],
        [byId('learn'), isTraining],
      ]);
    setTraining(true);
    try {
      const learning = await this.followed(folder, await folder.learn(model, file.name)).finally(() => {
        byId('correction-status').textContent = '';
      });
      if (learning.state === 'none') this.say('The training is lost: the service was restarted.');
      else if (learning.problem !== undefined) this.say(learning.problem);
      else await this.showScores(learning);
    } catch (error) {
      this.say((error as Error).message);
    }
    setTraining(false);
  }

  /** Shows the progress of a training until it has ended; returns its last state. */
  private async followed(folder: TreebankFolder, started: Learning): Promise<Learning> {
    let learning = started;
    let failed = 0;
    while (learning.state === 'running') {
      byId('correction-status').textContent = `training: ${Math.round(100 * (learning.share ?? 0))}%`;
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
      try {
        learning = await folder.learning();
        failed = 0;
      } catch (error) {
        if (++failed > MOST_FAILED_POLLS) throw error;
      }
    }
    return learning;
  }

  private async showScores({ learnt = '', scores }: Learning): Promise<void> {
    if (scores === undefined) return;
    const { before, after, heldOut } = scores;
    const figures = ({ uas, las }: typeof before) => `${uas.toFixed(1)} UAS, ${las.toFixed(1)} LAS`;
    byId('correction-status').textContent =
      `${learnt} is trained. On ${heldOut} held-out sentences: ${figures(before)} before, ${figures(after)} after.`;
    await this.learnt();
  }

  private download(): void {
    if (this.opened === undefined || !this.editor.commit()) return;
    const { treebank } = this.opened;
    saveFile(this.name.value, 'text/plain', treebank.text);
    if (this.folder === undefined) treebank.setSaved(treebank.revision);
    this.showState();
  }

  /** Whether nothing would be lost, or the user has been warned and does it again. */
  private mayDiscard(doing: 'Close' | 'Open'): boolean {
    if (!this.isChanged || this.isWarned) return true;
    this.say(`The changes are not saved. ${doing} again to discard them.`);
    this.isWarned = true;
    byId('correction-problem').scrollIntoView({ block: 'nearest' });
    return false;
  }

  private close(): void {
    if (!this.mayDiscard('Close')) return;
    this.opened = undefined;
    byId('correction').hidden = true;
    byId('words').focus();
  }

  /** Called after each change; earlier warnings and problems no longer hold. */
  private showState(): void {
    this.isWarned = false;
    byId('correction-problem').textContent = '';
    byId('correction-title').textContent = `Correct trees${this.isChanged ? ' (changed)' : ''}`;
  }
}

/** Fills a list with names; the chosen name stays chosen if it is still among them. */
function fillList(list: HTMLSelectElement, names: readonly string[]): void {
  const { value } = list;
  list.innerHTML = html`${names.map((name) => html`<option>${name}</option>`)}`.text;
  if (names.includes(value)) list.value = value;
}
