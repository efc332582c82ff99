import { releaseText, type WorkerRecord } from '../../../experiment/queue/protocol.ts';
import { textTable } from '../../../src/report/tables/table.ts';
import { count, duration, fileSize, plural, print, printJson, printText } from '../../terminal/output.ts';

/** Who works on the cells in a queue, and how far that is: for reading, or with the format `json` for programs. */
export async function showStatus(queue: string, format: string): Promise<void> {
  const { queueServer } = await import('../../../experiment/queue/server.ts');
  const { queueStatus } = await import('../../../experiment/queue/registry.ts');
  const status = await queueStatus(queueServer(queue));
  if (format === 'json') return printJson(status);
  const { release, workers, waiting, active, failed, rate, left } = status;
  print(`Cells for version ${releaseText(release)}: ${count(waiting)} waiting, ${count(active)} at work`);
  if (failed > 0) print(`Failed three times: ${count(failed)}`);
  if (rate !== undefined) {
    print(`Done lately: ${rate.toFixed(1)} a minute; time left: ${duration(left!)}`);
  }
  const own = workers.filter(({ code }) => code === release.code).length;
  const others =
    workers.length === own ? '' : `; and ${count(workers.length - own)} of other versions, for other cells`;
  print(`Workers: ${plural(own, 'worker')}${others}`);
  if (workers.length > 0) printText('\n', textTable(workerTable(workers)));
}

function workerTable(workers: readonly WorkerRecord[]) {
  const titles = ['machine', 'process', 'version', 'at work', 'done', 'failed', 'memory', 'since'];
  const columns = titles.map((title) => ({ key: title, title }));
  const rows = workers.map(({ host, process, version, code, running, jobs, ...worker }) => [
    ...[host, String(process), releaseText({ version, code }), `${running} of ${jobs}`],
    ...[count(worker.done), count(worker.failed), fileSize(worker.memory)],
    new Date(worker.since).toISOString().slice(0, 16).replace('T', ' '),
  ]);
  return { columns, rows };
}
