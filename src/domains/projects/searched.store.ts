import { list, type SearchedRange, searchedIn, sql } from '#atrium'
import { type SeesProjects, visibleProjects } from './projects.store.ts'

/** The projects that a person finds. */
export const listSearchedProjects = list((from, p: SeesProjects & SearchedRange) =>
  searchedIn(
    visibleProjects(from, p),
    'projects',
    { title: sql`projects.name`, text: sql`concat_ws(' ', projects.code, projects.description)` },
    p,
  ),
)
