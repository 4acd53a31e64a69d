/**
 * Compares the document with the table of the specification.
 * In: a bundled document. Out: one line per difference within the specification's scope; none if they agree.
 */
import { isDeepStrictEqual } from 'node:util'
import { at, entries, type Json } from './document.ts'
import {
  type Body,
  choices,
  endpoints,
  type Fields,
  namedStrings,
  type Operation,
  type Rule,
  relayMessages,
  requiredBySpecification,
  requiredByToolkit,
  resources,
  scope,
} from './specification-table.ts'

export function differences(document: Json): string[] {
  const reader = documentReader(document)
  return [
    ...Object.entries(resources).flatMap(([name, fields]) => resourceDifferences(reader, name, fields)),
    ...namedStringDifferences(reader),
    ...choiceDifferences(reader),
    ...Object.entries(endpoints).flatMap(([name, operation]) => endpointDifferences(reader, name, operation)),
    ...relayMessageDifferences(reader),
    ...securityDifferences(reader),
  ]
}

type Reader = ReturnType<typeof documentReader>

function documentReader(document: Json) {
  const resolve = (node: Json | undefined): Json | undefined => {
    const target = at(node, '$ref')
    return typeof target === 'string' ? resolve(at(document, ...target.slice(2).split('/'))) : node
  }
  return { document, resolve, schema: (name: string) => at(document, 'components', 'schemas', name) }
}

function compare(where: string, found: unknown, expected: unknown): string[] {
  if (isDeepStrictEqual(found, expected)) return []
  return [`${where}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`]
}

function sorted(values: Iterable<string>): string[] {
  return [...values].sort()
}

function resourceDifferences(reader: Reader, name: string, fields: Fields): string[] {
  const schema = reader.schema(name)
  const properties = at(schema, 'properties')
  const required = sorted(Object.keys(fields).filter((field) => fields[field]?.required))
  return [
    ...compare(`${name} is a`, at(schema, 'type'), 'object'),
    ...compare(`${name} keeps unknown fields`, at(schema, 'additionalProperties') ?? true, true),
    ...compare(`${name} has`, sorted(entries(properties).map(([key]) => key)), sorted(Object.keys(fields))),
    ...compare(`${name} requires`, sorted(entries(at(schema, 'required')).map(([, field]) => String(field))), required),
    ...compare(`${name} comes from`, at(schema, 'x-origin'), 'specification'),
    ...compare(
      `${name} is required by`,
      at(schema, 'x-required-by'),
      requiredByToolkit.includes(name) ? 'toolkit' : undefined,
    ),
    ...Object.entries(fields).flatMap(([field, { required: _, ...rule }]) => {
      const property = at(properties, field)
      const requiredBy = requiredBySpecification[name]?.includes(field) ? 'specification' : undefined
      return [
        ...ruleDifferences(reader, `${name}.${field}`, property, rule),
        ...compare(`${name}.${field} is required by`, at(property, 'x-required-by'), requiredBy),
      ]
    }),
  ]
}

const limits = ['format', 'minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength'] as const

function ruleDifferences(reader: Reader, where: string, node: Json | undefined, rule: Rule): string[] {
  const { nullable, takes, refuses, ref, items, oneOf, values, type, origin, ...expectedLimits } = rule
  const [schema, isNullable] = withoutNull(node)
  const found = ref === undefined ? withoutNull(reader.resolve(schema))[0] : schema
  const foundLimits = Object.fromEntries(limits.flatMap((key) => entriesOf(key, at(found, key))))
  return [
    ...compare(`${where} comes from`, at(node, 'x-origin'), origin),
    ...compare(`${where} may be null`, isNullable || undefined, nullable),
    ...compare(`${where} refers to`, refName(found), ref),
    ...compare(`${where} has the type`, at(found, 'type'), type),
    ...compare(`${where} has the limits`, foundLimits, { ...expectedLimits }),
    ...compare(`${where} has the values`, valuesOf(found), values && sorted(values.map(String))),
    ...compare(`${where} keeps unknown fields`, at(found, 'additionalProperties') ?? true, true),
    ...patternDifferences(where, at(found, 'pattern'), takes, refuses),
    ...(items ? ruleDifferences(reader, `${where}[]`, at(found, 'items'), items) : []),
    ...compare(`${where} is a choice of`, entries(at(found, 'oneOf')).length, oneOf?.length ?? 0),
    ...(oneOf ?? []).flatMap((one, index) =>
      ruleDifferences(reader, `${where}|${index}`, at(found, 'oneOf', String(index)), one),
    ),
  ]
}

