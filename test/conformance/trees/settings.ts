/** The fields of a kustomization besides what it is made of. */
import type { Draw } from './draw.ts'
import { images, labels, names, oddText, type Made } from './values.ts'
import { isWorkload, mergePatch, operations, target } from './patches.ts'
import { Raw, writeYaml, type Data } from './write.ts'

type Fields = { [key: string]: Data | undefined }

/** Fields, and files beside the kustomization that they name. */
export type Settings = { readonly fields: Fields; readonly files: Map<string, string> }

export function makeSettings(draw: Draw, inside: readonly Made[], generated: string[]): Settings {
  const fields: Fields = {}
  const files = new Map<string, string>()
  const any = (): Made | undefined =>
    inside.length === 0 ? undefined : inside[draw.below(inside.length)]
  if (draw.chance(30)) fields['namePrefix'] = draw.pick(['p-', 'dev-', 'x'])
  if (draw.chance(20)) fields['nameSuffix'] = draw.pick(['-s', '-v2'])
  if (draw.chance(30)) fields['namespace'] = draw.pick(['shop', 'default', 'other'])
  if (draw.chance(20)) fields['commonLabels'] = { ...labels(draw), owner: draw.pick(names) }
  if (draw.chance(25))
    fields['labels'] = Array.from({ length: 1 + draw.below(2) }, () => label(draw))
  if (draw.chance(15)) fields['commonAnnotations'] = { by: oddText(draw), note: 'all' }
  if (draw.chance(30)) fields['images'] = draw.some(images, 3).map((image) => newImage(draw, image))
  const scalable = inside.filter((made) => ['Deployment', 'StatefulSet'].includes(made.kind))
  if (draw.chance(20) && scalable.length > 0) {
    fields['replicas'] = [{ name: draw.pick(scalable).name, count: draw.below(9) }]
  }
  addPatches(draw, fields, files, any)
  addGenerators(draw, fields, files, generated)
  if (draw.chance(25) && inside.length > 0) {
    fields['replacements'] = Array.from({ length: 1 + draw.below(2) }, () => {
      return replacement(draw, draw.pick(inside), draw.pick(inside))
    })
  }
  addVars(draw, fields, inside)
  if (draw.chance(10)) {
    fields['configurations'] = ['config.yaml']
    files.set('config.yaml', writeYaml(configuration, draw))
  }
  if (draw.chance(8))
    fields['buildMetadata'] = draw.some(
      ['originAnnotations', 'transformerAnnotations', 'managedByLabel'],
      3,
    )
  if (draw.chance(8))
    fields['sortOptions'] = draw.pick([
      { order: 'fifo' },
      { order: 'legacy' },
      {
        order: 'legacy',
        legacySortOptions: { orderFirst: ['Service', 'ConfigMap'], orderLast: ['Deployment'] },
      },
    ])
  return { fields, files }
}

const configuration: Data = {
  nameReference: [
    {
      kind: 'ConfigMap',
      version: 'v1',
      fieldSpecs: [{ path: 'spec/configRef/name', kind: 'Widget' }],
    },
    {
      kind: 'Widget',
      group: 'example.com',
      fieldSpecs: [{ path: 'metadata/annotations/example.com\\/ref', kind: 'ConfigMap' }],
    },
  ],
  images: [{ path: 'spec/image', kind: 'Widget' }],
  commonLabels: [{ path: 'spec/labels', create: true, kind: 'Widget' }],
  namespace: [{ path: 'spec/configRef/namespace', create: true, kind: 'Widget' }],
  varReference: [{ path: 'spec/items/value', kind: 'Widget' }],
}

function label(draw: Draw): Data {
  return {
    pairs: { ...labels(draw), team: draw.pick(names) },
    includeSelectors: draw.chance(25) ? true : undefined,
    includeTemplates: draw.chance(25) ? true : undefined,
    fields: draw.chance(10) ? [{ path: 'spec/labels', create: true, kind: 'Widget' }] : undefined,
  }
}

function newImage(draw: Draw, image: string): Data {
  const name = image.replace(/@.*$/, '').replace(/:[^:/]*$/, '')
  return {
    name,
    newName: draw.chance(40) ? draw.pick(['mirror/x', 'localhost:5000/y']) : undefined,
    newTag: draw.chance(60) ? draw.pick(['v9', new Raw('"1.0"'), 'latest']) : undefined,
    digest: draw.chance(20) ? 'sha256:bbbb' : undefined,
    tagSuffix: draw.chance(6) ? '-alpine' : undefined,
  }
}

function addPatches(
  draw: Draw,
  fields: Fields,
  files: Map<string, string>,
  any: () => Made | undefined,
): void {
  const patches: Data[] = []
  for (let i = draw.below(4); i > 0; i--) {
    const made = any()
    if (made === undefined) continue
    const isMerge = draw.chance(60)
    const text = writeYaml(isMerge ? mergePatch(draw, made) : operations(draw, made), draw)
    const isFile = draw.chance(40)
    const name = `patch${i}.yaml`
    if (isFile) files.set(name, text)
    const hasTarget = !isMerge || draw.chance(30)
    patches.push({
      [isFile ? 'path' : 'patch']: isFile ? name : text,
      target: hasTarget ? target(draw, made) : undefined,
      options: draw.chance(8)
        ? { allowNameChange: true, allowKindChange: draw.chance(50) }
        : undefined,
    })
  }
  if (patches.length > 0) fields['patches'] = patches
  const old = draw.chance(12) ? any() : undefined
  if (old !== undefined) {
    const isInline = draw.chance(30)
    const text = writeYaml(mergePatch(draw, old), draw)
    if (!isInline) files.set('merge.yaml', text)
    fields['patchesStrategicMerge'] = [isInline ? text : 'merge.yaml']
  }
  const json = draw.chance(10) ? any() : undefined
  if (json !== undefined) {
    const [group, version] = json.apiVersion.includes('/')
      ? json.apiVersion.split('/')
      : [undefined, json.apiVersion]
    const to = {
      group,
      version,
      kind: json.kind,
      name: json.name,
      namespace: json.namespace === '' ? undefined : json.namespace,
    }
    fields['patchesJson6902'] = [{ target: to, patch: writeYaml(operations(draw, json), draw) }]
  }
}

