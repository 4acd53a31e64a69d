/** The navigation of every page: name and mark, which lead to the first page, and the links to the other pages. */
import { markPaths } from '../icon.ts'

export const sitePaths = {
  overview: '/',
  air: '/air',
  devices: '/devices',
  pairing: '/pairing/start',
  sensors: '/sensors',
  docs: '/docs',
} as const

export type SiteTab = keyof typeof sitePaths

const labels: Record<SiteTab, string> = {
  overview: 'Overview',
  air: 'Air',
  devices: 'Devices',
  pairing: 'Pair',
  sensors: 'Register',
  docs: 'API reference',
}

export interface SiteNavProps {
  /** The origin of the user interface, for pages of another origin. Default: the page's own. */
  uiOrigin?: string
  /** The current page, if it has a link. */
  tab?: SiteTab | undefined
}

export function SiteNav({ uiOrigin = '', tab }: SiteNavProps) {
  return (
    <nav aria-label="Site">
      <ul class="tabs">
        {Object.entries(sitePaths).map(([name, path]) => (
          <li key={name}>
            <a href={`${uiOrigin}${path}`} aria-current={tab === name ? 'page' : undefined}>
              {labels[name as SiteTab]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The name of the product, as a link to the first page. */
export function SiteName({ uiOrigin = '' }: { uiOrigin?: string }) {
  return (
    <a class="site-name" href={`${uiOrigin}${sitePaths.overview}`}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d={markPaths.dot} fill="currentcolor" />
        <path d={markPaths.arcs} />
      </svg>
      Posrep
    </a>
  )
}
