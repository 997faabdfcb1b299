/**
 * Words that a native reader stumbles over, with what to write instead. A pattern matches only the slip, so every match is a
 * mistake. A new slip is one line here.
 */
const SLIPS: readonly (readonly [slip: RegExp, better: string])[] = [
  [/\bwho(so|s)?ever\b/i, 'anyone who, the person who'],
  [/(?<=^|\. |\n *(?:- |# |\/\/ |\* )?)Who (?!is it)[^?.|]{3,120}\./, 'anyone who, or "if you …"'],
  [/\bat once\b/i, 'immediately, or "at the same time"'],
  [
    /\bbehind (it|them|that|W\d|(the|a|its|their) (\w+ )?(commit|decision|start|insert|lock|request|flight))\b/i,
    'after',
  ],
  [/\b(is|are|was|were|be|been) told\b/i, 'gets a notification, is reported'],
  [/\btold (by|to|of|in|for)\b/i, 'reported by, sent to'],
  [/\btells? (version|commit|how|whether|what|who|of)\b/i, 'reports, says, shows'],
  [/\bwhere (there is (none|one|no)|none is|nothing is|it is not|that (is|one))\b/i, 'if'],
  [/\bof another (day|version|service|time)\b/i, 'from another'],
  [/\bin the place of\b/i, 'instead of'],
  [/\bnot to be had\b/i, 'not available'],
  [/\b(is|are) nothing else\b/i, 'only, "and has no other rights"'],
  [/\bmen(d|ds|ded)\b/i, 'fix'],
  [/\bin the midst of\b/i, 'during'],
  [/\bno definite end\b/i, 'an unknown outcome'],
  [/\bhalf-way\b/i, 'halfway, or "is interrupted"'],
  [/\bfor ever\b/i, 'forever'],
  [/\b(can|do|does) no more than\b/i, 'only'],
  [/\banew\b/i, 'again'],
  [/\bthe release of before\b/i, 'the previous release'],
  [/\bcannot be had\b/i, 'is not available'],
]

/**
 * The slips in a text, each as a sentence with its place. Code between backticks is not prose.
 * @param path names the text; of TypeScript and JavaScript only the comments are read
 */
export function slipsIn(path: string, text: string): string[] {
  const prose = /\.[jt]s$/.test(path) ? commentsIn(text) : withoutCode(text)
  return SLIPS.flatMap(([slip, better]) =>
    [...prose.matchAll(new RegExp(slip, `${slip.flags}g`))].map(({ index, 0: found }) => {
      const line = prose.slice(0, index).split('\n').length
      return `${path}:${line} says "${found.replace(/\s+/g, ' ')}": write ${better}`
    }),
  )
}

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?```|`[^`\n]*`/g, blank)
}

/** The comments of a source, at their places. */
function commentsIn(code: string): string {
  const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g
  let prose = ''
  let end = 0
  for (const { index, 0: comment } of code.matchAll(comments)) {
    prose += blank(code.slice(end, index)) + withoutCode(comment)
    end = index + comment.length
  }
  return prose + blank(code.slice(end))
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, '·')
}
