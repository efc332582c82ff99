import type { ExplainedToken } from '../../explain/shared.ts';
import type { StepsExplanation, TransitionStep } from '../../explain/steps.ts';
import { type ColumnOf, figures, type TitledTable, tableOf, text } from '../tables/table.ts';
import { decisionTables, type ExplanationSection, liftedLine, shownScore, weights } from './section.ts';

const SHOWN = 4;

export function stepsSections(explained: StepsExplanation): ExplanationSection[] {
  const lines = [...summary(explained), ...liftedLine(explained)];
  const steps = { title: 'Steps', lines, tables: [stepTable(explained)] };
  return [steps, ...beamSection(explained), ...decisionSection(explained)];
}

function summary(explained: StepsExplanation): string[] {
  const { steps, goldLostAt } = explained;
  const hasBeam = explained.paradigm === 'transition' && explained.beam > 0;
  const how = hasBeam ? 'The gold tree falls out of the beam' : 'The actions first differ from the oracle’s';
  const lost = goldLostAt === undefined ? [] : [`${how} at step ${goldLostAt}.`];
  if (explained.paradigm === 'yamada-matsumoto')
    return [`Built in ${steps.length} steps; the two adjacent trees in focus are in brackets.`, ...lost];
  const { system, direction, beam, score, isGoldBuildable } = explained;
  const search = beam === 0 ? 'the best action each time, then its label' : `a beam of ${beam}`;
  const impossible = isGoldBuildable === false ? ['The system cannot build the gold tree.'] : [];
  return [
    `Built in ${steps.length} steps by ${system}, ${direction}: ${search}. Total score ${shownScore(score)}.`,
    ...lost,
    ...impossible,
  ];
}

export type Step = StepsExplanation['steps'][number];

function stepTable({ steps, tokens }: StepsExplanation): TitledTable {
  const numbered = steps.map((step, i) => ({ number: i + 1, step }));
  const columns: ColumnOf<{ number: number; step: Step }>[] = [
    [figures('step', 'step', 0), ({ number }) => number],
    [text('configuration'), ({ step }) => configurationText(step, tokens)],
    [text('action'), ({ step }) => transitionText(step)],
    [weights('margin', 'margin'), ({ step }) => step.margin],
    [text('others', 'next best'), ({ step }) => othersText(step)],
  ];
  if (steps.some(({ oracle }) => oracle !== undefined)) {
    columns.push([
      text('oracle'),
      ({ step }) => {
        if (step.oracle === undefined) return null;
        const right = transitionText(step.oracle);
        return right === transitionText(step) ? '✓' : `✗ ${right}`;
      },
    ]);
  }
  return { title: 'Every step', table: tableOf(numbered, columns), notes: [] };
}

/** `… the cat | sat on …` for stack and buffer, or `[the cat] sat` for a row with its focus. */
function configurationText(step: Step, tokens: readonly ExplainedToken[]): string {
  const word = (d: number) => (d === 0 ? '(root)' : tokens[d].form);
  if ('row' in step) {
    const { row, focus } = step;
    const before = row.slice(Math.max(0, focus - SHOWN), focus).map(word);
    const pair = row.slice(focus, focus + 2).map(word);
    const after = row.slice(focus + 2, focus + 2 + SHOWN).map(word);
    const more = [focus > SHOWN ? '… ' : '', row.length > focus + 2 + SHOWN ? ' …' : ''];
    return `${more[0]}${[...before, `[${pair.join(' ')}]`, ...after].join(' ')}${more[1]}`;
  }
  const { stack, buffer } = step;
  const top = stack.slice(-SHOWN).map(word);
  const next = buffer.slice(0, SHOWN).map(word);
  const more = [stack.length > SHOWN ? '… ' : '', buffer.length > SHOWN ? ' …' : ''];
  return `${more[0]}${top.join(' ')} | ${next.join(' ')}${more[1]}`;
}

export const transitionText = ({ action, label }: { action: string; label?: string | undefined }): string =>
  label === undefined ? action : `${action} ${label}`;

function othersText(step: Step): string {
  return step.actions
    .filter(({ action }) => action !== step.action)
    .slice(0, 2)
    .map(transitionText)
    .join(', ');
}

function beamSection(explained: StepsExplanation): ExplanationSection[] {
  if (explained.paradigm !== 'transition' || explained.beam === 0) return [];
  const place = (beam: NonNullable<TransitionStep['beam']>, which: 'isBest' | 'isGold') => {
    const found = beam.findIndex((one) => one[which]);
    return found === -1 ? null : found + 1;
  };
  const rows = explained.steps.map(({ beam = [] }, i) => ({ number: i + 1, beam }));
  const table = tableOf(rows, [
    [figures('step', 'step', 0), ({ number }) => number],
    [figures('size', 'in the beam', 0), ({ beam }) => beam.length],
    [weights('best', 'best score'), ({ beam }) => beam[0]?.score ?? null],
    [weights('worst', 'worst score'), ({ beam }) => beam.at(-1)?.score ?? null],
    [figures('found', 'rank of the tree found', 0), ({ beam }) => place(beam, 'isBest')],
    [figures('gold', 'rank of the gold tree', 0), ({ beam }) => place(beam, 'isGold')],
  ]);
  const tables = [{ title: 'The beam after each step', table, notes: [] }];
  return [{ title: 'The beam', lines: [], tables }];
}

function decisionSection({ decision, tokens, steps }: StepsExplanation): ExplanationSection[] {
  if (decision === undefined) return [];
  const label =
    'label' in decision && decision.label !== undefined ? decisionTables('Label', decision.label) : [];
  const lines = [configurationText(steps[decision.step - 1], tokens)];
  const tables = [...decisionTables('Action', decision.action), ...label];
  return [{ title: `Step ${decision.step}`, lines, tables }];
}
