/** Relays for a measurement, in a process of their own. In: how many, and what each is to get. Out: where they are. */
import { fileURLToPath } from 'node:url'
import { type ContenderProcess, startProcess } from './start-process.ts'

export interface RelayMessages {
  relays: number
  /** Of each relay. */
  messages: number
}

export interface RelaySink {
  control: string
  /** Resolves when so many messages are held back. */
  holds(count: number): Promise<void>
  /** Forgets what came; from here on it holds back. */
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
        if (performance.now() > endAt) throw new Error(`The sink holds ${held} messages, and should hold ${count}`)
      }
    },
  }
}

export function toRelayUrl(port: number, relay: number): string {
  return `https://localhost:${port}/relay/${relay}`
}

/** @param number The place among the messages of its relay, by which the sink knows it again. */
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
