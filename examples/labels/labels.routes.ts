import { arrayQuery, containing, type DomainRoutes, IdParams, pageRequestOf, z } from 'atrium'
import { projectFaults, projectsSeenBy } from 'atrium/projects'
import { getTask, TaskView } from 'atrium/tasks'
import { attachLabel, createLabel, deleteLabel, detachLabel, updateLabel } from './labels.actions.ts'
import { labelFaults } from './labels.rules.ts'
import { LabelActivityView, LabelDraft, LabelPatch, LabelQuery, LabelView, TaskLabelParams } from './labels.schemas.ts'
import { getLabel, listLabelActivities, listLabels, listLabelsOfTask, listTasksByLabel } from './labels.store.ts'

export const labelRoutes: DomainRoutes = async (app) => {
  app.get(
    '/labels',
    {
      config: { access: 'label:view' },
      schema: {
        operationId: 'listLabels',
        summary: 'List the labels',
        description: 'Newest first.',
        querystring: LabelQuery,
        response: { 200: z.array(LabelView) },
      },
    },
    async (req, reply) => {
      const { keyword } = req.query
      return reply.list(
        await listLabels(req.scope, keyword ? { pattern: containing(keyword) } : {}, pageRequestOf(req.query)),
      )
    },
  )

  app.post(
    '/labels',
    {
      config: { access: 'label:manage', idempotent: true },
      schema: {
        operationId: 'createLabel',
        summary: 'Create a label',
        description: 'Names are unique regardless of case.',
        body: LabelDraft,
        response: { 201: LabelView },
        sends: ['Location'],
        refuses: [labelFaults.nameTaken],
      },
    },
    async (req, reply) => {
      const label = await req.transact((tx) => createLabel(tx, req.body))
      return reply.created(`/labels/${label.id}`, reply.versioned(label))
    },
  )

  app.get(
    '/labels/:id',
    {
      config: { access: 'label:view' },
      schema: {
        operationId: 'getLabel',
        summary: 'Read a label',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: LabelView },
      },
    },
    async (req, reply) => reply.versioned(await getLabel(req.scope, { id: req.params.id })),
  )

  app.put(
    '/labels/:id',
    {
      config: { access: 'label:manage', versionIn: 'body' },
      schema: {
        operationId: 'updateLabel',
        summary: 'Update a label',
        description: 'Omitted fields stay.',
        params: IdParams,
        body: LabelPatch,
        response: { 200: LabelView },
        refuses: [labelFaults.nameTaken, labelFaults.changed],
      },
    },
    async (req, reply) => {
      const patch = { ...req.body, ifMatch: req.ifMatch }
      return reply.versioned(await req.transact((tx) => updateLabel(tx, req.params.id, patch)))
    },
  )

  app.delete(
    '/labels/:id',
    {
      config: { access: 'label:manage' },
      schema: {
        operationId: 'deleteLabel',
        summary: 'Delete a label',
        description: 'The tasks that had it stay.',
        params: IdParams,
        response: { 200: z.null() },
      },
    },
    async (req) => {
      await req.transact((tx) => deleteLabel(tx, req.params.id))
      return null
    },
  )

  app.get(
    '/labels/:id/activities',
    {
      config: { access: 'label:manage' },
      schema: {
        operationId: 'listLabelActivities',
        summary: 'Read the history of a label',
        description: 'Newest first.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(LabelActivityView) },
      },
    },
    async (req, reply) => {
      const labelId = req.params.id
      const [, activities] = await Promise.all([
        getLabel(req.scope, { id: labelId }),
        listLabelActivities(req.scope, { labelId }, pageRequestOf(req.query)),
      ])
      return reply.list(activities)
    },
  )

  app.get(
    '/labels/:id/tasks',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listTasksByLabel',
        summary: 'List the tasks with a label',
        description: 'Newest first, from all projects that the caller may see.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(TaskView) },
      },
    },
    async (req, reply) => {
      const labelId = req.params.id
      const [, tasks] = await Promise.all([
        getLabel(req.scope, { id: labelId }),
        listTasksByLabel(req.scope, { labelId, ...projectsSeenBy(req.user) }, pageRequestOf(req.query)),
      ])
      return reply.list(tasks)
    },
  )

  app.get(
    '/tasks/:id/labels',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listTaskLabels',
        summary: 'List the labels of a task',
        description: 'Newest label first.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(LabelView) },
      },
    },
    async (req, reply) => {
      const taskId = req.params.id
      const [, labels] = await Promise.all([
        getTask(req.scope, { id: taskId, ...projectsSeenBy(req.user) }),
        listLabelsOfTask(req.scope, { taskId }, pageRequestOf(req.query)),
      ])
      return reply.list(labels)
    },
  )

  app.put(
    '/tasks/:id/labels/:labelId',
    {
      config: { access: 'task:update' },
      schema: {
        operationId: 'attachLabel',
        summary: 'Give a task a label',
        description: 'The assignee and the reporter are notified. Repeating it changes nothing.',
        params: TaskLabelParams,
        response: { 200: LabelView },
        refuses: [projectFaults.readOnly, projectFaults.archived],
      },
    },
    (req) => req.transact((tx) => attachLabel(tx, req.params.id, req.params.labelId)),
  )

  app.delete(
    '/tasks/:id/labels/:labelId',
    {
      config: { access: 'task:update' },
      schema: {
        operationId: 'detachLabel',
        summary: 'Remove a label from a task',
        description: 'Removing a label that the task does not have changes nothing.',
        params: TaskLabelParams,
        response: { 200: z.null() },
        refuses: [projectFaults.readOnly, projectFaults.archived],
      },
    },
    async (req) => {
      await req.transact((tx) => detachLabel(tx, req.params.id, req.params.labelId))
      return null
    },
  )
}
