/*
 * The documentation page: Swagger UI with what it lacks. One sign-in for all operations, kept over a reload; the tenant
 * on every request; a new idempotency key for each command; refusals in words.
 */
const API = new URL('../api/v1', location.href).href
const NEW_KEY = 'a new one each time'
const SESSION = 'atrium-session'
/** A stream has no end, and Swagger UI shows what has ended: so long it is listened to. */
const LISTENS_MS = 5000
/** Parameters that the bar and the browser take care of. */
const TAKEN_CARE_OF = ['X-Tenant-Code', 'Accept-Language']

const field = (id) => document.getElementById(id)
let session = JSON.parse(sessionStorage.getItem(SESSION) ?? 'null')

showSession()
field('sign-in').addEventListener('submit', (event) => {
  event.preventDefault()
  void signIn()
})
field('sign-out').addEventListener('click', () => void signOut())
field('refusal').querySelector('button').addEventListener('click', hideRefusal)

globalThis.SwaggerUIBundle({
  dom_id: '#operations',
  spec: readyToTry(await (await fetch('../openapi.json')).json()),
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  plugins: [nothingToResolve],
  requestInterceptor: prepare,
  responseInterceptor: explain,
})

/** The document without what this page does by itself, without what is always the same, and with a key that says that it is made anew. */
function readyToTry(spec) {
  for (const operation of Object.values(spec.paths).flatMap((path) => Object.values(path))) {
    operation.parameters = operation.parameters.filter(({ $ref }) => !TAKEN_CARE_OF.includes($ref?.split('/').at(-1)))
    delete operation.security
    for (const [status, response] of Object.entries(operation.responses)) if (status >= '400') shorten(response)
  }
  for (const response of Object.values(spec.components.responses)) shorten(response)
  for (const parameter of Object.values(spec.components.parameters))
    if (parameter.name === 'Idempotency-Key') {
      parameter.schema = { type: 'string', default: NEW_KEY }
      delete parameter.example
    }
  return { ...spec, paths: writtenOut(spec.paths, spec), components: {} }
}

/** A value with what it refers to in its place; what contains itself is cut off at the second time. */
function writtenOut(value, spec, above = []) {
  if (Array.isArray(value)) return value.map((item) => writtenOut(item, spec, above))
  if (typeof value !== 'object' || value === null) return value
  if (!value.$ref)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, writtenOut(inner, spec, above)]))
  const { $ref, ...beside } = value
  const path = $ref.slice(2).split('/')
  if (above.includes($ref)) return { type: 'object', title: path.at(-1) }
  const target = path.reduce((place, key) => place[key], spec)
  return { ...writtenOut(target, spec, [...above, $ref]), ...beside }
}

/** Swagger UI resolves the whole document for each operation that is opened; here there is nothing to resolve. */
function nothingToResolve() {
  return {
    statePlugins: {
      spec: {
        wrapActions: { requestResolvedSubtree: () => () => {} },
        wrapSelectors: { specResolvedSubtree: () => (state, path) => state.getIn(['json', ...path]) },
      },
    },
  }
}

/** Refusals have one shape, so their types and sentences say enough. */
function shorten(response) {
  delete response.content
  delete response.headers
}

/** A request on its way: the token, the tenant, and a key of its own. */
async function prepare(request) {
  hideRefusal()
  if (!request.url.startsWith(API)) return request
  const token = await freshToken()
  if (token) request.headers.Authorization = `Bearer ${token}`
  const tenant = field('tenant').value.trim()
  if (tenant) request.headers['X-Tenant-Code'] = tenant
  if (request.headers['Idempotency-Key'] === NEW_KEY) request.headers['Idempotency-Key'] = newKey()
  if (request.url.endsWith('/stream')) request.userFetch = listen
  return request
}

/** What a stream says in the first seconds. */
async function listen(url, request) {
  const hangUp = new AbortController()
  const answer = await fetch(url, { ...request, signal: hangUp.signal })
  if (!answer.ok) return answer
  setTimeout(() => hangUp.abort(), LISTENS_MS)
  let heard = ''
  try {
    for await (const text of answer.body.pipeThrough(new TextDecoderStream())) heard += text
  } catch (error) {
    if (!hangUp.signal.aborted) throw error
  }
  return new Response(heard, answer)
}

/** 128 random bits; crypto.randomUUID is not there over plain HTTP. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** An answer on its way: a refusal is told in words as well. */
function explain(response) {
  if (response.status >= 400 && response.url.startsWith(API)) showRefusal(response.status, response.body)
  return response
}

async function signIn() {
  hideRefusal()
  const [username, tenantCode] = [field('username').value, field('tenant').value]
  const pair = await post('/auth/login', { username, password: field('password').value, tenantCode })
  if (!pair) return
  field('password').value = ''
  keep({ username, tenantCode, ...pair })
}

async function signOut() {
  const token = await freshToken()
  keep(null)
  if (token) await post('/auth/logout', undefined, { authorization: `Bearer ${token}` })
}

/** The access token; a new one where it ends within half a minute. Undefined for a visitor. */
async function freshToken() {
  if (session && session.endsAt - Date.now() < 30_000) {
    const pair = await post('/auth/refresh', { refreshToken: session.refreshToken })
    keep(pair && { ...session, ...pair })
  }
  return session?.accessToken
}

function keep(next) {
  session = next && { ...next, endsAt: Date.now() + next.expiresIn * 1000 }
  if (session) sessionStorage.setItem(SESSION, JSON.stringify(session))
  else sessionStorage.removeItem(SESSION)
  showSession()
}

/** What the service answers; undefined when it refuses, which is told. */
async function post(path, body, headers = {}) {
  const response = await fetch(API + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json()
  if (response.ok) return answer.data
  showRefusal(response.status, answer)
}

function showSession() {
  document.body.classList.toggle('signed-in', session !== null)
  for (const id of ['username', 'password']) field(id).disabled = session !== null
  field('who').textContent = session ? session.username : ''
  if (session?.tenantCode) field('tenant').value = session.tenantCode
}

function showRefusal(status, { error, message, requestId } = {}) {
  const [title, sentence, details, origin] = ['strong', 'p', 'ul', 'small'].map((tag) =>
    field('refusal').querySelector(tag),
  )
  title.textContent = `${status} ${error?.type ?? ''}`
  sentence.textContent = message ?? 'The service did not say why.'
  details.replaceChildren(
    ...(error?.details ?? []).map(({ path, message }) => {
      const line = document.createElement('li')
      line.textContent = path ? `${path}: ${message}` : message
      return line
    }),
  )
  origin.textContent = requestId ? `Request ${requestId}` : ''
  field('refusal').hidden = false
}

function hideRefusal() {
  field('refusal').hidden = true
}
