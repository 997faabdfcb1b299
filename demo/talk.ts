import type { Kind } from './plan.ts'

/**
 * What people say. `{to}` is the first name of whom they talk to, `{day}` a working day soon, `{me}` the assignee.
 * Sets of words belong to a moment in the life of a task; some depend on the kind of work.
 */
export const starting = lines(`
  Starting on this today.
  Mine now. I should have something to look at by {day}.
  Picking this up, the other one is waiting for answers anyway.
  I have an hour before lunch, let me see how far I get.
  On it. {to}, I may come by with questions.
  Taking this. Shout if somebody has already begun.
`)

/** A question and what comes back; the third line, where there is one, is by the first speaker again. */
export const exchanges = lines(`
  {to}, does this have to be ready before {day}? / {day} would be good, but no one will die. / Then it will be {day}.
  Is there an older version of this somewhere? / In the shared folder, under “archive”. Do not trust the dates.
  Who decides this in the end? / You do. Tell me if you want to talk it through. / Brave. I will write down what I decide and why.
  I read the description three times. Do we mean all of them or only the new ones? / Only the new ones. I will make it clearer.
  {to}, you did something like this last year, didn't you? / Yes, and I would do it differently today. Ten minutes after stand-up? / Perfect.
  Could we leave out the second part for now? / Yes. Nobody has asked for it in six months.
  How sure are we about the numbers? / Sure about the order of magnitude, not about the last digit.
  Is anybody else waiting for this? / Two people, and one of them is very polite about it.
  What happens if we simply do not do this? / I asked myself the same. Then we answer the same question every week.
  {to}, can you have a look before I go on? / Looked. I would turn the first two steps around, the rest is good. / Makes sense, done.
  Do we have a budget for this? / Up to 2 000 without asking, above that ask Monday's round.
  I found a second problem on the way. Same task or a new one? / A new one, please, otherwise this never ends. / Fair.
`)

