/** Says what to do about a network failure. In: its reason, and whether `--ca` was given. Out: the reason and the advice. */

const advice: readonly [pattern: RegExp, advice: (hasCa: boolean) => string][] = [
  [
    /self.signed|unable to (?:verify|get)|certificate|UNABLE_TO|issuer/i,
    (hasCa) =>
      hasCa
        ? 'the certificate is not from the CA in --ca; check that file, and the host name'
        : 'the certificate is not from a public CA; give the file of its CA with --ca',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL/,
    () => 'the host name has no address; check --ingest and the DNS of this network',
  ],
  [/ECONNREFUSED/, () => 'nothing listens there; check the port in --ingest, and that the service runs'],
  [
    /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|no complete response/,
    () => 'there is no way to the service; check the network and firewalls',
  ],
  [
    /wrong version number|protocol/i,
    () => 'the service does not speak TLS 1.2 or newer there; check the port in --ingest',
  ],
]

export function explainFailure(reason: string, hasCa: boolean): string {
  const found = advice.find(([pattern]) => pattern.test(reason))
  return found ? `${reason}: ${found[1](hasCa)}` : reason
}
