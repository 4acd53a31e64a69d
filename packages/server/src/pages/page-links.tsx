/** Links to the previous and next page of a long list. */
export interface PageLinksProps {
  path: string
  /** Search and order of the list, kept in the links. Default: none. */
  query?: Record<string, string>
  /** From 1. */
  page: number
  pages: number
}

export interface Page<T> {
  items: T[]
  /** From 1. */
  page: number
  pages: number
}

/** @param requested The page number of the query; a missing or wrong one means the nearest page. */
export function paginate<T>(all: readonly T[], requested: string | null, perPage = 50): Page<T> {
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  const page = Math.min(pages, Math.max(1, Number.parseInt(requested ?? '', 10) || 1))
  return { items: all.slice((page - 1) * perPage, page * perPage), page, pages }
}

export function PageLinks({ path, query = {}, page, pages }: PageLinksProps) {
  if (pages <= 1) return null
  const toHref = (to: number) => {
    const kept = Object.entries(query).filter(([, value]) => value !== '')
    return `${path}?${new URLSearchParams([...kept, ['page', String(to)]])}`
  }
  return (
    <nav class="split" aria-label="Pages of the list">
      {page > 1 ? (
        <a class="button" href={toHref(page - 1)} rel="prev">
          Previous
        </a>
      ) : (
        <span />
      )}
      <p class="quiet">
        Page {page} of {pages}
      </p>
      {page < pages ? (
        <a class="button" href={toHref(page + 1)} rel="next">
          Next
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}
