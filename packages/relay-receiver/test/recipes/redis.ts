import KeyvRedis from '@keyv/redis'
import { relayReceiver } from '@posrep/relay-receiver/express'
import { keyvStore } from '@posrep/relay-receiver/keyv'
import { Keyv } from 'keyv'

const redis = new KeyvRedis({ url: 'redis://localhost:6379', disableOfflineQueue: true })

export const receiver = relayReceiver({
  from: 'https://localhost:8443',
  clientParts: ['demo'],
  store: keyvStore({ keyv: new Keyv({ store: redis, namespace: 'relay' }), ttlMs: 48 * 3_600_000 }),
  onReport: (report) => console.log(report.positions.length),
})
