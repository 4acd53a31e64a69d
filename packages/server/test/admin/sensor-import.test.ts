import { describe, expect, test } from 'vitest'
import { type BulkRegistrationOptions, registerAll } from '../../src/admin/sensors/bulk-registration.ts'
import { readSensorList } from '../../src/admin/sensors/sensor-list.ts'
import { toDeviceRecord } from '../../src/devices/registry.ts'
import type { Directory } from '../../src/ports/storage/directory.ts'
import { anAdministration } from './an-administration.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('a list of sensors', () => {
  test.each([
    ['with a header', 'local_id,client_id,name\nroof1,fleet,Roof\n', 2],
    ['without a header', 'roof1,fleet,Roof', 1],
    ['as spreadsheets save it', '\ufefflocal_id,client_id,name\r\nroof1,fleet,Roof\r\n', 2],
    ['with spaces and blank lines', '\n\n roof1 , fleet , Roof \n\n', 3],
    ['with quotes', '"roof1","fleet","Roof"', 1],
  ])('is read %s', (_how, text, line) => {
    expect(readSensorList(bytes(text))).toEqual({
      sensors: [{ line, localId: 'roof1', client: 'fleet', name: 'Roof' }],
      badLines: [],
    })
  })

  test('may have commas and quotes in names, and sensors without names', () => {
    const { sensors } = readSensorList(bytes('local_id,client_id\na,fleet,"Roof, ""north"""\nb,fleet\nc,fleet,'))
    expect(sensors).toEqual([
      { line: 2, localId: 'a', client: 'fleet', name: 'Roof, "north"' },
      { line: 3, localId: 'b', client: 'fleet' },
      { line: 4, localId: 'c', client: 'fleet' },
    ])
  })

  test('reports each line that cannot be read, and reads the others', () => {
    const { sensors, badLines } = readSensorList(bytes('a,fleet,"open\nb;fleet\nc,fleet,x,y\nd,fl"eet\ne,fleet'))
    expect(sensors.map(({ localId }) => localId)).toEqual(['e'])
    expect(badLines).toEqual([
      { line: 1, reason: 'a quote is not closed on its line' },
      { line: 2, reason: 'has 1 value, not the 2 or 3 of "local_id,client_id,name", separated by commas' },
      { line: 3, reason: 'has 4 values, not the 2 or 3 of "local_id,client_id,name", separated by commas' },
      { line: 4, reason: 'a quote is in the middle of a value; quote the whole value and double the quotes in it' },
    ])
  })

  test('is refused if it is not UTF-8', () => {
    expect(() => readSensorList(new Uint8Array([0x61, 0x2c, 0x62, 0x2c, 0xfc]))).toThrow('not in UTF-8')
  })
})

test('an import of local IDs that another account has is in the audit log', async () => {
  const { importSensors, sensors, audited } = await anAdministration()
  await sensors.add({ client: 'fleet', localId: 'roof1' })

  await importSensors(bytes('roof1,rival-fleet\nroof2,rival-fleet'))

  const [deviceUrn, otherUrns] = ['urn:aa:device:rival-fleet:roof1', ['urn:aa:device:fleet:roof1']]
  expect(audited).toEqual([{ event: 'pairing-allowed', deviceUrn, otherUrns }])
})

test('an import registers every sensor under its client', async () => {
  const { importSensors, sensors } = await anAdministration()
  const outcome = await importSensors(bytes('roof1,fleet,Roof\nroof2,fleet\nroof1,rival-fleet,Mast'))
  expect(outcome).toEqual({ kind: 'registered', sensors: 3 })
  expect((await sensors.list()).map(({ urn, name, account }) => [urn, name, account])).toEqual([
    ['urn:aa:device:fleet:roof1', 'Roof', 'acme'],
    ['urn:aa:device:fleet:roof2', 'roof2', 'acme'],
    ['urn:aa:device:rival-fleet:roof1', 'Mast', 'rival'],
  ])
})

test('an import with bad lines registers nothing and reports the bad lines in order', async () => {
  const { importSensors, sensors } = await anAdministration()
  await sensors.add({ localId: 'taken', client: 'fleet' })
  const outcome = await importSensors(
    bytes(
      [
        'local_id,client_id,name',
        'good,fleet,Good',
        'taken,fleet,Taken',
        'bad id,fleet',
        'roof1,nobody',
        'good,fleet,Again',
        `roof2,fleet,${'x'.repeat(201)}`,
        'roof3',
        'taken,rival-fleet',
      ].join('\n'),
    ),
  )
  expect(outcome).toEqual({
    kind: 'refused',
    badLines: [
      {
        line: 3,
        reason:
          'the sensor "taken" is already registered in the account "acme", as "urn:aa:device:fleet:taken" of client "fleet"',
      },
      {
        line: 4,
        reason:
          'the local ID "bad id" must be 1 to 255 letters and digits (--sensor-id-policy compat also allows . _ : -)',
      },
      { line: 5, reason: 'there is no client "nobody"' },
      { line: 6, reason: 'the sensor "good" of the account "acme" is already on line 2' },
      { line: 7, reason: 'the name must be at most 200 characters' },
      { line: 8, reason: 'has 1 value, not the 2 or 3 of "local_id,client_id,name", separated by commas' },
    ],
  })
  expect(await sensors.list()).toHaveLength(1)
})

