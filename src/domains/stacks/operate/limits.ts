/** How much a container may use. `deploy.resources` counts where the service itself says nothing. */
import { textMapOf, textOf, textsOf } from '#model/read-json.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { ServiceSpec } from '../spec.ts'

export function limitsOf(
  spec: Pick<ServiceSpec, 'service'>,
): Readonly<Record<string, Json | undefined>> {
  const { service } = spec
  const { limits, reservations } = resourcesOf(spec)
  const cpus = amount(service.cpus) ?? amount(limits.cpus)
  const { blkio_config: blkio = {} } = service
  return {
    NanoCpus: cpus === undefined || cpus === 0 ? undefined : Math.round(cpus * 1e9),
    CpuShares: amount(service.cpu_shares),
    CpuPeriod: amount(service.cpu_period),
    CpuQuota: amount(service.cpu_quota),
    CpuRealtimePeriod: amount(service.cpu_rt_period),
    CpuRealtimeRuntime: amount(service.cpu_rt_runtime),
    CpusetCpus: textOf(service.cpuset),
    CpuCount: amount(service.cpu_count),
    CpuPercent: amount(service.cpu_percent),
    Memory: amount(service.mem_limit) ?? amount(limits.memory),
    MemoryReservation: amount(service.mem_reservation) ?? amount(reservations.memory),
    MemorySwap: amount(service.memswap_limit),
    MemorySwappiness: amount(service.mem_swappiness),
    OomKillDisable: service.oom_kill_disable === true ? true : undefined,
    OomScoreAdj: amount(service.oom_score_adj),
    PidsLimit: amount(service.pids_limit) ?? amount(limits.pids),
    ShmSize: amount(service.shm_size),
    Ulimits: ulimitsOf(service.ulimits),
    BlkioWeight: blkio.weight,
    BlkioWeightDevice: (blkio.weight_device ?? []).map(({ Path, Weight }) => ({
      Path: textOf(Path),
      Weight,
    })),
    BlkioDeviceReadBps: throttles(blkio.device_read_bps),
    BlkioDeviceReadIOps: throttles(blkio.device_read_iops),
    BlkioDeviceWriteBps: throttles(blkio.device_write_bps),
    BlkioDeviceWriteIOps: throttles(blkio.device_write_iops),
  }
}

export function deviceRequests(spec: ServiceSpec): readonly JsonRecord[] {
  const wanted = [
    ...(resourcesOf(spec).reservations.devices ?? []),
    ...(spec.service.gpus ?? []).map((device) => ({
      ...device,
      capabilities: [...(device.capabilities ?? []), 'gpu'],
    })),
  ]
  return wanted.map((device) => {
    const ids = textsOf(device.device_ids)
    return {
      Driver: textOf(device.driver),
      Capabilities: [textsOf(device.capabilities)],
      Options: textMapOf(device.options),
      ...(ids.length > 0 ? { DeviceIDs: ids } : { Count: device.count ?? -1 }),
    }
  })
}

function resourcesOf({ service }: Pick<ServiceSpec, 'service'>) {
  const { limits = {}, reservations = {} } = service.deploy?.resources ?? {}
  return { limits, reservations }
}

/** Sizes are texts of bytes in the model. */
function amount(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value !== '' ? Number(value) : undefined
}

type Words = ServiceSpec['service']
type Throttles = NonNullable<Words['blkio_config']>['device_read_bps']

function ulimitsOf(limits: Words['ulimits'] = {}): readonly JsonRecord[] {
  return Object.entries(limits).map(([Name, limit]) => {
    if (typeof limit === 'number') return { Name, Soft: limit, Hard: limit }
    return { Name, Soft: limit.soft ?? 0, Hard: limit.hard ?? 0 }
  })
}

function throttles(devices: Throttles = []): readonly JsonRecord[] {
  return devices.map(({ Path, Rate }) => ({ Path: textOf(Path), Rate: amount(Rate) ?? 0 }))
}
