/** What only the host can say. */

/** What a double makes of a number: 0 holds it, 1 an integer out of range, 2 not precise. */
@external('host', 'verdict')
export declare function verdict(lexeme: usize, length: u32): u32;

/**
 * Folds the case of a name that has more than ASCII. Writes at most twice as many bytes to `to` and returns their number.
 * Surrogates without partner are written as if they were code points, in both.
 */
@external('host', 'fold')
export declare function fold(name: usize, length: u32, to: usize): u32;
