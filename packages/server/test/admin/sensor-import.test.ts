import { describe, expect, test } from 'vitest'
import { readSensorList } from '../../src/admin/sensors/sensor-list.ts'
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

test('a list of more than 10,000 sensors is refused, and says to import it in parts', async () => {
  const { importSensors, sensors } = await anAdministration()
  const lines = (count: number) => bytes(Array.from({ length: count }, (_, n) => `mast${n},fleet`).join('\n'))

  const reason = 'The file has 10001 sensors; one import registers at most 10000, so import it in parts'
  await expect(importSensors(lines(10_001))).rejects.toThrow(reason)
  expect(await sensors.list()).toEqual([])
  expect(await importSensors(lines(10_000))).toEqual({ kind: 'registered', sensors: 10_000 })
})
