/** The part of WebAssembly's JavaScript interface that is used here; the compiler's library has it only together with the DOM. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, (...args: number[]) => number>>);
    readonly exports: unknown;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
}