function addGenerators(
  draw: Draw,
  fields: Fields,
  files: Map<string, string>,
  generated: string[],
): void {
  for (const field of ['configMapGenerator', 'secretGenerator'] as const) {
    if (!draw.chance(25)) continue
    fields[field] = draw.some(names, 2).map((name): Data => {
      const key = `${field}/${name}`
      const isThere = generated.includes(key)
      if (!isThere) generated.push(key)
      const behavior = isThere
        ? draw.pick(['merge', 'replace'])
        : draw.chance(10)
          ? 'create'
          : undefined
      return {
        name,
        behavior,
        ...sources(draw, files, field),
        options: draw.chance(20) ? generatorOptions(draw) : undefined,
      }
    })
  }
  if (draw.chance(10)) fields['generatorOptions'] = generatorOptions(draw)
}

function sources(
  draw: Draw,
  files: Map<string, string>,
  field: string,
): { [key: string]: Data | undefined } {
  const literals = draw.some(
    ['a=1', 'b=two words', "c='quoted'", 'd="x"', 'e=', 'f=ünï=', 'host=db'],
    3,
  )
  const isFile = draw.chance(30)
  const isEnv = draw.chance(20)
  if (isFile)
    files.set(
      'conf.txt',
      draw.pick(['line\n', 'a\nb\n', 'no end', '', 'tab\there\n', 'trailing \n', 'x: y\n']),
    )
  if (isEnv) files.set('vars.env', '# c\nENV_A=1\n\nENV_B=two=2\n  ENV_C=x\n')
  return {
    literals: literals.length === 0 ? undefined : literals,
    files: isFile ? [draw.pick(['conf.txt', 'renamed=conf.txt'])] : undefined,
    envs: isEnv ? ['vars.env'] : undefined,
    type: field === 'secretGenerator' && draw.chance(20) ? 'kubernetes.io/tls' : undefined,
    namespace: draw.chance(10) ? 'shop' : undefined,
  }
}

function generatorOptions(draw: Draw): Data {
  return {
    disableNameSuffixHash: draw.chance(40) ? true : undefined,
    labels: draw.chance(40) ? { gen: oddText(draw) } : undefined,
    annotations: draw.chance(30) ? { gen: draw.pick(names) } : undefined,
    immutable: draw.chance(15) ? true : undefined,
  }
}

const copied = [
  'metadata.labels.copied',
  'metadata.annotations.[example.com/copied]',
  'metadata.annotations.note',
]
const ofWorkload = [
  'spec.template.spec.containers.[name=c0].image',
  'spec.template.spec.containers.*.image',
  'spec.template.spec.containers.0.name',
  'spec.template.metadata.labels.app',
  'spec.replicas',
  'spec.template.spec.containers.*.env.[name=HOST].value',
]

function replacement(draw: Draw, from: Made, to: Made): Data {
  const fieldPath = draw.chance(70)
    ? 'metadata.name'
    : isWorkload(from)
      ? draw.pick([
          'spec.template.spec.containers.0.image',
          'spec.selector.matchLabels.app',
          'spec.replicas',
        ])
      : from.kind === 'ConfigMap'
        ? 'data.a'
        : draw.pick(['kind', 'metadata.namespace', 'apiVersion'])
  const path = isWorkload(to) && draw.chance(70) ? draw.pick(ofWorkload) : draw.pick(copied)
  const part = draw.chance(15)
    ? { delimiter: draw.pick([':', '-', '/']), index: draw.below(3) - (draw.chance(10) ? 3 : 0) }
    : {}
  const isMade = path.includes('copied') || draw.chance(40)
  return {
    source: {
      kind: from.kind,
      name: from.name,
      namespace: from.namespace === '' ? undefined : from.namespace,
      fieldPath,
      options: draw.chance(10) ? { delimiter: '-', index: draw.below(2) } : undefined,
    },
    targets: [
      {
        select: { kind: to.kind, name: draw.chance(70) ? to.name : undefined },
        reject: draw.chance(15) ? [{ name: draw.pick(names) }] : undefined,
        fieldPaths: [path],
        options: isMade || draw.chance(15) ? { create: isMade, ...part } : undefined,
      },
    ],
  }
}

function addVars(draw: Draw, fields: Fields, inside: readonly Made[]): void {
  if (!draw.chance(10)) return
  const found = inside.filter(
    (made) => made.kind === 'Service' || made.kind === 'ConfigMap' || isWorkload(made),
  )
  const made = found[draw.below(Math.max(found.length, 1))]
  if (made === undefined) return
  const name = draw.pick(['NAME_VAR', 'HOST'])
  fields['vars'] = [
    {
      name,
      objref: {
        apiVersion: made.apiVersion,
        kind: made.kind,
        name: made.name,
        namespace: made.namespace === '' ? undefined : made.namespace,
      },
      fieldref: draw.chance(30)
        ? { fieldPath: draw.pick(['metadata.name', 'spec.replicas', 'data.a']) }
        : undefined,
    },
  ]
}
