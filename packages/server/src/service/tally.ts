/**
 * A counter for what happens with every request: a number is added to here, and Prometheus' own counter, whose labels cost
 * more than that, hears of it when it is read.
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
