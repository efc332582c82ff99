/** Plots and the choice of their lines. */
const SWITCHED = '.switched';

/** Shows of the plots beside a choice of lines those that are chosen. */
export function startLineSwitches(): void {
  for (const box of document.querySelectorAll<HTMLElement>(SWITCHED)) {
    box.addEventListener('change', () => {
      for (const { value, checked } of box.querySelectorAll<HTMLInputElement>('.lines input')) {
        for (const line of box.querySelectorAll<SVGElement>(`[data-series="${value}"]`)) {
          line.style.display = checked ? '' : 'none';
        }
      }
    });
  }
}
