import { FACETS, type FacetName, type Snapshot } from "./snapshot";

export type InstallState = "installed" | "update" | "new";

export type Criteria = {
  sources: ReadonlySet<string>;
  ranks: ReadonlyMap<number, number> | null;
  filters: Partial<Record<FacetName, string>>;
  state: InstallState | undefined;
  pack: string | undefined;
  installed: ReadonlyMap<string, { hasUpdate: boolean }>;
};

export type Selection = {
  /** 1 for the entry that represents its group of identical copies, by index into the snapshot. */
  chosen: Uint8Array;
  total: number;
  /** For each facet value, the number of groups that match the other filters. */
  counts: Int32Array;
  states: Record<InstallState, number>;
};

const NEW: readonly InstallState[] = ["new"];
const INSTALLED: readonly InstallState[] = ["installed"];
const UPDATE: readonly InstallState[] = ["installed", "update"];
const STATE_BIT = 1 << FACETS.length;

/**
 * Selects the entries that match all criteria, one per group of copies, and counts every facet value in the same pass:
 * an entry that fails a single filter still counts for that filter's facet.
 */
export function selectEntries(snapshot: Snapshot, criteria: Criteria): Selection {
  const { entries, groups, values } = snapshot;
  const wanted = wantedValues(snapshot, criteria.filters);
  const bitOfValue = Int32Array.from(values, ({ facet }) => 1 << FACETS.indexOf(facet));
  const inPack = criteria.pack === undefined ? null : new Set(snapshot.packs.get(criteria.pack) ?? []);
  const counts = new Int32Array(values.length);
  const countedFor = new Int32Array(values.length);
  const states = { installed: 0, update: 0, new: 0 };
  const chosen = new Uint8Array(entries.length);
  let total = 0;
  for (const group of candidateGroups(snapshot, criteria)) {
    const members = groups[group] ?? [];
    const install = installOf(snapshot, members, criteria);
    const groupStates = install === null ? NEW : install.hasUpdate ? UPDATE : INSTALLED;
    const stateMiss = criteria.state === undefined || groupStates.includes(criteria.state) ? 0 : STATE_BIT;
    let best = -1;
    let countsForState = false;
    for (const at of members) {
      const entry = entries[at];
      if (!entry || !criteria.sources.has(entry.sourceId)) continue;
      if (entry.isRemoved && !criteria.installed.has(entry.id)) continue;
      if (criteria.ranks !== null && !criteria.ranks.has(entry.doc)) continue;
      if (inPack !== null && !inPack.has(at)) continue;
      let missed = stateMiss;
      for (const { value, bit } of wanted) if (!entry.values.includes(value)) missed |= bit;
      if (missed === 0 && isBetter(snapshot, criteria, at, best)) best = at;
      if ((missed & ~STATE_BIT) === 0) countsForState = true;
      for (const value of entry.values) {
        const bit = bitOfValue[value] ?? 0;
        if ((missed & ~bit) !== 0 || countedFor[value] === group + 1) continue;
        countedFor[value] = group + 1;
        counts[value] = (counts[value] ?? 0) + 1;
      }
    }
    if (countsForState) for (const state of groupStates) states[state] += 1;
    if (best === -1) continue;
    chosen[best] = 1;
    total += 1;
  }
  return { chosen, total, counts, states };
}

function wantedValues(snapshot: Snapshot, filters: Criteria["filters"]) {
  return FACETS.flatMap((facet, index) => {
    const value = filters[facet];
    return value === undefined ? [] : [{ bit: 1 << index, value: snapshot.valueIndex.get(`${facet} ${value}`) ?? -1 }];
  });
}

function candidateGroups({ groups, groupOf, byDoc }: Snapshot, { ranks }: Criteria): Iterable<number> {
  if (ranks === null) return groups.keys();
  const found = new Set<number>();
  for (const doc of ranks.keys()) {
    const group = groupOf[byDoc.get(doc) ?? -1];
    if (group !== undefined) found.add(group);
  }
  return found;
}

function installOf({ entries }: Snapshot, members: number[], { installed }: Criteria): { hasUpdate: boolean } | null {
  if (installed.size === 0) return null;
  const installs = members.flatMap((at) => installed.get(entries[at]?.id ?? "") ?? []);
  return installs.length === 0 ? null : { hasUpdate: installs.some(({ hasUpdate }) => hasUpdate) };
}

/** Prefers an installed copy, then the likely original, then the oldest. */
function isBetter({ entries }: Snapshot, { installed }: Criteria, at: number, best: number): boolean {
  const [entry, rival] = [entries[at], entries[best]];
  if (!entry || !rival) return true;
  const [mine, theirs] = [installed.has(entry.id), installed.has(rival.id)];
  if (mine !== theirs) return mine;
  return entry.placeRank === rival.placeRank ? entry.doc < rival.doc : entry.placeRank < rival.placeRank;
}
