import { App } from './app.ts'
import { extensions } from './extensions.ts'
import { onOtherTab, reconnect, session } from './lib/api.ts'
import { html, render } from './lib/html.ts'
import { preferredLanguage, speak, timeText } from './lib/language.ts'
import { me, recognize } from './lib/me.ts'
import { reach, watchReach } from './lib/reach.ts'
import { place, watchLinks } from './lib/router.ts'
import { wear } from './lib/theme.ts'
import { watchUnload } from './lib/unsaved.ts'
import { subjectOf } from './subjects.ts'

wear()
// The page of the address loads while the service is asked who this is.
if (session.load())
  void subjectOf(place.get().path)
    .load()
    .catch(() => {})
await speak(preferredLanguage()).catch(() => speak('en'))
reconnect()
watchLinks()
watchUnload()
onOtherTab(() => void recognize())
void watchReach()
render(html`<${App} />`, document.getElementById('app')!)
for (const { start } of extensions) await start?.()
// The first date costs a browser as much as a list: it writes one while the service says who this is.
if (session.load()) setTimeout(() => timeText(new Date().toISOString()))
await recognize()
// While the service is away it is not known who this is.
setInterval(() => {
  if (reach.get() === 'here' && me.get() === undefined) void recognize()
}, 2000)
