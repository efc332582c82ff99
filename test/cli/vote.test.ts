import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { conlluSentence } from '../support/conllu.ts';
import { padded } from '../support/padded.ts';
import { runCountingThreads } from '../support/run-cli.ts';
import { runHere, runInProcess } from '../support/run-in-process.ts';
import { samplePath, sampleText, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('vote');

const first = 'She/PRON/2/nsubj sleeps/VERB/0/root ./PUNCT/2/punct';
const second = 'Rain/NOUN/0/root !/PUNCT/1/punct';
const right = conlluSentence(first) + conlluSentence(second);

const save = (name: string, text: string | Buffer) => sandbox.save(name, text);
const gold = save('gold.conllu', right);
const a = save('a.conllu', right.replace('2\tpunct', '1\tpunct'));
const b = save('b.conllu', right.replace('2\tnsubj', '2\tobj'));
const c = save('c.conllu', right.replace('1\tpunct', '0\tpunct'));
const other = save('other.conllu', right.replace('sleeps', 'wakes'));

/** The same sentences 20 times over. */
const many = (file: string) => save(`many-${file}`, sandbox.read(file).repeat(20));

const vote = (...args: readonly string[]) => runInProcess('vote', ...args);

/** The trees that a vote writes. */
async function voted(...args: readonly string[]) {
  const { exitCode, stderr } = await vote(...args, '-o', sandbox.path('voted.conllu'));
  return { exitCode, stderr, trees: sandbox.read('voted.conllu') };
}

const double = 'a parser that votes twice counts double';

describe('parliament vote', () => {
  test('writes the voted trees, and says that all votes weigh the same', async () => {
    const { exitCode, trees, stderr } = await voted(a, b, c);
    expect(exitCode).toBe(0);
    expect(trees).toBe(right);
    expect(stderr).toMatch(
      /^parliament: note: all votes weigh the same; --dev-gold \(or --weights\) usually gives better trees\n/,
    );
    expect(stderr).toMatch(/note: 3 parsers voted on 2 sentences in \d.* \(reparse-cle, weights: equal\)\n$/);
  });

  test.skipIf(process.platform === 'win32')('reads each pipe only once', async () => {
    const pipe = sandbox.path('pipe');
    execFileSync('mkfifo', [pipe]);
    for (const files of [
      [pipe, b, c],
      [b, pipe, c],
    ]) {
      const writer = writeFile(pipe, sandbox.read('a.conllu'));
      expect(await voted(...files)).toMatchObject({ exitCode: 0, trees: right });
      await writer;
    }
  });

  test('says how many arcs were ties between two parsers', async () => {
    const { stderr } = await voted(a, b);
    expect(stderr).toContain('note: 40.00% of the arcs (2 of 5) were ties, broken by a fixed rule');
    expect((await voted(a, b, '--weights', '2,1')).stderr).not.toContain('ties');
    const { stdout } = await vote(a, b, '-o', sandbox.path('voted.conllu'), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ tokens: 5, ties: 2 });
    const explained = await vote('--explain', a, b, '--gold', gold);
    expect(explained.stdout).toContain('Ties for a head or label, broken by a fixed rule: 2 arcs (40.00%).');
  });

  test('gives the same trees whichever file is named first, even if their tags differ', async () => {
    const tagged = save('other-tags.conllu', sandbox.read('b.conllu').replaceAll('PRON', 'NOUN'));
    const trees = async (files: readonly string[], devs: readonly string[]) => {
      await vote(...files, '--dev-gold', gold, '--dev', ...devs, '--weighting', 'tag', '--quiet', '-o', out);
      return sandbox.read('order.conllu').replaceAll('PRON', 'NOUN');
    };
    const out = sandbox.path('order.conllu');
    expect(await trees([a, tagged], [a, tagged])).toBe(await trees([tagged, a], [tagged, a]));
  });

  test.each(['superparser', 'reparse-cle', 'reparse-eisner'])(
    'uses the weights of --weights (%s)',
    async (method) => {
      const weighted = ['--weights', '1,5,1', '--method', method, '--quiet'];
      const { trees, stderr } = await voted(a, b, c, ...weighted);
      expect(stderr).toBe('');
      expect(trees).toBe(sandbox.read('b.conllu'));
    },
  );

  test.each(['equal', 'uas', 'las', 'tag', 'learnt'])(
    'weighs the parsers by --weighting %s',
    async (name) => {
      const out = sandbox.path(`by-${name}.conllu`);
      const args = ['--dev-gold', gold, '--dev', a, gold, c, '--weighting', name, '-o', out, '--json'];
      const { exitCode, stdout } = await vote(a, b, b, ...args);
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ sentences: 2, tokens: 5, parsers: 3, weighting: name });
      expect(sandbox.read(`by-${name}.conllu`)).toBe(sandbox.read('b.conllu'));
    },
  );

  test('weighs the parsers by how often they agree, without gold trees', async () => {
    const out = sandbox.path('by-agreement.conllu');
    const { exitCode, stdout, stderr } = await vote(a, b, b, '--weighting', 'agreement', '-o', out, '--json');
    expect([exitCode, stderr]).toEqual([0, `parliament: warning: ${b} is named twice: ${double}\n`]);
    expect(JSON.parse(stdout)).toMatchObject({ sentences: 2, parsers: 3, weighting: 'agreement' });
    expect(sandbox.read('by-agreement.conllu')).toBe(sandbox.read('b.conllu'));
  });

  test('warns if a file or a copy of it votes twice, and if there is only one voter', async () => {
    const copy = save('copy.conllu', sandbox.read('a.conllu'));
    const warning = `warning: ${a} and ${copy} have the same content: ${double}\n`;
    expect((await voted(a, copy, c)).stderr).toContain(warning);
    expect((await voted(a, b, c)).stderr).not.toContain('warning');
    const alone = await voted(a);
    expect(alone.stderr).toContain(`warning: only ${a} votes: its trees are written, repaired`);
    expect(alone.trees).toBe(sandbox.read('a.conllu'));
    const projective = await voted(a, '--method', 'reparse-eisner');
    expect(projective.stderr).toContain(`warning: only ${a} votes: its trees are written, made projective\n`);
    expect((await vote(a, '--explain', '--gold', gold)).stderr).toContain(`warning: only ${a} votes\n`);
  });

  test('allows several roots unless --single-root is given', async () => {
    expect((await voted(c, c, '--quiet')).trees).toBe(sandbox.read('c.conllu'));
    expect((await voted(c, c, '--quiet', '--no-single-root')).trees).toBe(sandbox.read('c.conllu'));
    expect((await voted(c, c, '--quiet', '--single-root')).trees).not.toBe(sandbox.read('c.conllu'));
  });

  test('warns if the first file has no column for the labels that were voted for', async () => {
    const columns = save('columns.txt', 'She\tPRP\t2\nsleeps\tVBZ\t0\n.\t.\t2\n\nRain\tNN\t0\n!\t.\t1\n\n');
    const warning = `warning: ${columns} has no column for labels, so none are written`;
    expect((await voted(columns, a)).stderr).toContain(warning);
    expect((await voted(columns, columns)).stderr).not.toContain('no column');
    expect((await voted(a, columns)).stderr).not.toContain('warning');
  });

  test('refuses files with different tokens, names both places, and writes nothing', async () => {
    const { exitCode, stderr } = await vote(a, other, '-o', sandbox.path('none.conllu'));
    expect(exitCode).toBe(2);
    expect(stderr).toBe(`parliament: error: ${a}:2: token 2 is “sleeps”, but ${other}:2 has “wakes”\n`);
    expect(sandbox.list()).not.toContain('none.conllu');
  });

  test.each([
    [[], 'name the files of trees'],
    [[a, b, '--weights', '1,2,3'], '3 weights for 2 parsers, expected one each'],
    [
      [a, b, '--weights', '1,x'],
      "option '--weights <a,b,…>' argument '1,x' is invalid. Expected numbers from 0",
    ],
    [[a, b, '--weights', '0,0'], 'all weights are 0, expected one above'],
    [[a, b, '--weights', '1,2', '--weighting', 'uas'], '--weights sets the weights'],
    [[a, b, '--weighting', 'uas'], '--weighting uas is learnt from gold trees: it needs --dev-gold'],
    [[a, b, '--dev-gold', gold], '--dev-gold needs --dev'],
    [[a, b, '--dev', a, b], '--dev has the parsers’ trees for the sentences of --dev-gold'],
    [[a, b, '--dev-gold', gold, '--dev', a], '1 --dev file for 2 parsers, expected one each'],
    [[a, b, '--gold', gold], '--gold is for --explain and --search'],
    [[a, b, '--explain'], '--explain needs --gold'],
    [
      [a, b, '--explain', '--gold', gold, '--json', '--format', 'markdown'],
      '--json or --format markdown, not both',
    ],
    [['--dev-gold', gold, '--dev', a, b, c], '--dev took all 3 names after it, for 0 parsers: put the files'],
    [[a, '--dev-gold', gold, '--dev', a, b], '--dev took all 2 names after it, for 1 parser: put the files'],
    [[a, '--search', '--dev-gold', gold, '--dev', a], '--search has no use for the files to vote on without'],
    [[a, b, '--folds', '3'], '--folds is for --search'],
    [[a, b, '--speeds', '100,200'], '--speeds is for --search'],
    [
      ['--search', '--dev-gold', gold, '--dev', a, b, '--speeds', '9'],
      '1 speed for 2 parsers, expected one each',
    ],
    [
      ['--search', '--dev-gold', gold, '--dev', a, b, '--speeds', '9,0'],
      "option '--speeds <a,b,…>' argument '9,0' is invalid",
    ],
    [[a, b, '--search'], '--search needs --dev-gold'],
    [[a, b, '--search', '--dev-gold', gold, '--weights', '1,2'], '--search finds weights and method itself'],
    [
      [a, b, '--search', '--dev-gold', gold, '--weighting', 'las'],
      '--search finds weights and method itself',
    ],
    [
      [a, b, '--search', '--dev-gold', gold, '--method', 'superparser'],
      '--search finds weights and method itself',
    ],
    [[a, b, '--explain', '--gold', gold, '-o', 'x.conllu'], '--explain prints tables: expected no --output'],
    [[a, b, '--weights', '1,2', '--dev', a, b], '--weights sets the weights'],
    [[a, b, '--explain', '--search', '--gold', gold], '--explain or --search, not both'],
    [[a, b, '--model', 'x.model'], '--model takes one file of sentences'],
    [[a, '--model', 'x.model', '--explain', '--gold', gold], '--explain and --search take files of trees'],
    [[a, b, '--skip-invalid'], '--skip-invalid is for --model'],
    [[a, b, '--jobs', '2'], '--jobs is for --model'],
    [[a, b, '--explain', '--gold', gold, '--jobs', '2'], '--jobs is for --model'],
    [[a, b, '--to', 'markdown'], '--to markdown is for the tables of --explain and --search'],
  ] as const)('refuses wrong usage: $1', async (args, message) => {
    const { exitCode, stdout, stderr } = await vote(...args);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(`error: ${message}`);
  });
});

