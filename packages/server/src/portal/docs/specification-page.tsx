/** The sections of the service's specification, and which parts of the API follow each. */
import { type DocsPage, OperationLinks, Text } from './docs-layout.tsx'
import { SchemaLink, toFields } from './fields.tsx'
import type { Operation, Reference } from './reference.ts'
import { findSections, type Section, sections, toSectionId } from './sections.ts'

interface FieldOfSection {
  schema: string
  /** Empty: the whole schema. */
  field: string
  text: string
}

export function specificationPage({ operations, schemas }: Reference): DocsPage {
  const fields = [...schemas].flatMap(([schema, { description = '', ...rest }]): FieldOfSection[] => [
    { schema, field: '', text: description },
    ...toFields(rest).map(({ name, schema: { description: text = '' } }) => ({ schema, field: name, text })),
  ])
  return {
    title: 'Sections of the specification',
    children: (
      <>
        <div class="heading">
          <h1>Sections of the specification</h1>
          <p class="quiet">
            "Identity Provider and Surveillance Ingest Service Specification", and the parts of this API that follow
            each of its sections, in their own words. What it leaves open is decided here, and marked as "toolkit".
          </p>
        </div>
        <nav aria-label="Sections">
          <ul class="schema-names">
            {sections.map((section) => (
              <li key={section}>
                <a href={`#${toSectionId(section)}`}>{section}</a>
              </li>
            ))}
          </ul>
        </nav>
        {sections.map((section) => (
          <SectionParts
            key={section}
            section={section}
            operations={operations.filter((one) => findSections(toAllText(one)).includes(section))}
            fields={fields.filter(({ text }) => findSections(text).includes(section))}
          />
        ))}
      </>
    ),
  }
}

function toAllText({ description, parameters, answers }: Operation): string {
  return [description, ...[...parameters, ...answers].map((one) => one.description ?? '')].join('\n')
}

interface SectionPartsProps {
  section: Section
  operations: Operation[]
  fields: FieldOfSection[]
}

function SectionParts({ section, operations, fields }: SectionPartsProps) {
  return (
    <section class="panel part" id={toSectionId(section)}>
      <h2>§ {section}</h2>
      {operations.length > 0 && <OperationLinks operations={operations} />}
      {fields.length > 0 && (
        <dl class="details">
          {fields.map(({ schema, field, text }) => (
            <div key={`${schema} ${field}`}>
              <dt>
                <SchemaLink name={schema} /> {field !== '' && <code>{field}</code>}
              </dt>
              <dd>
                <Text text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {operations.length + fields.length === 0 && <p class="quiet">No part of the API names this section.</p>}
    </section>
  )
}
