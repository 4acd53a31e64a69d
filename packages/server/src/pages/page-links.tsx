/** The way to the other pages of a long list. */
export interface PageLinksProps {
  path: string
  /** What the list is searched for, kept from page to page. Default: nothing. */
  searchName?: string
  search?: string
  /** From 1. */
  page: number
  pages: number
}

export function PageLinks({ path, searchName = 'q', search = '', page, pages }: PageLinksProps) {
  if (pages <= 1) return null
  const toHref = (to: number) => {
    const query = new URLSearchParams({ ...(search !== '' && { [searchName]: search }), page: String(to) })
    return `${path}?${query}`
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
