/** The default fetch of the agent. The network is loaded at the first request, and shared by all that use it. */
import type { Fetch } from '../ports.ts'
import type { Network } from './network.ts'

let network: Promise<Network> | undefined

export const systemFetch: Fetch = async (request) => {
  network ??= import('./network.ts').then(({ createNetwork }) => createNetwork())
  return (await network).fetch(request)
}
