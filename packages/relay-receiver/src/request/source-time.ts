/** Reads `sourceTimeStamp`. In: RFC 3339 with or without an offset. Out: ms since the epoch. */

/** A time without an offset is UTC. Date does not support leap seconds, so :60 is read as :59. */
export function toMs(sourceTimeStamp: string): number {
  const time = sourceTimeStamp.toUpperCase().replace(':60', ':59')
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`)
}
