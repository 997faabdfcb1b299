/**
 * What a domain needs from one above it, which it cannot import. It opens the port, the other one provides it in its
 * declaration, and neither knows anything else of the other.
 */
export interface Port<Service> {
  readonly need: string
  /** What the provider declares in `provides`. */
  by(service: Service): Provision
  /** @throws Error if no domain of the list provides it */
  get(): Service
}

/** Fills a port when its domain is introduced. */
export type Provision = () => void

/** A port that any number of domains fill. */
export interface Ports<Service> {
  readonly need: string
  /** What a provider declares in `provides`. */
  by(service: Service): Provision
  /** all that were provided; none is fine */
  all(): readonly Service[]
}

/** Opens a port for any number of providers. @param need in words: what holds a file */
export function ports<Service>(need: string): Ports<Service> {
  const provided = new Set<Service>()
  return {
    need,
    by: (service) => () => void provided.add(service),
    all: () => [...provided],
  }
}

/** Opens a port. @param need in words: who sees which menu */
export function port<Service>(need: string): Port<Service> {
  let provided: Service | undefined
  return {
    need,
    by: (service) => () => {
      provided = service
    },
    get() {
      if (provided === undefined) throw new Error(`No domain provides ${need}; declare it in \`provides\``)
      return provided
    },
  }
}
