/**
 * Converts a receiver's local time.
 * In: `2026/01/07` and `06:32:45.006` in a time zone. Out: ms since the Unix epoch, NaN if it is not a valid date.
 * A local time that occurs twice at the end of summer time means the first one.
 */

/** @throws RangeError when the time zone does not exist. */
export function createWallTime(timeZone: string): (date: string, time: string) => number {
  const offsetMsAt = createOffset(timeZone)
  return (date, time) => {
    const utcMs = toUtcMs(date, time)
    if (Number.isNaN(utcMs)) return utcMs
    // Near a change of the offset, try the offset of the day before, then the one of the day after.
    const earlier = utcMs - offsetMsAt(utcMs - 86_400_000)
    return earlier + offsetMsAt(earlier) === utcMs ? earlier : utcMs - offsetMsAt(utcMs + 86_400_000)
  }
}

function toUtcMs(date: string, time: string): number {
  const day = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(date)
  const clock = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,3})\d*)?$/.exec(time)
  if (!day || !clock) return Number.NaN
  // Some receivers write a single digit.
  const [month, dayOfMonth, hour, minute, second] = [day[2], day[3], clock[1], clock[2], clock[3]].map(toTwoDigits)
  const text = `${day[1]}-${month}-${dayOfMonth}T${hour}:${minute}:${second}.${(clock[4] ?? '').padEnd(3, '0')}Z`
  const ms = Date.parse(text)
  // Date.parse reads 30 February as 2 March, so the result is compared with the text.
  return Number.isNaN(ms) || new Date(ms).toISOString() !== text ? Number.NaN : ms
}

function toTwoDigits(number = ''): string {
  return number.padStart(2, '0')
}

function createOffset(timeZone: string): (epochMs: number) => number {
  // The tables of time zones take some megabytes of memory.
  if (timeZone === 'UTC') return () => 0
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (format.resolvedOptions().timeZone === 'UTC') return () => 0
  // Offsets change only at full quarters of an hour, so they are cached: formatting each line is slow.
  const quarterMs = 15 * 60_000
  const known = new Map<number, number>()
  return (epochMs) => {
    const quarter = Math.floor(epochMs / quarterMs)
    const offset = known.get(quarter) ?? offsetOf(format, quarter * quarterMs)
    if (known.size > 1_000) known.clear()
    known.set(quarter, offset)
    return offset
  }
}

function offsetOf(format: Intl.DateTimeFormat, epochMs: number): number {
  const part = Object.fromEntries(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) - epochMs
}
