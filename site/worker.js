'use strict';
// A Worker for pages that are opened from files, where browsers have none: the search of
// the theme runs its script in a hidden frame then.
if (location.protocol === 'file:') {
  // What the script finds in the frame: messages go to the page as events of the frame's
  // element, and scripts load one after the other.
  const within = `
    self.postMessage = data =>
      frameElement.dispatchEvent(new parent.MessageEvent('message', {data}));
    self.importScripts = (...urls) => urls.reduce((before, url) => before.then(() =>
      new Promise((resolve, reject) => document.body.appendChild(Object.assign(
        document.createElement('script'), {src: url, onload: resolve, onerror: reject})))),
      Promise.resolve());`;

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement('iframe');
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      this.frame.addEventListener('message', ({data}) => {
        const event = new MessageEvent('message', {data});
        this.dispatchEvent(event);
        if (this.onmessage)
          this.onmessage(event);
      });
      const inside = this.frame.contentWindow.document;
      inside.open();
      inside.write(`<body><script>${within}</script><script src="${url}"></script></body>`);
      inside.close();
      this.ready = new Promise(resolve => {
        this.frame.contentWindow.addEventListener('load', resolve);
      });
    }

    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(
        new MessageEvent('message', {data})));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
