export interface LocalSettings {
  storage: 'local'
  /** absolute */
  root: string
}
export interface S3Settings {
  storage: 's3'
  bucket: string
  region: string
  /** undefined: the endpoint of AWS */
  endpoint: string | undefined
  /** undefined: those that the AWS client finds in its environment */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  forcePathStyle: boolean
  /** absolute; uploads wait here until they are complete */
  spool: string
}
/** Where files are kept, and how large one may be, in bytes. */
export type FileSettings = { maxSize: number } & (LocalSettings | S3Settings)
