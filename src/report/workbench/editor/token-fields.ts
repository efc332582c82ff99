import type { EditedTreebank } from '../../../treebank/editing/edited-treebank.ts';
import type { Edit, EditedColumn } from '../../../treebank/editing/edits.ts';
import { universalTags } from '../../../treebank/editing/problems.ts';
import type { Sentence } from '../../../treebank/sentence.ts';
import { html } from '../../html/html.ts';

const titles = {
  form: 'Form',
  lemma: 'Lemma',
  upos: 'UPOS',
  xpos: 'XPOS',
  feats: 'Features',
  head: 'Head',
  label: 'Label',
  misc: 'MISC',
} as const;
type Field = keyof typeof titles;
const names = Object.keys(titles) as Field[];
/** Fields that suggest values of a column, most frequent first, with the maximum number of suggestions. */
const suggested = [
  { name: 'upos', column: 'upos', most: 100 },
  { name: 'xpos', column: 'xpos', most: 300 },
  { name: 'feats', column: 'feats', most: 300 },
  { name: 'label', column: 'labels', most: 300 },
] as const;

/** The form that edits the fields of one token. */
export class TokenFields {
  /** Called when Enter or Escape leaves the form. */
  onLeave: () => void = () => undefined;
  /** Called when the token is to be split at the cursor. */
  onSplit: () => void = () => undefined;
  /** Called when what has been typed is taken back. */
  onReset: () => void = () => undefined;
  private token = 1;
  private shown: Readonly<Record<Field, string>> | undefined;

  constructor(
    private readonly form: HTMLElement,
    /** Returns whether the edits are possible. */
    private readonly apply: (edits: readonly Edit[]) => boolean,
  ) {
    form.innerHTML = html`${names.map((name) => fieldOf(name))}`.text;
    form.addEventListener('change', () => this.commit());
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('keydown', (event) => this.press(event));
  }

  /** The position of the cursor in the form. */
  get cursor(): number {
    return this.field('form').selectionStart ?? 0;
  }

  /** Whether a field has a value that has not been applied yet. */
  get isChanged(): boolean {
    return this.changes().length > 0;
  }

  /** Suggests the values of a treebank. */
  offer(treebank: EditedTreebank): void {
    for (const { name, column, most } of suggested) {
      const values = treebank.values(column).slice(0, most);
      const more = name === 'upos' && treebank.isUniversal ? universalTags : [];
      const all = [...new Set([...values, ...more])];
      const list = this.form.querySelector(`#edit-${name}-values`)!;
      list.innerHTML = html`${all.map((value) => html`<option value="${value}"></option>`)}`.text;
    }
  }

  fill({ forms, lemmas, upos, xpos, feats, heads, labels, misc }: Sentence, token: number): void {
    this.token = token;
    const text = (column: readonly string[]) => (column[token] === '_' ? '' : column[token]);
    this.shown = {
      form: forms[token],
      lemma: text(lemmas),
      upos: text(upos),
      xpos: text(xpos),
      feats: text(feats),
      head: heads[token] < 0 ? '' : String(heads[token]),
      label: text(labels),
      misc: text(misc),
    };
    for (const name of names) {
      const field = this.field(name);
      if (field.value !== this.shown[name]) field.value = this.shown[name];
    }
    this.field('head').max = String(forms.length - 1);
  }

  focus(name: string): void {
    const field = this.field(name as Field);
    field.focus();
    field.select();
  }

  /** Applies the values that have been typed; returns whether they are possible. Impossible ones stay to be mended. */
  commit(): boolean {
    const edits = this.changes();
    if (edits.length === 0) return true;
    const typed = names.map((name) => this.field(name).value);
    if (this.apply(edits)) return true;
    for (const [i, name] of names.entries()) this.field(name).value = typed[i];
    return false;
  }

  /** Takes back what has been typed but not applied. */
  reset(): void {
    for (const name of names) this.field(name).value = this.shown![name];
    this.onReset();
  }

  private changes(): Edit[] {
    const { shown, token } = this;
    if (shown === undefined) return [];
    const changed = names.filter((name) => this.field(name).value !== shown[name]);
    return changed.flatMap((name): Edit[] => {
      const { value } = this.field(name);
      if (name !== 'head') return [{ kind: 'set', token, column: name satisfies EditedColumn, value }];
      return [{ kind: 'attach', token, head: value === '' ? Number.NaN : Number(value) }];
    });
  }

  private press(event: KeyboardEvent): void {
    // Enter and Escape may also end the input of characters that are composed, such as Chinese ones.
    if ((event.key !== 'Enter' && event.key !== 'Escape') || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') this.reset();
    else if (this.commit() && event.ctrlKey && event.target === this.field('form')) this.onSplit();
    this.onLeave();
  }

  private field(name: Field): HTMLInputElement {
    return this.form.querySelector<HTMLInputElement>(`[name=${name}]`)!;
  }
}

function fieldOf(name: Field) {
  const list = suggested.some((each) => each.name === name) ? `edit-${name}-values` : undefined;
  const kind =
    name === 'head' ? html`type="number" min="0"` : html`type="text" lang="" dir="auto" spellcheck="false"`;
  return html`<label>${titles[name]} <input name="${name}" ${kind} autocomplete="off"${list && html` list="${list}"`}></label>${list && html`<datalist id="${list}"></datalist>`}\n`;
}
