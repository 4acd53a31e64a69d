/**
 * Overrides the generated valibot schemas where valibot and Ajv, which the server uses, disagree.
 * In: hey-api's context of one schema. Out: the valibot expression for it.
 */
import type { UserConfig } from '@hey-api/openapi-ts'
import type { Document } from './document.ts'

type PluginConfig = Exclude<NonNullable<UserConfig['plugins']>[number], string>
type Resolvers = NonNullable<Extract<PluginConfig, { name: 'valibot' }>['$resolvers']>
type NumberResolver = NonNullable<Resolvers['number']>
type ObjectResolver = NonNullable<Resolvers['object']>
type UnionResolver = NonNullable<Resolvers['union']>
type Pipes = Parameters<ObjectResolver>[0]['pipes']['current']

/**
 * Ajv refuses Infinity (`1e999` in JSON), valibot's `number` does not. `integer` and a pair of limits refuse it anyway.
 */
export const finiteNumber: NumberResolver = (ctx) => {
  const { $, nodes, pipes, plugin, schema } = ctx
  const bounded = schema.minimum !== undefined && schema.maximum !== undefined
  if (schema.type === 'integer' || bounded || schema.const !== undefined) return undefined
  const current: Pipes = []
  pipes.push(current, nodes.base(ctx))
  pipes.push(current, $(plugin.imports.v).attr('finite').call())
  pipes.push(current, nodes.min(ctx))
  return pipes.push(current, nodes.max(ctx))
}

/**
 * Ajv refuses an array for an object, valibot's `object` and `record` do not. The members of a variant must not be
 * wrapped.
 */
export const wholeObject: ObjectResolver = (ctx) => {
  if (variantMember in ctx.schema) return undefined
  return ctx.pipes.push(noArray(ctx), ctx.nodes.base(ctx))
}

/** The same for a `oneOf` of objects. */
export const variantUnion: UnionResolver = (ctx) => {
  if (ctx.parentSchema.discriminator === undefined) return undefined
  return ctx.pipes.push(noArray(ctx), ctx.nodes.base(ctx))
}

/** Marks the schemas that a discriminator selects from. */
export function withVariantMembers(document: Document): Document {
  const marked = structuredClone(document)
  const { schemas } = marked.components
  for (const { discriminator } of Object.values(schemas)) {
    for (const target of Object.values(discriminator?.mapping ?? {})) {
      const member = schemas[target.replace('#/components/schemas/', '')]
      if (member) member[variantMember] = true
    }
  }
  return marked
}

const variantMember = 'x-variant-member'

function noArray({ $, plugin }: Pick<Parameters<ObjectResolver>[0], '$' | 'plugin'>): Pipes {
  const { v } = plugin.imports
  const isNoArray = $.func()
    .param('input')
    .do($.return($.prefix($('Array').attr('isArray').call('input')).not()))
  const message = $.literal('Invalid type: Expected Object but received Array')
  return [$(v).attr('unknown').call(), $(v).attr('check').call(isNoArray, message)]
}
