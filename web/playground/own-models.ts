/** A model that the page has trained. */
export interface OwnModel {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly recipe: Recipe;
  /** LAS on held-out data, percent. */
  readonly las?: number | undefined;
}

/** How a model was made: with the sample, the same recipe gives the same bytes again. */
export interface Recipe {
  readonly paradigm: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly isSample: boolean;
}

/** The models that the page has trained; some of them kept by the browser (Cache API, on pages with https). */
export class OwnModels {
  readonly all: OwnModel[] = [];
  readonly kept = new Set<string>();
  private store: Cache | undefined;

  /** Opens those that were kept on an earlier visit. */
  async open(): Promise<void> {
    this.store = await globalThis.caches?.open('parliament-own-models');
    for (const key of (await this.store?.keys()) ?? []) {
      const response = (await this.store!.match(key))!;
      const about = JSON.parse(decodeURIComponent(response.headers.get('x-about') ?? '')) as OwnModel;
      this.all.push({ ...about, bytes: new Uint8Array(await response.arrayBuffer()) });
      this.kept.add(about.name);
    }
  }

  add(model: OwnModel): void {
    this.remove(model.name);
    this.all.push(model);
  }

  remove(name: string): void {
    const place = this.all.findIndex((model) => model.name === name);
    if (place >= 0) this.all.splice(place, 1);
    if (this.kept.delete(name)) void this.store?.delete(keyOf(name));
  }

  /** Throws where the browser keeps nothing. */
  async keep({ bytes, ...about }: OwnModel): Promise<void> {
    if (this.store === undefined) throw new Error('this browser keeps no models for pages without https');
    const headers = { 'x-about': encodeURIComponent(JSON.stringify(about)) };
    await this.store.put(keyOf(about.name), new Response(bytes, { headers }));
    this.kept.add(about.name);
  }

  /** Fields of an address that make models of the sample again. */
  recipes(models: readonly string[]): (readonly [string, string])[] {
    return this.all
      .filter(({ name, recipe }) => recipe.isSample && models.includes(name))
      .map(({ name, recipe }) => ['trained', JSON.stringify([name, recipe.paradigm, recipe.options])]);
  }
}

const keyOf = (name: string) => `own-models/${encodeURIComponent(name)}`;
