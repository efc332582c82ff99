// Builds the documentation site: pages that open from disk as well as from a server, and ask nothing of any other host.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { aliases, sections as readSections, siteFile, writtenPages } from './contents.mjs';
import { framed } from './frame.mjs';
import { rendered } from './markdown.mjs';

/**
 * Writes the site into a folder, which is made anew.
 * @returns the number of its pages
 * @throws Error for a link to a page or a heading that there is none of
 */
export async function buildSite(folder) {
  const sections = await readSections();
  const pages = sections.flatMap((section) => section.pages);
  /** Files that pages link to and that are no pages. */
  const attached = new Set();
  const site = { siteAddress: addresses(attached), nameAddress: names(pages) };
  const done = pages.map((page) => ({ ...page, ...rendered(page, site) }));
  checkLinks(done);

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const page of done) writeFileSync(join(folder, page.file), framed(page, sections));
  copyFileSync(join(import.meta.dirname, 'site.js'), join(folder, 'site.js'));
  const styles = ['data/palette.css', join(import.meta.dirname, 'site.css')];
  writeFileSync(join(folder, 'style.css'), styles.map((file) => readFileSync(file, 'utf8')).join('\n'));
  for (const path of attached) cpSync(path, join(folder, 'files', posix.basename(path)));
  cpSync('docs/pictures', join(folder, 'pictures'), { recursive: true });
  writeFileSync(join(folder, 'search-index.js'), `globalThis.searchIndex = ${searchIndex(done)};\n`);
  return done.length;
}

/** From a path in the repository to an address in the site; files that are no pages are noted to be copied. */
function addresses(attached) {
  const files = Object.values(writtenPages).flat();
  const known = new Map(files.map((path) => [path, siteFile(path)]));
  return (path) => {
    if (path.startsWith('docs/pictures/')) return existsSync(path) ? path.slice('docs/'.length) : undefined;
    const page = known.get(path) ?? aliases[path] ?? (/^[\w-]+\.html$/.test(path) ? path : undefined);
    if (page !== undefined || !existsSync(path)) return page;
    attached.add(path);
    return `files/${posix.basename(path)}`;
  };
}

/** Where the API's names are declared. */
function names(pages) {
  const known = new Map();
  for (const { file, text } of pages.filter((page) => /^api-/.test(page.file))) {
    for (const [, name] of text.matchAll(/^## (\w+)$/gm)) known.set(name, `${file}#${name.toLowerCase()}`);
  }
  return (name) => known.get(name);
}

function checkLinks(pages) {
  const known = new Map(pages.map(({ file, headings }) => [file, new Set(headings.map(({ id }) => id))]));
  for (const { file, links } of pages) {
    for (const link of links) {
      const [target, anchor] = link.split('#');
      if (/^(pictures|files)\//.test(target)) continue;
      const ids = known.get(target || file);
      if (ids === undefined || (anchor !== undefined && !ids.has(anchor))) {
        throw new Error(`${file} links to ${link}, which the site does not have`);
      }
    }
  }
}

/** Every heading with the text below it, up to the next one. */
function searchIndex(pages) {
  const entries = pages.flatMap(({ file, title, html, headings }) => {
    const parts = html.split(/(?=<h[1-6] id=)/).filter((part) => part.startsWith('<h'));
    return parts.map((part, i) => {
      const text = part.replace(/^<h.*?<\/h\d>/, '').replace(/<[^>]*>/g, ' ');
      const { id, text: heading } = headings[i];
      return [`${file}${i === 0 ? '' : `#${id}`}`, title, plain(i === 0 ? title : heading), plain(text)];
    });
  });
  return JSON.stringify(entries);
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (html) =>
  html
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name])
    .replace(/\s+/g, ' ')
    .trim();
