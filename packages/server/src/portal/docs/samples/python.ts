/** A request in Python 3, with its standard library only. The token is in `POSREP_TOKEN`. */
import type { SampleRequest } from './sample-request.ts'

export function toPython({ method, url, headers, token, json, form }: SampleRequest): string {
  const all = Object.entries(headers).map(([name, value]) => `${toLiteral(name)}: ${toLiteral(value)}`)
  if (token) all.unshift('"Authorization": "Bearer " + os.environ["POSREP_TOKEN"]')
  const imports = [
    ...(json === undefined ? [] : ['json']),
    ...(token ? ['os'] : []),
    ...(form ? ['urllib.parse'] : []),
    'urllib.request',
  ]
  return [
    ...imports.map((name) => `import ${name}`),
    '',
    ...(json === undefined ? [] : [`body = ${toLiteral(json)}`]),
    ...(form ? [`body = ${toLiteral(form)}`] : []),
    'request = urllib.request.Request(',
    `    ${toLiteral(url)},`,
    `    method=${toLiteral(method)},`,
    ...(all.length === 0 ? [] : ['    headers={', ...all.map((line) => `        ${line},`), '    },']),
    ...(json === undefined ? [] : ['    data=json.dumps(body).encode(),']),
    ...(form ? ['    data=urllib.parse.urlencode(body).encode(),'] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n')
}

/** Texts of JSON are texts of Python, too. */
function toLiteral(value: unknown, indent = ''): string {
  const inner = `${indent}    `
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const items = Array.isArray(value)
    ? value.map((item) => toLiteral(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${toLiteral(item, inner)}`)
  if (items.length === 0) return `${open}${close}`
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}
