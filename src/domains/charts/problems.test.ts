/** Bad input and the exact words that a person reads about it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderChart } from './render/render.ts'
import { input, manifest } from '../../../test/fake/chart.ts'

/** `TYPE PLACE MESSAGE (SUGGESTION)` */
function said(files: Readonly<Record<string, string>>): readonly string[] {
  return renderChart(input(files)).problems.map(({ type, at, message, suggestion }) => {
    const place =
      at === undefined ? '' : `${at.file.replace('templates/', '')}:${at.line}:${at.column} `
    assert.ok(suggestion !== undefined, `nothing says what to do: ${message}`)
    // the least that is said of any fault: where the form is written down
    const isLeast = /^(?:add it; )?see: tend schema/.test(suggestion)
    return `${type} ${place}${message}${isLeast ? '' : ` (${suggestion})`}`
  })
}

function container(spec: string): string {
  return manifest('CuteContainer', 'web', `image: nginx\n${spec}`)
}

test("the requirement's own sample", () => {
  const files = {
    'templates/web.yaml': container(
      'ports:\n  - containerPort: 80\n    hostport: 8080\nnetworks:\n  - web-netwrk',
    ),
    'templates/db.yaml': manifest(
      'CuteContainer',
      'db',
      'image: postgres\nresources:\n  limits:\n    memory: 1Gb',
    ),
    'templates/networks.yaml': [
      manifest('CuteNetwork', 'web-network', 'driver: bridge'),
      manifest('CuteNetwork', 'db-network', 'driver: bridge'),
    ].join('---\n'),
  }
  assert.deepEqual(said(files), [
    'validation db.yaml:9:15 spec.resources.limits.memory: "1Gb" is not a quantity (write 1G or 1Gi)',
    'validation web.yaml:9:7 spec.ports[0].hostport: unknown field (did you mean hostPort?)',
    'validation web.yaml:11:7 spec.networks[0]: no CuteNetwork named "web-netwrk" (the chart declares: web-network, db-network)',
  ])
})

