/** The command that pairs a sensor which runs our agent; other devices call by themselves. */
export function PairCommand({ ingestOrigin, localId }: { ingestOrigin: string; localId: string }) {
  const text = `npx @posrep/sensor-agent pair --ingest ${ingestOrigin} --sensor ${localId}`
  return (
    <div class="part">
      <p class="help">
        With our agent, run this on the device. If the certificate of this server is from a private authority, as that
        of the demo, add <code>--ca</code> and the path of the authority's certificate, as{' '}
        <code>development-ca.pem</code>.
      </p>
      <pre class="command">
        <code>{text}</code>
      </pre>
      <div>
        <button type="button" class="link" data-copy={text} hidden>
          Copy<span class="unseen"> the command</span>
        </button>
      </div>
    </div>
  )
}
