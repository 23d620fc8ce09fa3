import { describe, expect, it } from 'vitest';
import { AppError } from '../base/errors.js';
import { type Row } from '../model/report/schema.js';
import { EngineClient } from './client.js';
import { type RunEvent, type RunRequest } from './protocol.js';

const request = (filter: string): RunRequest => ({
  suites: ['tiers'],
  preset: 'quick',
  filter,
  budgetBytes: 2 ** 30,
  seed: 7,
  adapter: 'any',
});

describe('EngineClient over the real worker', () => {
  it('runs every row of a size, each measured and verified', async () => {
    const engine = new EngineClient();
    const events: RunEvent[] = [];

    const summary = await engine.run(request('/1MiB$'), {
      signal: new AbortController().signal,
      onEvent: (event) => {
        events.push(event);
      },
    });
    engine.dispose();
    const rows = events.flatMap((event): Row[] => (event.kind === 'row' ? [event.row] : []));
    expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'measured'));
    expect(summary).toMatchObject({ measured: 14, skipped: 0, failed: 0 });
  });

  it('carries an AppError whole', async () => {
    const engine = new EngineClient();
    const refused = engine.describe('hardware').catch((error: unknown) => error);
    const error = await refused;
    engine.dispose();
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ failure: { kind: 'unsupported', missing: 'hardware adapter' } });
  });
});
