/**
 * Generates small mistakes in the document within the specification's scope.
 * In: the bundled document. Out: a broken copy for each mistake, with its name.
 */
import { at, entries, type Json } from './document.ts'
import { choices, endpoints, namedStrings, relayMessages, resources } from './specification-table.ts'

export interface Mutation {
  name: string
  document: Json
}

type Path = readonly string[]

/** A generator, because all copies together need a few hundred megabytes. */
export function* mutations(document: Json): Generator<Mutation> {
  const plain = withoutProse(document)
  for (const path of scopePaths(plain)) {
    const value = at(plain, ...path)
    if (value === undefined) continue
    for (const [name, edit] of edits(path, value)) {
      yield { name: `${name} at /${path.join('/')}`, document: edited(plain, path, edit) }
    }
  }
}

function edited(document: Json, path: Path, edit: Edit[1]): Json {
  const copy = structuredClone(document)
  const parent = at(copy, ...path.slice(0, -1))
  const key = path.at(-1)
  if (typeof parent !== 'object' || parent === null || key === undefined) throw new Error(`No ${path.join('/')}`)
  // An array's members can be accessed by string keys, like a record's.
  edit(parent as Record<string, Json>, key)
  return copy
}

type Edit = [name: string, edit: (parent: Record<string, Json>, key: string) => void]

/** The possible mistakes in one node, by its keyword. */
function edits(path: Path, value: Json): Edit[] {
  const key = path.at(-1) ?? ''
  const inMap = ['properties', 'responses', 'content', 'paths', 'webhooks', 'mapping', 'scopes', 'flows'].includes(
    path.at(-2) ?? '',
  )
  if (inMap) return [dropped, renamed]
  if (isListMember(path)) return [removed]
  if (typeof value === 'number') return [dropped, set('one more', value + 1), set('one less', value - 1)]
  if (typeof value === 'boolean') return [set('inverted', !value)]
  if (key === 'type')
    return [dropped, ...limitAdded(value), set('another type', value === 'string' ? 'integer' : 'string')]
  if (key === 'required') return [dropped, set('everything required', requireAll(value))]
  if (key === 'enum') return [dropped, set('an additional value', [...entries(value).map(([, one]) => one), 'more'])]
  if (key === 'pattern' && typeof value === 'string') return patternEdits(value)
  if (key === '$ref') return [set('another reference', '#/components/schemas/Health')]
  if (key === 'security')
    return [dropped, set('an unknown security scheme', [{ otherToken: [] }]), set('open', flip(value))]
  if (key === 'x-origin') return [set('another origin', value === 'toolkit' ? 'specification' : 'toolkit')]
  if (typeof value === 'string') return [dropped, set('another value', `${value}x`)]
  return [dropped]
}

const dropped: Edit = ['dropped', (parent, key) => delete parent[key]]

const renamed: Edit = [
  'renamed',
  (parent, key) => {
    const { [key]: value = null } = parent
    delete parent[key]
    parent[/^\d+$/.test(key) ? '418' : `${key}x`] = value
  },
]

const removed: Edit = [
  'removed',
  (parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
  },
]

/** Adds a limit that the table does not have; no limit in the table is 7. */
const limitOf: Readonly<Record<string, Record<string, Json>>> = {
  string: { maxLength: 7 },
  number: { maximum: 7 },
  integer: { maximum: 7 },
  array: { maxItems: 7 },
  object: { additionalProperties: false },
}

function limitAdded(type: Json): Edit[] {
  const limit = limitOf[String(type)]
  return limit ? [['a limit added', (parent) => Object.assign(parent, limit)]] : []
}

function set(name: string, value: Json): Edit {
  return [name, (parent, key) => (parent[key] = value)]
}

/** Changes both ends of every counted repetition. */
function patternEdits(pattern: string): Edit[] {
  const moved = [...pattern.matchAll(/\{1,(\d{2,})\}/g)].flatMap(({ 0: text, 1: most, index }) =>
    [`{1,${Number(most) + 1}}`, `{1,${Number(most) - 1}}`, `{0,${most}}`].map((other) =>
      set(`${text} became ${other}`, pattern.slice(0, index) + other + pattern.slice(index + text.length)),
    ),
  )
  return [dropped, set('anything', '^'), set('nothing', '^(?!)'), ...moved]
}

function requireAll(value: Json): Json {
  return typeof value === 'boolean' ? !value : [...entries(value).map(([, one]) => one), 'another']
}

function flip(value: Json): Json {
  return entries(value).length === 0 ? [{ userToken: [] }] : []
}

function isListMember(path: Path): boolean {
  return (
    ['required', 'enum', 'parameters', 'oneOf', 'servers'].includes(path.at(-2) ?? '') &&
    /^\d+$/.test(path.at(-1) ?? '')
  )
}

/** The paths that the table covers, with everything below them that has a rule. */
function scopePaths(document: Json): Path[] {
  const schemas = ['components', 'schemas']
  const names = [...Object.keys(resources), ...Object.keys(choices), ...Object.keys(namedStrings)]
  const operations = Object.keys(endpoints).map((name) => {
    const [method = '', path = ''] = name.split(' ')
    return ['paths', path, method.toLowerCase()]
  })
  return [
    ...names.flatMap((name) => below(document, [...schemas, name])),
    ...operations.flatMap((path) => [path.slice(0, 2), path, ...below(document, path)]),
    ...operations.flatMap((path) => below(document, [...path.slice(0, 2), 'parameters'])),
    ...operations.flatMap((path) => below(document, [...path.slice(0, 2), 'servers'])),
    ...['DeviceUrn', 'DeviceId'].flatMap((name) => below(document, ['components', 'parameters', name])),
    ...Object.keys(relayMessages).flatMap((name) => [
      ['webhooks', name],
      ...below(document, ['webhooks', name, 'post', 'requestBody']),
    ]),
    ...['userToken', 'deviceToken'].flatMap((name) => below(document, ['components', 'securitySchemes', name])),
    ...below(document, ['components', 'securitySchemes', 'oauth2', 'flows']),
  ]
}

/** Prose and examples are not in the table, and are most of the document. */
const prose = new Set(['description', 'summary', 'examples', 'example', 'headers', 'tags', 'callbacks', 'bearerFormat'])
const notes = new Set(['url', 'authorizationUrl', 'tokenUrl', 'refreshUrl', 'allowReserved', 'allowEmptyValue'])

function withoutProse(node: Json, parent = ''): Json {
  if (Array.isArray(node)) return node.map((child) => withoutProse(child))
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(
    ([key]) => isNamedByUs(parent) || !(prose.has(key) || notes.has(key) || isNote(key)),
  )
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutProse(child, key)]))
}

/** In these objects the keys are names from the document, such as a property named `url`, not keywords. */
function isNamedByUs(parent: string): boolean {
  return ['properties', 'paths', 'webhooks', 'mapping', 'schemas', 'components', 'scopes'].includes(parent)
}

/** Extensions that the table does not have. */
function isNote(key: string): boolean {
  return key.startsWith('x-') && !['x-origin', 'x-server', 'x-required-by'].includes(key)
}

function below(document: Json, path: Path): Path[] {
  return entries(at(document, ...path)).flatMap(([key, value]) => {
    const here = [...path, key]
    return typeof value === 'object' ? [here, ...below(document, here)] : [here]
  })
}
