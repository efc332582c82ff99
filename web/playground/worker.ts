/** The playground's worker. */
import { answerCalls } from '../answer-calls.ts';
import { playgroundCalls } from './worker-calls.ts';

answerCalls(playgroundCalls);