describe('weights learnt from the sentences voted on', () => {
  // The first parser is right about the first two thirds of the sentences, the second one about the last third.
  const words = (head: string, label: string) =>
    conlluSentence(`Rain/NOUN/${head}/${label} often/ADV/3/adv falls/VERB/0/root so/ADV/3/adv it/PRON/3/x`);
  const file = (name: string, ...thirds: readonly [string, string][]) =>
    save(name, thirds.map(([head, label]) => words(head, label).repeat(10)).join(''));
  const gold = file('known-gold.conllu', ['3', 'a'], ['3', 'a'], ['3', 'a']);
  const first = file('known-1.conllu', ['3', 'a'], ['3', 'a'], ['2', 'a']);
  const second = file('known-2.conllu', ['2', 'a'], ['2', 'a'], ['3', 'a']);
  const learnt = ['--dev-gold', gold, '--dev', first, second, '--weighting', 'las'];
  const out = sandbox.path('known.conllu');

  test('are refused, because the scores would be too high, and nothing is written', async () => {
    const { exitCode, stderr } = await vote(
      first,
      second,
      ...learnt,
      '-o',
      sandbox.path('flattering.conllu'),
    );
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      `parliament: error: ${first} has sentences of ${gold}, from which the weights are learned: scores of the vote would be too high. Learn from other sentences, or add --cross-validate 10\n`,
    );
    expect(sandbox.list()).not.toContain('flattering.conllu');
  });

  test('are refused if many of the sentences are known, before a long file has been read to its end', async () => {
    const others = words('3', 'a').replaceAll('Rain', 'Snow').repeat(100);
    const longer = save('known-longer.conllu', sandbox.read('known-1.conllu') + others);
    expect((await vote(longer, longer, ...learnt, '-o', out)).exitCode).toBe(2);
    const few = save('known-few.conllu', others.repeat(10) + sandbox.read('known-1.conllu'));
    expect((await vote(few, few, ...learnt, '-o', out)).exitCode).toBe(0);
    const broken = save('known-broken.conllu', `${sandbox.read('known-1.conllu').repeat(40)}no sentence\n`);
    const { stderr } = await vote(broken, broken, ...learnt, '-o', out);
    expect(stderr).toContain('from which the weights are learned');
  });

  test('are not refused with --weighting equal, which learns nothing', async () => {
    const args = [...learnt.slice(0, -1), 'equal', '-o', out];
    expect((await vote(first, second, ...args)).exitCode).toBe(0);
  });

  test('are allowed with --cross-validate: no part is voted on with weights learnt from it', async () => {
    const args = [...learnt, '--cross-validate', '3', '-o', out, '--json'];
    const { exitCode, stdout } = await vote(first, second, ...args);
    expect({ exitCode, figures: JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      figures: { sentences: 30, tokens: 150, parsers: 2, weighting: 'las' },
    });
    // The parser with the larger weight wins. On each of the first two thirds both have the same weight, since each is
    // right in one of the two thirds that the weights are learnt from.
    const [{ uas }] = JSON.parse((await runInProcess('evaluate', gold, out, '--json')).stdout);
    const own = await vote(first, second, '--dev-gold', gold, '--weighting', 'las', '--cross-validate', '3');
    expect(own.stdout).toBe(sandbox.read('known.conllu'));
    expect(uas).toBeLessThan(100 * (1 - 10 / 150));
    const thirds = sandbox.read('known.conllu').trimEnd().split('\n\n');
    expect(thirds.slice(20)).toEqual(sandbox.read('known-1.conllu').trimEnd().split('\n\n').slice(20));
  });

  test.each([
    [
      ['--cross-validate', '3'],
      '--cross-validate needs --dev-gold: the right trees of the sentences voted on',
    ],
    [['--cross-validate', '3', '--weights', '1,2'], '--weights are not learnt: expected no --cross-validate'],
    [['--cross-validate', '3', '--explain', '--gold', gold], '--cross-validate is for voting'],
    [
      ['--cross-validate', '3', '--dev-gold', gold, '--dev', second, first],
      '--cross-validate learns weights from the files voted on: expected no other --dev',
    ],
    [
      ['--cross-validate', '31', '--dev-gold', gold],
      '30 sentences in 31 parts, expected at least one per part',
    ],
  ] as const)('give a usage error with %s', async (args, message) => {
    const { exitCode, stderr } = await vote(first, second, ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`error: ${message}`);
  });
});

