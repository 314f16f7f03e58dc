import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The official JSON Schema Test Suite, which is not part of the project: beside the repository, or nowhere. */
const FOLDER = fileURLToPath(
  new URL('../../../../shared/suites/json-schema-test-suite/tests/draft2020-12/', import.meta.url),
);

export const SUITE_MISSING = existsSync(FOLDER)
  ? false
  : 'the JSON Schema Test Suite is not at ../shared/suites/json-schema-test-suite';

export interface SuiteGroup {
  readonly file: string;
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

/** @param folder of draft2020-12: `.` or `optional/format` */
export function suiteGroups(folder: string): SuiteGroup[] {
  const path = `${FOLDER}${folder}/`;
  return readdirSync(path)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) =>
      (JSON.parse(readFileSync(path + file, 'utf8')) as Omit<SuiteGroup, 'file'>[]).map((group) => ({
        ...group,
        file,
      })),
    );
}
