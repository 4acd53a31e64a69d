/** The stylesheet of all pages, in CSS layers. With the styles of uPlot. It loads no fonts and no images. */
import { createHash } from 'node:crypto'
import { chartStyles } from '../script.ts'
import { airStyle, airTokens } from './style-air.ts'
import { components } from './style-components.ts'
import { docsStyle } from './style-docs.ts'
import { foundation } from './style-foundation.ts'
import { portalStyle } from './style-portal.ts'

/** Styles for printing, and for forced colors. */
const media = `@media print {
  :root { color-scheme: light; }
  body { background: none; font-size: 12px; }
  .skip, .bar, form, .buttons, .button, .identifier button, .unprinted { display: none; }
  .data-page { width: 100%; margin: 0; }
  .panel { border: 0; box-shadow: none; padding: 0; }
  /* On paper a table is never shown as cards. */
  .stacks { container-type: normal; overflow: visible; }
  th, td { padding: var(--space) calc(2 * var(--space)); }
  tbody th, td .help { min-width: 0; }
  thead th, .details dt, .help, .state { font-size: 11px; }
  tr, figure { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
  /* Paper shows the exact time instead of the relative one. */
  .time { font-size: 0; text-decoration: none; }
  .time::after { content: attr(data-exact); font-size: 12px; }
}

@media (forced-colors: active) {
  .card, button, .button, .time::after { border: 1px solid; }
}`

export const stylesheet = [
  '@layer reset, tokens, base, components, pages;',
  `@layer reset {\n${chartStyles}\n}`,
  foundation,
  airTokens,
  components,
  portalStyle,
  docsStyle,
  airStyle,
  media,
].join('\n\n')

/** The path contains a hash of the content, so browsers may cache it forever. */
export const stylesheetPath = `/posrep-assets/${createHash('sha256').update(stylesheet).digest('hex').slice(0, 16)}.css`
