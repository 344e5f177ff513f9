import type { Packages } from './packages.ts'

/**
 * Returns the bill of materials of a bundle as JSON (CycloneDX 1.6). It contains no time and no random number, so that the same
 * packages give the same text.
 * @param version version of Maru
 */
export function createSbom(version: string, packages: Packages): string {
  const components = [...packages].map(([path, { version: own, integrity = '', license }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const purl = `pkg:npm/${name.replace('@', '%40')}@${own}`
    const digest = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
    return {
      type: 'library',
      'bom-ref': path,
      name,
      version: own,
      purl,
      ...(license !== undefined && { licenses: [{ expression: license }] }),
      ...(integrity.startsWith('sha512-') && { hashes: [{ alg: 'SHA-512', content: digest }] }),
    }
  })
  const component = { type: 'application', 'bom-ref': 'maru', name: 'maru', version }
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component }, components }
  return `${JSON.stringify(bom, null, 1)}\n`
}
