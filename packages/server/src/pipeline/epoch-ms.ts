/**
 * The moment that a report names.
 * In: a `sourceTimeStamp` that holds to the document. Out: ms since the epoch, with what was given beyond them as fraction.
 * No offset is UTC. A leap second counts as the second before it, as most clocks have it.
 */
export function toEpochMs(time: string): number {
  const seconds =
    daysSinceEpoch(digits(time, 0, 4), digits(time, 5, 7), digits(time, 8, 10)) * 86_400 +
    digits(time, 11, 13) * 3_600 +
    digits(time, 14, 16) * 60 +
    Math.min(digits(time, 17, 19), 59)
  // Seconds, and `Z` or nothing.
  if (time.length <= 20) return seconds * 1_000
  let end = 19
  let fraction = 0
  if (time.charCodeAt(end) === dot) {
    for (end++; isDigit(time.charCodeAt(end)); end++) fraction = fraction * 10 + time.charCodeAt(end) - zero
  }
  const ms = fraction === 0 ? 0 : (fraction * 1_000) / 10 ** (end - 20)
  return (seconds - offsetSeconds(time, end)) * 1_000 + ms
}

const zero = 0x30
const dot = 0x2e
const plus = 0x2b
const minus = 0x2d

function isDigit(code: number): boolean {
  return code >= zero && code <= zero + 9
}

function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) value = value * 10 + text.charCodeAt(at) - zero
  return value
}

function offsetSeconds(time: string, at: number): number {
  const sign = time.charCodeAt(at)
  if (sign !== plus && sign !== minus) return 0
  const seconds = digits(time, at + 1, at + 3) * 3_600 + digits(time, at + 4, at + 6) * 60
  return sign === plus ? seconds : -seconds
}

/** Of the proleptic Gregorian calendar. Years begin in March here, so that the leap day is the last of its year. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const years = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return years * 365 + Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400) + dayOfYear - 719_468
}
