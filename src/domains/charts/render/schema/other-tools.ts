/** What people bring along from Docker, Compose and Kubernetes, and what does the same here. */

/** Fields by the place in a spec that does the same, said only where the kind has it; `metadata` every kind has. */
export const sameField: ReadonlyMap<string, string> = new Map([
  ['environment', 'env: [{name, value}]'],
  ['env_file', 'envFile'],
  ['envFrom', 'envFile, or secrets: [{name, env: true}]'],
  ['restart', 'restartPolicy'],
  ['healthcheck', 'health'],
  ['livenessProbe', 'health'],
  ['readinessProbe', 'health'],
  ['startupProbe', 'health'],
  ['entrypoint', 'command'],
  ['cmd', 'args'],
  ['mounts', 'volumes: [{name, mountPath}]'],
  ['volumeMounts', 'volumes: [{name, mountPath}]'],
  ['user', 'uid'],
  ['group', 'gid'],
  ['mem_limit', 'resources.limits.memory'],
  ['memory', 'resources.limits.memory'],
  ['cpus', 'resources.limits.cpu'],
  ['limits', 'resources.limits'],
  ['requests', 'resources.requests'],
  ['cap_add', 'securityContext.capabilities.add'],
  ['cap_drop', 'securityContext.capabilities.drop'],
  ['privileged', 'securityContext.privileged'],
  ['read_only', 'readOnlyRootFilesystem'],
  ['container_name', 'metadata.name'],
  ['labels', 'metadata.labels'],
  ['working_dir', 'workingDir'],
  ['stop_grace_period', 'stopTimeoutSeconds'],
  ['terminationGracePeriodSeconds', 'stopTimeoutSeconds'],
  ['stop_signal', 'stopSignal'],
  ['extra_hosts', 'extraHosts'],
  ['hostAliases', 'extraHosts'],
  ['depends_on', 'dependsOn'],
  ['pull_policy', 'imagePullPolicy'],
  ['sysctls', 'sysctl'],
])

/** Fields that nothing here is the same as, wherever they stand. */
export const otherWay: ReadonlyMap<string, string> = new Map([
  ['valueFrom', 'declare a CuteSecret and name it under secrets: [{name, env: true}]'],
  ['namespace', 'the namespace is given on the command line: -n NAME'],
])

/** Kinds, in lower case. */
export const sameKind: ReadonlyMap<string, string> = new Map([
  ['container', 'CuteContainer'],
  ['deployment', 'CuteContainer'],
  ['statefulset', 'CuteContainer'],
  ['daemonset', 'CuteContainer'],
  ['job', 'CuteContainer'],
  ['pod', 'CutePod'],
  ['volume', 'CuteVolume'],
  ['persistentvolume', 'CuteVolume'],
  ['persistentvolumeclaim', 'CuteVolume'],
  ['secret', 'CuteSecret'],
  ['network', 'CuteNetwork'],
])
