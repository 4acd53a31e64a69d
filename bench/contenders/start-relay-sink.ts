/**
 * Starts the relays of a measurement in a separate process. In: the number of relays and messages. Out: their
 * addresses.
 */
import { fileURLToPath } from 'node:url'
import { type ContenderProcess, startProcess } from './start-process.ts'

export interface RelayMessages {
  relays: number
  /** Messages per relay. */
  messages: number
}

export interface RelaySink {
  control: string
  /** Resolves when this number of messages is held back. */
  holds(count: number): Promise<void>
  /** Resets the sink, which holds back answers from now on. */
  hold(): Promise<void>
  stop: ContenderProcess['stop']
}

export interface RelaySinkOptions extends RelayMessages {
  port: number
  certFile: string
  keyFile: string
}

const waitAtMostMs = 10_000

export async function startRelaySink(options: RelaySinkOptions): Promise<RelaySink> {
  const { port, certFile, keyFile, relays, messages } = options
  const program = fileURLToPath(new URL('relay-sink.ts', import.meta.url))
  const flags = { port, cert: certFile, key: keyFile, relays, messages }
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)])
  const { ready, stop } = await startProcess(program, args)
  const control = String(ready.control)
  return {
    control,
    stop,
    async hold() {
      await fetch(`${control}/hold`, { method: 'POST' })
    },
    async holds(count) {
      const endAt = performance.now() + waitAtMostMs
      for (;;) {
        const held = Number(await (await fetch(`${control}/held`)).text())
        if (held >= count) return
        if (performance.now() > endAt) throw new Error(`The sink holds ${held} messages, expected ${count}`)
      }
    },
  }
}

export function toRelayUrl(port: number, relay: number): string {
  return `https://localhost:${port}/relay/${relay}`
}

/** @param number The number of the message within its relay; the sink checks it. */
export function toReport(relay: number, number: number): string {
  const sourceTimeStamp = new Date(Date.now() - 3_600_000 + number).toISOString()
  const icao = (0x461000 + (number % 100)).toString(16)
  return [
    `{"sensor":{"id":"roof${relay}","pressure":1013.25},"positions":[{"id":"message-${number}","sourceTimeStamp":"${sourceTimeStamp}"`,
    `"target":{"sourceId":"${icao}","type":"aa:target:aircraft","confidence":99,"ids":[{"id":"${icao.toUpperCase()}","type":"ICAO"}]}`,
    `"position":{"lat":60.31851,"lon":24.96218,"accuracy":92.6,"source":"adsb","age":0.4}`,
    `"altitudes":[{"height":914.02,"datum":"bar"},{"height":933.88,"datum":"wgs84"}]`,
    `"groundVelocity":{"x":-46.1,"y":55.2,"z":-3.58,"source":"adsb"},"onGround":false,"heading":320.1}]}`,
  ].join(',')
}
