/** The worker of the playground. */
import { answerCalls } from '../calls.ts';
import { playgroundCalls } from './worker-calls.ts';

answerCalls(playgroundCalls);
