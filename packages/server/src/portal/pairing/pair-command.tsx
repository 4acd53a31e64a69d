/** The command that pairs a sensor which runs our agent; other devices call by themselves. */
export function PairCommand({ ingestOrigin, localId }: { ingestOrigin: string; localId: string }) {
  const text = `npx posrep-agent pair --ingest ${ingestOrigin} --sensor ${localId} --tokens ${localId.replaceAll(':', '-')}.tokens`
  return (
    <div class="part">
      <p class="help">
        With our agent, run this on the device. Where the server has a private certificate authority, add{' '}
        <code>--ca ca.pem</code>.
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
