import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Pack, placePack } from "./bench-packs";
import { findProgram, freePort, type Peer, startParts } from "./start-peer";

/** nginx in front of eight fcgiwrap processes: the smallest setup that starts a process per HTTP request. */
export async function startCgi(folder: string, packs: Pack[]): Promise<Peer | null> {
  const nginx = findProgram("nginx");
  const fcgiwrap = findProgram("fcgiwrap");
  if (!nginx || !fcgiwrap) return null;
  const home = join(folder, "cgi");
  mkdirSync(home, { recursive: true });
  const port = await freePort();
  const socket = join(home, "fcgi.sock");
  const config = join(home, "nginx.conf");
  writeFileSync(config, nginxConfig({ home, port, socket, packs }));
  const stop = await startParts(
    [
      { program: fcgiwrap, args: ["-c", "8", "-s", `unix:${socket}`], home },
      { program: nginx, args: ["-p", home, "-c", config, "-e", join(home, "error.log")], home },
    ],
    port,
  );
  return { url: (pack) => `http://127.0.0.1:${port}/${pack}`, stop };
}

type Config = { home: string; port: number; socket: string; packs: Pack[] };

function nginxConfig({ home, port, socket, packs }: Config): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const locations = packs.map((pack) => {
    const { file } = placePack(join(home, "packs"), pack, "cgi");
    return `location = /${pack.name} {
      fastcgi_pass unix:${socket};
      fastcgi_param SCRIPT_FILENAME ${file};
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param CONTENT_TYPE $content_type;
    }`;
  });
  return `daemon off;
  ${process.getuid?.() === 0 ? "user root;" : ""}
  worker_processes 1;
  pid ${join(home, "nginx.pid")};
  error_log ${join(home, "error.log")};
  events {}
  http {
    access_log off;
    keepalive_requests 1000000;
    ${temporary.map((kind) => `${kind}_temp_path ${join(home, kind)};`).join("\n")}
    server {
      listen 127.0.0.1:${port};
      ${locations.join("\n")}
    }
  }
  `;
}