/** The spec of a container besides its image (which is on line 6), and what is said of it. */
const containers: readonly (readonly [string, ...string[]])[] = [
  [
    'ports: [{containerPort: 80, hostPort: 8080}, {containerPort: 81, hostPort: 8080}]',
    '7:78 spec.ports[1].hostPort: 8080/tcp of the host is used twice',
  ],
  ['args: 5', '7:9 spec.args: expected a list of strings, found a number'],
  ['args: [5]', '7:10 spec.args[0]: expected a string, found a number (put it in quotes)'],
  ['command: sh', '7:12 spec.command: expected a list of strings, found a string (write: ["sh"])'],
  ['foo: null', '7:3 spec.foo: unknown field'],
  ['volumeMounts: []', '7:3 spec.volumeMounts: unknown field (use volumes: [{name, mountPath}])'],
  [
    'env: [{name: A, valueFrom: {}}]',
    '7:19 spec.env[0].valueFrom: unknown field (declare a CuteSecret and name it under secrets: [{name, env: true}])',
  ],
  [
    'env: {A: b}',
    '7:8 spec.env: expected a list of maps, found a map (write a list: - {name: A, value: "…"})',
  ],
  ['env: [{name: "A=B"}]', `7:16 spec.env[0].name: "A=B" is not a variable's name`],
  ['env: [{name: A}, {name: A}]', '7:27 spec.env[1].name: A is set twice (keep one of the two)'],
  [
    'env: [{name: A, value: {}}]',
    '7:26 spec.env[0].value: expected a string or a number or true or false, found a map',
  ],
  [
    'envFile: none.env',
    '7:12 spec.envFile: no file "none.env" in the chart (write the path from the folder of Chart.yaml)',
  ],
  ['envFile: ../up', '7:12 spec.envFile: "../up" leaves its place with ".."'],
  [
    'envFile: bad.env',
    '7:12 spec.envFile: line 2 of bad.env is not NAME=value',
    '7:12 spec.envFile: line 3 of bad.env has a quote " that is never closed',
  ],
  ['ports: [{containerPort: 0}]', '7:27 spec.ports[0].containerPort: 0 is not from 1 to 65535'],
  ['ports: [{hostPort: 80}]', '7:11 spec.ports[0].containerPort: is required, but missing'],
  [
    'ports: [{containerPort: 80, protocol: tpc}]',
    '7:41 spec.ports[0].protocol: "tpc" is not one of: TCP, UDP, SCTP (did you mean TCP?)',
  ],
  [
    'ports: [{containerPort: 80, hostIP: here}]',
    '7:39 spec.ports[0].hostIP: "here" is not an IP address',
  ],
  [
    'ports: [{containerPort: 80}, {containerPort: 80}]',
    '7:32 spec.ports[1]: 80/tcp is published twice',
  ],
  [
    'volumes: [{name: v, mountPath: data}]',
    '7:34 spec.volumes[0].mountPath: "data" is not an absolute path (begin it with /)',
  ],
  ['volumes: [{name: v}]', '7:13 spec.volumes[0].mountPath: is required, but missing'],
  [
    'volumes: [{name: v, mountPath: /a//b}]',
    '7:34 spec.volumes[0].mountPath: "/a//b" is not a plain path (write /a/b)',
  ],
  [
    'volumes: [{name: v, mountPath: /a, subPath: ../b}]',
    '7:47 spec.volumes[0].subPath: "../b" leaves its place with ".."',
  ],
  [
    'volumes: [{name: v, mountPath: /a}, {name: w, mountPath: /a/}]',
    '7:60 spec.volumes[1].mountPath: /a is taken by the volume v already (mount one of them elsewhere)',
  ],
  [
    'volumes: [{name: v, mountPath: /a}]\ntmpfs: [/a]',
    '8:11 spec.tmpfs[0]: /a is taken by the volume v already (mount one of them elsewhere)',
  ],
  [
    'volumes: [{name: net, mountPath: /a}]',
    '7:20 spec.volumes[0].name: "net" is a CuteNetwork, not a CuteVolume (the chart declares: v, w)',
  ],
  [
    'volumes: [{name: v, mountPath: /a, mountOptions: {seLinuxLabel: q}}]',
    '7:67 spec.volumes[0].mountOptions.seLinuxLabel: "q" is not one of: z, Z, shared, private (did you mean z?)',
  ],
  [
    'secrets: [{name: s, env: true}]',
    `7:28 spec.secrets[0].env: the key "tls.crt" of s is not a variable's name (mount it with path instead, or rename the key)`,
  ],
  [
    'secrets: [{name: none, env: true}]',
    '7:20 spec.secrets[0].name: no CuteSecret named "none" (the chart declares: s, t)',
  ],
  [
    'secrets: [{name: t, env: true}]\nenv: [{name: T, value: 1}]',
    '7:28 spec.secrets[0].env: T of t is set already (rename the key or the variable)',
  ],
  ['pod: p', '7:8 spec.pod: no CutePod named "p" (the chart declares no CutePod)'],
  [
    'dependsOn: [wbe]',
    '7:15 spec.dependsOn[0]: no CuteContainer named "wbe" (the chart declares: other, web)',
  ],
  [
    'dependsOn: [{name: other, condition: healty}]',
    '7:40 spec.dependsOn[0].condition: "healty" is not one of: started, healthy, completed (did you mean healthy?)',
  ],
  [
    'dependsOn: [{name: other, condition: healthy}]',
    '7:40 spec.dependsOn[0].condition: other has no health check to wait for (give other a health check, or wait for started)',
  ],
  [
    'dependsOn: [{name: other, condition: completed}]',
    '7:40 spec.dependsOn[0].condition: other is restarted always, so it never completes (give other restartPolicy: no)',
  ],
  ['health: {type: exec}', '7:3 spec.health.command: is required for type exec, but missing'],
  [
    'health: {type: http, httpGet: {port: 80, path: x}}',
    '7:50 spec.health.httpGet.path: "x" is not the path of an address (begin it with /)',
  ],
  [
    'health: {type: exec, command: [a], retries: 0}',
    '7:47 spec.health.retries: 0 is not at least 1',
  ],
  [
    'resources: {limits: {cpu: lots}}',
    '7:29 spec.resources.limits.cpu: "lots" is not a quantity (write processors as 0.5 or 500m)',
  ],
  [
    'resources: {limits: {memory: 1g}}',
    '7:32 spec.resources.limits.memory: "1g" is not a quantity (write 1G or 1Gi)',
  ],
  [
    'resources: {limits: {memory: 1Gi}, requests: {memory: 2Gi}}',
    '7:57 spec.resources.requests.memory: asks for 2Gi, more than the limit of 1Gi',
  ],
  ['uid: -1', '7:8 spec.uid: -1 is not from 0 to 4294967294'],
  ['uid: 1.5', '7:8 spec.uid: 1.5 is not a whole number'],
  [
    'uid: 1\nsecurityContext: {runAsUser: 2}',
    '7:8 spec.uid: differs from securityContext.runAsUser, 2',
  ],
  [
    'restartPolicy: sometimes',
    '7:18 spec.restartPolicy: "sometimes" is not one of: no, on-failure, always, unless-stopped, OnFailure, Never',
  ],
  [
    'imagePullPolicy: Alway',
    '7:20 spec.imagePullPolicy: "Alway" is not one of: Always, IfNotPresent, Never, missing, newer (did you mean Always?)',
  ],
  ['ulimits: {nofiles: 5}', '7:13 spec.ulimits.nofiles: unknown field (did you mean nofile?)'],
  [
    'ulimits: {nofile: {soft: 2, hard: 1}}',
    '7:21 spec.ulimits.nofile: the soft limit 2 is above the hard limit 1',
  ],
  [
    'devices: [sda]',
    '7:13 spec.devices[0]: "sda" is not a device (write /dev/x, /dev/x:/dev/y or /dev/x:/dev/y:rwm)',
  ],
  [
    'stopSignal: SIGFOO',
    '7:15 spec.stopSignal: "SIGFOO" is not a signal (write SIGTERM, SIGINT, SIGQUIT …)',
  ],
  [
    'extraHosts: [db]',
    '7:16 spec.extraHosts[0]: "db" is not HOST:ADDRESS (write it as db:10.0.0.1)',
  ],
  [
    'extraHosts: ["db:x"]',
    '7:16 spec.extraHosts[0]: "x" is not an IP address (write one, or host-gateway)',
  ],
  [
    'extraHosts: {db: x}',
    '7:20 spec.extraHosts.db: "x" is not an IP address (write one, or host-gateway)',
  ],
  [
    'stopSignal: SIGRTMIN+99',
    '7:15 spec.stopSignal: "SIGRTMIN+99" is not a signal (write SIGTERM, SIGINT, SIGQUIT …)',
  ],
  [
    'logging: {options: {max-size: big}}',
    '7:33 spec.logging.options.max-size: "big" is not a size (write it as 10m)',
  ],
  ['hostname: a_b', '7:13 spec.hostname: "a_b" is not a host name'],
  [
    'logging: {driver: syslog}',
    '7:21 spec.logging.driver: "syslog" is not one of: k8s-file, json-file, journald, none, passthrough',
  ],
  ['networks: [net, net]', '7:19 spec.networks[1]: net is named twice'],
]

