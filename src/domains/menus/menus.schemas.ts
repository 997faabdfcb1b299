import { inOneLine, keptText, optionalText, patchOf, text, view, z } from '#atrium'

const type = z.enum(['directory', 'menu', 'button']).meta({ id: 'MenuType' })

export const MenuDraft = z
  .object({
    parentId: z
      .number()
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .nullish()
      .describe('0 is the root')
      .meta({ of: 'menus' }),
    name: text(64),
    path: inOneLine(keptText(255)),
    component: inOneLine(keptText(255)),
    icon: inOneLine(keptText(64)),
    sort: z.number().int().min(-1_000_000).max(1_000_000).default(0),
    visible: z.boolean().default(true),
    permission: inOneLine(optionalText(128)),
    type: type.default('menu'),
  })
  .meta({ id: 'MenuDraft' })
export type MenuDraft = z.output<typeof MenuDraft>

export const MenuPatch = patchOf(MenuDraft).meta({ id: 'MenuPatch' })
export type MenuPatch = z.output<typeof MenuPatch>

const MenuFields = z.object({
  id: view.id,
  parentId: view.id.describe('0 is the root'),
  name: view.text,
  path: view.maybeText,
  component: view.maybeText,
  icon: view.maybeText,
  sort: z.number().int(),
  visible: z.boolean(),
  permission: view.maybeText,
  type,
})
export type MenuRow = z.output<typeof MenuFields>
export interface MenuView extends MenuRow {
  children: MenuView[]
}

export const MenuView = MenuFields.extend({
  get children(): z.ZodArray<z.ZodType<MenuView>> {
    return z.array(MenuView)
  },
}).meta({
  id: 'Menu',
  examples: [
    {
      id: 21,
      parentId: 0,
      name: 'Projects',
      path: '/projects',
      component: 'projects/index',
      icon: 'folder',
      sort: 10,
      permission: 'project:list',
      type: 'menu',
    },
  ],
})
