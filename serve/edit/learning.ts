import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, UsageError } from '../../src/errors.ts';
import type { Learning as LearningInPage } from '../../src/report/workbench/backend.ts';
import { TaskPool } from '../../src/threads/worker-pool.ts';
import { RequestError } from '../http/errors.ts';
import { findModel, type NamedFile, type ServedModel } from '../tasks/served-models.ts';
import type { EditFolder } from './edit-folder.ts';
import type { LearningResult, LearnTask } from './learn.ts';

/** The state of the training that was started last. */
export interface LearningState extends LearningInPage {
  readonly model?: string;
  readonly file?: string;
  readonly scores?: LearningResult;
}

interface LearningHooks {
  readonly models: () => readonly ServedModel[];
  readonly serve: (model: NamedFile) => Promise<void>;
  readonly onFault: (error: Error) => void;
}

/** Trains served models further on the files of a folder, one at a time, in a thread. New models are saved there. */
export class Learning {
  state: LearningState = { state: 'none' };
  private pool: TaskPool | undefined;
  private isEnded = false;

  /** @param threads 1: trains in this thread */
  constructor(
    private readonly folder: EditFolder,
    private readonly hooks: LearningHooks,
    private readonly threads = 2,
  ) {}

  /** Starts a training; throws `RequestError` while another one is running, and for an unknown model or file. */
  async begin(name: string, file: string): Promise<void> {
    if (this.state.state === 'running')
      throw new RequestError('a model is learning already: wait for it', 409);
    const model = findModel(this.hooks.models(), name);
    if (model.kind === 'vote') throw new RequestError(`${name} is a vote: train its members one by one`);
    const before = this.state;
    this.state = { state: 'running', model: model.name, file, share: 0 };
    try {
      const { text } = await this.folder.read(file);
      const learnt = this.newName(model.name);
      const output = join(this.folder.path, `${learnt}.model`);
      const task = { model: model.copy, file, text, output };
      void this.learn(task, learnt);
    } catch (error) {
      this.state = before;
      throw error;
    }
  }

  /** Ends the thread; a training that is running is lost. */
  async end(): Promise<void> {
    this.isEnded = true;
    await this.pool?.end();
  }

  private async learn(task: LearnTask, learnt: string): Promise<void> {
    const begun = this.state;
    const pool = new TaskPool(this.threads);
    this.pool = pool;
    try {
      const kind = {
        module: new URL('./learn.js', import.meta.url),
        run: async (...given: Parameters<typeof import('./learn.ts').run>) =>
          (await import('./learn.ts')).run(...given),
      };
      const scores = await pool.run(kind, task, (share) => {
        this.state = { ...begun, share };
      });
      await this.hooks.serve({ name: learnt, file: task.output });
      this.state = { ...begun, state: 'done', share: 1, learnt, scores };
    } catch (error) {
      // The thread has been ended with the service, which is no fault.
      if (this.isEnded) return;
      const isKnown = error instanceof InputError || error instanceof UsageError;
      if (!isKnown) this.hooks.onFault(error as Error);
      const problem = isKnown ? (error as Error).message : 'a fault in the service: nothing has been learnt';
      this.state = { ...begun, state: 'failed', problem };
    } finally {
      await pool.end();
    }
  }

  /** Returns `english-2`, or the first number that is free. */
  private newName(name: string): string {
    // A longer number is part of the name, such as a year.
    const base = name.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/-\d{1,2}$/, '');
    const names = this.hooks.models().map((model) => model.name);
    for (let number = 2; ; number++) {
      const learnt = `${base}-${number}`;
      if (!names.includes(learnt) && !existsSync(join(this.folder.path, `${learnt}.model`))) return learnt;
    }
  }
}
