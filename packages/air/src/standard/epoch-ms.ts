/**
 * Converts the time of a position.
 * In: a valid `sourceTimeStamp`. Out: ms since the epoch; fractions of a ms are kept.
 */
export function toEpochMs(time: string): number {
  // Nearly every time has this form, which `Date.parse` reads exactly.
  if (time.length === 24 && time.endsWith('Z') && time[17] !== '6') return Date.parse(time)
  const [minute, second, rest] = [time.slice(0, 17), time.slice(17, 19), time.slice(19)]
  const [fraction] = /^(?:\.\d+)?/.exec(rest) ?? ['']
  const offset = rest.slice(fraction.length)
  // A leap second counts as the second before it, as on most clocks. A time without an offset is UTC.
  const wholeMs = Date.parse(`${minute}${second === '60' ? '59' : second}${offset || 'Z'}`.toUpperCase())
  // `Date.parse` would truncate the fraction to 3 digits.
  return fraction === '' ? wholeMs : wholeMs + Number(`${fraction}e3`)
}
