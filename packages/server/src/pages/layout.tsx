/** The frame of every page, and its rendering to HTML. */
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { stylesheetPath } from './stylesheet.ts'

export interface LayoutProps {
  title: string
  /** For lists; a question or a form reads better narrow. `data` is for tables and drawings, in parts of their own. */
  width?: 'narrow' | 'wide' | 'data'
  /** What stands in the bar beside the name. */
  bar?: ComponentChildren
  /** A script that the page does without. */
  scriptPath?: string
  /** Where there is no script, the page is loaded again after so many seconds. */
  reloadSeconds?: number
  children: ComponentChildren
}

const frames = { narrow: 'card', wide: 'card wide', data: 'desk' }

export function Layout({ title, width = 'narrow', bar, scriptPath, reloadSeconds, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Posrep`}</title>
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
        <main class={frames[width]}>{children}</main>
      </body>
    </html>
  )
}

export function toHtml(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`
}
