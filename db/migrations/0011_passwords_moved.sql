ALTER TABLE "members" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "password_hash";