import type { z } from 'zod';

export type Issue = z.core.$ZodIssue;

/** One line about a refused value: `rows[2].options.bits: expected number to be >=10`. */
export function describeIssue(issue: Issue): string {
  const { path, problem } = describe(issue);
  return path.length === 0 ? problem : `${pathText(path)}: ${problem}`;
}

/** The issue to report: an unknown key first, as it may explain keys that seem missing. */
export const worstIssue = (issues: readonly Issue[]): Issue =>
  issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];

/** `rows[2].options.distance`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

function describe(issue: Issue): { path: PropertyKey[]; problem: string } {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return describeUnion(issue);
  return { path: issue.path, problem: problemOf(issue) };
}

/** Describes the problem of the alternative that the user probably meant: the one that was followed furthest. */
function describeUnion({ path, errors }: z.core.$ZodIssueInvalidUnion): ReturnType<typeof describe> {
  const depth = (issues: readonly Issue[]) =>
    Math.max(...issues.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)));
  const meant = errors.reduce((best, issues) => (depth(issues) > depth(best) ? issues : best));
  const inner = describe(worstIssue(meant));
  const problem =
    depth(meant) > 0 ? inner.problem : errors.map((issues) => problemOf(issues[0])).join(' or ');
  return { path: [...path, ...inner.path], problem };
}

function problemOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `expected one of ${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return `unknown key ${issue.keys.map((key) => `“${key}”`).join(', ')}`;
    case 'invalid_type':
      return issue.message
        .replace(/^Invalid input: /, '')
        .replace(/, received undefined$/, ', but it is missing');
    default:
      // “Too small: expected number to be >=1”
      return issue.message.replace(/^[A-Z][a-z ]+: /, '');
  }
}
