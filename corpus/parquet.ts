import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { commentIn, documentIn } from '../src/treebank/columns/comments.ts';
import { readBatch } from '../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../src/treebank/sentence.ts';

/** Minimum number of rows in a row group, except the last. */
const ROW_GROUP = 1 << 17;
const strings = ['document', 'sentence', 'text'] as const;
const words = ['form', 'lemma', 'upos', 'xpos', 'feats', 'deprel', 'deps', 'misc'] as const;

/** Writes CoNLL-U as Parquet: one row per word, with the names of its document and sentence. */
export class ParquetOutput {
  private readonly writer = new ByteWriter();
  private rows = new Rows();
  private sentences = 0;
  private readonly file = new ParquetWriter({
    writer: this.writer,
    schema: schemaFromColumnData({ columnData: this.rows.columns }),
  });

  /**
   * @param shard its number, for the names of sentences without a `sent_id`
   * @param document the name of the first document, unless it begins in the shard
   */
  constructor(
    private readonly shard: number,
    private document: string,
  ) {}

  /** @param file the name of documents that begin here without one of their own */
  write(text: string, file: string): void {
    for (const sentence of readBatch({ file: '', line: 1, text }, { format: 'conllu', expect: 'tokens' })) {
      const comments = sentence.source!.text;
      const begun = documentIn(comments);
      if (begun !== undefined) this.document = begun || file;
      const id = sentence.id || `${this.shard}-${this.sentences + 1}`;
      this.rows.add(sentence, [this.document, id, commentIn(comments, 'text') ?? '']);
      this.sentences++;
    }
    if (this.rows.count >= ROW_GROUP) this.flush();
  }

  finish(): Uint8Array {
    this.flush();
    this.file.finish();
    return this.writer.getBytes();
  }

  private flush(): void {
    const { count, columns } = this.rows;
    if (count > 0) this.file.write({ columnData: columns, rowGroupSize: count });
    this.rows = new Rows();
  }
}

class Rows {
  private readonly ids: number[] = [];
  private readonly heads: (number | null)[] = [];
  private readonly texts = strings.map(() => [] as string[]);
  private readonly values = words.map(() => [] as string[]);

  get count(): number {
    return this.ids.length;
  }

  get columns(): ColumnSource[] {
    const text = (name: string, data: string[]) => ({ name, data, type: 'STRING' as const, nullable: false });
    return [
      ...strings.map((name, i) => text(name, this.texts[i])),
      { name: 'id', data: this.ids, type: 'INT32', nullable: false },
      ...words.map((name, i) => text(name, this.values[i])),
      { name: 'head', data: this.heads, type: 'INT32', nullable: true },
    ];
  }

  add(sentence: Sentence, texts: readonly [document: string, id: string, text: string]): void {
    const { length, heads, forms, lemmas, upos, xpos, feats, labels, deps, misc } = sentence;
    for (let d = 1; d <= length; d++) {
      this.ids.push(d);
      this.heads.push(heads[d] < 0 ? null : heads[d]);
    }
    for (const [i, text] of texts.entries()) for (let d = 1; d <= length; d++) this.texts[i].push(text);
    for (const [i, column] of [forms, lemmas, upos, xpos, feats, labels, deps, misc].entries())
      for (let d = 1; d <= length; d++) this.values[i].push(column[d]);
  }
}
