/**
 * Lua that reads a page of a stream whose entries may be large. The scripts of a log and of recent reports share it.
 */

/** Size limit of a page. The entry that reaches it is still returned. */
const mostBytes = 2 * 1024 * 1024

/**
 * `sizeOf(field, text)`: the size of an entry's body. `field` is `name` if the text is the name of a body, which ends
 * with its size.
 */
export const bodySize = `
local function sizeOf(field, text)
  if field == 'name' then return tonumber(string.match(text, ':(%d+)$')) end
  return #text
end
`

/**
 * `readPage(most, textAt, read)` returns up to `most` entries. `read(count, last)` reads `count` entries after the id
 * `last`, which is nil at first, one entry first, because the entries may be large. `textAt` is the index of an entry's
 * text, after its field. `room` is the rest of the size limit; `limitPage` sets another limit.
 */
export const paging = `${bodySize}
local pageBytes = ${mostBytes}
local room = pageBytes
local function limitPage(bytes) pageBytes, room = bytes, bytes end
local function readPage(most, textAt, read)
  local found, count = {}, 1
  while #found < most and room > 0 do
    count = math.min(count, most - #found)
    local entries = read(count, found[#found] and found[#found][1])
    for _, entry in ipairs(entries) do
      found[#found + 1] = entry
      room = room - sizeOf(entry[2][textAt - 1], entry[2][textAt])
      if room <= 0 then return found end
    end
    if #entries < count then break end
    count = math.max(1, math.floor(room * #found / math.max(1, pageBytes - room)))
  end
  return found
end
`
