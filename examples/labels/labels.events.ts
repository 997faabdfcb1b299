import { changesOf, event, view, z } from 'atrium'
import { LabelView } from './labels.schemas.ts'

export const LABEL_FIELDS = ['name', 'colour'] as const

const Labelling = z.object({ projectId: view.id, labelId: view.id, name: view.text })

export const labelEvents = {
  'label.created': event('A label was created.', LabelView.pick({ name: true, colour: true }), {
    name: 'urgent',
    colour: '#d73a4a',
  }),
  'label.updated': event(
    'A label was renamed or got another colour.',
    z.object({ version: view.version, changes: changesOf(LABEL_FIELDS) }),
    { version: 1, changes: [{ field: 'name', from: 'urgent', to: 'now' }] },
  ),
  'label.deleted': event('A label was deleted.', LabelView.pick({ name: true }), { name: 'urgent' }),
  'task.labelled': event('A task got a label.', Labelling, { projectId: 42, labelId: 3, name: 'urgent' }),
  'task.unlabelled': event('A label was removed from a task.', Labelling, {
    projectId: 42,
    labelId: 3,
    name: 'urgent',
  }),
} as const