describe('parliament vote --explain', () => {
  test('prints the scores of the parsers, their vote and the oracle, and how often the best heads form a cycle', async () => {
    const { exitCode, stdout } = await vote('--explain', a, b, c, '--gold', gold, '--quiet');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^3 parsers, reparse-cle, weights: equal; \S+gold\.conllu, 2 sentences, 5 tokens\.\n/,
    );
    expect(stdout).toMatch(/\na +80\.00 +80\.00 +\d/);
    expect(stdout).toMatch(/\ntheir vote +100\.00 +100\.00 /);
    expect(stdout).toMatch(/\noracle +100\.00 +100\.00\n/);
    expect(stdout).toMatch(/\nsentences where these heads form a cycle +0 /);
  });

  test('warns if the weights are learnt from the sentences that it explains', async () => {
    const { stderr } = await vote('--explain', a, b, '--gold', gold, '--dev-gold', gold, '--dev', a, b);
    expect(stderr).toContain(
      `warning: the weights are learnt from sentences of ${gold} itself: the vote's scores are too high`,
    );
  });

  test('gives the scores of the trees that the vote writes, even if gold has other tags', async () => {
    // One parser is right about nouns, the other about adverbs; in their files all tags are the same.
    const file = (name: string, words: string) => save(name, conlluSentence(words).repeat(20));
    const trees = file('tagged.conllu', 'Rain/NOUN/3/a often/ADV/3/b falls/VERB/0/root');
    const nouns = file('nouns.conllu', 'Rain/X/3/a often/X/1/b falls/X/0/root');
    const adverbs = file('adverbs.conllu', 'Rain/X/2/a often/X/3/b falls/X/0/root');
    const weights = ['--dev-gold', trees, '--dev', nouns, adverbs, '--weighting', 'tag'];
    const { stdout } = await vote('--explain', nouns, adverbs, '--gold', trees, ...weights, '--json');
    await voted(nouns, adverbs, ...weights);
    const evaluated = await runInProcess('evaluate', trees, sandbox.path('voted.conllu'), '--json');
    const [{ uas, las }] = JSON.parse(evaluated.stdout);
    expect(JSON.parse(stdout).vote).toMatchObject({ uas, las });
  });

  test('gives all figures as JSON, and tables as Markdown', async () => {
    const { stdout } = await vote('--explain', a, b, c, '--gold', gold, '--weights', '3,2,1', '--json');
    const explained = JSON.parse(stdout);
    expect(explained).toMatchObject({ names: ['a', 'b', 'c'], method: 'reparse-cle', weighting: 'given' });
    expect(explained.members[0]).toMatchObject({ uas: 80, las: 80 });
    expect(explained.sizes).toHaveLength(3);
    const markdown = await vote('--explain', a, b, '--gold', gold, '--format', 'markdown', '--quiet');
    expect(markdown.stdout).toMatch(/\n### Members and vote\n\n\| member +\| +UAS \|/);
  });
});

