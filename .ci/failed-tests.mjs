// Prints the failed tests of a vitest JSON report, each with the beginning of why.
import { readFileSync } from 'node:fs';

const LINES = 12;
const beginning = (text) => text.split('\n').slice(0, LINES).join('\n');

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { name, message, assertionResults } of testResults) {
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  for (const { fullName, failureMessages } of failed) {
    console.log(`${name} > ${fullName}\n${beginning(failureMessages.join('\n'))}`);
  }
  if (failed.length === 0 && message) console.log(`${name}\n${beginning(message)}`);
}
