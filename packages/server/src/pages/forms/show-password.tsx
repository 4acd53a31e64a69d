/** A checkbox that shows the password in a field. Needs scripts; hidden without them. */
export function ShowPassword({ fieldId }: { fieldId: string }) {
  return (
    <label class="check" hidden>
      <input type="checkbox" data-shows={fieldId} /> Show password
    </label>
  )
}
