import { LearntWeights } from './arc-model-weights.ts';
import { MemberWeights } from './member-weights.ts';
import type { Weighting, WeightingData } from './weighting.ts';

export function weightingOf(data: WeightingData): Weighting {
  return data.kind === 'members'
    ? new MemberWeights(data.table, data.members)
    : new LearntWeights(data.model);
}
