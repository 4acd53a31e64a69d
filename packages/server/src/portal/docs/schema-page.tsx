/** One schema of the document: its fields or values, and what uses it. */
import { type DocsPage, OperationLink, OriginTag, Text } from './docs-layout.tsx'
import { Fields, SchemaLink, Type, toLimits } from './fields.tsx'
import type { Reference, Schema } from './reference.ts'

export function schemaPage(name: string, schema: Schema, { operations, schemas }: Reference): DocsPage {
  const reference = `"#/components/schemas/${name}"`
  const uses = (value: unknown) => JSON.stringify(value).includes(reference)
  const inOperations = operations.filter(({ body, answers, parameters }) => uses([body, answers, parameters]))
  const inSchemas = [...schemas].filter(([, other]) => uses(other)).map(([other]) => other)
  const limits = toLimits(schema)
  return {
    title: name,
    children: (
      <>
        <div class="heading">
          <h1>
            <code>{name}</code> <OriginTag origin={schema['x-origin']} />
          </h1>
          <p>
            <Text text={schema.description ?? ''} />
          </p>
        </div>
        <section class="panel part">
          <h2>{schema.properties ? 'Fields' : 'Value'}</h2>
          {schema.properties ? (
            <Fields schema={schema} />
          ) : (
            <p>
              <Type schema={schema} />
              {limits.length > 0 && <>: {<Text text={limits.join('; ')} />}</>}
            </p>
          )}
          {schema.pattern !== undefined && (
            <p>
              It matches <code>{schema.pattern}</code>.
            </p>
          )}
        </section>
        {inOperations.length + inSchemas.length > 0 && (
          <section class="panel part">
            <h2>Where it is used</h2>
            <ul class="operations">
              {inSchemas.map((other) => (
                <li key={other}>
                  <SchemaLink name={other} />
                </li>
              ))}
              {inOperations.map((operation) => (
                <li key={operation.id}>
                  <OperationLink {...operation} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </>
    ),
  }
}
