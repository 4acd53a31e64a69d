/**
 * The specification's tables, written by hand from the specification and from the decisions for what it leaves open.
 * Never derive a row from openapi/: the table exists to check openapi/.
 */

/** One value: its JSON type, its limits and, for a rule that became a pattern, strings that it accepts and refuses. */
export interface Rule {
  type?: string
  nullable?: true
  format?: 'double'
  /** Name of a schema with members. */
  ref?: string
  items?: Rule
  oneOf?: Rule[]
  values?: readonly (string | number)[]
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  takes?: readonly string[]
  refuses?: readonly string[]
  /** Default: the origin of the parent. */
  origin?: Origin
}

export type Origin = 'specification' | 'toolkit'

export interface Field extends Rule {
  required?: true
}

export type Fields = Readonly<Record<string, Field>>

const string: Rule = { type: 'string' }
const nonEmpty: Rule = { type: 'string', minLength: 1 }
const double: Rule = { type: 'number', format: 'double' }
const notNegative: Rule = { ...double, minimum: 0 }
const boolean: Rule = { type: 'boolean' }
const integer: Rule = { type: 'integer' }
const jsonObject: Rule = { type: 'object' }
const ref = (name: string): Rule => ({ ref: name })
const arrayOf = (items: Rule, limits: Rule = {}): Rule => ({ type: 'array', items, ...limits })
const exactly = (value: string): Rule => ({ type: 'string', values: [value] })
const need = (rule: Rule): Field => ({ ...rule, required: true })
const ours = <T extends Rule>(rule: T): T & { origin: 'toolkit' } => ({ ...rule, origin: 'toolkit' })

// Sensor identifiers; the characters beyond letters and digits are for the compat policy.
const localSensorId: Rule = {
  type: 'string',
  takes: ['a', 'roof1', 'A'.repeat(255), 'imei:356938035643809', 'a.b_c-d'],
  refuses: ['', 'A'.repeat(256), 'roof 1', 'roof/1', 'rööf', 'roof1\n'],
}
const urn: Rule = {
  type: 'string',
  takes: ['urn:aa:device:acme:roof1', `urn:aa:device:a:${'b'.repeat(255)}`, 'urn:aa:device:a-1:imei:35'],
  refuses: [
    'roof1',
    'urn:aa:device:acme:',
    'urn:aa:device::roof1',
    `urn:aa:device:a:${'b'.repeat(256)}`,
    'urn:aa:device:a_b:c',
  ],
}
// ISO 8601 with offset.
const timestamp: Rule = {
  type: 'string',
  takes: ['2026-01-07T12:00:30Z', '2026-01-07T12:00:30.250+00:00', '2026-01-07T12:00:30.123456789-11:30'],
  refuses: [
    '2026-01-07T12:00:30',
    '2026-01-07',
    '2026-02-30T12:00:30Z',
    '2026-01-07T24:00:00Z',
    '2026-01-07T12:00:30.1234567890Z',
  ],
}
// ISO 8601, UTC; with an offset or none.
const sourceTimeStamp: Rule = {
  type: 'string',
  takes: ['2026-01-07T12:00:30', '2026-01-07T12:00:30.123456789Z', '2026-01-07t14:00:30+02:00', '2016-12-31T23:59:60Z'],
  refuses: [
    '2026-01-07',
    '2026-02-29T12:00:30Z',
    '2026-01-07 12:00:30Z',
    '0000-01-01T00:00:00Z',
    '2026-01-07T12:00:30.1234567890Z',
  ],
}
// 1 to 255 characters, no NUL, no lone surrogate.
const positionId: Rule = {
  type: 'string',
  minLength: 1,
  takes: ['1', 'x'.repeat(255), '✈'.repeat(255), '🛩'.repeat(255), 'a/b c'],
  refuses: ['', 'x'.repeat(256), '🛩'.repeat(256), 'a\u0000', '\uD800', 'a\uDC00', '\uDC00\uD800'],
}
const guid: Rule = {
  type: 'string',
  takes: ['0b9f6d4e-5f0e-4f1b-9c55-2f6a0f1f3f51', '0B9F6D4E-5F0E-4F1B-9C55-2F6A0F1F3F51'],
  refuses: [
    '',
    '0b9f6d4e5f0e4f1b9c552f6a0f1f3f51',
    '0b9f6d4e-5f0e-4f1b-9c55-2f6a0f1f3f5g',
    '{0b9f6d4e-5f0e-4f1b-9c55-2f6a0f1f3f51}',
  ],
}
// Must be HTTPS; at most 2048 ASCII characters.
const relayUrl: Rule = {
  type: 'string',
  maxLength: 2048,
  takes: ['https://a.example/x?y=z', 'HTTPS://a.example', `https://${'a'.repeat(2040)}`, 'https://[::1]/'],
  refuses: [
    'https://',
    'http://a.example',
    'https:a.example',
    ' https://a.example',
    'https://a.example/#b',
    'https://a\\b',
    'https://ä.example',
  ],
}
// Alternatives of `altitudes[].datum` and `target.type`, and the relay's states.
const datum: Rule = { type: 'string', values: ['wgs84', 'agl', 'bar', 'msl'] }
const targetType: Rule = { type: 'string', values: ['aa:target:aircraft', 'aa:target:drone'] }
const relayState: Rule = { type: 'string', values: ['Active', 'Inactive', 'Failed'] }

