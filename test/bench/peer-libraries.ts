/** The libraries that check a body against the published JSON Schema. */
import { commandSchema } from 'commandry/reference'
import { arktypeOf, valibotOf, type Schema } from './peer-schemas.ts'

/** Whether a body matches the schema. */
export type Matches = (body: unknown) => boolean

const schema = commandSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })

/** Each compiles the schema when it is asked for. */
const compilers = {
  async ajv(): Promise<Matches> {
    const { Ajv2020 } = await import('ajv/dist/2020.js')
    return new Ajv2020({ strict: false }).compile(schema)
  },
  async ata(): Promise<Matches> {
    const { Validator } = await import('ata-validator')
    const validator = new Validator(schema)
    return (body) => validator.isValidObject(body)
  },
  async typebox(): Promise<Matches> {
    const { Compile } = await import('typebox/compile')
    const compiled = Compile(schema)
    return (body) => compiled.Check(body)
  },
  valibot: (): Promise<Matches> => valibotOf(schema as Schema),
  async zod(): Promise<Matches> {
    const { fromJSONSchema } = await import('zod')
    const type = fromJSONSchema(schema as never)
    return (body) => type.safeParse(body).success
  },
  arktype: (): Promise<Matches> => arktypeOf(schema as Schema),
}

export type Library = keyof typeof compilers
export const libraries = Object.keys(compilers) as readonly Library[]

const compiled = new Map<Library, Promise<Matches>>()

/** The check of a library, compiled once in a process. */
export function matcherOf(library: Library): Promise<Matches> {
  const matches = compiled.get(library) ?? compilers[library]()
  compiled.set(library, matches)
  return matches
}
