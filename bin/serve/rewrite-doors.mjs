/** What an index covers, in an address: nothing, a skill (perhaps of one version), a publisher, a collection, a capability URL. */
const SCOPE = [
  "(?<root>)",
  "/s/(?<publisher>[A-Za-z0-9._-]+)/(?<skill>[A-Za-z0-9._-]+)(?:(?:@|%40)(?<version>[A-Za-z0-9.+:_-]+))?",
  "/p/(?<handle>[A-Za-z0-9._-]+)",
  "/c/(?<collection>[A-Za-z0-9._-]+)",
  "/t/(?<token>[A-Za-z0-9_-]+)",
].join("|");
const REST = "(?<rest>[^?#]+)";

/** Addresses that programs know, and the routes behind them. A folder that begins with a dot has no route of its own. */
const RULES = [
  [
    new RegExp(`^(?:${SCOPE})/\\.well-known/(?<format>agent-skills|skills)/${REST}$`),
    (found) => `/api/doors/well-known/${wordOf(found)}/${found.format}/${found.rest}`,
  ],
  [
    new RegExp(`^(?:/t/(?<token>[A-Za-z0-9_-]+))?/a/(?<name>[A-Za-z0-9-]+)/${REST}$`),
    (found) => `/api/doors/artifacts/${wordOf(found)}/${found.name}/${found.rest}`,
  ],
  [new RegExp(`^(?:${SCOPE})/git/catalog\\.git/${REST}$`), (found) => `/api/doors/git/${wordOf(found)}/${found.rest}`],
  [new RegExp(`^/git/mine\\.git/${REST}$`), (found) => `/api/doors/git-mine/${found.rest}`],
  [new RegExp(`^(?:${SCOPE})/marketplace\\.json$`), (found) => `/api/doors/marketplace/${wordOf(found)}`],
  [/^\/\.well-known\/(?<service>clawhub|clawdhub)\.json$/, () => "/api/doors/clawhub"],
];

/**
 * The address under which a route answers a request to a door, with its query; null for every other address. Escapes stay as
 * they are, and an address with `..` in it is none of these.
 */
export function rewriteDoor(url) {
  const path = url.split(/[?#]/, 1)[0];
  if (/(?:^|\/)\.\.(?:\/|$)/.test(path)) return null;
  for (const [pattern, toRoute] of RULES) {
    const found = pattern.exec(path)?.groups;
    if (found) return toRoute(found) + url.slice(path.length);
  }
  return null;
}

/** A scope in one part of a path, as `parseDoorAddress` reads it. */
function wordOf({ publisher, skill, version, handle, collection, token }) {
  if (token !== undefined) return `t~${token}`;
  if (publisher !== undefined) return `s~${publisher}~${skill}${version === undefined ? "" : `@${version}`}`;
  if (handle !== undefined) return `p~${handle}`;
  return collection === undefined ? "root" : `c~${collection}`;
}
