import { describe, expect, test } from 'vitest';
import { readGoldBallots, voteCrossValidated, voteFiles } from '../../../../combine/vote/files/vote-files.ts';
import { equalWeighting } from '../../../../combine/vote/weights/weighting.ts';
import { UsageError } from '../../../../src/errors.ts';
import { conlluSentence } from '../../../support/conllu.ts';
import { Sandbox } from '../../../support/sandbox.ts';

const sandbox = new Sandbox('vote-files');

const first = 'She/PRON/2/nsubj sleeps/VERB/0/root ./PUNCT/2/punct';
const second = 'Rain/NOUN/0/root !/PUNCT/1/punct';

function save(name: string, ...sentences: readonly string[]): string {
  return sandbox.save(name, sentences.map(conlluSentence).join(''));
}

const files = [
  save('a.conllu', first, second),
  save('b.conllu', first.replace('2/punct', '1/punct'), second),
  save('c.conllu', first.replace('2/nsubj', '3/obj'), second.replace('0/root', '2/dep')),
];

function vote(inputs: readonly string[], output = 'out.conllu') {
  const options = { weighting: equalWeighting(inputs.length), method: 'reparse-cle' } as const;
  return voteFiles(inputs, sandbox.path(output), options);
}

describe('a vote over files', () => {
  test('writes one tree per sentence, copies the rest from the first file, and returns counts', async () => {
    expect(await vote(files)).toEqual({ sentences: 2, tokens: 5, ties: 0, labelsLost: false });
    expect(sandbox.read('out.conllu')).toBe(conlluSentence(first) + conlluSentence(second));
  });

  test('does not replace an input file', async () => {
    await expect(vote(files, 'b.conllu')).rejects.toThrow(
      new UsageError(`the output ${files[1]} would replace the input ${files[1]}`),
    );
  });

  test('in cross-validation, uses weights by paradigm only if a network is best on the other folds', async () => {
    const gold = save('gold.conllu', first, second);
    const network = save(
      'network.conllu',
      first,
      second.replace('0/root', '2/dep').replace('1/punct', '0/root'),
    );
    const other = save('other.conllu', first.replace('2/nsubj', '0/root'), second);
    const known = await readGoldBallots(gold, [network, other]);
    const weightings = async (...paradigms: string[]) => {
      const options = { paradigms, folds: 2, method: 'reparse-cle' } as const;
      return (await voteCrossValidated(known, sandbox.path('crossed.conllu'), options)).weightings;
    };
    expect(await weightings()).toEqual(['las']);
    expect(await weightings('network', 'graph')).toEqual(['las', 'paradigm']);
  });

  test('counts a tie if two labels have equal votes, but not if a member gives no label', async () => {
    const labelled = save('labelled.conllu', first);
    const otherLabel = save('other-label.conllu', first.replace('2/nsubj', '2/obj'));
    const unlabelled = save('unlabelled.conllu', 'She/PRON/2/_ sleeps/VERB/0/_ ./PUNCT/2/_');
    expect((await vote([labelled, otherLabel], 'tied.conllu')).ties).toBe(1);
    expect((await vote([labelled, unlabelled], 'not-tied.conllu')).ties).toBe(0);
  });

  test('keeps comments, ranges, empty nodes, line ends and columns of the first file byte for byte', async () => {
    const lines = [
      '\ufeff# sent_id = 1',
      '1-2\tcannot\t_\t_\t_\t_\t_\t_\t_\tA=b',
      '1\tcan\tx\tAUX\tMD\tVerbForm=Fin\t0\tdep\t3:aux\t_',
      '2\tnot\ty\tPART\tRB\t_\t1\tadvmod\t_\tSpaceAfter=No',
      '2.1\tever\t_\t_\t_\t_\t_\t_\t3:x\t_',
      '3\tgo\tz\tVERB\tVB\t_\t1\tdep\t0:root\t_',
      '',
      '',
    ];
    const rich = sandbox.save('rich.conllu', lines.join('\r\n'));
    const plain = save('plain.conllu', 'can/X/3/aux not/X/3/advmod go/X/0/root');
    await vote([rich, plain, plain], 'rich-out.conllu');
    const expected = lines
      .join('\r\n')
      .replace('0\tdep', '3\taux')
      .replace('1\tadvmod', '3\tadvmod')
      .replace('1\tdep', '0\troot');
    expect(sandbox.read('rich-out.conllu')).toBe(expected);
  });

  test('reads files in different formats, of which the first decides the format of the output', async () => {
    const columns = sandbox.save('a.txt', 'She\tPRP\t2\nsleeps\tVBZ\t0\n.\t.\t2\n\nRain\tNN\t0\n!\t.\t1\n\n');
    await vote([columns, files[0]], 'columns.txt');
    expect(sandbox.read('columns.txt')).toBe(
      'She\tPRP\t2\nsleeps\tVBZ\t0\n.\t.\t2\n\nRain\tNN\t0\n!\t.\t1\n\n',
    );
    const brackets = sandbox.save(
      'a.mrg',
      '(S (NP (PRP She)) (VP (VBZ sleeps)) (. .))\n(NP (NN Rain) (. !))\n',
    );
    await vote([brackets, files[0], files[0]], 'from-brackets.conllu');
    expect(sandbox.read('from-brackets.conllu')).toMatch(/^1\tShe\t_\t.*\t2\tnsubj\t/);
  });

  test('accepts trees with several roots, without roots and with cycles', async () => {
    const broken = save(
      'broken.conllu',
      'She/PRON/0/root sleeps/VERB/0/root ./PUNCT/3/x',
      'Rain/NOUN/2/x !/PUNCT/1/y',
    );
    await vote([broken, broken], 'mended.conllu');
    expect(sandbox.read('mended.conllu').match(/\t0\t/g)?.length).toBeGreaterThanOrEqual(2);
  });

  test('refuses files with different words or sentences, names the first difference, and writes nothing', async () => {
    const other = save('other.conllu', first.replace('sleeps', 'wakes'), second);
    const short = save('short.conllu', first);
    const cut = save('cut.conllu', first, 'Rain/NOUN/0/root');
    const [a, b] = files;
    const refused = (inputs: readonly string[]) =>
      vote(inputs, 'refused.conllu').catch(({ message }) => message);
    expect(await refused([a, b, other])).toBe(`${a}:2: token 2 is “sleeps”, but ${other}:2 has “wakes”`);
    expect(await refused([a, b, short])).toBe(`${a}:5: sentence 2 has no counterpart, ${short} ends after 1`);
    expect(await refused([short, a])).toBe(`${a}:5: sentence 2 has no counterpart, ${short} ends after 1`);
    expect(await refused([a, cut])).toMatch(/^\S+a\.conllu:6: token 2 is “!”, but the sentence at /);
    expect(sandbox.list()).not.toContain('refused.conllu');
    expect(sandbox.list().filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test('reports a slow sentence before it votes on it', async () => {
    const words = Array.from({ length: 3000 }, (_, i) => `w/X/${i}/dep`).join(' ');
    const long = save('long.conllu', first, words);
    const onNotice = (notice: string) => {
      throw new Error(notice); // Ends the vote, as the test need not wait for the tree.
    };
    const options = { weighting: equalWeighting(1), method: 'reparse-eisner', onNotice } as const;
    await expect(voteFiles([long], sandbox.path('long-out.conllu'), options)).rejects.toThrow(
      `${long}:5: reparse-eisner is slow on 3000 tokens; reparse-cle is not`,
    );
  });

  test('refuses files without heads, more than 100 files, and standard input given twice', async () => {
    const headless = sandbox.save('headless.conllu', '1\tShe\t_\t_\t_\t_\t_\t_\t_\t_\n\n');
    await expect(vote([headless])).rejects.toThrow('headless.conllu:1: head is missing');
    await expect(vote(Array<string>(101).fill(files[0]))).rejects.toThrow('101 members, expected 1 to 100');
    await expect(vote(['-', '-'])).rejects.toThrow('standard input (-) can be read only once');
  });
});

describe('gold trees with parsers’ answers', () => {
  test('come with the digest of the gold file', async () => {
    const { ballots, digest } = await readGoldBallots(files[0], files);
    expect(ballots).toHaveLength(2);
    expect(ballots[0].trees).toHaveLength(3);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test('are refused if the gold heads form a cycle', async () => {
    const cycle = save('cycle.conllu', first.replace('0/root', '1/x'), second);
    await expect(readGoldBallots(cycle, files)).rejects.toThrow(/cycle\.conllu:\d: /);
  });
});
