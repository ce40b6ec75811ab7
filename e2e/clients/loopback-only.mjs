import { appendFileSync } from "node:fs";
import net from "node:net";

/** Loaded into clients: limits them to this machine and records other hosts they tried to reach, with the command. */
const { connect } = net.Socket.prototype;

net.Socket.prototype.connect = function connectToLoopback(...args) {
  const host = hostOf(Array.isArray(args[0]) ? args[0][0] : args[0], args[1]);
  if (host === null || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)) return connect.apply(this, args);
  appendFileSync(process.env.FOREIGN_HOSTS_FILE, `${host}, by: ${process.argv.slice(2).join(" ")}\n`);
  process.nextTick(() => this.destroy(new Error(`${host} is not this machine`)));
  return this;
};

/** Null for a socket in the file system, and for a port alone. */
function hostOf(first, second) {
  if (typeof first === "object" && first !== null) return first.path ? null : (first.host ?? null);
  return typeof second === "string" ? second : null;
}
