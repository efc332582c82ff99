/** Votes over trees and models: weights, methods, ensembles and their analysis. */

export { type MethodName, methodNames, type WeightingName, weightingNames } from '../combine/names.ts';
export {
  type Ballots,
  type EnsembleSize,
  type ExplainedMember,
  type ExplainOptions,
  type Explanation,
  explainVote,
  type NonProjectivity,
  type Overruling,
  type VotedScores,
  type WeightsFor,
} from '../combine/vote/analysis/explain.ts';
export type { SmallerEnsemble } from '../combine/vote/analysis/search.ts';
export {
  type EnsembleChoice,
  type SearchOptions,
  type SearchReport,
  type SearchResult,
  type SearchStep,
  searchAndReport,
  searchEnsemble,
} from '../combine/vote/analysis/search.ts';
export type { Ballot, GoldBallot, GoldFile, MemberTree } from '../combine/vote/ballots.ts';
export { goldBallot } from '../combine/vote/ballots.ts';
export type { EnsembleMember, EnsembleOptions } from '../combine/vote/ensemble.ts';
export { Ensemble, ensembleOf, makeEnsemble } from '../combine/vote/ensemble.ts';
export type { VotedFileOptions, VoteFigures } from '../combine/vote/files/vote-files.ts';
export {
  type CrossValidatedVoteFigures,
  type CrossValidatedVoteOptions,
  type FileOptions,
  readAnswers,
  readGoldBallots,
  type VoteFilesOptions,
  voteCrossValidated,
  voteFiles,
} from '../combine/vote/files/vote-files.ts';
export type { Counting, Poll } from '../combine/vote/poll.ts';
export type { Electorate } from '../combine/vote/preference.ts';
export type { Scores, VoteComparison } from '../combine/vote/scores.ts';
export { type Decision, Vote, type VoteOptions } from '../combine/vote/vote.ts';
export type { SentenceAnswers } from '../combine/vote/weights/agreement-weighting.ts';
export { AgreementWeighting } from '../combine/vote/weights/agreement-weighting.ts';
export { learnAgreement, MemberAnswers } from '../combine/vote/weights/learn-agreement.ts';
export { defaultWeightingName, learnWeighting } from '../combine/vote/weights/learn-weighting.ts';
export type {
  AgreementModel,
  ArcModel,
  MemberWeights,
  Paradigms,
  Weighting,
  WeightingData,
} from '../combine/vote/weights/weighting.ts';
export { equalWeighting, givenWeighting, paradigmWeighting } from '../combine/vote/weights/weighting.ts';
