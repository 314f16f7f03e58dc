import { SPACE } from './bytes';
import { Kept } from './kept';
import { S } from './state';
import { Text } from './text';

/**
 * What is kept is copied in runs: S.run is where the bytes start that are yet to be copied, or 0 where none are. Inside of
 * what is kept whole a run goes on over brackets, commas and colons, and is only cut by white space.
 */
@final
@unmanaged
export class Run {
  /** Ends the run before `p`. */
  @inline
  static end(p: usize): void {
    copyRun(p);
    S.run = 0;
  }

  /** The first byte from `p` on that is not white space; none of that is kept. */
  @inline
  static skipBlank(p: usize): usize {
    const run = S.run;
    if (run != 0) {
      if (p - run <= 16) {
        v128.store(S.out, v128.load(run));
        S.out += p - run;
      } else {
        copyRun(p);
      }
    }
    // RFC 8259 section 2: a space alone is what most often stands there.
    if (load<u8>(p) == SPACE && load<u8>(p + 1) > SPACE) p++;
    else p = Text.skipBlank(p);
    S.sawBlank = 1;
    if (run != 0) S.run = p;
    return p;
  }
}

function copyRun(p: usize): void {
  S.out = Kept.copy(S.out, S.run, p);
}
