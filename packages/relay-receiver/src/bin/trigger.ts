/**
 * `posrep-relay trigger`: sends a signed test message to a receiver.
 * In: the kind of message and the receiver's address. Out: the answer; true if the receiver accepted the message.
 */
import { readFile } from 'node:fs/promises'
import { replaceFile } from '@posrep/kernel/replace-file'
import { toVisible } from '@posrep/kernel/visible'
import type { PositionReport } from '@posrep/spec'
import { systemFetch } from '../ports.ts'
import { createTestSender, type TestSender } from '../testing/testing.ts'
import { toNoResponse } from '../trust/no-response.ts'
import { readJson, SettingError, toReason, toUrl, trustCa } from './settings.ts'

export interface TriggerOptions {
  device: string
  key?: string
  report?: string
  ca?: string
}

export async function trigger(
  name: 'validate' | 'position_report',
  address: string,
  options: TriggerOptions,
): Promise<boolean> {
  const url = toUrl('<url>', address)
  await trustCa(options.ca)
  const sender = await createSender(options)
  const validationCode = crypto.randomUUID()
  const { headers, body } =
    name === 'validate' ? await sender.validation(validationCode) : await sender.report(await readReport(options))
  let response: Response
  try {
    response = await systemFetch(new Request(url, { method: 'POST', headers, body, redirect: 'manual' }))
  } catch (error) {
    process.stderr.write(`posrep-relay: ${url.href} ${toVisible(toNoResponse(error, '--ca FILE'))}\n`)
    return false
  }
  const text = await response.text()
  const isAccepted = response.ok && (name === 'position_report' || isConsent(text, validationCode))
  process.stdout.write(
    `${toVisible(headers['webhook-id'] ?? '')}\n${response.status} ${toVisible(text)}\n${isAccepted ? 'accepted' : 'not accepted'}\n`,
  )
  if (response.status === 401 && options.key === undefined) {
    process.stderr.write('The receiver does not know the key; with --key FILE give it FILE.public.json as "from"\n')
  }
  return isAccepted
}

/** Creates the key file at first use, and always writes its public half beside it. */
async function createSender({ device, key: file }: TriggerOptions): Promise<TestSender> {
  if (file === undefined) return createTestSender({ device })
  const known = await readFile(file).then(
    () => readJson('--key', file),
    () => undefined,
  )
  try {
    // createTestSender() checks the key.
    const sender = await createTestSender({ device, ...(known !== undefined && { privateKey: known as JsonWebKey }) })
    if (known === undefined) await replaceFile(file, `${JSON.stringify(sender.privateKey)}\n`)
    await replaceFile(`${file}.public.json`, `${JSON.stringify(sender.keys)}\n`, { mode: 0o644 })
    return sender
  } catch (cause) {
    throw new SettingError(`"--key" cannot be used: ${toReason(cause)}`, { cause })
  }
}

/** The receiver checks the report: a wrong one may be what is tested. */
async function readReport({ report }: TriggerOptions): Promise<PositionReport | undefined> {
  return report === undefined ? undefined : ((await readJson('--report', report)) as PositionReport)
}

/** See the document, webhook `validate`. */
function isConsent(text: string, validationCode: string): boolean {
  const code = JSON.stringify(validationCode)
  const forms = [validationCode, code, `{"validationCode":${code}}`, `{"validationResponse":${code}}`]
  return forms.includes(text.trim())
}
