// What all pages of the site have around their text: the list of pages, search, the pages before and after.
import { escaped } from './markdown.mjs';

/**
 * A whole page.
 * @param {{ file: string, title: string, html: string, headings: { depth: number, id: string, text: string }[] }} page
 * @param {{ title: string, pages: { file: string, title: string }[] }[]} sections
 */
export function framed(page, sections) {
  const pages = sections.flatMap((section) => section.pages);
  const at = pages.findIndex(({ file }) => file === page.file);
  const title = page.file === 'index.html' ? 'Parliament' : `${page.title} · Parliament`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<script src="site.js" defer></script>
</head>
<body>
<a class="skip" href="#text">To the text</a>
<header>
<a class="name" href="index.html">Parliament</a>
<search hidden><label for="search">Search</label> <input id="search" type="search" autocomplete="off">
<ol id="found" aria-live="polite" hidden></ol></search>
</header>
<div class="columns">
<nav aria-label="Pages"><details open><summary>Pages</summary>
${sections.map((section) => sectionList(section, page)).join('\n')}
</details></nav>
<main id="text">
${page.html}
<nav class="around" aria-label="Before and after">
${neighbour(pages[at - 1], 'Before')}${neighbour(pages[at + 1], 'Next')}
</nav>
</main>
</div>
</body>
</html>
`;
}

function sectionList({ title, pages }, current) {
  const items = pages.map((page) => pageItem(page, current)).join('\n');
  return `<p class="section">${escaped(title)}</p>\n<ul>\n${items}\n</ul>`;
}

/** A page in the list; the one that is read with its own headings. */
function pageItem({ file, title }, current) {
  const name = file === 'index.html' ? 'Parliament' : escaped(title);
  if (file !== current.file) return `<li><a href="${file}">${name}</a></li>`;
  const within = current.headings.filter(({ depth }) => depth === 2);
  const items = within.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join('');
  return `<li><a href="${file}" aria-current="page">${name}</a>${items && `<ul>${items}</ul>`}</li>`;
}

function neighbour(page, which) {
  if (page === undefined) return '';
  const name = page.file === 'index.html' ? 'Parliament' : escaped(page.title);
  return `<a href="${page.file}">${which}: ${name}</a>\n`;
}
