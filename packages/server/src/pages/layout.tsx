/** The HTML document around every page, and its rendering to text. */
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { toVisible } from '../visible.ts'
import { stylesheetPath } from './style/stylesheet.ts'

export interface LayoutProps {
  title: string
  /** `narrow` for questions and forms, `wide` for lists, `data` for tables and drawings. */
  width?: 'narrow' | 'wide' | 'data'
  /** Content of the top bar beside the name. */
  bar?: ComponentChildren
  /** An optional script: the page also works without it. */
  scriptPath?: string
  /** Reload interval for browsers without scripts. */
  reloadSeconds?: number
  children: ComponentChildren
}

const classes = { narrow: 'card', wide: 'card wide', data: 'data-page' }

export function Layout({ title, width = 'narrow', bar, scriptPath, reloadSeconds, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${toVisible(title)} · Posrep`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={stylesheetPath} />
        {scriptPath !== undefined && <script type="module" src={scriptPath} />}
        {reloadSeconds !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(reloadSeconds)} />
          </noscript>
        )}
      </head>
      <body>
        <header class="bar">
          <span>Posrep</span>
          {bar}
        </header>
        <main class={classes[width]}>{children}</main>
      </body>
    </html>
  )
}

export function toHtml(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`
}
