import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../support/run-in-process.ts';

const reads = '(TOP (S (NP (PRP She)) (VP (VBZ reads) (NP (DT a) (NN book))) (. .)))\n';
const rains = '(TOP (S (NP (PRP It)) (VP (VBZ rains)) (. .)))\n';
const files = {
  'gold.mrg': reads + rains,
  'good.mrg': reads + rains,
  'bad.mrg': reads.replace('(NP (DT', '(ADJP (DT') + rains,
  'other.mrg': reads.replace('book', 'Book') + rains,
  'short.mrg': reads,
  'failed.mrg': `(())\n${rains}`,
  'disputed.mrg': reads + rains.replace('(. .)', '(NN .)'),
  'unclosed.mrg': reads.replace(/\)\n/, '\n') + rains,
  'flat.mrg': '(TOP (PRP She) (VBZ reads))\n',
  'untagged.mrg': (reads + rains).replaceAll('(. .)', '(NN .)'),
  'ranked.mrg': `# tree = 1 of 2\n# probability = 0.6\n${reads.replace('(NP (DT', '(ADJP (DT')}\n# tree = 2 of 2\n${reads}# tree = 1 of 1\n${rains}`,
  'parsed.conllu': '1\tShe\t_\t_\t_\t_\t0\troot\t_\t_\n\n',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-evaluate-phrases-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const evaluate = (...args: string[]) => runHere(['evaluate', ...args], { cwd: folder });

const scorerLine =
  'Scorer evalb: EVALB with COLLINS.prm (punctuation left out, ADVP = PRT, equal brackets count each); 2 words left out.';

