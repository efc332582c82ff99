import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breakdownNames } from '../../src/evaluate/breakdowns/buckets.ts';
import type { EvaluationReport } from '../../src/evaluate/evaluate.ts';
import { conlluSentence } from '../support/conllu.ts';
import { runCli } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-in-process.ts';

const gold = [
  'We/PRON/2/nsubj saw/VERB/0/root her/PRON/4/det dog/NOUN/2/obj ././PUNCT/2/punct',
  'It/PRON/2/nsubj barked/VERB/0/root ././PUNCT/2/punct',
  'Silence/NOUN/0/root ././PUNCT/1/punct',
].map((words) => words.replace(' ./.', ' .'));
const files = {
  'gold.conllu': gold,
  'dev.graph.conllu': [gold[0].replace('det', 'nmod'), gold[1], gold[2]],
  'dev.vote.conllu': gold,
  'dev.bigram.conllu': [
    gold[0].replace('PRON/4/det', 'PRON/2/obj').replace('NOUN/2/obj', 'NOUN/3/dep'),
    gold[1].replace('PUNCT/2', 'PUNCT/1'),
    gold[2],
  ],
};
const brackets = {
  'gold.mrg': '(S (NP (DT The) (NN dog)) (VP (VBD saw) (NP (PRP us)) (PP (IN in) (NP (NN town)))) (. .))\n',
  'pcfg.mrg':
    '(S (NP (DT The) (NN dog)) (VP (VBD saw) (NP (NP (PRP us)) (PP (IN in) (NP (NN town))))) (. .))\n',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-compare-'));
  for (const [name, sentences] of Object.entries(files)) {
    writeFileSync(join(folder, name), sentences.map(conlluSentence).join(''));
  }
  for (const [name, text] of Object.entries(brackets)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command in this process, as if the folder were the current one. */
async function parliament(...args: readonly string[]) {
  const names = new Set([...Object.keys(files), ...Object.keys(brackets), 'report.html']);
  const paths = args.map((arg) => (names.has(arg) ? join(folder, arg) : arg));
  const { exitCode, stdout, stderr } = await runInProcess(...paths);
  const relative = (text: string) => text.replaceAll(`${folder}/`, '');
  return { status: exitCode, stdout: relative(stdout), stderr: relative(stderr) };
}

const all = ['gold.conllu', 'dev.graph.conllu', 'dev.vote.conllu', 'dev.bigram.conllu'];
const json = async (...args: string[]) => JSON.parse((await parliament('compare', ...args, '--json')).stdout);

describe('parliament compare', () => {
  test('prints scores side by side, and names parsers by the part of the file names that differs', async () => {
    const { status, stdout, stderr } = await parliament('compare', ...all);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(
      /\ngold\.conllu: 3 parsers, 3 sentences, 10 tokens scored\.\nPunctuation rule include: every token is scored\.\n\nScores\n\nparser +UAS +95% +LAS .*\n─.*\ngraph +100\.00 .* 90\.00 .*\nvote +100\.00 .*\nbigram +70\.00 /,
    );
  });

  test('begins with the result in one sentence', async () => {
    const { stdout } = await parliament('compare', ...all);
    const [first, size] = stdout.split('\n');
    expect(first).toBe(
      'No parser is significantly better than another: LAS from 100.00 (vote) to 70.00 (bigram).',
    );
    expect(size).toMatch(/^gold\.conllu: 3 parsers/);
  });

  test('prints a ranking with groups, a matrix of pairs, the most different sentences, and how to see the rest', async () => {
    const { stdout } = await parliament('compare', ...all);
    const titles = stdout.split('\n\n').filter((part) => !part.includes('\n'));
    expect(titles.map((title) => title.replace(/ \(.*/, ''))).toEqual([
      ...['Scores', 'Ranking by LAS', 'UAS: row − column', 'LAS: row − column'],
      ...['Sentences on which the parsers differ most'],
    ]);
    expect(stdout).toMatch(
      /\nparser +LAS +group\n─.*\nvote +100\.00 +a\ngraph +90\.00 +a\nbigram +70\.00 +a\n/,
    );
    expect(stdout).toMatch(/\nparser +vote +graph +bigram\n─.*\nvote +– +\+10\.00 +\+30\.00 *\n/);
    expect(stdout).not.toContain('McNemar');
    expect(stdout).toMatch(/\n\n--all prints .*; --html FILE writes a page .*\.\n$/);
  });

  test('--format latex prints the tables for a paper', async () => {
    const { stdout } = await parliament('compare', ...all, '--format', 'latex');
    expect(stdout).toMatch(/^% No parser is [\s\S]*\n% Needs \\usepackage\{booktabs\}\.\n/);
    expect(stdout).toMatch(
      /\\caption\{Scores: gold\.conllu, \d+ sentences, [\d,]+ tokens scored\}\n\\label\{tab:scores\}\n\\begin\{tabular\}\{lrl/,
    );
    expect(stdout).toContain('\nparser & UAS & 95\\% & LAS & 95\\% & LAA & root & complete &');
    expect(stdout.split('\\begin{table}')).toHaveLength(6);
  });

  test('says which differences are significant, and that McNemar’s test is not reliable', async () => {
    const { stdout } = await parliament('compare', ...all, '--all', '--rounds', '99', '--seed', '3');
    expect(stdout).toMatch(/\nA +B +score +A − B +95% +p +corrected +significant +bootstrap +McNemar\n/);
    expect(stdout).toMatch(/\ngraph +vote +UAS +\+0\.00 +0\.00 … 0\.00 +1\.0000 +1\.0000 +no /);
    expect(stdout).toMatch(/\nvote +bigram +UAS +\+30\.00 /);
    expect(stdout).toContain('stratified shuffling of whole sentences (99 rounds, seed 3)');
    expect(stdout).toContain("Holm's correction over all 3 pairs");
    expect(stdout).toContain('McNemar: optimistic, not to be relied on.');
  });

  test('--metrics chooses the scores to test, among which are CLAS and other scores of UD', async () => {
    const asked = ['--metrics', 'clas,complete', '--rounds', '99', '--all'];
    const { stdout } = await parliament('compare', ...all, ...asked);
    expect(stdout).toMatch(/\nparser +UAS +LAS +LAA +root +complete +95% +UD LAS +CLAS +95% +MLAS\n/);
    expect(stdout).toMatch(/\ngraph +vote +CLAS +−\d/);
    expect(stdout).toMatch(/\ngraph +vote +complete +\+0\.00 +0\.00 … 0\.00 +1\.0000 /);
    expect(stdout).not.toMatch(/\ngraph +vote +[UL]AS /);
    expect(stdout).not.toContain('McNemar');
    const { parsers, significance } = await json(...all, '--metrics', 'mlas,root', '--rounds', '99');
    expect(Object.keys(significance.pairs[0].tests)).toEqual(['mlas', 'root']);
    expect(Object.keys(parsers[0].intervals)).toEqual(['mlas', 'root']);
  });

  test('warns if files have identical trees, or if one is the gold file itself', async () => {
    const { status, stderr } = await parliament(
      'compare',
      'gold.conllu',
      'gold.conllu',
      'dev.vote.conllu',
      'dev.vote.conllu',
      'dev.bigram.conllu',
    );
    expect(status).toBe(0);
    expect(stderr.split('\n')).toEqual([
      'parliament: warning: gold is the gold file itself',
      'parliament: warning: gold and dev.vote have identical trees',
      'parliament: warning: gold and dev.vote (2) have identical trees',
      'parliament: warning: dev.vote and dev.vote (2) have identical trees',
      '',
    ]);
  });

  test('--all breaks the scores down, and lists the errors and the sentences behind them', async () => {
    const { stdout } = await parliament('compare', ...all, '--all');
    expect(stdout).toMatch(
      /\nLAS F1 by label\n\nlabel +gold +graph +vote +bigram\n─.*\n(.*\n)*nsubj +2 +100\.00 /,
    );
    expect(stdout).toMatch(
      /\nLabel confusions\n\ngold +predicted +graph +vote +bigram\n─.*\n(.*\n)*det +nmod +1 +0 +0\n/,
    );
    expect(stdout).toMatch(/\nPRON +det of NOUN, right +obj of VERB, left +0 +0 +1\n/);
    expect(stdout).toMatch(/\nher +PRON +1 +1 +0 +1\n/);
    expect(stdout).toMatch(
      /\nsentence +tokens +graph +vote +bigram +text\n─.*\n +1 +5 +4 +5 +3 +We saw her dog \.\n +2 +3 +3 +3 +2 +It barked \.\nLabels are compared with their subtypes\.\n\n/,
    );
  });

  test('--all shows how often the parsers agree, and the upper bound of a vote', async () => {
    const { stdout } = await parliament('compare', ...all, '--all');
    expect(stdout).toMatch(
      /\nAgreement \(same head and label, % of the tokens\)\n\nparser +graph +vote +bigram +right alone +wrong alone\n─.*\ngraph +– +90\.00 +/,
    );
    expect(stdout).toContain('upper bound of a vote): 100.00%; more than half are right: 90.00%.');
  });

  test.each([
    ['', []],
    [' without punctuation', ['--punctuation', 'exclude']],
  ])('gives the same figures for each parser as evaluate --json%s', async (_, flags) => {
    const { parsers } = await json(...all, ...flags, '--rounds', '10');
    const reports: EvaluationReport[] = parsers.map(({ report }: { report: EvaluationReport }) => report);
    for (const by of breakdownNames) {
      const { stdout } = await parliament('evaluate', ...all, ...flags, '--by', by, '--json');
      const wanted = reports.map((report) => ({ ...report, breakdowns: { [by]: report.breakdowns[by] } }));
      expect(wanted).toEqual(JSON.parse(stdout));
    }
    expect(Object.keys(reports[0].breakdowns)).toEqual(breakdownNames);
  });

  test('--by, --names and --limit choose what is shown', async () => {
    const { stdout } = await parliament(
      'compare',
      ...all,
      '--by',
      'tag,distance',
      '--names',
      'G,V,B',
      '--limit',
      '1',
    );
    expect(stdout.match(/LAS F1 by \S+/g)).toEqual(['LAS F1 by tag', 'LAS F1 by distance']);
    expect(stdout).toMatch(/\ntag +gold +G +V +B\n─.*\nPRON +3 .*\n… and 3 more, less frequent\.\n/);
    expect(stdout).toMatch(/\nsentence +tokens +G +V +B +text\n─.*\n.*\nLabels .*\n\n/);
    const { parsers, sentences } = await json(...all, '--names', 'G,V,B', '--limit', '1');
    expect(parsers.map(({ name }: { name: string }) => name)).toEqual(['G', 'V', 'B']);
    expect(sentences).toHaveLength(1);
  });

  test('prints Markdown, and CSV with one figure per row in full precision', async () => {
    const { stdout: markdown } = await parliament('compare', ...all, '--all', '--format', 'markdown');
    expect(markdown).toMatch(
      /^### No parser is .*\n\ngold\.conllu: 3 parsers.*\n\n#### Scores\n\n\| parser +\| +UAS \|/,
    );
    expect(markdown).toContain('\n- McNemar: optimistic');
    const { stdout: table } = await parliament('compare', ...all, '--format', 'csv');
    const csv = table.split('\r\n');
    expect(csv[0]).toBe('table,row,parser,figure,value');
    expect(csv).toContain('scores,all,graph,las,90');
    expect(csv).toContain('by label,punct,bigram,las recall,66.66666666666667');
    expect(csv).toContain('significance,graph − bigram,,uas difference,30');
    expect(csv).toContain('agreement,vote,graph,las same,90');
    expect(csv).toContain('label confusions,det → nmod,graph,errors,1');
    expect(csv.filter((line) => line !== '' && line.split(',').length < 5)).toEqual([]);
  });

  test('shows the scores of a vote of the parsers, with the same figures as vote --explain', async () => {
    const { vote } = await json(...all);
    const [gold, ...members] = all;
    const explained = await parliament('vote', '--explain', ...members, '--gold', gold!, '--json');
    const { parsers, ...figures } = vote;
    expect(parsers).toEqual([0, 1, 2]);
    expect(JSON.parse(explained.stdout)).toMatchObject(figures);
    const { stdout } = await parliament('compare', ...all, '--all');
    expect(stdout).toMatch(/\nTheir vote, equal weights\n\nmember +UAS .*\n/);
    expect(stdout).toMatch(
      /\ntheir vote +100\.00 .*\ngold .*\nThe vote against \w+, the best member here: UAS [+−][\d.]+, p [\d.]+; LAS [+−][\d.]+, p [\d.]+ \(/,
    );
  });

  test('--members chooses the parsers that vote', async () => {
    const { vote } = await json(...all, '--members', 'bigram, graph');
    expect(vote.parsers).toEqual([0, 2]);
    expect(vote.members.map(({ las }: EvaluationReport) => las)).toEqual([90, 70]);
    const { stdout } = await parliament('compare', ...all, '--members', 'graph,bigram');
    expect(stdout).toMatch(/\nmember .*\n─.*\ngraph .*\nbigram .*\ntheir vote .*\ngold /);
    const csvOf = async (...args: string[]) =>
      (await parliament('compare', ...all, ...args, '--to', 'csv')).stdout.split('\r\n');
    const csv = await csvOf('--members', 'graph,bigram');
    expect(csv).toContain(`vote,all,,las,${vote.vote.las}`);
    expect(csv).toContain('vote,all,graph,las without,70');
    expect(csv).toContain(`vote,all,graph,las difference,${vote.vote.against.las.difference}`);
    expect(await csvOf('--all')).toContain('vote,all,vote,non-projective arcs,0');
    expect((await csvOf()).filter((row) => row.startsWith('vote,'))).toEqual([]);
  });

  test('shows only the figures of heads for a vote of unlabelled trees', async () => {
    const bare = gold.map((words) => words.replace(/\/\w+(?= |$)/g, '/_'));
    writeFileSync(join(folder, 'bare.conllu'), bare.map(conlluSentence).join(''));
    const { stdout } = await parliament('compare', join(folder, 'bare.conllu'), ...all.slice(1), '--all');
    const [, vote] = stdout.split('Their vote, equal weights');
    expect(vote).toMatch(/\nmember +UAS +UAS without +non-proj/);
    expect(vote).not.toContain('LAS');
  });

  test.each(['include', 'exclude'])(
    'gives the same scores in the vote as in the comparison with --punctuation %s',
    async (punctuation) => {
      const { parsers, vote, agreement } = await json(...all, '--punctuation', punctuation);
      const scores = ({ uas, las }: EvaluationReport) => ({ uas, las });
      expect(vote.members.map(scores)).toEqual(
        parsers.map(({ report }: { report: EvaluationReport }) => scores(report)),
      );
      expect(vote.tokens).toBe(parsers[0].report.tokens);
      expect(vote.agreement).toEqual(agreement);
    },
  );

  test('--html writes a page with every figure and sentence, and the usual output is still printed', async () => {
    const { status, stdout, stderr } = await parliament('compare', ...all, '--html', 'report.html');
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'parliament: note: report.html: written\n' });
    const mention = '; --html FILE writes a page with every sentence and tree';
    expect((await parliament('compare', ...all)).stdout.replace(mention, '')).toBe(stdout);
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(page).toMatch(/^<!DOCTYPE html>/);
    expect(page).toContain('90.00');
    expect(page).toContain('barked');
    expect(runCli(['compare', ...all, '--html', '-'], { cwd: folder }).stdout).toBe(
      page.replaceAll(`${folder}/`, ''),
    );
    expect(await parliament('compare', ...all, '--html', '-', '--json')).toMatchObject({
      status: 2,
      stdout: '',
    });
  });

  test('compares bracketed trees by their dependencies, as evaluate does', async () => {
    const { parsers } = await json('gold.mrg', 'gold.mrg', 'pcfg.mrg');
    expect(parsers).toMatchObject([{ name: 'gold' }, { name: 'pcfg', report: { tokens: 7 } }]);
    expect(parsers[0].report.uas).toBe(100);
    expect(parsers[1].report.uas).toBeCloseTo((100 * 6) / 7, 10);
  });

  test('compares bracketed trees as brackets first: scores, ranking, pairs, errors by label and span', async () => {
    const { stdout } = await parliament('compare', 'gold.mrg', 'gold.mrg', 'pcfg.mrg');
    expect(stdout).toMatch(
      /^No parser is significantly better than another: F1 from 100\.00 \(gold\) to 92\.31 \(pcfg\)\.\n/,
    );
    const titles = stdout.split('\n\n').filter((part) => !part.includes('\n'));
    expect(titles.slice(0, 6)).toEqual([
      ...['Scores of brackets', 'Ranking by F1', 'F1: row − column'],
      ...['Bracket errors by label', 'Bracket errors by span', 'As dependencies: Scores'],
    ]);
    expect(stdout).toMatch(
      /\nlabel +gold +gold missing +gold wrong +gold crossing +pcfg missing +pcfg wrong .*\n─.*\nNP +3 +0 +0 +0 +0 +1 +0\n/,
    );
    const { phrases, parsers } = await json('gold.mrg', 'gold.mrg', 'pcfg.mrg');
    expect(phrases.parsers[1].report.f1).toBeCloseTo(1200 / 13, 10);
    expect(parsers[1].report.uas).toBeCloseTo((100 * 6) / 7, 10);
    const csv = (await parliament('compare', 'gold.mrg', 'gold.mrg', 'pcfg.mrg', '--format', 'csv')).stdout;
    expect(csv).toContain('\r\nbrackets by label,NP,pcfg,wrong,1\r\n');
  });

  test('compares only the dependencies of brackets if their words differ, or if there are none to score', async () => {
    writeFileSync(join(folder, 'whole.mrg'), '(S (NP (NN cannot)) (. .))\n');
    writeFileSync(join(folder, 'parts.mrg'), '(S (NP (MD can) (RB not)) (. .))\n');
    writeFileSync(join(folder, 'dot.mrg'), '(S (. .))\n');
    const compare = (...names: string[]) =>
      parliament('compare', ...names.map((name) => join(folder, name)), '--json', '--rounds', '9');
    const split = await compare('whole.mrg', 'whole.mrg', 'parts.mrg');
    expect(JSON.parse(split.stdout).phrases).toBeUndefined();
    expect(split.stderr).toContain(
      'warning: brackets are compared as dependencies only: parts split the text differently from gold\n',
    );
    const dot = await compare('dot.mrg', 'dot.mrg', 'dot.mrg');
    expect([dot.status, JSON.parse(dot.stdout).phrases]).toEqual([0, undefined]);
  });

  test('reads gold from standard input', async () => {
    const input = readFileSync(join(folder, 'gold.conllu'));
    const piped = runCli(['compare', '-', ...all.slice(1), '--json'], { cwd: folder, input });
    expect(JSON.parse(piped.stdout)).toEqual({ ...(await json(...all)), gold: '-' });
    const { stderr } = await parliament('compare', '-', '-', 'gold.conllu');
    expect(stderr).toBe('parliament: error: standard input (-) can be read only once\n');
  });

  test('refuses a file with several trees of a sentence', async () => {
    const file = join(folder, 'best.conllu');
    const ranked = [1, 2].map((rank) => `# tree = ${rank} of 2\n${conlluSentence(gold[0])}`);
    writeFileSync(file, ranked.join(''));
    const { status, stderr } = await parliament('compare', 'gold.conllu', 'dev.graph.conllu', file);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr:
        'parliament: error: best.conllu: several trees of a sentence, as of parse --n-best: expected one of each\n',
    });
  });

  test.each([
    [['gold.conllu', 'dev.vote.conllu'], 'expected at least two parsers to compare'],
    [['gold.conllu', 'gold.mrg', 'gold.conllu'], 'gold.conllu:1: token 1 is “We”, but gold.mrg:1 has “The”'],
    [[...all, '--names', 'a,b'], 'names: 2, files: 3; expected one name for each file'],
    [[...all, '--by', 'tag,colour'], /'colour' is not one of label, tag, /],
    [[...all, '--metrics', 'uas,f1'], /'f1' is not one of uas, las, /],
    [
      [...all, '--metrics', 'uas,blex'],
      'gold.conllu: BLEX is not defined here: it needs gold relations of Universal Dependencies, and lemmas in both files',
    ],
    [[...all, '--json', '--format', 'csv'], '--json or --format csv, not both'],
    [
      [...all, '--members', 'graph,nobody'],
      '--members: no parser is called “nobody”, expected some of graph, vote, bigram',
    ],
    [[...all, '--html', 'gold.conllu'], '--html gold.conllu would replace the input gold.conllu'],
    [[...all, '--html', '/dev/null/x.html'], /x\.html: cannot be written/],
    [[...all, '--seed', '4294967296'], /Expected a whole number from 0 to 4294967295/],
    [[...all, '--rounds', '0'], /Expected a whole number from 1 to /],
    [[...all, '--punctuation-rule', 'ptb'], /needs --punctuation exclude/],
  ])('refuses %j', async (args, message) => {
    const { status, stdout, stderr } = await parliament('compare', ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(typeof message === 'string' ? `parliament: error: ${message}\n` : message);
  });
});
