import { expect, test } from 'vitest'

test('the entry points export exactly these names', async () => {
  const entries = {
    '.': await import('@posrep/air'),
    './alerts': await import('@posrep/air/alerts'),
    './altitudes': await import('@posrep/air/altitudes'),
    './correlation': await import('@posrep/air/correlation'),
    './formats': await import('@posrep/air/formats'),
    './map': await import('@posrep/air/map'),
    './standard': await import('@posrep/air/standard'),
  }

  expect(
    Object.fromEntries(Object.entries(entries).map(([entry, module]) => [entry, Object.keys(module).sort()])),
  ).toEqual({
    '.': ['createTracker', 'isInBox'],
    './alerts': ['createAlerts', 'limitsFor', 'separationSettings'],
    './altitudes': ['completeAltitudes'],
    './correlation': ['createCorrelator', 'toAirAssociation', 'toAirTrack', 'toAirTrackPoint'],
    './formats': ['toCursorOnTarget', 'toGeoJson', 'toGeoJsonFeature', 'toReadsb'],
    './map': [
      'countConditions',
      'createFramePacker',
      'everything',
      'findPosition',
      'isRecent',
      'mountAirMap',
      'trackIdsOf',
      'windowMs',
    ],
    './standard': ['standardise', 'toEpochMs'],
  })
})
