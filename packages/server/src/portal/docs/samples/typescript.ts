/**
 * A call of an operation with the client SDK.
 * In: the operation, the request that other samples send, the origins of the service. Out: a module.
 */
import type { Origins } from '../../../http/operation/openapi-document.ts'
import type { Operation } from '../reference.ts'
import type { SampleRequest } from './sample-request.ts'

interface Call {
  /** More lines with what is imported. */
  imports?: string[]
  lines: string[]
}

export function toTypeScript(operation: Operation, request: SampleRequest, origins: Origins): string {
  const { imports = [], lines } = toCall(operation, request)
  return [
    "import { createPosrep } from '@posrep/client-sdk'",
    ...imports,
    '',
    'const posrep = createPosrep({',
    ...toOriginOptions(origins).map((option) => `  ${option},`),
    "  clientId: 'map-view',",
    "  redirectUri: 'https://localhost:9443/callback',",
    '})',
    ...(operation.token === 'user' ? ['// After the sign-in, see "authorize".'] : []),
    ...lines,
  ].join('\n')
}

function toOriginOptions({ auth, ingest, ui }: Origins): string[] {
  if (auth === ingest && auth === ui) return [`origin: '${auth}'`]
  return [`authOrigin: '${auth}'`, `ingestOrigin: '${ingest}'`, `uiOrigin: '${ui}'`]
}

function toCall({ id, method, path, parameters, token, server, tag }: Operation, { json }: SampleRequest): Call {
  const own = ownCalls[id]
  if (own) return own(json)
  const quoted = (place: string) =>
    parameters.flatMap(({ in: at, required, name, example }) =>
      at === place && required ? [{ name, text: `'${example}'` }] : [],
    )
  if (token === undefined) {
    const query = quoted('query').map(({ name, text }) => `${name}: ${text}`)
    const options = [
      `baseUrl: '${server}'`,
      ...(query.length > 0 ? [`params: { query: { ${query.join(', ')} } }`] : []),
    ]
    return {
      lines: [`const { data } = await posrep.raw.${method}('${path}', { ${options.join(', ')} })`, 'console.log(data)'],
    }
  }
  const inputs = [...quoted('path').map(({ text }) => text), ...(json === undefined ? [] : [toLiteral(json)])]
  const isAir = tag === 'Air'
  return {
    ...(isAir && { imports: ["import { createAir } from '@posrep/client-sdk/air'"] }),
    lines: [`console.log(await ${isAir ? 'createAir(posrep)' : 'posrep'}.${id}(${inputs.join(', ')}))`],
  }
}

/** The operations whose call is not named and shaped like the operation. */
const ownCalls: Partial<Record<string, (json: unknown) => Call>> = {
  authorize: () => ({
    lines: ['if (!(await posrep.handleCallback())) await posrep.signIn({ returnTo: location.href })'],
  }),
  issueToken: () => ({
    lines: ['// Exchanges the code of the callback; later calls refresh the tokens.', 'await posrep.handleCallback()'],
  }),
  revokeToken: () => ({ lines: ['await posrep.signOut()'] }),
  signOut: () => ({
    imports: ["import { signOutAtService } from '@posrep/client-sdk/sign-out'"],
    lines: ['await signOutAtService(posrep)'],
  }),
  followAir: () => ({
    imports: ["import { followAir } from '@posrep/client-sdk/air'"],
    lines: ["for await (const { tracks } of followAir(posrep)) console.log(tracks.size, 'targets')"],
  }),
  updateRelay: (json) => ({
    lines: [`console.log(await posrep.updateRelay('${deviceUrn}', { url: ${urlOf(json)}, state: 'Active' }))`],
  }),
  changeRelayAddress: (json) => ({
    lines: [`console.log(await posrep.changeRelayAddress('${deviceUrn}', ${urlOf(json)}))`],
  }),
  createPairingRequest: () => ({ lines: [`console.log(await posrep.createPairingRequest('${deviceUrn}'))`] }),
  createSensorRequests: (json) => ({
    // The example of the body is a list of sensors in an object.
    lines: [`await posrep.createSensorRequests(${toLiteral((json as { sensors: unknown }).sensors)})`],
  }),
  submitPositionReport: (json) => ({
    lines: [
      "const deviceToken = process.env.POSREP_TOKEN ?? ''",
      `await posrep.submitPositionReport(${toLiteral(json)}, { deviceToken })`,
    ],
  }),
}

const deviceUrn = 'urn:aa:device:acme:roof1'

/** The example's address. */
const urlOf = (json: unknown) => `'${(json as { url: string }).url}'`

/** JSON with keys and texts as our sources have them. */
function toLiteral(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
    .replaceAll(/^( *)"(\w+)":/gm, '$1$2:')
    .replaceAll(/"([^"'\\]*)"/g, "'$1'")
}
