/** The arrows of ARCHITECTURE.md: who may import whom. What is not drawn there fails here. */

const packages = ['spec', 'client-sdk', 'sensor-agent', 'relay-receiver', 'air', 'server']

/** Package → the other packages that it may import. */
const betweenPackages = {
  spec: [],
  'client-sdk': ['spec'],
  'sensor-agent': ['spec'],
  'relay-receiver': ['spec'],
  air: ['spec'],
  server: ['spec', 'air'],
}

/** Rooms of the server that may import each other, one way. */
const betweenRooms = {
  identity: ['devices', 'web'],
  devices: [],
  pairing: ['devices', 'identity'],
  reports: ['devices'],
  pipeline: ['devices', 'relays', 'reports', 'logs', 'air'],
  air: ['devices', 'logs', 'reports'],
  // The id of a relay message is made of the names of its report.
  relays: ['devices', 'reports', 'logs'],
  logs: [],
  service: [],
  web: [],
  // A client of the identity provider: it recognises the provider's errors and calls everything else through the
  // operations.
  portal: ['identity', 'web'],
  // Device tools set relays and start pairing as the API does.
  admin: ['devices', 'identity', 'pairing', 'relays', 'web'],
  demo: ['service'],
}
const rooms = Object.keys(betweenRooms)
const anyOf = (names) => `(?:${names.join('|')})`

const packageRules = Object.entries(betweenPackages).map(([from, to]) => ({
  name: `${from} imports ${to.join(', ') || 'no other package'}`,
  severity: 'error',
  from: { path: `^packages/${from}/src`, ...(from === 'server' && { pathNot: '^packages/server/src/demo' }) },
  to: { path: `^packages/${anyOf(packages.filter((name) => name !== from && !to.includes(name)))}/` },
}))

const roomRules = Object.entries(betweenRooms).map(([from, to]) => ({
  name: `room ${from} imports ${to.join(', ') || 'no other room'}`,
  severity: 'error',
  from: { path: `^packages/server/src/${from}/` },
  to: { path: `^packages/server/src/${anyOf(rooms.filter((name) => name !== from && !to.includes(name)))}/` },
}))

const server = (path) => `^packages/server/src/${path}`

export default {
  forbidden: [
    ...packageRules,
    ...roomRules,
    {
      name: 'the demo uses no client SDK',
      severity: 'error',
      from: { path: server('demo/') },
      to: { path: `^packages/${anyOf(['client-sdk'])}/` },
    },
    {
      name: 'identity/people imports no pages, and identity/pages no code that answers with them',
      severity: 'error',
      from: { path: server('identity/(people|pages)/') },
      to: {
        path: server('identity/(?:pages|authorize|account\\.ts|page-router\\.ts)'),
        pathNot: server('identity/$1/'),
      },
    },
    {
      name: 'rooms import no adapter and nothing of the composition',
      severity: 'error',
      from: { path: server(`${anyOf(rooms.filter((name) => name !== 'demo'))}/`) },
      to: {
        path: server('(?:adapters|composition|settings|seed|bin)/|^packages/server/src/[a-z-]+\\.ts$'),
        pathNot: server('(?:errors|secrets)\\.ts$'),
      },
    },
    {
      name: 'the shared parts of pages import errors only',
      severity: 'error',
      from: { path: server('pages/') },
      to: { path: server(''), pathNot: server('(?:pages/|errors\\.ts$)') },
    },
    {
      name: 'http imports ports, concurrency and errors only',
      severity: 'error',
      from: { path: server('http/') },
      to: { path: server(''), pathNot: server('(?:http/|ports/|concurrency/|errors\\.ts$)') },
    },
    {
      name: 'adapters import ports, concurrency and errors only',
      severity: 'error',
      from: { path: server('adapters/') },
      to: { path: server(''), pathNot: server('(?:adapters/|ports/|concurrency/|errors\\.ts$)') },
    },
    {
      name: 'the database file imports no adapter that uses it',
      severity: 'error',
      from: { path: server('adapters/sqlite/database/') },
      to: { path: server('adapters/'), pathNot: server('adapters/sqlite/database/') },
    },
    {
      name: 'settings import ports, errors, and types of http and devices only',
      severity: 'error',
      from: { path: server('settings/') },
      to: {
        path: server(''),
        pathNot: server('(?:settings/|ports/|http/operation/operation\\.ts$|devices/local-id\\.ts$|errors\\.ts$)'),
      },
    },
    {
      name: 'concurrency imports errors only',
      severity: 'error',
      from: { path: server('concurrency/') },
      to: { path: server(''), pathNot: server('(?:concurrency/|errors\\.ts$)') },
    },
    {
      name: 'contracts import ports only',
      severity: 'error',
      from: { path: server('contracts/') },
      to: { path: server(''), pathNot: server('(?:contracts/|ports/)') },
    },
    {
      name: 'ports import ports and errors only',
      severity: 'error',
      from: { path: server('ports/') },
      to: { path: server(''), pathNot: server('(?:ports/|errors\\.ts$)') },
    },
    {
      name: 'no journey and no measurement reaches into a package',
      severity: 'error',
      from: { path: '^(?:e2e|bench)/' },
      // Its published entry points, as they stand beside each other in the sources.
      to: {
        path: '^packages/[^/]+/src/',
        pathNot: [
          `^packages/[^/]+/src/${anyOf(['index', 'contracts?', 'sources', 'file-spool', 'network', 'validators', 'msw', 'fakes', 'operations', 'device-urn', 'popup', 'sign-out', 'watch', 'lists', 'air', 'alerts', 'altitudes', 'correlation', 'formats', 'map', 'standard', 'words', 'indexed-db', 'file', 'keyv', 'testing'])}\\.ts$`,
          '^packages/relay-receiver/src/(?:adapters/(?:express|node)|stores/keyv|testing/testing)\\.ts$',
        ],
      },
    },
    {
      name: 'what runs in browsers imports nothing of node',
      severity: 'error',
      from: {
        path: '^packages/(?:spec|client-sdk|relay-receiver|air)/src/',
        pathNot: [
          '^packages/relay-receiver/src/(?:adapters|bin|outputs)/',
          '^packages/client-sdk/src/stores/(?:file|token-store-contract)\\.ts$',
        ],
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'what runs in browsers imports only those files of the kernel that need no node',
      severity: 'error',
      from: {
        path: '^packages/(?:spec|client-sdk|relay-receiver)/src/',
        pathNot: ['^packages/relay-receiver/src/(?:bin|outputs)/', '^packages/client-sdk/src/stores/file\\.ts$'],
      },
      to: {
        path: '^kernel/',
        pathNot:
          '^kernel/src/(?:abortable|gathered-bytes|innermost-error|keep-signal|scan-json|sleep|with-deadline)\\.ts$',
      },
    },
    {
      name: 'the kernel imports no package',
      severity: 'error',
      from: { path: '^kernel/' },
      to: { path: '^packages/' },
    },
    { name: 'no circle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing that cannot be found', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no development dependency in what is published',
      severity: 'error',
      from: { path: '^packages/[^/]+/src' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:/dist/|/dist-sea/|/generated/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['@posrep/source', 'import', 'node', 'types', 'default'],
      exportsFields: ['exports'],
    },
  },
}