const around = {
  'bad.env': 'A=1\nnonsense\nB="open\n',
  'templates/around.yaml': [
    manifest('CuteNetwork', 'net', 'driver: bridge'),
    manifest('CuteVolume', 'v', 'type: volume'),
    manifest('CuteVolume', 'w', 'type: volume'),
    manifest('CuteSecret', 's', 'stringData: {tls.crt: x}'),
    manifest('CuteSecret', 't', 'stringData: {T: x}'),
    manifest('CuteContainer', 'other', 'image: nginx\nrestartPolicy: Always'),
  ].join('---\n'),
}

for (const [spec, ...expected] of containers) {
  test(`a container with ${spec.replaceAll('\n', ' / ')}`, () => {
    const lines = said({ ...around, 'templates/web.yaml': container(spec) })
    assert.deepEqual(
      lines,
      expected.map((line) => `validation web.yaml:${line}`),
    )
  })
}

/** A document of another kind; its spec begins on line 6. */
const others: readonly (readonly [string, string, ...string[]])[] = [
  [
    'CuteNetwork',
    'subnet: 172.20.0.5/16',
    '6:11 spec.subnet: "172.20.0.5/16" is not where a subnet begins (write 172.20.0.0/16)',
  ],
  [
    'CuteNetwork',
    'subnet: 300.0.0.0/8',
    '6:11 spec.subnet: "300.0.0.0/8" is not a subnet (write it as 172.20.0.0/16)',
  ],
  [
    'CuteNetwork',
    'subnet: 10.1.0.0/24\ngateway: 10.2.0.1',
    '7:12 spec.gateway: 10.2.0.1 is not inside the subnet 10.1.0.0/24',
  ],
  [
    'CuteNetwork',
    'gateway: 10.2.0.1',
    '6:12 spec.gateway: a gateway needs a subnet (add subnet, such as 172.20.0.0/16)',
  ],
  ['CuteNetwork', 'options: [a]', '6:12 spec.options: expected a map, found a list'],
  ['CuteVolume', 'type: bind', '5:1 spec.hostPath: is required, but missing'],
  [
    'CuteVolume',
    'type: volume\nhostPath: /x',
    '7:3 spec.hostPath: does not belong to a volume of type volume (leave out hostPath or type)',
  ],
  [
    'CuteVolume',
    'hostPath: {path: /a/../b}',
    '6:20 spec.hostPath.path: "/a/../b" is not a plain path (write /b)',
  ],
  [
    'CuteVolume',
    'hostPath: {path: /a, type: Folder}',
    '6:30 spec.hostPath.type: "Folder" is not one of: DirectoryOrCreate, Directory, FileOrCreate, File, Socket, CharDevice, BlockDevice',
  ],
  [
    'CuteVolume',
    'emptyDir: {medium: memory}',
    '6:22 spec.emptyDir.medium: "memory" is not one of: "", Memory (did you mean Memory?)',
  ],
  [
    'CuteSecret',
    'data: {A: "not base64!"}',
    '6:13 spec.data.A: is not base64 (give plain text under stringData instead)',
  ],
  [
    'CuteSecret',
    'stringData: {}',
    '5:1 spec: has no values (give some under data, stringData, files or environment)',
  ],
  [
    'CuteSecret',
    'stringData: {A: ""}',
    '6:19 spec.stringData.A: is empty, and Podman keeps no empty secrets',
  ],
  [
    'CuteSecret',
    'stringData: {A: b}\ndata: {A: Yg==}',
    '6:16 spec.stringData.A: is given twice (give each key under only one of data, stringData, files, environment)',
  ],
  [
    'CuteSecret',
    'files: {A: ../../etc/passwd}',
    '6:14 spec.files.A: "../../etc/passwd" leaves its place with ".."',
  ],
  [
    'CuteSecret',
    'environment: {A: HOME}',
    '6:20 spec.environment.A: the variable "HOME" is not set, or not allowed to be read (set it, and allow it by name: --allow-env HOME)',
  ],
  [
    'CuteSecret',
    'stringData: {"a b": c}',
    '6:16 spec.stringData.a b: "a b" is not a key (use letters, digits, "-", "_" and ".")',
  ],
  [
    'CutePod',
    'containers: []',
    '6:15 spec.containers: has no containers (name at least one CuteContainer)',
  ],
  [
    'CutePod',
    'containers: [{nam: x}]',
    '6:16 spec.containers[0].name: is required, but missing',
    '6:17 spec.containers[0].nam: unknown field (did you mean name?)',
  ],
  [
    'CutePod',
    'containers: [nobody]',
    '6:16 spec.containers[0]: no CuteContainer named "nobody" (the chart declares no CuteContainer)',
  ],
]

