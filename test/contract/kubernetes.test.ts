import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config/config.ts'
import { VARIABLES } from '../../src/config/variables.ts'
import { expectNone } from '../support/expect-none.ts'
import { newFolder } from '../support/folder.ts'
import { type Manifest, manifestFaults } from '../support/manifest-faults.ts'
import { findProgram } from '../support/programs.ts'

/**
 * The base of Kustomize in `deploy/kubernetes`, and the overlay that its README shows, held against the API of Kubernetes
 * and against the service. `kubectl kustomize` renders them where it is installed; the other tests read the files.
 */
const FOLDER = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url))
const ORDERLY_STOP_MS = 10_000
/** Anyone who has it can mark orders as paid, so no deployment names it. */
const OF_DEVELOPMENT = 'PAYMENTS_DEMO_SECRET'

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')
const readme = read('README.md')
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)![1]!
const pairsOf = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))

const base = parse(read('kustomization.yaml'))
const overlay = parse(blockOf('yaml'))
const ofBase = pairsOf(base.configMapGenerator[0].literals)
const settings = { ...ofBase, ...pairsOf(overlay.configMapGenerator[0].literals) }
const secrets = pairsOf(blockOf('ini').trim().split('\n'))
const files: Manifest[] = base.resources.map((name: string) => parse(read(name)))
const { Deployment, Service, PodDisruptionBudget, Ingress, HorizontalPodAutoscaler, NetworkPolicy } =
  Object.fromEntries(files.map((manifest) => [manifest.kind, manifest as any]))
const ServiceMonitor = parse(read('monitor/monitor.yaml'))
const pod = Deployment.spec.template.spec
const [container] = pod.containers
const [migrate] = pod.initContainers

test('the API takes every manifest', () => {
  expectNone(manifestFaults(files))
})

test('and would not take a wrong name, a wrong type, or a field less', () => {
  const mistaken = (mistake: (one: any) => void) => {
    const copy = structuredClone(Deployment)
    mistake(copy.spec.template.spec.containers[0])
    return copy
  }
  const faults = manifestFaults([
    mistaken((one) => (one.readinesProbe = one.readinessProbe)),
    mistaken((one) => (one.startupProbe.failureThreshold = '900')),
    mistaken((one) => delete one.name),
  ])
  expect(faults).toEqual([
    expect.stringMatching(/^Deployment: "readinesProbe": .* does not exist in type 'Container'/),
    expect.stringMatching(/^Deployment: "failureThreshold": "900",? Type 'string' is not assignable to type 'number'/),
    expect.stringMatching(/^Deployment: .*Property 'name' is missing in type/),
  ])
})

test.skipIf(!findProgram('kubectl'))('kubectl renders the overlay of the README, and the API takes it', () => {
  const rendered = render()
  const of = (kind: string) => rendered.find((manifest) => manifest.kind === kind) as any
  const { containers, initContainers, volumes } = of('Deployment').spec.template.spec
  const [image] = overlay.images

  expectNone(manifestFaults(rendered))
  expect(rendered.filter(({ metadata }) => metadata.namespace !== overlay.namespace)).toEqual([])
  expect(of('ConfigMap').data).toEqual(settings)
  expect(Object.keys(of('Secret').data).sort()).toEqual(Object.keys(secrets).sort())
  expect(volumes[0].secret.secretName).toBe(of('Secret').metadata.name)
  expect(of('ServiceMonitor')).toBeDefined()
  expect(of('Service').metadata.labels).toMatchObject(ServiceMonitor.spec.selector.matchLabels)
  for (const each of [...containers, ...initContainers]) {
    expect(each.image).toBe(`${image.newName}:${image.newTag}`)
    expect(each.envFrom[0].configMapRef.name).toBe(of('ConfigMap').metadata.name)
  }
})

test('the settings are variables that are read, and the secrets all that are, each where its file is said to be', () => {
  const known = VARIABLES.flatMap(({ name }) => [name, `${name}_FILE`])
  const hidden = VARIABLES.filter(({ hidden, name }) => hidden && name !== OF_DEVELOPMENT).map(({ name }) => name)
  const given = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'))
  const { mountPath } = container.volumeMounts[0]

  expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([])
  expect(given).toEqual(given.map(([name]) => [name, `${mountPath}/${name.slice(0, -5)}`]))
  expect(given.map(([name]) => name.slice(0, -5)).sort()).toEqual(Object.keys(secrets).sort())
  expectNone(hidden.filter((name) => !readme.includes(name)).map((name) => `deploy/kubernetes/README.md lacks ${name}`))
  // The ConfigMap holds no secret.
  expect(Object.values(settings).join()).not.toMatch(/:[^/@]+@/)
})

