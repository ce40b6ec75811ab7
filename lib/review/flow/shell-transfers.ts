import type { Position } from "./judge-flow";
import { type Program, type Range, readFile, reportTransfer } from "./program";
import { homeFiles, secretFile, secretFileIn } from "./secret-places";
import { joinLabels, type Label, type Value } from "./values";

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
  /^(?:-H|--header|-u|--user|--oauth2-bearer|-b|--cookie|--http-user|--http-password|-E|--cert|--key|--proxy-user|-headers)$/i;
const BODIES =
  /^(?:-d|--data(?:-\w+)?|-F|--form(?:-string)?|--json|-T|--upload-file|--post-(?:data|file)|--body-(?:data|file)|-body|-infile)$/i;
/** Flags of curl and wget with a value that goes nowhere. */
const OTHERS =
  /^(?:-o|-O\S+|--output|-X|--request|-m|--max-time|--connect-timeout|-w|--write-out|--retry|-A|--user-agent|-e|--cacert|-c|--resolve|--method|-outfile|-method|-P|-t)$/;

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
    const named = words.filter((word) => !word.startsWith("-") && /\w/.test(word));
    // Not the value of an option before it.
    const host = named.find((word) => /^[\w.-]+@[\w-]|^[\w-]+(?:\.[\w-]+)+$/.test(word)) ?? named[0] ?? "";
    const orders = /ftp$/.test(name)
      ? secretFileIn([...words, ...stdin.texts].flatMap((word) => word.split(/\s+/)))
      : null;
    send(
      "stream",
      name === "ssh"
        ? joinLabels([stdin.labels, ...args.slice(1).map((a) => a.labels)])
        : joinLabels([all(), orders === null ? [] : [orders]]),
      [host],
    );
  } else if (COPY.test(name) || (name === "aws" && words[0] === "s3") || (name === "az" && words[0] === "storage")) {
    const target = words.findLast((word) => /^:?[\w.@-]+[:,]|^[a-z0-9]+:\/\//.test(word));
    if (target === undefined) return COPY.test(name);
    // A place that the command itself describes is not one that the user has set up.
    if (name === "rclone" && target.startsWith(":")) {
      const given = words.join(" ");
      send("stream", all(), [
        /endpoint[= "']{1,3}(https?:\/\/[^\s"',]+)/.exec(given)?.[1] ?? `https://rclone.${target.slice(1, 20)}/`,
      ]);
      return true;
    }
    send("stream", all(), [target.replace(/^(?:[^@\s]*@)?/, "")]);
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

function sendByHttp(program: Program, { args, stdin }: CommandCall, send: Send): void {
  const parts: { position: Position; labels: readonly Label[] }[] = [];
  const addresses: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined) continue;
    const word = firstText(arg);
    const { flag, value } = flagOf(word, arg, args[at + 1]);
    if (flag === null) {
      if (/^-/.test(word)) continue;
      parts.push({ position: "address", labels: arg.labels });
      addresses.push(...arg.texts);
      continue;
    }
    if (value !== undefined && value === args[at + 1]) at += 1;
    if (value === undefined || OTHERS.test(flag)) continue;
    if (HEADERS.test(flag)) parts.push({ position: "header", labels: value.labels });
    else {
      const isFile =
        /^(?:-T|--upload-file|--post-file|--body-file|-infile)$/i.test(flag) ||
        /(?:^|=)[@<]/.test(firstText(value).slice(0, 60));
      const fromStdin = /(?:^|=)@?-$|@\/dev\/stdin/.test(firstText(value));
      const file = isFile ? contentsOf(program, { ...value, texts: value.texts.map(fileOf) }) : [];
      parts.push({ position: "body", labels: joinLabels([value.labels, file, fromStdin ? stdin.labels : []]) });
    }
  }
  for (const { position, labels } of parts) send(position, labels, addresses);
}

function fileOf(word: string): string {
  return word.replace(/^[^=@]{0,60}=/, "").replace(/^[@<]/, "");
}

/** Splits `-d value`, `-dvalue`, `-sSd value` and `--data=value`. */
function flagOf(word: string, arg: Value, next: Value | undefined): { flag: string | null; value: Value | undefined } {
  const long = /^(--[\w-]+)=/.exec(word);
  if (long !== null)
    return {
      flag: long[1] ?? null,
      value: { ...arg, texts: arg.texts.map((text) => text.slice(text.indexOf("=") + 1)) },
    };
  if (HEADERS.test(word) || BODIES.test(word) || OTHERS.test(word)) return { flag: word, value: next };
  const short = /^-(?:[a-zA-Z]*?)([dFTHuobXmwA])(.*)$/s.exec(word);
  if (short === null || word.startsWith("--")) return { flag: null, value: arg };
  const [, letter = "", rest = ""] = short;
  if (rest === "") return { flag: `-${letter}`, value: next };
  return { flag: `-${letter}`, value: arg };
}

/** Labels of an argument and of the file that it names. */
export function contentsOf(program: Program, value: Value): readonly Label[] {
  const secret = secretFileIn(value.texts);
  const written = value.texts.flatMap((text) => readFile(program, text.replace(/^["'@]|["']$/g, "")));
  if (secret === null && written.length === 0) return value.labels;
  return joinLabels([value.labels, secret === null ? [] : [secret], written]);
}

export function firstText(value: Value): string {
  return value.texts[0] ?? "";
}
