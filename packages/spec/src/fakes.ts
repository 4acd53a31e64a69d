/**
 * Random values that hold to the document, for your own tests.
 * In: optionally a seeded faker and how often optional members appear. Out: one value per schema.
 */
export * from './generated/fakes/@faker-js/faker.gen.ts'
