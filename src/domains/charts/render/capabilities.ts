/** What templates see as `.Capabilities`: there is no cluster here, so Helm's own answers without one. */
import { toBytes } from '#formats/template/bytes.ts'
import { GoValue } from '#formats/template/data.ts'
import { versionSet } from '#formats/template/methods.ts'
import { kubeVersion } from '#formats/template/stringer.ts'
import { list, type Value } from '#formats/template/values.ts'
import { apiVersions } from './schema/envelope.ts'

/** The Helm whose rules are kept here, and the Kubernetes that it is made for. */
const helmVersion = 'v3.22.0'
export const kubeVersionText = 'v1.37.0'

export function capabilities(): { readonly [key: string]: unknown } {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(kubeVersionText) ?? []
  return {
    APIVersions: new GoValue(list([...apiVersions].map(toBytes), versionSet)),
    KubeVersion: struct(kubeVersion, {
      Version: kubeVersionText,
      Major: major,
      Minor: minor,
      GitVersion: kubeVersionText,
    }),
    HelmVersion: struct('version.BuildInfo', {
      Version: helmVersion,
      GitCommit: '',
      GitTreeState: '',
      GoVersion: '',
    }),
  }
}

function struct(type: string, fields: Readonly<Record<string, string>>): GoValue {
  const held = Object.entries(fields).map(([name, text]): [string, Value] => [name, toBytes(text)])
  return new GoValue({ kind: 'struct', type, fields: new Map(held) })
}
