// Large JSON is parsed in parts, between which the page does what else there is to do.

const decoder = new TextDecoder();

/** Lets other work in; a MessageChannel is not clamped as timers are. */
export function yielded() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}

/**
 * Parses JSON without spaces, as the engine writes it. What is larger than a part must be an object; its lists are parsed some elements
 * at a time.
 * @param {Uint8Array} bytes @param {number} [part] bytes that are parsed in one go: a few milliseconds
 * @returns {Promise<any>}
 */
export async function parse(bytes, part = 256 << 10) {
  const value = (/** @type {number} */ from, /** @type {number} */ to, around = ['', '']) => JSON.parse(around[0] + decoder.decode(bytes.subarray(from, to)) + around[1]);
  if (bytes.length <= part) return value(0, bytes.length);
  /** @type {Record<string, any>} */
  const out = {};
  let since = 0; // where the last part ended
  for (let at = 1; bytes[at] !== closeBrace;) {
    const colon = end(bytes, at);
    const key = value(at, colon);
    let from = colon + 1;
    if (bytes[from] === openBracket) {
      const list = out[key] = /** @type {any[]} */ ([]);
      for (at = ++from; bytes[at - 1] !== closeBracket && bytes[at] !== closeBracket; from = at) {
        do at = end(bytes, at) + 1; while (bytes[at - 1] === comma && at - since < part);
        for (const one of value(from, at - 1, ['[', ']'])) list.push(one);
        if (at - since >= part) {
          since = at;
          await yielded();
        }
      }
      if (bytes[at - 1] !== closeBracket) at++; // of an empty list
    } else {
      at = end(bytes, from);
      out[key] = value(from, at);
    }
    if (bytes[at] === comma) at++;
  }
  return out;
}

const [quote, comma, openBracket, backslash, closeBracket, openBrace, closeBrace] = [...'",[\\]{}'].map((c) => c.charCodeAt(0));

/** Where the value ends that begins at a place. @param {Uint8Array} bytes @param {number} at */
function end(bytes, at) {
  for (let depth = 0; at < bytes.length; at++) {
    const b = bytes[at];
    if (b === quote) {
      for (let escaped = true; escaped;) {
        at = bytes.indexOf(quote, at + 1);
        if (at < 0) throw new SyntaxError('a text has no end');
        let before = at;
        while (bytes[before - 1] === backslash) before--;
        escaped = (at - before) % 2 === 1;
      }
    } else if (b === openBrace || b === openBracket) depth++;
    else if (b === closeBrace || b === closeBracket) depth--;
    else if (depth > 0 || (b !== comma && b !== undefined)) continue;
    else return at;
    // A number ends before what follows it, all else with its last byte.
    if (depth < 0) return at;
    if (depth === 0) return at + 1;
  }
  throw new SyntaxError('a value has no end');
}
