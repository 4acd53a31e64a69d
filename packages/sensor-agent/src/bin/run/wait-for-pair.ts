/**
 * Pairs a sensor that has no identity, from the start of the run on: Pair in the portal holds for a minute, and the
 * first position may come later.
 * In: the pairing, the signal that stops the run. Out: nothing; what keeps the service from pairing it is an alarm, and
 * is tried again.
 */
import { AgentError, toReason } from '../../errors.ts'
import { backoffMs } from '../../http/backoff.ts'
import { systemClock, systemRandom } from '../../ports.ts'
import type { PairingTokenSource } from '../../tokens/pairing.ts'
import type { Output } from '../output.ts'
import type { Monitor } from './monitor.ts'

export async function waitForPair(
  pairing: PairingTokenSource,
  stop: AbortSignal,
  { monitor, output, onAlarm }: { monitor: Monitor; output: Output; onAlarm(error: AgentError): void },
): Promise<void> {
  for (let attempt = 0; !stop.aborted; attempt += 1) {
    try {
      const { sensorId } = await pairing.pair(stop)
      monitor.paired()
      output.event('paired', `paired as ${sensorId}`, { sensorId })
      return
    } catch (cause) {
      if (stop.aborted) return
      onAlarm(
        cause instanceof AgentError
          ? cause
          : new AgentError('token_unavailable', `No device token: ${toReason(cause)}`, { cause }),
      )
      await systemClock.sleep(backoffMs(attempt, systemRandom), stop)
    }
  }
}
