import dns, { type LookupOptions } from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { isIP } from "node:net";

// Tests ask no name server, whatever names they store: of names only this machine's is known.
const { lookup } = dns.promises;
Object.assign(dns.promises, {
  lookup: async (host: string, options: LookupOptions = {}) => {
    if (isIP(host) !== 0 || host === "localhost") return lookup(host, options);
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND", hostname: host });
  },
});
syncBuiltinESMExports();
