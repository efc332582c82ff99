/** The worker of `parliament/web`: it holds a model, and answers one call at a time. */
import { answerCalls, calls } from './calls.ts';

answerCalls(calls);
