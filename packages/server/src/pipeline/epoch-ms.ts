/**
 * The time that a report gives.
 * In: a `sourceTimeStamp` that is valid by the document. Out: ms since the epoch; fractions of a ms are kept.
 */
const form = /^(.{17})(\d\d)(\.\d+)?(.*)$/

export function toEpochMs(time: string): number {
  const [, minute = '', second = '', fraction = '', offset] = form.exec(time) ?? []
  // As most clocks do, a leap second counts as the second before it. A time without an offset is UTC.
  const wholeMs = Date.parse(`${minute}${second === '60' ? '59' : second}${offset || 'Z'}`.toUpperCase())
  // `Date.parse` would cut the fraction to 3 digits.
  return fraction === '' ? wholeMs : wholeMs + Number(`${fraction}e3`)
}
