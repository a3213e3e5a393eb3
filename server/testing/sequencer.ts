/** The order of test files. Those of the built product come first, as they take longest. */
import { execFileSync } from 'node:child_process';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const isOfBuilt = ({ moduleId }: TestSpecification) => moduleId.endsWith('.built.test.ts');

export class Sequencer extends BaseSequencer {
  /** Also builds the product, when a test of it will run and the build is missing or older than the sources. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    if (files.some(isOfBuilt)) {
      execFileSync(process.execPath, ['server/run.mjs', '--build-only'], { stdio: 'inherit' });
    }
    // A worker ends with its project, so each project runs in one go.
    const rank = (file: TestSpecification) =>
      isOfBuilt(file) ? 0 : file.project.name === 'server' ? 1 : 2;
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
