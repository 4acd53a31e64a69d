/** One operation of the API, or one message to relays: what it takes, what it answers, and code that calls it. */
import type { Origins } from '../../http/operation/openapi-document.ts'
import { Identifier } from '../layout/identifier.tsx'
import { Code, type DocsPage, Json, Method, OriginTag, Text } from './docs-layout.tsx'
import { Fields, FieldTable, Type } from './fields.tsx'
import {
  type Answer,
  findExample,
  type MediaType,
  type Operation,
  type Reference,
  type Schema,
  toSchemaName,
} from './reference.ts'
import { toSamples } from './samples/samples.ts'

export function operationPage(operation: Operation, { schemas }: Reference, origins: Origins): DocsPage {
  const { id, method, path, summary, description, origin, server, parameters, body, answers } = operation
  const isMessage = method === 'MESSAGE'
  return {
    title: summary,
    children: (
      <>
        <div class="heading">
          <h1>{summary}</h1>
          <div class="method-path">
            <Method method={method} />
            <Identifier value={`${server}${path}`} />
            <OriginTag origin={origin} />
          </div>
        </div>
        <div class={isMessage ? 'docs-list' : 'operation'}>
          <div class="docs-list">
            <section class="panel part">
              <h2>
                <code>{id}</code>
              </h2>
              {description.split('\n\n').map((paragraph) => (
                <p key={paragraph}>
                  <Text text={paragraph} />
                </p>
              ))}
              <p class="quiet">{toTokenWords(operation)}</p>
            </section>
            {parameters.length > 0 && (
              <section class="panel part">
                <h2>Parameters</h2>
                <FieldTable
                  heading="Name"
                  fields={parameters.map(
                    ({ name, in: place, schema, description = '', required = false, ...rest }) => ({
                      name,
                      place,
                      isRequired: required,
                      schema: { ...schema, description, ...rest },
                    }),
                  )}
                />
              </section>
            )}
            {Object.keys(body).length > 0 && (
              <section class="panel part">
                <h2>Body</h2>
                <Content content={body} />
                {Object.values(body).map(({ schema }) => (
                  <BodyFields key={schema.$ref} schema={schema} schemas={schemas} />
                ))}
              </section>
            )}
            <section class="panel part">
              <h2>{isMessage ? "The relay's answers" : 'Answers'}</h2>
              {answers.map((answer) => (
                <OneAnswer key={answer.status} {...answer} />
              ))}
            </section>
          </div>
          {!isMessage && <Samples operation={operation} origins={origins} />}
        </div>
      </>
    ),
  }
}

function toTokenWords({ method, token }: Operation): string {
  if (method === 'MESSAGE') return 'The service sends it to the relay address of a device, and signs it.'
  if (token === undefined) return 'Takes no access token.'
  return `Takes a ${token}'s access token with the scope surveillance_api, as "Authorization: Bearer".`
}

function Content({ content }: { content: Record<string, MediaType> }) {
  return (
    <>
      {Object.entries(content).map(([media, type]) => (
        <div class="part" key={media}>
          <p>
            <code>{media}</code>: <Type schema={type.schema} />
          </p>
          {toExamples(type).map(({ summary, value }) => (
            <details key={summary}>
              <summary>{summary}</summary>
              {typeof value === 'string' ? <Code text={value} /> : <Json value={value} />}
            </details>
          ))}
        </div>
      ))}
    </>
  )
}

/** Of an object; a body that is one of several objects has links to them. */
function BodyFields({ schema, schemas }: { schema: Schema } & Pick<Reference, 'schemas'>) {
  const named = schema.$ref === undefined ? schema : schemas.get(toSchemaName(schema.$ref))
  if (named?.oneOf) return <Type schema={named} />
  return named?.properties && <Fields schema={named} />
}

function toExamples(type: MediaType): { summary: string; value: unknown }[] {
  const named = Object.entries(type.examples ?? {})
  if (named.length > 0) return named.map(([name, { summary = name, value }]) => ({ summary, value }))
  const value = findExample(type)
  return value === undefined ? [] : [{ summary: 'Example', value }]
}

function OneAnswer({ status, description, headers, content }: Answer) {
  return (
    <div class="part answer">
      <h3>
        <span class={status.startsWith('2') ? 'status good' : 'status'}>{status}</span>
      </h3>
      <p>
        <Text text={description} />
      </p>
      {Object.entries(headers).map(([name, { description = '' }]) => (
        <p key={name} class="help">
          Header <code>{name}</code>: <Text text={description} />
        </p>
      ))}
      <Content content={content} />
    </div>
  )
}

/** One of the languages is shown. Without scripts, too. */
function Samples({ operation, origins }: { operation: Operation; origins: Origins }) {
  return (
    <fieldset class="panel samples">
      <legend class="unseen">Code sample</legend>
      {toSamples(operation, origins).map(({ language, name, text }, index) => (
        <>
          <input type="radio" name="language" id={language} checked={index === 0} />
          <label for={language}>{name}</label>
          <div class="sample">
            <Code text={text} />
            <button type="button" data-copy={text} hidden>
              Copy<span class="unseen"> the {name} sample</span>
            </button>
          </div>
        </>
      ))}
    </fieldset>
  )
}
