ALTER TABLE "AuditEvent" ADD COLUMN "chain" INTEGER NOT NULL DEFAULT 1, ADD COLUMN "place" INTEGER;
-- A process of an earlier release, which does not extend the chain below, can then add no event.
ALTER TABLE "AuditEvent" ALTER COLUMN "chain" DROP DEFAULT;

CREATE TABLE "AuditChain" (
    "chain" INTEGER NOT NULL,
    "place" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "hash" TEXT COLLATE "C",
    "sealedPlace" INTEGER NOT NULL,
    "sealedHash" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuditChain_pkey" PRIMARY KEY ("chain")
);

-- The chain as it is now: its newest event, or the last sealed one when there is none.
INSERT INTO "AuditChain" ("chain", "place", "seq", "hash", "sealedPlace", "sealedHash")
SELECT 1, COALESCE(e."seq", s."toSeq", 0), COALESCE(e."seq", s."toSeq", 0),
  CASE WHEN e."seq" IS NULL THEN COALESCE(s."lastHash", '0000000000000000000000000000000000000000000000000000000000000000') ELSE e."hash" END,
  COALESCE(s."toSeq", 0), COALESCE(s."lastHash", '0000000000000000000000000000000000000000000000000000000000000000')
FROM (SELECT 1 AS "one") AS o
LEFT JOIN "AuditEvent" AS e ON e."seq" = (SELECT MAX("seq") FROM "AuditEvent")
LEFT JOIN "AuditSegment" AS s ON s."toSeq" = (SELECT MAX("toSeq") FROM "AuditSegment");

ALTER TABLE "AuditSegment" DROP COLUMN "prevHash", DROP COLUMN "lastHash";

-- The neighbours of an event in its chain.
CREATE INDEX "AuditEvent_chain_idx" ON "AuditEvent"("chain", (COALESCE("place", "seq")));

-- Until now each event took the number after the newest one; now the sequence gives them out.
SELECT setval('"AuditEvent_seq_seq"', "seq") FROM "AuditChain" WHERE "seq" > 0;
