declare module 'wasm_exec'; // the toolchain's, by the bundler
