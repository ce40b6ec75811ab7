import { secretVariable } from "./secret-places";
import { HOLE, join, NOTHING, textValue, type Value } from "./values";

/** What makes or opens wallets, and what of them is secret. */
export const WALLETS =
  /\b(?:Keypair|Account|Wallet|HDNodeWallet|HDNode|ethers|eth_account|solders|bip39|bip_utils|Mnemonic|web3|bitcoinlib|tronweb|xrpl|nacl)\b[\w.?]*\(\)/;
const WALLET_KEYS =
  /^_?(?:secretKey|privateKey|private_key|_private_key|secret|mnemonic|phrase|seed|key|wif|toWIF|exportPrivateKey)$/;

export function unquote(text: string): string {
  const body = /^[a-zA-Z]{0,2}("""|'''|["'`])([\s\S]*?)\1?$/.exec(text)?.[2] ?? text;
  return body.length > 2_000 ? body.slice(0, 2_000) : body.replace(/\\([\\"'/])/g, "$1");
}

/** What an attribute or element of a value is. A constant key of the environment is one variable. */
export function readMember(base: Value, key: Value, isIndex: boolean): Value {
  const [name = ""] = key.texts;
  const ref = base.ref === "" ? "" : `${base.ref}.${name === "" ? "?" : name}`;
  const prop = base.props?.get(name);
  if (prop !== undefined) return prop;
  // An element by a name that is not known is one of all.
  if (isIndex && base.props !== undefined && (name === "" || name.includes(HOLE)) && base.props.size > 0)
    return { ...join([...base.props.values()]), labels: base.labels };
  if (WALLETS.test(base.ref) && WALLET_KEYS.test(name))
    return { ...NOTHING, labels: [{ kind: "file", name: "a wallet's key", owners: [] }] };
  if (isIndex && base.items !== undefined && base.items.length > 0) return join(base.items);
  if (isEnvironment(ref))
    return { labels: [{ kind: "environment", name: "the environment", owners: [] }], texts: [], ref };
  if (
    isEnvironment(base.ref) &&
    name !== "" &&
    !name.includes(HOLE) &&
    !/^(?:items|values|copy|get|pop|setdefault)$/.test(name)
  ) {
    return variableValue(name);
  }
  if (/^(?:length|size)$/.test(name)) return NOTHING;
  if (/^(?:document\.cookie|localStorage|sessionStorage|window\.(?:localStorage|sessionStorage))$/.test(ref))
    return storeValue(ref);
  const isOneKey = isIndex && /^[A-Za-z_]\w*$/.test(name);
  const labels = isOneKey
    ? base.labels.flatMap((label) =>
        label.kind === "environment" || /\.env/.test(label.name) ? variableValue(name).labels : [label],
      )
    : base.labels;
  return { labels, texts: isIndex || labels.length > 0 ? [] : base.texts, ref };
}

export function isEnvironment(ref: string): boolean {
  return /^(?:os\.environb?|process\.env|Bun\.env|environ|(?:node:)?process\.env)$/.test(ref);
}

export function variableValue(name: string): Value {
  if (/^(?:HOME|USERPROFILE)$/.test(name)) return textValue("~");
  if (/^(?:APPDATA|LOCALAPPDATA)$/.test(name)) return textValue("~/AppData");
  const label = secretVariable(name);
  return label === null ? NOTHING : { ...NOTHING, labels: [label] };
}

export function storeValue(name: string): Value {
  return { labels: [{ kind: "store", name, owners: [] }], texts: [], ref: name };
}
