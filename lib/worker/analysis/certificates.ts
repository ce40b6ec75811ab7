import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** An X.509 authority for one recorder: clients inside the decoy world trust it, and nothing else ever does. */
export type Authority = { certificate: string; issue(host: string): { cert: string; key: string } };

const DAY_MS = 86_400_000;
const NAME = "Internet Root CA 2";

/**
 * Creates an authority with its own key, which issues a certificate for any host name or address. Structure: RFC 5280,
 * encoded as DER (X.690), with ECDSA on P-256.
 */
export function createAuthority(now = Date.now()): Authority {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const leaf = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const validity = { from: new Date(now - DAY_MS), to: new Date(now + 30 * DAY_MS) };
  const certificate = encodeCertificate({
    ...{ subject: NAME, issuer: NAME, publicKey, signer: privateKey, ...validity },
    extensions: [extension("551d13", sequence(tlv(0x01, Buffer.from([0xff]))), true)],
  });
  return {
    certificate,
    issue(host) {
      const name = isIP(host) ? tlv(0x87, addressBytes(host)) : tlv(0x82, Buffer.from(host, "latin1"));
      const cert = encodeCertificate({
        ...{ subject: host.slice(0, 64), issuer: NAME, publicKey: leaf.publicKey, signer: privateKey, ...validity },
        extensions: [extension("551d11", sequence(name))],
      });
      return { cert, key: leaf.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
    },
  };
}

type Body = {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signer: KeyObject;
  from: Date;
  to: Date;
  extensions: Buffer[];
};

const ECDSA_SHA256 = sequence(tlv(0x06, Buffer.from("2a8648ce3d040302", "hex")));

function encodeCertificate({ subject, issuer, publicKey, signer, from, to, extensions }: Body): string {
  const serial = randomBytes(9);
  serial[0] = 1;
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, serial),
    ECDSA_SHA256,
    nameOf(issuer),
    sequence(timeOf(from), timeOf(to)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", body, signer);
  const der = sequence(body, ECDSA_SHA256, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return new X509Certificate(der).toString();
}

function nameOf(text: string): Buffer {
  const commonName = sequence(tlv(0x06, Buffer.from("550403", "hex")), tlv(0x0c, Buffer.from(text, "utf8")));
  return sequence(tlv(0x31, commonName));
}

/** UTCTime, as RFC 5280 demands before 2050. */
function timeOf(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return tlv(0x17, Buffer.from(`${digits}Z`, "latin1"));
}

function extension(oid: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [tlv(0x01, Buffer.from([0xff]))] : [];
  return sequence(tlv(0x06, Buffer.from(oid, "hex")), ...critical, tlv(0x04, value));
}

function addressBytes(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from(host.split(".").map(Number));
  const [head = "", tail] = host.split("::");
  const groups = (text: string) => text.split(":").filter((group) => group !== "");
  const after = tail === undefined ? [] : groups(tail);
  const zeros = Array<string>(Math.max(0, 8 - groups(head).length - after.length)).fill("0");
  return Buffer.from([...groups(head), ...zeros, ...after].map((group) => group.padStart(4, "0")).join(""), "hex");
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function tlv(tag: number, value: Buffer): Buffer {
  if (value.length < 0x80) return Buffer.concat([Buffer.from([tag, value.length]), value]);
  const hex = value.length.toString(16);
  const length = Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, value]);
}
