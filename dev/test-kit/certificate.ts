import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Self-signed certificate and its private key, as PEM. */
export interface SelfSigned {
  key: string
  certificate: string
}

/**
 * Creates a certificate for `localhost` and 127.0.0.1 that is valid for a day, or with `hasEnded` expired an hour ago. Encodes
 * X.509 v3 (RFC 5280) itself, because Node.js cannot create certificates and a test machine may lack openssl.
 */
export function selfSignedCertificate({ hasEnded = false } = {}): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const day = 24 * 60 * 60 * 1000
  const algorithm = sequence(oid('2a8648ce3d040302')) // ecdsa-with-SHA256
  // A name of its own: among several of one name, OpenSSL takes any for the one that vouches.
  const commonName = Buffer.from(`Maru test ${randomBytes(8).toString('hex')}`)
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, commonName))))
  const names = sequence(
    der(0x82, Buffer.from('localhost')), // dNSName
    der(0x87, Buffer.from([127, 0, 0, 1])), // iPAddress
  )
  const unsigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(utcTime(Date.now() - day), utcTime(Date.now() + (hasEnded ? -day / 24 : day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(oid('551d11'), der(0x04, names)), // subjectAltName
        sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([255]))))), // CA: it vouches for itself
      ),
    ),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', unsigned, privateKey)]))
  const certificate = sequence(unsigned, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`,
  }
}

/** Returns a DER value: tag, length, content of less than 65,536 bytes. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

/** Returns a DER sequence. */
function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

/**
 * Returns a DER object identifier.
 * @param hex its encoded content
 */
function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

/**
 * Returns a DER time.
 * @param time ms since 1970, before 2050
 */
function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}
