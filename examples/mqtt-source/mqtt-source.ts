/**
 * A source of your own: positions from an MQTT broker.
 * In: the broker's URL and a topic whose messages are JSON positions. Out: a source for `runSource()`. The client
 * connects again by itself; a message is acknowledged after the spool has stored its position, so that the broker keeps
 * it until then (QoS 1).
 */
import { defineSource, type Source } from '@posrep/sensor-agent/sources'
import { connectAsync, type IPublishPacket } from 'mqtt'

export function mqttSource(url: string, topic: string): Source {
  return defineSource(`MQTT ${topic}`, async ({ reportJson, state, signal }) => {
    // With a session that is kept, the broker stores what arrives while the gateway is away.
    const client = await connectAsync(url, { clientId: 'posrep-gateway', clean: false })
    client.on('reconnect', () => state('connecting again'))
    client.handleMessage = ({ payload }: IPublishPacket, acknowledge) => {
      // A message that is not a position is counted, and acknowledged: the broker would send it for ever.
      reportJson(payload.toString(), topic).then(() => acknowledge(), acknowledge)
    }
    await client.subscribeAsync(topic, { qos: 1 })
    state('subscribed')
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    await client.endAsync()
  })
}
