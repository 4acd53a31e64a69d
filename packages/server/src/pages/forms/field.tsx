/** A form field: label above, errors and help below. Screen readers read errors and help with the field. */
import type { ComponentChildren, JSX } from 'preact'

export interface FieldProps {
  id: string
  label: string
  /** The errors of the field. Default: none. */
  wrong?: readonly string[] | undefined
  help?: ComponentChildren
  /** Renders the control with the attributes that connect it to label, errors and help. */
  children: (inputProps: InputProps) => JSX.Element
}

export interface InputProps {
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
