/** What the pages of the API reference share: the frame, texts of the document, a method with its path, JSON. */
import type { ComponentChildren } from 'preact'
import { htmlAnswer, type PageAnswer } from '../../pages/answer.ts'
import { Layout, toHtml } from '../../pages/frame/layout.tsx'
import { PortalBar } from '../layout/portal-bar.tsx'
import { toFormAction, type Viewer } from '../layout/viewer.tsx'
import { docsPath, operationPath, sectionPath } from './docs-paths.ts'
import type { Operation, Origin } from './reference.ts'
import { toTextParts } from './sections.ts'

export interface DocsPage {
  title: string
  /** The list of operations has no way back. */
  isFirst?: boolean
  children: ComponentChildren
}

/** @param viewer The pages are also for people who have not signed in. */
export function docsPage({ title, isFirst = false, children }: DocsPage, viewer: Viewer | undefined): PageAnswer {
  const page = (
    <Layout title={title} width="data" scripted bar={<PortalBar viewer={viewer} tab="docs" />}>
      {!isFirst && (
        <p>
          <a href={docsPath}>API reference</a>
        </p>
      )}
      {children}
    </Layout>
  )
  return htmlAnswer(toHtml(page), { scripted: true, ...(viewer && { formAction: toFormAction(viewer) }) })
}

/** A text of the document: `code`, and links to the sections of the specification that it names. */
export function Text({ text }: { text: string }) {
  return toTextParts(text).map((part) => {
    if (part.kind === 'section') return <a href={sectionPath(part.section)}>{part.text}</a>
    return part.kind === 'code' ? <code>{part.text}</code> : part.text
  })
}

export function Method({ method }: Pick<Operation, 'method'>) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>
}

export function OperationLink({ id, method, path, summary }: Operation) {
  return (
    <>
      <Method method={method} />
      <a href={operationPath(id)}>
        <code>{path}</code>
      </a>
      <span class="quiet">{summary}</span>
    </>
  )
}

export function OperationLinks({ operations }: { operations: readonly Operation[] }) {
  return (
    <ul class="operations">
      {operations.map((operation) => (
        <li key={operation.id}>
          <OperationLink {...operation} />
        </li>
      ))}
    </ul>
  )
}

/** Marks what the toolkit added to the specification. */
export function OriginTag({ origin }: { origin: Origin | undefined }) {
  return origin === 'toolkit' && <span class="tag">Toolkit</span>
}

export function Json({ value }: { value: unknown }) {
  return <Code text={JSON.stringify(value, undefined, 2)} />
}

export function Code({ text }: { text: string }) {
  return (
    <pre class="code">
      <code>{text}</code>
    </pre>
  )
}
