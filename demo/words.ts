import type { Kind } from './plan.ts'

/**
 * Frames turn a subject into a task: `{s}` is the noun phrase, `{S}` the same at the beginning of a sentence. They stand
 * in the order in which the work is done. What follows the bar is the description.
 */
export interface Frame {
  title: string
  description: string | null
}

export const frames: Record<Kind, Frame[]> = {
  software: read(`
    Agree on the scope of {s} | We mean different things when we say {s}. One page is enough: what belongs to it, what does not, and how we will notice that it works.
    Look at how others solve {s} | Three products we like, three we do not. Screenshots and one sentence each.
    Prototype {s} | Something to click through with five people. No tests, no error handling; it will be thrown away.
    Add the endpoints for {s} | One call to read, one to change. Paging from the first day, we regretted it last time.
    Build {s} | Follows the prototype. Done when there are tests, when it works with an empty account and a very full one, and when we can switch it off without a deployment.
    Connect {s} to the event log
    Translate {s} | Dutch, German, French. Leave a third more room for German.
    Write end-to-end tests for {s} | The happy path, the two most likely mistakes, and signing out in the middle.
    Accessibility review of {s} | Keyboard only, screen reader, 200 % zoom, bright sun.
    {S}: slow on a weak connection | Reproduced with the network throttled to 3G. We ask four times for the same thing.
    {S}: error message helps nobody | It says "something went wrong". Say what to do next, and keep what has been typed.
    {S}: wrong result right after midnight | Somebody compares local time with UTC. Same bug as in spring, different place.
    Measure how {s} gets used
    Show {s} to the support team | Half an hour, with the questions they expect to get.
    Roll out {s} to everyone | 5 %, one day, 50 %, one day, all. Watch the errors, not the calendar.
  `),
  engineering: read(`
    Write down how {s} should behave | Normal case, failure, recovery. If we cannot explain it in a page we should not build it.
    Spike: two ways to do {s} | Two days at most. The result is a decision, the code is not kept.
    Implement {s} | Small commits, behind a switch, reviewed by somebody who did not write the spike.
    Unit tests for {s} | The edge cases first; we know that the middle works.
    Load test for {s} | Ten times the present peak for an hour, then find out what gives in first.
    Metrics and one alert for {s} | One alert that means "get up", the rest on a dashboard.
    Failure modes of {s} | What happens when the power goes, when the disk is full, when the clock jumps?
    {S}: sporadic failure at night | Three times in two weeks, always between two and four. Logs attached to the ticket of the first one.
    {S}: far too much logging
    Simplify {s} | Four people have added to this and nobody has taken anything away.
    Runbook for {s} | For somebody who is woken up and has never seen it.
    Remove the old version of {s} | Nothing has called it for 30 days.
  `),
  hardware: read(`
    Requirements for {s} | Loads, temperatures, price, who touches it and with which gloves.
    Sketch three variants of {s}
    Draw {s} | Model and drawing, tolerances only where they matter.
    Simulate {s} under full load | Static, fatigue, and the case where somebody uses it as a step.
    Ask three suppliers for {s} | Same drawing, same quantity, answer within ten days. One of them should be close enough to visit.
    Order samples of {s}
    Measure the first samples of {s} | All of them, not the best three. Report with photos.
    Fatigue test for {s} | 100 000 cycles, stop at every 20 000 and look.
    {S}: tolerance too tight to make | Supplier says it can be done, at double the price. What do we really need?
    {S}: corrosion after salt spray | Visible after 96 hours, at the edges first.
    Update drawing and parts list for {s}
    Incoming inspection for {s} | What do we check on each, what on one in fifty, and with which gauge?
    Release {s} for series
  `),
  operations: read(`
    Plan {s} | Dates, people, money, and what we do when the first date is missed.
    Find out who did {s} last time
    Two quotes for {s}
    Sign off the budget for {s}
    Order what we need for {s} | Check the delivery times before the prices.
    Risk assessment for {s} | What can hurt somebody, what can cost a week, what is merely annoying?
    Checklist for {s} | One page, laminated, with boxes big enough for a thick pen.
    Set up {s}
    Trial run of {s} | With the people who will do it every day, and without us standing next to them.
    {S}: what went wrong on Thursday | No names, only causes. Three at most, with a date each.
    Train the team on {s} | Twenty minutes on site is better than two hours of slides.
    Document {s} with photos
    Look at {s} again after two weeks
  `),
  process: read(`
    Map how {s} works today | As it is, not as the old document says. Ask the ones who do it.
    Name an owner for {s} | A person, not a department.
    Draft the rule for {s} | One page. If it needs an exception on the first day it is the wrong rule.
    Legal look at {s}
    Close the gaps in {s} | From the mapping: what is missing, what nobody does, what two people do.
    Collect evidence for {s} | Dated, findable, and not a screenshot of a screenshot.
    Try {s} with ten real cases
    Automate the boring half of {s}
    {S}: exception for the works council
    Short training on {s} | Fifteen minutes in the monthly meeting, with one example that happened.
    Internal audit of {s} | By somebody from another team.
    Final approval of {s}
  `),
  marketing: read(`
    Brief for {s} | Who is it for, what should they do, what may it cost, what must it not say?
    Budget for {s}
    First draft of {s} | Rough and early. Better three bad ideas than one polished one.
    Second round on {s} | Comments are in the file; the ones in red are not optional.
    Photos for {s}
    Check facts and figures in {s} | Every number needs a source, "up to" is not a source.
    Legal look at {s}
    Translate {s} | By people who live there. Jokes may be replaced.
    Proofread {s}
    Book the placements for {s}
    Publish {s}
    Numbers on {s} after the first week | What worked, what did not, what do we stop?
  `),
  people: read(`
    What do we want from {s}? | In three sentences, agreed by everyone who has to live with it.
    Ask the team about {s} | Short, anonymous, and we publish the answers.
    Draft of {s}
    Collect examples for {s}
    Try {s} with two people | Watch, do not help, ask afterwards.
    Feedback round on {s} | Until the end of the week; silence is agreement.
    Prepare the material for {s}
    Dates for {s}
    Cost of {s} for a year
    Decide on {s} | With everybody at the table who would otherwise reopen it next month.
    What we learned from {s}
    Make {s} part of the routine
  `),
  research: read(`
    Read up on {s} | Five papers, half a page of notes, and what none of them says.
    Hypotheses for {s} | Written down before we look at the numbers.
    Collect data for {s} | At least two seasons and three stations, raw, with the log book.
    Baseline for {s} | The dumbest thing that could work. Everything later has to beat it.
    First analysis of {s}
    Reproduce {s} from raw data | On another machine, by another person, without asking.
    {S}: result depends on one station | Leave one out and the effect halves. Is it the place or the probe?
    Error bars for {s}
    Plot {s} for the Friday meeting
    Second opinion on {s} | Somebody who hopes that we are wrong.
    Write the section on {s}
    Archive data and code for {s}
  `),
}

function read(text: string): Frame[] {
  return text
    .trim()
    .split(/\s*\n\s*/)
    .map(frameOf)
}

/** A title and what stands behind the bar. */
export function frameOf(line: string): Frame {
  const [title, description = null] = line.split(' | ')
  return { title: title!, description }
}

/** Puts the subject into a frame's text. */
export function about(subject: string, text: string): string {
  const bare = subject.replace(/^the /, '')
  return text.replaceAll('{s}', subject).replaceAll('{S}', bare.charAt(0).toUpperCase() + bare.slice(1))
}

/** What a title gains when it turns out that the task is really a smaller one. */
export const narrowings = [
  ' (first half)',
  ' (the simple cases)',
  ', part one',
  ', second attempt',
  ' – smallest version',
]
