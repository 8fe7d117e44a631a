# Runs the worker on this machine, as its host does: workerd serve --experimental config.capnp, in the folder out.

using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "site", assets = (path = "assets", config = embed "assets.json", userWorker = "worker")),
    (name = "worker", worker = (
      modules = [(name = "worker.mjs", esModule = embed "worker.mjs"), (name = "app.wasm", wasm = embed "app.wasm")],
      compatibilityDate = "2026-11-01",
      bindings = [(name = "ASSETS", service = (name = "site", entrypoint = "AssetWorker"))],
      cacheApiOutbound = "cache",
      globalOutbound = "nowhere",
    )),
    (name = "cache", worker = (modules = [(name = "cache.mjs", esModule = embed "cache.mjs")], compatibilityDate = "2026-11-01", globalOutbound = "nowhere")),
    (name = "nowhere", network = (allow = [])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "site")],
);