function entriesOf(key: string, value: Json | undefined): [string, Json][] {
  return value === undefined ? [] : [[key, value]]
}

/**
 * Removes `null` from `type: [x, 'null']` or `oneOf: [x, {type: 'null'}]`. Returns the schema and whether it was
 * nullable.
 */
function withoutNull(node: Json | undefined): [Json | undefined, boolean] {
  const type = at(node, 'type')
  if (Array.isArray(type) && type.length === 2 && type[1] === 'null' && node !== undefined && node !== null) {
    return [{ ...Object.fromEntries(entries(node)), type: type[0] ?? null }, true]
  }
  const oneOf = entries(at(node, 'oneOf')).map(([, member]) => member)
  if (oneOf.length === 2 && at(oneOf[1], 'type') === 'null') return [oneOf[0], true]
  return [node, false]
}

function refName(node: Json | undefined): string | undefined {
  const target = at(node, '$ref')
  return typeof target === 'string' ? target.replace('#/components/schemas/', '') : undefined
}

function valuesOf(node: Json | undefined): string[] | undefined {
  const constant = at(node, 'const')
  if (constant !== undefined) return [String(constant)]
  const values = at(node, 'enum')
  return values === undefined ? undefined : sorted(entries(values).map(([, value]) => String(value)))
}

function patternDifferences(
  where: string,
  pattern: Json | undefined,
  takes: readonly string[] = [],
  refuses: readonly string[] = [],
): string[] {
  if (typeof pattern !== 'string') {
    return compare(`${where} has a pattern`, false, takes.length > 0)
  }
  const withFlag = new RegExp(pattern, 'u')
  const without = new RegExp(pattern)
  const test = (value: string) => [withFlag.test(value), without.test(value)]
  return [
    ...compare(`${where} has a pattern`, true, takes.length > 0),
    ...takes.flatMap((value) => compare(`${where} matches ${JSON.stringify(value)}`, test(value), [true, true])),
    ...refuses.flatMap((value) => compare(`${where} matches ${JSON.stringify(value)}`, test(value), [false, false])),
  ]
}

function namedStringDifferences(reader: Reader): string[] {
  const schemas = entries(at(reader.document, 'components', 'schemas'))
  const found = schemas
    .filter(
      ([name, schema]) =>
        at(schema, 'type') === 'string' && (name in namedStrings || at(schema, 'x-origin') !== 'toolkit'),
    )
    .map(([name]) => name)
  return [
    ...compare('named strings', sorted(found), sorted(Object.keys(namedStrings))),
    ...Object.entries(namedStrings).flatMap(([name, origin]) =>
      compare(`${name} comes from`, at(reader.schema(name), 'x-origin'), origin),
    ),
  ]
}

function choiceDifferences(reader: Reader): string[] {
  return Object.entries(choices).flatMap(([name, { by, among }]) => {
    const schema = reader.schema(name)
    const mapping = entries(at(schema, 'discriminator', 'mapping')).map(([value, target]) => [
      value,
      refName({ $ref: target }),
    ])
    const members = entries(at(schema, 'oneOf')).map(([, member]) => refName(member) ?? '')
    return [
      ...compare(`${name} has the discriminator`, at(schema, 'discriminator', 'propertyName'), by),
      ...compare(`${name} chooses`, Object.fromEntries(mapping), among),
      ...compare(`${name} is one of`, sorted(members), sorted(Object.values(among))),
      ...compare(`${name} comes from`, at(schema, 'x-origin'), 'specification'),
    ]
  })
}

function endpointDifferences(reader: Reader, name: string, expected: Operation): string[] {
  const [method = '', path = ''] = name.split(' ')
  const item = at(reader.document, 'paths', path)
  const operation = at(item, method.toLowerCase())
  if (operation === undefined) return [`${name} is missing`]
  const servers = entries(at(item, 'servers')).map(([, server]) => String(at(server, 'x-server')))
  return [
    ...compare(`${name} is called`, at(operation, 'operationId'), expected.operationId),
    ...compare(`${name} comes from`, at(operation, 'x-origin'), 'specification'),
    ...compare(`${name} is served at`, sorted(servers), sorted(expected.servers)),
    ...compare(`${name} is open to`, at(operation, 'security'), securityOf(expected)),
    ...parameterDifferences(reader, name, [at(item, 'parameters'), at(operation, 'parameters')], expected),
    ...requestDifferences(reader, name, at(operation, 'requestBody'), expected.body),
    ...statusDifferences(reader, name, at(operation, 'responses'), expected),
  ]
}

