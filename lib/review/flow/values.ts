/** What a value was derived from. */
export type Label = {
  kind: "environment" | "file" | "store" | "variable" | "download" | "disks" | "document" | "picture" | "coded";
  /** The file, variable, command or address that it was read from. */
  name: string;
  /** Domains that may receive it: a service gets its own key. */
  owners: readonly string[];
  /** No other service accepts it, so that its header gives it away too. */
  isOwnersOnly?: true;
  encoded?: true;
  /** All files of the user. */
  isHome?: true;
};

/** Stands for an unknown part of a text. */
export const HOLE = "\uE000";

/** What produced a number that a program calculates letters with. */
export const NUMBER = "int()";

const MAX_TEXTS = 6;
const MAX_TEXT_CHARS = 600;
const MAX_LABELS = 8;

/** What is known of a value: where it came from, and the texts that it can have. */
export type Value = {
  labels: readonly Label[];
  texts: readonly string[];
  /** The dotted name of what produced it, such as `requests.Session()`; empty if unknown. */
  ref: string;
  items?: readonly Value[];
  props?: ReadonlyMap<string, Value>;
  /** The host or address that it speaks with. */
  address?: string;
  /** The key of a function in the program that runs it. */
  fn?: number;
  /** The key of the constructor of this class. */
  init?: number;
};

/** What a program decodes from its own text or files, so that no reader sees it before it runs. */
export const CODED: Label = { kind: "coded", name: "text that is decoded first", owners: [] };

export const NOTHING: Value = { labels: [], texts: [], ref: "" };

export function textValue(text: string): Value {
  return { labels: [], texts: [text.slice(0, MAX_TEXT_CHARS)], ref: "" };
}

export function labelled(label: Label, text: readonly string[] = []): Value {
  return { labels: [label], texts: text, ref: "" };
}

/** A value that is one of several. */
export function join(values: readonly Value[]): Value {
  const [first, ...more] = values;
  if (first === undefined) return NOTHING;
  if (more.length === 0) return first;
  return {
    labels: joinLabels(values.map(({ labels }) => labels)),
    texts: someOf([...new Set(values.flatMap(({ texts }) => texts))]),
    ref: values.find(({ ref }) => ref !== "")?.ref ?? "",
    ...pick(values),
  };
}

/** Of many texts, one for each domain comes first: a list of a service's own addresses hides no other one. */
function someOf(texts: readonly string[]): readonly string[] {
  if (texts.length <= MAX_TEXTS) return texts;
  const first = new Map<string, string>();
  for (const text of texts) {
    const host = /^["']?[\w+.-]*:?\/\/(?:[^/@\s]{0,80}@)?([^/:?#\s"']+)/.exec(text)?.[1];
    const domain = host === undefined ? "" : domainOf(host.toLowerCase());
    if (domain !== "" && !first.has(domain)) first.set(domain, text);
  }
  return [...new Set([...first.values(), ...texts])].slice(0, MAX_TEXTS);
}

/** Countries under which names are registered at the third level. */
const COUNTRIES = /^(?:ac|co|com|edu|gob|gov|gv|ne|net|nom|or|org)\.[a-z]{2}$/;

/** The registered domain of a host: `evil.example` of `api.evil.example`. */
export function domainOf(host: string): string {
  const labels = host.split(".");
  return labels.slice(COUNTRIES.test(labels.slice(-2).join(".")) ? -3 : -2).join(".");
}

function pick(values: readonly Value[]): Partial<Value> {
  // A labelled alternative without parts must not be lost behind the parts of another.
  const isWhole = values.some((value) => value.items === undefined && value.labels.length > 0);
  const items = isWhole ? undefined : values.find((value) => value.items && value.items.length > 0)?.items;
  const props = values.find((value) => value.props)?.props;
  const fn = values.find((value) => value.fn !== undefined)?.fn;
  const address = values.find((value) => value.address)?.address;
  return {
    ...(address && { address }),
    ...(items && { items }),
    ...(props && { props }),
    ...(fn !== undefined && { fn }),
  };
}

export function joinLabels(lists: readonly (readonly Label[])[]): Label[] {
  const found = new Map<string, Label>();
  for (const label of lists.flat()) {
    const key = `${label.kind} ${label.name}`;
    if (found.size < MAX_LABELS && (!found.has(key) || label.encoded)) found.set(key, label);
  }
  return [...found.values()];
}

/** One text made of parts. A part that is unknown or carries a label becomes a hole. */
export function concat(parts: readonly Value[], between = ""): Value {
  let texts = [""];
  for (const [at, part] of parts.entries()) {
    const own = part.texts.length === 0 ? [HOLE] : part.texts;
    const glue = at === 0 ? "" : between;
    texts = texts
      .flatMap((text) => own.map((next) => `${text}${glue}${next}`.slice(0, MAX_TEXT_CHARS)))
      .slice(0, MAX_TEXTS);
  }
  return { labels: joinLabels(parts.map(({ labels }) => labels)), texts, ref: "" };
}

export function encoded(value: Value): Value {
  return { labels: value.labels.map((label) => ({ ...label, encoded: true })), texts: [], ref: "" };
}

/** The value without what it was derived from, for lengths, names and comparisons. */
export function withoutLabels(value: Value): Value {
  return value.labels.length === 0 ? value : NOTHING;
}

/** Constant base64 text, decoded. */
export function decodeText(value: Value): Value {
  const texts = value.texts
    .filter((text) => !text.includes(HOLE))
    .map((text) => Buffer.from(text, "base64").toString("utf8"));
  return { labels: value.labels, texts, ref: "" };
}
