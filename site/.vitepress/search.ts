/** The site's search. VitePress sends these functions to the page as text, so they must not refer to anything outside. */

/**
 * Splits a text into words, and adds compounds and options as written: `non-projective`, `--n-best`. For a query, which
 * has no `field`, it also adds synonyms that the pages use.
 */
export function tokenize(text: string, field?: string): string[] {
  const synonyms: Record<string, string> = {
    active: 'choosing sample',
    bert: 'language model encoder',
    container: 'docker',
    embeddings: 'vectors',
    ensemble: 'voting',
    gpu: 'speed',
    kubernetes: 'docker',
    pos: 'tagger',
    pretrained: 'ready',
    python: 'stanza spacy',
    search: 'find',
    silver: 'distilling',
    transformer: 'language model encoder',
    unlabelled: 'uas',
    unlabeled: 'uas',
  };
  const words = text.split(/[\n\r\p{Z}\p{P}\p{S}]+/u);
  const compounds = text.match(/--[\p{L}\d]+(-[\p{L}\d]+)*|[\p{L}\d]+(-[\p{L}\d]+)+/gu) ?? [];
  const meaning = (word: string) => (Object.hasOwn(synonyms, word) ? synonyms[word]!.split(' ') : []);
  const meant = field === undefined ? words.flatMap((word) => meaning(word.toLowerCase())) : [];
  return [...words, ...compounds, ...meant];
}

/** Returns the stem of a word in lower case and one spelling; null for words that occur on every page. */
export function processTerm(term: string): string | null {
  const common =
    /^(an?|and|are|as|at|by|did|do|does|for|from|how|i|in|is|it|my|of|on|or|the|this|to|what|which|why|with)?$/;
  const word = term.toLowerCase();
  if (common.test(word)) return null;
  if (word.includes('-')) return word;
  return word
    .replace(/label(ed|ing|er)/, 'labell$1')
    .replace(/is(e|es|ed|er|ers|ing|ation)$/, 'iz$1')
    .replace(/(?<=^[a-z]{3,})(ings?|ed|es|ers?|e|s)$/, '');
}

/** Ranks pages before their sections, guides before the reference, and both before pages that list everything. */
export const searchOptions = {
  boost: { title: 4, titles: 2, text: 1 },
  prefix: (term: string) => term.length > 2,
  fuzzy: (term: string) => (term.length > 5 ? 0.15 : false),
  boostDocument(id: string, term: string, { titles }: { titles?: string[] } = {}): number {
    if (/CHANGELOG|CONTRIBUTING|docs\/results/.test(id)) return 0.2;
    if (/#--/.test(id)) return term.startsWith('--') ? 2 : 0.1;
    if (/\/api\//.test(id)) return 0.4;
    return titles?.length === 0 ? 1.5 : 1;
  },
};

interface Section {
  anchor?: string;
  titles: string[];
  text: string;
}

/** Splits generated pages into options of commands or names of the API; other pages are split at their headings. */
export function splitIntoSections(file: string, html: string): Section[] {
  const [, kind] = /site\/generated\/(commands|api)\//.exec(file) ?? [];
  if (kind === undefined) return undefined as unknown as Section[];
  const title = plain(/<h1.*?<\/h1>/s.exec(html)?.[0] ?? '');
  const [first = '', ...parts] = html
    .replace(/<h1.*?<\/h1>/s, '')
    .split(kind === 'commands' ? /<a id="(?=--)/ : /<h3 id="/);
  return [
    { titles: [title], text: plain(first) },
    ...parts.map((part) => {
      const [, anchor, rest] = /^(.*?)"(.*)$/s.exec(part)!;
      const [head = '', ...body] = rest!
        .slice(rest!.indexOf('>') + 1)
        .split(kind === 'commands' ? '</td>' : '</h3>');
      return { anchor: anchor!, titles: [title, plain(head)], text: plain(body.join(' ').split('<h')[0]!) };
    }),
  ];
}

function plain(html: string): string {
  return html
    .replace(/<a class="header-anchor".*?<\/a>|<button.*?<\/button>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&#?\w+;|\u200b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
