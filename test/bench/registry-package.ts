import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROOT } from './paths.js';

/** Where packages lie that only the benchmark reads; git does not see it. */
const FOLDER = join(ROOT, 'var', 'bench');

/**
 * Files of a package as the registry has it, fetched once and never installed: no script of it runs, and nobody who
 * installs the project pays for it. Throws where it cannot be had or is not what it should be.
 */
export function packageFiles(name: string, version: string, integrity: string): ReadonlyMap<string, Buffer> {
  const file = join(FOLDER, `${name}-${version}.tgz`);
  if (!existsSync(file)) {
    mkdirSync(FOLDER, { recursive: true });
    execFileSync('npm', ['pack', `${name}@${version}`, '--pack-destination', FOLDER], { stdio: 'ignore' });
  }
  const packed = readFileSync(file);
  const digest = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
  if (digest !== integrity) throw new Error(`${file} is not what it should be`);
  return untar(gunzipSync(packed));
}

/** The files of a tar archive (POSIX ustar): a block of 512 bytes of header, then the content filled up to blocks. */
export function untar(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; at + 512 <= archive.length; ) {
    const text = (from: number, length: number): string =>
      archive.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '');
    const name = text(0, 100);
    if (name === '') break;
    const size = Number.parseInt(text(124, 12), 8);
    const prefix = text(345, 155);
    files.set(prefix === '' ? name : `${prefix}/${name}`, archive.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
