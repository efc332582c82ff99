/** The worker of a page: it does one call at a time, on the model that it holds. */
import { answerCalls } from './answer-calls.ts';
import { calls } from './calls.ts';

answerCalls(calls);
