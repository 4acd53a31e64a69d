/** The scenarios of the bench, by the kind of site. */
import { circuit, droneBelowAirliners, onGroundBeforeTakeOff } from './altitudes.ts'
import { biased, late5, late10, late15, standingRadars } from './clocks-and-places.ts'
import {
  adsbAlone,
  detectorAndRadar,
  detectorBesideAdsb,
  doubtfulDetector,
  formation,
  radarBesideAdsb,
  tisb,
} from './identity.ts'
import { circlingRadar, falsePlots, falsePlots8, radar8, radar12, turningAdsb } from './motion.ts'
import type { Scenario } from './scenario.ts'

export const scenarios: readonly Scenario[] = [
  onGroundBeforeTakeOff,
  droneBelowAirliners,
  circuit,
  adsbAlone,
  detectorBesideAdsb,
  radarBesideAdsb,
  detectorAndRadar,
  formation,
  tisb,
  doubtfulDetector,
  late5,
  late10,
  late15,
  biased,
  ...standingRadars,
  radar8,
  radar12,
  falsePlots,
  falsePlots8,
  circlingRadar,
  turningAdsb,
]
