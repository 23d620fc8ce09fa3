/** The looks of the HTML report and of the PNG: the page's own tokens, with the values of design section 2. */
export const LIGHT_TOKENS = `--color-surface:#ffffff;--color-surface-low:#f6f7f9;--color-text:#171b21;--color-text-2:#4a525d;--color-text-3:#5f6873;--color-line:#dce0e5;--color-line-strong:#7f8893;--color-focus:#1c5fb8;--color-warn:#7a5200;--color-warn-soft:#fbefd6;--color-bad:#b3341a;--series-1:#1b69ae;--series-2:#b3541a`;
export const DARK_TOKENS = `--color-surface:#111418;--color-surface-low:#171b20;--color-text:#e8ebef;--color-text-2:#b3bbc5;--color-text-3:#949da9;--color-line:#2b313a;--color-line-strong:#6d7683;--color-focus:#8fc0ff;--color-warn:#e3b04b;--color-warn-soft:#2c2210;--color-bad:#ff8a66;--series-1:#6aaee6;--series-2:#f0a35e`;
export const FONT_TOKENS = `--font-sans:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;--font-mono:ui-monospace,'SF Mono',Consolas,'Liberation Mono',monospace`;

export const PAGE_CSS = `
:root{color-scheme:light dark;${FONT_TOKENS};${LIGHT_TOKENS}}
@media (prefers-color-scheme:dark){:root{${DARK_TOKENS}}}
body{margin:0;background:var(--color-surface);color:var(--color-text);font:400 0.875rem/1.4 var(--font-sans);font-variant-numeric:tabular-nums}
main{max-width:60rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.25rem}
h2{display:inline-block;margin:0;font-size:1rem}
section{margin-block:2rem}
figure{margin:2rem 0}
figcaption span{color:var(--color-text-3)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0.125rem 1rem;margin:1rem 0}
dt{color:var(--color-text-3)}
dd{margin:0;overflow-wrap:anywhere}
.mark{display:inline-block;padding:0 0.5rem;border-radius:0.125rem;background:var(--color-warn-soft);color:var(--color-warn);font-size:0.75rem;font-weight:500}
.incomplete{color:var(--color-bad);font-weight:600}
.chart{display:block;width:100%;height:auto}
.scroll{overflow:auto}
:focus-visible{outline:0.125rem solid var(--color-focus)}
table{border-collapse:collapse;min-width:100%}
th,td{padding:0.1875rem 0.75rem 0.1875rem 0;border-bottom:0.0625rem solid var(--color-line);text-align:start;white-space:nowrap;font-weight:400}
td:last-child{white-space:normal}
thead th{color:var(--color-text-3)}
tbody th{font-family:var(--font-mono);font-size:0.8125rem}
summary{padding-block:0.25rem;color:var(--color-text-2);cursor:pointer}
footer{color:var(--color-text-3)}
`;
