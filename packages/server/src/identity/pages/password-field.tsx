/** Fields of passwords: of the current one, and of a new one with what it must be like. */
import { Field } from '../../pages/forms/field.tsx'
import { ShowPassword } from '../../pages/forms/show-password.tsx'
import { maxPasswordLength, minPasswordLength } from '../people/password.ts'

export type PasswordKind = 'current' | 'new'

interface PasswordFieldProps {
  kind: PasswordKind
  isWrong: boolean
  /** What happens, after what a new password must be like. */
  help?: string
}

const labels = { current: 'Current password', new: 'New password' }
const wrongTexts = { current: 'This is not your current password.', new: 'Choose another password.' }

export function PasswordField({ kind, isWrong, help }: PasswordFieldProps) {
  const length = kind === 'new' ? `At least ${minPasswordLength} characters. ` : ''
  return (
    <Field
      id={`${kind}-password`}
      label={labels[kind]}
      wrong={isWrong ? [wrongTexts[kind]] : []}
      help={help && `${length}${help}`}
    >
      {(inputProps) => (
        <>
          <input
            {...inputProps}
            name={`${kind}_password`}
            type="password"
            autocomplete={`${kind}-password`}
            required
            minLength={kind === 'new' ? minPasswordLength : undefined}
            maxLength={maxPasswordLength}
          />
          <ShowPassword fieldId={inputProps.id} />
        </>
      )}
    </Field>
  )
}
