import { byId, startThemeSwitch } from '../../../src/report/html/browser/page.ts';
import { ExplanationView } from './explanation-view.ts';
import { addressOf, type Link, linkOf, longestInLink } from './link.ts';
import { RequestForm, takeFiles } from './request-form.ts';
import { Clipboard, Results } from './results.ts';
import { compare, models } from './service.ts';

/** The script of the page: sends its form to the service, shows the answer, and keeps the address up to date. */

const form = new RequestForm();
const clipboard = new Clipboard((said) => form.say(said));
const explanation = new ExplanationView(keepAddress);
const results = new Results(clipboard, explanation, keepAddress);

async function start(): Promise<void> {
  startThemeSwitch(byId<HTMLSelectElement>('theme'));
  form.offer(await models());
  form.onSubmit(() => void parse());
  takeFiles(byId<HTMLTextAreaElement>('words'), byId<HTMLInputElement>('file'), (problem) =>
    form.refuse(problem),
  );
  byId('copy-link').addEventListener('click', copyLink);
  addEventListener('hashchange', () => void follow());
  await follow();
}

async function follow(): Promise<void> {
  const link = linkOf(location.hash);
  if (link === undefined) return;
  const problem = form.fill(link);
  if (problem === undefined) await parse(link);
  else form.refuse(problem);
}

let running: AbortController | undefined;

async function parse(at: Pick<Link, 'sentence' | 'explained'> = { sentence: 1 }): Promise<void> {
  const asked = form.asked();
  if (typeof asked === 'string') return form.refuse(asked);
  running?.abort();
  const controller = new AbortController();
  running = controller;
  form.say('parsing …');
  try {
    const compared = await compare(asked, controller.signal);
    results.show(compared, at.sentence, at.explained);
    form.say('');
    keepAddress();
  } catch (error) {
    if (!controller.signal.aborted) form.refuse((error as Error).message);
  }
}

/** The state of the page; undefined if its text is too long for a link. */
function shown(): Link | undefined {
  const asked = form.last;
  if (asked === undefined || asked.words.length > longestInLink) return undefined;
  return { ...asked, sentence: results.number, explained: explanation.shown };
}

function keepAddress(): void {
  const link = shown();
  history.replaceState(null, '', link === undefined ? location.pathname : addressOf(link));
}

function copyLink(): void {
  if (shown() === undefined) form.say('the text is too long for a link');
  else void clipboard.copy(location.href, 'the link');
}

start().catch((error: Error) => form.refuse(error.message));