for (const [kind, spec, ...expected] of others) {
  test(`a ${kind} with ${spec.replaceAll('\n', ' / ')}`, () => {
    assert.deepEqual(
      said({ 'templates/it.yaml': manifest(kind, 'it', spec) }),
      expected.map((line) => `validation it.yaml:${line}`),
    )
  })
}

const web = manifest('CuteContainer', 'web', 'image: nginx')

/** Whole charts that can't be used, or documents without a name. */
const charts: readonly (readonly [string, Readonly<Record<string, string>>, ...string[]])[] = [
  [
    'no templates',
    {},
    'configuration there are no templates (.yaml, .yml) in ./my-app/templates (put the manifests of the chart into templates/)',
  ],
  [
    'a bad name',
    { 'Chart.yaml': 'name: my app\nversion: 1\n', 'templates/a.yaml': web },
    'configuration Chart.yaml:1:7 name: "my app" is not a name that Podman takes (use letters, digits, "-", "_" and ".", and begin with a letter or digit)',
  ],
  [
    'no name',
    { 'Chart.yaml': 'version: 1\n', 'templates/a.yaml': web },
    'configuration Chart.yaml:1:1 name: is required, but missing (it has lines such as name: my-app and version: 1.2.3; see: tend schema Chart)',
  ],
  [
    'a misspelt name',
    { 'Chart.yaml': 'nme: t\nversion: 1\n', 'templates/a.yaml': web },
    'configuration Chart.yaml:1:1 name: is required, but missing (nme: did you mean name?)',
  ],
  [
    'a misspelt value',
    {
      'values.yaml': 'port: 80\ndb: {host: a}\n',
      'templates/a.yaml': `${web}  # {{ .Values.prot }} {{ $.Values.db.hots }}\n`,
    },
    'configuration a.yaml:7:5 .Values.prot is not set (did you mean .Values.port?)',
    'configuration a.yaml:7:24 $.Values.db.hots is not set (did you mean .Values.db.host?)',
  ],
  [
    'a misspelt value above another',
    {
      'values.yaml': 'image: {tag: a}\n',
      'templates/a.yaml': `${web}  # {{ .Values.imgae.tag }}\n`,
    },
    'configuration a.yaml:7:15 executing "my-app/templates/a.yaml" at <.Values.imgae.tag>: nil pointer evaluating interface {}.tag (did you mean .Values.image.tag?)',
  ],
  [
    'misspelt functions',
    {
      'templates/a.yaml': '{{ upcase "a" }}',
      'templates/b.yaml': '{{ toyaml "a" }}',
      'templates/c.yaml': '{{ if true }}',
    },
    'configuration a.yaml:1:1 function "upcase" not defined (did you mean upper?)',
    'configuration b.yaml:1:1 function "toyaml" not defined (did you mean toYaml?)',
    'configuration c.yaml:1:1 unexpected EOF (an {{ if }}, {{ range }}, {{ with }} or {{ define }} has no {{ end }})',
  ],
  [
    'bad values',
    { 'values.yaml': '- a\n', 'templates/a.yaml': web },
    'configuration values.yaml:1:1 expected a map of values (a file of values is one YAML map: key: value)',
  ],
  [
    'values twice',
    { 'values.yaml': 'a: 1\na: 2\n', 'templates/a.yaml': web },
    'configuration values.yaml:2:1 the key a is there twice (a file of values is one YAML map: key: value)',
  ],
  [
    'a missing value',
    { 'templates/a.yaml': `${web}  # {{ .Values.tag }}\n` },
    'configuration a.yaml:7:5 .Values.tag is not set (set it in values.yaml or with --set, or say what to print instead: … | default "x")',
  ],
  [
    'a null value',
    { 'values.yaml': 'tag: null\n', 'templates/a.yaml': `${web}  # {{ .Values.tag }}\n` },
    'configuration a.yaml:7:5 .Values.tag is not set (set it in values.yaml or with --set, or say what to print instead: … | default "x")',
  ],
  [
    'two bad templates',
    { 'templates/a.yaml': '{{ if }}', 'templates/b.yaml': 'a: b\n{{ nope }}' },
    'configuration a.yaml:1:1 missing value for if (tend template shows what was rendered up to here)',
    'configuration b.yaml:2:1 function "nope" not defined (tend template shows what was rendered up to here)',
  ],
  [
    'bad YAML',
    { 'templates/a.yaml': 'a: b: c\n', 'templates/b.yaml': web },
    'configuration a.yaml:1:4 there is a second ": " on this line: put the text in quotes, or begin a new line (tend template shows what was rendered, with this error at its line)',
  ],
  [
    'an action without its second brace',
    { 'templates/a.yaml': 'a: {{ .Values.a }\n' },
    'configuration a.yaml:1:17 unexpected "}" in operand (an action ends with two braces: {{ … }})',
  ],
  [
    'a list',
    { 'templates/a.yaml': '- a\n' },
    'configuration a.yaml:1:1 expected a manifest (apiVersion, kind, metadata, spec), found something else (tend template shows what was rendered, with this error at its line)',
  ],
  [
    'no kind',
    { 'templates/a.yaml': 'metadata: {name: a}\n' },
    'configuration a.yaml:1:1 kind: is required, but missing (known kinds: CuteNetwork, CuteVolume, CuteSecret, CutePod, CuteContainer)',
  ],
  [
    'an unknown kind',
    { 'templates/a.yaml': web.replace('CuteContainer', 'Cutecontiner') },
    'configuration a.yaml:2:7 kind: unknown kind "Cutecontiner" (did you mean CuteContainer?)',
  ],
  [
    'another unknown kind',
    { 'templates/a.yaml': web.replace('CuteContainer', 'Deployment') },
    `configuration a.yaml:2:7 kind: unknown kind "Deployment" (that is Kubernetes'; the nearest here is CuteContainer: tend schema CuteContainer has its fields)`,
  ],
  [
    'no name',
    { 'templates/a.yaml': web.replace('  name: web', '  labels: {}') },
    'validation a.yaml:3:1 metadata.name: is required, but missing or not a string (nothing is removed in this run, because it is not known what this document stands for)',
  ],
  [
    'an illegal name',
    { 'templates/a.yaml': web.replace('web', '-web') },
    'validation a.yaml:4:9 metadata.name: "-web" is not a name that Podman takes (use letters, digits, "-", "_" and ".", and begin with a letter or digit)',
  ],
  [
    'a namespace in a manifest',
    { 'templates/a.yaml': web.replace('  name: web', '  name: web\n  namespace: x') },
    'validation a.yaml:5:3 metadata.namespace: unknown field (the namespace is given on the command line: -n NAME)',
  ],
  [
    'an unknown field outside',
    { 'templates/a.yaml': `${web}specs: {}\n` },
    'validation a.yaml:7:1 specs: unknown field (did you mean spec?)',
  ],
  [
    'a network in the words of others',
    { 'templates/a.yaml': manifest('Network', 'net', 'driver: bridge') },
    'configuration a.yaml:2:7 kind: unknown kind "Network" (did you mean CuteNetwork?)',
  ],
  [
    'fields that are not indented',
    { 'templates/a.yaml': `${web}name: web\nargs: [a]\n` },
    'validation a.yaml:7:1 name: unknown field (indent it under metadata)',
    'validation a.yaml:8:1 args: unknown field (indent it under spec)',
  ],
  [
    'a label of ours',
    { 'templates/a.yaml': web.replace('  name: web', '  name: web\n  labels: {tend/owner: me}') },
    'validation a.yaml:5:12 metadata.labels.tend/owner: labels that begin with tend/ or cutepod.io/ are set by Tend itself',
  ],
  [
    'one name twice',
    { 'templates/a.yaml': web, 'templates/b.yaml': web },
    'configuration b.yaml:1:1 metadata.name: container/web is declared twice (also at templates/a.yaml:1:1) (give one of them another name)',
  ],
  [
    'no spec',
    {
      'templates/a.yaml':
        'apiVersion: cutepod/v1alpha0\nkind: CuteContainer\nmetadata: {name: web}\n',
    },
    'validation a.yaml:1:1 spec.image: is required, but missing',
  ],
  [
    'one host port',
    {
      'templates/a.yaml': container('ports: [{containerPort: 80, hostPort: 8080}]'),
      'templates/b.yaml': manifest(
        'CuteContainer',
        'api',
        'image: a\nports:\n  - containerPort: 81\n    hostPort: 8080\n    hostIP: 127.0.0.1',
      ),
    },
    'configuration b.yaml:9:17 spec.ports[0].hostPort: 8080/tcp is taken by container/web (templates/a.yaml:7:41) (give one of them another hostPort)',
  ],
  [
    'a circle',
    {
      'templates/a.yaml': container('dependsOn: [api]'),
      'templates/b.yaml': manifest('CuteContainer', 'api', 'image: a\ndependsOn: [web]'),
    },
    'configuration a.yaml:1:1 these wait for each other: container/web → container/api → container/web (take one of these dependencies away)',
  ],
  [
    'itself',
    { 'templates/a.yaml': container('dependsOn: [web]') },
    'validation a.yaml:7:15 spec.dependsOn[0]: web would wait for itself (take it out of dependsOn)',
  ],
]

