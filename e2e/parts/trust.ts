/** Makes the global fetch of this process trust a development CA, as NODE_EXTRA_CA_CERTS would at its start. */
import tls from 'node:tls'

export function trust(ca: string): void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ca])
}
