/**
 * The list of errors above a refused form, with links to the fields. It takes the focus, so that screen readers read it
 * first.
 */
export interface ErrorSummaryProps {
  /** What was not done, such as "Nothing was changed". */
  title: string
  errors: readonly FieldError[]
}

export interface FieldError {
  text: string
  /** The field that shows the error too. None for an error of the whole form. */
  fieldId?: string | undefined
}

/** Further errors are shown beside the fields only. */
const maxShown = 10

export function ErrorSummary({ title, errors }: ErrorSummaryProps) {
  const more = errors.length - maxShown
  return (
    <div class="failure" role="alert" tabIndex={-1} autofocus>
      <p>{title}:</p>
      <ul class="reasons">
        {errors.slice(0, maxShown).map(({ text, fieldId }) => (
          <li key={text}>{fieldId === undefined ? text : <a href={`#${fieldId}`}>{text}</a>}</li>
        ))}
        {more > 0 && <li>and {more} more, below</li>}
      </ul>
    </div>
  )
}
