import { UsageError } from '../../../src/errors.ts';
import { parserNames } from '../../../src/evaluate/comparison/names.ts';
import { sentenceRows } from '../../../src/evaluate/lock-step.ts';
import { AtomicFile, writeTextFile } from '../../../src/files/atomic-file.ts';
import { checkStandardInput } from '../../../src/files/text-file.ts';
import { detached } from '../../../src/platform/platform.ts';
import { type FoundInFile, type FoundMatch, findPage } from '../../../src/report/html/find-page.ts';
import { figures, type Table, text, textTable } from '../../../src/report/tables/table.ts';
import { asBlock } from '../../../src/treebank/columns/comments.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { Absences } from '../../../src/treebank/query/absences.ts';
import { Query } from '../../../src/treebank/query/query.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import type { Command } from '../../options/command.ts';
import * as shared from '../../options/common.ts';
import { parsedEncoding } from '../../options/formats.ts';
import {
  count,
  note,
  type Piece,
  plural,
  print,
  printJson,
  printText,
  SkippedSentences,
  styled,
} from '../../terminal/output.ts';
import { endOnSignals } from '../../terminal/process.ts';
import { hidesProgress, watch } from '../../terminal/progress.ts';
import { checkDrawable } from '../draw.ts';

interface FindFlags extends shared.CommonFlags {
  readonly group?: readonly string[];
  readonly limit: number;
  readonly output?: string;
  readonly html?: string;
}

export function findCommand(command: Command): Command {
  return command
    .argument('<query>', 'nodes, arcs and order, such as "V [upos=VERB] -[nsubj]-> S; S << V"')
    .argument(
      '<file...>',
      'treebanks; with right=, wrong=, only-right=, only-wrong=, differ: gold, then parsers’ output',
    )
    .option('--group <keys>', 'count the matches by properties, such as V.lemma,S.upos', shared.list)
    .integer('--limit <n>', 'maximum number of matches or groups to show', { min: 0 }, 20)
    .option('-o, --output <file>', 'write the sentences with a match, in CoNLL-U (-: standard output)')
    .option('--html <file>', 'write a page with the trees of the matches, matched words highlighted')
    .with(shared.formatOption(), shared.encodingOption(), shared.skipInvalidOption())
    .with(shared.jsonOption('print matches and counts as JSON'), shared.quietOption())
    .examples(
      `parliament find 'V [upos=VERB] -[nsubj]-> S; V << S' dev.conllu`,
      `parliament find 'pattern { V -[obj]-> O } without { V -[nsubj]-> S }' dev.conllu --group V.lemma`,
      `parliament find 'V -[obj]-> O' dev.conllu --limit 100 --html objects.html`,
      `parliament find 'W [label=obl, only-right=a]' gold.conllu a.conllu b.conllu`,
    )
    .action(find);
}

interface Found {
  readonly sentence: number;
  readonly id: string | undefined;
  readonly nodes: Readonly<Record<string, { readonly token: number; readonly form: string }>>;
  /** The sentence's words, with the names of matched nodes. */
  readonly marked: readonly Piece[];
  readonly match: FoundMatch | undefined;
}

class Findings {
  sentences = 0;
  matched = 0;
  matches = 0;
  readonly found: Found[] = [];
  readonly groups = new Map<string, number>();

  constructor(readonly file: string) {}
}

async function find(text: string, files: readonly string[], flags: FindFlags): Promise<void> {
  checkStandardInput(files);
  const { format, encoding, skipInvalid, output, json, quiet } = flags;
  if (json && output === '-') throw new UsageError('--json and -o - both write to standard output');
  if (flags.html === '-' && (json || output === '-'))
    throw new UsageError(`--html - and ${json ? '--json' : '-o -'} both write to standard output`);
  const query = new Query(text, files.length > 1 ? parserNames(files.slice(1)) : []);
  const { comparesParsers } = query;
  const skipped = new SkippedSentences();
  const expect = comparesParsers ? 'heads' : 'tokens';
  const isWhole = output !== undefined || flags.html !== undefined;
  const columns = isWhole ? undefined : query.columns(flags.group ?? []);
  const reading = { format, encoding, skipInvalid, expect, columns, digest: false } as const;
  const open = (file: string) => openTreebank(file, { ...reading, onSkip: skipped.add });
  const searched = comparesParsers ? files.slice(0, 1) : files;
  const written = output === undefined ? undefined : await outputFile(output, searched, flags);
  // A query may take very long over one sentence. A file that has been begun would be left behind.
  if (!isWhole) endOnSignals();
  const all: Findings[] = [];
  const absences = new Absences(query.text);
  try {
    for (const file of searched) {
      const treebank = await open(file);
      const others = comparesParsers ? await Promise.all(files.slice(1).map(open)) : [];
      const findings = new Findings(file);
      const watched = watch(treebank, 'searching', hidesProgress(quiet, output));
      await search(query, [watched, ...others], { findings, flags, written, absences });
      all.push(findings);
    }
    await written?.commit();
  } finally {
    await written?.discard();
  }
  skipped.summarize();
  if (!quiet && absences.all.length > 0 && all.every(({ matches }) => matches === 0))
    note(`no word has ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(absences.all)}`);
  if (flags.html !== undefined) {
    await writeTextFile(flags.html, findPage(text, all.map(asPage)));
    if (!quiet && flags.html !== '-') note(`${flags.html}: written`);
  }
  if (json) printJson(all.map((findings) => asJson(findings, flags)));
  else if (output !== '-' && flags.html !== '-')
    for (const findings of all) show(findings, flags, all.length > 1);
}

