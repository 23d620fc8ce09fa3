import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { type Frame, pathData, type Shape } from '../../model/report/charts/shapes.js';

/** A drawing on screen. Its words are in the element around it, so it is hidden from screen readers. */
export function drawing(shapes: readonly Shape[], { width, height }: Frame): TemplateResult | typeof nothing {
  if (width === 0 || height === 0) return nothing;
  return html`
    <svg class="chart" viewBox="0 0 ${width} ${height}" aria-hidden="true">${shapes.map((shape) => draw(shape))}</svg>
  `;
}

function draw(shape: Shape): SVGTemplateResult {
  switch (shape.kind) {
    case 'line':
      return svg`<line class=${shape.look} x1=${shape.from[0]} y1=${shape.from[1]} x2=${shape.to[0]} y2=${shape.to[1]} />`;
    case 'box':
      return svg`<rect class=${shape.look} x=${shape.at[0]} y=${shape.at[1]} width=${shape.width} height=${shape.height} />`;
    case 'dot':
      return svg`<circle class=${shape.look} cx=${shape.at[0]} cy=${shape.at[1]} r=${shape.radius} />`;
    case 'path':
      return svg`<path class=${shape.look} d=${pathData(shape.points)} />`;
    case 'text':
      return svg`<text class=${shape.look} x=${shape.at[0]} y=${shape.at[1]} text-anchor=${shape.anchor}>${shape.text}</text>`;
  }
}
