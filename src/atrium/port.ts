/**
 * What a domain needs from one above it, which it cannot import. It opens the port, the other one provides it in its
 * declaration, and neither knows anything else of the other.
 */
export interface Port<Service> {
  /** What the provider declares in `provides`. */
  by(service: Service): Provision
  /** @throws Error if no domain provides it, as the start does before any request */
  get(): Service
}

/** Fills a port when its domain is introduced. */
export type Provision = () => void

/** A port that any number of domains fill. */
export interface Ports<Service> {
  /** What a provider declares in `provides`. */
  by(service: Service): Provision
  /** all that were provided; none is fine */
  all(): readonly Service[]
}

/** Opens a port for any number of providers. @param _need for the reader, in words: what holds a file */
export function ports<Service>(_need: string): Ports<Service> {
  const provided = new Set<Service>()
  return {
    by: (service) => () => void provided.add(service),
    all: () => [...provided],
  }
}

const opened = new Set<Port<unknown>>()

/**
 * Opens a port. @param need in words: who sees which menu
 * @param otherwise what holds where no domain provides it; without this the service does not start
 */
export function port<Service>(need: string, otherwise?: Service): Port<Service> {
  let provided = otherwise
  const made: Port<Service> = {
    by: (service) => () => {
      provided = service
    },
    get() {
      if (provided === undefined) throw new Error(unprovided(need))
      return provided
    },
  }
  opened.add(made as Port<unknown>)
  return made
}

/** @throws Error that names the first need which no domain provides */
export function provePorts(): void {
  for (const one of opened) one.get()
}

function unprovided(need: string): string {
  return `No domain provides ${need}: let one declare it in \`provides\`, or give its port a default`
}
