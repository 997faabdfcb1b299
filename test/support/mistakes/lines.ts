import '../domains.ts'
import { isSentence } from '../../../src/kernel/words/sentence.ts'
import { matching, type Rule } from './rule.ts'

const DECIDING = /\.(actions|rules|store|schemas)\.ts$/
const ACTIONS_AND_ROUTES = /\.(actions|routes)\.ts$/
const VERBS = 'find|list|lock|lockAll|write|writeReturning|updateIfUnchanged|requireAtCommit|paginate|paginateSearch'
/** Before there is a service: its statement is a lock and nothing else. */
const WITHOUT_STORE = 'src/domains/tenants/bootstrap.ts'
const sentenceIn = (text: string | undefined) => text!.replaceAll("\\'", "'")

/** What one place of the text shows. */
export const LINES: readonly Rule[] = [
  {
    // A statement of a domain is in its store, where it is checked, guarded and reviewed with the others.
    what: 'a statement outside of a store',
    find: matching(
      new RegExp(`^(?:export )?const (\\w+) = (?:directory\\s*\\.)?(${VERBS})(?:<.*>)?\\(`, 'gm'),
      ({ one, two }) =>
        `declares the statement ${one} by ${two}: statements belong into the store of the domain, *.store.ts`,
      { files: /(?<!\.store)\.ts$/, isFine: ({ source }) => source.path === WITHOUT_STORE },
    ),
    file: 'actions',
    wrong: [["const findHat = find((from) =>\n  from('hats'),\n)", 'declares the statement findHat by find']],
  },
  {
    // The compiler knows it too, and says it in types; here it is said in words.
    what: 'a sentence that is said in one language',
    find: matching(
      /(?:\bfault\(\s*'[A-Z_]+',\s*\d+,\s*|\bmessage: )'((?:[^'\\\n]|\\.)*)'/g,
      ({ one }) =>
        `says '${sentenceIn(one)}', which has no translation: write it, with its Chinese, where the sentences of the domain are`,
      { files: /\.(rules|actions|routes|store)\.ts$/, isFine: ({ one }) => isSentence(sentenceIn(one)) },
    ),
    wrong: [["  worn: fault('HAT_WORN', 409, 'The hat is worn'),", "says 'The hat is worn', which has no translation"]],
    right: ["  gone: fault('GONE', 404, 'Task not found'),"],
  },
  {
    // What is decided or stored goes by the clock of the database: that of a process may be wrong, and each has its own.
    what: 'the clock of the process',
    find: matching(
      /\bnew Date\(\)|\bDate\.now\(/g,
      ({ text }) => `reads the clock of the process (${text}): use tx.now, or clock_timestamp() in a statement`,
      { files: DECIDING },
    ),
    wrong: [['const worn = Date.now()', 'reads the clock of the process (Date.now(): use tx.now']],
    right: ['const instant = new Date(now)'],
  },
  {
    // A day depends on where one is, and a server is nowhere: each place that forms one says UTC.
    what: 'the time zone of the machine',
    find: matching(
      /\.toLocale\w*\(|\.toDateString\(|\.toTimeString\(|\.(?:get|set)(?:Date|Day|Month|FullYear|Hours|Minutes|TimezoneOffset)\(|\bIntl\.DateTimeFormat\(/g,
      ({ text }) =>
        `goes by the language or time zone of the machine (${text}): use toISOString(), or the getUTC… of the same name`,
    ),
    wrong: ['date.toLocaleDateString()', 'date.getDate()', 'new Intl.DateTimeFormat()'].map((line) => [
      line,
      'goes by the language or time zone of the machine',
    ]),
    right: ['date.getUTCDate()'],
  },
  {
    // It runs in every process and outlives a stop, and the page of jobs does not show that it fails.
    what: 'a timer in a domain',
    find: matching(
      /\bsetInterval\(/g,
      () =>
        'repeats work by setInterval, which the page of jobs does not show: declare it among the jobs of the domain',
    ),
    wrong: [['  setInterval(clean, 1000)', 'repeats work by setInterval']],
    right: ['  // setInterval(clean, 1000)'],
  },
  {
    // In such a loop the backlog of one tenant holds up all that follow.
    what: 'a walk through the tenants by hand',
    find: matching(
      /\binEveryTenant\(|\beveryTenant\(|\bfor (?:await )?\([^\n]*\b(?:tenantsTogether|sharedScope)\(/g,
      () =>
        'goes through the tenants by hand, where one holds up the others: declare a job with inTenants, whose work is a batch in one of them',
    ),
    wrong: [
      ['for await (const scope of everyTenant(database)) await clean(scope)', 'goes through the tenants by hand'],
      ['for (const { id } of await listOpenTenants(sharedScope(database), {})) {', 'declare a job with inTenants'],
    ],
  },
  {
    // A route belongs to a process, of which a machine has several; a job runs in one of them.
    what: 'background work that a route starts',
    find: matching(
      /\b(start[A-Z]\w*|openLeasedWork)\(/g,
      ({ one }) =>
        `starts background work in a route by ${one}: declare it among the jobs of the domain, which src/app.ts starts`,
      { files: /\.routes\.ts$/ },
    ),
    file: 'routes',
    wrong: [['const cleaning = startCleaning(app.database)', 'starts background work in a route by startCleaning']],
  },
  {
    // A setting that no other reads is not checked at the start, and in no list of settings.
    what: 'a setting past the configuration',
    find: matching(
      /\bprocess\.env\b/g,
      () =>
        'reads process.env, which nobody checks or documents: add the setting to src/config, and take it from the config that routes and jobs are given',
    ),
    wrong: [['const most = Number(process.env.HATS ?? 3)', 'reads process.env, which nobody checks or documents']],
  },
  {
    // For some hours of each day it is another day than that of the people who read it.
    what: 'a day in UTC',
    find: matching(
      /\.toISOString\(\)\s*(?:\?\.|\.)(?:slice\(0, 10\)|substring\(0, 10\)|split\('T'\))/g,
      () =>
        'forms a day in UTC, which is another one for most people: form it in the time zone of the tenant, which getPolicy returns',
    ),
    wrong: [['const day = new Date(at).toISOString().slice(0, 10)', 'forms a day in UTC']],
  },
  {
    // A replica knows nothing of what another has in its memory, and a restart forgets it.
    what: 'state in the process',
    find: matching(
      /^(?:export )?(?:let (\w+)|const (\w+)(?:: [^=]+)? = (?:new (?:Map|WeakMap|Set|LRUCache)\b[^(]*\(\)|\[\]$|\{\}$))/gm,
      ({ one, two }) => `keeps ${one ?? two} in the process, where no other replica sees it: keep it in a table`,
      { place: ({ source, one, two }) => `${source.path} ${one ?? two}` },
    ),
    wrong: ['let worn = 0', 'const worn = new Map<number, Hat>()', 'export const worn: Hat[] = []'].map((line) => [
      line,
      'keeps worn in the process',
    ]),
    right: ["const SIZES = new Set(['S', 'M'])"],
  },
  {
    // `forEach` and its like do not wait: the transaction ends first, and a failure is nobody's.
    what: 'an async function that nobody waits for',
    find: matching(
      /\.(forEach|filter|some|every|find|sort)\(async\b/g,
      ({ one }) =>
        `gives ${one} an async function, for which it does not wait: use for … of with await, or Promise.all over map`,
    ),
    wrong: [['hats.forEach(async (hat) => wear(tx, hat))', 'gives forEach an async function']],
  },
  {
    // A refusal that is caught tells nobody, and the command goes on as if it had been done.
    what: 'a refusal that is caught',
    find: matching(
      /\bcatch (?:\(\w+\) )?\{([\s\S]*?)\n( *)\}|\.catch\(\(\) =>/g,
      () => 'catches what is thrown and goes on, so that a refusal is lost: throw it again',
      { files: ACTIONS_AND_ROUTES, isFine: ({ one }) => /\bthrow\b/.test(one ?? '') },
    ),
    file: 'actions',
    wrong: [['try {\n  wear(hat)\n} catch (error) {\n  tx.log(error)\n}', 'catches what is thrown and goes on']],
    right: ['try {\n  wear(hat)\n} catch (error) {\n  throw hatFaults.worn()\n}'],
  },
  {
    // A request that is held takes one of the places that a tenant has for streams, until somebody ends it.
    what: 'a request that is held for ever',
    find: matching(
      /(?:\b(?:const|let) (\w+) =[^\n;]*)?\bstreams\.hold\(/g,
      () =>
        "holds a request and never ends it, so its place is taken until the client leaves: const held = app.streams.hold(req, reply), and held.end('…') in finally",
      {
        isFine: ({ source, one }) => one !== undefined && new RegExp(`\\b${one}\\.end\\(`).test(source.text),
      },
    ),
    file: 'routes',
    wrong: [
      ['const held = app.streams.hold(req, reply)\nawait worn(held.onEnd)', 'holds a request and never ends it'],
      ['await worn(app.streams.hold(req, reply))', 'holds a request and never ends it'],
    ],
    right: ["const held = app.streams.hold(req, reply)\ntry {} finally { held.end('it was answered') }"],
  },
  {
    // A transaction that fails after the bytes of a file are gone leaves a row without bytes.
    what: 'bytes that are removed before the commit',
    find: matching(
      /\bstorage\.remove\(/g,
      () => 'removes bytes before the commit, which may still fail: do it in tx.afterCommit()',
      {
        files: /\.actions\.ts$/,
        isFine: ({ source, index }) =>
          /\b(afterCommit|onEnd)\([^;]*$/.test(source.text.slice(Math.max(0, index - 200), index)),
        place: ({ source, index }) => {
          const before = source.text.slice(0, index)
          return `${source.path} ${[...before.matchAll(/^(?:export )?(?:async )?function (\w+)/gm)].at(-1)?.[1]}`
        },
      },
    ),
    file: 'actions',
    wrong: [
      [
        'export async function burn(tx: Tx) {\n  await storage.remove(tx.tenantId, name)\n}',
        'removes bytes before the commit',
      ],
    ],
    right: ["tx.afterCommit('bytes', () => storage.remove(tx.tenantId, name))"],
  },
]
