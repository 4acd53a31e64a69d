/**
 * A time whose figures lack their leading zeros, as `2026-1-7T9:05:3Z`.
 * In: the text of a time. Out: the same time as the document writes it; what lacks more than zeros is left as it is.
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

/** In UTC and with all its zeros, as nearly every time is. */
function isPadded(time: string): boolean {
  return (
    /[Zz]$/.test(time) &&
    time[7] === '-' &&
    time[10]?.toUpperCase() === 'T' &&
    time[13] === ':' &&
    time[16] === ':' &&
    /[.Zz]/.test(time[19] ?? '')
  )
}
