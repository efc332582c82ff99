// Markdown to HTML: headings with addresses, links from page to page, tables and code that scroll by themselves.
import { posix } from 'node:path';
import { Marked } from 'marked';

export const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * @typedef {{ html: string, headings: { depth: number, id: string, text: string }[], links: string[] }} Rendered
 * @param {{ text: string, source: string }} page
 * @param {{ siteAddress: (path: string) => string | undefined, nameAddress: (name: string) => string | undefined }} site
 * @returns {Rendered}
 */
export function rendered({ text, source }, { siteAddress, nameAddress }) {
  const headings = [];
  const links = [];
  const slugs = new Map();

  const address = (href) => {
    if (/^[a-z]+:/.test(href)) return href;
    const [path, anchor] = href.split('#');
    const target = path === '' ? '' : siteAddress(posix.normalize(posix.join(posix.dirname(source), path)));
    if (target === undefined) throw new Error(`${source} links to ${href}, which the site does not have`);
    const found = anchor === undefined ? target : `${target}#${anchor}`;
    links.push(found);
    return found;
  };

  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const plain = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = unused(slug(plain), slugs);
        headings.push({ depth, id, text: plain });
        return `<h${depth} id="${id}"><a class="here" href="#${id}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(address(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text: alternative }) {
        return `<img src="${escaped(address(href))}" alt="${escaped(alternative)}">`;
      },
      code({ text: code, lang = '' }) {
        const shown = lang === 'ts' ? withNames(escaped(code), nameAddress) : escaped(code);
        return `<pre tabindex="0"><code class="${escaped(lang.split(' ')[0])}">${shown}</code></pre>\n`;
      },
    },
  });
  const html = marked
    .parse(text)
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<th></th>', '<td></td>');
  return { html, headings, links };
}

/** Names of the API in code lead to where they are declared. */
function withNames(code, nameAddress) {
  return code.replace(/\b(?:[A-Z]\w+\b|[a-z]\w+(?=\())/g, (name) => {
    const to = nameAddress(name);
    return to === undefined ? name : `<a href="${to}">${name}</a>`;
  });
}

/** The address of a heading, as the pages of repositories have it. */
function slug(text) {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/&#?\w+;/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

function unused(id, slugs) {
  const times = slugs.get(id) ?? 0;
  slugs.set(id, times + 1);
  return times === 0 ? id : `${id}-${times}`;
}
