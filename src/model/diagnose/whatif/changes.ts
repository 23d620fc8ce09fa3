/** What can be asked of a trace: other settings of PyTorch's allocator, other allocators, other code. */
import { say } from '../../../base/said.js';
import { type Trace } from '../../trace/trace.js';

export interface Change {
  /** As it is shown and written: a settings string, or a change of the program in words. */
  readonly setting: string;
  /** As `--allocator`. */
  readonly allocator: string;
  /** `PYTORCH_CUDA_ALLOC_CONF`, or `key=value,...` for the others. */
  readonly conf: string;
  /** Which of the sweep's traces it runs: 0 is the recorded program. */
  readonly trace: number;
  /** A place in the code taken out: shows what it costs, and is nothing that anybody can do. */
  readonly isHypothetical?: boolean;
  /** The one place in the code that it changes, by the name that blocks from there have. */
  readonly site?: string;
}

/** Settings that people try; `max_split_size_mb` as a sweep. */
const CONFS = [
  'expandable_segments:True',
  'max_split_size_mb:32',
  'max_split_size_mb:128',
  'max_split_size_mb:512',
  'roundup_power2_divisions:4',
  'garbage_collection_threshold:0.8',
  'max_split_size_mb:128,garbage_collection_threshold:0.8',
];

const OTHERS: readonly Pick<Change, 'allocator' | 'conf'>[] = [
  { allocator: 'bfc', conf: '' },
  { allocator: 'bfc', conf: 'allow_growth=true' },
  { allocator: 'arena', conf: '' },
  { allocator: 'direct', conf: '' },
];

/** A change of settings alone. */
export const settingChange = (conf: string, allocator = 'caching'): Change => ({
  setting: conf === '' ? say`default` : conf,
  allocator,
  conf,
  trace: 0,
});

/** What is asked when nobody names anything: twelve changes, without the one that is in force already. */
export function defaultChanges(recordedConf: string): readonly Change[] {
  return [
    ...['', ...CONFS].filter((conf) => conf !== recordedConf).map((conf) => settingChange(conf)),
    ...OTHERS.map(({ allocator, conf }) => settingChange(conf, allocator)),
  ];
}

/** Garbage collection works only under a limit: the model then takes the whole device as that. */
export const collectsGarbage = (conf: string): boolean => conf.includes('garbage_collection_threshold');

/** Rules of the caching allocator that no real trace has confirmed yet, by what names them in a settings string. */
const UNCHECKED: readonly (readonly [RegExp, string])[] = [
  [/max_split_size_mb/, 'max_split_size'],
  [/roundup_power2_divisions/, 'roundup_power2_divisions'],
  [/garbage_collection_threshold/, say`garbage collection`],
];

/** What the answer rests on that was never checked on a real trace; it is exact against PyTorch's own code. */
export function uncheckedRules({ allocator, conf }: Change): readonly string[] {
  if (allocator !== 'caching') return [];
  return UNCHECKED.filter(([words]) => words.test(conf)).map(([, name]) => name);
}

/** Replays times operations up to which the smallest capacity is looked for without being asked. */
const SEARCHED = 4_000_000;

/** Whether a search for the smallest device, ten replays a row, is worth its time on this many rows. */
export const isSearchWorth = (trace: Pick<Trace, 'length'>, rows: number): boolean => trace.length * rows <= SEARCHED;
