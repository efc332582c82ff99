/** The script of the playground: the workbench over workers of the page, and training. */
import { Workbench } from '../../src/report/workbench/workbench.ts';
import { WorkerModels } from './worker-models.ts';

const models = new WorkerModels();
const workbench = new Workbench(models);

async function start(): Promise<void> {
  const isFresh = location.hash === '';
  await workbench.start();
  if (isFresh) await workbench.parse();
  // Absent on pages without https.
  await navigator.serviceWorker?.register('service-worker.js');
}

void start();
