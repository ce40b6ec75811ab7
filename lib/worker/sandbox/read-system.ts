import { existsSync, lstatSync, readlinkSync } from "node:fs";
import type { Bubblewrap } from "./claim-uids";

/** What programs of the host need to start. Nothing here is secret or writable. */
const SYSTEM_DIRS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store"];
const SYSTEM_FILES = [
  "/etc/ld.so.cache",
  "/etc/ssl",
  "/etc/ca-certificates",
  "/etc/alternatives",
  "/etc/localtime",
  "/etc/nsswitch.conf",
];

/** What is only a link on this host (`/bin` to `usr/bin`) becomes the same link inside. `files` may be directories too. */
export function readSystem(): Bubblewrap["system"] {
  const present = SYSTEM_DIRS.filter((path) => existsSync(path));
  const links = present.filter((path) => lstatSync(path).isSymbolicLink());
  return {
    dirs: present.filter((path) => !links.includes(path)),
    files: SYSTEM_FILES.filter((path) => existsSync(path)),
    links: links.map((path) => ({ target: readlinkSync(path), path })),
  };
}
