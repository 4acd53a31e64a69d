/**
 * One sentence above the page: the result of the last action. It takes the focus, so that screen readers read it first.
 */
export interface NoticeProps {
  text: string
  /** The action failed. Default false. */
  isFailure?: boolean
}

export function Notice({ text, isFailure = false }: NoticeProps) {
  return (
    <p class={isFailure ? 'failure' : 'notice'} role={isFailure ? 'alert' : 'status'} tabIndex={-1} autofocus>
      {text}
    </p>
  )
}
