/** What each number of a lesson is, in a few words of both languages. */
import { type Language } from './local-text.js';
import { type Metric } from './schema.js';

type Words = Readonly<Record<Language, string>>;

const METRIC_WORDS: Readonly<Record<Metric, Words>> = {
  allocated: { en: 'allocated: bytes of blocks in use', zh: '已分配：在用块的字节数' },
  requested: { en: 'bytes asked for by the live tensors', zh: '存活张量请求的字节数' },
  reserved: { en: 'reserved: bytes of all segments', zh: '已预留：所有段的字节数' },
  gap: { en: 'gap: reserved - allocated', zh: '差值：已预留 - 已分配' },
  notReserved: { en: 'budget - reserved', zh: '预算 - 已预留' },
  freeTotal: { en: 'budget - allocated', zh: '预算 - 已分配' },
  internal: { en: 'allocated - requested', zh: '已分配 - 请求量' },
  largestFree: { en: 'largest hole', zh: '最大空洞' },
  holes: { en: 'number of free blocks', zh: '空闲块的个数' },
  fragmentation: { en: '1 - largest hole / all free bytes in segments', zh: '1 - 最大空洞 / 段内全部空闲' },
  stuck: { en: 'free bytes in segments that hold a live block', zh: '含存活块的段里的空闲字节' },
  pinnedSegments: {
    en: 'segments over 2 MiB with at least as many free as live bytes',
    zh: '大于 2 MiB、空闲不少于存活的段',
  },
  segments: { en: 'number of segments', zh: '段的个数' },
  deviceCalls: { en: 'segment requests that the device granted', zh: '设备批准的段请求次数' },
  deviceFrees: { en: 'segments given back', zh: '归还的段' },
  retries: { en: 'num_alloc_retries', zh: 'num_alloc_retries' },
  syncs: { en: 'num_sync_all_streams', zh: 'num_sync_all_streams' },
  failures: { en: 'failed allocations', zh: '失败的分配次数' },
  completes: { en: '1 if nothing failed', zh: '没有失败则为 1' },
  failedTensor: { en: 'first tensor that failed', zh: '第一个失败的张量' },
  request: { en: 'bytes of the first failed request', zh: '第一个失败请求的字节数' },
  blockSize: { en: 'bytes of the block handed to this tensor', zh: '分给该张量的块的字节数' },
  sameAddress: { en: '1 if both tensors got one address', zh: '两个张量地址相同则为 1' },
  segmentSize: { en: 'segment that holds this tensor at the failure', zh: '失败时该张量所在的段' },
  errorHas: { en: '1 if the error text contains this', zh: '报错文本含此内容则为 1' },
  peakStat: { en: 'peak_bytes_in_use', zh: 'peak_bytes_in_use' },
  gapMax: { en: 'largest gap after any operation', zh: '任一操作之后的最大差值' },
  freesNeeded: { en: 'size of the smallest set of frees that is enough', zh: '足够的最小释放集合的大小' },
  freesWays: { en: 'sets of that size', zh: '这样的集合个数' },
  freesBytes: { en: 'bytes of the cheapest of them', zh: '其中最省的字节数' },
};

/** Moments with names of their own; any other is a marker or a tensor, by its name. */
const MOMENT_WORDS: Readonly<Record<string, Words>> = {
  end: { en: 'at the end', zh: '结束时' },
  peak: { en: 'at its peak', zh: '峰值' },
  fail: { en: 'at the first failure', zh: '第一次失败时' },
};

export const metricWords = (metric: Metric, language: Language): string => METRIC_WORDS[metric][language];

/** Where a number is read. */
export const momentWords = (at: string, language: Language): string => MOMENT_WORDS[at]?.[language] ?? `"${at}"`;
