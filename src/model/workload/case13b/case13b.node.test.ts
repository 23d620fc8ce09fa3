import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LineHash } from '../testing/line-hash.js';
import { case13b } from './case13b.js';
test('tmp', () => {
  const dir = '/work/shared/golden/case13b/';
  for (const f of readdirSync(dir).filter((n) => n.endsWith('.gz'))) {
    const g = JSON.parse(gunzipSync(readFileSync(dir + f)).toString());
    const h = new LineHash();
    case13b.run(h, g.meta.params);
    console.log(f, h.lines, g.ops.length, h.digest() === g.meta.trace_sha256);
  }
  const s = JSON.parse(gunzipSync(readFileSync('/work/shared/samples/case13b-runs.json.gz')).toString());
  let bad = 0;
  for (const r of s.runs) { const h = new LineHash(); case13b.run(h, r.params); if (h.digest() !== r.trace_sha256) { bad++; console.log(JSON.stringify(r.params), h.lines, r.ops); } }
  console.log('runs bad', bad, s.runs.length);
}, 200000);
