import { event, view, z } from '#atrium'
import { FileView } from './files.schemas.ts'

const Place = z.object({ filename: view.text, resourceType: view.text, resourceId: view.id })
const place = { filename: '5f2a.pdf', resourceType: 'task', resourceId: 117 }

export const fileEvents = {
  'file.uploaded': event(
    'A file was uploaded.',
    FileView.pick({ originalName: true, contentType: true, size: true, sha256: true }).extend({ filename: view.text }),
    {
      filename: '5f2a.pdf',
      originalName: 'plan.pdf',
      contentType: 'application/pdf',
      size: 48_213,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  ),
  'file.attached': event('A file was attached to a task, a request or an article.', Place, place),
  'file.detached': event('A file no longer belongs to the thing that it was attached to.', Place, place),
  'file.deleted': event('A file was deleted.', z.object({ filename: view.text }), { filename: '5f2a.pdf' }),
} as const
