-- DropIndex
DROP INDEX "Run_leaseUntil_idx";

-- DropIndex
DROP INDEX "Run_state_expiresAt_idx";
