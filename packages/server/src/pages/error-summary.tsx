/** Above a form that was refused: what is wrong with it, each with the way to its field; it takes the focus, so that it is read first. */
export interface ErrorSummaryProps {
  /** What has not happened. */
  title: string
  errors: readonly FieldError[]
}

export interface FieldError {
  text: string
  /** Of the field that it stands beside as well; none for what is wrong with the whole. */
  fieldId?: string | undefined
}

/** The rest stands beside the fields. */
const shown = 10

export function ErrorSummary({ title, errors }: ErrorSummaryProps) {
  const more = errors.length - shown
  return (
    <div class="failure" role="alert" tabIndex={-1} autofocus>
      <p>{title}:</p>
      <ul class="reasons">
        {errors.slice(0, shown).map(({ text, fieldId }) => (
          <li key={text}>{fieldId === undefined ? text : <a href={`#${fieldId}`}>{text}</a>}</li>
        ))}
        {more > 0 && <li>and {more} more, below</li>}
      </ul>
    </div>
  )
}
