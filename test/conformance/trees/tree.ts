/** A random tree of kustomizations: bases, overlays over overlays, components. */
import fc from 'fast-check'
import { drawFrom, type Draw } from './draw.ts'
import { makeObject } from './objects.ts'
import type { Made } from './values.ts'
import { makeSettings } from './settings.ts'
import { writeYaml, type Data } from './write.ts'

export type Tree = { readonly files: Readonly<Record<string, string>>; readonly path: string }

type Tapes = {
  readonly layers: readonly {
    readonly own: readonly number[]
    readonly objects: readonly (readonly number[])[]
  }[]
}

const tape = (length: number) => fc.array(fc.nat({ max: 9999 }), { maxLength: length, size: 'max' })

const tapes: fc.Arbitrary<Tapes> = fc.record({
  layers: fc.array(
    fc.record({ own: tape(160), objects: fc.array(tape(90), { maxLength: 4, size: 'max' }) }),
    { minLength: 1, maxLength: 4, size: 'max' },
  ),
})

export const trees: fc.Arbitrary<Tree> = tapes.map(treeOf)

type Layer = {
  readonly folder: string
  readonly isComponent: boolean
  readonly inside: readonly Made[]
}

function treeOf({ layers }: Tapes): Tree {
  const files: Record<string, string> = {}
  const seen = new Set<string>()
  const generated: string[] = []
  let open: Layer[] = []
  for (const [i, { own, objects }] of layers.entries()) {
    const isLast = i === layers.length - 1
    const draw = drawFrom(own)
    const isComponent = !isLast && draw.chance(20)
    const below = isComponent ? [] : isLast ? open : open.filter(() => draw.chance(50))
    open = open.filter((layer) => !below.includes(layer))
    const made = objects.map((one) => ({ draw: drawFrom(one), object: undefined }))
    const objectsHere = made.flatMap(({ draw: each }) => {
      const object = makeObject(each)
      const key = `${object.kind}/${object.namespace}/${object.name}`
      if (seen.has(key)) return []
      seen.add(key)
      return [{ object, draw: each }]
    })
    const folder = `layer${i}`
    const resources: string[] = []
    for (const [at, { object, draw: each }] of objectsHere.entries()) {
      const name = `${object.kind.toLowerCase()}-${at}.yaml`
      const text = writeYaml(object.data, each)
      const before = resources.at(-1)
      if (before !== undefined && before.endsWith('.yaml') && each.chance(25))
        files[`${folder}/${before}`] += `---\n${text}`
      else {
        files[`${folder}/${name}`] = text
        resources.push(name)
      }
    }
    const inside = [
      ...below.flatMap((layer) => layer.inside),
      ...objectsHere.map(({ object }) => object),
    ]
    writeLayer({ folder, isComponent, draw, below, resources, inside, files, generated })
    open.push({ folder, isComponent, inside })
  }
  return { files, path: `layer${layers.length - 1}` }
}

function writeLayer(layer: {
  readonly folder: string
  readonly isComponent: boolean
  readonly draw: Draw
  readonly below: readonly Layer[]
  readonly resources: readonly string[]
  readonly inside: readonly Made[]
  readonly files: Record<string, string>
  readonly generated: string[]
}): void {
  const { folder, draw, below, files } = layer
  const settings = makeSettings(draw, layer.inside, layer.generated)
  const bases = below.filter((one) => !one.isComponent).map((one) => `../${one.folder}`)
  const components = below.filter((one) => one.isComponent).map((one) => `../${one.folder}`)
  const resources = draw.chance(50)
    ? [...bases, ...layer.resources]
    : [...layer.resources, ...bases]
  const data: Data = {
    apiVersion: layer.isComponent
      ? 'kustomize.config.k8s.io/v1alpha1'
      : draw.chance(30)
        ? 'kustomize.config.k8s.io/v1beta1'
        : undefined,
    kind: layer.isComponent ? 'Component' : undefined,
    resources: resources.length === 0 ? undefined : resources,
    components: components.length === 0 ? undefined : components,
    ...settings.fields,
  }
  files[`${folder}/kustomization.yaml`] = writeYaml(data, draw)
  for (const [name, text] of settings.files) files[`${folder}/${name}`] = text
}
