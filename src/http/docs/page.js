/*
 * The documentation page is Scalar's. This adds what Scalar cannot know: how to sign in, that each command needs a new
 * idempotency key, and that filters are optional.
 */
const DOCUMENT = '../openapi.json'
const TOKEN = 'atrium-token'
/** The example of the document: if it is sent unchanged, a new key is meant. */
const PRINTED_KEY = '0d9c1c4e-6f9a-4a3e-9d57-0f5b8c7f2a11'

const session = document.getElementById('session')
const [told, button] = session.children
/** The account of development; in production there is none, and the operation `login` signs in. */
const { username, password } = session.dataset

const reference = globalThis.Scalar.createApiReference('#reference', configuration())
showSession()
session.addEventListener('submit', (event) => {
  event.preventDefault()
  if (token()) keep(null)
  else void signIn()
})

function configuration() {
  return {
    url: DOCUMENT,
    customFetch: fetchDocument,
    authentication: { preferredSecurityScheme: 'token', securitySchemes: { token: { token: token() ?? '' } } },
    onBeforeRequest: ({ requestBuilder }) => renewKey(requestBuilder.headers),
    onResponseReceived: ({ response }) => followSession(response),
    documentDownloadType: 'direct',
    // Nothing is loaded from or sent to other sites.
    withDefaultFonts: false,
    proxyUrl: '',
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  }
}

/** The document, adapted for trying it: optional parameters are left out until someone fills them in. */
async function fetchDocument(input, init) {
  const response = await fetch(input, init)
  if (!String(input.url ?? input).endsWith('/openapi.json')) return response
  const document = await response.json()
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  for (const parameter of operations.flatMap(({ parameters }) => parameters))
    if (parameter.required === false) parameter.examples = { none: { value: '', 'x-disabled': true } }
  return Response.json(document)
}

function renewKey(headers) {
  if (headers.get('idempotency-key') === PRINTED_KEY) headers.set('idempotency-key', newKey())
}

/** 128 random bits; crypto.randomUUID does not exist over plain HTTP. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Anyone who has tried `login` or `refreshSession` is signed in for all operations. A token that is refused is forgotten;
 * a refused password or refresh token says nothing about it.
 */
async function followSession(response) {
  const signsIn = /\/auth\/(login|refresh)$/.test(new URL(response.url).pathname)
  if (signsIn && response.ok) keep((await response.json()).data.accessToken)
  if (response.status !== 401 || !token()) return
  const { error } = await response.clone().json()
  if (error.type === 'UNAUTHENTICATED') keep(null)
}

async function signIn() {
  const response = await fetch('../api/v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const { data, message } = await response.json()
  if (response.ok) keep(data.accessToken)
  else told.textContent = message
}

function token() {
  return sessionStorage.getItem(TOKEN)
}

function keep(next) {
  if (next) sessionStorage.setItem(TOKEN, next)
  else sessionStorage.removeItem(TOKEN)
  reference.updateConfiguration(configuration())
  showSession()
}

function showSession() {
  told.textContent = token() ? 'Signed in' : ''
  button.textContent = token() ? 'Sign out' : `Sign in as ${username}`
  session.hidden = !token() && !username
}
