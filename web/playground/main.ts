/** The script of the playground: the workbench over workers of the page, training, and scores. */
import type { Backend } from '../../src/report/workbench/backend.ts';
import { Workbench } from '../../src/report/workbench/workbench.ts';
import { ScoresView } from './scores-view.ts';
import { TrainedModels } from './trained-models.ts';
import { TrainingView } from './training-view.ts';
import { WorkerModels } from './worker-models.ts';

const own = new TrainedModels();
const models = new WorkerModels(own);
const training = new TrainingView(models, own, offer);
const scores = new ScoresView(
  models,
  () => training.heldOut,
  () => workbench.keepAddress(),
);
const backend: Backend = {
  models: () => models.models(),
  compare: (asked, signal, say) => models.compare(asked, signal, say),
  explain: (model, conllu) => models.explain(model, conllu),
  fields: (shown) => [
    ...own.recipes([...shown, ...scores.linked]),
    ...scores.linked.map((name) => ['compared', name] as const),
  ],
  prepare: (fields, say) => training.prepare(fields, say),
  followed: (fields) => {
    const compared = fields.getAll('compared');
    if (compared.length > 0) void scores.run(compared);
  },
};
const workbench = new Workbench(backend);

async function offer(): Promise<void> {
  await workbench.offer();
  await scores.offer();
}

async function start(): Promise<void> {
  await own.open();
  const fields = new URLSearchParams(location.hash.slice(1));
  await workbench.start();
  if (!fields.has('words')) await workbench.submit();
  await scores.offer();
  await training.start();
  // Absent on pages without https.
  await navigator.serviceWorker?.register('service-worker.js');
}

void start();