/**
 * Section "Resources and their fields", table by table. In a table without `*`, the toolkit decides which fields are
 * required.
 */
export const resources: Readonly<Record<string, Fields>> = {
  // client_id and client_secret are required by the specification and are not `required` in the document, because HTTP
  // Basic and public clients are also accepted; they are marked with x-required-by instead (see
  // `requiredBySpecification`).
  AuthorizationCodeTokenRequest: {
    grant_type: need(exactly('authorization_code')),
    code: need(nonEmpty),
    redirect_uri: need(nonEmpty),
    client_id: string,
    client_secret: string,
    state: string,
    code_verifier: ours(string),
  },
  RefreshTokenRequest: {
    grant_type: need(exactly('refresh_token')),
    refresh_token: need(nonEmpty),
    client_id: string,
    client_secret: string,
    state: string,
    scope: ours(string),
  },
  DeviceTokenRequest: {
    client_id: string,
    client_secret: string,
    grant_type: need(exactly('client_credentials')),
    scope: string,
    token_format: string,
    device_id: need(localSensorId),
    state: ours(string),
  },
  TokenResponse: {
    access_token: need(string),
    token_type: need(exactly('bearer')),
    expires_in: need({ ...integer, minimum: 1 }),
    refresh_token: string,
    state: string,
    scope: ours(string),
  },
  PairingToken: {
    id: need(string),
    sensorId: need(urn),
    clientUniqueId: need(localSensorId),
    accessToken: need(string),
    refreshToken: need(string),
    expiresAt: need(timestamp),
  },
  PositionReport: {
    sensor: ref('SensorState'),
    positions: need(arrayOf(ref('PositionData'), { minItems: 1, maxItems: 1000 })),
  },
  PositionData: {
    id: need(positionId),
    sourceTimeStamp: need(sourceTimeStamp),
    target: ref('Target'),
    position: need(ref('GeographicPosition')),
    altitudes: arrayOf(ref('Height')),
    groundVelocity: ref('GeographicVector'),
    trueAirspeed: ref('GeographicVector'),
    onGround: boolean,
    acceleration: ref('GeographicVector'),
    heading: { ...double, minimum: 0, maximum: 360 },
    additionalInfo: jsonObject,
  },
  GeographicPosition: {
    lat: need({ ...double, minimum: -90, maximum: 90 }),
    lon: need({ ...double, minimum: -180, maximum: 180 }),
    accuracy: notNegative,
    source: string,
    age: notNegative,
  },
  SensorState: {
    id: need(string),
    pressure: double,
    sensorPosition: ref('SensorPosition'),
    additionalInfo: jsonObject,
  },
  SensorPosition: {
    geographicPosition: ref('GeographicPosition'),
    altitude: ref('Height'),
    heading: { ...double, minimum: 0, maximum: 360 },
    angle: { ...double, minimum: -90, maximum: 90 },
  },
  GeographicVector: {
    x: double,
    y: double,
    z: double,
    horizontalAccuracy: notNegative,
    verticalAccuracy: notNegative,
    source: { oneOf: [string, { type: 'number' }] },
    age: notNegative,
  },
  Height: {
    height: need(double),
    datum: need(datum),
    accuracy: notNegative,
    source: string,
    age: notNegative,
  },
  Target: {
    sourceId: string,
    type: targetType,
    confidence: { ...integer, minimum: 1, maximum: 100 },
    ids: arrayOf(ref('Identifier')),
    additionalInfo: jsonObject,
  },
  Identifier: {
    id: need(string),
    type: string,
  },
  Device: {
    deviceId: need(urn),
    deviceCreationTimestamp: need(timestamp),
    deviceName: need(string),
    positionReportMetrics: need({ ...arrayOf(ref('PositionReportMetric')), nullable: true }),
    relayDetails: need({ ...ref('RelayDetails'), nullable: true }),
    shouldStorePositionReportMetrics: need(boolean),
    lastReportAt: ours({ ...timestamp, nullable: true }),
    tags: ours(ref('DeviceTags')),
  },
  RelayDetails: {
    url: need(string),
    state: need(relayState),
    failureDescription: need({ ...string, nullable: true }),
  },
  RecentPositionReport: {
    receivedTimeStamp: need(timestamp),
    sensor: ref('SensorState'),
    positions: need(arrayOf(ref('PositionData'))),
    tags: need(arrayOf(ours(string))),
  },
  RelayValidationMessage: {
    name: need(exactly('validate')),
    version: need(exactly('1.0')),
    validationCode: need(guid),
  },
  RelayPositionReportMessage: {
    name: need(exactly('position_report')),
    version: need(exactly('1.0')),
    positionReport: need(ref('PositionReport')),
  },
  // Section "Endpoints", fields that are described in the table and not under "Resources".
  DeviceList: { data: need(arrayOf(ref('Device'))) },
  RecentPositionReportList: {
    data: need(arrayOf(ref('RecentPositionReport'))),
    truncated: ours(boolean),
    next: ours(string),
  },
  RelayUpdate: { url: need(relayUrl), state: need({ ...integer, values: [1, 2, 3] }) },
}

