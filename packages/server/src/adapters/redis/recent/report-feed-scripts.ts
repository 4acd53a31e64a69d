/** The scripts for the feed of reports; `recent-scripts.ts` describes the keys. They write nothing. */
import { recentPageBytes } from '../../../ports/storage/recent-reports.ts'
import { createReadScript } from '../link/script.ts'
import { paging } from '../link/stream-pages.ts'
import { recentKeyNames } from './recent-scripts.ts'

/** ARGV: a time. Returns the devices that may have reports since then. */
export const recentDevicesScript = createReadScript(`${recentKeyNames}
return redis.call('ZRANGEBYSCORE', devices, take(), '+inf')`)

/** ARGV: devices. Returns the id of the last entry of each device's stream, or an empty text. */
export const lastEntriesScript = createReadScript(`${recentKeyNames}
local ids = {}
for n = 1, #ARGV - 1 do
  local last = redis.call('XREVRANGE', reportsOf(take()), '+', '-', 'COUNT', 1)[1]
  ids[n] = last and last[1] or ''
end
return ids`)

/**
 * ARGV: per device: its name, and the id after which to start or an empty text. Returns a page of entries of each
 * device, oldest first.
 */
export const laterReportsScript = createReadScript(`${recentKeyNames}${paging}
limitPage(${recentPageBytes})
local pages = {}
for n = 1, (#ARGV - 1) / 2 do
  local reports, after = reportsOf(take()), take()
  pages[n] = readPage(100, 8, function(count, last)
    local from = last or after
    return redis.call('XRANGE', reports, from == '' and '-' or '(' .. from, '+', 'COUNT', count)
  end)
end
return pages`)
