import type { MeasureText } from '../../trees/arc-layout.ts';

export const byId = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
type Theme = 'auto' | 'light' | 'dark';
const darkQuery = '(prefers-color-scheme: dark)';

/** Lets a select element change between light, dark and the system's theme; pages print in light colours. */
export function startThemeSwitch(select: HTMLSelectElement): void {
  // Found before the first change, which overwrites their media text.
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule)
    .filter((rule) => rule.media.mediaText === darkQuery);
  const apply = (theme: Theme) => {
    const query = { auto: darkQuery, light: 'not all', dark: 'all' }[theme];
    for (const rule of rules) rule.media.mediaText = query;
    document.documentElement.style.colorScheme = theme === 'auto' ? '' : theme;
  };
  select.addEventListener('change', () => apply(select.value as Theme));
  // Browsers restore a choice when the user comes back to the page, without an event.
  addEventListener('pageshow', () => apply(select.value as Theme));
  addEventListener('beforeprint', () => apply('light'));
  addEventListener('afterprint', () => apply(select.value as Theme));
}

/** Tables of this width on the screen, in pixels, fit on a printed A4 page. */
const PRINTABLE_WIDTH = 1250;

/** Shrinks wider tables, which scroll on the screen and would be cut on paper, while the page is printed. */
export function fitTablesToPrint(): void {
  const tables = () => document.querySelectorAll<HTMLElement>('.scroll > table');
  addEventListener('beforeprint', () => {
    for (const table of tables()) table.style.zoom = String(Math.min(1, PRINTABLE_WIDTH / table.scrollWidth));
  });
  addEventListener('afterprint', () => {
    for (const table of tables()) table.style.zoom = '';
  });
}

/** Disables and enables the controls of a group. If the one with the focus is disabled, the nearest other gets the focus, not the page. */
export function setDisabled(
  controls: readonly (readonly [control: HTMLButtonElement | HTMLSelectElement, isDisabled: boolean])[],
): void {
  const at = controls.findIndex(([control]) => control === document.activeElement);
  for (const [control, isDisabled] of controls) control.disabled = isDisabled;
  if (at < 0 || !controls[at][1]) return;
  const enabled = [...controls.keys()].filter((i) => !controls[i][1]);
  const [nearest] = enabled.sort((a, b) => Math.abs(a - at) - Math.abs(b - at));
  if (nearest !== undefined) controls[nearest][0].focus();
}

/** Shows a position (from 0) in a list of sentences, and disables the buttons at its ends. */
export function showPosition(position: number, total: number): void {
  const field = byId<HTMLInputElement>('position');
  field.value = String(Math.min(position + 1, total));
  field.max = String(total);
  setDisabled([
    [byId('previous'), position === 0],
    [byId('next'), position >= total - 1],
  ]);
}

/** Makes a button; the label tells buttons with the same text apart for screen readers. */
export function makeButton(text: string, label: string, pressed: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.setAttribute('aria-label', label);
  button.addEventListener('click', pressed);
  return button;
}

/** Highlights the word under the pointer and its arc in all trees of a box. */
export function pointOutWords(box: HTMLElement): void {
  box.addEventListener('pointerover', ({ target }) => {
    const token = (target as Element).closest<SVGElement>('[data-token]')?.dataset.token;
    for (const group of box.querySelectorAll<SVGElement>('[data-token]'))
      group.classList.toggle('here', group.dataset.token === token);
  });
}

/** Returns a function that measures text in the font of an element. */
export function textMeasure(box: HTMLElement): MeasureText {
  const context = document.createElement('canvas').getContext('2d')!;
  const family = getComputedStyle(box).fontFamily;
  return (text, size) => {
    context.font = `${size}px ${family}`;
    return context.measureText(text).width;
  };
}