for (const [name, files, ...expected] of charts) {
  test(`a chart with ${name}`, () => assert.deepEqual(said(files), expected))
}

/** Fields of a container in the words of other tools, and what is said of each. */
const synonyms: readonly (readonly [string, string])[] = [
  ['environment', 'use env: [{name, value}]'],
  ['env_file', 'use envFile'],
  ['restart', 'use restartPolicy'],
  ['healthcheck', 'use health'],
  ['livenessProbe', 'use health'],
  ['readinessProbe', 'use health'],
  ['entrypoint', 'use command'],
  ['mounts', 'use volumes: [{name, mountPath}]'],
  ['volumeMounts', 'use volumes: [{name, mountPath}]'],
  ['user', 'use uid'],
  ['mem_limit', 'use resources.limits.memory'],
  ['memory', 'use resources.limits.memory'],
  ['limits', 'use resources.limits'],
  ['cap_add', 'use securityContext.capabilities.add'],
  ['privileged', 'use securityContext.privileged'],
  ['container_name', 'use metadata.name'],
  ['working_dir', 'use workingDir'],
  ['stop_grace_period', 'use stopTimeoutSeconds'],
  ['extra_hosts', 'use extraHosts'],
  ['depends_on', 'use dependsOn'],
  ['hostPort', 'it belongs under spec.ports[]'],
  ['mountPath', 'it belongs under spec.volumes[] or spec.tmpfs[]'],
  ['httpGet', 'it belongs under spec.health'],
  ['port', 'did you mean ports?'],
]

