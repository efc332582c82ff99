/** How the site's search reads pages and queries. The page gets these functions as text: they name nothing outside. */

/**
 * Words, and besides them compounds and options as they are typed: `non-projective`, `--n-best`. Of a query, which is no
 * field of a page, also what the pages call it.
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
  const meant =
    field === undefined ? words.flatMap((word) => synonyms[word.toLowerCase()]?.split(' ') ?? []) : [];
  return [...words, ...compounds, ...meant];
}

/** The stem of a word in one spelling, in lower case; none of words that every page has. */
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

/** How results are ranked: pages before their sections, guides before reference, both before what lists everything. */
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

/** What search finds on generated pages: options of commands, names of the API. Others are split at their headings. */
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
