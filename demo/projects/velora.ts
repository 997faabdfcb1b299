export { bikes } from './velora-bikes.ts'
export { factory } from './velora-factory.ts'
export { office } from './velora-office.ts'
export { software } from './velora-software.ts'
