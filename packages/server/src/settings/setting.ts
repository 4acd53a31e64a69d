/**
 * One setting: a record under a key, from which everything else follows. The key `dataDir` gives the flag `--data-dir`,
 * the variable `POSREP_DATA_DIR` and the key of the configuration file; the record gives the help and the table in
 * docs/operating.md.
 */
export interface Setting<T> {
  /** Parses the text of a value; the message of its error completes "`--flag` must be …". */
  read(text: string): T
  default: T
  /** The default as it is shown, if it differs from `String(default)`. */
  shownDefault?: string
  /** What the value is, such as `N` or `FILE`. A setting without a unit is a switch. */
  unit?: string
  /** What it does, as Markdown for docs/operating.md. The help shows it as plain text. */
  sentence: string
  /**
   * Whether this value is a secret, so that it must not be an argument. Error messages do not contain values of such a
   * setting.
   */
  secret?(given: string): boolean
}

/** A setting with a default. Its type is what `read` returns. */
export function setting<T>(record: Omit<Setting<T>, 'default'> & { default: NoInfer<T> }): Setting<T> {
  return record
}

/** A setting without a default: it is undefined unless it is given. */
export function optional<T>(record: Omit<Setting<T>, 'default'>): Setting<T | undefined> {
  return { ...record, default: undefined }
}

/** The name of the flag, without dashes. */
export function toName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export function toFlag(key: string): string {
  return `--${toName(key)}`
}

export function toVariable(key: string): string {
  return `POSREP_${toName(key).toUpperCase().replaceAll('-', '_')}`
}

/** The default as text; undefined if there is none to show. */
export function toShownDefault({ default: byDefault, shownDefault }: Setting<unknown>): string | undefined {
  if (shownDefault !== undefined) return shownDefault
  return byDefault === undefined || byDefault === false || String(byDefault) === '' ? undefined : String(byDefault)
}
