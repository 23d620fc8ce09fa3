/** Dictionary keys of a snapshot that the reader acts on, by the number a key's string gets. */
export const ROLE = {
  none: 0,
  action: 1,
  addr: 2,
  deviceFree: 3,
  size: 4,
  stream: 5,
  time: 6,
  frames: 7,
  name: 8,
  filename: 9,
  line: 10,
  pool: 11,
  compileContext: 12,
  userMetadata: 13,
  device: 14,
  address: 15,
  totalSize: 16,
  requestedSize: 17,
  allocatedSize: 18,
  activeSize: 19,
  state: 20,
  blocks: 21,
  history: 22,
  realSize: 23,
  segmentType: 24,
  segmentPool: 25,
  isExpandable: 26,
  segments: 27,
  traces: 28,
  settings: 29,
  annotations: 30,
  // From here on no keys of records, which are told apart by bits.
  maxSplitSize: 32,
  garbageCollectionThreshold: 33,
  expandableSegments: 34,
  roundupDivisions: 35,
  cudaVariable: 36,
  hipVariable: 37,
  anyVariable: 38,
} as const;

/** Roles up to this one fit the bits of a whole number. */
export const LAST_RECORD_ROLE = 30;

const KEYS: ReadonlyMap<string, number> = new Map([
  ['action', ROLE.action],
  ['addr', ROLE.addr],
  ['device_free', ROLE.deviceFree],
  ['size', ROLE.size],
  ['stream', ROLE.stream],
  ['time_us', ROLE.time],
  ['frames', ROLE.frames],
  ['name', ROLE.name],
  ['filename', ROLE.filename],
  ['line', ROLE.line],
  ['pool_id', ROLE.pool],
  ['compile_context', ROLE.compileContext],
  ['user_metadata', ROLE.userMetadata],
  ['device', ROLE.device],
  ['address', ROLE.address],
  ['total_size', ROLE.totalSize],
  ['requested_size', ROLE.requestedSize],
  ['allocated_size', ROLE.allocatedSize],
  ['active_size', ROLE.activeSize],
  ['state', ROLE.state],
  ['blocks', ROLE.blocks],
  ['history', ROLE.history],
  ['real_size', ROLE.realSize],
  ['segment_type', ROLE.segmentType],
  ['segment_pool_id', ROLE.segmentPool],
  ['is_expandable', ROLE.isExpandable],
  ['segments', ROLE.segments],
  ['device_traces', ROLE.traces],
  ['allocator_settings', ROLE.settings],
  ['external_annotations', ROLE.annotations],
  ['max_split_size', ROLE.maxSplitSize],
  ['garbage_collection_threshold', ROLE.garbageCollectionThreshold],
  ['expandable_segments', ROLE.expandableSegments],
  ['roundup_power2_divisions', ROLE.roundupDivisions],
  ['PYTORCH_CUDA_ALLOC_CONF', ROLE.cudaVariable],
  ['PYTORCH_HIP_ALLOC_CONF', ROLE.hipVariable],
  ['PYTORCH_ALLOC_CONF', ROLE.anyVariable],
]);

const LONGEST_KEY = 31;
/** The keys' bytes by length, so that a text is compared with at most a few of its own length. */
const BY_LENGTH: readonly (readonly (readonly [Uint8Array, number])[])[] = Array.from(
  { length: LONGEST_KEY + 1 },
  (_, length) =>
    [...KEYS]
      .filter(([key]) => key.length === length)
      .map(([key, role]) => [new TextEncoder().encode(key), role] as const),
);
/** 1 where some key has this first byte and length: most texts are no keys, and one look tells. */
const STARTS = new Uint8Array(256 * (LONGEST_KEY + 1));
for (const key of KEYS.keys()) STARTS[key.charCodeAt(0) * (LONGEST_KEY + 1) + key.length] = 1;

export const roleOf = (key: string): number => KEYS.get(key) ?? ROLE.none;

/** The role of the text at `offset`, without making it a string. */
export function roleOfBytes(data: Uint8Array, offset: number, length: number): number {
  if (length === 0 || length > LONGEST_KEY) return ROLE.none;
  if (STARTS[data[offset]! * (LONGEST_KEY + 1) + length] === 0) return ROLE.none;
  for (const [key, role] of BY_LENGTH[length] ?? []) {
    let same = 0;
    while (same < length && data[offset + same] === key[same]) same++;
    if (same === length) return role;
  }
  return ROLE.none;
}
