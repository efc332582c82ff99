import { readExperiment } from '../../experiment/definition/experiment.ts';
import { planExperiment } from '../../experiment/definition/plan.ts';
import { TreebankSurvey } from '../../experiment/definition/treebanks.ts';
import type { Job } from '../../experiment/jobs/job.ts';
import { allParadigms } from '../../parsers/registry.ts';
import { Catalogue } from '../../src/treebank/catalogue.ts';
import type { Sandbox } from './sandbox.ts';

const paradigms = await allParadigms();
const programOf = () => ({ version: '1.0.0', code: '0'.repeat(64) });
const survey = new TreebankSurvey(await Catalogue.open());

/** The plan of an experiment with this content, which is saved in the sandbox. */
export async function planIn(sandbox: Sandbox, content: object) {
  const file = sandbox.save(
    'table.json',
    JSON.stringify({
      ...{ title: 'T', description: 'D', report: ['uas'], defaults: { treebank: 'sample' } },
      ...content,
    }),
  );
  const plan = await planExperiment(await readExperiment(file), { known: paradigms, survey, programOf });
  const jobOf = <J extends Job>(i: number, j = 0, run = 0) => plan.jobs.get(plan.cells[i][j].jobs[run]) as J;
  return { plan, jobOf };
}
