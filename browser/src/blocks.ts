/** Blocks of sentences, unpacked when they are needed; the least recently used are forgotten, so that memory stays small. */

import { gunzip } from "./gunzip";
import type { Sentence } from "./sentence";

const KEPT = 20;

export class Blocks {
  /** The position of the first sentence of each block, and the end. */
  readonly starts: number[];
  private readonly unpacked = new Map<number, Promise<Sentence[]>>();

  constructor(sizes: number[]) {
    this.starts = [0];
    for (const size of sizes) this.starts.push((this.starts.at(-1) ?? 0) + size);
  }

  get count(): number {
    return this.starts.length - 1;
  }

  load(block: number): Promise<Sentence[]> {
    const loaded = this.unpacked.get(block) ?? this.unpack(block);
    this.unpacked.delete(block);
    this.unpacked.set(block, loaded);
    const [oldest] = this.unpacked.keys();
    if (this.unpacked.size > KEPT && oldest !== undefined) this.unpacked.delete(oldest);
    return loaded;
  }

  /** The sentence at a position of the page. */
  async sentence(position: number): Promise<Sentence> {
    const block = this.starts.findLastIndex((start) => start <= position);
    const sentence = (await this.load(block))[position - (this.starts[block] ?? 0)];
    if (sentence === undefined) throw new Error(`expected a sentence at position ${position}, found none`);
    return sentence;
  }

  private async unpack(block: number): Promise<Sentence[]> {
    const sentences = (await (await gunzip(`block-${block}`)).json()) as Sentence[];
    const expected = (this.starts[block + 1] ?? 0) - (this.starts[block] ?? 0);
    if (sentences.length !== expected) throw new Error(`expected ${expected} sentences in block ${block}, found ${sentences.length}`);
    return sentences;
  }
}
