import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { IdParams, z } from '#atrium'
import { menuIn, menusIn } from './menu-names.ts'
import { createMenu, deleteMenu, menuAudience, updateMenu } from './menus.actions.ts'
import { growMenus, menuFaults, menuOf, menuState, menusOf } from './menus.rules.ts'
import { MenuDraft, MenuPatch, MenuView } from './menus.schemas.ts'
import { listMenus } from './menus.store.ts'

/** The menus of the admin client, which all tenants share; each tenant's roles decide who sees which. */
export const menuRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/menus',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listMyMenus',
        summary: 'Read my menus',
        description: "The tree of the menus that the caller's roles include and permissions allow, with their parents.",
        response: { 200: z.array(MenuView) },
      },
    },
    async (req, reply) => {
      const [rows, seen] = await Promise.all([
        listMenus(req.scope, {}),
        menuAudience.get().listSeenBy(req.scope, req.user),
      ])
      return menusIn(reply.inLanguage(), growMenus(menusOf(rows, new Set(seen), req.user)))
    },
  )

  app.get(
    '/menus/tree',
    {
      config: { access: 'menu:list' },
      schema: {
        operationId: 'listMenuTree',
        summary: 'Read the tree of all menus',
        response: { 200: z.array(MenuView) },
      },
    },
    async (req, reply) => menusIn(reply.inLanguage(), growMenus(await listMenus(req.scope, {}))),
  )

  app.get(
    '/menus/:id',
    {
      config: { access: 'menu:list' },
      schema: {
        operationId: 'getMenu',
        summary: 'Read a menu',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: MenuView },
      },
    },
    async (req, reply) => {
      const { id } = req.params
      const rows = await listMenus(req.scope, {})
      const menu = menuOf(rows, id)
      return reply.fingerprinted(
        menuIn(reply.inLanguage(), { ...menu, children: growMenus(rows, id) }),
        menuState(menu),
      )
    },
  )

  app.post(
    '/menus',
    {
      config: { access: 'system:menu:create' },
      schema: {
        operationId: 'createMenu',
        summary: 'Create a menu',
        body: MenuDraft,
        response: { 201: MenuView },
        sends: ['Location'],
        refuses: [menuFaults.parentNotFound],
      },
    },
    async (req, reply) => {
      const menu = await req.transact((tx) => createMenu(tx, req.body))
      return reply.created(`/menus/${menu.id}`, reply.fingerprinted(menu, menuState(menu)))
    },
  )

  app.put(
    '/menus/:id',
    {
      config: { access: 'system:menu:update', versionIn: 'nowhere' },
      schema: {
        operationId: 'updateMenu',
        summary: 'Update a menu',
        description: 'A new `parentId` moves the menu with everything below it.',
        params: IdParams,
        body: MenuPatch,
        response: { 200: MenuView },
        refuses: [menuFaults.cycle],
      },
    },
    async (req, reply) => {
      const menu = await req.transact((tx) => updateMenu(tx, req.params.id, req.body, req))
      return reply.fingerprinted(menuIn(reply.inLanguage(), menu), menuState(menu))
    },
  )

  app.delete(
    '/menus/:id',
    {
      config: { access: 'system:menu:delete', versionIn: 'nowhere' },
      schema: {
        operationId: 'deleteMenu',
        summary: 'Delete a menu',
        description: 'Only if it has no menus below it. It is removed from the roles of all tenants.',
        params: IdParams,
        response: { 200: z.null() },
        refuses: [menuFaults.notEmpty],
      },
    },
    (req) => req.transact((tx) => deleteMenu(tx, req.params.id, req)).then(() => null),
  )
}
