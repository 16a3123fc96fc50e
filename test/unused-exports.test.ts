/** No dead code: whatever is exported is used by the product, in its own file or in another one, and not by tests alone. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Used by tests alone, and why. */
const allowed: Readonly<Record<string, string>> = {
  reachRows: 'docs/security.md is held against it',
  stacksReach: 'docs/security.md is held against it',
  chartsReach: 'docs/security.md is held against it',
}

const isTest = (file: string): boolean => file.startsWith('test/') || file.endsWith('.test.ts')

test('nothing is exported that the product does not use', () => {
  const files = globSync(
    ['src', 'web', 'bench', 'release', 'demo', 'test'].map((top) => `${top}/**/*.{ts,tsx}`),
    { exclude: ['web/dist/**'] },
  )
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const users = new Map<string, string[]>()
  for (const [file, text] of texts) {
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) {
      const known = users.get(word) ?? []
      known.push(file)
      users.set(word, known)
    }
  }
  const unused: string[] = []
  for (const [file, text] of texts) {
    if (isTest(file) || !file.startsWith('src/')) continue
    const exported = text.matchAll(/^export (?:async )?(?:function\*?|const|class|type) ([\w$]+)/gm)
    for (const [, name = ''] of exported) {
      const others = (users.get(name) ?? []).filter((user) => user !== file)
      const isUsedHere = text.split(new RegExp(`\\b${name.replaceAll('$', '\\$')}\\b`)).length > 2
      const isUsed = isUsedHere || others.some((user) => !isTest(user))
      if (!isUsed && !Object.hasOwn(allowed, name)) unused.push(`${file}: ${name}`)
    }
  }
  assert.deepEqual(unused, [])
})
