/** Where the build puts the scanner; seen alike from this folder and from src/cli, where the bundle of the program stands. */
export const SCANNER_FILE = new URL('../json/wasm/scanner.wasm', import.meta.url);
