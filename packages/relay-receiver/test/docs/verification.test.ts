/** The functions of docs/relays.md that verify a message without our receiver, run in their languages. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTestSender, type TestMessage } from '../../src/testing/testing.ts'

const page = await readFile(new URL('../../../../docs/relays.md', import.meta.url), 'utf8')
const sender = await createTestSender({ device: 'urn:aa:device:acme:ä b.1' })

/** Reads a list of messages from standard input; writes a list of devices. */
const programs: Record<string, { language: string; command: string[]; check: string[]; file: string; main: string }> = {
  Python: {
    language: 'python',
    command: ['python3', 'main.py'],
    check: ['python3', '-c', 'import cryptography'],
    file: 'main.py',
    main: `
import json, sys
print(json.dumps([device_of(one["headers"], one["body"].encode(), one["keys"]) or "" for one in json.load(sys.stdin)]))
`,
  },
  Go: {
    language: 'go',
    command: ['go', 'run', 'main.go', 'run.go'],
    check: ['go', 'version'],
    file: 'main.go',
    main: `package main

import (
	"encoding/json"
	"os"
)

func main() {
	var messages []struct {
		Headers map[string]string
		Body    string
		Keys    []Key
	}
	if err := json.NewDecoder(os.Stdin).Decode(&messages); err != nil {
		panic(err)
	}
	devices := []string{}
	for _, one := range messages {
		devices = append(devices, DeviceOf(one.Headers, []byte(one.Body), one.Keys))
	}
	json.NewEncoder(os.Stdout).Encode(devices)
}
`,
  },
}

for (const [name, { language, command, check, file, main }] of Object.entries(programs)) {
  const [program = '', ...args] = check
  const isMissing = spawnSync(program, args).status !== 0
  if (isMissing) process.stderr.write(`${name}: not installed; its function in docs/relays.md is not run\n`)

  test.skipIf(isMissing && process.env.TEST_REQUIRE_ALL !== '1')(
    `the function in ${name} accepts a message of the service and refuses all others`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'verification-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const [, code = ''] = new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``).exec(page) ?? []
      if (language === 'go') writeFileSync(join(folder, 'run.go'), main)
      writeFileSync(join(folder, file), language === 'go' ? code : code + main)
      const report = await sender.report()
      const withHeader = (header: string, value: string) => ({
        ...report,
        headers: { ...report.headers, [header]: value },
      })
      const forged = `v1a,${'A'.repeat(86)}==`
      const messages: Record<string, [message: TestMessage, keys: object[]]> = {
        good: [report, sender.keys.keys],
        'among other keys': [report, [{ kty: 'EC', crv: 'P-256', x: 'AAAA' }, ...sender.keys.keys]],
        'among other signatures': [
          withHeader('webhook-signature', `v1,abc ${forged} ${report.headers['webhook-signature']}`),
          sender.keys.keys,
        ],
        'without keys': [report, []],
        altered: [sender.altered(report), sender.keys.keys],
        unsigned: [sender.unsigned(report), sender.keys.keys],
        forged: [await sender.forged(report), sender.keys.keys],
        late: [await sender.late(report, 301_000), sender.keys.keys],
        // Far more than 5 minutes: the machine's clock goes on while Go compiles.
        early: [await sender.late(report, -600_000), sender.keys.keys],
        'with another ID': [withHeader('webhook-id', 'urn:aa:device:acme:roof1/1'), sender.keys.keys],
        'with a time that is none': [withHeader('webhook-timestamp', 'now'), sender.keys.keys],
        'with a signature that is no base64': [withHeader('webhook-signature', 'v1a,*'), sender.keys.keys],
      }
      const input = JSON.stringify(
        Object.values(messages).map(([{ headers, body }, keys]) => ({ headers, body, keys })),
      )

      const [run = '', ...rest] = command
      const output = execFileSync(run, rest, { cwd: folder, input, encoding: 'utf8' })

      const accepted = Object.keys(messages).filter((_, index) => JSON.parse(output)[index] !== '')
      expect(accepted).toEqual(['good', 'among other keys', 'among other signatures'])
      expect(JSON.parse(output)[0]).toBe(sender.device)
    },
  )
}
