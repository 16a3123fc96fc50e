/** Which kinds a server serves, where it does not say so in one call: asked group by group. */
import { recordOf, recordsOf, textOf, textsOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Kubernetes } from './client.ts'
import type { ApiKind } from './discovery.ts'

/** Kinds by group, with the preferred version first. `body` is what `/api` or `/apis` answered instead. */
export async function olderGroups(
  kubernetes: Kubernetes,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<readonly (readonly (readonly ApiKind[])[])[]> {
  const core = textsOf(body['versions']).map((version) => ({ group: '', version }))
  const groups = recordsOf(body['groups']).map((item) => {
    const versions = recordsOf(item['versions']).map((each) => textOf(each['version']))
    const preferred = textOf(recordOf(item['preferredVersion'])['version'])
    const inOrder = [...new Set([preferred, ...versions])].filter((version) => version !== '')
    return inOrder.map((version) => ({ group: textOf(item['name']), version }))
  })
  const all = core.length > 0 ? [core, ...groups] : groups
  return Promise.all(
    all.map((versions) =>
      Promise.all(versions.map((one) => kindsIn(kubernetes, one.group, one.version, signal))),
    ),
  )
}

/** A group whose server is away is left out for now, and hides no other group. */
async function kindsIn(
  kubernetes: Kubernetes,
  group: string,
  version: string,
  signal: AbortSignal,
): Promise<readonly ApiKind[]> {
  const apiVersion = group === '' ? version : `${group}/${version}`
  const path = group === '' ? `/api/${version}` : `/apis/${apiVersion}`
  const doing = `could not ask which kinds are in ${apiVersion}`
  // a group that does not answer is left out, as kubectl does; its kinds are unknown
  const said = await kubernetes
    .ask('GET', path, { signal, doing, fine: [404, 500, 502, 503] })
    .catch(() => undefined)
  signal.throwIfAborted()
  const resources = recordsOf(recordOf(said?.body)['resources'])
  const names = resources.map((resource) => textOf(resource['name']))
  return resources
    .filter((resource) => !textOf(resource['name']).includes('/'))
    .map((resource) => {
      const plural = textOf(resource['name'])
      const inside = names.filter((name) => name.startsWith(`${plural}/`))
      return {
        apiVersion,
        group,
        version,
        kind: textOf(resource['kind']),
        plural,
        isNamespaced: resource['namespaced'] === true,
        verbs: textsOf(resource['verbs']),
        subresources: inside.map((name) => name.slice(plural.length + 1)),
      }
    })
}
