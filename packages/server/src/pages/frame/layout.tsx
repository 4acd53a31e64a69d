/** The HTML document around every page, and its rendering to text. */

import { toVisible } from '@posrep/kernel/visible'
import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { iconPath } from '../icon.ts'
import { chartLibraryPath, scriptPath } from '../script.ts'
import { stylesheetPath } from '../style/stylesheet.ts'
import { SiteName } from './site-nav.tsx'

export interface LayoutProps {
  title: string
  /**
   * `narrow` for questions and forms, `wide` for lists, `data` for tables and charts, `full` for a map that fills the
   * screen.
   */
  width?: 'narrow' | 'wide' | 'data' | 'full'
  /** More elements of the head. */
  head?: ComponentChildren
  /** Content of the top bar beside the name. */
  bar?: ComponentChildren
  /** The origin of the portal, for the name's link. Default: the page's own. */
  uiOrigin?: string
  /** Loads our scripts; the page also works without them. */
  scripted?: boolean
  /** Also loads the library for charts. */
  hasCharts?: boolean
  /** The time of the server, for times that tick. */
  nowMs?: number
  /** Reload interval for browsers without scripts. */
  reloadSeconds?: number
  children: ComponentChildren
}

const classes = { narrow: 'card', wide: 'card wide', data: 'data-page', full: 'air-page' }

export function Layout(props: LayoutProps) {
  const { title, width = 'narrow', bar, uiOrigin, scripted = false, hasCharts = false, nowMs, reloadSeconds } = props
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${toVisible(title)} · Posrep`}</title>
        <link rel="icon" type="image/svg+xml" href={iconPath} />
        <link rel="stylesheet" href={stylesheetPath} />
        {hasCharts && <script defer src={chartLibraryPath} />}
        {scripted && <script type="module" src={scriptPath} />}
        {props.head}
        {reloadSeconds !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(reloadSeconds)} />
          </noscript>
        )}
      </head>
      <body data-now={nowMs}>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="bar">
          <SiteName {...(uiOrigin !== undefined && { uiOrigin })} />
          {bar}
        </header>
        <main class={classes[width]} id="content">
          {props.children}
        </main>
      </body>
    </html>
  )
}

export function toHtml(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`
}
