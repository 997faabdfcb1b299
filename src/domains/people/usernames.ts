import { createHash } from 'node:crypto'
import { keptText, lookOf, sentence, skeletonOf, text } from '#atrium'

/**
 * Controls, what turns the direction of the text around, what is drawn as nothing, and what is no character: two names
 * that differ by one of these alone look the same, or a name looks like another text. What chooses between the two faces
 * of an emoji is fit.
 */
const UNFIT =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0\ufffd]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0d]|[\u{e0100}-\u{e01ef}]/u
const isFit = (name: string | null | undefined) => !name || (!UNFIT.test(name) && skeletonOf(name) !== '')
const unfit = sentence('must have no invisible characters')

export const Username = text(64).refine(isFit, unfit)
export const Nickname = keptText(64).refine(isFit, unfit)

/** What is stored beside the names, so that no two are alike. */
export function appearanceOf(username: string, nickname: string | null | undefined) {
  return {
    look: keyOf(lookOf(username)),
    skeleton: keyOf(skeletonOf(username)),
    nicknameSkeleton: nicknameSkeletonOf(nickname),
  }
}

export function nicknameSkeletonOf(nickname: string | null | undefined): string | null {
  return nickname ? keyOf(skeletonOf(nickname)) : null
}

const LONGEST_KEY = 256

/** Some characters stand for whole words; what would be too long for an index is known by its hash. */
function keyOf(appearance: string): string {
  return appearance.length <= LONGEST_KEY ? appearance : createHash('sha256').update(appearance).digest('base64url')
}

/** A user name as somebody types it: as it is, and as it is kept. */
export function typed(username: string) {
  return { username, composed: username.normalize('NFC') }
}
