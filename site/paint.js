// The painter from the main thread: promises, and a new worker when one dies.

/**
 * @typedef {import('./engine.js').Assets} Assets
 * @typedef {import('./painter.js').How} How
 * @typedef {import('./painter.js').Drawn} Drawn
 * @typedef {import('./painter.js').Face} Face
 */

export class Painter {
  /** @type {Promise<Worker> | null} */
  #worker = null;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (reason: Error) => void}>} */
  #open = new Map();
  #last = 0;
  #assets;

  /** @param {Assets} assets */
  constructor(assets) {
    this.#assets = assets;
  }

  /** Starts the worker ahead of need. */
  warm() {
    return this.#start();
  }

  /** @param {Uint8Array<ArrayBuffer>} option  of the engine, handed over for good @param {How} how @returns {Promise<Drawn>} */
  draw(option, how) {
    return this.#ask({ op: 'draw', option, how }, option);
  }

  /**
   * A whole SVG document.
   * @param {Uint8Array<ArrayBuffer>} option  handed over for good @param {number} width @param {number} height @param {string} title @param {string} description
   * @param {import('./painter.js').Touched} touched
   * @returns {Promise<string>}
   */
  svg(option, width, height, title, description, touched) {
    return this.#ask({ op: 'svg', option, width, height, title, description, touched }, option);
  }

  /** @param {object} message @param {Uint8Array<ArrayBuffer>} option @returns {Promise<any>} */
  async #ask(message, option) {
    const worker = await this.#start();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      worker.postMessage({ id, ...message }, [option.buffer]);
    });
  }

  #start() {
    this.#worker ??= (async () => {
      const worker = new Worker(await this.#assets.script('painter'));
      worker.onmessage = ({ data }) => {
        const open = this.#open.get(data.id);
        this.#open.delete(data.id);
        if (data.error) open?.reject(new Error(data.error));
        else open?.resolve(data.result);
      };
      worker.onerror = (e) => {
        this.#worker = null;
        worker.terminate();
        for (const open of this.#open.values()) open.reject(new Error(e.message || 'its worker stopped'));
        this.#open.clear();
      };
      worker.postMessage({ op: 'start', faces: faces(), font: getComputedStyle(document.body).fontFamily });
      return worker;
    })();
    this.#worker.catch(() => { this.#worker = null; });
    return this.#worker;
  }
}

/** The fonts of the page, which a worker doesn't share. @returns {Face[]} */
function faces() {
  const rules = [...document.styleSheets].filter((s) => s.ownerNode instanceof HTMLElement && s.ownerNode.matches('head > *')).flatMap((s) => [...s.cssRules]);
  return rules.filter((r) => r instanceof CSSFontFaceRule && r.style.getPropertyValue('src').includes('url(')).map((r) => /** @type {CSSFontFaceRule} */ (r)).map(({ style }) => ({
    family: style.getPropertyValue('font-family'), source: style.getPropertyValue('src'), weight: style.getPropertyValue('font-weight'), style: style.getPropertyValue('font-style'), unicodeRange: style.getPropertyValue('unicode-range'),
  }));
}
