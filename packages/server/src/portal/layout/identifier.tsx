/** An identifier in monospace, with a Copy button where scripts run. */
export function Identifier({ value }: { value: string }) {
  return (
    <span class="identifier">
      <code>{value}</code>
      <button type="button" class="link" data-copy={value} hidden>
        Copy<span class="unseen"> {value}</span>
      </button>
    </span>
  )
}
