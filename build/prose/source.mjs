// The prose of a program: its comments, and the strings that a user may read.
import { parseSync, Visitor } from 'rolldown/utils';

/**
 * @param {string} text of a file in TypeScript
 * @param {string} name of the file
 * @returns {import('./passage.mjs').Passage[]} in the order of the lines
 */
export function sourceProse(text, name) {
  const { program, comments } = parseSync(name, text);
  const lineOf = lineCounter(text);
  const said = [...commentBlocks(comments, text), ...strings(program)];
  return said
    .sort((a, b) => a.start - b.start)
    .map(({ start, text: words }) => ({ line: lineOf(start), text: words }));
}

/** Comments as they read; line comments below each other are one. */
function commentBlocks(comments, text) {
  const blocks = [];
  let end = -1;
  for (const comment of comments) {
    const isNext = comment.type === 'Line' && /^\n *$/.test(text.slice(end, comment.start));
    if (isNext) blocks.at(-1).text += `\n${comment.value}`;
    else blocks.push({ start: comment.start, text: comment.value });
    end = comment.type === 'Line' ? comment.end : -1;
  }
  return blocks.map(({ start, text: words }) => ({ start, text: plainComment(words) }));
}

/** Without the frame and drawings; tags are items of a list. */
function plainComment(words) {
  return words
    .split('\n')
    .map((line) => line.replace(/^ *\* ?/, '').trim())
    .map((line) => line.replace(/^@(?:(?:param|throws) +\{?[\w.]+\}?|\w+)/, '-'))
    .map((line) => (/[─│└┘]/.test(line) ? '' : line))
    .join('\n')
    .replace(/\{@link (\S+?)\}/g, '`$1`');
}

/** Strings of several words; what is filled in counts as a name. */
function strings(program) {
  const found = [];
  const lists = new Set();
  const add = (node, text) => {
    if (!isProse(text) || lists.has(node)) return;
    found.push({ start: node.start, text: text.replace(/^ {2,}/gm, '- ') });
  };
  new Visitor({
    // Lists of words that a parser knows.
    CallExpression: ({ callee, arguments: [list] }) => callee.name === 'words' && lists.add(list),
    Literal: (node) => typeof node.value === 'string' && add(node, node.value),
    TemplateLiteral: (node) => add(node, node.quasis.map(({ value }) => value.cooked).join('`x`')),
  }).visit(program);
  return found;
}

/** What is markup, style, a command, a script or a pattern of features. */
const noProse = /[{}]|<\/?\w+[^>]*>.*<|^parliament |\w="|\$\w|[a-z][+-]\d|^hp /s;

function isProse(text) {
  const words = text.match(/(?<=^|[\s("“])[A-Za-z][a-z’']*(?=$|[\s,.:;!?)"”])/g) ?? [];
  return words.length >= 3 && words.some((word) => word.length > 3) && !noProse.test(text);
}

/** Gives the line of an offset, counted from 1. */
function lineCounter(text) {
  const starts = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => starts.filter((start) => start < offset).length + 1;
}
