ALTER TABLE "channels" ADD COLUMN "callback_verified_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "last_callback_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "templates_asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "templates_synced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "templates_failure" text;--> statement-breakpoint
-- Channels whose callbacks come already don't wait for the first one.
UPDATE "channels" c SET "callback_verified_at" = u.first_at, "last_callback_at" = u.last_at
FROM (
  SELECT "channel_id", min("received_at") AS first_at, max("received_at") AS last_at FROM "upstream_callbacks" GROUP BY 1
) u WHERE u."channel_id" = c."id";
