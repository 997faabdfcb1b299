import { domain, fileStore, searchables, usable, usages } from '#atrium'
import { fileHolders, things } from './files.actions.ts'
import { fileEvents } from './files.events.ts'
import { fileRoutes } from './files.routes.ts'
import { filesSeenBy, isStoredName } from './files.rules.ts'
import { bytesUsed, listSearchedFiles } from './files.store.ts'
import { openStorage, proveStorage } from './storage/open-storage.ts'
import { comparisonOfFiles, temporaryFiles } from './upkeep/sweep.ts'

const words = {
  permissions: {
    'file:upload': ['tenant-admin', 'user'],
    'file:manage': ['tenant-admin'],
  },
  events: fileEvents,
  sentences: {
    'File not found': '文件不存在',
    'The upload is not one complete file in the part "file"': '请在名为 file 的表单字段中上传一个完整的文件',
    'Files of this kind are not accepted': '不支持该类型的文件',
    'The file is too large': '文件过大',
    'The files of this tenant take all the room that they may': '该租户的文件存储空间已用完',
    'no more than {limit} bytes together, and {used} are taken': '总共不超过 {limit} 字节，已使用 {used} 字节',
    'Only who uploaded a file, or who manages files, may delete it': '仅上传者或文件管理员可以删除该文件',
    'The file is not the one that was asked for': '文件与请求所指定的版本不一致',
    'Only the person who uploaded a file, or a manager of files, may publish it': '仅上传者或文件管理员可以公开该文件',
    'Only the person who uploaded a file may attach it': '仅上传者可以关联该文件',
    'Only the person who uploaded a file, or a manager of files, may detach it':
      '仅上传者或文件管理员可以取消该文件的关联',
    'must be a kind of thing that files belong to': '必须是可以关联文件的对象类型',
    'must be given together with the other one, or not at all': '两个字段必须同时提供或同时为空',
    'it belongs to {resourceType} {resourceId}': '该文件已关联到 {resourceType} {resourceId}',
    'the file would become public': '该文件将变为公开',
    'must be an image': '必须是图片',
    'The file is in use': '文件正在使用中',
    'The file has no such range': '请求的范围超出文件大小',
    'the file needs a name': '缺少文件名',
    'the name has more than {maximum} characters': '文件名超过 {maximum} 个字符',
    'the name contains characters that are not allowed': '文件名包含不允许的字符',
    'the extension is not one of the accepted': '不支持该扩展名',
    'the content is not what the extension says': '文件内容与扩展名不符',
    'the body is not a form': '请求体不是表单',
    'there must be one file': '只能上传一个文件',
    'there is no file': '未找到文件',
    'the file is empty': '文件为空',
    'the body ends too early': '请求体不完整',
    'the form is broken or incomplete': '表单已损坏或不完整',
  },
} as const

declare module '#atrium' {
  interface Domains {
    files: typeof words
  }
}

export const files = domain({
  name: 'files',
  provides: [
    fileHolders.by(things),
    fileStore.by({ open: openStorage, prove: proveStorage, isStoredName }),
    searchables.by({ type: 'file', seenBy: filesSeenBy, list: listSearchedFiles }),
    usages.by(bytesUsed),
    usable.by({ files: { filename: (name) => isStoredName(String(name)) } }),
  ],
  commands: () => import('./upkeep/commands.ts'),
  checks: () => import('./upkeep/checks.ts'),
  ...words,
  tags: {
    files: { description: 'Files: uploaded as a form, downloaded unchanged.', paths: ['/files'] },
  },
  jobs: (config) => [temporaryFiles, comparisonOfFiles(config)],
  routes: fileRoutes,
})
