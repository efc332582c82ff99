import { explanationParts } from '../explanation/explanation-html.ts';
import { Stepper } from '../explanation/stepper.ts';
import { byId } from '../html/browser/page.ts';
import { html } from '../html/html.ts';
import type { Backend } from './backend.ts';
import type { LinkedExplanation } from './link.ts';

/** The part of the page that explains how a model parsed the sentence shown. */
export class ExplanationView {
  private model: string | undefined;
  private stepper: Stepper | undefined;
  private asking: AbortController | undefined;
  /** The element with the focus when the explanation was opened; it gets the focus back. */
  private opener: Element | null = null;

  /** @param changed called when the user opens another explanation or step */
  constructor(
    private readonly backend: Backend,
    private readonly changed: () => void,
  ) {
    byId('close-explanation').addEventListener('click', () => {
      this.close();
      if (this.opener instanceof HTMLElement) this.opener.focus();
      changed();
    });
    addEventListener('keydown', (event) => this.stepper?.press(event));
  }

  get shown(): LinkedExplanation | undefined {
    return this.model === undefined ? undefined : { model: this.model, step: this.stepper?.number ?? 1 };
  }

  close(): void {
    this.asking?.abort();
    this.model = undefined;
    this.stepper = undefined;
    byId('explanation').hidden = true;
    byId('explanation-parts').innerHTML = '';
  }

  /** Explains how the model `name` found the tree in `conllu`. */
  async open({ name, conllu }: { readonly name: string; readonly conllu: string }, step = 1): Promise<void> {
    this.close();
    const asking = new AbortController();
    this.asking = asking;
    this.model = name;
    this.opener = document.activeElement;
    byId('explanation').hidden = false;
    byId('explanation-title').textContent = `How ${name} parses this sentence`;
    byId('explanation-title').focus();
    this.changed();
    try {
      const explanation = await this.backend.explain(name, conllu, asking.signal);
      asking.signal.throwIfAborted();
      this.show(explanationParts(explanation));
      this.stepper?.show(step - 1);
    } catch (error) {
      if (asking.signal.aborted) return;
      byId('explanation-parts').innerHTML =
        html`<p class="wrong" role="alert">${(error as Error).message}</p>`.text;
    }
    this.changed();
  }

  private show([steps, ...others]: ReturnType<typeof explanationParts>): void {
    const box = byId('explanation-parts');
    const closed = others.map(
      ({ title, content }) => html`<details><summary>${title}</summary>${content}</details>\n`,
    );
    box.innerHTML = html`${steps.content}${closed}`.text;
    this.stepper = Stepper.in(box, this.changed);
  }
}
