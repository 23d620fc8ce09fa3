/** Text inside XML, SVG and HTML. */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no way to write most control characters, not even escaped: they become spaces. */
export const escapeXml = (text: string): string =>
  text.replace(/[^\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]+/gu, ' ').replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c);