for (const [field, suggestion] of synonyms) {
  test(`a container with the unknown field ${field}`, () => {
    assert.deepEqual(said({ 'templates/a.yaml': container(`${field}: 1`) }), [
      `validation a.yaml:7:3 spec.${field}: unknown field (${suggestion})`,
    ])
  })
}

test('a kind that has nothing of the sort is offered nothing', () => {
  const network = manifest('CuteNetwork', 'net', 'restart: always')
  assert.deepEqual(said({ 'templates/a.yaml': network }), [
    'validation a.yaml:6:3 spec.restart: unknown field',
  ])
})

/** Values in the form of other tools, and the line to write instead. */
const forms: readonly (readonly [string, string])[] = [
  ['volumes: ["data:/data"]', 'write: - {name: data, mountPath: /data}'],
  ['volumes: ["data:/data:ro"]', 'write: - {name: data, mountPath: /data, readOnly: true}'],
  [
    'volumes: ["./data:/data"]',
    'write: - {name: NAME, mountPath: /data}, and declare a CuteVolume with hostPath: /absolute/path of that name',
  ],
  ['ports: ["8088:8080"]', 'write: - {containerPort: 8080, hostPort: 8088}'],
  ['ports: [8080]', 'write: - {containerPort: 8080}'],
  [
    'ports: ["127.0.0.1:53:5353/udp"]',
    'write: - {containerPort: 5353, hostPort: 53, hostIP: 127.0.0.1, protocol: UDP}',
  ],
  ['ports: [http]', 'see: tend schema CuteContainer'],
  ['secrets: [creds]', 'write: - {name: creds, env: true}'],
  ['env: {A: 31337}', 'write a list: - {name: A, value: "…"}'],
  ['env: ["A=31337"]', 'write it as: - {name: A, value: "…"}'],
  ['env: [["A=31337"]]', 'see: tend schema CuteContainer'],
  ['command: sh -c "echo 31337"', 'write: ["sh", "-c", "…"]'],
  ['args: --token 31337', 'write: ["--token", "…"]'],
  ['resources: 5', 'see: tend schema CuteContainer'],
]

