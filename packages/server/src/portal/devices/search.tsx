/**
 * The search form of a device list, with a choice of order if the list has several. It is sent while the user types.
 */
import { type DeviceOrder, deviceOrders } from './device-order.ts'
import type { DeviceFilter } from './device-state.ts'

export interface SearchProps {
  path: string
  name: string
  search: string
  /** The chosen order. Default: no choice is offered. */
  order?: DeviceOrder
  /** Kept while searching. */
  filter?: DeviceFilter | undefined
  tag?: string | undefined
}

const labels: Record<DeviceOrder, string> = {
  attention: 'What needs attention',
  group: 'Group, by first tag',
  name: 'Name, A to Z',
  'name-last': 'Name, Z to A',
  id: 'ID',
  report: 'Last report, newest first',
  'report-oldest': 'Last report, oldest first',
  relay: 'Relay, Failed first',
  'relay-last': 'Relay, Failed last',
}

export function Search({ path, name, search, order, filter, tag }: SearchProps) {
  return (
    <search>
      <form class="search" method="get" action={path} data-search>
        <div class="field">
          <label for="search">Name, ID or tag</label>
          <input id="search" name={name} type="search" value={search} maxLength={300} autocomplete="off" />
        </div>
        {order !== undefined && (
          <div class="field">
            <label for="sort">Sort by</label>
            <select id="sort" name="sort">
              {deviceOrders.map((one) => (
                <option key={one} value={one === 'attention' ? '' : one} selected={one === order}>
                  {labels[one]}
                </option>
              ))}
            </select>
          </div>
        )}
        <div id="kept-filters" data-found hidden>
          {filter && <input type="hidden" name="state" value={filter} />}
          {tag !== undefined && <input type="hidden" name="tag" value={tag} />}
        </div>
        <button type="submit">{order === undefined ? 'Search' : 'Show'}</button>
      </form>
    </search>
  )
}
