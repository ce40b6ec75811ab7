/** URL hosts that need the operator's permission, in all notations that attackers use. */
export const REFUSED_HOSTS = [
  // Loopback and the unspecified address, in each notation of inet_aton and the URL standard.
  ...[
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0X7F.0.0.1",
    "0177.0.0.1",
    "017700000001",
  ],
  ...["127.0.0.1.", "127.255.255.254", "0", "0.0.0.0", "0.1.2.3", "%31%32%37.0.0.1", "１２７.０.０.１", "127。0。0。1"],
  ...["169.254.169.254", "2852039166", "0xa9fea9fe", "0xA9.0xFE.0xA9.0xFE", "0251.0376.0251.0376", "025177524776"],
  ...[
    "169.254.43518",
    "169.16689662",
    "169.254.169.254.",
    "１６９.２５４.１６９.２５４",
    "169。254。169。254",
    "169%2e254%2e169%2e254",
  ],
  // Private, shared, special, documentation, multicast, reserved.
  ...["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254", "192.168.0.1", "3232235521", "0xc0a80001"],
  ...["100.64.0.1", "100.127.255.254", "192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.19.255.255"],
  ...["198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"],
  // IPv6, and IPv4 embedded in it.
  ...["[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:169.254.169.254]"],
  ...[
    "[::ffff:a9fe:a9fe]",
    "[0:0:0:0:0:ffff:a9fe:a9fe]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::169.254.169.254]",
  ],
  ...[
    "[64:ff9b:1::a00:1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2001:0:a9fe:a9fe::1]",
    "[fe80::1]",
    "[fec0::1]",
  ],
  ...["[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[2001:db8::1]", "[3fff::1]", "[100::1]", "[5f00::1]", "[4000::1]"],
  ...["localhost", "LOCALHOST", "localhost.", "foo.localhost", "private.example", "metadata.example", "six.example"],
  ...["mapped.example", "zone.example", "several.example"],
] as const;

export const REFUSED_NAMES: Record<string, string[]> = {
  "localhost.": ["127.0.0.1", "::1"],
  "foo.localhost": ["127.0.0.1"],
  "private.example": ["10.0.0.7"],
  "metadata.example": ["169.254.169.254"],
  "six.example": ["fd00::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "zone.example": ["fe80::1%2"],
  "several.example": ["10.0.0.7", "fd00::7", "127.0.0.1"],
};
