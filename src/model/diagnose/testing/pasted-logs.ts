/** How a message looks after loggers, launchers, terminals and forums had it: one text in, the pasted form out. */
const ESCAPE = String.fromCharCode(27);

const before =
  (prefix: string) =>
  (text: string): string =>
    text.replace(/^/gm, prefix);

/** Broken between words. */
function softly(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => line.replace(new RegExp(`(.{1,${width}})(?: |$)`, 'g'), '$1\n').trimEnd())
    .join('\n');
}

/** Broken at the last column, as a terminal does. */
const hardly = (text: string, width: number): string => text.replace(new RegExp(`(.{${width}})(?=.)`, 'g'), '$1\n');

export const PASTED: readonly (readonly [string, (text: string) => string])[] = [
  ['a logging prefix', before('2024-05-01 12:00:00,123 - ERROR - ')],
  ['a logging prefix in brackets', before('[2024-05-01 10:00:00,123][root][ERROR] - ')],
  ['a logging prefix, wrapped', (text) => before('2024-05-01 12:00:00,123 - ERROR - ')(softly(text, 80))],
  [
    'a vLLM prefix, wrapped',
    (text) => before('(EngineCore_0 pid=9) ERROR 10-02 12:00:00 [core.py:700] ')(softly(text, 80)),
  ],
  ['a glog prefix', before('E0501 12:00:00.123456 12345 file.py:12] ')],
  ['a Kubernetes prefix', before('2024-05-01T12:00:00.123456789Z stderr F ')],
  ['a kubectl prefix', before('[pod/trainer-0/pytorch] ')],
  ['a docker compose prefix', before('trainer-1  | ')],
  ['a torchrun prefix', before('[default0]:')],
  ['a node before the rank', before('node-1: [rank1]: ')],
  ['a node before the rank, wrapped', (text) => before('gpu-07.cluster: [rank12]:')(softly(text, 80))],
  ['an mpirun prefix', before('[1,3]<stderr>:')],
  ['srun task numbers', before('12: ')],
  ['srun task numbers, wrapped', (text) => before('0: ')(softly(text, 80))],
  ['a Ray prefix', before('(RayTrainWorker pid=4211, ip=10.0.0.1) ')],
  ['a box', (text) => softly(text, 70).replace(/^(.*)$/gm, (line) => `\u2502 ${line.padEnd(90)} \u2502`)],
  ['colours', (text) => text.replace(/(\d[\d.]*)/g, `${ESCAPE}[1;31m$1${ESCAPE}[0m`)],
  ['a wrap and an indent', (text) => softly(text, 60).replace(/\n/g, '\n    ')],
  ['a terminal of 80 columns', (text) => hardly(text, 80)],
  ['a terminal of 100 columns', (text) => hardly(text, 100)],
  ['a terminal of 120 columns', (text) => hardly(text, 120)],
  ['Windows line ends', (text) => text.replace(/\n/g, '\r\n')],
  ['a JSON string', (text) => JSON.stringify({ message: text })],
  ['a quotation', before('> ')],
  ['the same message twice', (text) => `${text}\n${text}`],
  [
    'a traceback around it',
    (text) =>
      `Traceback (most recent call last):\n  File "train.py", line 9, in main\n${text}\n\nDuring handling of the above exception:\n`,
  ],
];