for (const [spec, suggestion] of forms) {
  test(`a container with the form ${spec}`, () => {
    const { problems } = renderChart(input({ 'templates/a.yaml': container(spec) }))
    assert.deepEqual(
      problems.map((problem) => problem.suggestion),
      [suggestion],
    )
    assert.ok(!JSON.stringify(problems).includes('31337'), 'values may be secret')
  })
}

test('a file that could not be read makes nobody else look wrong', () => {
  const files = {
    'templates/a.yaml': 'a: b: c\n',
    'templates/b.yaml': container('networks: [in-a]'),
  }
  const rendered = renderChart(input(files))
  assert.deepEqual(
    rendered.problems.map((problem) => problem.code),
    ['yaml_error'],
  )
  assert.equal(rendered.isIncomplete, true)
})

test('an invalid resource stays, with what could be read of it', () => {
  const files = {
    ...around,
    'templates/web.yaml': manifest(
      'CuteContainer',
      'web',
      'networks: [net]\nargs: 5\nports: [{containerPort: x}, {containerPort: 80}]',
    ),
  }
  const found = renderChart(input(files)).resources.find(({ ref }) => ref === 'container/web')
  assert.deepEqual(
    found?.problems.map((problem) => problem.message),
    [
      'spec.image: is required, but missing',
      'spec.args: expected a list of strings, found a number',
      'spec.ports[0].containerPort: expected a number, found a string',
    ],
  )
  assert.deepEqual(found?.needs, [{ ref: 'network/net', until: 'exists', renew: false }])
})