/** Fields that the specification requires and that may be missing in cases defined by the toolkit. */
export const requiredBySpecification: Readonly<Record<string, readonly string[]>> = {
  AuthorizationCodeTokenRequest: ['client_id', 'client_secret'],
  RefreshTokenRequest: ['client_id', 'client_secret'],
  DeviceTokenRequest: ['client_id', 'client_secret', 'scope', 'token_format'],
}

/** Tables without `*`: the toolkit decides which of their fields are required. */
export const requiredByToolkit: readonly string[] = [
  'TokenResponse',
  'PairingToken',
  'Device',
  'DeviceList',
  'RelayDetails',
  'RecentPositionReport',
  'RecentPositionReportList',
  'RelayValidationMessage',
  'RelayPositionReportMessage',
]

/** Named schemas without members. */
export const namedStrings: Readonly<Record<string, Origin>> = {
  Urn: 'specification',
  LocalSensorId: 'specification',
  SourceTimeStamp: 'specification',
  Timestamp: 'toolkit',
  AltitudeDatum: 'specification',
  TargetType: 'specification',
  RelayState: 'specification',
}

/** The schemas that a discriminator selects from. */
export const choices: Readonly<Record<string, { by: string; among: Readonly<Record<string, string>> }>> = {
  TokenRequest: {
    by: 'grant_type',
    among: {
      authorization_code: 'AuthorizationCodeTokenRequest',
      refresh_token: 'RefreshTokenRequest',
      client_credentials: 'DeviceTokenRequest',
    },
  },
  RelayMessage: {
    by: 'name',
    among: { validate: 'RelayValidationMessage', position_report: 'RelayPositionReportMessage' },
  },
}

export interface Parameter extends Field {
  name: string
  in: 'query' | 'path' | 'header'
}

export interface Body {
  mediaType: string
  rule: Rule
}

export interface Operation {
  operationId: string
  servers: readonly ('auth' | 'ingest' | 'ui')[]
  auth: 'none' | 'userToken' | 'deviceToken'
  parameters: readonly Parameter[]
  body?: Body
  /** Statuses of the specification with their bodies, and statuses of the toolkit. */
  statuses: Readonly<Record<string, Status>>
}

export interface Status {
  origin?: 'toolkit'
  body?: Body
}

const json = (rule: Rule): Body => ({ mediaType: 'application/json', rule })
const problem: Body = { mediaType: 'application/problem+json', rule: ref('Problem') }
const page: Body = { mediaType: 'text/html', rule: string }
const oauthError: Body = json(ref('OAuthError'))
const our = (body?: Body): Status => ({ origin: 'toolkit', ...(body && { body }) })
const query = (name: string, field: Field): Parameter => ({ name, in: 'query', ...field })
const inPath = (name: string): Parameter => ({
  name,
  in: 'path',
  ...need({ ...string, minLength: 1, maxLength: 1024 }),
})

