import { svg, type SVGTemplateResult } from 'lit';

const icon = (shape: SVGTemplateResult, box = '0 0 16 16') =>
  svg`<svg viewBox=${box} aria-hidden="true" focusable="false">${shape}</svg>`;

/** Drawn in the colour of the text beside them. They never stand for a word alone: a word or a label is always there. */
export const icons = {
  mark: icon(
    svg`<path d="M0 0h8v4H0zM9.5 0H20v4H9.500zM0 6h13v4H0zM0 12h5v4H0zM17 12h3v4h-3z" fill="currentColor"/><path d="M14.5 6.500h5v3h-5zM6.5 12.500h9v3h-9z" fill="none" stroke="currentColor"/>`,
    '0 0 20 16',
  ),
  ok: icon(svg`<path d="m3 8.4 3.4 3.400L13 5" fill="none" stroke="currentColor" stroke-width="1.9"/>`),
  bad: icon(svg`<path d="m4 4 8 8m0-8-8 8" fill="none" stroke="currentColor" stroke-width="1.9"/>`),
  warn: icon(
    svg`<path d="M8 2.2 14.6 13.600H1.400z" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linejoin="round"/><path d="M8 6.400v3.400m0 1.200v1.3" stroke="currentColor" stroke-width="1.5"/>`,
  ),
  skip: icon(svg`<path d="M3 8h10" fill="none" stroke="currentColor" stroke-width="1.9"/>`),
  run: icon(
    svg`<circle cx="8" cy="8" r="5.2" fill="none" stroke="currentColor" stroke-width="1.6" stroke-dasharray="22 11"/>`,
  ),
  theme: icon(
    svg`<circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" stroke-width="1.4"/><path d="M8 2.400a5.6 5.6 0 0 1 0 11.200z" fill="currentColor"/>`,
  ),
  present: icon(svg`<path d="M2 3h12v8H2zM8 11v3M5 14h6" fill="none" stroke="currentColor" stroke-width="1.4"/>`),
  help: icon(
    svg`<path d="M5.6 6a2.4 2.4 0 1 1 3.5 2.100c-.8.4-1.1.8-1.1 1.7" fill="none" stroke="currentColor" stroke-width="1.5"/><circle cx="8" cy="12.3" r="1" fill="currentColor"/>`,
  ),
  play: icon(svg`<path d="M4.500 2.800v10.400L13 8z" fill="currentColor"/>`),
  pause: icon(svg`<path d="M4 3h3v10H4zM9 3h3v10H9z" fill="currentColor"/>`),
  back: icon(svg`<path d="M12 3v10L5.500 8zM3.500 3h1.600v10H3.500z" fill="currentColor"/>`),
  forward: icon(svg`<path d="M4 3v10l6.500-5zM10.900 3h1.600v10h-1.600z" fill="currentColor"/>`),
  open: icon(svg`<path d="m6 4 4 4-4 4" fill="none" stroke="currentColor" stroke-width="1.6"/>`),
  close: icon(svg`<path d="m4.5 4.5 7 7m0-7-7 7" fill="none" stroke="currentColor" stroke-width="1.5"/>`),
  /** Two sides and a way to them: the Lab. */
  lab: icon(
    svg`<path d="M2 3h5v10H2zM9 3h5v10H9z" fill="none" stroke="currentColor" stroke-width="1.3"/><path d="M9 3h5v4H9zM2 9h5v4H2z" fill="currentColor"/>`,
  ),
  drop: icon(
    svg`<path d="M8 1.5v8m-3.2-3L8 9.700l3.200-3.200M2 10.500v3.500h12v-3.500" fill="none" stroke="currentColor" stroke-width="1.300"/>`,
  ),
  file: icon(
    svg`<path d="M3.5 1.700h5.800l3.200 3.200v9.400h-9zM9 1.700V5.200h3.500" fill="none" stroke="currentColor" stroke-width="1.200"/>`,
  ),
} as const;