test('they make a configuration that production accepts, with a password for Redis, also without what is optional', () => {
  const envOf = (given: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) =>
        name.endsWith('_FILE') ? [name.slice(0, -5), secrets[name.slice(0, -5)]] : [name, value],
      ),
    )
  const { shutdownDelay, files, mailUrl, redisUrl } = readConfig(
    { ...envOf(settings), NODE_ENV: 'production' },
    () => '',
  )
  const { CORS_ORIGINS, S3_BUCKET } = settings
  readConfig({ ...envOf(ofBase), CORS_ORIGINS, S3_BUCKET, NODE_ENV: 'production' }, () => '')

  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(shutdownDelay + ORDERLY_STOP_MS)
  expect(files.storage).toBe('s3')
  expect(mailUrl).toBeDefined()
  expect(new URL(redisUrl!).password).not.toBe('')
})

test('the pods reach what they are told of, mail servers of both kinds, and those whom tenants name', () => {
  const open = NetworkPolicy.spec.egress.flatMap(({ ports }: any) => ports.map(({ port }: any) => port))
  const told = ['DATABASE_URL', 'REDIS_URL', 'MAIL_URL'].map((name) => Number(new URL(secrets[name]!).port))
  expect(open).toEqual(expect.arrayContaining([...told, 53, 587, 465, 443, 80]))
})

test('the migrations run before the service, as the same image with the same settings, and nothing ends them early', () => {
  const { periodSeconds, failureThreshold } = container.startupProbe
  const [, minutes] = /--timeout=(\d+)m/.exec(readme)!

  expect(migrate.command.slice(2)).toEqual(['migrate', 'up'])
  for (const field of ['image', 'envFrom', 'volumeMounts']) expect(migrate[field]).toEqual(container[field])
  // Longer than a migration waits for a table, twice.
  expect(periodSeconds * failureThreshold).toBeGreaterThan(2 * 10 * 60)
  expect(Deployment.spec.progressDeadlineSeconds).toBeGreaterThan(periodSeconds * failureThreshold)
  expect(Deployment.spec.progressDeadlineSeconds).toBe(Number(minutes) * 60)
})

test('the number of replicas is the autoscaler’s: applying the Deployment again does not change it', () => {
  expect(Deployment.spec.replicas).toBeUndefined()
  expect(HorizontalPodAutoscaler.spec.minReplicas).toBe(2)
  expect(HorizontalPodAutoscaler.spec.scaleTargetRef.name).toBe(Deployment.metadata.name)
})

test('all ask the right addresses on the right port, and pods of one label', () => {
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
    NetworkPolicy.spec.podSelector.matchLabels,
  ])
    expect(labels).toMatchObject(selector)
  expect(base.labels[0].pairs).toMatchObject(ServiceMonitor.spec.selector.matchLabels)
})

test('the world gets in to the API, the scraper to the metrics, and nobody elsewhere', () => {
  const ports = Service.spec.ports.map(({ name }: any) => name)
  const [rule] = Ingress.spec.rules
  const { annotations } = Ingress.metadata
  const doors = NetworkPolicy.spec.ingress.flatMap(({ ports }: any) => ports.map(({ port }: any) => port))
  const hosts = parse(overlay.patches[0].patch).map(({ value }: any) => value)

  expect(rule.http.paths.map(({ backend }: any) => backend.service)).toEqual([
    { name: Service.metadata.name, port: { name: 'http' } },
  ])
  expect(hosts).toEqual([new URL(settings.PUBLIC_URL!).host, new URL(settings.PUBLIC_URL!).host])
  expect(parseInt(annotations['nginx.ingress.kubernetes.io/proxy-body-size'], 10) * 2 ** 20).toBeGreaterThan(
    readConfig({}, () => '').files.maxSize,
  )
  // The controller does not know whether a lost pod has carried out a change, and sends it nowhere else.
  expect(annotations['nginx.ingress.kubernetes.io/proxy-next-upstream']).toBe('off')
  expect(Object.keys(annotations).join()).not.toMatch(/custom-http-errors|snippet/)
  expect(doors).toEqual(['http', 'metrics'])
  expect(ServiceMonitor.spec.endpoints.map(({ port }: any) => port)).toEqual(['metrics'])
  expect(ports).toEqual(doors)
})

test('nobody is root, and nobody writes but in temporary volumes', () => {
  expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } })
  for (const { securityContext, volumeMounts } of [container, migrate]) {
    expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true })
    for (const { name, readOnly } of volumeMounts)
      expect(readOnly ?? 'emptyDir' in pod.volumes.find((volume: any) => volume.name === name)).toBe(true)
  }
})

/** The overlay of the README in a folder of its own. */
function render(): Manifest[] {
  const folder = realpathSync(newFolder())
  const base = relative(folder, realpathSync(FOLDER)).replaceAll('\\', '/')
  writeFileSync(join(folder, 'kustomization.yaml'), blockOf('yaml').replaceAll('../atrium/deploy/kubernetes', base))
  writeFileSync(join(folder, 'secrets.env'), blockOf('ini'))
  const said = execFileSync(findProgram('kubectl')!, ['kustomize', folder], { encoding: 'utf8' })
  return parseAllDocuments(said).map((document) => document.toJS())
}
