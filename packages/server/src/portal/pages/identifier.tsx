/** An identifier to be read and copied: monospace, with a button where there is a script. */
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
