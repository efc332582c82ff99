import { byId } from '../html/browser/page.ts';
import { html } from '../html/html.ts';
import type { Asked, OfferedModel } from './backend.ts';

export class RequestForm {
  last: Asked | undefined;
  private readonly words = byId<HTMLTextAreaElement>('words');
  private readonly models = byId('models');
  private readonly vote = byId<HTMLInputElement>('vote');

  /** Offers the models that parse; all are checked at first, except votes. Those offered before stay as they are. */
  offer(models: readonly OfferedModel[]): void {
    const before = new Map(this.boxes.map(({ value, checked }) => [value, checked]));
    const labels = models
      .filter(({ abilities }) => abilities.includes('parser'))
      .map(({ name, kind, about, isChosen = kind !== 'vote' }) => {
        const checked = (before.get(name) ?? isChosen) ? html` checked` : undefined;
        const small = about === undefined ? undefined : html` <small>${about}</small>`;
        return html`<label><input type="checkbox" name="model" value="${name}"${checked}> <bdi>${name}</bdi>${small}</label>\n`;
      });
    for (const label of this.models.querySelectorAll('label')) label.remove();
    this.models.insertAdjacentHTML('beforeend', html`${labels}`.text);
  }

  onSubmit(submit: () => void): void {
    byId('request').addEventListener('submit', (event) => {
      event.preventDefault();
      submit();
    });
    this.words.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      submit();
    });
  }

  asked(): Asked | string {
    const words = this.words.value;
    const models = this.boxes.filter(({ checked }) => checked).map(({ value }) => value);
    if (words.trim() === '') return 'Nothing to parse: type or paste a text.';
    if (models.length === 0) return 'No model is chosen.';
    this.last = { words, models, vote: this.vote.checked };
    return this.last;
  }

  /** Sets the fields; returns a message for an unknown model. */
  fill({ words, models, vote }: Asked): string | undefined {
    this.words.value = words;
    this.vote.checked = vote;
    if (models.length === 0) return undefined;
    const missing = models.find((name) => !this.boxes.some(({ value }) => value === name));
    if (missing !== undefined) return `There is no model ${missing} here.`;
    for (const box of this.boxes) box.checked = models.includes(box.value);
    return undefined;
  }

  say(said: string): void {
    byId('problem').textContent = '';
    byId('status').textContent = said;
  }

  refuse(problem: string): void {
    byId('status').textContent = '';
    byId('problem').textContent = problem;
  }

  private get boxes(): HTMLInputElement[] {
    return [...this.models.querySelectorAll('input')];
  }
}

/** Maximum size of a file in bytes. */
const LARGEST = 4 * 2 ** 20;

export function takeFiles(
  area: HTMLTextAreaElement,
  chooser: HTMLInputElement,
  refuse: (problem: string) => void,
): void {
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > LARGEST) return refuse(`${file.name} is too large for a page`);
    area.value = await file.text();
    area.focus();
  };
  chooser.addEventListener('change', () => void take(chooser.files?.[0]));
  const over = (isOver: boolean) => area.classList.toggle('over', isOver);
  area.addEventListener('dragover', (event) => {
    event.preventDefault();
    over(true);
  });
  area.addEventListener('dragleave', () => over(false));
  area.addEventListener('drop', (event) => {
    over(false);
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void take(file);
  });
}
