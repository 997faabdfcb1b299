import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config/config.ts'
import { VARIABLES } from '../../src/config/variables.ts'
import { expectNone } from '../support/expect-none.ts'

/**
 * What describes a deployment is held against what it describes: files, variables, addresses, time limits. Whether an
 * engine takes it is not asked here; `test/faults/container.test.ts` runs what the image holds, `proxy.test.ts` nginx.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const ORDERLY_STOP_MS = 10_000

/** A name as the service reads it: NAME or NAME_FILE. */
const known = (name: string) => VARIABLES.some((variable) => variable.name === name.replace(/_FILE$/, ''))
const unknown = (where: string, names: readonly string[]) =>
  names
    .filter((name) => !known(name))
    .map((name) => `${where} sets ${name}, which the service does not read: correct it by src/config/variables.ts`)

describe('the image', () => {
  const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n')
  const all = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

  test('copies only what is here', () => {
    const copied = all('COPY').filter((rest) => !rest.startsWith('--from'))

    expect(copied.length).toBeGreaterThan(3)
    for (const rest of copied)
      for (const path of rest.split(' ').slice(0, -1)) expect(existsSync(join(root, path)), path).toBe(true)
  })

  test('is no root, by number, which Kubernetes can check', () => {
    expect(all('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)])
  })

  test('is given variables that are read, and runs files that are here', () => {
    const set = all('ENV').flatMap((rest) => rest.split(' ').map((each) => each.split('=')[0]!))
    const [command] = all('CMD').map((rest) => JSON.parse(rest) as string[])

    expectNone(unknown('Dockerfile', set))
    const { scripts } = JSON.parse(read('package.json'))
    expect(command!.join(' ')).toBe(scripts.start)
    expect(existsSync(join(root, command!.at(-1)!))).toBe(true)
  })
})

describe('compose.yaml', () => {
  const { services, secrets, networks } = parse(read('compose.yaml'), { merge: true })

  test('gives the service variables that are read, and secrets that are there', () => {
    for (const name of ['atrium-1', 'atrium-2', 'migrate']) {
      const { environment, secrets: given } = services[name]
      const files = Object.entries<string>(environment).filter(([variable]) => variable.endsWith('_FILE'))

      expectNone(unknown(`compose.yaml, ${name}`, Object.keys(environment)))
      expect(files.map(([, path]) => path.replace('/run/secrets/', ''))).toEqual(given)
    }
    for (const { secrets: given = [] } of Object.values<any>(services))
      for (const name of given) expect(read('deploy/make-secrets.sh')).toContain(`keep ${name} `)
    expect(Object.values<any>(secrets).map(({ file }) => file)).toEqual(
      Object.keys(secrets).map((name) => `./deploy/secrets/${name}`),
    )
  })

  test('makes a configuration that production accepts', () => {
    const { environment } = services['atrium-1']
    const secrets: Record<string, string> = {
      DATABASE_URL_FILE: 'postgres://atrium:x@postgres:5432/atrium',
      JWT_SECRET_FILE: 'j'.padEnd(64, '0123456789'),
      ADMIN_PASSWORD_FILE: 'a password of this test',
      REDIS_URL_FILE: 'redis://:x@redis:6379',
    }
    const given = Object.entries<string>(environment).map(([name, value]) =>
      name in secrets ? [name.slice(0, -5), secrets[name]] : [name, value],
    )
    const config = readConfig(
      { ...Object.fromEntries(given), NODE_ENV: 'production', CORS_ORIGINS: 'http://localhost:5173' },
      () => '',
    )

    expect(config.trustProxy).toEqual([networks.default.ipam.config[0].subnet])
    expect(config.shutdownDelay + ORDERLY_STOP_MS).toBeLessThan(
      Number.parseInt(services['atrium-1'].stop_grace_period, 10) * 1000,
    )
  })

  test('has nginx send to the two replicas, and nobody else published', () => {
    const upstreams = [...read('deploy/nginx.conf').matchAll(/^ {2}server (\S+):8080/gm)].map(([, host]) => host)
    const addressOf = (name: string) => services[name].networks.default.ipv4_address

    expect(upstreams).toEqual(['atrium-1', 'atrium-2'].map(addressOf))
    expect(networks.default.ipam.config[0].ip_range).toBe('172.30.87.128/25')
    for (const address of upstreams) expect(address).toMatch(/^172\.30\.87\.(\d|\d\d|1[01]\d|12[0-7])$/)
    expect(Object.keys(services).filter((name) => services[name].ports)).toEqual(['nginx'])
    expect(services.nginx.volumes[0]).toMatch(/^\.\/deploy\/nginx\.conf:/)
  })

  test('starts each thing behind what it needs', () => {
    for (const { depends_on = {} } of Object.values<any>(services))
      for (const [name, { condition }] of Object.entries<any>(depends_on)) {
        expect(services[name]).toBeDefined()
        if (condition === 'service_healthy' && !name.startsWith('atrium'))
          expect(services[name].healthcheck).toBeDefined()
      }
  })

  test('lets the service write nowhere but in its volume and in memory', () => {
    for (const name of ['atrium-1', 'atrium-2', 'migrate'])
      expect(services[name]).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] })
  })
})

