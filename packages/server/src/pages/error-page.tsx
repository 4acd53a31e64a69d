/** An error page: what happened, why, and what to do. */
import { htmlAnswer, type PageAnswer } from './answer.ts'
import { Layout, toHtml } from './layout.tsx'

export interface ErrorWords {
  title: string
  what: string
  next: string
  /** The page to continue at. */
  link?: { path: string; label: string }
}

export function errorPage(status: PageAnswer['status'], { title, what, next, link }: ErrorWords): PageAnswer {
  return htmlAnswer(
    toHtml(
      <Layout title={title}>
        <h1>{title}</h1>
        <p>{what}</p>
        <p class="quiet">{next}</p>
        {link && (
          <a class="button" href={link.path}>
            {link.label}
          </a>
        )}
      </Layout>,
    ),
    { status },
  )
}
