/** The line that says how many sentences were found, how far a search is, and lets one stop it. */

import { button, element, type Child } from "./element";
import { formatCount, pluralise } from "./numbers";
import type { Progress } from "./scan";
import type { Summary } from "./summary";

export class Status {
  readonly bar = element("div", { class: "status" });
  private readonly line = element("p", { role: "status" });
  private readonly progress = element("progress", { max: 1, "aria-label": "Sentences searched", hidden: true });
  private readonly stop: HTMLButtonElement;

  constructor(
    private readonly summary: Summary,
    stop: () => void,
  ) {
    this.stop = button("Stop", stop, { class: "stop", hidden: true });
    this.bar.append(this.line, this.progress, this.stop);
  }

  running({ found, seen }: Progress): void {
    this.setRunning(true);
    this.progress.value = seen / Math.max(1, this.summary.sentences);
    this.say(`${formatCount(found.length)} found in the first ${formatCount(seen)} of ${pluralise(this.summary.sentences, "sentence")}`);
  }

  done({ found, seen }: Progress, remarks: string[]): void {
    this.setRunning(false);
    const { sentences, total } = this.summary;
    const stopped = seen < sentences;
    const what = stopped
      ? `Stopped: ${formatCount(found.length)} found in the first ${formatCount(seen)} of ${pluralise(sentences, "sentence")}`
      : `${formatCount(found.length)} of ${pluralise(sentences, "sentence")}`;
    const sample = sentences < total ? ` in this page; the corpus has ${formatCount(total)}` : "";
    this.say(`${what}${sample}.`, ...remarks.map((remark) => ` ${remark}`));
  }

  failed(problem: unknown): void {
    this.setRunning(false);
    const reason = problem instanceof Error ? problem.message : String(problem);
    this.say(`The sentences cannot be shown: ${reason}. The file may be incomplete, or the browser too old.`);
  }

  private setRunning(running: boolean): void {
    this.stop.hidden = !running;
    this.progress.hidden = !running;
  }

  private say(...words: Child[]): void {
    this.line.replaceChildren(...words.map((part) => element("span", {}, part)));
  }
}
