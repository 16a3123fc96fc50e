/** Stacks of the shapes that people run, with busybox in the place of every image: name to files. */
import { busybox } from './image.ts'

type Files = Readonly<Record<string, string>>

const runs = `image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    restart: unless-stopped`

export const peopleStacks: Readonly<Record<string, Files>> = {
  // one env file for the web server, variables of the project's own .env beside it
  paperless: {
    '.env': 'COMPOSE_HINT=paperless\nPAPERLESS_PORT=8000\n',
    'docker-compose.env':
      'USERMAP_UID=1000\nPAPERLESS_URL="https://docs.example.com"\n# a comment\nPAPERLESS_OCR_LANGUAGE=deu+eng\nPAPERLESS_SECRET_KEY=change-me-$USERMAP_UID\n',
    'compose.yaml': `
services:
  broker:
    ${runs}
    volumes: ["redisdata:/data"]
  db:
    ${runs}
    volumes: ["pgdata:/var/lib/postgresql/data"]
    environment: { POSTGRES_DB: paperless, POSTGRES_USER: paperless, POSTGRES_PASSWORD: paperless }
  webserver:
    ${runs}
    depends_on: [db, broker]
    volumes: ["data:/usr/src/paperless/data", "media:/usr/src/paperless/media", "./export:/usr/src/paperless/export", "./consume:/usr/src/paperless/consume"]
    env_file: docker-compose.env
    environment:
      PAPERLESS_REDIS: redis://broker:6379
      PAPERLESS_DBHOST: db
volumes: { data: , media: , pgdata: , redisdata: }
`,
  },
  // the project's .env is each service's env file too, and fills the binds
  immich: {
    '.env':
      'UPLOAD_LOCATION=./library\nDB_DATA_LOCATION=./postgres\nIMMICH_VERSION=v1\nDB_PASSWORD=postgres\nDB_USERNAME=postgres\nDB_DATABASE_NAME=immich\n',
    'compose.yaml': `
name: immich
services:
  immich-server:
    container_name: immich_server
    ${runs}
    volumes: ["\${UPLOAD_LOCATION}:/data", "/etc/localtime:/etc/localtime:ro"]
    env_file: [.env]
    depends_on: [redis, database]
    healthcheck: { disable: false }
  immich-machine-learning:
    container_name: immich_machine_learning
    ${runs}
    volumes: ["model-cache:/cache"]
    env_file: [.env]
  redis:
    container_name: immich_redis
    ${runs}
    healthcheck: { test: "true", interval: 1s }
  database:
    container_name: immich_postgres
    ${runs}
    environment:
      POSTGRES_PASSWORD: \${DB_PASSWORD}
      POSTGRES_USER: \${DB_USERNAME}
      POSTGRES_INITDB_ARGS: "--data-checksums"
    volumes: ["\${DB_DATA_LOCATION}:/var/lib/postgresql/data"]
    shm_size: 128mb
volumes: { model-cache: }
`,
  },
  // everything behind one container's network, and a helper that sees another's processes and volumes
  vpn: {
    'compose.yaml': `
services:
  gluetun:
    ${runs}
    ports: ["8080"]
    ipc: shareable
    volumes: ["state:/gluetun"]
  qbittorrent:
    ${runs}
    network_mode: service:gluetun
    environment: { TZ: Europe/Berlin, PASSWORD: "hunter2-$$HOME" }
    depends_on: [gluetun]
  backup:
    ${runs}
    pid: service:gluetun
    ipc: service:gluetun
    volumes_from: ["gluetun:ro"]
volumes: { state: }
`,
  },
  // several files in order, one that may be missing, one raw, and what environment overrides
  envs: {
    'a.env': 'A=1\nB=from-a\nEMPTY=\n',
    'b.env': 'B=from-b\nC=$B-$A\n',
    'raw.env': 'RAW=$NOT "quoted"\n',
    'compose.yaml': `
services:
  one:
    ${runs}
    env_file: [a.env, { path: b.env }, { path: none.env, required: false }, { path: raw.env, format: raw }]
    environment: [B=own, UNSET]
  two:
    ${runs}
    env_file: [{ path: none.env, required: false }]
`,
  },
  // a web application as examples show it: front, back, database, secrets, configs, networks
  shop: {
    'db/password.txt': 'db-78n9n',
    'proxy/conf': 'listen 80',
    'back/app.js': 'run()',
    'compose.yaml': `
services:
  proxy:
    ${runs}
    ports: ["80"]
    volumes: [{ type: bind, source: ./proxy/conf, target: /etc/nginx/conf.d/default.conf, read_only: true }]
    depends_on: [back]
    networks: [front]
  back:
    ${runs}
    secrets: [db-password]
    configs: [{ source: settings, target: /settings.json }]
    volumes: ["./back:/code:ro", { type: volume, source: back-notused, target: /opt/app/node_modules }, { type: tmpfs, target: /tmp/work }]
    expose: ["3000"]
    environment: [DATABASE_DB=example, DATABASE_HOST=db, NODE_ENV=development]
    labels: { traefik.enable: "true" }
    extra_hosts: ["host.docker.internal:host-gateway"]
    deploy: { replicas: 2, resources: { limits: { memory: 64M, pids: 100 } } }
    networks: { front: { aliases: [api] }, behind: }
  db:
    ${runs}
    healthcheck: { test: [CMD, "true"], interval: 2s, retries: 5, start_period: 1s }
    secrets: [db-password]
    volumes: ["db-data:/var/lib/mysql"]
    ulimits: { nofile: { soft: 1000, hard: 2000 } }
    cap_add: [NET_BIND_SERVICE]
    logging: { driver: json-file, options: { max-size: 10m } }
    networks: [behind]
secrets: { db-password: { file: db/password.txt } }
configs: { settings: { content: '{ "a": 1 }' } }
volumes: { back-notused: , db-data: }
networks: { front: , behind: { internal: true } }
`,
  },
  // metrics and dashboards: folders that are bound, arguments as a list, a user of its own
  monitoring: {
    'prometheus/prometheus.yml': 'global: { scrape_interval: 15s }\n',
    'grafana/datasource.yml': 'apiVersion: 1\n',
    'compose.yaml': `
services:
  prometheus:
    ${runs}
    container_name: prometheus
    user: "65534:65534"
    ports: ["9090", "127.0.0.1::9091/udp"]
    volumes: ["./prometheus:/etc/prometheus", "prom_data:/prometheus"]
  grafana:
    ${runs}
    environment: [GF_SECURITY_ADMIN_USER=admin, "GF_SECURITY_ADMIN_PASSWORD=gra$$fana", "GF_INSTALL_PLUGINS=a,b"]
    volumes: ["./grafana:/etc/grafana/provisioning/datasources:ro", "/var/lib/grafana"]
    links: ["prometheus:metrics"]
    hostname: dashboards
    dns_search: [example.org]
    tty: true
    stdin_open: true
    init: true
volumes: { prom_data: { labels: { keep: "yes" } } }
`,
  },
  // a cluster of search nodes: merged maps, ulimits, waiting until healthy, a network with a driver
  search: {
    '.env': 'STACK_VERSION=8.1\nMEM=67108864\n',
    'compose.yaml': `
x-node: &node
  ${runs.replaceAll('\n    ', '\n  ')}
  ulimits: { nproc: 4096, nofile: 1024 }
  mem_limit: \${MEM}
  environment: &settings
    discovery.type: single-node
    ES_JAVA_OPTS: "-Xms512m -Xmx512m"
  networks: [elastic]
services:
  es01:
    <<: *node
    environment: { <<: *settings, node.name: es01, version: "\${STACK_VERSION:?set it}" }
    healthcheck:
      test: [CMD-SHELL, "test -d /tmp || exit 1"]
      interval: 1s
      timeout: 10s
      retries: 120
    volumes: ["es01:/usr/share/elasticsearch/data"]
  es02:
    <<: *node
    depends_on: { es01: { condition: service_healthy, restart: true } }
    sysctls: { net.core.somaxconn: 1024 }
  kibana:
    extends: { service: es02 }
    labels: [co.elastic.logs/module=kibana, "empty="]
    stop_signal: SIGINT
    working_dir: /tmp
networks: { elastic: { driver: bridge, driver_opts: { com.docker.network.bridge.enable_icc: "true" } } }
volumes: { es01: { driver: local } }
`,
  },
  // things at home: one with few rights, one has a read-only root, one is behind a profile, one is a job
  home: {
    'pihole/custom.list': '10.0.0.2 nas.home\n',
    'compose.yaml': `
services:
  vpn:
    ${runs}
    cap_add: [NET_ADMIN]
    cap_drop: [MKNOD]
    ports: ["6881", "51820/udp"]
    security_opt: ["no-new-privileges:true"]
  dns:
    ${runs}
    read_only: true
    tmpfs: ["/run", "/tmp:size=1m"]
    dns: [127.0.0.1, 1.1.1.1]
    volumes: ["./pihole/custom.list:/etc/pihole/custom.list:ro", { type: volume, source: leases, target: /var/lib/misc, volume: { nocopy: true } }]
    group_add: ["1000"]
    shm_size: 32m
    oom_score_adj: 100
    pids_limit: 50
    cpus: 0.5
  migrate:
    image: ${busybox}
    command: ["true"]
    restart: "no"
  debug:
    ${runs}
    profiles: [debug]
volumes: { leases: }
`,
  },
}
