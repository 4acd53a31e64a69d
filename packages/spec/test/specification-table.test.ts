import { expect, test } from 'vitest'
import { document } from './document.ts'
import { differences } from './specification-comparison.ts'
import { mutations } from './specification-mutations.ts'

test('the document agrees with the specification', () => {
  expect(differences(document)).toEqual([])
})

test('every small mistake within the scope of the specification is detected', () => {
  const unseen: string[] = []
  let count = 0

  for (const { name, document: broken } of mutations(document)) {
    count += 1
    if (differences(broken).length === 0) unseen.push(name)
  }

  expect(unseen).toEqual([])
  expect(count).toBeGreaterThan(1_500)
})
