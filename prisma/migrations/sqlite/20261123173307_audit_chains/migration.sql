ALTER TABLE "AuditEvent" ADD COLUMN "chain" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "AuditEvent" ADD COLUMN "place" INTEGER;

CREATE TABLE "AuditChain" (
    "chain" INTEGER NOT NULL PRIMARY KEY,
    "place" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "hash" TEXT,
    "sealedPlace" INTEGER NOT NULL,
    "sealedHash" TEXT NOT NULL
);

-- The chain as it is now: its newest event, or the last sealed one when there is none.
INSERT INTO "AuditChain" ("chain", "place", "seq", "hash", "sealedPlace", "sealedHash")
SELECT 1, COALESCE(e."seq", s."toSeq", 0), COALESCE(e."seq", s."toSeq", 0),
  CASE WHEN e."seq" IS NULL THEN COALESCE(s."lastHash", '0000000000000000000000000000000000000000000000000000000000000000') ELSE e."hash" END,
  COALESCE(s."toSeq", 0), COALESCE(s."lastHash", '0000000000000000000000000000000000000000000000000000000000000000')
FROM (SELECT 1 AS "one") AS o
LEFT JOIN "AuditEvent" AS e ON e."seq" = (SELECT MAX("seq") FROM "AuditEvent")
LEFT JOIN "AuditSegment" AS s ON s."toSeq" = (SELECT MAX("toSeq") FROM "AuditSegment");

ALTER TABLE "AuditSegment" DROP COLUMN "prevHash";
ALTER TABLE "AuditSegment" DROP COLUMN "lastHash";

-- The neighbours of an event in its chain.
CREATE INDEX "AuditEvent_chain_idx" ON "AuditEvent"("chain", COALESCE("place", "seq"));
