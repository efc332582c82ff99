import { startThemeSwitch } from './theme.ts';

/** The script of the page that explains a parse: one frame of the search is shown at a time. */

const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

const numbers = (text: string | undefined) => new Set((text ?? '').split(' ').filter((each) => each !== ''));

/** Goes through the frames, forward and back. */
class Stepper {
  private at = 0;
  private readonly slider = byId<HTMLInputElement>('slider');
  private readonly frames = [...document.querySelectorAll<HTMLElement>('.frame')];
  private readonly pictures = [...document.querySelectorAll<SVGGElement>('.picture')];

  start(): void {
    const last = this.frames.length - 1;
    const goals = { first: () => 0, previous: () => this.at - 1, next: () => this.at + 1, last: () => last };
    for (const [id, goal] of Object.entries(goals)) {
      byId(id).addEventListener('click', () => this.show(goal()));
    }
    this.slider.addEventListener('input', () => this.show(Number(this.slider.value) - 1));
    addEventListener('keydown', (event) => this.pressed(event));
    byId('stepper').hidden = false;
    byId('stepper-help').hidden = false;
    document.body.classList.add('stepping');
    this.show(0);
  }

  /** Arrows are the slider's own where that has the focus, and a control's wherever one can choose. */
  private pressed({ key, target, ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent): void {
    const chooses = target instanceof Element && target.closest('input, select, [tabindex="0"]');
    if (chooses || ctrlKey || altKey || metaKey || shiftKey) return;
    if (key === 'ArrowRight') this.show(this.at + 1);
    else if (key === 'ArrowLeft') this.show(this.at - 1);
  }

  private show(wanted: number): void {
    const { frames, slider } = this;
    this.at = Math.max(0, Math.min(frames.length - 1, wanted));
    const frame = frames[this.at];
    for (const each of frames) each.hidden = each !== frame;
    this.showArcs(frame);
    slider.value = String(this.at + 1);
    const title = frame.querySelector('h3')?.textContent ?? '';
    slider.setAttribute('aria-valuetext', title);
    byId('place').textContent = `${this.at + 1} of ${frames.length}`;
    byId<HTMLButtonElement>('previous').disabled = this.at === 0;
    byId<HTMLButtonElement>('first').disabled = this.at === 0;
    byId<HTMLButtonElement>('next').disabled = this.at === frames.length - 1;
    byId<HTMLButtonElement>('last').disabled = this.at === frames.length - 1;
  }

  private showArcs({ dataset }: HTMLElement): void {
    const [shown, fresh, cyclic] = [dataset.shown, dataset.fresh, dataset.cyclic].map(numbers);
    for (const picture of this.pictures) {
      picture.classList.toggle('away', picture.dataset.picture !== dataset.picture);
    }
    for (const group of document.querySelectorAll<SVGGElement>('.pictures [data-token]')) {
      const token = group.dataset.token ?? '';
      const picture = group.closest<SVGGElement>('.picture');
      const isSeen = picture === null || (picture.dataset.picture === dataset.picture && shown.has(token));
      group.classList.toggle('away', !isSeen);
      group.classList.toggle('here', fresh.has(token));
      group.classList.toggle('cyclic', cyclic.has(token));
    }
  }
}

startThemeSwitch(byId<HTMLSelectElement>('theme'));
if (document.getElementById('slider') !== null) new Stepper().start();
