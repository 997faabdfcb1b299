/** What the pages of links do: they read the token from the fragment, call the API, and say what came of it. */
const main = document.querySelector('main')
const form = document.querySelector('form')
const alert = document.querySelector('[role=alert]')
const lead = document.querySelector('#lead')
const done = document.querySelector('#done')
const switcher = document.querySelector('#language')
const { preview, action, incomplete, unreachable, lead: leadText, done: doneText } = main.dataset
const language = document.documentElement.lang
const token = new URLSearchParams(location.hash.slice(1)).get('token')
const facts = {}

class Refused extends Error {
  constructor(message, paths) {
    super(message)
    this.paths = paths
  }
}

const secret = document.querySelector('input[type=password]')
switcher.hash = location.hash
addEventListener('hashchange', () => location.reload())
for (const box of document.querySelectorAll('input[type=checkbox]'))
  box.addEventListener('change', () => {
    secret.type = box.checked ? 'text' : 'password'
  })
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void submit()
})
void open()

/** Shows the form, with what the link is about. */
async function open() {
  if (!token) return give(incomplete)
  try {
    if (preview) Object.assign(facts, await call(preview, { token }))
    lead.textContent = fill(leadText)
    form.hidden = false
    form.querySelector('input, button').focus()
  } catch (error) {
    give(error.message)
  }
}

async function submit() {
  say('')
  mark([])
  const button = form.querySelector('button')
  button.disabled = true
  try {
    const values = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
    const answer = await call(action, { token, ...values })
    facts.username = values.username?.trim()
    // The page only makes the account; signing in follows elsewhere.
    if (answer?.accessToken) await call('auth/logout', {}, answer.accessToken).catch(() => {})
    form.hidden = true
    lead.hidden = true
    done.textContent = fill(doneText)
    done.focus()
  } catch (error) {
    say(error.message)
    mark(error.paths ?? [])
  } finally {
    button.disabled = false
  }
}

/** @returns `data` of the answer @throws Refused with a sentence for the reader */
async function call(path, body, bearer) {
  const headers = { 'content-type': 'application/json', 'accept-language': language }
  if (bearer) headers.authorization = `Bearer ${bearer}`
  let answer
  try {
    const signal = AbortSignal.timeout(15_000)
    const response = await fetch(`../api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal })
    answer = await response.json()
  } catch {
    throw new Refused(unreachable, [])
  }
  if (answer.code === 0) return answer.data
  throw new Refused(
    answer.message,
    (answer.error?.details ?? []).map((detail) => String(detail.path ?? '')),
  )
}

/** The fields that a refusal names. */
function mark(paths) {
  const named = paths.map((path) => path.split('.').at(-1))
  const inputs = [...form.querySelectorAll('input[name]')]
  for (const input of inputs) input.toggleAttribute('aria-invalid', false)
  const wrong = inputs.filter((input) => named.includes(input.name))
  for (const input of wrong) input.setAttribute('aria-invalid', 'true')
  wrong[0]?.focus()
}

function say(text) {
  alert.textContent = text
}

/** Nothing can be done with this link. */
function give(text) {
  lead.hidden = true
  form.hidden = true
  say(text)
}

function fill(text) {
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => facts[name] ?? '')
}
