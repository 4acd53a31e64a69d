/**
 * The filters of the list of devices: by state and by tag. In: the list's query and what it found. Out: links to other
 * queries.
 */

import { toVisible } from '@posrep/kernel/visible'
import { Live } from '../../pages/live.tsx'
import { Badge, type Tone } from '../layout/badge.tsx'
import { devicesPath, withQuery } from '../layout/paths.ts'
import { type DeviceFilter, deviceFilters } from './device-state.ts'

export interface FiltersProps {
  filter: DeviceFilter | undefined
  /** The number of devices without this filter, and with each. */
  found: number
  counts: Partial<Record<DeviceFilter, number>>
  /** Search, filters, order and page. */
  query: URLSearchParams
}

export interface TagFiltersProps {
  /** All devices that are shown have it. */
  tag: string | undefined
  /** Of the devices with the searched text. */
  tags: [tag: string, devices: number][]
  query: URLSearchParams
}

export const filterWords: Record<DeviceFilter, string> = {
  live: 'Live',
  silent: 'Silent',
  never: 'Never reported',
  retrying: 'Retrying',
  failing: 'Failed',
}

/** What is shown in colour while a device has it. */
const toneOf: Partial<Record<DeviceFilter, Tone>> = { retrying: 'busy', failing: 'bad' }

/** The list with another filter or order, from its first page. */
export function toHrefWith(query: URLSearchParams, name: 'state' | 'tag' | 'sort', value: string | undefined): string {
  const next = new URLSearchParams(query)
  next.delete('page')
  if (value === undefined) next.delete(name)
  else next.set(name, value)
  return withQuery(devicesPath, next)
}

export function Filters({ filter, counts, found, query }: FiltersProps) {
  const toHref = (state: DeviceFilter | undefined) => toHrefWith(query, 'state', state)
  return (
    <nav aria-label="Filter by state">
      <Live id="filters">
        <ul class="tabs">
          <li>
            <a href={toHref(undefined)} aria-current={filter === undefined ? 'page' : undefined}>
              All <span class="count">{found}</span>
            </a>
          </li>
          {deviceFilters.map((one) => (
            <li key={one}>
              <a href={toHref(one)} aria-current={filter === one ? 'page' : undefined}>
                {toneOf[one] !== undefined && (counts[one] ?? 0) > 0 ? (
                  <Badge tone={toneOf[one]}>{filterWords[one]}</Badge>
                ) : (
                  filterWords[one]
                )}{' '}
                <span class="count">{counts[one] ?? 0}</span>
              </a>
            </li>
          ))}
        </ul>
      </Live>
    </nav>
  )
}

/** Tags beyond these are found by the search. */
const maxShownTags = 20

/** The tags of the found devices. A second click on a tag shows all devices again. */
export function TagFilters({ tag: chosen, tags, query }: TagFiltersProps) {
  const others = tags.filter(([tag]) => tag !== chosen).slice(0, maxShownTags)
  const own = tags.find(([tag]) => tag === chosen)
  const shown: typeof tags = chosen === undefined ? others : [own ?? [chosen, 0], ...others]
  return (
    <Live id="tags">
      {shown.length > 0 && (
        <nav aria-label="Filter by tag" class="tag-filters">
          {shown.map(([tag, devices]) => (
            <a
              key={tag}
              class="tag"
              href={toHrefWith(query, 'tag', tag === chosen ? undefined : tag)}
              aria-current={tag === chosen ? 'true' : undefined}
            >
              <bdi>{toVisible(tag)}</bdi> <span class="count">{devices}</span>
            </a>
          ))}
        </nav>
      )}
    </Live>
  )
}
