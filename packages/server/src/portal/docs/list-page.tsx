/** The first page of the API reference: a search, the operations by subject, the schemas. */
import { type DocsPage, OperationLinks, Text } from './docs-layout.tsx'
import { docsPath, specificationPath } from './docs-paths.ts'
import { SchemaLink } from './fields.tsx'
import type { Operation, Reference } from './reference.ts'

export function listPage({ tags, operations, schemas }: Reference, search: string): DocsPage {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = (...texts: string[]) => {
    const text = texts.join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const found = operations.filter(({ id, method, path, tag, summary, description }) =>
    isFound(id, method, path, tag, summary, description),
  )
  const names = [...schemas].flatMap(([name, schema]) =>
    isFound(name, schema.description ?? '', ...Object.keys(schema.properties ?? {})) ? [name] : [],
  )
  return {
    title: 'API reference',
    isFirst: true,
    children: (
      <>
        <div class="heading">
          <h1>API reference</h1>
          <p class="quiet">
            Every request that this server answers, with its own addresses. "§" leads to the section of the{' '}
            <a href={specificationPath}>service's specification</a> that a part follows; "Toolkit" was added here. For
            programs: <a href="/openapi.json">openapi.json</a>.
          </p>
        </div>
        <search>
          <form class="search" method="get" action={docsPath} data-search>
            <div class="field">
              <label for="search">Path, name or word</label>
              <input id="search" name="q" type="search" value={search} maxLength={300} autocomplete="off" />
            </div>
            <button type="submit">Search</button>
          </form>
        </search>
        <div class="docs-list" id="found" data-found>
          {found.length + names.length === 0 && <p role="status">Nothing has "{search}". Try a part of a path.</p>}
          {tags.map(({ name, description }) => (
            <Subject
              key={name}
              name={name}
              description={description}
              operations={found.filter(({ tag }) => tag === name)}
            />
          ))}
          {names.length > 0 && (
            <section class="panel part" id="schemas">
              <h2>Schemas</h2>
              <ul class="schema-names">
                {names.map((name) => (
                  <li key={name}>
                    <SchemaLink name={name} />
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </>
    ),
  }
}

interface SubjectProps {
  name: string
  description: string
  operations: Operation[]
}

function Subject({ name, description, operations }: SubjectProps) {
  if (operations.length === 0) return null
  return (
    <section class="panel part" id={name.toLowerCase()}>
      <h2>{name}</h2>
      <p class="quiet">
        <Text text={description} />
      </p>
      <OperationLinks operations={operations} />
    </section>
  )
}
