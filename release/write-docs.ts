/** `npm run docs`: writes what comes from tables of the source: codes and commands of the documentation, and the JSON Schemas for editors. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { declarationSchema } from '#controller/declare/json-schema.ts'
import { jsonSchema } from '#domains/charts/json-schema.ts'
import { fleetSettingsSchema } from '#domains/fleet/settings-schema.ts'
import { loadDeclarations } from '#kinds/all.ts'
import { codeHelp } from '#model/code-help.ts'
import { codes, type Code } from '#model/problem.ts'
import { commandsReference } from './commands-reference.ts'

/** Every file of schemas/, with its text. */
export async function schemaFiles(): Promise<ReadonlyMap<string, string>> {
  const schemas = {
    'schemas/chart.schema.json': jsonSchema(undefined),
    'schemas/chart-yaml.schema.json': jsonSchema('Chart'),
    'schemas/tend.schema.json': declarationSchema(await loadDeclarations()),
    'schemas/fleet.schema.json': fleetSettingsSchema(),
  }
  const text = (schema: unknown): string => `${JSON.stringify(schema, null, 2)}\n`
  return new Map(Object.entries(schemas).map(([file, schema]) => [file, text(schema)]))
}

type Page = { readonly file: string; readonly word: string; readonly section: () => string }

/** What stands between two marks of a page is made from a table. */
export const madePages: readonly Page[] = [
  { file: 'docs/troubleshooting.md', word: 'codes', section },
  { file: 'docs/commands.md', word: 'verbs', section: commandsReference },
]

export function written(text: string, { word, section: made }: Page): string {
  const [begin, end] = [`<!-- ${word}: made by npm run docs -->\n`, `<!-- end of ${word} -->\n`]
  const [head = '', rest = ''] = text.split(begin)
  const [, tail = ''] = rest.split(end)
  return `${head}${begin}${made()}${end}${tail}`
}

function section(): string {
  return Object.keys(codes).filter(isCode).map(part).join('')
}

function part(code: Code): string {
  const { means, cause, cure } = codeHelp[code]
  const { exit, http } = codes[code]
  return `\n### ${code}\n\n${means} (exit ${exit}, HTTP ${http})\n\n- **Cause**: ${cause}\n- **Cure**: ${cure}\n`
}

function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text)
}

if (import.meta.main) {
  for (const page of madePages) {
    writeFileSync(page.file, written(readFileSync(page.file, 'utf8'), page))
  }
  for (const [file, text] of await schemaFiles()) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
