/** What a hostile repository asks for in Compose files, and what is said of it. */
import { busybox } from '../testbed/image.ts'

export const service = (more: string, below = ''): string =>
  `services:\n  web:\n    image: ${busybox}\n    command: [sleep, "1000"]\n    stop_grace_period: 0s\n    ${more}\n${below}`

const built = (line: string): string =>
  `services: { web: { build: { context: ., dockerfile_inline: "FROM ${busybox}\\n${line}" } } }\n`

/** By the name of the folder: what it writes, and what is said of it. */
export function attacks(
  host: string,
): Readonly<Record<string, readonly [text: string, said: RegExp]>> {
  return {
    'env-up': [service('env_file: [../../../canary]'), /outside|does not exist/],
    'env-absolute': [service(`env_file: [${host}/canary]`), /outside/],
    'env-link': [service('env_file: [link]'), /outside|does not exist|link/],
    'secret-link': [
      service('secrets: [s]', 'secrets: { s: { file: link } }\n'),
      /outside|does not exist|link/,
    ],
    'config-up': [
      service('configs: [c]', 'configs: { c: { file: ../../canary } }\n'),
      /outside|does not exist/,
    ],
    'label-file': [service(`label_file: [${host}/canary]`), /outside/],
    include: [`include: [${host}/compose.yaml]\n`, /outside/],
    'include-remote': [`include: ["https://git.test/x.git"]\n`, /another machine/],
    extends: [service(`extends: { file: ${host}/compose.yaml, service: web }`), /outside/],
    'build-context': [`services: { web: { build: ${host} } }\n`, /denied|outside/],
    'bind-root': [service('volumes: ["/:/host"]'), /denied by the policy/],
    'bind-host': [service(`volumes: ["${host}:/host"]`), /denied by the policy/],
    'bind-up': [service('volumes: ["../..:/host"]'), /denied by the policy|outside/],
    socket: [service('volumes: ["/var/run/docker.sock:/s"]'), /denied by the policy/],
    'volume-device': [
      service(
        'volumes: ["vol:/v"]',
        `volumes: { vol: { driver_opts: { type: none, o: bind, device: ${host} } } }\n`,
      ),
      /denied by the policy/,
    ],
    'volume-label': [
      service(
        'volumes: ["vol:/v"]',
        'volumes: { vol: { driver_opts: { device: "LABEL=root" } } }\n',
      ),
      /denied by the policy/,
    ],
    'volume-plugin': [
      service('volumes: ["vol:/v"]', 'volumes: { vol: { driver: sshfs } }\n'),
      /denied by the policy/,
    ],
    'volume-foreign': [
      service('volumes: ["vol:/v"]', 'volumes: { vol: { external: true, name: victim_data } }\n'),
      /denied by the policy/,
    ],
    'network-foreign': [service('network_mode: container:victim-web-1'), /denied by the policy/],
    'pid-foreign': [service('pid: container:victim-web-1'), /denied by the policy/],
    'ipc-host': [service('ipc: host'), /denied by the policy/],
    'volumes-from': [service('volumes_from: ["container:victim-web-1"]'), /denied by the policy/],
    'links-out': [service('external_links: ["victim-web-1:v"]'), /denied by the policy/],
    privileged: [service('privileged: true'), /denied by the policy/],
    'all-caps': [service('cap_add: [ALL]'), /denied by the policy/],
    device: [service('devices: ["/dev/kmsg:/dev/k"]'), /denied by the policy/],
    unconfined: [service('security_opt: ["seccomp=unconfined"]'), /denied by the policy/],
    runtime: [service('runtime: mine'), /denied by the policy/],
    'own-labels': [service('labels: { tend/owner: somebody }'), /tend\/owner/],
    bomb: [
      `x: &a [1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 9 }, (_, i) => `y${i}: &b${i} [${`*${i === 0 ? 'a' : `b${i - 1}`},`.repeat(9)}]\n`).join('')}services: {}\n`,
      /./,
    ],
    deep: [`services: ${'['.repeat(100_000)}\n`, /deep/],
    json: [`${'{"a":'.repeat(50_000)}\n`, /./],
    controls: [service('hostname: "a\\eb"').replace('web:', '"w\\u009beb":'), /./],
    'bind-link': [service('volumes: ["./link:/x"]'), /outside|link/],
    'bind-link-readonly': [service('volumes: ["./link:/x:ro"]'), /outside|link/],
    'bind-folder-with-link': [service('volumes: ["./conf:/x:ro"]'), /conf\/link is a link/],
    'dotenv-link': [service('command: "${A:-true}"'), /\.env is a link/],
    'bind-through-link': [service('volumes: ["./link/canary:/x:ro"]'), /outside|link|exist/],
    'bind-root-of-process': [service('volumes: ["/proc/self/root:/x"]'), /denied by the policy/],
    'proto-volume': [
      service(
        'volumes: ["__proto__:/v"]',
        `volumes: { __proto__: { driver_opts: { type: none, o: bind, device: ${host} } } }\n`,
      ),
      /denied by the policy|__proto__/,
    ],
    'proto-service': [
      service('privileged: true').replace('web:', '__proto__:'),
      /denied by the policy|__proto__/,
    ],
    'volume-overlay': [
      service(
        'volumes: ["vol:/v"]',
        `volumes: { vol: { driver_opts: { type: overlay, device: overlay, o: "lowerdir=${host}" } } }\n`,
      ),
      /denied by the policy/,
    ],
    'volume-tmpfs-bind': [
      service(
        'volumes: ["vol:/v"]',
        `volumes: { vol: { driver_opts: { type: tmpfs, device: ${host}, o: "size=1m,bind" } } }\n`,
      ),
      /denied by the policy/,
    ],
    'label-disable': [service('security_opt: ["label=disable"]'), /denied by the policy/],
    'apparmor-colon': [service('security_opt: ["apparmor:unconfined"]'), /denied by the policy/],
    'privileges-again': [
      service('security_opt: ["no-new-privileges:false", "systempaths=unconfined"]'),
      /denied by the policy/,
    ],
    'small-caps': [service('cap_add: [cap_sys_admin]'), /denied by the policy/],
    'network-path': [service('network_mode: "ns:/proc/1/ns/net"'), /denied by the policy/],
    'pid-path': [service('pid: "ns:/proc/1/ns/pid"'), /denied by the policy/],
    'ipc-path': [service('ipc: "ns:/proc/1/ns/ipc"'), /denied by the policy/],
    'uts-path': [service('uts: "ns:/proc/1/ns/uts"'), /denied by the policy|uts/],
    'userns-path': [service('userns_mode: "ns:/proc/1/ns/user"'), /denied by the policy|userns/],
    'host-in-capitals': [service('network_mode: HOST'), /denied by the policy|HOST/],
    'network-named-host': [
      service('networks: [n]', 'networks: { n: { name: host } }\n'),
      /denied by the policy|host/,
    ],
    'network-mode-of-victim': [service('network_mode: victim_default'), /denied by the policy/],
    'cgroup-parent': [service('cgroup_parent: /'), /denied by the policy/],
    'log-path': [
      service(`logging: { driver: json-file, options: { path: ${host}/log } }`),
      /denied by the policy/,
    ],
    dockerfile: [
      `services: { web: { build: { context: ., dockerfile: ${host}/canary } } }\n`,
      /outside|denied/,
    ],
    'dockerfile-link': [
      'services: { web: { build: { context: ., dockerfile: link } } }\n',
      /outside|link|denied/,
    ],
    'build-network': [
      'services: { web: { build: { context: ., network: host, dockerfile_inline: "FROM scratch" } } }\n',
      /denied by the policy/,
    ],
    'build-address': [built('ADD http://127.0.0.1:1/ /x'), /ADD http.* is denied by the policy/],
    'build-address-in-halves': [
      built('AD\\\\\\nD http://127.0.0.1:1/ /x'),
      /is denied by the policy/,
    ],
    'build-run-network': [built('RUN --network=host true'), /is denied by the policy/],
    'build-run-rights': [built('RUN --security=insecure true'), /is denied by the policy/],
    'build-run-cache': [built('RUN --mount=type=cache,target=/c true'), /is denied by the policy/],
    'build-from-folder': [built(`FROM dir:${host}`), /is denied by the policy/],
    'build-from-archive': [built(`COPY --from=oci-archive:${host}/canary / /`), /is denied by the/],
    'build-from-victim': [built('COPY --from=$$X / /'), /is denied by the policy/],
    'build-cache-file': [
      `services: { web: { build: { context: ., cache_from: ["type=local,src=${host}"] } } }\n`,
      /is denied by the policy/,
    ],
    'build-taken-name': [
      `services: { web: { image: "${busybox}", build: { context: ., dockerfile_inline: "FROM ${busybox}" } } }\n`,
      /building under the name .* is denied by the policy/,
    ],
    'image-file': [
      `services: { web: { image: "docker-archive:${host}/canary" } }\n`,
      /is denied by the policy/,
    ],
    'build-remote': ['services: { web: { build: "https://git.test/x.git" } }\n', /from elsewhere/],
    'env-of-process': [service('env_file: [/proc/self/environ]'), /outside/],
    'loop-of-links': [service('env_file: [round]'), /link|exist|outside|itself/],
    'kernel-parameter': [
      service('sysctls: ["kernel.core_pattern=|/x"]'),
      /core_pattern.* is denied/,
    ],
    'real-time': [service('ulimits: { rtprio: 99 }'), /rtprio is denied by the policy/],
    'storage-option': [service('storage_opt: { mount_program: /x }'), /mount_program is denied/],
    'memory-option': [service('tmpfs: ["/x:size=1m,rshared"]'), /rshared of tmpfs \/x is denied/],
    'merged-key': [`x-a: &a { pid: host }\n${service('<<: *a')}`, /denied by the policy/],
    annotation: [service('annotations: { run.oci.keep_original_groups: "1" }'), /denied by/],
    'device-rule': [service('device_cgroup_rules: ["a *:* rwm"]'), /denied by the policy/],
    'kept-groups': [service('group_add: [keep-groups]'), /denied by the policy/],
    'provider-program': ['services: { web: { provider: { type: sh } } }\n', /provider/],
    'secret-absolute': [
      service('secrets: [s]', `secrets: { s: { file: ${host}/canary } }\n`),
      /outside/,
    ],
    'include-elsewhere': [
      `include: [{ path: ./a.yaml, project_directory: ${host} }]\n${service('')}`,
      /outside|exist/,
    ],
    'build-agent': ['services: { web: { build: { context: ., ssh: [default] } } }\n', /ssh/],
    'build-contexts': [
      `services: { web: { build: { context: ., additional_contexts: { a: ${host} } } } }\n`,
      /additional_contexts|outside/,
    ],
    'build-mount-variable': [
      built('ARG X=/h,source=/,rw\\nRUN --mount=type=bind,target=$$X true'),
      /RUN --mount=\S+ is denied/,
    ],
    'build-odd-space': [built('\\u0085ADD http://127.0.0.1:1/ /x'), /U\+0085.* is denied/],
    'build-list-and-more': [built('ADD [\\"http://127.0.0.1:1/\\",\\"/x\\"]z'), /is denied/],
    'build-document': [built('COPY <<E /x\\n$$a\\nE'), /here-document.* is denied/],
    'name-taken': [service('container_name: victim-web-1'), /victim-web-1/],
  }
}