function securityOf({ auth }: Operation): Json {
  return auth === 'none' ? [] : [{ [auth]: [scope] }, { oauth2: [scope] }]
}

function parameterDifferences(
  reader: Reader,
  name: string,
  lists: (Json | undefined)[],
  { parameters }: Operation,
): string[] {
  const found = lists.flatMap((list) => entries(list).map(([, parameter]) => reader.resolve(parameter)))
  const key = (parameter: Json | undefined) => `${at(parameter, 'in')} ${at(parameter, 'name')}`
  const expectedKeys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
  return [
    ...compare(`${name} has the parameters`, sorted(found.map(key)), sorted(expectedKeys)),
    ...parameters.flatMap(({ name: _, in: place, required, origin = 'specification', ...rule }, index) => {
      const where = `${name} ${expectedKeys[index]}`
      const parameter = found.find((one) => key(one) === expectedKeys[index])
      return [
        ...compare(`${where} is required`, at(parameter, 'required') ?? false, required ?? false),
        ...compare(`${where} comes from`, at(parameter, 'x-origin') ?? 'specification', origin),
        ...compare(`${where} is in`, at(parameter, 'in'), place),
        ...ruleDifferences(reader, where, at(parameter, 'schema'), rule),
      ]
    }),
  ]
}

function requestDifferences(reader: Reader, name: string, node: Json | undefined, body: Body | undefined): string[] {
  if (body === undefined) return compare(`${name} takes a body`, node, undefined)
  return [
    ...compare(`${name} requires a body`, at(node, 'required'), true),
    ...contentDifferences(reader, `${name} body`, at(node, 'content'), body),
  ]
}

function statusDifferences(
  reader: Reader,
  name: string,
  responses: Json | undefined,
  { statuses }: Operation,
): string[] {
  return [
    ...compare(`${name} answers`, sorted(entries(responses).map(([status]) => status)), sorted(Object.keys(statuses))),
    ...Object.entries(statuses).flatMap(([status, { origin = 'specification', body }]) => {
      const response = reader.resolve(at(responses, status))
      return [
        ...compare(`${name} ${status} comes from`, at(response, 'x-origin') ?? 'specification', origin),
        ...contentDifferences(reader, `${name} ${status}`, at(response, 'content'), body),
      ]
    }),
  ]
}

function contentDifferences(
  reader: Reader,
  where: string,
  content: Json | undefined,
  body: Body | undefined,
): string[] {
  const mediaTypes = entries(content).map(([mediaType]) => mediaType)
  if (body === undefined) return compare(`${where} carries`, mediaTypes, [])
  return [
    ...compare(`${where} carries`, mediaTypes, [body.mediaType]),
    ...ruleDifferences(reader, where, at(content, body.mediaType, 'schema'), body.rule),
  ]
}

function relayMessageDifferences(reader: Reader): string[] {
  const webhooks = at(reader.document, 'webhooks')
  return [
    ...compare('webhooks', sorted(entries(webhooks).map(([name]) => name)), sorted(Object.keys(relayMessages))),
    ...Object.entries(relayMessages).flatMap(([name, schema]) => {
      const operation = at(webhooks, name, 'post')
      const body = { mediaType: 'application/json', rule: { ref: schema } }
      return [
        ...compare(`webhook ${name} comes from`, at(operation, 'x-origin'), 'specification'),
        ...requestDifferences(reader, `webhook ${name}`, at(operation, 'requestBody'), body),
      ]
    }),
  ]
}

function securityDifferences({ document }: Reader): string[] {
  const schemes = at(document, 'components', 'securitySchemes')
  const flows = at(schemes, 'oauth2', 'flows')
  return [
    ...['userToken', 'deviceToken'].flatMap((name) => [
      ...compare(`${name} is of the type`, at(schemes, name, 'type'), 'http'),
      ...compare(`${name} has the scheme`, at(schemes, name, 'scheme'), 'bearer'),
      ...compare(`${name} comes from`, at(schemes, name, 'x-origin'), 'specification'),
    ]),
    ...compare('oauth2 has the flows', sorted(entries(flows).map(([flow]) => flow)), [
      'authorizationCode',
      'clientCredentials',
    ]),
    ...entries(flows).flatMap(([flow, node]) =>
      compare(
        `oauth2 ${flow} has the scopes`,
        entries(at(node, 'scopes')).map(([name]) => name),
        [scope],
      ),
    ),
  ]
}
