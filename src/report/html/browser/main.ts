import type { SentenceData } from '../sentences/sentence-data.ts';
import { byId, fitTablesToPrint, startThemeSwitch } from './page.ts';
import { SentenceBrowser } from './sentence-browser.ts';
import { startPictureTools, startTableTools } from './tools.ts';

/** The script of the comparison page: theme, sentence browser, links and keys. */

function start(): void {
  startThemeSwitch(byId<HTMLSelectElement>('theme'));
  startLineSwitches();
  startTableTools(document);
  startPictureTools(document.querySelectorAll<SVGSVGElement>('.plots svg'));
  const data = JSON.parse(byId('sentence-data').textContent!) as SentenceData;
  const browser = new SentenceBrowser(data, byId<HTMLFormElement>('filter'), () => keepAddress(browser));
  const follow = () => openAddress(browser);
  if (!follow()) browser.open(new URLSearchParams());
  addEventListener('hashchange', follow);
  // A link to the current address fires no hashchange, but the user may have scrolled away.
  addEventListener('click', ({ target }) => {
    const link = (target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    if (link?.hash === location.hash) follow();
  });
  addEventListener('keydown', (event) => handleKey(event, browser));
  openDetailsForPrint();
  fitTablesToPrint();
}

function openDetailsForPrint(): void {
  let closed: readonly HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const details of closed) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of closed) details.open = false;
  });
}

/** Shows the sentences of an address such as `#gold=obl&wrong=any`; returns false for sections such as `#scores`. */
function openAddress(browser: SentenceBrowser): boolean {
  const address = location.hash.slice(1);
  if (!address.includes('=')) return false;
  browser.open(new URLSearchParams(address));
  byId('sentences').scrollIntoView();
  byId('sentence-title').focus({ preventScroll: true });
  return true;
}

let keeping: ReturnType<typeof setTimeout> | undefined;

/** Updates the address with a delay: browsers refuse more than a hundred changes in half a minute. */
function keepAddress(browser: SentenceBrowser): void {
  clearTimeout(keeping);
  keeping = setTimeout(() => history.replaceState(null, '', `#${browser.address()}`), 400);
}

/** Handles single-key shortcuts, which users can switch off (WCAG 2.1, 2.1.4); ignored in text fields. */
function handleKey(event: KeyboardEvent, browser: SentenceBrowser): void {
  const { key, target, ctrlKey, altKey, metaKey } = event;
  const writing = target instanceof Element && target.closest('input[type=text], input[type=number], select');
  if (writing || ctrlKey || altKey || metaKey || !byId<HTMLInputElement>('keys').checked) return;
  if (key === 'n') browser.step(1);
  else if (key === 'p') browser.step(-1);
  else if (key === '/') byId('word').focus();
  else return;
  event.preventDefault();
}

/** Lets checkboxes hide lines of plots. */
function startLineSwitches(): void {
  for (const box of document.querySelectorAll<HTMLElement>('.switched')) {
    box.addEventListener('change', () => {
      for (const { value, checked } of box.querySelectorAll<HTMLInputElement>('.lines input')) {
        for (const line of box.querySelectorAll<SVGElement>(`[data-series="${value}"]`))
          line.style.display = checked ? '' : 'none';
      }
    });
  }
}

start();
