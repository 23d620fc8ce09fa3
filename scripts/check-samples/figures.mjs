// @ts-check
/**
 * What the samples say against what the program says, figure by figure. Pure: the JSON of both sides goes in.
 *
 * @typedef {'same' | 'differs' | 'rule' | 'absent'} Answer `rule`: another verdict than the label, the one that the rule gives.
 *   `absent`: the sample knows the figure from elsewhere, its text does not print it.
 * @typedef {{ name: string, expected: unknown, got: unknown, answer: Answer }} Figure
 * @typedef {Record<string, any>} Json
 */

/** @param {string} name @param {unknown} expected @param {unknown} got @returns {Figure} */
const exactly = (name, expected, got) => ({
  name,
  expected,
  got,
  answer: JSON.stringify(expected) === JSON.stringify(got) ? 'same' : 'differs',
});

/** Counts in one order. @param {Json} counts @returns {[string, any][]} */
const sorted = (counts) => Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));

const STATE = [
  'segments',
  'blocks',
  'reserved_bytes',
  'allocated_bytes',
  'active_bytes',
  'inactive_bytes',
  'largest_inactive_block',
  'releasable_segments_bytes',
];
/** Columns of the fresh starts in `expect.json`, and the settings that give them; '' is the baseline. */
const STARTS = { native: '', expandable: 'expandable_segments:True', max_split_128: 'max_split_size_mb:128' };
/** Settings for which `checkSnapshot` wants a row. */
export const SETTINGS = Object.values(STARTS).filter((setting) => setting !== '');

/**
 * One entry of `snapshots/expect.json`.
 * @param {Json} expected @param {Json} diagnosis what `explain --json` said @param {Json | undefined} whatIf of SETTINGS
 * @returns {Figure[]}
 */
export function checkSnapshot(expected, diagnosis, whatIf) {
  const figures = STATE.map((key) => exactly(key, expected[key], diagnosis.state[key]));
  figures.push(exactly('devices', expected.devices, diagnosis.facts.devices));
  const { contents } = diagnosis;
  for (const key of ['form', 'expandable', 'pools', 'streams'])
    figures.push(exactly(key, expected[key], contents[key]));
  figures.push(exactly('block_states', sorted(expected.block_states), sorted(contents.block_states)));
  figures.push(exactly('trace_actions', expected.trace_actions.map(sorted), contents.trace_actions.map(sorted)));
  for (const replay of expected.replay) {
    const found = diagnosis.fidelity.find((/** @type {Json} */ one) => one.device === replay.device) ?? {};
    for (const [key, value] of Object.entries(replay)) {
      const name = `replay.${replay.device}.${key}`;
      if (key === 'first_mismatch') {
        figures.push(exactly(name, value.length === 0 ? null : value, found[key]));
      } else if (key in found) figures.push(exactly(name, value, found[key]));
    }
  }
  for (const indicative of expected.what_if_indicative) {
    for (const [start, setting] of Object.entries(STARTS)) {
      const want = indicative[`${start}_fresh_start`];
      const row =
        setting === '' ? whatIf?.baseline : whatIf?.rows.find((/** @type {Json} */ one) => one.setting === setting);
      for (const key of ['peak_reserved', 'final_reserved', 'peak_allocated']) {
        figures.push(exactly(`${start}.${key}`, want[key], row?.[key]));
      }
      figures.push(exactly(`${start}.device_allocs`, want.cudaMallocs ?? want.maps, row?.device_allocs));
    }
  }
  return figures;
}

/**
 * One text of `oom-texts.json`. Sizes agree within the precision that the text prints.
 * @param {Json} expected @param {Json} diagnosis @param {string} text
 * @returns {Figure[]}
 */
export function checkText(expected, diagnosis, text) {
  const { verdict, rule_would_say: rule, why, verdict_by: by, ...facts } = expected;
  void [why, by];
  const known = Object.values(diagnosis.facts);
  const figures = Object.entries(facts).map(([key, value]) => {
    const got = key === 'framework' ? diagnosis.framework : diagnosis.facts[key];
    const figure = { name: key, expected: value, got };
    if (value === null ? got === undefined : agrees(value, got, diagnosis.ranges[key])) {
      return { ...figure, answer: /** @type {Answer} */ ('same') };
    }
    const isPrinted = value === null || [value].flat(9).every((one) => isInText(one, text, known));
    return { ...figure, answer: /** @type {Answer} */ (isPrinted ? 'differs' : 'absent') };
  });
  const answer = diagnosis.verdict === verdict ? 'same' : diagnosis.verdict === rule ? 'rule' : 'differs';
  return [...figures, { name: 'verdict', expected: verdict, got: diagnosis.verdict, answer }];
}

/** @param {unknown} expected @param {unknown} got @param {[number, number] | undefined} range */
function agrees(expected, got, range) {
  if (typeof expected !== 'number' || typeof got !== 'number') return JSON.stringify(expected) === JSON.stringify(got);
  return Math.abs(expected - got) <= 1 || (range !== undefined && expected >= range[0] - 1 && expected <= range[1] + 1);
}

/** Half of the second decimal of the largest unit that a size fills. @param {number} size */
const precision = (size) => Math.max(1, 0.005 * 1024 ** Math.floor(Math.log2(Math.max(1, size)) / 10));

/**
 * True where a number of the text is this one in some unit, and not already that of another fact of the same size.
 * @param {unknown} value @param {string} text @param {unknown[]} known
 */
function isInText(value, text, known) {
  if (typeof value !== 'number') return text.includes(String(value));
  const near = (/** @type {number} */ other) => Math.abs(other - value) <= precision(value);
  const units = [0, 1, 2, 3, 4].flatMap((power) => [1024 ** power, 1000 ** power]);
  const printed = [...text.matchAll(/\d[\d,]*(?:\.\d+)?/g)]
    .map(([token]) => Number(token.replaceAll(',', '')))
    .filter((number) => units.some((unit) => near(number * unit))).length;
  return printed > known.filter((fact) => typeof fact === 'number' && near(fact)).length;
}

/**
 * One table of `memory-summaries.json`.
 * @param {Json} sample @param {Json} diagnosis
 * @returns {Figure[]}
 */
export function checkSummary(sample, diagnosis) {
  const { ooms, retries, rows, derived = {} } = sample;
  const [table = { rows: [] }] = diagnosis.tables ?? [];
  const identities = diagnosis.steps.find((/** @type {string} */ step) => / identities checked/.test(step));
  return [
    exactly('kind', 'memory-summary', diagnosis.kind),
    exactly('ooms', ooms, diagnosis.facts.ooms),
    exactly('retries', retries, diagnosis.facts.retries),
    exactly(
      'rows',
      rows,
      table.rows.map((/** @type {Json} */ row) => [row.pool === 'all' ? row.metric : row.pool, ...row.printed]),
    ),
    ...Object.entries(derived).map(([key, value]) => exactly(key, value, diagnosis.facts[key])),
    exactly('broken identities', '0', /(\d+) broken/.exec(identities ?? '')?.[1]),
  ];
}
