/** Runs once when the server process starts, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { bootServer } = await import("@/lib/http/boot/boot-server");
  const { serveDirectly } = await import("@/lib/http/direct/serve-directly");
  const { observeRequest } = await import("@/lib/http/observe/observe-request");
  const { DIRECT_ROUTES } = await import("@/app/api/direct-routes");
  globalThis.__skillgateDirect = serveDirectly(DIRECT_ROUTES);
  const { listenForDraining } = await import("@/lib/http/draining");
  listenForDraining();
  globalThis.__skillgateObserve = observeRequest;
  await bootServer();
}