test('no problem ever quotes a secret', () => {
  const secrets = [
    'data: {A: 31337}',
    'data: {A: "31337!"}',
    'stringData: {A: {b: 31337}}',
    'stringData: 31337',
    'data: {A: [31337]}\n stringData: 31337',
    'data:\n  A: "x" 31337',
  ]
  for (const spec of secrets) {
    const { problems, manifests } = renderChart(
      input({ 'templates/s.yaml': manifest('CuteSecret', 's', spec) }),
    )
    assert.ok(problems.length > 0, spec)
    assert.ok(!JSON.stringify([problems, manifests]).includes('31337'), spec)
  }
})

test('places stay right behind an item that was left out', () => {
  const lines = said({ ...around, 'templates/web.yaml': container('networks: [5, net, gone]') })
  assert.deepEqual(lines, [
    'validation web.yaml:7:14 spec.networks[0]: expected a string, found a number (put it in quotes)',
    'validation web.yaml:7:22 spec.networks[2]: no CuteNetwork named "gone" (the chart declares: net)',
  ])
})

test('a pod is left alone while one of its members has problems', () => {
  const pod = manifest('CutePod', 'p', 'containers: [web]')
  const files = { 'templates/a.yaml': container('portz: []'), 'templates/b.yaml': pod }
  const found = renderChart(input(files)).resources.find(({ ref }) => ref === 'pod/p')
  assert.deepEqual(
    found?.problems.map(({ type, message }) => `${type} ${message}`),
    ['dependency its member container/web has problems'],
  )
})
