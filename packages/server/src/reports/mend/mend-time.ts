/**
 * Adds leading zeros that are missing in a time, as in `2026-1-7T9:05:3Z`.
 * In: the text of a time. Out: the same time with all zeros; every other text is returned unchanged.
 */
export function mendTime(time: string): string {
  if (completeUtc.test(time)) return time
  const [, year, month, day, t, hour, minute, second, rest = '', sign = '', offsetHour, offsetRest = ''] =
    unpadded.exec(time) ?? []
  if (year === undefined) return time
  const offset = sign && `${sign}${two(offsetHour)}${offsetRest}`
  return `${year}-${two(month)}-${two(day)}${t}${two(hour)}:${two(minute)}:${two(second)}${rest}${offset}`
}

/** The form of nearly every time. */
const completeUtc = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?[Zz]$/

const unpadded =
  /^(\d{4})-(\d\d?)-(\d\d?)([Tt])(\d\d?):(\d\d?):(\d\d?)((?:\.\d+)?[Zz]?)(?:(?<![Zz])([+-])(\d\d?)(:\d\d))?$/

function two(figures = ''): string {
  return figures.padStart(2, '0')
}
