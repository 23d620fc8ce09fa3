/**
 * The allocator settings that were in force, as far as the pasted log tells. The hint inside an OOM text ("try setting
 * PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True") is PyTorch's advice, printed whether or not it is on already
 * (pytorch#173049): it never counts.
 */
export interface Settings {
  /** Options by name, the last value set wins. */
  readonly options: Readonly<Record<string, string>>;
  /** As written, for showing. */
  readonly source: string | undefined;
  /** The name of the variable that fits this build: CUDA, HIP, or the newer common one. */
  readonly variable: string;
}

const VARIABLE =
  /(?:(try setting|set|setting) )?(PYTORCH_(?:CUDA_|HIP_)?ALLOC_CONF)["'\]]*(?: ?[=:,] ?)["']?([A-Za-z0-9_:.,>[\]-]+)/g;
const CALL = /_?set_allocator_settings\(["']([^"']{1,400})["']\)/g;
const SNAPSHOT = /["']?expandable_segments["']?: (True|False)\b/g;

/** `a:1,b:[256:1,>:4]` to options; commas inside brackets stay. */
export function parseOptions(text: string): Readonly<Record<string, string>> {
  const options: Record<string, string> = {};
  for (const part of text.split(/,(?![^[]*\])/)) {
    const at = part.indexOf(':');
    if (at > 0) options[part.slice(0, at).trim()] = part.slice(at + 1).trim();
  }
  return options;
}

/** Reads settings out of a flat log. `backend` picks the variable's name when the log sets none. */
export function settingsInForce(text: string, backend: string): Settings {
  const options: Record<string, string> = {};
  let source: string | undefined;
  let variable = backend === 'pytorch-hip' ? 'PYTORCH_HIP_ALLOC_CONF' : 'PYTORCH_CUDA_ALLOC_CONF';
  for (const match of text.matchAll(VARIABLE)) {
    const [, advised, name = '', value = ''] = match;
    if (advised === 'try setting' || !value.includes(':')) continue;
    variable = name;
    source = `${name}=${value}`;
    Object.assign(options, parseOptions(value.replace(/[.,]+$/, '')));
  }
  for (const match of text.matchAll(CALL)) {
    source = match[0];
    Object.assign(options, parseOptions(match[1] ?? ''));
  }
  for (const match of text.matchAll(SNAPSHOT)) options['expandable_segments'] = match[1] ?? '';
  return { options, source, variable };
}

export const isExpandable = (settings: Settings): boolean =>
  /^true$/i.test(settings.options['expandable_segments'] ?? '');
