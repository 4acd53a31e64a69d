/**
 * Adds leading zeros that are missing in a time, as in `2026-1-7T9:05:3Z`.
 * In: the text of a time. Out: the same time with all zeros; a text with any other mistake is returned unchanged.
 */
export function mendTime(time: string): string {
  if (isPadded(time)) return time
  const [, year, month, day, t, hour, minute, second, rest = '', sign = '', offsetHour, offsetRest = ''] =
    unpadded.exec(time) ?? []
  if (year === undefined) return time
  const offset = sign && `${sign}${two(offsetHour)}${offsetRest}`
  return `${year}-${two(month)}-${two(day)}${t}${two(hour)}:${two(minute)}:${two(second)}${rest}${offset}`
}

const unpadded =
  /^(\d{4})-(\d\d?)-(\d\d?)([Tt])(\d\d?):(\d\d?):(\d\d?)((?:\.\d+)?[Zz]?)(?:(?<![Zz])([+-])(\d\d?)(:\d\d))?$/

function two(figures = ''): string {
  return figures.padStart(2, '0')
}

const dash = 0x2d
const colon = 0x3a
const point = 0x2e
/** The bit that differs between the cases of a letter. */
const lower = 0x20
const z = 0x7a

/** Whether the separators are where they are in a UTC time with all zeros, as in nearly every time. */
function isPadded(time: string): boolean {
  const end = time.charCodeAt(19)
  return (
    time.charCodeAt(7) === dash &&
    time.charCodeAt(13) === colon &&
    time.charCodeAt(16) === colon &&
    (end === point || (end | lower) === z) &&
    (time.charCodeAt(time.length - 1) | lower) === z
  )
}
