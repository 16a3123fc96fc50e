/** Links in a kustomization: what kustomize 5.8.1 reads through them is read, and nothing outside of the folder that it refuses. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { buildKustomization } from '#formats/kustomize/build.ts'
import { KustomizeError } from '#formats/kustomize/error.ts'
import { directoryTree } from '#sources/directory.ts'
import { filesOf } from '#kinds/kustomizations/files.ts'
import { witnessed } from '#sources/inputs.ts'
import { Problem } from '#model/problem.ts'
import { diskFiles } from '#cli/kustomize/disk-files.ts'
import { kubeTool, requiredKube } from '../testbed/kube-tools.ts'
import { tendProgram } from '../testbed/program.ts'

const canary = 'canary-7f3a'
const program = resolve(tendProgram())

type Scene = {
  readonly files?: Readonly<Record<string, string>>
  /** Where each link lies, and what it says. `@` stands for the folder that holds all. */
  readonly links?: Readonly<Record<string, string>> | undefined
  readonly path?: string
  readonly words?: readonly string[]
  readonly isBuilt: boolean
}

const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: cm }\ndata: { a: b }\n'
const fromFile = 'configMapGenerator: [{ name: c, files: [l] }]\n'
const common: Readonly<Record<string, string>> = {
  'secret/file': `${canary}\n`,
  'secret/file.env': `A=${canary}\n`,
  'secret/map.yaml': map.replace('a: b', `a: ${canary}`),
  'secret/kustomization.yaml': 'resources: [map.yaml]\n',
  'app-too/file': `${canary}\n`,
  'base/kustomization.yaml': 'resources: [map.yaml]\n',
  'base/map.yaml': map,
  'app/inner/file': 'inside\n',
}

function app(kustomization: string, links: Scene['links'], isBuilt: boolean): Scene {
  return { files: { 'app/kustomization.yaml': kustomization }, links, isBuilt }
}

const scenes: Readonly<Record<string, Scene>> = {
  'a file inside': app(fromFile, { 'app/l': 'inner/file' }, true),
  'a file inside, by its whole path': app(fromFile, { 'app/l': '@/app/inner/file' }, true),
  'a file outside': app(fromFile, { 'app/l': '../secret/file' }, false),
  'a file outside, by its whole path': app(fromFile, { 'app/l': '@/secret/file' }, false),
  'a file of the host': app(fromFile, { 'app/l': '/etc/hostname' }, false),
  'a folder whose name only begins alike': app(fromFile, { 'app/l': '../app-too/file' }, false),
  'a chain inside': app(
    fromFile,
    { 'app/l': 'm', 'app/m': 'inner/n', 'app/inner/n': 'file' },
    true,
  ),
  'a chain that ends outside': app(fromFile, { 'app/l': 'm', 'app/m': '../secret/file' }, false),
  'a chain that leaves and comes back': app(
    fromFile,
    { 'app/l': '../back', back: 'app/inner/file' },
    true,
  ),
  'a link to itself': app(fromFile, { 'app/l': 'l' }, false),
  'a circle': app(fromFile, { 'app/l': 'm', 'app/m': 'l' }, false),
  'a link to nothing': app(fromFile, { 'app/l': 'nowhere' }, false),
  'a folder inside': app(
    'configMapGenerator: [{ name: c, files: [d/file] }]\n',
    { 'app/d': 'inner' },
    true,
  ),
  'a folder outside': app(
    'configMapGenerator: [{ name: c, files: [d/file] }]\n',
    { 'app/d': '../secret' },
    false,
  ),
  'an env file outside': app(
    'secretGenerator: [{ name: c, envs: [l.env] }]\n',
    { 'app/l.env': '../secret/file.env' },
    false,
  ),
  'a manifest outside': app('resources: [l.yaml]\n', { 'app/l.yaml': '../secret/map.yaml' }, false),
  'a patch outside': app(
    'resources: [../base]\npatches: [{ path: l.yaml }]\n',
    { 'app/l.yaml': '../secret/map.yaml' },
    false,
  ),
  'a base through a link to a folder': app(
    'resources: [b]\nbuildMetadata: [originAnnotations]\n',
    { 'app/b': '../base' },
    true,
  ),
  'a base whose file is a link to its user': {
    files: {
      'app/kustomization.yaml': 'resources: [../own]\n',
      'app/map.yaml': map,
      'own/kustomization.yaml': 'resources: [map.yaml]\n',
    },
    links: { 'own/map.yaml': '../app/map.yaml' },
    isBuilt: false,
  },
  'a base through a link, with a file beside the link': {
    files: {
      'app/kustomization.yaml': 'resources: [deep/b]\n',
      'app/deep/beside.yaml': map,
      'own/kustomization.yaml': 'resources: [../beside.yaml]\n',
    },
    links: { 'app/deep/b': '../../own' },
    isBuilt: false,
  },
  'a base that is the folder itself': app('resources: [me]\n', { 'app/me': '.' }, false),
  'a component through a link': {
    files: {
      'app/kustomization.yaml': 'resources: [../base]\ncomponents: [c]\n',
      'part/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: p-\n',
    },
    links: { 'app/c': '../part' },
    isBuilt: true,
  },
  'the kustomization is a link inside': {
    files: { 'app/inner/k.yaml': fromFile.replace('l]', 'inner/file]') },
    links: { 'app/kustomization.yaml': 'inner/k.yaml' },
    isBuilt: true,
  },
  'the kustomization is a link outside': {
    links: { 'app/kustomization.yaml': '../base/kustomization.yaml' },
    isBuilt: false,
  },
  'of two names for the kustomization one leads out': {
    files: { 'app/kustomization.yml': 'resources: [../base]\n' },
    links: { 'app/kustomization.yaml': '../secret/kustomization.yaml' },
    isBuilt: true,
  },
  'of two names for the kustomization one leads to itself': {
    files: { 'app/kustomization.yml': 'resources: [../base]\n' },
    links: { 'app/kustomization.yaml': 'kustomization.yaml' },
    isBuilt: true,
  },
  'the folder itself is a link': { links: { there: 'base' }, path: 'there', isBuilt: true },
  'without the restriction': {
    ...app(fromFile, { 'app/l': '../secret/file' }, true),
    words: ['--load-restrictor', 'LoadRestrictionsNone'],
  },
}