// Surveillance out: the specification shows no statuses, apart from the 401 of "any API request".
const out = {
  400: our(problem),
  401: { body: problem },
  403: our(problem),
  429: our(problem),
  503: our(problem),
}

/** Sections "Endpoints", "Errors" and "Authorization request parameters", by method and path. */
export const endpoints: Readonly<Record<string, Operation>> = {
  'GET /oauth/v2/authorize': {
    operationId: 'authorize',
    servers: ['auth'],
    auth: 'none',
    parameters: [
      query('client_id', need(string)),
      query('response_type', need(exactly('code'))),
      query('scope', need(string)),
      query('redirect_uri', need(string)),
      query('state', string),
      query('code_challenge', ours(string)),
      query('code_challenge_method', ours(string)),
      query('response_mode', ours(exactly('query'))),
      query('prompt', ours(string)),
      query('login_hint', ours(string)),
    ],
    statuses: { 200: { body: page }, 302: {}, 303: our(), 400: our(page), 503: our(page) },
  },
  'POST /oauth/v2/token': {
    operationId: 'issueToken',
    servers: ['auth'],
    auth: 'none',
    parameters: [],
    body: { mediaType: 'application/x-www-form-urlencoded', rule: ref('TokenRequest') },
    statuses: {
      200: { body: json(ref('TokenResponse')) },
      400: our(oauthError),
      401: { body: oauthError },
      413: our(oauthError),
      429: our(oauthError),
      503: our(oauthError),
    },
  },
  'POST /v1/pairing-tokens/consume-token': {
    operationId: 'consumePairingToken',
    servers: ['ingest', 'ui'],
    auth: 'none',
    parameters: [query('clientUniqueId', need(localSensorId))],
    statuses: {
      200: { body: json(ref('PairingToken')) },
      400: our(problem),
      404: { body: problem },
      429: our(problem),
      503: { body: problem },
    },
  },
  'POST /v1/position-reports': {
    operationId: 'submitPositionReport',
    servers: ['ingest'],
    auth: 'deviceToken',
    parameters: [],
    body: json(ref('PositionReport')),
    statuses: {
      202: {},
      400: { body: problem },
      401: { body: problem },
      403: { body: problem },
      413: our(problem),
      415: our(problem),
      429: our(problem),
      503: { body: problem },
    },
  },
  'GET /v1/devices': {
    operationId: 'listDevices',
    servers: ['ui'],
    auth: 'userToken',
    parameters: [
      query('limit', ours({ ...integer, minimum: 1, maximum: 1000 })),
      query('after', ours({ ...string, minLength: 1, maxLength: 1024 })),
    ],
    statuses: { 200: our(json(ref('DeviceList'))), ...out },
  },
  'GET /v1/devices/{deviceUrn}': {
    operationId: 'getDevice',
    servers: ['ui'],
    auth: 'userToken',
    parameters: [inPath('deviceUrn')],
    statuses: { 200: our(json(ref('Device'))), ...out, 404: our(problem) },
  },
  'GET /v1/devices/{deviceId}/recent': {
    operationId: 'listRecentReports',
    servers: ['ui'],
    auth: 'userToken',
    parameters: [
      inPath('deviceId'),
      query('limit', ours({ ...integer, minimum: 1, maximum: 10_000 })),
      query('after', ours({ ...string, minLength: 1, maxLength: 64 })),
    ],
    statuses: { 200: our(json(ref('RecentPositionReportList'))), ...out, 404: our(problem) },
  },
  'POST /v1/devices/{deviceUrn}/toggle-storing-position-reports': {
    operationId: 'toggleStoringPositionReports',
    servers: ['ui'],
    auth: 'userToken',
    parameters: [inPath('deviceUrn')],
    statuses: { 200: our(json({ ...boolean, origin: 'specification' })), ...out, 404: our(problem) },
  },
  'POST /v1/devices/{deviceId}/relay': {
    operationId: 'updateRelay',
    servers: ['ui'],
    auth: 'userToken',
    parameters: [inPath('deviceId')],
    body: json(ref('RelayUpdate')),
    statuses: {
      200: our(json(ref('Device'))),
      ...out,
      404: our(problem),
      413: our(problem),
      415: our(problem),
    },
  },
}

/** Section "Relay messages" and "Events". */
export const relayMessages: Readonly<Record<string, string>> = {
  validate: 'RelayValidationMessage',
  positionReport: 'RelayPositionReportMessage',
}

/** Scope that both kinds of bearer token must have. */
export const scope = 'surveillance_api'
