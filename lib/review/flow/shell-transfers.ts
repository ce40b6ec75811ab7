import type { Position } from "./judge-flow";
import { type Program, type Range, readFile, reportTransfer } from "./program";
import { homeFiles, pictureIn, secretFile, secretFileIn } from "./secret-places";
import { joinLabels, type Label, NOTHING, type Value } from "./values";

export type CommandCall = { name: string; args: readonly Value[]; stdin: Value; range: Range };

const HTTP = /^(?:curl|wget|https?|xh|aria2c|lynx|http-prompt|httpie|iwr|irm|invoke-webrequest|invoke-restmethod)$/i;
const STREAM =
  /^(?:nc|ncat|netcat|telnet|socat|ssh|ftp|sftp|lftp|tftp|mosquitto_pub|kcat|kafkacat|redis-cli|nats|websocat|croc|wormhole|s_client)$/;
const COPY = /^(?:scp|rsync|rclone|gsutil|s3cmd|mc|azcopy|b2|dbxcli|gdrive)$/;
const LOOKUP = /^(?:dig|nslookup|host|ping6?|drill|getent|kdig|doggo|resolvectl|resolve-dnsname)$/i;
const MAIL = /^(?:mail|mailx|sendmail|mutt|msmtp|swaks|ssmtp|s-nail|telegram-send|ntfy|apprise)$/;

/** They publish what they get, or give it to whom has the address. */
const PUBLISH =
  /^(?:ipfs|pastebinit|wgetpaste|fpaste|bpaste|haste|hastebin|gist|w3|pinata|arkb|ffsend|transfer|transfersh|oxo|rustypaste|imgur|nostril|toot|matrix-commander|slackcat|wormhole)$/;

const HEADERS =
  /^(?:-H|--header|-u|--user|--oauth2-bearer|-b|--cookie|--http-user|--http-password|-E|--cert|--key|-U|--proxy-user|-[hH]eaders)$/;
const BODIES =
  /^(?:-d|--data(?:-\w+)?|-F|--form(?:-string)?|--json|-T|--upload-file|--post-(?:data|file)|--body-(?:data|file)|-[bB]ody|-[iI]n[fF]ile)$/;
/** Flags of curl and wget with a value that goes nowhere. */
const OTHERS =
  /^(?:-o|-O\S+|--output(?:-dir)?|-X|--request(?:-target)?|-m|--max-(?:time|redirs|filesize)|--connect-timeout|-w|--write-out|--retry(?:-delay|-max-time)?|-A|--user-agent|-e|--referer|--ca(?:cert|path)|-c|--cookie-jar|--dump-header|--resolve|--method|-P|-t|-[oO]ut[fF]ile|-[mM]ethod|--(?:pre)?proxy|--socks\w+(?:-hostname)?|--connect-to|--noproxy|--limit-rate|--rate|--interface|--dns-servers|--doh-url|--unix-socket|--abstract-unix-socket|--range|--netrc-file|--config|--ciphers|--stderr|--trace(?:-ascii)?|--aws-sigv4|--speed-\w+|--keepalive-time|--proto(?:-\w+)?)$/;

/** Letters of curl with such a value; in other programs they have none. */
const OTHERS_OF_CURL = /^-[xCDrzyYKPQ]$/;

