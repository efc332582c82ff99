import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { readBatch } from '../src/treebank/reading/read-batch.ts';
import type { Sentence } from '../src/treebank/sentence.ts';

/** Rows, at least, of a row group but the last. */
const ROW_GROUP = 1 << 17;

/** Columns of words, named as in CoNLL-U, and where `Sentence` has them. */
const wordColumns = {
  form: 'forms',
  lemma: 'lemmas',
  upos: 'upos',
  xpos: 'xpos',
  feats: 'feats',
  deprel: 'labels',
  deps: 'deps',
  misc: 'misc',
} as const;
const names = Object.keys(wordColumns) as (keyof typeof wordColumns)[];

/** Writes CoNLL-U as Parquet: a row for each word, with the names of its document and sentence. */
export class ParquetOutput {
  private readonly writer = new ByteWriter();
  private readonly file = new ParquetWriter({
    writer: this.writer,
    schema: schemaFromColumnData({ columnData: new Rows().columns }),
  });
  private rows = new Rows();

  /** `document` names the document that goes on from before. */
  constructor(private document: string) {}

  write(text: string): void {
    for (const sentence of readBatch({ file: '', line: 1, text }, { format: 'conllu', expect: 'tokens' })) {
      const comments = sentence.source!.text;
      const [, document] = /^# ?newdoc id = (.*)$/m.exec(comments) ?? [];
      const [, written = ''] = /^# ?text = (.*)$/m.exec(comments) ?? [];
      this.document = document ?? this.document;
      this.rows.add(sentence, this.document, written);
    }
    if (this.rows.count >= ROW_GROUP) this.flush();
  }

  finish(): Uint8Array {
    this.flush();
    this.file.finish();
    return this.writer.getBytes();
  }

  private flush(): void {
    if (this.rows.count > 0)
      this.file.write({ columnData: this.rows.columns, rowGroupSize: this.rows.count });
    this.rows = new Rows();
  }
}

class Rows {
  private readonly texts = new Map<string, string[]>(
    ['document', 'sentence', 'text', ...names].map((name) => [name, []]),
  );
  private readonly ids: number[] = [];
  private readonly heads: (number | null)[] = [];

  get count(): number {
    return this.ids.length;
  }

  get columns(): ColumnSource[] {
    const text = (name: string) => ({
      name,
      data: this.texts.get(name)!,
      type: 'STRING' as const,
      nullable: false,
    });
    const id = { name: 'id', data: this.ids, type: 'INT32' as const, nullable: false };
    const head = { name: 'head', data: this.heads, type: 'INT32' as const, nullable: true };
    const [document, sentence, written, ...words] = [...this.texts.keys()].map(text);
    const before = words.findIndex(({ name }) => name === 'deprel');
    return [document!, sentence!, written!, id, ...words.slice(0, before), head, ...words.slice(before)];
  }

  add(sentence: Sentence, document: string, text: string): void {
    const { length, heads, id = '' } = sentence;
    for (let d = 1; d <= length; d++) {
      this.texts.get('document')!.push(document);
      this.texts.get('sentence')!.push(id);
      this.texts.get('text')!.push(text);
      this.ids.push(d);
      this.heads.push(heads[d]! < 0 ? null : heads[d]!);
    }
    for (const name of names) {
      const column = this.texts.get(name)!;
      const values = sentence[wordColumns[name]];
      for (let d = 1; d <= length; d++) column.push(values[d]!);
    }
  }
}
