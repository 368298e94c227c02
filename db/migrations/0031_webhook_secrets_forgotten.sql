DELETE FROM "webhook_former_secrets" f USING "webhook_endpoints" e WHERE e."id" = f."endpoint_id" AND e."deleted_at" IS NOT NULL;--> statement-breakpoint
UPDATE "webhook_endpoints" SET "secret_encrypted" = '', "url" = regexp_replace("url", '[?#].*', '') WHERE "deleted_at" IS NOT NULL;
