import { expect, test } from 'vitest'
import { parseDeviceUrn, toDeviceUrn } from '../src/device-urn.ts'

test.each([
  ['urn:aa:device:acme:roof1', { clientPart: 'acme', localSensorId: 'roof1' }],
  ['urn:aa:device:north-coast:imei:35-1', { clientPart: 'north-coast', localSensorId: 'imei:35-1' }],
])('%s has its parts, and they make the URN', (urn, parts) => {
  expect(parseDeviceUrn(urn)).toEqual(parts)
  expect(toDeviceUrn(parts)).toBe(urn)
})

test.each([
  '',
  'roof1',
  'urn:aa:device:acme',
  'urn:aa:device:acme:',
  'urn:aa:device::roof1',
  'urn:aa:device:a:b c',
  `urn:aa:device:a:${'x'.repeat(256)}`,
])('%j is not the URN of a device', (urn) => {
  expect(parseDeviceUrn(urn)).toBeUndefined()
})

test.each([
  { clientPart: 'acme:x', localSensorId: 'roof1' },
  { clientPart: '', localSensorId: 'roof1' },
  { clientPart: 'acme', localSensorId: '' },
  { clientPart: 'acme', localSensorId: 'ro of' },
])('%j makes no URN', (parts) => {
  expect(() => toDeviceUrn(parts)).toThrow(JSON.stringify(parts))
})
