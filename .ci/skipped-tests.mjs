// Prints the skipped tests of a vitest JSON report, a line each; with `--unexcused`, only those that need none of
// the things named after it (`skipped-tests.mjs REPORT --unexcused chromium ../shared`), which are missing here.
import { readFileSync } from 'node:fs';

const [report, mode, ...missing] = process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
const excuses = missing.map((thing) => `(needs ${thing})`);
for (const { name, assertionResults } of testResults) {
  for (const { fullName, status } of assertionResults) {
    if (status === 'passed' || status === 'failed') continue;
    const isExcused = excuses.some((excuse) => fullName.includes(excuse));
    if (mode !== '--unexcused' || !isExcused) console.log(`${name} > ${fullName}`);
  }
}
