import { keptText, keyOf, longText, lookOf, sentence, skeletonKeyOf, skeletonOf } from '#atrium'

/**
 * Control, bidirectional, invisible and non-characters: with them two names can look the same, or a name look
 * like another text. The two variation selectors of emoji are allowed.
 */
const UNFIT =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0\ufffd]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0d]|[\u{e0100}-\u{e01ef}]/u

/** Viramas of Indic and neighbouring scripts: a joiner after one changes the rendering. */
const VIRAMA =
  '[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0f84\u1039\u103a\u1714\u17d2\u1a60\u1b44\u1bab\ua806\ua8c4\ua953\ua9c0\uaaf6\uabed]'
const JOINING = '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mandaic}\\p{Script=Nko}\\p{Script=Mongolian}]'
const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?'
/**
 * Allowed joiners: both kinds after a virama, the non-joiner between letters that would join, and the joiner between
 * emoji, as in families.
 * @see RFC 5892, appendix A.1 and A.2; UTS 51
 */
const JOINERS = new RegExp(
  `(?<=${VIRAMA})[\\u200c\\u200d]|(?<=${JOINING}\\p{M}*)\\u200c(?=${JOINING})|(?<=${EMOJI})\\u200d(?=\\p{Extended_Pictographic})`,
  'gu',
)

const isFit = (name: string | null | undefined) =>
  !name || (!UNFIT.test(name.replace(JOINERS, '')) && skeletonOf(name) !== '')
const unfit = sentence('must have no invisible characters')

export const Username = longText(64).refine(isFit, unfit)
export const Nickname = keptText(64).refine(isFit, unfit)

/** The stored appearance of names, so that no two are alike. */
export function appearanceOf(username: string, nickname: string | null | undefined) {
  return {
    look: keyOf(lookOf(username)),
    skeleton: skeletonKeyOf(username),
    nicknameSkeleton: nicknameSkeletonOf(nickname),
  }
}

export function nicknameSkeletonOf(nickname: string | null | undefined): string | null {
  return nickname ? skeletonKeyOf(nickname) : null
}

/** A typed user name: as it is, normalized, and its appearance. */
export function typed(username: string) {
  return { username, composed: username.normalize('NFC'), skeleton: skeletonKeyOf(username) }
}

/** Whether two user names are equal apart from case. */
export function isSameName(one: string, other: string): boolean {
  return foldName(one) === foldName(other)
}

/** A user name in lower case. */
export function foldName(username: string): string {
  return username.normalize('NFKC').toLowerCase().normalize('NFC')
}
