// The search of the site works in a Worker, which browsers refuse to a page that is opened from disk.
// There, a hidden frame does the same: it runs the script, and exchanges copies of messages with the page.
"use strict";

class FrameWorker extends EventTarget {
  constructor(address) {
    super();
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    document.body.append(this.frame);
    this.frame.contentWindow.postMessage = (data) => this.dispatchEvent(copy(MessageEvent, data));
    this.loaded = new Promise((resolve, reject) => {
      const script = this.frame.contentDocument.createElement("script");
      Object.assign(script, { src: address, onload: resolve, onerror: reject });
      this.frame.contentDocument.body.append(script);
    });
  }

  async postMessage(data) {
    await this.loaded;
    this.frame.contentWindow.dispatchEvent(copy(this.frame.contentWindow.MessageEvent, data));
  }

  terminate() {
    this.frame.remove();
  }
}

function copy(Event, data) {
  return new Event("message", { data: structuredClone(data) });
}

if (location.protocol === "file:") window.Worker = FrameWorker;
