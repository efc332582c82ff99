import type { MeasureText } from './tree-view.ts';

/** Points out a word's place and arc in all trees of a box, while the pointer is at one of them. */
export function pointOutWords(box: HTMLElement): void {
  box.addEventListener('pointerover', ({ target }) => {
    const token = (target as Element).closest<SVGElement>('[data-token]')?.dataset.token;
    for (const group of box.querySelectorAll<SVGElement>('[data-token]')) {
      group.classList.toggle('here', group.dataset.token === token);
    }
  });
}

/** Measures texts in the font of a box. */
export function textMeasure(box: HTMLElement): MeasureText {
  const context = document.createElement('canvas').getContext('2d')!;
  const family = getComputedStyle(box).fontFamily;
  return (text, size) => {
    context.font = `${size}px ${family}`;
    return context.measureText(text).width;
  };
}
