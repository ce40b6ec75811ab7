import { PHASE_DEVELOPMENT_SERVER } from "next/constants.js";
import { everywhere, ofApi } from "./security-headers.mjs";

/** @type {import("next").NextConfig} */
const config = {
  distDir: process.env.NEXT_DIST_DIR ?? ".next",
  reactStrictMode: true,
  poweredByHeader: false,
  typedRoutes: false,
  // `npm run check` checks the types of the whole tree, tests included; the build of a fresh clone need not do it again.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Each route is loaded when it is first asked for: all of them at the start take four seconds and 100 MiB.
  experimental: { preloadEntriesOnStart: false, serverSourceMaps: false, turbopackFileSystemCacheForBuild: false },
  turbopack: { root: import.meta.dirname },
  allowedDevOrigins: ["127.0.0.1", "localhost"],
  serverExternalPackages: [
    "better-sqlite3",
    "@node-rs/argon2",
    "pino",
    "@prisma/client",
    "@prisma/driver-adapter-utils",
    "@prisma/adapter-pg",
    "pg",
    "rate-limiter-flexible",
    "prom-client",
  ],
  headers: async () => [
    { source: "/:path*", headers: everywhere },
    { source: "/api/:path*", headers: ofApi },
    { source: "/(mcp|metrics|v1/.*|\\.well-known/oauth-.*|\\.well-known/skillgate-.*)", headers: ofApi },
  ],
  redirects: async () => [
    { source: "/", destination: "/skills", permanent: false },
    { source: "/admin/system", destination: "/settings/system", permanent: false },
  ],
};

/**
 * The built server answers routes itself, from one bundle (bin/build-server.mjs), so that Next builds the pages alone: no
 * `route.ts` has an ending it looks for. The development server compiles and answers both, routes under their public addresses too.
 */
export default async function configure(phase) {
  if (phase !== PHASE_DEVELOPMENT_SERVER) return { ...config, pageExtensions: ["tsx"] };
  const { publicRewrites } = await import("./bin/prepare/route-table.mjs");
  return { ...config, rewrites: async () => ({ beforeFiles: publicRewrites() }) };
}
