import { assertMatch, fault, notFound } from 'atrium'
import type { LabelPatch, LabelView } from './labels.schemas.ts'

export const labelFaults = {
  notFound: notFound('Label'),
  nameTaken: fault('LABEL_NAME_TAKEN', 409, 'There is a label with this name already'),
  changed: fault('VERSION_CONFLICT', 409, 'The label was changed by someone else'),
}

/** The label after a patch; omitted fields stay. @throws PRECONDITION_FAILED, VERSION_CONFLICT */
export function reviseLabel(label: LabelView, { name, colour, version, ifMatch }: LabelPatch, now: string): LabelView {
  assertMatch(label.version, ifMatch)
  if (version !== undefined && version !== label.version)
    throw labelFaults.changed([
      { path: 'version', expected: version, actual: label.version, message: 'read the label and try again' },
    ])
  return {
    ...label,
    name: name ?? label.name,
    colour: colour ?? label.colour,
    version: label.version + 1,
    updatedAt: now,
  }
}
