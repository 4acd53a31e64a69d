/** A damaged signing key in the database. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { aServerLocation, launchServer, runToEnd, startServer } from '../../parts/server-process.ts'

test('with a damaged signing key the server prints one line and exits with 2, and the command in the message repairs it', async () => {
  const location = await aServerLocation()
  onTestFinished(() => location.remove())
  const data = join(location.folder, 'data')
  await (await startServer(location, '--insecure-http')).kill()
  const database = new DatabaseSync(join(data, 'posrep.sqlite'))
  database.exec(`UPDATE directory SET value = json_set(value, '$.privateJwk.d', 'garbled') WHERE id =
    (SELECT id FROM directory WHERE kind = 'signingKey' AND value ->> 'use' = 'access-token')`)
  database.close()

  const launched = launchServer(location, { flags: ['--insecure-http'] })
  onTestFinished(() => launched.kill())
  const refusal: Error = await launched.ready.then(
    () => new Error('the server is ready'),
    (error) => error,
  )
  expect(refusal.message).toMatch(/ exited with 2 .*\nposrep-server: The signing key ".+" is damaged; .+\n$/)

  const [, kid = ''] = /"posrep-server keys drop (.+?)"/.exec(refusal.message) ?? []
  const dropped = await runToEnd(['keys', 'drop', '--data-dir', data, '--', kid])
  expect(dropped).toMatchObject({ code: 0, stderr: '' })
  const server = await startServer(location, '--insecure-http')
  await server.kill()
})
