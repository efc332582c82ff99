import { type Picture, stacked, svgDocument, svgText, wordSize } from '../../svg.ts';
import { fileName, saveButton, saveFile } from './save-file.ts';

const type = 'image/svg+xml';

/** Puts a button below each picture that is whole in itself, to save it. */
export function startPictureTools(pictures: Iterable<SVGSVGElement>): void {
  for (const svg of pictures) {
    const title = svg.querySelector('title')?.textContent ?? document.title;
    const save = () => saveFile(fileName(title, 'svg'), type, serialised(svg));
    const tools = document.createElement('p');
    tools.className = 'tools';
    tools.append(saveButton('SVG', title, save));
    (svg.closest('.pictures') ?? svg).after(tools);
  }
}

/** Saves the pictures of a box, trees of a sentence, below each other, each under its name. */
export function saveTrees(box: HTMLElement, title: string): void {
  const pictures = [...box.querySelectorAll('figure')].flatMap((figure) => {
    const name = figure.querySelector('figcaption')?.textContent?.trim() ?? '';
    return [...figure.querySelectorAll('svg')].map((svg) => captioned(svg, name));
  });
  if (pictures.length > 0)
    saveFile(fileName(title, 'svg'), type, svgDocument({ ...stacked(pictures), title }));
}

function captioned(svg: SVGSVGElement, name: string): Picture {
  const { width, height } = svg.viewBox.baseVal;
  const drawn = [...svg.children].map(serialised).join('\n');
  return {
    width,
    height: height + 2 * wordSize,
    title: name,
    description: svg.getAttribute('aria-label') ?? '',
    elements: [
      svgText('caption', wordSize, wordSize, name),
      `<g transform="translate(0,${2 * wordSize})">${drawn}</g>`,
    ],
  };
}

function serialised(node: Element): string {
  return new XMLSerializer().serializeToString(node);
}
