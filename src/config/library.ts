import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { nearest, Validators } from '../contract/index.js';
import type { Diagnostic } from '../fault/index.js';
import { type Assembled, assembleContract } from '../route/index.js';
import { type ContractFolder, contractNames, loadContract } from './contracts.js';
import type { Report } from './report.js';
import type { LoadedContract } from './settings.js';

interface Entry {
  readonly folder: ContractFolder;
  readonly assembled: Assembled;
}

/** The contracts that routes name, each loaded and compiled once. */
export class ContractLibrary {
  readonly #root: string;
  readonly #entries = new Map<string, Promise<Entry | undefined>>();
  readonly #loaded = new Map<string, Entry>();
  readonly #validators = new Validators();
  /** What is wrong in the contracts' own files. */
  readonly diagnostics: Diagnostic[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  get contracts(): readonly LoadedContract[] {
    return [...this.#loaded.values()].map(({ folder, assembled }) =>
      Object.freeze({ source: folder.source, folder: folder.folder, assembled }),
    );
  }

  /** The contract `tool@major`, compiled; undefined where there is none (reported at the route) or it is not sound. */
  async assembled(name: string, report: Report): Promise<Assembled | undefined> {
    const folder = this.#folder(name);
    if (folder === undefined) {
      report.problem('bad-form', 'is not a valid contract', 'Write TOOL@MAJOR, such as review_status@1.');
      return undefined;
    }
    if (!this.has(name)) {
      const meant = nearest(name, contractNames(this.#root));
      const remedy =
        meant === undefined
          ? 'Write the contract, or look at the folder that contracts names.'
          : `Did you mean "${meant}"?`;
      // Where a relative folder starts is not seen in the file.
      const where = isAbsolute(this.#root) ? '' : `; contracts is the folder ${resolve(this.#root)}`;
      report.problem(
        'no-contract',
        `names no contract: there is no ${join(folder, 'contract.yaml')}${where}`,
        remedy,
      );
      return undefined;
    }
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      entry = this.#load(name, folder);
      this.#entries.set(name, entry);
    }
    return (await entry)?.assembled;
  }

  /** Whether `tool@major` is in the folder, be it sound or not. */
  has(name: string): boolean {
    const folder = this.#folder(name);
    return folder !== undefined && existsSync(join(folder, 'contract.yaml'));
  }

  /** Whether a loaded contract puts a field into `untrusted_text`. */
  hasDisplayText(name: string): boolean {
    const entry = this.#loaded.get(name);
    return entry?.folder.source.definition.responses.some(({ select }) => holdsDisplay(select)) ?? false;
  }

  #folder(name: string): string | undefined {
    const [, tool, major] = /^([a-z][a-z0-9_]*)@([0-9]+)$/.exec(name) ?? [];
    return tool === undefined || major === undefined ? undefined : join(this.#root, tool, major);
  }

  async #load(name: string, path: string): Promise<Entry | undefined> {
    // Nothing below waits: between two contracts, signals are heard.
    await setImmediate();
    const folder = loadContract(path);
    if (!('source' in folder)) {
      this.diagnostics.push(...folder.diagnostics);
      return undefined;
    }
    const assembled = assembleContract(folder.source, this.#validators);
    if ('problems' in assembled) {
      this.diagnostics.push(...folder.diagnostics(assembled.problems));
      return undefined;
    }
    const entry = { folder, assembled };
    this.#loaded.set(name, entry);
    return entry;
  }
}

/** `text: display` stands in a field's rules only; a field that is named `text` has a source with a slash or dot. */
function holdsDisplay(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if ('from' in node && 'text' in node && node.text === 'display') return true;
  return Object.values(node).some(holdsDisplay);
}