/** Reports what a command sends, and returns whether it is one that sends. */
export function sendByCommand(program: Program, call: CommandCall): boolean {
  const { name, args, stdin, range } = call;
  const words = args.map(firstText);
  const send = (position: Position, labels: readonly Label[], texts: readonly string[]) =>
    reportTransfer(program, labels, { position, texts }, range);
  const all = () => joinLabels([stdin.labels, ...args.map((arg) => contentsOf(program, arg))]);
  if (HTTP.test(name)) sendByHttp(program, call, send);
  else if (LOOKUP.test(name)) send("lookup", all(), words);
  else if (MAIL.test(name))
    send(
      "message",
      all(),
      words.filter((word) => word.includes("@")),
    );
  else if (PUBLISH.test(name))
    send(
      "body",
      all().map((label) => ({ ...label, owners: [] })),
      [`https://${name}.public/`],
    );
  else if (/^(?:docker|podman|nerdctl)$/.test(name) && words[0] === "run") runImage(args, send);
  else if (/^[gmn]?awk$/.test(name) && words.some((word) => word.includes("/inet/"))) {
    const text = words.join(" ");
    const secret = secretFileIn([...text.matchAll(/"([^"\n]{2,200})"/g)].map(([, path = ""]) => path));
    const host = /\/inet\d?\/(?:tcp|udp)\/\d+\/([\w.-]+)/.exec(text)?.[1] ?? "";
    send("stream", joinLabels([all(), secret === null ? [] : [secret]]), [host]);
  } else if (STREAM.test(name)) {
    const named = args.filter((_arg, at) => !words[at]?.startsWith("-") && /\w/.test(words[at] ?? ""));
    // Not the value of an option before it.
    const isHost = (word: string) => /^[\w.-]+@[\w-]|^[\w-]+(?:\.[\w-]+)+$/.test(word);
    const hosts = (named.find(({ texts }) => texts.some(isHost)) ?? named[0] ?? NOTHING).texts;
    const orders = /ftp$/.test(name)
      ? secretFileIn([...words, ...stdin.texts].flatMap((word) => word.split(/\s+/)))
      : null;
    send(
      "stream",
      name === "ssh"
        ? joinLabels([stdin.labels, ...args.slice(1).map((a) => a.labels)])
        : joinLabels([all(), orders === null ? [] : [orders]]),
      hosts,
    );
  } else if (COPY.test(name) || (name === "aws" && words[0] === "s3") || (name === "az" && words[0] === "storage")) {
    const targets = args.findLast((_arg, at) => /^:?[\w.@-]+[:,]|^[a-z0-9]+:\/\//.test(words[at] ?? ""))?.texts;
    const target = targets?.[0];
    if (targets === undefined || target === undefined) return COPY.test(name);
    // A place that the command itself describes is not one that the user has set up.
    if (name === "rclone" && target.startsWith(":")) {
      const given = words.join(" ");
      send("stream", all(), [
        /endpoint[= "']{1,3}(https?:\/\/[^\s"',]+)/.exec(given)?.[1] ?? `https://rclone.${target.slice(1, 20)}/`,
      ]);
      return true;
    }
    const places = targets.map((text) => text.replace(/^(?:[^@\s]*@)?/, ""));
    send("stream", all(), places);
  } else if (/^(?:gh|glab|hub)$/.test(name) && /^(?:gist|issue|pr|api|release|snippet|repo)$/.test(words[0] ?? "")) {
    send(
      "body",
      all().map((label) => ({ ...label, owners: [] })),
      ["https://github.com/"],
    );
  } else if (name === "openssl" && words[0] === "s_client")
    send("stream", stdin.labels, [words.find((word) => /^[\w.-]+:\d+$/.test(word)) ?? ""]);
  else return false;
  return true;
}

/** Registries that everyone uses, and names without a host. */
const REGISTRIES =
  /^(?:docker\.io|registry-1\.docker\.io|ghcr\.io|quay\.io|gcr\.io|[\w-]+\.gcr\.io|mcr\.microsoft\.com|public\.ecr\.aws|nvcr\.io|registry\.gitlab\.com|registry\.k8s\.io|[\w-]+-docker\.pkg\.dev|[\w.-]+\.amazonaws\.com|localhost)/;

/** An image of an unknown registry that gets the home folder, or several places of secrets. */
function runImage(args: readonly Value[], send: Send): void {
  const words = args.map(firstText);
  const image = words.find((word) => /^[\w-]+(?:\.[\w-]+)+(?::\d+)?\/[\w./-]+(?::[\w.-]+)?$/.test(word)) ?? "";
  if (image === "" || REGISTRIES.test(image)) return;
  const mounted = words.flatMap((word, at) => {
    const given = /^(?:-v|--volume|--mount)$/.test(words[at - 1] ?? "")
      ? word
      : (/^--(?:volume|mount)=(.*)$/.exec(word)?.[1] ?? "");
    const path = /(?:source|src)=([^,]+)/.exec(given)?.[1] ?? given.split(":")[0] ?? "";
    return path === "" ? [] : [path];
  });
  const home = homeFiles(mounted);
  const secrets = mounted.flatMap((path) => secretFile(path) ?? []);
  if (home !== null || secrets.length > 1) send("stream", home === null ? secrets : [home], [`https://${image}`]);
}

type Send = (position: Position, labels: readonly Label[], texts: readonly string[]) => void;

function sendByHttp(program: Program, { name, args, stdin }: CommandCall, send: Send): void {
  // `--next` begins another request with values and addresses of its own.
  const next = args.findIndex((arg) => /^(?:--next|-:)$/.test(firstText(arg)));
  if (next !== -1) sendByHttp(program, { name, args: args.slice(next + 1), stdin, range: NO_RANGE }, send);
  const own = next === -1 ? args : args.slice(0, next);
  const parts: { position: Position; labels: readonly Label[] }[] = [];
  const addresses: string[] = [];
  const isCurl = name === "curl";
  const signs = isCurl && own.some((arg) => firstText(arg).startsWith("--aws-sigv4"));
  for (let at = 0; at < own.length; at += 1) {
    const arg = own[at];
    if (arg === undefined) continue;
    const word = firstText(arg);
    const { flag, value } = flagOf(word, arg, own[at + 1], isCurl);
    if (flag === null) {
      if (/^-/.test(word)) continue;
      parts.push({ position: "address", labels: arg.labels });
      addresses.push(...(isCurl || name === "wget" ? arg.texts.map(withScheme) : arg.texts));
      continue;
    }
    if (value !== undefined && value === own[at + 1]) at += 1;
    if (value === undefined || OTHERS.test(flag) || (isCurl && OTHERS_OF_CURL.test(flag))) continue;
    if (HEADERS.test(flag))
      parts.push({ position: signs && /^(?:-u|--user)$/.test(flag) ? "login" : "header", labels: value.labels });
    else {
      const isFile =
        /^(?:-T|--upload-file|--post-file|--body-file|-infile)$/i.test(flag) ||
        /(?:^|=)[@<]/.test(firstText(value).slice(0, 60));
      const fromStdin = /(?:^|=)@?-$|@\/dev\/stdin/.test(firstText(value));
      const file = isFile ? contentsOf(program, { ...value, texts: value.texts.map(fileOf) }) : [];
      parts.push({ position: "body", labels: joinLabels([value.labels, file, fromStdin ? stdin.labels : []]) });
    }
  }
  if (parts.every(({ labels }) => labels.length === 0)) return;
  if (isCurl) addresses.push(...peersOf(own, addresses));
  for (const { position, labels } of parts) send(position, labels, addresses);
}

const NO_RANGE: Range = { start: 0, end: 0 };

/** curl takes a name without a scheme as an address of HTTP. */
function withScheme(text: string): string {
  return /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?]|$)/.test(text) ? `http://${text}` : text;
}

/** Hosts that get a request of curl in place of the one that its address names, where no certificate prevents it. */
function peersOf(args: readonly Value[], addresses: readonly string[]): string[] {
  const words = args.map(firstText);
  const isOpen =
    words.some((word) => /^-[a-zA-Z]*k|^--(?:proxy-)?insecure$/.test(word)) ||
    addresses.some((text) => !/^["']?https:/i.test(text));
  if (!isOpen) return [];
  return words.flatMap((word, at) => {
    const [flag = "", given = words[at + 1] ?? ""] = /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word];
    if (flag === "--connect-to") return [`http://${given.replace(/^[^:]*:[^:]*:/, "")}`];
    if (flag === "--resolve")
      return given
        .replace(/^[^:]*:[^:]*:/, "")
        .split(",")
        .map((text) => `http://${text}`);
    const attached = /^-[a-zA-Z]{0,8}x(.+)$/s.exec(flag)?.[1];
    const proxy =
      attached ?? (/^(?:-[a-zA-Z]{0,8}x|--(?:pre)?proxy|--socks\w+(?:-hostname)?)$/.test(flag) ? given : "");
    return proxy === "" ? [] : [`http://${proxy.replace(/^\w+:\/\//, "")}`];
  });
}

function fileOf(word: string): string {
  return word.replace(/^[^=@]{0,60}=/, "").replace(/^[@<]/, "");
}

/** Splits `-d value`, `-dvalue`, `-sSd value` and `--data=value`. */
function flagOf(
  word: string,
  arg: Value,
  next: Value | undefined,
  isCurl: boolean,
): { flag: string | null; value: Value | undefined } {
  const long = /^(--[\w-]+)=/.exec(word);
  if (long !== null)
    return {
      flag: long[1] ?? null,
      value: { ...arg, texts: arg.texts.map((text) => text.slice(text.indexOf("=") + 1)) },
    };
  if (HEADERS.test(word) || BODIES.test(word) || OTHERS.test(word) || (isCurl && OTHERS_OF_CURL.test(word)))
    return { flag: word, value: next };
  const short = (
    isCurl ? /^-(?:[a-zA-Z]*?)([dFTHuobXmwAxeDcCrzyYtEUKPQ])(.*)$/s : /^-(?:[a-zA-Z]*?)([dFTHuobXmwA])(.*)$/s
  ).exec(word);
  if (short === null || word.startsWith("--")) return { flag: null, value: arg };
  const [, letter = "", rest = ""] = short;
  if (rest === "") return { flag: `-${letter}`, value: next };
  return { flag: `-${letter}`, value: arg };
}

/** Labels of an argument and of the file that it names. */
export function contentsOf(program: Program, value: Value): readonly Label[] {
  const secret = secretFileIn(value.texts);
  const written = value.texts.flatMap((text) => readFile(program, text.replace(/^["'@]|["']$/g, "")));
  const picture = pictureIn(value.texts);
  if (secret === null && written.length === 0 && picture.length === 0) return value.labels;
  return joinLabels([value.labels, secret === null ? [] : [secret], written, picture]);
}

export function firstText(value: Value): string {
  return value.texts[0] ?? "";
}
