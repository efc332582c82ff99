import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../platform/package.ts';
import { drawingStyle } from '../svg.ts';
import { Html, html } from './html.ts';

/** A section of a page, with the text of its link in the navigation. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly link: string;
  readonly content: Html;
}

interface PageContent {
  readonly title: string;
  readonly subtitle: Html;
  readonly sections: readonly Section[];
  /** Target of the skip link for keyboard users. */
  readonly skipTo: { readonly id: string; readonly text: string };
  readonly script: 'page-script.js' | 'explanation-script.js';
}

/** Renders a self-contained page: styles and script are part of it. */
export function wholePage({ title, subtitle, sections, skipTo, script }: PageContent): string {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(drawingStyle)}
${new Html(stylesheet())}</style>
</head>
<body>
<a class="skip" href="#${skipTo.id}">${skipTo.text}</a>
<header>
<h1>${title}</h1>
<p>${subtitle}</p>
<label class="theme">Theme <select id="theme"><option value="auto">automatic</option><option value="light">light</option><option value="dark">dark</option></select></label>
</header>
<nav aria-label="Parts of the page"><ul>
${sections.map(({ id, link }) => html`<li><a href="#${id}">${link}</a></li>\n`)}</ul></nav>
<main>
${sections.map(
  ({ id, title, content }) => html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${content}
</section>
`,
)}</main>
<script type="module">
${new Html(scriptText(script))}</script>
</body>
</html>
`.text;
}

export function stylesheet(): string {
  const files = ['palette.css', 'report.css'];
  return files.map((file) => readFileSync(join(packageFolder, 'data', file), 'utf8')).join('\n');
}

const scriptText = (name: string): string =>
  readFileSync(join(packageFolder, 'dist', 'src', 'report', 'html', name), 'utf8');