for (const [name, scene] of Object.entries(scenes)) {
  test(`links: ${name}`, { skip: requiredKube(['kustomize']) }, (context) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'tend-links-')))
    context.after(() => rmSync(root, { recursive: true }))
    for (const [path, text] of Object.entries({ ...common, ...scene.files })) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    for (const [path, target] of Object.entries(scene.links ?? {})) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      symlinkSync(target.replace('@', root), join(root, path))
    }
    const folder = join(root, scene.path ?? 'app')
    const words = scene.words ?? []
    const real = spawnSync(kubeTool('kustomize'), ['build', ...words, folder], { encoding: 'utf8' })
    assert.equal(real.status === 0, scene.isBuilt, real.stderr)
    const own = builtBy(folder, words)
    if (scene.isBuilt) return assert.equal(own, real.stdout)
    assert.ok(own instanceof KustomizeError, String(own))
    assert.doesNotMatch(`${own.message} ${String(own.cause)}`, /canary/)
  })
}

function builtBy(folder: string, words: readonly string[]): unknown {
  const options = words.length === 0 ? {} : ({ loadRestrictor: 'LoadRestrictionsNone' } as const)
  try {
    return buildKustomization({ files: diskFiles, path: realpathSync(folder).slice(1), options })
      .text
  } catch (error) {
    return error
  }
}

test('the command refuses a link out of the folder, and says where it leads', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'tend-links-'))
  context.after(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'kustomization.yaml'), fromFile)
  symlinkSync('/etc/hostname', join(root, 'l'))
  const { status, stdout, stderr } = spawnSync(program, ['kustomize', 'build', root], {
    encoding: 'utf8',
  })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /kustomization\.yaml:1\S* .*l is a link to \/etc\/hostname, outside of/)
})

test('the service reads nothing through a link out of the repository, restriction or not', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'tend-links-'))
  context.after(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'secret'))
  writeFileSync(join(root, 'secret/file'), canary)
  mkdirSync(join(root, 'repository/app'), { recursive: true })
  writeFileSync(join(root, 'repository/inside'), 'inside')
  const links = { file: '../../secret/file', folder: '../../secret', chain: 'file', whole: root }
  for (const [name, target] of Object.entries(links)) {
    symlinkSync(target, join(root, 'repository/app', name))
  }
  symlinkSync('../inside', join(root, 'repository/app/good'))
  const built = (file: string) => {
    const kustomization = `configMapGenerator: [{ name: c, files: [x=${file}] }]\n`
    writeFileSync(join(root, 'repository/app/kustomization.yaml'), kustomization)
    const tree = directoryTree(join(root, 'repository'), { skipsBadLinks: true })
    const options = { loadRestrictor: 'LoadRestrictionsNone' } as const
    return buildKustomization({ files: filesOf(witnessed(tree)), path: 'app', options }).text
  }
  for (const file of ['file', 'folder/file', 'chain', 'whole/secret/file']) {
    assert.throws(
      () => built(file),
      (error) =>
        (error instanceof Problem || error instanceof KustomizeError) &&
        !error.message.includes(canary),
      file,
    )
  }
  assert.match(built('good'), /x: inside/)
})
