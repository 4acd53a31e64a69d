/** The look of all pages, in layers. No font and no image comes with it. */
import { createHash } from 'node:crypto'
import { components } from './style-components.ts'
import { desk } from './style-desk.ts'
import { foundation } from './style-foundation.ts'

/** What holds on paper, and where the reader chooses the colours. */
const media = `@media print {
  :root { color-scheme: light; }
  body { background: none; font-size: 12px; }
  .bar, form, .buttons, .button, .identifier button, .unprinted { display: none; }
  .desk { width: 100%; margin: 0; }
  .panel { border: 0; box-shadow: none; padding: 0; }
  .beside { flex-wrap: wrap-reverse; }
  /* A table stays a table: the width of the paper is no window's. */
  .stacks { container-type: normal; overflow: visible; }
  th, td { padding: var(--space) calc(2 * var(--space)); }
  tbody th, td .help { min-width: 0; }
  thead th, .facts dt, .help, .state { font-size: 11px; }
  tr, figure { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
  /* How long ago is of no use on paper. */
  .moment { font-size: 0; text-decoration: none; }
  .moment::after { content: attr(data-exact); font-size: 12px; }
}

@media (forced-colors: active) {
  .card, button, .button, .moment::after { border: 1px solid; }
}`

export const stylesheet = ['@layer reset, tokens, base, components, pages;', foundation, components, desk, media].join(
  '\n\n',
)

/** Named after its content, so that it can be kept for ever. */
export const stylesheetPath = `/posrep-assets/${createHash('sha256').update(stylesheet).digest('hex').slice(0, 16)}.css`
