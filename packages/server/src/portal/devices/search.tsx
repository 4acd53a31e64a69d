/** The search form of a device list, with a choice of order if the list has several. */
import { type DeviceOrder, deviceOrders } from './device-order.ts'

export interface SearchProps {
  path: string
  name: string
  search: string
  /** The chosen order. Default: no choice is offered. */
  order?: DeviceOrder
  matching: number
}

const labels: Record<DeviceOrder, string> = {
  id: 'ID',
  name: 'Name',
  report: 'Last report, newest first',
  relay: 'Relay, Failed first',
}

export function Search({ path, name, search, order, matching }: SearchProps) {
  return (
    <search>
      <form class="search" method="get" action={path}>
        <div class="field">
          <label for="search">Name or ID</label>
          <input id="search" name={name} type="search" value={search} maxLength={300} autocomplete="off" />
        </div>
        {order !== undefined && (
          <div class="field">
            <label for="sort">Sort by</label>
            <select id="sort" name="sort">
              {deviceOrders.map((one) => (
                <option key={one} value={one} selected={one === order}>
                  {labels[one]}
                </option>
              ))}
            </select>
          </div>
        )}
        <button type="submit">{order === undefined ? 'Search' : 'Show'}</button>
        {search !== '' && (
          <p class="quiet">
            {matching} {matching === 1 ? 'device matches' : 'devices match'} · <a href={path}>Show all</a>
          </p>
        )}
      </form>
    </search>
  )
}
