/** Identifiers of the SPDX licence list that skills use, by their spelling in lower case without punctuation. */
const IDENTIFIERS = new Map(
  [
    ...[
      "0BSD",
      "AGPL-3.0",
      "AGPL-3.0-only",
      "AGPL-3.0-or-later",
      "Apache-2.0",
      "Artistic-2.0",
      "BlueOak-1.0.0",
      "BSD-2-Clause",
    ],
    ...[
      "BSD-3-Clause",
      "BSL-1.0",
      "BUSL-1.1",
      "CC-BY-4.0",
      "CC-BY-NC-4.0",
      "CC-BY-NC-SA-4.0",
      "CC-BY-ND-4.0",
      "CC-BY-SA-4.0",
    ],
    ...["CC0-1.0", "EPL-2.0", "EUPL-1.2", "GPL-2.0", "GPL-2.0-only", "GPL-2.0-or-later", "GPL-3.0", "GPL-3.0-only"],
    ...["GPL-3.0-or-later", "ISC", "LGPL-2.1", "LGPL-3.0", "MIT", "MIT-0", "MPL-2.0", "PolyForm-Noncommercial-1.0.0"],
    ...["Unlicense", "WTFPL", "Zlib"],
  ].map((id) => [keyOf(id), id]),
);

const OTHER_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(the )?mit( license| licence)?( \(.*)?$/i, "MIT"],
  [/^apache( software)?( license| licence)?,?( version| v\.?)? ?2(\.0)?$/i, "Apache-2.0"],
  [/^(the )?(gnu )?agpl( ?v?3(\.0)?)?$/i, "AGPL-3.0"],
  [/^(the )?(gnu )?gpl ?v?3(\.0)?$/i, "GPL-3.0"],
  [/^(the )?(gnu )?gpl ?v?2(\.0)?$/i, "GPL-2.0"],
  [/^(new |modified |3-clause )bsd( license)?$|^bsd 3-clause( license)?$/i, "BSD-3-Clause"],
  [/^(simplified |2-clause )bsd( license)?$|^bsd 2-clause( license)?$/i, "BSD-2-Clause"],
  [/^mozilla public license,?( version| v\.?)? ?2(\.0)?$/i, "MPL-2.0"],
  [/^(creative commons )?cc ?0( 1\.0)?( universal)?$/i, "CC0-1.0"],
  [/^(the )?unlicense$|^public domain$/i, "Unlicense"],
  [/^isc license$/i, "ISC"],
  [/^propriet[a-z]+\b|^all rights reserved\b|^commercial\b/i, "Proprietary"],
  [
    /\blicen[sc]e(\.txt|\.md)?\b.*\b(terms|details)\b|\b(terms|see)\b.*\blicen[sc]e(\.txt|\.md)?\b/i,
    "See licence file",
  ],
];

/**
 * The SPDX identifier of a licence as an author wrote it, so that spellings of one licence are one value: `MIT License` and
 * `mit` are `MIT`. Expressions and names without an identifier come back as they are, without surrounding space.
 */
export function spdxName(written: string): string {
  const text = written.trim().replace(/\s+/g, " ");
  return IDENTIFIERS.get(keyOf(text)) ?? OTHER_NAMES.find(([pattern]) => pattern.test(text))?.[1] ?? text;
}

function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/ licen[sc]e$/, "")
    .replace(/[^a-z0-9]/g, "");
}
