import { arrayQuery, type Expected, IdInPath, Keyword, ReadVersion, sentence, text, view, z } from 'atrium'

const Colour = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, sentence('must be a colour of six hexadecimal digits'))

export const LabelDraft = z.object({ name: text(64), colour: Colour }).meta({ id: 'LabelDraft' })
export type LabelDraft = z.output<typeof LabelDraft>

export const LabelPatch = LabelDraft.partial().extend({ version: ReadVersion }).meta({ id: 'LabelPatch' })
export type LabelPatch = z.output<typeof LabelPatch> & Expected

export const LabelQuery = arrayQuery({ keyword: Keyword })
export const TaskLabelParams = z.object({ id: IdInPath, labelId: IdInPath })

export const LabelView = z
  .object({
    id: view.id,
    name: view.text,
    colour: view.text,
    version: view.version,
    createdAt: view.instant,
    updatedAt: view.instant,
  })
  .meta({ id: 'Label', examples: [{ id: 12, name: 'Urgent', colour: '#d1242f' }] })
export type LabelView = z.output<typeof LabelView>

export const LabelAction = z.enum(['LABEL_CREATED', 'LABEL_UPDATED', 'LABEL_DELETED']).meta({ id: 'LabelAction' })
export type LabelAction = z.infer<typeof LabelAction>

export const LabelActivityView = z
  .object({
    id: view.id,
    actorId: view.id,
    action: LabelAction,
    oldValue: view.maybeText,
    newValue: view.maybeText,
    createdAt: view.instant,
  })
  .meta({ id: 'LabelActivity', examples: [{ id: 811, action: 'LABEL_UPDATED', oldValue: 'Soon', newValue: 'Urgent' }] })