describe('parliament vote --search', () => {
  const dev = [
    '--dev-gold',
    many('gold.conllu'),
    '--dev',
    ...['a', 'b', 'c'].map((name) => many(`${name}.conllu`)),
  ];

  test('reports scores on sentences that were not searched on, and writes their voted trees', async () => {
    const out = sandbox.path('found.conllu');
    const { exitCode, stdout } = await vote('--search', ...dev, '--gold', gold, '-o', out, a, b, c);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\nthe vote found +100\.00 +100\.00\n/);
    expect(stdout).toMatch(/\nOn \S+gold\.conllu \(not searched on\): UAS p = [\d.]+, LAS p = /);
    expect(sandbox.read('found.conllu')).toBe(right);
  });

  test('refuses to report on the file that it was tuned on', async () => {
    const args = ['--gold', sandbox.path('many-gold.conllu'), ...dev.slice(3)];
    const { exitCode, stderr } = await vote('--search', ...dev, ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /error: \S+many-gold\.conllu has sentences of \S+many-gold\.conllu, which the search is tuned on: its/,
    );
  });

  test('refuses to report on another file with the sentences that it was tuned on', async () => {
    const long = conlluSentence(`${first} so/ADV/2/advmod it/PRON/2/obj is/AUX/2/aux`).repeat(30);
    const [tuned, again] = [save('tuned.conllu', long), save('again.conllu', `# a comment\n${long}`)];
    const { exitCode, stderr } = await vote(
      tuned,
      '--search',
      '--gold',
      again,
      '--dev-gold',
      tuned,
      '--dev',
      tuned,
    );
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(`${again} has sentences of ${tuned}, which the search is tuned on`),
    });
  });

  test('reports by cross-validation if there are no other sentences', async () => {
    const { stdout } = await vote('--search', ...dev, '--speeds', '100,100,50', '--json');
    const { names, path, fewer, report } = JSON.parse(stdout);
    expect(fewer.at(-1).speed).toBe([100, 100, 50][fewer.at(-1).members[0]]);
    expect(names).toEqual(['many-a', 'many-b', 'many-c']);
    expect(path[0]).toMatchObject({ members: [0, 1, 2], weighting: 'las', method: 'reparse-cle' });
    expect(report).toMatchObject({ by: 'cross-validation', vote: { uas: 100, las: 100 } });
  });
});

