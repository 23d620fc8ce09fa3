import { allocatorLaws } from '../testing/laws.js';
import { CachingAllocator, type CachingOptions } from './caching-allocator.js';

const CAPACITY = 192 * 2 ** 20;

const laws = (name: string, options: Partial<CachingOptions> = {}) =>
  allocatorLaws(`caching, ${name}`, {
    make: () => new CachingAllocator({ capacity: CAPACITY, ...options }),
    alignment: 512,
    givesAllBack: true,
  });

laws('default');
laws('default, 2.14', { torch: '2.14' });
laws('expandable segments', { conf: 'expandable_segments:True' });
laws('max_split_size', { conf: 'max_split_size_mb:21' });
laws('max_split_size and expandable segments', { conf: 'max_split_size_mb:21,expandable_segments:True' });
laws('garbage collection under a fraction', { conf: 'garbage_collection_threshold:0.3', fraction: 0.8 });
laws('roundup', { conf: 'roundup_power2_divisions:[1:8,4:4,>:2]' });
laws('large_segment_size', { conf: 'large_segment_size_mb:40', torch: '2.14' });
