/** The look of all pages, in layers. No font and no image comes with it. */
import { createHash } from 'node:crypto'
import { components } from './style-components.ts'
import { desk } from './style-desk.ts'
import { foundation } from './style-foundation.ts'

/** What holds on paper, and where the reader chooses the colours. */
const media = `@media print {
  :root { color-scheme: light; }
  body { background: none; }
  .bar, form, .buttons, .button, .identifier button, .unprinted { display: none; }
  .panel { border: 0; box-shadow: none; padding: 0; }
  tr, figure { break-inside: avoid; }
  .moment { text-decoration: none; }
  .moment::after { content: " (" attr(data-exact) ")"; }
}

@media (forced-colors: active) {
  .card, button, .button, .moment::after { border: 1px solid; }
}`

export const stylesheet = ['@layer reset, tokens, base, components, pages;', foundation, components, desk, media].join(
  '\n\n',
)

/** Named after its content, so that it can be kept for ever. */
export const stylesheetPath = `/posrep-assets/${createHash('sha256').update(stylesheet).digest('hex').slice(0, 16)}.css`
