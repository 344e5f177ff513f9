import pg from 'pg'

/** Server that a database URL names, and how it is connected. */
export interface DatabaseServer {
  /** Name or address; the folder of the socket if there is no network between. */
  host: string
  port: number
  /** True if TLS is required and the server's certificate is verified. */
  isVerified: boolean
}

/**
 * Reads a database URL as pg does when it connects.
 * @throws the file system's error if a file that the URL names (`sslrootcert`) cannot be read
 */
export function readDatabaseUrl(connectionString: string): DatabaseServer {
  const client = new pg.Client({ connectionString })
  const { host, port } = client
  // pg also stores an object of options here, which its types do not state.
  const ssl: unknown = client.ssl
  const isVerified =
    ssl === true ||
    (typeof ssl === 'object' && ssl !== null && Reflect.get(ssl, 'rejectUnauthorized') !== false)
  return { host, port, isVerified }
}
