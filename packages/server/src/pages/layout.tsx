/** The frame of every page, and its rendering to HTML. */
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { stylesheetPath } from './stylesheet.ts'

export interface LayoutProps {
  title: string
  /** For lists; a question or a form reads better narrow. */
  wide?: boolean
  children: ComponentChildren
}

export function Layout({ title, wide = false, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Posrep`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={stylesheetPath} />
      </head>
      <body>
        <header class="bar">Posrep</header>
        <main class={wide ? 'card wide' : 'card'}>{children}</main>
      </body>
    </html>
  )
}

export function toHtml(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`
}
