/** A request as a command of curl, for a POSIX shell. The token is in `POSREP_TOKEN`. */
import type { SampleRequest } from './sample-request.ts'

export function toCurl({ method, url, headers, token, json, form }: SampleRequest): string {
  const hasBody = json !== undefined || form !== undefined
  const isImplied = method === (hasBody ? 'POST' : 'GET')
  return [
    `curl${isImplied ? '' : ` -X ${method}`} ${quote(url)}`,
    ...(token ? ['-H "Authorization: Bearer $POSREP_TOKEN"'] : []),
    ...(json === undefined ? [] : Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)),
    ...(json === undefined ? [] : [`-d ${quote(JSON.stringify(json, undefined, 2))}`]),
    ...Object.entries(form ?? {}).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`),
  ].join(' \\\n  ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
