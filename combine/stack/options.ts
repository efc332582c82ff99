import { z } from 'zod';
import { DEFAULT_FOLDS } from '../../annotators/jackknife/fold.ts';
import type { Paradigm } from '../../parsers/parser.ts';
import { findParadigm } from '../../parsers/registry.ts';
import { MOST_GUIDES } from '../../src/encoding/guides.ts';
import { OptionError } from '../../src/errors.ts';
import { checkedOptions, whole } from '../../src/training/options.ts';

/** A parser to train: its paradigm, and options. */
export const parserSchema = z.strictObject({
  parser: z.string(),
  options: z.record(z.string(), z.unknown()).default({}),
});

export const stackingOptions = z.strictObject({
  guides: z.array(parserSchema).max(MOST_GUIDES, `expected at most ${MOST_GUIDES}`).default([]),
  folds: whole(2, 1000)
    .optional()
    .describe(
      `with guides: number of folds, each parsed by guides trained on the others (default: ${DEFAULT_FOLDS})`,
    ),
});
export type StackingOptions = z.input<typeof stackingOptions>;

export interface PlannedGuide {
  readonly paradigm: Paradigm;
  readonly options: object;
}

/** Checks the options before anything is trained; throws `UsageError` for unknown or impossible ones. */
export async function guidesOf(paradigm: Paradigm, given: StackingOptions) {
  const asked = checkedOptions({ name: 'stacking', options: stackingOptions }, given);
  const { guides, folds = DEFAULT_FOLDS } = asked;
  if (guides.length === 0 && asked.folds !== undefined)
    throw new OptionError((option) => `${option('folds', asked.folds)} goes with ${option('guide')}`);
  if (guides.length > 0 && !paradigm.takesGuides)
    throw new OptionError((option) => `${option('guide')}: ${paradigm.name} takes no guides`);
  return { guides: await Promise.all(guides.map(plannedGuide)), folds };
}

async function plannedGuide({ parser, options }: z.infer<typeof parserSchema>): Promise<PlannedGuide> {
  const paradigm = await findParadigm(parser);
  if (paradigm.needsPhrases) {
    throw new OptionError(
      (option) => `${option('guide', parser)} learns from brackets, not from dependencies`,
    );
  }
  const checked = checkedOptions(paradigm, options) as object;
  if (paradigm.needsHeldOut?.(checked)) {
    throw new OptionError(
      (option) => `${option('guide', parser)}: guides have no held-out data to choose their epochs by`,
    );
  }
  return { paradigm, options: checked };
}
