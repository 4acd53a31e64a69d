/** A field of a form: its label above it, what is wrong and what helps below it, both read out with it. */
import type { ComponentChildren, JSX } from 'preact'

export interface FieldProps {
  id: string
  label: string
  /** What is wrong with what stands in it. Default: nothing. */
  wrong?: readonly string[] | undefined
  help?: ComponentChildren
  /** The control, with what ties it to the rest. */
  children: (ties: FieldTies) => JSX.Element
}

export interface FieldTies {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

export function Field({ id, label, wrong = [], help, children }: FieldProps) {
  const isWrong = wrong.length > 0
  const describedBy = [isWrong && `${id}-wrong`, help !== undefined && `${id}-help`].filter((part) => part !== false)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': isWrong || undefined,
        'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
      })}
      {isWrong && (
        <ul class="wrong" id={`${id}-wrong`}>
          {wrong.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}
