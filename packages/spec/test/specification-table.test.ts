import { expect, test } from 'vitest'
import { document } from './document.ts'
import { differences } from './specification-comparison.ts'
import { mutations } from './specification-mutations.ts'

test('the document says what the specification says', () => {
  expect(differences(document)).toEqual([])
})

test('no small mistake within the scope of the specification goes unseen', () => {
  const broken = mutations(document)

  const unseen = broken.filter((mutation) => differences(mutation.document).length === 0).map(({ name }) => name)

  expect(unseen).toEqual([])
  expect(broken.length).toBeGreaterThan(900)
})
