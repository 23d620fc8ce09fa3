import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/errors.js';
import { readReport } from './read.js';
import { sampleReport, sampleRow } from './testing/report-sample.js';

const text = JSON.stringify(sampleReport);
const withFields = (fields: object): string => JSON.stringify({ ...sampleReport, ...fields });

/** The line that a refusal says, after checking that it is one line and a person's to mend. */
function refusal(content: string): string {
  try {
    readReport(content, 'run.json');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.failure.kind).toBe('bad-input');
    expect(error.message).not.toContain('\n');
    expect(error.message).toMatch(/^run\.json: /);
    return error.message;
  }
  throw new Error('it was accepted');
}

describe('readReport', () => {
  it('gives back what was written', () => {
    expect(readReport(text, 'run.json')).toEqual(sampleReport);
    expect(readReport(JSON.stringify(sampleReport, undefined, 2), 'run.json')).toEqual(sampleReport);
  });

  it('refuses a file cut at any place, and nearly always says that it is cut', () => {
    const cuts = Array.from({ length: text.length - 1 }, (_, index) => refusal(text.slice(0, index + 1)));
    expect(cuts.filter((line) => !line.includes('the file is cut'))).toEqual([]);
  });

  it('refuses an empty file', () => {
    expect(refusal(' \n')).toContain('the file is empty');
  });

  it('refuses what is not JSON', () => {
    expect(refusal('id,suite\r\n')).toContain('not JSON');
    expect(refusal(`${text}}`)).toContain('not JSON');
  });

  it('refuses a newer version by name', () => {
    expect(refusal(withFields({ version: 2 }))).toContain('vramlab-report version 2 is newer');
  });

  it('refuses versions that never were', () => {
    for (const version of [0, -1, 1.5]) expect(refusal(withFields({ version }))).toContain(`no version ${version}`);
  });

  it('refuses another schema by name', () => {
    expect(refusal(withFields({ schema: 'vramlab-trace' }))).toContain('its schema is "vramlab-trace"');
  });

  it('refuses JSON that is no vramlab file', () => {
    for (const other of ['[]', '{}', 'null', '3', '{"version":1}'])
      expect(refusal(other)).toContain('not a vramlab file');
  });

  it.each([
    ['a zero figure', { results: [{ ...sampleRow, value: 0 }] }, 'results.0.value'],
    ['an infinite sample', { results: [{ ...sampleRow, samples: [1, null] }] }, 'results.0.samples.1'],
    ['no samples', { results: [{ ...sampleRow, samples: [] }] }, 'results.0.samples'],
    ['an unverified figure', { results: [{ ...sampleRow, verified: false }] }, 'results.0.verified'],
    ['an unknown status', { results: [{ ...sampleRow, status: 'fine' }] }, 'results.0.status'],
    ['a time that is none', { createdAt: 'yesterday' }, 'createdAt'],
    ['a complete report without its environment', { environment: undefined }, 'a complete report has an environment'],
  ])('refuses %s and names the field', (_, fields, field) => {
    expect(refusal(withFields(fields))).toContain(field);
  });

  it('reads a run that was stopped before the browser described itself', () => {
    const stopped = withFields({
      complete: false,
      incompleteReason: 'interrupted',
      environment: undefined,
      results: [],
    });
    expect(readReport(stopped, 'run.json').complete).toBe(false);
  });
});
