/**
 * Converts the time that a report gives.
 * In: a `sourceTimeStamp` that is valid by the document. Out: ms since the epoch; fractions of a ms are kept.
 */
export function toEpochMs(time: string): number {
  // Nearly every time has this form, which `Date.parse` reads exactly.
  if (time.length === 24 && time.endsWith('Z') && time[17] !== '6') return Date.parse(time)
  const [, minute = '', second = '', fraction = '', offset] = form.exec(time) ?? []
  // As most clocks do, a leap second counts as the second before it. A time without an offset is UTC.
  const wholeMs = Date.parse(`${minute}${second === '60' ? '59' : second}${offset || 'Z'}`.toUpperCase())
  // `Date.parse` would cut the fraction to 3 digits.
  return fraction === '' ? wholeMs : wholeMs + Number(`${fraction}e3`)
}

const form = /^(.{17})(\d\d)(\.\d+)?(.*)$/
