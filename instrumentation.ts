/** Runs once when `next dev` starts, before the first request. The built server starts by `app/api/main.ts`. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { routerOf, startServer } = await import("@/app/api/server");
  await startServer(routerOf(null));
}
