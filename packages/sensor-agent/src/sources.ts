/** The sources: what reads positions from receivers, files, firmware or a simulator. */

export type {
  AircraftJsonCounters,
  AircraftJsonMapper,
  AircraftJsonMapperOptions,
} from './sources/adsb/aircraft-json.ts'
export { createAircraftJsonMapper } from './sources/adsb/aircraft-json.ts'
export type { AircraftJsonSourceOptions } from './sources/adsb/aircraft-json-source.ts'
export { aircraftJsonSource } from './sources/adsb/aircraft-json-source.ts'
export type { SbsCounters, SbsMapper, SbsMapperOptions } from './sources/adsb/sbs.ts'
export { createSbsMapper } from './sources/adsb/sbs.ts'
export type { SbsSourceOptions } from './sources/adsb/sbs-source.ts'
export { sbsSource } from './sources/adsb/sbs-source.ts'
export type { LinesOptions } from './sources/lines/each-line.ts'
export { jsonLinesSource } from './sources/lines/json-lines-source.ts'
export { readLines } from './sources/lines/read-lines.ts'
export type { HttpSourceOptions } from './sources/push/http-source.ts'
export { httpSource } from './sources/push/http-source.ts'
export type { UdpSourceOptions } from './sources/push/udp-source.ts'
export { udpSource } from './sources/push/udp-source.ts'
export type { ReplayOptions } from './sources/recording/replay.ts'
export { replay } from './sources/recording/replay.ts'
export { replaySource } from './sources/recording/replay-source.ts'
export type { RemoteIdMapper, RemoteIdMapperOptions } from './sources/remote-id/remote-id.ts'
export { createRemoteIdMapper } from './sources/remote-id/remote-id.ts'
export { remoteIdSource } from './sources/remote-id/remote-id-source.ts'
export type { SimulatorOptions } from './sources/simulator/simulator-source.ts'
export { simulatorSource } from './sources/simulator/simulator-source.ts'
export type { RunSourceOptions, Sink, Source, SourceAgent, SourceSummary } from './sources/source.ts'
export { defineSource, runSource } from './sources/source.ts'
