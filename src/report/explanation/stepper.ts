import { setDisabled } from '../html/browser/page.ts';

const numbers = (text: string | undefined) => new Set((text ?? '').split(' ').filter((each) => each !== ''));

/** Shows the frames of an explanation (`explanationParts`) one at a time; buttons, a slider and keys step through them. */
export class Stepper {
  private at = 0;
  private readonly slider: HTMLInputElement;
  private readonly frames: readonly HTMLElement[];
  private readonly pictures: readonly SVGGElement[];

  private constructor(
    private readonly box: HTMLElement,
    private readonly moved: () => void,
  ) {
    this.slider = this.one('#slider');
    this.frames = [...box.querySelectorAll<HTMLElement>('.frame')];
    this.pictures = [...box.querySelectorAll<SVGGElement>('.picture')];
    for (const button of box.querySelectorAll<HTMLButtonElement>('[data-goal]'))
      button.addEventListener('click', () => this.go(this.goal(button)));
    this.slider.addEventListener('input', () => this.go(Number(this.slider.value) - 1));
    this.one('#stepper').hidden = false;
    this.one('#stepper-help').hidden = false;
    box.classList.add('stepping');
    this.show(0);
  }

  /** Starts at the first frame; returns undefined if there is only one. `moved` is called after the user steps. */
  static in(box: HTMLElement, moved: () => void = () => {}): Stepper | undefined {
    return box.querySelector('#slider') === null ? undefined : new Stepper(box, moved);
  }

  get number(): number {
    return this.at + 1;
  }

  /** Arrow keys step, unless a control has the focus. */
  press({ key, target, ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent): void {
    const chooses =
      target instanceof Element && target.closest('input, select, textarea, summary, [tabindex="0"]');
    if (chooses || ctrlKey || altKey || metaKey || shiftKey) return;
    if (key === 'ArrowRight') this.go(this.at + 1);
    else if (key === 'ArrowLeft') this.go(this.at - 1);
  }

  show(wanted: number): void {
    const { frames, slider, last } = this;
    this.at = Math.max(0, Math.min(last, Math.trunc(wanted) || 0));
    const frame = frames[this.at];
    for (const each of frames) each.hidden = each !== frame;
    this.showArcs(frame);
    slider.value = String(this.number);
    slider.setAttribute('aria-valuetext', frame.querySelector('h3')?.textContent ?? '');
    this.one('#place').textContent = `${this.number} of ${frames.length}`;
    setDisabled(
      Array.from(this.box.querySelectorAll<HTMLButtonElement>('[data-goal]'), (button) => {
        const isForward = button.dataset.goal === 'next' || button.dataset.goal === 'last';
        return [button, this.at === (isForward ? last : 0)];
      }),
    );
  }

  private get last(): number {
    return this.frames.length - 1;
  }

  private goal({ dataset }: HTMLButtonElement): number {
    const goals = { first: 0, previous: this.at - 1, next: this.at + 1, last: this.last };
    return goals[dataset.goal as keyof typeof goals];
  }

  private go(wanted: number): void {
    this.show(wanted);
    this.moved();
  }

  private one<E extends HTMLElement>(selector: string): E {
    return this.box.querySelector<E>(selector)!;
  }

  private showArcs({ dataset }: HTMLElement): void {
    const [shown, added, onCycle] = [dataset.shown, dataset.added, dataset.onCycle].map(numbers);
    const [first, second] = [dataset.first, dataset.second].map(numbers);
    for (const picture of this.pictures)
      picture.classList.toggle('away', picture.dataset.picture !== dataset.picture);
    for (const group of this.box.querySelectorAll<SVGGElement>('.pictures [data-token]')) {
      const token = group.dataset.token ?? '';
      const picture = group.closest<SVGGElement>('.picture');
      const isSeen = picture === null || (picture.dataset.picture === dataset.picture && shown.has(token));
      group.classList.toggle('away', !isSeen);
      group.classList.toggle('here', added.has(token));
      group.classList.toggle('cyclic', onCycle.has(token));
      if (picture !== null) continue;
      group.classList.toggle('in-first', first.has(token));
      group.classList.toggle('in-second', second.has(token));
      group.classList.toggle(
        'in-none',
        first.size + second.size > 0 && !first.has(token) && !second.has(token),
      );
    }
  }
}
