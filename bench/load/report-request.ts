/**
 * An HTTP request with a report, created once and changed in place: each request has different ids, times, coordinates
 * and heights, so that no contender profits from duplicates, and the load generator does not serialise JSON.
 * In: the host, the device, the number of positions. Out: the bytes, and a function that changes them.
 */

/** A sensor with its access token. */
export interface Device {
  sensorId: string
  token: string
}

export interface ReportRequest {
  bytes: Buffer
  /** Gives every position a new id, time and coordinates. */
  vary(request: number): void
}

export interface ReportRequestOptions {
  host: string
  device: Device
  positions: number
  /** Prefix that makes ids unique across connections and runs. */
  prefix: string
}

/** A mark in the template, and the number whose last digits replace it. */
const varied: Record<string, (request: number, position: number) => number> = {
  '#': (request) => request,
  '|': (request) => Math.floor(request / 600) % 60,
  '%': (request) => Math.floor(request / 10) % 60,
  '~': (request, position) => (request % 10) * 100 + (position % 100),
  '@': (request, position) => request * 7_919 + position * 131,
  '^': (request, position) => request * 104_729 + position * 173,
  $: (request, position) => request + position,
}

interface Slot {
  offset: number
  length: number
  position: number
  numberOf(request: number, position: number): number
}

export function createReportRequest({ host, device, positions, prefix }: ReportRequestOptions): ReportRequest {
  const body = `{"sensor":{"id":"${device.sensorId}","pressure":1013.25},"positions":[${Array.from({ length: positions }, (_, position) => toPosition(prefix, position)).join(',')}]}`
  const head = [
    'POST /v1/position-reports HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Bearer ${device.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ].join('\r\n')
  const text = `${head}\r\n\r\n${body}`
  const bytes = Buffer.from(text, 'latin1')
  const slots = toSlots(text, text.length - body.length)
  return {
    bytes,
    vary(request) {
      for (const { offset, length, position, numberOf } of slots) {
        // Uses small integers for speed: this runs several thousand times for a request with 100 positions.
        let rest = (numberOf(request, position) % 1_000_000_000) | 0
        for (let digit = offset + length - 1; digit >= offset; digit--) {
          const next = (rest / 10) | 0
          bytes[digit] = 48 + rest - next * 10
          rest = next
        }
      }
    },
  }
}

/** A position with all values that the map needs and those of an ADS-B receiver; each position has another aircraft. */
function toPosition(prefix: string, position: number): string {
  const icao = (0x461000 + position).toString(16)
  const day = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 'YYYY-MM-DDTHH'.length)
  return [
    `{"id":"${prefix}-${icao}-#########","sourceTimeStamp":"${day}:||:%%.~~~Z"`,
    `"target":{"sourceId":"${icao}","type":"aa:target:aircraft","confidence":99,"ids":[{"id":"${icao.toUpperCase()}","type":"ICAO"},{"id":"FIN${100 + position}","type":"CallSign"}]}`,
    `"position":{"lat":60.@@@@@,"lon":24.^^^^^,"accuracy":92.6,"source":"adsb","age":0.4}`,
    `"altitudes":[{"height":9$$.02,"datum":"bar"},{"height":9$$.88,"datum":"wgs84"}]`,
    `"groundVelocity":{"x":-46.1,"y":55.2,"z":-3.58,"source":"adsb"},"onGround":false,"heading":320.1}`,
  ].join(',')
}

function toSlots(text: string, bodyStart: number): Slot[] {
  let position = -1
  return [...text.slice(bodyStart).matchAll(/#+|\|+|%+|~+|@+|\^+|\$+/g)].map(({ 0: marks, index }) => {
    const mark = marks.charAt(0)
    if (mark === '#') position++
    const numberOf = varied[mark]
    if (!numberOf) throw new Error(`Unknown mark "${mark}" in the template`)
    return { offset: bodyStart + index, length: marks.length, position, numberOf }
  })
}
