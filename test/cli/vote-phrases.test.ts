import { describe, expect, it } from 'vitest';
import { runInProcess } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('vote-phrases');

/** The eyes belong to the man, or are what she sees him with. */
const man =
  '(TOP (S (NP (PRP She)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (NNS eyes)))))))\n';
const seen =
  '(TOP (S (NP (PRP She)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (NNS eyes))))))\n';
const [a, b, c] = [man, seen, `${seen}\n`].map((tree, i) => sandbox.save(`${'abc'[i]}.mrg`, tree)) as [
  string,
  string,
  string,
];
const vote = (...args: readonly string[]) => runInProcess('vote', a, b, c, ...args);

describe('vote over bracketed files', () => {
  it('writes brackets with the phrases that most parsers have', async () => {
    const output = sandbox.path('voted.mrg');
    expect(await vote('-o', output, '--quiet')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(sandbox.read('voted.mrg')).toBe(seen);
  });

  it('leaves out phrases with too few votes, and prints the threshold', async () => {
    const flat = '(TOP (S (PRP She) (VBD saw) (DT the) (NN man) (IN with) (NNS eyes)))\n';
    const others = [0, 1, 2].map((i) => sandbox.save(`flat${i}.mrg`, flat));
    const { stdout, stderr } = await runInProcess('vote', b, c, ...others);
    expect(stderr).toContain('more than 40% of the votes');
    expect(stdout).toBe(flat);
  });

  it('weighs the parsers by --weights, or by their scores on gold trees', async () => {
    expect((await vote('--weights', '5,1,1', '--quiet')).stdout).toBe(man);
    const others = [man, seen, seen].map((tree, i) =>
      sandbox.save(`${i}.dev.mrg`, tree.replace('She', 'He')),
    );
    const gold = sandbox.save('gold.mrg', man.replace('She', 'He'));
    const { stderr } = await vote('--dev-gold', gold, '--dev', ...others);
    expect(stderr).toMatch(
      /3 parsers voted on the phrases of 1 sentence .*weights: 100\.00, \d\d\.\d\d, \d\d\.\d\d/,
    );
  });

  it('with --weighting equal, learns nothing from gold trees', async () => {
    const dev = [man, seen, seen].map((tree, i) => sandbox.save(`${i}.dev.mrg`, tree.replace('She', 'He')));
    const gold = sandbox.save('gold.mrg', man.replace('She', 'He'));
    const { stdout, stderr } = await vote('--dev-gold', gold, '--dev', ...dev, '--weighting', 'equal');
    expect(stderr).toContain('weights: 1.00, 1.00, 1.00; more than 40% of the votes');
    expect(stdout).toBe(seen);
    const again = await runInProcess(
      'vote',
      ...dev,
      '--dev-gold',
      gold,
      '--cross-validate',
      '2',
      '--weighting',
      'equal',
    );
    expect(again.stderr).toContain('weights: 1.00, 1.00, 1.00');
  });

  it('is not covered by --explain, which notes that it is about votes on arcs', async () => {
    const gold = sandbox.save('explained.mrg', man);
    const said = 'note: --explain is about votes on arcs, here of the trees’ dependencies';
    expect((await vote('--explain', '--gold', gold)).stderr).toContain(said);
    expect((await vote('--explain', '--gold', gold, '--method', 'reparse-cle')).stderr).not.toContain(said);
  });

  it('refuses weights learnt from the sentences voted on', async () => {
    const gold = sandbox.save('same.mrg', man);
    const { exitCode, stderr } = await vote('--dev-gold', gold, '--dev', a, b, c);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('from which the weights are learned');
  });

  it('with --cross-validate, votes on each sentence with weights learnt from the other sentences', async () => {
    const several = (tree: string) => tree + tree.replace('She', 'He');
    const files = [man, seen, seen].map((tree, i) => sandbox.save(`${i}.two.mrg`, several(tree)));
    const gold = sandbox.save('two.mrg', several(man));
    const { stdout, stderr } = await runInProcess(
      'vote',
      ...files,
      '--dev-gold',
      gold,
      '--cross-validate',
      '2',
    );
    // The first parser is right, and the phrases that it alone has cross no others: a low threshold accepts them.
    expect(stdout).toBe(several(man));
    expect(stderr).toContain('3 parsers voted on the phrases of 2 sentences');
    expect(stderr).toContain('weights: cross-validated');
  });

  it('votes on arcs if --method names a method for arcs', async () => {
    expect((await vote('--method', 'reparse-cle', '--quiet')).stdout).toMatch(/^1\tShe\t/);
  });

  it.each([
    [['--weights', '1,2'], '2 weights for 3 parsers, expected one each'],
    [['--weights', '0,0,0'], 'all weights are 0: nobody votes'],
    [
      ['--weighting', 'las', '--dev-gold', 'x', '--dev', 'x', 'x', 'x'],
      'is for arcs: phrases are weighed by F1',
    ],
    [['--single-root'], '--single-root is for arcs: add --method'],
    [['--dev-gold', 'x'], '--dev-gold needs --dev'],
  ])('refuses %j', async (args, message) => {
    const { exitCode, stderr } = await vote(...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('names the first place where the files’ words differ', async () => {
    const other = sandbox.save('other.mrg', seen.replace('man', 'boy'));
    const { exitCode, stderr } = await runInProcess('vote', a, other);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/a\.mrg:1: token 4 is “man”, but .*other\.mrg:1 has “boy”/);
  });
});