describe('parliament evaluate of bracketed trees', () => {
  test('tests no difference for significance if no tree has a bracket to score', async () => {
    const { status, stdout } = await evaluate('flat.mrg', 'flat.mrg', './flat.mrg');
    expect(status).toBe(0);
    expect(stdout.match(/^\S*flat\.mrg +all +1 /gm)).toHaveLength(2);
    expect(stdout).not.toContain(' p = ');
  });

  test('prints two rows per file, the scorer, what it left out, and whether the difference is significant', async () => {
    expect(await evaluate('gold.mrg', 'good.mrg', 'bad.mrg')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: `\
file      length  sentences  words       P       R      F1   exact  crossing    none     ≤ 2    tags
────────  ──────  ─────────  ─────  ──────  ──────  ──────  ──────  ────────  ──────  ──────  ──────
good.mrg  all             2      6  100.00  100.00  100.00  100.00      0.00  100.00  100.00  100.00
good.mrg  ≤ 40            2      6  100.00  100.00  100.00  100.00      0.00  100.00  100.00  100.00
bad.mrg   all             2      6   85.71   85.71   85.71   50.00      0.00  100.00  100.00  100.00
bad.mrg   ≤ 40            2      6   85.71   85.71   85.71   50.00      0.00  100.00  100.00  100.00

${scorerLine}
exact: sentences with exactly the gold brackets; crossing: brackets per sentence that cross a gold bracket; none: sentences without crossing brackets; tags: words with the gold tag; ≤ 2: sentences with at most two.
bad.mrg: F1 -14.29 against good.mrg, p = 1.0000 (two-sided, by stratified shuffling of sentences).
`,
    });
  });

  test('--oracle scores the best tree of each sentence, and needs the comments of parse --n-best', async () => {
    const [good, oracle] = [
      await evaluate('gold.mrg', 'good.mrg', '--json'),
      await evaluate('gold.mrg', 'ranked.mrg', '--json', '--oracle'),
    ];
    expect(oracle).toEqual({ ...good, stdout: good.stdout.replace('good.mrg', 'ranked.mrg') });
    expect((await evaluate('gold.mrg', 'ranked.mrg')).stderr).toBe(
      'parliament: error: ranked.mrg: several trees of a sentence, as of parse --n-best: add --oracle\n',
    );
    expect((await evaluate('gold.mrg', 'good.mrg', '--oracle')).stderr).toBe(
      'parliament: error: good.mrg:1: no comment “# tree = 1 of K”: write the trees with parse --n-best\n',
    );
    expect((await evaluate('gold.mrg', 'ranked.mrg', '--oracle', '--max-length', '1')).stderr).toMatch(
      /^parliament: error: ranked\.mrg: no sentences to evaluate, \d+ left out\n$/,
    );
    expect((await evaluate('gold.mrg', 'short.mrg')).stderr).not.toContain('--oracle');
  });

  test('--format latex and --format csv print the scores of brackets as LaTeX and CSV', async () => {
    const latex = (await evaluate('gold.mrg', 'good.mrg', 'bad.mrg', '--format', 'latex')).stdout;
    expect(latex).toContain(
      '\nfile & length & sentences & words & P & R & F1 & exact & crossing & none & $\\leq$ 2 & tags',
    );
    const csv = (await evaluate('gold.mrg', 'bad.mrg', '--format', 'csv', '--by', 'label')).stdout;
    expect(csv).toMatch(/^file,label,gold,predicted,P,R,F1\r\n/);
    expect(csv).toContain('\r\nbad.mrg,ADJP,0,1,0,,0\r\n');
  });

  test('with --json, prints one object per file, with unrounded figures under names that scripts rely on', async () => {
    const { status, stdout } = await evaluate('gold.mrg', 'good.mrg', 'bad.mrg', '--json');
    expect(status).toBe(0);
    const figure = expect.closeTo(600 / 7, 10);
    expect(JSON.parse(stdout)).toMatchObject([
      { file: 'good.mrg', f1: 100 },
      {
        file: 'bad.mrg',
        scorer: 'evalb',
        sentences: 2,
        precision: figure,
        recall: figure,
        f1: figure,
        exactMatch: 50,
        averageCrossing: 0,
        noCrossing: 100,
        twoOrLessCrossing: 100,
        taggingAccuracy: 100,
        counts: { gold: 7, predicted: 7, matched: 6 },
        upTo40: { sentences: 2 },
        leftOut: { tooLong: 0, mismatched: 0, withoutWords: 0 },
        significance: { against: 'good.mrg', twoSided: 1 },
      },
    ]);
  });

  test('with --max-length, scores only sentences up to this length, and counts those left out', async () => {
    const { stdout } = await evaluate('gold.mrg', 'bad.mrg', '--max-length', '3', '--scorer', 'sets');
    expect(stdout).toMatch(/\nbad\.mrg {2}≤ 3 +1 +2 +100\.00 /);
    expect(stdout).not.toMatch(/≤ 40/);
    expect(stdout).toMatch(/\nScorer sets: CS 224N's LabeledConstituentEval .*; 1 word left out\.\n/);
    expect(stdout).toMatch(/\nSentences of more than 3 words: 1, left out\.\n$/);
  });

  test('breaks the scores down by label or length with --by', async () => {
    const { stdout } = await evaluate('gold.mrg', 'bad.mrg', '--by', 'label');
    expect(stdout).toMatch(
      /\nbad\.mrg by label:\n\nlabel +gold +predicted +P +R +F1\n─.*\nNP +3 +2 +100\.00 /,
    );
    expect((await evaluate('gold.mrg', 'bad.mrg', '--by', 'length')).stdout).toMatch(/\n1-10 +7 +7 +85\.71 /);
  });

  test('warns if the tags disagree on what is punctuation', async () => {
    expect(await evaluate('gold.mrg', 'disputed.mrg')).toMatchObject({
      status: 0,
      stderr:
        "parliament: warning: disputed.mrg: the two sides' tags disagree on what is punctuation: 1 of 7 words, in 1 of 2 sentences\n",
    });
  });

  test('refuses different words, missing sentences and failed parses, and names the first place', async () => {
    const refusal = async (file: string) => {
      const { status, stdout, stderr } = await evaluate('gold.mrg', file);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      return stderr;
    };
    expect(await refusal('other.mrg')).toBe(
      'parliament: error: gold.mrg:1: token 4 is “book”, but other.mrg:1 has “Book”\n',
    );
    expect(await refusal('short.mrg')).toBe(
      'parliament: error: gold.mrg:2: sentence 2 has no counterpart, short.mrg ends after 1\n',
    );
    expect(await refusal('failed.mrg')).toMatch(/^parliament: error: failed\.mrg:1: empty bracket: .*\n$/);
  });

  test('with --skip-invalid, leaves out sentences that differ or failed, and counts them', async () => {
    const differing = await evaluate('gold.mrg', 'other.mrg', '--skip-invalid', '--json');
    expect(JSON.parse(differing.stdout)).toMatchObject([
      { sentences: 1, leftOut: { malformed: 0, mismatched: 1 } },
    ]);
    expect(differing.stderr).toBe(
      'parliament: warning: left out: gold.mrg:1: token 4 is “book”, but other.mrg:1 has “Book”\n' +
        'parliament: warning: other.mrg: 1 of 2 sentences left out: their words differ\n',
    );
    const failed = await evaluate('gold.mrg', 'failed.mrg', '--skip-invalid', '--json');
    const leftOut = { malformed: 1, mismatched: 0 };
    expect(JSON.parse(failed.stdout)).toMatchObject([{ sentences: 1, f1: 100, leftOut }]);
    expect(failed.stderr).toBe(
      'parliament: warning: left out: failed.mrg:1: empty bracket: “()”, expected a word or phrases in it\n' +
        'parliament: warning: failed.mrg: 1 of 2 sentences left out: they are malformed\n',
    );
  });

  test('with --skip-invalid, compares only sentences that both files have', async () => {
    const { stdout } = await evaluate('gold.mrg', 'bad.mrg', 'failed.mrg', '--skip-invalid');
    expect(stdout).toContain(
      'failed.mrg: F1 +0.00 against bad.mrg, p = 1.0000 (two-sided, by stratified shuffling of the 1 sentence scored in both).',
    );
    const [, compared] = JSON.parse(
      (await evaluate('gold.mrg', 'bad.mrg', 'failed.mrg', '--skip-invalid', '--json')).stdout,
    );
    expect(compared.significance).toMatchObject({ against: 'bad.mrg', sentences: 1, difference: 0 });
  });

  test('with --skip-invalid, names the error that stops it, not the sentence that was left out', async () => {
    const { status, stderr } = await evaluate('short.mrg', 'failed.mrg', '--skip-invalid');
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('failed.mrg:2:') });
  });

  test('leaves out only one sentence if a “)” is missing on either side', async () => {
    for (const [gold, predicted] of [
      ['gold.mrg', 'unclosed.mrg'],
      ['unclosed.mrg', 'gold.mrg'],
    ] as const) {
      const { stdout, stderr } = await evaluate(gold, predicted, '--skip-invalid', '--json');
      expect(JSON.parse(stdout)).toMatchObject([{ sentences: 1, f1: 100, leftOut: { malformed: 1 } }]);
      expect(stderr).toMatch(/left out: unclosed\.mrg:1: tree without an end: one “\)” is missing\n/);
    }
  });

  test('prints a range of words left out as punctuation if their number differs between files', async () => {
    const { stdout } = await evaluate('gold.mrg', 'good.mrg', 'disputed.mrg');
    expect(stdout).toMatch(/; 1 to 2 words left out\.\n/);
  });

  test('does not claim that no word has a punctuation tag if one side has such tags', async () => {
    const { stderr } = await evaluate('gold.mrg', 'untagged.mrg');
    expect(stderr).toBe(
      "parliament: warning: untagged.mrg: the two sides' tags disagree on what is punctuation: 2 of 8 words, in 2 of 2 sentences\n",
    );
  });

  test('reads one file from standard input', async () => {
    const piped = await runHere(['evaluate', 'gold.mrg', '-', '--json'], {
      cwd: folder,
      input: files['bad.mrg'],
    });
    expect(JSON.parse(piped.stdout)).toMatchObject([{ file: '-', exactMatch: 50 }]);
  });

  test('refuses options for dependencies with brackets, and options for brackets with dependencies', async () => {
    const message = async (...args: string[]) => {
      const { status, stderr } = await evaluate('gold.mrg', ...args);
      expect(status).toBe(2);
      return stderr;
    };
    expect(await message('good.mrg', '--by', 'tag')).toBe(
      'parliament: error: --by tag is for dependencies: brackets are broken down by label and length\n',
    );
    expect(await message('good.mrg', '--punctuation', 'exclude', '--punctuation-rule', 'ptb')).toBe(
      'parliament: error: --punctuation-rule is for dependencies: the scorer evalb has its own\n',
    );
    expect(await message('good.mrg', '--punctuation', 'include')).toBe(
      'parliament: error: --punctuation include is for dependencies: the scorer evalb leaves punctuation out\n',
    );
    expect(await message('good.mrg', '--scorer', 'attachment', '--max-length', '20')).toBe(
      'parliament: error: --max-length is for brackets: dependencies are scored here\n',
    );
    expect(await message('parsed.conllu', '--skip-invalid')).toBe(
      'parliament: error: --skip-invalid is for brackets: dependencies are scored here\n',
    );
    expect(await message('parsed.conllu', '--scorer', 'sets')).toBe(
      'parliament: error: parsed.conllu: dependencies (conllu), expected bracketed trees\n',
    );
    expect(await message('good.mrg', '--max-length', '0')).toMatch(/Expected a whole number of at least 1/);
  });
});
