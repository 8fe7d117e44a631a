// A zip archive of a few files, stored without compression.

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let c = 0xffffffff;
  for (const b of bytes) c = table[(c ^ b) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** A little-endian record: pairs of a number of bytes and a value. @param {...[number, number]} fields */
function record(...fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((n, [size]) => n + size, 0)));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return view.buffer;
}

/**
 * @param {{name: string, bytes: Uint8Array<ArrayBuffer>}[]} files
 * @returns {Blob}
 */
export function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const path = new TextEncoder().encode(name);
    /** @type {[number, number][]} version, UTF-8 names, stored, a date that says nothing, then what is in it */
    const about = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, crc32(bytes)], [4, bytes.length], [4, bytes.length], [2, path.length], [2, 0]];
    parts.push(record([4, 0x04034b50], ...about), path, bytes);
    directory.push(record([4, 0x02014b50], [2, 20], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), path);
    offset += 30 + path.length + bytes.length;
  }
  const size = new Blob(directory).size;
  return new Blob([...parts, ...directory, record([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, offset], [2, 0])], { type: 'application/zip' });
}
