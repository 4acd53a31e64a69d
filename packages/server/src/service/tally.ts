/**
 * A counter for events of every request. It adds to a number in a map, which is cheaper than prom-client's counter with
 * labels, and passes the sum to prom-client when metrics are read.
 */
import { Counter, type Registry } from 'prom-client'

export interface TallyOptions {
  name: string
  help: string
  label: string
  registry: Registry
}

export function createTally<V extends string>({
  name,
  help,
  label,
  registry,
}: TallyOptions): (value: V, count: number) => void {
  const counts = new Map<V, number>()
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      for (const [value, count] of counts) this.inc({ [label]: value }, count)
      counts.clear()
    },
  })
  return (value, count) => void counts.set(value, (counts.get(value) ?? 0) + count)
}
