/**
 * Random values that are valid for the document, for your tests.
 * In: optionally a seeded faker and the probability of optional members. Out: one value per schema.
 */
export * from './generated/fakes/@faker-js/faker.gen.ts'