describe('parliament vote --model', () => {
  const learners = ['mira', 'perceptron'];
  const models = learners.map((learner) => sandbox.path(`${learner}.model`));
  beforeAll(async () => {
    for (const [i, learner] of learners.entries()) await trainOnSample(models[i]!, '--learner', learner);
  });
  const given = models.flatMap((model) => ['--model', model]);

  test('refuses brackets, whose phrases it does not vote on', async () => {
    const brackets = save('in.mrg', '(S (NP (NNS Dogs)) (VP (VBP bark)))\n');
    const { exitCode, stderr } = await vote(brackets, ...given, '-o', sandbox.path('voted.mrg'));
    const problem = 'models vote on arcs: for brackets, parse with each model, and vote on the files';
    expect([exitCode, stderr]).toEqual([2, `parliament: error: ${brackets}: ${problem}\n`]);
  });

  test('gives the same trees as a vote over the files that each model parses', async () => {
    const parsed = models.map((_, i) => sandbox.path(`parsed-${i}.conllu`));
    const options = ['--jobs', '1', '--quiet'];
    for (const [i, model] of models.entries())
      await runHere(['parse', '--model', model, samplePath('dev'), '-o', parsed[i]!, ...options]);
    const over = await runHere(['vote', ...parsed, '--weights', '2,1', '--quiet']);
    const voting = ['vote', ...given, samplePath('dev'), '--weights', '2,1', ...options];
    const { status, stdout, stderr } = await runHere(voting);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe(over.stdout);
  });

  test('refuses weights learnt from the sentences voted on, unless they are cross-validated', async () => {
    const voting = [
      'vote',
      ...given,
      samplePath('dev'),
      '--dev-gold',
      samplePath('dev'),
      '--jobs',
      '1',
      '--quiet',
    ];
    const out = sandbox.path('known-models.conllu');
    const refused = await runHere([...voting, '-o', out]);
    expect({ status: refused.status, stderr: refused.stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining(
        `${samplePath('dev')} has sentences of ${samplePath('dev')}, from which the weights`,
      ),
    });
    expect(sandbox.list()).not.toContain('known-models.conllu');
    const parsed = models.map((_, i) => sandbox.path(`known-${i}.conllu`));
    for (const [i, model] of models.entries())
      await runHere(['parse', '--model', model, samplePath('dev'), '-o', parsed[i]!, '--quiet']);
    const crossed = ['--dev-gold', samplePath('dev'), '--cross-validate', '4', '--quiet'];
    const over = await runHere(['vote', ...parsed, ...crossed]);
    const { status, stdout, stderr } = await runHere([...voting, '--cross-validate', '4']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe(over.stdout);
  });

  test('counts the same ties with any number of threads', async () => {
    const voting = ['vote', ...given, samplePath('dev'), '-o', sandbox.path('tied.conllu'), '--json'];
    const one = JSON.parse((await runHere([...voting, '--jobs', '1'])).stdout);
    const two = JSON.parse((await runHere([...voting, '--jobs', '2'])).stdout);
    expect(one.ties).toBeGreaterThan(0);
    expect(two.ties).toBe(one.ties);
  });

  test('gives the same trees with any number of threads', () => {
    const input = save('large.conllu', padded(sampleText('dev'), 5000).repeat(2));
    const [one, three] = ['1', '3'].map((jobs) => {
      const options = ['--dev-gold', samplePath('dev'), '--jobs', jobs, '--quiet'];
      return runCountingThreads(['vote', ...given, input, ...options]);
    });
    expect([one!.threads, three!.threads]).toEqual([0, 2]);
    expect(one!.stdout.length).toBeGreaterThan(500_000);
    expect(three!.stdout === one!.stdout).toBe(true);
  });

  test.each([
    ['unchanged', (text: string) => text],
    ['with other line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['compressed', gzipSync],
  ])('refuses to weigh the models by sentences that they were trained on: %s', async (_, changed) => {
    const train = save('again-train.conllu', changed(sampleText('train')));
    const { status, stderr } = await runHere(['vote', ...given, samplePath('dev'), '--dev-gold', train]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/error: \S+mira\.model: was trained on \S+train\.conllu: learn the weights from/);
  });
});
