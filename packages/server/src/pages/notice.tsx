/** How what was just done has ended, in one sentence above the page; it takes the focus, so that it is read first. */
export interface NoticeProps {
  text: string
  /** Default: it went well. */
  isTrouble?: boolean
}

export function Notice({ text, isTrouble = false }: NoticeProps) {
  return (
    <p class={isTrouble ? 'failure' : 'notice'} role={isTrouble ? 'alert' : 'status'} tabIndex={-1} autofocus>
      {text}
    </p>
  )
}
