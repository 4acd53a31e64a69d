/**
 * A message in a file: header lines, an empty line, and the body byte for byte.
 * In: headers and body, or the file's bytes. Out: the file's bytes, or headers and body.
 */
import { SettingError } from './settings.ts'

export interface CapturedMessage {
  headers: Headers
  body: Uint8Array<ArrayBuffer>
}

export function toFile({ headers, body }: CapturedMessage): Buffer {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\n`)
  return Buffer.concat([Buffer.from(`${lines.join('')}\n`, 'latin1'), body])
}

/** Accepts LF and CRLF, and a request line or status line before the headers, as many tools write it. */
export function fromFile(file: string, bytes: Buffer): CapturedMessage {
  const text = bytes.toString('latin1')
  const gap = /\r?\n\r?\n/.exec(text)
  if (!gap) throw new SettingError(`"${file}" must have header lines, an empty line and a body`)
  const headers = new Headers()
  for (const line of text.slice(0, gap.index).split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/.exec(line) ?? []
    if (name !== '') headers.append(name, value.trim())
  }
  return { headers, body: new Uint8Array(bytes.subarray(gap.index + gap[0].length)) }
}
