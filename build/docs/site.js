// Search over the pages, and the list of pages, which a small screen begins without. Pages work without either.
const field = document.querySelector('#search');
const found = document.querySelector('#found');
const most = 12;

document.querySelector('search').hidden = false;
if (matchMedia('(max-width: 55rem)').matches) document.querySelector('.columns details').open = false;

/** Every heading with its text, `[file#id, page, heading, text]`: loaded when it is first asked for. */
let index;
function entries() {
  index ??= new Promise((resolve) => {
    const script = document.createElement('script');
    script.src = 'search-index.js';
    script.addEventListener('load', () => resolve(globalThis.searchIndex));
    document.head.append(script);
  });
  return index;
}

/** How well an entry has all words: in its heading counts most; 0 where one is missing. */
function score([, page, heading, text], words) {
  const [title, own, rest] = [page, heading, text].map((one) => one.toLowerCase());
  let sum = 0;
  for (const word of words) {
    const one = 8 * own.includes(word) + 4 * title.includes(word) + rest.includes(word);
    if (one === 0) return 0;
    sum += one;
  }
  return sum;
}

function item([address, page, heading, text], words) {
  const li = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  const small = document.createElement('small');
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 30);
  small.textContent = text.slice(at, at + 100);
  li.append(link, small);
  return li;
}

field.addEventListener('input', async () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = (await entries()).map((entry) => ({ entry, points: words.length && score(entry, words) }));
  const best = scored.filter(({ points }) => points > 0).sort((a, b) => b.points - a.points);
  found.replaceChildren(...best.slice(0, most).map(({ entry }) => item(entry, words)));
  found.hidden = words.length === 0;
  if (!found.hidden && best.length === 0) found.append('Nothing found.');
});
field.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') found.querySelector('a')?.click();
  if (key === 'Escape') {
    field.value = '';
    found.hidden = true;
  }
});
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === field) return;
  event.preventDefault();
  field.focus();
});
