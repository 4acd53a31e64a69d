import { expect, test } from 'vitest'
import { createMonitor } from '../../../src/bin/run/monitor.ts'
import { fileSpool } from '../../../src/spool/files/file-spool.ts'
import { anAgent } from '../../support/an-agent.ts'
import { aTempFolder } from '../../support/temp-folder.ts'

test('a failure is told once: as the alarm that it raised, or by itself, and again after a recovery', () => {
  const monitor = createMonitor('roof1')
  const refused = '/oauth/v2/token answered 401 invalid_client'
  expect(monitor.alarm({ code: 'credentials_refused', message: refused })).toBe(true)
  expect(monitor.isNewFailure(refused)).toBe(false)
  expect(monitor.isNewFailure('/v1/position-reports answered 503')).toBe(true)
  expect(monitor.isNewFailure('/v1/position-reports answered 503')).toBe(false)

  monitor.recovered()

  expect(monitor.isNewFailure(refused)).toBe(true)
})

test('a recovery is told once, and only after a failure', () => {
  const monitor = createMonitor('roof1')
  expect(monitor.recovered()).toBe(false)
  monitor.isNewFailure('/v1/position-reports answered 503')

  expect(monitor.recovered()).toBe(true)
  expect(monitor.recovered()).toBe(false)
})

test('an alarm is shown until the service accepts positions; a wrong clock is shown until it is right', async () => {
  const monitor = createMonitor('roof1')
  const spool = await fileSpool(await aTempFolder())
  const { agent } = anAgent()
  let clockWrong = true
  monitor.watch({ ...agent, stats: () => ({ ...agent.stats(), clockWrong }) }, spool)
  monitor.alarm({ code: 'not_paired', message: 'press Pair' })
  monitor.alarm({ code: 'clock_wrong', message: 'set the clock' })
  const shown = () => monitor.snapshot().alarms.map(({ code }) => code)
  expect(shown()).toEqual(['not_paired', 'clock_wrong'])

  monitor.recovered()

  expect(shown()).toEqual(['clock_wrong'])
  clockWrong = false
  expect(shown()).toEqual([])
  expect(monitor.snapshot().healthy).toBe(true)
  await agent.close()
  await spool.close()
})

test('a disk that fails again is told again, and is shown once, while it fails', async () => {
  const monitor = createMonitor('roof1')
  const spool = await fileSpool(await aTempFolder())
  const { agent } = anAgent()
  let failing = true
  monitor.watch(agent, { ...spool, metrics: () => ({ ...spool.metrics(), failing }) })
  const full = { code: 'spool_unwritable', message: 'The spool cannot write its files: ENOSPC' }

  expect(monitor.alarm(full)).toBe(true)
  monitor.recovered()
  expect(monitor.alarm(full)).toBe(true)

  expect(monitor.snapshot()).toMatchObject({ healthy: false, alarms: [full] })
  failing = false
  expect(monitor.snapshot()).toMatchObject({ healthy: true, alarms: [] })
  await agent.close()
  await spool.close()
})

test('what keeps a sensor from being paired is shown once, until the service answers', async () => {
  const monitor = createMonitor('roof1')
  const spool = await fileSpool(await aTempFolder())
  const { agent } = anAgent()
  monitor.watch(agent, spool)
  monitor.alarm({ code: 'not_paired', message: 'press Pair' })
  const shown = () => monitor.snapshot().alarms.map(({ message }) => message)

  monitor.unpairable('a captive portal answered')
  monitor.unpairable('a captive portal answered')
  expect(shown()).toEqual(['press Pair', 'a captive portal answered'])
  monitor.unpairable('there is no route')
  expect(shown()).toEqual(['press Pair', 'there is no route'])
  monitor.unpairable(undefined)
  expect(shown()).toEqual(['press Pair'])

  await agent.close()
  await spool.close()
})
