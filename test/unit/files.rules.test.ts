import { describe, expect, test } from 'vitest'
import {
  dispositionOf,
  extensionOf,
  filesSeenBy,
  isStoredName,
  originalName,
  seenOfKind,
  storedName,
} from '../../src/domains/files/files.rules.ts'
import '../support/domains.ts'
import { refusalOf } from '../support/refusal.ts'

describe('the name that a client gives its file', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['  report.pdf ', 'report.pdf'],
    ['../../etc/x.png', 'x.png'],
    ['..\\..\\x.png', 'x.png'],
    ['C:\\Users\\me\\Bild.png', 'Bild.png'],
    ['%2e%2e%2fx.png', '%2e%2e%2fx.png'],
    ['CON.png', 'CON.png'],
    ['季度报告.docx', '季度报告.docx'],
    ['تقرير.pdf', 'تقرير.pdf'],
    ['👩‍👩‍👧.png', '👩‍👩‍👧.png'],
    ['cafe\u0301.txt', 'caf\u00e9.txt'],
  ])('%j is kept as %j', (sent, kept) => {
    expect(originalName(sent)).toBe(kept)
  })

  test('may have 255 characters, however many bytes they are', () => {
    const longest = `${'😀'.repeat(251)}.png`
    expect(originalName(longest)).toBe(longest)
    expect(refusalOf(() => originalName(`😀${longest}`))).toMatchObject({ type: 'VALIDATION_FAILED', status: 400 })
  })

  test.each([
    ['nothing', undefined],
    ['an empty one', ''],
    ['spaces', '   '],
    ['only folders', 'a/b/'],
    ['marks of direction', '\u200f\u202e.png'],
    ['a NUL', 'a\0.png'],
    ['a line end', 'a\r\nX-Header: 1.png'],
    ['an escape', 'a\u001b[2J.png'],
    ['a C1 control', 'a\u0085.png'],
    ['an override of direction', 'invoice\u202egnp.txt'],
    ['an isolate', 'a\u2066b.png'],
    ['bytes that were no UTF-8', 'a\ufffd.png'],
    ['half a character', 'a\ud83d.png'],
  ])('cannot be %s', (_, sent) => {
    expect(refusalOf(() => originalName(sent))).toMatchObject({ type: 'VALIDATION_FAILED', status: 400 })
  })
})

describe('the extension', () => {
  test.each([
    ...['x', '.htaccess', '.png', 'a.svg', 'a.html', 'a.png.exe', 'a.png.', 'a.tar.gz', 'a.constructor', 'a.pn\u212a'],
    ...['a.png::$DATA', 'a.png ;.exe', 'a.png%00.exe', '😀'.repeat(255)],
  ])('%s is not accepted', (name) => {
    expect(refusalOf(() => extensionOf(name)).status).toBe(415)
  })
})

describe('the name under which a file is stored', () => {
  const random = '0123456789abcdef'.repeat(2)

  test.each([
    ...['../etc/passwd', random, `${random}.PNG`, `${random.toUpperCase()}.png`, `${random}.exe`, `${random}.png\n`],
    ...[`${random}.png/`, `.upload-${random.slice(8)}`, `${random.slice(1)}.png`],
  ])('is never %j', (name) => {
    expect(isStoredName(name)).toBe(false)
  })
})

describe('Content-Disposition', () => {
  const filename = (extension: string) => storedName(extension, '0'.repeat(32))
  const of = (originalName: string, extension = 'png') => dispositionOf({ filename: filename(extension), originalName })

  test('lets a browser show pictures and PDF, and has everything else saved', () => {
    for (const shown of ['png', 'jpg', 'jpeg', 'webp', 'gif', 'pdf'])
      expect(of('a', shown)).toBe('inline; filename="a"')
    for (const saved of ['txt', 'md', 'csv', 'docx', 'xlsx', 'pptx', 'zip'])
      expect(of('a', saved)).toBe('attachment; filename="a"')
  })

  test.each([
    ['报告.png', `inline; filename="__.png"; filename*=UTF-8''%E6%8A%A5%E5%91%8A.png`],
    ['😀.png', `inline; filename="_.png"; filename*=UTF-8''%F0%9F%98%80.png`],
    [`it's "so".png`, `inline; filename="it's _so_.png"; filename*=UTF-8''it%27s%20%22so%22.png`],
    ['100%.png', `inline; filename="100_.png"; filename*=UTF-8''100%25.png`],
    ['a\\b.png', `inline; filename="a_b.png"; filename*=UTF-8''a%5Cb.png`],
    ['a (1)*.png', 'inline; filename="a (1)*.png"'],
    ['é (1)*.png', `inline; filename="_ (1)*.png"; filename*=UTF-8''%C3%A9%20%281%29%2A.png`],
  ])('%s', (name, header) => {
    expect(of(name)).toBe(header)
  })
})

const [nothing, manages] = [new Set<never>(), new Set(['file:manage'] as const)]

test.each([
  [true, nothing, { readerId: 7, loose: undefined }],
  [true, manages, {}],
  [false, nothing, { readerId: 7, loose: true }],
  [false, manages, {}],
] as const)('anyone who registered (%s) and holds %j sees %j', (selfRegistered, permissions, sees) => {
  const { readerId, loose, ...ofThings } = filesSeenBy({ id: 7, permissions, isAdministrator: false, selfRegistered })
  expect({ readerId, loose }).toEqual(sees)
  expect(Object.keys(ofThings).length > 0).toBe(permissions === nothing)
})

test('what a person sees of things goes along under the name of their kind', () => {
  const reader = { id: 7, isAdministrator: false, selfRegistered: true }
  const kindsOf = (person: Parameters<typeof filesSeenBy>[0]) =>
    ['task', 'approval', 'article', 'project'].map((type) => seenOfKind(filesSeenBy(person), type))
  expect(kindsOf({ ...reader, permissions: new Set(['project:list']) })).toEqual([
    { memberId: 7 },
    { viewerId: 7 },
    { seenStatus: 'published' },
    undefined,
  ])
  expect(kindsOf({ ...reader, permissions: nothing })[0]).toBeUndefined()
  const administrator = { ...reader, isAdministrator: true, permissions: new Set(['project:list'] as const) }
  expect(kindsOf(administrator)).toEqual([{}, {}, { seenStatus: 'published' }, undefined])
})