test('an import of sensors that are already registered registers nothing', async () => {
  const { importSensors, sensors } = await anAdministration()
  await importSensors(bytes('roof1,fleet\nroof2,fleet'))
  expect(await importSensors(bytes('roof3,fleet\nroof2,fleet'))).toMatchObject({
    kind: 'refused',
    badLines: [{ line: 2 }],
  })
  expect(await sensors.list()).toHaveLength(2)
})

test('imports follow the compat policy for sensor IDs', async () => {
  const { importSensors } = await anAdministration({ sensorIdPolicy: 'compat' })
  expect(await importSensors(bytes('imei:123,fleet'))).toEqual({ kind: 'registered', sensors: 1 })
})

describe('a long import', () => {
  async function aBulk(sensors = 25) {
    const admin = await anAdministration()
    const client = await admin.directory.find('client', 'fleet')
    if (!client) throw new Error('No client')
    const records = Array.from({ length: sensors }, (_, n) => toDeviceRecord({ client, localId: `mast${n}` }, 0))
    const { directory, clock } = admin
    const register = (options: Partial<BulkRegistrationOptions> = {}) =>
      registerAll(records, { directory, clock, chunkSize: 10, ...options })
    /** A directory of a process that dies when it writes the chunk of this number. */
    const dyingAt = (chunk: number): Directory => {
      let chunks = 0
      return {
        ...directory,
        async insertAll(kind, records) {
          if (++chunks === chunk) throw new Error('killed')
          return directory.insertAll(kind, records)
        },
        list: (kind, options) =>
          chunks === chunk ? Promise.reject(new Error('killed')) : directory.list(kind, options),
      }
    }
    return { ...admin, records, register, dyingAt }
  }

  test('is written in chunks, and removes its lock at the end', async () => {
    const { sensors, directory, register } = await aBulk()
    const chunks: number[] = []
    const insertAll: Directory['insertAll'] = (kind, records) => {
      chunks.push(records.length)
      return directory.insertAll(kind, records)
    }

    expect(await register({ directory: { ...directory, insertAll } })).toEqual([])
    expect(chunks).toEqual([10, 10, 5])
    expect(await sensors.list()).toHaveLength(25)
    expect(await directory.list('sensorImport')).toEqual([])
  })

  test('in which one sensor is already registered is removed again, and the index of that sensor is returned', async () => {
    const { sensors, directory, register } = await aBulk()
    await sensors.add({ localId: 'mast17', client: 'fleet' })

    expect(await register()).toEqual([17])
    expect((await sensors.list()).map(({ localId }) => localId)).toEqual(['mast17'])
    expect(await directory.list('sensorImport')).toEqual([])
  })

  test('of a process that died is removed by the next import, which then registers its own sensors', async () => {
    const { sensors, directory, clock, register, dyingAt } = await aBulk()
    await sensors.add({ localId: 'roof1', client: 'fleet' })

    await expect(register({ directory: dyingAt(3) })).rejects.toThrow('killed')
    expect((await sensors.list()).map(({ localId }) => localId)).toEqual(['roof1'])
    expect(await directory.find('device', 'urn:aa:device:fleet:mast0')).toBeUndefined()
    expect(await directory.list('device', { limit: 5 })).toHaveLength(1)
    const next = register()
    await clock.advance(9_999)
    expect(await sensors.list()).toHaveLength(1)
    await clock.advance(1_000)
    expect(await next).toEqual([])
    expect(await sensors.list()).toHaveLength(26)
  })

  test('that fails is removed at once', async () => {
    const { sensors, directory, register } = await aBulk()
    let chunks = 0
    const insertAll: Directory['insertAll'] = (kind, records) =>
      ++chunks === 3 ? Promise.reject(new Error('the disk is full')) : directory.insertAll(kind, records)

    await expect(register({ directory: { ...directory, insertAll } })).rejects.toThrow('the disk is full')
    expect(await sensors.list()).toEqual([])
    expect(await directory.list('sensorImport')).toEqual([])
  })

  test('that paused and was removed by another import leaves nothing when it goes on', async () => {
    const { sensors, directory, clock, register } = await aBulk()
    let chunks = 0
    const insertAll: Directory['insertAll'] = async (kind, records) => {
      if (++chunks === 2) {
        await clock.advance(10_000)
        expect(await registerAll([], { directory, clock })).toEqual([])
      }
      return directory.insertAll(kind, records)
    }

    await expect(register({ directory: { ...directory, insertAll } })).rejects.toMatchObject({ code: 'conflict' })
    expect(await sensors.list()).toEqual([])
    expect(await directory.list('sensorImport')).toEqual([])
  })

  test('waits for an import that ends soon', async () => {
    const { sensors, clock, register } = await aBulk()

    const both = Promise.all([register(), register()])
    await clock.advance(1_000)

    const [first, second] = await both
    expect(first).toEqual([])
    expect(second?.[0]).toBe(0)
    expect(await sensors.list()).toHaveLength(25)
  })

  test('is refused while another import renews its lock', async () => {
    const { sensors, directory, clock, register } = await aBulk()
    const lock = { id: 'current', importId: 'other', holder: 'other', aliveAtMs: clock.now() } as const
    await directory.insert('sensorImport', lock)

    const refused = expect(register()).rejects.toMatchObject({ code: 'conflict' })
    for (let second = 0; second < 3; second++) {
      await directory.update('sensorImport', 'current', (current) => ({ ...current, aliveAtMs: clock.now() }))
      await clock.advance(1_000)
    }
    await refused
    expect(await sensors.list()).toEqual([])
  })
})
