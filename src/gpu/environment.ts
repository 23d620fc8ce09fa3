/** Browser and machine as a page can know them. What only a launcher knows (flags, headed or not) it adds itself. */
import { type AdapterFacts, type ClockFacts, type Environment } from '../model/report/schema.js';

/** The parts of a worker's global scope that are read. */
export interface Host {
  readonly userAgent: string;
  readonly platform: string;
  readonly hardwareConcurrency: number;
  readonly crossOriginIsolated: boolean;
}

/** In the order in which they must be looked for: Edge and Opera also say Chrome, Chrome also says Safari. */
const BROWSERS = [
  ['Edge', /Edg\/([\d.]+)/],
  ['Opera', /OPR\/([\d.]+)/],
  ['Chrome', /(?:Headless)?Chrome\/([\d.]+)/],
  ['Firefox', /Firefox\/([\d.]+)/],
  ['Safari', /Version\/([\d.]+).*Safari\//],
] as const;

/** Name and version from a user agent string; `unknown` and '' where it says nothing. */
export function browserOf(userAgent: string): { name: string; version: string } {
  for (const [name, pattern] of BROWSERS) {
    const match = pattern.exec(userAgent);
    if (match !== null) return { name, version: match[1] ?? '' };
  }
  return { name: 'unknown', version: '' };
}

export function environmentOf(host: Host, adapter: AdapterFacts, clock: ClockFacts): Environment {
  return {
    browser: { ...browserOf(host.userAgent), userAgent: host.userAgent, flags: [] },
    adapter,
    clock,
    crossOriginIsolated: host.crossOriginIsolated,
    headless: /headless/i.test(host.userAgent),
    platform: host.platform,
    hardwareConcurrency: host.hardwareConcurrency,
  };
}
