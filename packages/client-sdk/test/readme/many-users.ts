import KeyvRedis from '@keyv/redis'
import { createPosrep } from '@posrep/client-sdk'
import { keyvTokenStore } from '@posrep/client-sdk/keyv'
import { Keyv } from 'keyv'

const redis = { url: 'redis://127.0.0.1:6379', disableOfflineQueue: true, socket: { socketTimeout: 2_000 } }
const keyv = new Keyv({ store: new KeyvRedis(redis) })

/** The user of one web session: create it for each request. */
export const posrepOf = (webSessionId: string) =>
  createPosrep({
    origin: 'https://localhost:8443',
    clientId: 'map-view',
    clientSecret: process.env.POSREP_SECRET,
    redirectUri: 'https://localhost:9443/callback',
    tokenStore: keyvTokenStore({ keyv, key: webSessionId }),
  })