const desk = {
  progress: lines(`
    First version is up for review. It is larger than I wanted, sorry; the first commit is only renaming.
    Half of it works. The other half works on my machine.
    The tests found something I would not have found. Back in a day.
    Reproduced. It needs an account with more than one bike, that is why nobody saw it.
    Deployed to staging, please try to break it.
    Turned out to be three lines. Finding them took two days.
    I have measured before and after: 840 ms → 130 ms.
    Review comments are in, thanks {to}. Nothing big.
    I have split it in two, the second part can wait for the next release.
    Looked at it with {to} for half an hour, we now know what it is not.
    Works with the old data as well, checked with a copy from last night.
    The build is red, but not because of this. Looking anyway.
  `),
  blocked: lines(`
    Waiting for access to the test account. / Access is there, continuing.
    Staging is down, I cannot check anything. / Staging is back, and so am I.
    Needs the change from the other branch first. / The other branch is merged. Go.
    The partner's interface answers with 500 since this morning. I have written to them. / They answered: expired certificate on their side. Works again.
    I need a decision on what we do with existing data. / Decision from {day}'s call: migrate quietly, no banner.
  `),
  done: lines(`
    Live since this morning, errors are flat.
    Merged and released.
    Done. I have added a test so that it does not come back.
    Finished, and the documentation says so too.
    Out for everybody. I will look at the numbers again on {day}.
    Done with less code than before.
    Released to ten percent yesterday, to everybody today.
    Closed. The last mile was the release notes.
    Works, tested on the oldest device that we could find.
    In the nightly since Tuesday, nobody has noticed. That is the best review.
  `),
}
const bench = {
  progress: lines(`
    First measurements are in the folder. One of them looks too good.
    Repeated it on a second day: same result within two percent.
    The sample broke at 71 000. Photos attached, it starts at the weld.
    Calculated it by hand on one page, and the simulation agrees. That has not happened before.
    Bench is running overnight, numbers tomorrow.
    I had to rebuild the fixture. The old one measured itself.
    Plot is on the wall next to the printer.
    Supplier sent the right part in the wrong colour. Good enough for the test.
    Third try, and the curve looks like the one in the book.
    I have marked the doubtful values. There are fewer than I feared.
    {to} saw it at once: I had the sign wrong. Doing it again.
    Room was two degrees warmer yesterday, so I am repeating the first half.
  `),
  blocked: lines(`
    The samples are stuck in customs. / Samples are here. One is bent, four are fine.
    The test bench is taken until {day}. / Bench is free, continuing.
    Calibration of the gauge has expired. / Gauge is back with a new sticker.
    Supplier answers every question but the one I asked. / Got a drawing at last. Going on.
    Need a second pair of hands for the set-up. / {to} helped, it took twenty minutes.
  `),
  done: lines(`
    Done; the report has four pages and one conclusion.
    Passed, with some margin.
    Finished. The old samples are in the box under the bench, labelled.
    Good result, boring plot. Done.
    Released. {to} has the latest drawing.
    Closed. It was the connector. It is always the connector.
    All values within limits, raw data is in the archive.
    Done. One surprise, described on the last page.
    Result is negative, which is a result.
    Finished; I would bet my lunch on it.
  `),
}
const floor = {
  progress: lines(`
    Walked through it with the early shift. They had two better ideas.
    One quote is here, the second one is coming on {day}.
    Measured again: it fits, with 3 cm to spare.
    Half is set up. The rest when the lorry has been.
    I have put the photos into the folder, in order this time.
    The driver waited 40 minutes for us. We need to be at the gate at seven.
    Tried it on Friday afternoon, when everything goes wrong. It went right.
    Talked to the landlord. He agrees, as long as he does not have to write it down.
    We are a day ahead, so we help the others.
    {to}, the plan says left, the wall says right. I went with the wall.
    Two of five are done, the heavy ones first.
    It rained into the boxes. Nothing that cannot be dried.
  `),
  blocked: lines(`
    No lorry before {day}. / We have a lorry, going on.
    Waiting for the permit. / Permit is here, with a stamp and everything.
    The electrician has cancelled. / The electrician came, the next one can start.
    Two people are ill, I would rather not do this with half the team. / Everybody is back on their feet.
    Delivery is incomplete, the brackets are missing. / Brackets arrived, in three parcels.
  `),
  done: lines(`
    Done, and cleaned up behind us.
    Ran a whole week without us. Closing.
    Finished an hour early. Nobody believes it, there is a photo.
    It works. The checklist hangs at the door.
    Done. Cheaper than the quote by about a tenth.
    Signed off on site with {to}.
    Finished. The spare key hangs next to the door.
    All done, invoice is with finance.
    Closed. Next time we order the big lorry at once.
    Ready since noon; two days of use and no complaint.
  `),
}
const paper = {
  progress: lines(`
    First draft is in the folder. Be honest, be quick.
    Talked to four people and got five opinions. Summary at the top.
    Cut it down to one page. What I took out is in the appendix.
    Legal is fine with it except for the second sentence.
    I have rewritten the beginning, the end can stay.
    Sent round, answers until {day}.
    Numbers are checked. Two were from last year.
    {to}, your comment made it better. I had to start again, but better.
    The long version is done. Now for the short one that people read.
    Version three is the first that I would show to my mother.
    Collected all the examples we have. Twelve, of which four are good.
    One paragraph is missing, I want to sleep on it.
  `),
  blocked: lines(`
    Legal needs until {day}. / Legal has answered: yes, with a footnote.
    Waiting for the figures from finance. / Figures are here. They are smaller than we hoped.
    Nobody can say who owns this. / We have found an owner. She did not run fast enough.
    The translation is late. / Translation has arrived and it is good.
    Three people have to agree and one is on holiday. / Back from holiday, agreed within five minutes.
  `),
  done: lines(`
    Approved. Old version is archived.
    Sent, and nobody has complained so far.
    Done and in the handbook.
    Signed this morning.
    Finished. The next one will take half the time.
    Published. First reaction after six minutes, and it was kind.
    Decided, written down, sent to everybody who was in the room.
    Done. Shorter than planned, nobody has missed anything.
    Agreed with {to}, closing.
    Final version is in the drive, the drafts are deleted.
  `),
}

export const moments: Record<Kind, typeof desk> = {
  software: desk,
  engineering: desk,
  hardware: bench,
  research: bench,
  operations: floor,
  process: paper,
  marketing: paper,
  people: paper,
}

export const handingOver = lines(`
  {to}, could you take this over? I am away from {day}.
  {to}, you are much closer to this than I am. May I?
  I have too much on my table. {to}, would you?
  Passing this on to {to}, as agreed this morning.
`)
export const raising = lines(`
  Moving this up, two customers asked on the same day.
  This is blocking three others, so it goes first.
  More urgent than we thought, see this morning's mail.
`)
export const lowering = lines(`
  This can wait, nobody will notice before next month.
  Lower priority: the workaround holds.
`)
export const postponing = lines(`
  Will not make the date. New one is set, with a little air.
  {to}, I need a few days more; the first try was the wrong way.
  Moved the date, the delivery is late.
`)
export const dropping = lines(`
  We agreed not to do this. If it comes back we know where to find it.
  Covered by another task, closing.
  Not worth it any more after {day}'s decision.
  Nobody remembers who asked for this. Closing; tell me if it was you.
`)
export const leftBehind = lines(`
  The project is being archived; this stays undone, on purpose.
  Not needed for the hand-over. Closing with the project.
`)
export const thanks = lines(`
  Thank you, {to}!
  Saw it this morning. Very nice.
  Great, I have told the team.
  That was quick. Thanks.
  Finally! I owe you a coffee, {to}.
  Looks good from here too.
`)

function lines(text: string): string[] {
  return text.trim().split(/\s*\n\s*/)
}