/** The file for the matched sentences, in the encoding of the searched ones if all have the same. */
async function outputFile(output: string, searched: readonly string[], { format, encoding }: FindFlags) {
  const encodings = await Promise.all(
    searched.map((file) => parsedEncoding(file, { format, encoding, to: 'conllu' })),
  );
  const isSame = encodings.every((each) => each === encodings[0]);
  return AtomicFile.create(output, { encoding: isSame ? encodings[0] : undefined });
}

interface Search {
  readonly findings: Findings;
  readonly flags: FindFlags;
  readonly written: AtomicFile | undefined;
  readonly absences: Absences;
}

async function search(
  query: Query,
  treebanks: readonly AsyncIterable<Sentence>[],
  { findings, flags, written, absences }: Search,
): Promise<void> {
  const keys = (flags.group ?? []).map((key) => query.grouping(key));
  for await (const { sentences, number } of sentenceRows(treebanks)) {
    const [sentence, ...trees] = sentences as [Sentence];
    findings.sentences = number;
    const before = findings.matches;
    const onMatch = (tokens: Int32Array) => {
      findings.matches++;
      if (findings.found.length < flags.limit)
        findings.found.push(foundIn(sentence, query.named(tokens), number, flags.html !== undefined));
      if (keys.length === 0) return;
      const key = keys.map((read) => read(sentence, tokens)).join('\t');
      const known = findings.groups.get(key);
      findings.groups.set(known === undefined ? detached(key) : key, (known ?? 0) + 1);
    };
    query.eachMatch(sentence, onMatch, trees);
    if (findings.matches === 0) absences.see(sentence);
    if (findings.matches === before) continue;
    findings.matched++;
    await written?.write(asBlock(formatSentence(sentence, 'conllu')));
  }
}

function foundIn(
  sentence: Sentence,
  nodes: Readonly<Record<string, number>>,
  number: number,
  isShown: boolean,
): Found {
  if (isShown) checkDrawable(sentence);
  const { forms, id } = sentence;
  const namesOf = new Map(Object.entries(nodes).map(([name, token]) => [token, name]));
  const marked = forms.slice(1).flatMap((form, i): Piece[] => {
    const name = namesOf.get(i + 1);
    return [i === 0 ? '' : ' ', name === undefined ? form : styled('bold', `[${name} ${form}]`)];
  });
  const tokens = Object.entries(nodes).map(([name, token]) => [name, { token, form: forms[token]! }]);
  const match = isShown ? { number, sentence, names: namesOf } : undefined;
  return { sentence: number, id, nodes: Object.fromEntries(tokens), marked, match };
}

function show(findings: Findings, { group, limit }: FindFlags, areSeveral: boolean): void {
  const { file, matches, found, groups } = findings;
  if (areSeveral) print(styled('bold', file));
  if (group === undefined)
    for (const { id, sentence, marked } of found)
      print(styled('dim', id ?? `sentence ${sentence}`), '  ', ...marked);
  else if (limit > 0) printText(textTable(groupTable(findings, group, limit)));
  const rest = (group === undefined ? matches : groups.size) - limit;
  if (rest > 0 && limit > 0) print(`… and ${count(rest)} more`);
  print(summaryOf(findings));
}

function summaryOf({ matches, matched, sentences }: Findings): string {
  return `${count(matches)} ${matches === 1 ? 'match' : 'matches'} in ${count(matched)} of ${plural(sentences, 'sentence')}`;
}

function asPage(findings: Findings): FoundInFile {
  const matches = findings.found.flatMap(({ match }) => match ?? []);
  return { file: findings.file, summary: summaryOf(findings), matches };
}

function sorted({ groups }: Findings): (readonly [values: readonly string[], count: number])[] {
  const byCount = [...groups].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return byCount.map(([key, n]) => [key.split('\t'), n] as const);
}

function groupTable(findings: Findings, group: readonly string[], limit: number): Table {
  const rows = sorted(findings).slice(0, limit);
  return {
    columns: [...group.map((key) => text(key)), figures('count', 'matches', 0), figures('percent', '%', 1)],
    rows: rows.map(([values, n]) => [...values, n, (100 * n) / findings.matches]),
  };
}

function asJson(findings: Findings, { group }: FindFlags) {
  const { file, sentences, matched, matches } = findings;
  const groups = group && sorted(findings).map(([values, n]) => ({ values, count: n }));
  const found = findings.found.map(({ marked: _, match: __, ...each }) => each);
  return { file, sentences, matched, matches, ...(group && { group, groups }), found };
}
