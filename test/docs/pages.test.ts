/** The pages themselves: links lead somewhere, what is made from tables is up to date, promises name tests that exist, both READMEs say the same. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { test } from 'node:test'
import { needsExample } from '#formats/schema/spread-examples.ts'
import { madePages, schemaFiles, written } from '../../release/write-docs.ts'

const pages = [...globSync('*.md'), ...globSync('docs/**/*.md')].toSorted()
const textOf = (file: string): string => readFileSync(file, 'utf8')

/** Without blocks and inline code: what looks like a link in them is none. */
function prose(file: string): string {
  return textOf(file)
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
}

/** As GitHub makes them: small letters, no punctuation, dashes for blanks. */
function anchorsOf(file: string, heading = /^#{1,6} (.+)$/gm): ReadonlySet<string> {
  const heads = textOf(file)
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    .matchAll(heading)
  return new Set(
    [...heads].map(([, head = '']) =>
      head
        .toLowerCase()
        .replaceAll(/[^\p{Letter}\p{Number}\p{Mark}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}

for (const file of pages) {
  test(`the links of ${file}`, () => {
    for (const [, target = ''] of prose(file).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const found = path === '' ? file : join(dirname(file), path)
      assert.ok(existsSync(found), `${file}: ${target} leads nowhere`)
      if (anchor === undefined || !found.endsWith('.md')) continue
      assert.ok(anchorsOf(found).has(anchor), `${file}: ${target}: ${found} has no such heading`)
    }
  })
}

test('every page of docs/ can be reached from the README', () => {
  const reached = new Set(['README.md'])
  for (const file of reached) {
    for (const [, target = ''] of prose(file).matchAll(/\]\(([^)\s#]+\.md)/g)) {
      const found = join(dirname(file), target)
      if (existsSync(found)) reached.add(found)
    }
  }
  const lost = globSync('docs/*.md').filter((file) => !reached.has(file))
  assert.deepEqual(lost, [])
})

for (const page of madePages) {
  test(`${page.file} has all ${page.word}, as the table has them`, () => {
    assert.equal(textOf(page.file), written(textOf(page.file), page), 'run: npm run docs')
  })
}

test('README_CN.md has the commands, examples and links of README.md', () => {
  const blocks = (file: string): readonly string[] =>
    [...textOf(file).matchAll(/^```\w+( run)?\n([\s\S]*?)^```$/gm)].map(([, , inside = '']) =>
      inside.replaceAll(/\s+#.*$/gm, ''),
    )
  assert.deepEqual(blocks('README_CN.md'), blocks('README.md'))
  const links = (file: string): ReadonlySet<string> =>
    new Set([...prose(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target))
  const [own, other] = [links('README_CN.md'), links('README.md')]
  const missing = [...other].filter((target) => !own.has(target) && target !== 'README_CN.md')
  assert.deepEqual(missing, [])
  const heads = (file: string): number => [...textOf(file).matchAll(/^#+ /gm)].length
  assert.equal(heads('README_CN.md'), heads('README.md'))
})

test('the picture of the README shows the commands that npm run record types, and that they end well', () => {
  const typed = [...textOf('demo/record.ts').matchAll(/^ {2}'(tend [^']+)',$/gm)]
  assert.ok(typed.length > 3)
  const picture = textOf('docs/terminal.svg').replaceAll(/<[^>]+>/g, '')
  const places = typed.map(([, command = '']) => picture.indexOf(`$ ${command}`))
  assert.ok(!places.includes(-1), 'run: npm run record')
  assert.deepEqual(
    places.toSorted((one, other) => one - other),
    places,
  )
  assert.match(picture, /Resources: 5 created[\s\S]*Planned: 0 create, 2 update[\s\S]*2 updated/)
  assert.match(textOf('README.md'), /^!\[[^\]]+\]\(docs\/terminal\.svg\)$/m)
})

test('each promise names tests that exist', () => {
  const rows = [...textOf('docs/promises.md').matchAll(/^\| (?!---|promise )(.+) \|$/gm)]
  assert.ok(rows.length > 200)
  for (const [, row = ''] of rows.filter(([, one = '']) => !one.startsWith('section '))) {
    const named = [...row.matchAll(/`((?:test|src|web|bench)\/[\w./-]+\.ts)(?:: ([^`]+))?`/g)]
    assert.ok(named.length > 0, `no test is named: ${row}`)
    for (const [, file = '', name] of named) {
      assert.ok(existsSync(file), `${file} does not exist: ${row}`)
      if (name === undefined) continue
      assert.ok(textOf(file).includes(name), `${file} has no test ${name}: ${row}`)
    }
  }
})

test('each section of the pages for users has its promises', () => {
  // made from tables, or for whoever works on it: rows of their own
  const others = new Set(globSync('docs/{TESTING,architecture,benchmarks,commands,promises}.md'))
  const linked = new Set(
    [...prose('docs/promises.md').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => {
      const [path = '', anchor = ''] = target.split('#')
      return `${join('docs', path)}#${anchor}`
    }),
  )
  const missing = ['README.md', ...globSync('docs/*.md')]
    .filter((file) => !others.has(file))
    .flatMap((file) => [...anchorsOf(file, /^## (.+)$/gm)].map((anchor) => `${file}#${anchor}`))
    .filter((section) => !linked.has(section))
  assert.deepEqual(missing, [])
})

test('dashboard and alert rules ask only for metrics that there are, and docs/operate.md has each', () => {
  const known = new Set(textOf('src/controller/api/metrics.ts').match(/tend_[a-z_]+/g))
  for (const name of known) assert.ok(textOf('docs/operate.md').includes(`\`${name}`), name)
  JSON.parse(textOf('packaging/monitoring/tend-dashboard.json'))
  for (const file of globSync('packaging/monitoring/*')) {
    for (const name of textOf(file).match(/tend_[a-z_]+/g) ?? []) {
      assert.ok(known.has(name.replace(/_(bucket|sum|count)$/, '')), `${file}: ${name}`)
    }
  }
})

test('schemas/ is what `tend schema` prints, with a description and an example on every key, and examples name it', async () => {
  for (const [file, text] of await schemaFiles()) {
    assert.equal(textOf(file), text, `${file}: run npm run docs`)
    assert.deepEqual(undescribed(JSON.parse(text), ''), [], file)
    assert.deepEqual(withoutExample(JSON.parse(text), ''), [], file)
  }
  const declared = globSync('examples/**/*.yaml')
  assert.ok(declared.length > 10)
  for (const file of declared) {
    const schema = /^# yaml-language-server: \$schema=(\S+)\n/.exec(textOf(file))?.[1]
    assert.ok(schema !== undefined, `${file} has no modeline`)
    const isThere = schema.startsWith('https://') || existsSync(join(dirname(file), schema))
    assert.ok(isThere, `${file}: there is no ${schema}`)
  }
  const packaged = textOf('packaging/debian/tend.yaml')
  assert.match(packaged, /^# yaml-language-server: \$schema=\/usr\/share\/doc\/tend\/schemas\/tend/)
})

/** Paths of keys without words; what Kubernetes calls its envelope needs none. */
function undescribed(schema: unknown, path: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key !== 'properties' || typeof value !== 'object' || value === null) {
      return undescribed(value, path)
    }
    return Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
      const isEnvelope = /^(?:apiVersion|kind|metadata|spec)$/.test(name) && path === ''
      const hasWords = typeof field === 'object' && field !== null && 'description' in field
      const own = hasWords || isEnvelope ? [] : [`${path}.${name}`]
      return [...own, ...undescribed(field, `${path}.${name}`)]
    })
  })
}

/** Paths of keys that take free text, numbers, lists or maps, and show none. */
function withoutExample(schema: unknown, path: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'examples') return []
    if (key !== 'properties' || typeof value !== 'object' || value === null) {
      return withoutExample(value, path)
    }
    return Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
      const own = needsExample(field) ? [`${path}.${name}`] : []
      return [...own, ...withoutExample(field, `${path}.${name}`)]
    })
  })
}
