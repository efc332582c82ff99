import { openStore, type Store } from '../store.ts';

export interface TrainedModel {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly recipe: Recipe;
  /** LAS on held-out data, percent. */
  readonly las?: number | undefined;
}

/** How a model was trained: on the sample, the same recipe gives the same model again. */
export interface Recipe {
  readonly paradigm: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly isSample: boolean;
}

/**
 * The models that the page has trained; the browser keeps those that the user chooses (Cache API, only with https).
 * Playgrounds in other folders keep their own.
 */
export class TrainedModels {
  readonly all: TrainedModel[] = [];
  readonly kept = new Set<string>();
  private store: Store | undefined;
  private reserved: readonly string[] = [];

  /** Opens the models that were kept in an earlier session. */
  async open(): Promise<void> {
    this.store = await openStore(`parliament-own-models ${new URL('.', location.href).pathname}`);
    for (const key of (await this.store?.keys()) ?? []) {
      const response = (await this.store!.match(key))!;
      const about = aboutOf(response);
      if (about === undefined) continue;
      this.all.push({ ...about, bytes: new Uint8Array(await response.arrayBuffer()) });
      this.kept.add(about.name);
    }
  }

  /** Reserves names; models that were kept under one of them are renamed. */
  async reserve(names: readonly string[]): Promise<void> {
    this.reserved = names;
    for (const model of this.all.filter(({ name }) => names.includes(name))) {
      const renamed = { ...model, name: this.freeName(model.name) };
      this.add(renamed);
      await this.put(this.store!, renamed);
      this.remove(model.name);
    }
  }

  /** Returns the wanted name, with the first free number if it is taken. */
  freeName(wanted: string): string {
    const taken = [...this.reserved, ...this.all.map(({ name }) => name)];
    // A longer number is part of the name, such as a year.
    const base = wanted.replace(/-\d{1,2}$/, '');
    let name = wanted;
    for (let i = 2; taken.includes(name); i++) name = `${base}-${i}`;
    return name;
  }

  add(model: TrainedModel): void {
    this.remove(model.name);
    this.all.push(model);
  }

  remove(name: string): void {
    const place = this.all.findIndex((model) => model.name === name);
    if (place >= 0) this.all.splice(place, 1);
    if (this.kept.delete(name)) void this.store?.delete(keyOf(name));
  }

  /**
   * Keeps a model for later sessions, unless it is removed meanwhile; throws if the browser does not allow it, and if
   * another tab has kept one of this name.
   */
  async keep(model: TrainedModel): Promise<void> {
    if (this.store === undefined)
      throw new Error('browsers keep models only for pages with https that may store data');
    const { name } = model;
    const other = this.kept.has(name) ? undefined : await this.store.match(keyOf(name));
    if (other !== undefined && aboutOf(other) !== undefined)
      throw new Error(
        `another tab has kept a model called ${name}: download this one, or train it under another name`,
      );
    await this.put(this.store, model);
  }

  private async put(store: Store, model: TrainedModel): Promise<void> {
    const { bytes, ...about } = model;
    const key = keyOf(model.name);
    const headers = { 'x-about': encodeURIComponent(JSON.stringify(about)) };
    await store.put(key, new Response(bytes, { headers }));
    if (this.all.includes(model)) this.kept.add(model.name);
    else await store.delete(key);
  }

  /** Returns fields of an address from which models that were trained on the sample can be trained again. */
  recipes(models: readonly string[]): (readonly [string, string])[] {
    return this.all
      .filter(({ name, recipe }) => recipe.isSample && models.includes(name))
      .map(({ name, recipe }) => ['trained', JSON.stringify([name, recipe.paradigm, recipe.options])]);
  }
}

/** What is known about a kept model; undefined if it cannot be read. */
function aboutOf({ headers }: Response): Omit<TrainedModel, 'bytes'> | undefined {
  try {
    return JSON.parse(decodeURIComponent(headers.get('x-about') ?? ''));
  } catch {
    return undefined;
  }
}

const keyOf = (name: string) => `own-models/${encodeURIComponent(name)}`;
