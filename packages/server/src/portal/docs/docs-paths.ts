/** The addresses of the API reference. */
import { sitePaths } from '../../pages/frame/site-nav.tsx'
import { type Section, toSectionId } from './sections.ts'

export const docsPath = sitePaths.docs
export const specificationPath = `${docsPath}/specification`

export const operationPath = (id: string) => `${docsPath}/operations/${id}`
export const schemaPath = (name: string) => `${docsPath}/schemas/${name}`
export const sectionPath = (section: Section) => `${specificationPath}#${toSectionId(section)}`
