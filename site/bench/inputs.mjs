// Inputs of any size, always the same: generators of text in pieces of about a megabyte. Each stands on its own, since the browser is
// sent its source.

/** perf script: deep stacks of a server's workers. @param {number} bytes @param {number} stacks how many are distinct */
export function* perfScript(bytes, stacks) {
  let piece = '';
  for (let i = 0, made = 0; made < bytes; i++) {
    const id = (i * 7919) % stacks;
    piece += `postgres ${24000 + (id % 40)} [${String(id % 48).padStart(3, '0')}] ${Math.floor(i / 1000)}.${String((i % 1000) * 997).padStart(6, '0')}:   ${250000 + (id % 100)} cycles:P: \n`;
    for (let d = 0, depth = 12 + (id % 12); d < depth; d++) {
      const f = (Math.floor(id / 2 ** Math.floor(d / 3)) + d * 31) % 900;
      piece += `\t${(0x55d0c15e0000 + f * 64 + (id % 16)).toString(16).padStart(16)} function_number_${f}+0x${(id % 16).toString(16)} (/usr/lib/postgresql/17/bin/postgres)\n`;
    }
    piece += '\n';
    if (piece.length > 1e6) {
      made += piece.length;
      yield piece;
      piece = '';
    }
  }
}

/** Folded stacks. @param {number} bytes @param {number} stacks how many are distinct */
export function* folded(bytes, stacks) {
  let piece = '';
  for (let i = 0, made = 0; made < bytes; i++) {
    const id = (i * 7919) % stacks;
    piece += 'postgres';
    for (let d = 0, depth = 14 + (id % 14); d < depth; d++) piece += `;function_number_${(Math.floor(id / 2 ** Math.floor(d / 2)) + d * 31) % 900}`;
    piece += ` ${1000000 + ((i * 31) % 1e8)}\n`;
    if (piece.length > 1e6) {
      made += piece.length;
      yield piece;
      piece = '';
    }
  }
}

/** A pgbench log of transactions by 32 clients. @param {number} bytes */
export function* transactionLog(bytes) {
  let piece = '';
  for (let i = 0, made = 0; made < bytes; i++) {
    const at = i * 50;
    piece += `${i % 32} ${Math.floor(i / 32) + 1} ${1500 + ((i * 7919) % 1000)} 0 ${1790000000 + Math.floor(at / 1e6)} ${at % 1e6}\n`;
    if (piece.length > 1e6) {
      made += piece.length;
      yield piece;
      piece = '';
    }
  }
}

/** Logs of pgbench --aggregate-interval=1, an hour of a thread after the other. @param {number} bytes */
export function* aggregateLog(bytes) {
  let piece = '';
  for (let i = 0, made = 0; made < bytes; i++) {
    const n = 9000 + ((i * 7919) % 1000);
    piece += `${1790000000 + (i % 3600)} ${n} ${n * 1600} ${n * 1600 * 1700} 900 ${3000 + (i % 500)} 0 0 0 0 0 0 0 0 0\n`;
    if (piece.length > 1e6) {
      made += piece.length;
      yield piece;
      piece = '';
    }
  }
}

/**
 * Outputs of pgbench, one after the other.
 * @param {number} bytes @param {number} seconds of each run, a line of progress for each
 */
export function* output(bytes, seconds) {
  let piece = '';
  for (let i = 0, made = 0; made < bytes; i++) {
    const clients = 2 ** (i % 9);
    const tps = 900 * clients + ((i * 7919) % 1000) / 7;
    piece += 'pgbench (17.2)\nstarting vacuum...end.\n';
    for (let t = 1; t <= seconds; t++) piece += `progress: ${t}.0 s, ${(tps + ((t * 7919) % 100)).toFixed(1)} tps, lat ${(1000 * clients / tps).toFixed(3)} ms stddev 0.${400 + (t % 100)}, 0 failed\n`;
    piece += `transaction type: <builtin: TPC-B (sort of)>\nscaling factor: 100\nquery mode: simple\nnumber of clients: ${clients}\nnumber of threads: ${Math.min(8, clients)}\n`
      + `maximum number of tries: 1\nduration: ${seconds || 60} s\nnumber of transactions actually processed: ${Math.round((seconds || 60) * tps)}\nnumber of failed transactions: 0 (0.000%)\n`
      + `latency average = ${(1000 * clients / tps).toFixed(3)} ms\nlatency stddev = 0.412 ms\ninitial connection time = 12.345 ms\ntps = ${tps.toFixed(6)} (without initial connection time)\n`
      + 'statement latencies in milliseconds and failures:\n         0.001           0  \\set aid random(1, 100000 * :scale)\n         0.041           0  BEGIN;\n'
      + '         0.197           0  UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;\n         0.511           0  END;\n';
    if (piece.length > 1e6) {
      made += piece.length;
      yield piece;
      piece = '';
    }
  }
}

/** A table of runs. @param {number} bytes */
export function* csv(bytes) {
  let piece = 'target,test_type,clients,tps,latency_avg_ms,latency_stddev_ms,run\n';
  for (let i = 0, made = 0; made < bytes; i++) {
    piece += `build-${i % 4},read-only,${2 ** (i % 9)},${1000 + i}.${String(i % 1e6).padStart(6, '0')},0.${i % 1000},0.${i % 999},${(i % 5) + 1}\n`;
    if (piece.length > 1e6) {
      made += piece.length;
      yield piece;
      piece = '';
    }
  }
}

/** A table of 20 series, each measured at 40 counts ten times. */
export function* sweeps() {
  let piece = 'target,clients,tps,run\n';
  for (let s = 0; s < 20; s++) {
    for (let i = 0; i < 40; i++) {
      const clients = Math.round(1 + i * 1.5 + i * i / 2);
      const tps = 1000 * clients / (1 + 0.02 * clients + (0.0002 + s * 1e-5) * clients * clients);
      for (let run = 0; run < 10; run++) piece += `build-${s},${clients},${(tps * (1 + ((s * 7919 + clients * 31 + run * 104729) % 1000) / 20000)).toFixed(2)},${run}\n`;
    }
  }
  yield piece;
}

/** Folded stacks whose tree has about a million nodes: a tree that forks at every level. */
export function* million() {
  let piece = '';
  for (let i = 0; i < 125_000; i++) {
    piece += 'postgres';
    for (let d = 0, rest = i; d < 17; d++, rest = Math.floor(rest / 2)) piece += `;f${d}_${d < 9 ? rest % 2 : i % 1009}`;
    piece += ` ${1 + ((i * 7919) % 1000)}\n`;
    if (piece.length > 1e6) {
      yield piece;
      piece = '';
    }
  }
  yield piece;
}
