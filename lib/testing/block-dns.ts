import dns, { type LookupOptions } from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { isIP } from "node:net";

// Tests send no DNS queries: only localhost resolves.
const { lookup } = dns.promises;
Object.assign(dns.promises, {
  lookup: async (host: string, options: LookupOptions = {}) => {
    if (isIP(host) !== 0 || host === "localhost") return lookup(host, options);
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND", hostname: host });
  },
});
syncBuiltinESMExports();