describe('nginx', () => {
  const text = read('deploy/nginx.conf')
  const config = readConfig({}, () => '')

  test('takes bodies as large as the service does', () => {
    const sizes = [...text.matchAll(/client_max_body_size (\d+)m;/g)].map(([, size]) => Number(size) * 2 ** 20)

    expect(sizes).toEqual([config.bodyLimit, expect.toSatisfy((size) => size > config.files.maxSize)])
  })

  test('gives a connection up before the service does', () => {
    const [, seconds] = /^ {2}keepalive_timeout (\d+)s;/m.exec(text)!
    expect(Number(seconds)).toBeLessThan(65)
    expect(read('src/app.ts')).toContain('keepAliveTimeout: 65_000')
  })
})

describe('Kubernetes', () => {
  const folder = 'deploy/kubernetes'
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.yaml'))
  const manifests: Record<string, any> = {}
  for (const name of files) {
    const manifest = parse(read(join(folder, name)))
    manifests[manifest.kind] = manifest
  }
  const { Deployment, Job, Service, ConfigMap, Secret, PodDisruptionBudget } = manifests
  const { Ingress, HorizontalPodAutoscaler, NetworkPolicy, ServiceMonitor } = manifests
  const pods = [Deployment, Job].map(({ spec }) => spec.template.spec)
  const [container] = Deployment.spec.template.spec.containers

  test('is described in full', () => {
    const kinds = [
      ...['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Job', 'NetworkPolicy'],
      ...['PodDisruptionBudget', 'Secret', 'Service', 'ServiceMonitor'],
    ]
    expect(Object.keys(manifests).sort()).toEqual(kinds.sort())
    // Or applying it would undo what the autoscaler has done.
    expect(Deployment.spec.replicas).toBeUndefined()
    expect(HorizontalPodAutoscaler.spec.minReplicas).toBe(2)
    for (const name of files.filter((name) => name !== 'secret.example.yaml'))
      expect(read(join(folder, 'README.md'))).toContain(name)
  })

  test('gives the service variables that are read, and secrets that are there', () => {
    const given = [...Object.keys(ConfigMap.data), ...pods.flatMap(({ containers }) => containers[0].env)]
    for (const each of given) expect(known(each.name ?? each), each.name ?? each).toBe(true)
    const keys = pods.flatMap(({ containers }) => containers[0].env.map(({ value }: any) => value.split('/').at(-1)))
    expect([...new Set(keys)].sort()).toEqual(Object.keys(Secret.stringData).sort())
    for (const key of Object.keys(Secret.stringData)) expect(read(join(folder, 'README.md'))).toContain(key)
  })

  test('makes a configuration that production accepts', () => {
    const secret = (name: string) => Secret.stringData[name.split('/').at(-1)!]
    const files = container.env.map(({ name, value }: any) => [name.slice(0, -5), secret(value)])
    const config = readConfig({ ...ConfigMap.data, ...Object.fromEntries(files), NODE_ENV: 'production' }, () => '')

    const { terminationGracePeriodSeconds } = Deployment.spec.template.spec
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(config.shutdownDelay + ORDERLY_STOP_MS)
    expect(config.files.storage).toBe('s3')
    expect(config.mailUrl).toBeDefined()
    // The ConfigMap holds no secret, and Redis asks for one.
    expect(Object.values<string>(ConfigMap.data).join()).not.toMatch(/:[^/@]+@/)
    expect(new URL(config.redisUrl!).password).not.toBe('')
  })

  test('lets the pods reach what they are told of, and those whom tenants name', () => {
    const open = NetworkPolicy.spec.egress.flatMap(({ ports }: any) => ports.map(({ port }: any) => port))
    const ports = ['database-url', 'redis-url', 'mail-url'].map((name) => new URL(Secret.stringData[name]).port)
    expect(open).toEqual(expect.arrayContaining([...ports.map((port) => Number(port || 5432)), 443, 80]))
  })

  test('waits for a migration as long at the start as for the Job, and longer than one waits for a table', () => {
    const { periodSeconds, failureThreshold } = container.startupProbe
    const [, minutes] = /--timeout=(\d+)m/.exec(read(join(folder, 'README.md')))!
    expect(periodSeconds * failureThreshold).toBe(Number(minutes) * 60)
    expect(Number(minutes)).toBeGreaterThan(2 * 10)
  })

  test('asks the right addresses on the right port, and all of one label', () => {
    const { labels } = Deployment.spec.template.metadata
    const { port, metricsPort } = readConfig({}, () => '')
    expect(container.ports).toEqual([
      { name: 'http', containerPort: port },
      { name: 'metrics', containerPort: metricsPort },
    ])
    expect(Service.spec.ports.map(({ targetPort }: any) => targetPort)).toEqual(['http', 'metrics'])
    expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'http' })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    for (const selector of [
      Service.spec.selector,
      PodDisruptionBudget.spec.selector.matchLabels,
      Deployment.spec.selector.matchLabels,
    ])
      expect(labels).toMatchObject(selector)
    expect(Job.spec.template.metadata.labels).not.toMatchObject(Service.spec.selector)
  })

  test('lets the world in to the API, the scraper to the metrics, and nobody elsewhere', () => {
    const ports = Service.spec.ports.map(({ name }: any) => name)
    const [rule] = Ingress.spec.rules
    const doors = NetworkPolicy.spec.ingress.flatMap(({ ports }: any) => ports.map(({ port }: any) => port))
    const { maxSize } = readConfig({}, () => '').files

    expect(rule.http.paths.map(({ backend }: any) => backend.service)).toEqual([
      { name: Service.metadata.name, port: { name: 'http' } },
    ])
    expect(ConfigMap.data.PUBLIC_URL).toBe(`https://${rule.host}`)
    expect(Ingress.spec.tls[0].hosts).toEqual([rule.host])
    expect(
      parseInt(Ingress.metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size'], 10) * 2 ** 20,
    ).toBeGreaterThan(maxSize)
    // The controller does not know whether a lost pod has carried out a change, and sends it nowhere else.
    expect(Ingress.metadata.annotations['nginx.ingress.kubernetes.io/proxy-next-upstream']).toBe('off')
    expect(Object.keys(Ingress.metadata.annotations).join()).not.toMatch(/custom-http-errors|snippet/)
    expect(doors).toEqual(['http', 'metrics'])
    expect(ServiceMonitor.spec.endpoints.map(({ port }: any) => port)).toEqual(['metrics'])
    expect(ports).toEqual(doors)
    expect(Service.metadata.labels).toMatchObject(ServiceMonitor.spec.selector.matchLabels)
    for (const pod of [Deployment, Job])
      expect(pod.spec.template.metadata.labels).toMatchObject(NetworkPolicy.spec.podSelector.matchLabels)
    expect(HorizontalPodAutoscaler.spec.scaleTargetRef.name).toBe(Deployment.metadata.name)
  })

  test('lets nobody be root, and nobody write but in temporary volumes', () => {
    for (const pod of pods) {
      expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } })
      const [{ securityContext, volumeMounts }] = pod.containers
      expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true })
      for (const { name, readOnly } of volumeMounts)
        expect(readOnly ?? 'emptyDir' in pod.volumes.find((volume: any) => volume.name === name)).toBe(true)
    }
  })
})
