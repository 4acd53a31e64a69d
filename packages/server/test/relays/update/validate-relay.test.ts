import { expect, test } from 'vitest'
import { RelayFailure } from '../../../src/relays/sender/relay-failure.ts'
import type { SendRelayMessage } from '../../../src/relays/sender/send-relay-message.ts'
import { validateRelay } from '../../../src/relays/update/validate-relay.ts'

const url = new URL('https://relay.example.com/')
const roof1 = 'urn:aa:device:acme:roof1'

function validate(answer: (code: string, message: string) => string, status = 200) {
  const send: SendRelayMessage = async (_url, { message }) => {
    const body = answer(JSON.parse(message).validationCode, message)
    return { status, body: Buffer.from(body), retryAfter: undefined }
  }
  return validateRelay(url, roof1, send)
}

test('the ID of the message names the device, so that the receiver can refuse devices of others', async () => {
  const ids: string[] = []
  const send: SendRelayMessage = async (_url, { id, message }) => {
    ids.push(id)
    return { status: 200, body: Buffer.from(JSON.parse(message).validationCode), retryAfter: undefined }
  }
  await validateRelay(url, roof1, send)
  expect(ids).toEqual([expect.stringMatching(/^urn:aa:device:acme:roof1\/[0-9a-f-]{36}$/)])
})

test('the message conforms to the specification and has a new GUID each time', async () => {
  const messages: Record<string, string>[] = []
  const record = (_code: string, message: string) => {
    messages.push(JSON.parse(message))
    return ''
  }
  await validate(record)
  await validate(record)

  expect(messages[0]).toEqual({ name: 'validate', version: '1.0', validationCode: expect.any(String) })
  expect(messages[0]?.validationCode).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(messages[0]?.validationCode).not.toBe(messages[1]?.validationCode)
})

test.each<[string, (code: string) => string]>([
  ['as text', (code) => code],
  ['as text with white space around it', (code) => `\r\n ${code}\t\n`],
  ['as a JSON string', (code) => JSON.stringify(code)],
  ['as a JSON string with white space in it', (code) => JSON.stringify(` ${code}\n`)],
  ['as the only member "validationCode"', (code) => JSON.stringify({ validationCode: code })],
  ['as the only member "validationResponse"', (code) => ` { "validationResponse" : "${code}" } `],
])('the code is accepted %s', async (_form, answer) => {
  expect(await validate(answer)).toBeUndefined()
})

test.each([201, 202, 299])('status %i is accepted like 200', async (status) => {
  expect(await validate((code) => code, status)).toBeUndefined()
})

test.each<[string, (code: string, message: string) => string]>([
  ['nothing', () => ''],
  ['another code', () => '4f0e2f0a-6f5b-4b1c-9d9e-000000000000'],
  ['the code in upper case', (code) => code.toUpperCase()],
  ['the code and more', (code) => `${code}!`],
  ['the code twice', (code) => `${code}${code}`],
  ['the code without its dashes', (code) => code.replaceAll('-', '')],
  ['the code in an array', (code) => JSON.stringify([code])],
  ['the code under another name', (code) => JSON.stringify({ code })],
  ['the code beside another member', (code) => JSON.stringify({ validationCode: code, ok: true })],
  ['both members', (code) => JSON.stringify({ validationCode: code, validationResponse: code })],
  ['the whole message', (_code, message) => message],
  ['the code on a page', (code) => `<html>${code}</html>`],
  ['the code and 1 kB of white space', (code) => `${code}${' '.repeat(1_024)}`],
  ['null', () => 'null'],
  ['a number', () => '1'],
])('%s is not accepted', async (_form, answer) => {
  expect(await validate(answer)).toBe('The relay answered the validation without the validation code')
})

test.each([301, 302, 307])(
  'the code with status %i is not accepted, and the reason says that redirects are not followed',
  async (status) => {
    expect(await validate((code) => code, status)).toBe(
      `The relay answered the validation with ${status}; redirects are not followed`,
    )
  },
)

test.each([199, 400, 401, 404, 410, 500, 503])('the code with status %i is not accepted', async (status) => {
  expect(await validate((code) => code, status)).toBe(`The relay answered the validation with ${status}`)
})

test('when the connection fails, the reason contains no address', async () => {
  const refused: SendRelayMessage = () => {
    throw new RelayFailure('unreachable', { cause: new Error('connect ECONNREFUSED 10.0.0.1:443') })
  }
  expect(await validateRelay(url, roof1, refused)).toBe('The relay could not be reached')
})
