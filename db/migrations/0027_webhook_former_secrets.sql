CREATE TABLE "webhook_former_secrets" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"secret_encrypted" text NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_former_secrets_pk" PRIMARY KEY("endpoint_id","id","organization_id")
);
--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT "webhook_endpoints_former_secret_check";--> statement-breakpoint
ALTER TABLE "webhook_former_secrets" ADD CONSTRAINT "webhook_former_secrets_endpoint_fk" FOREIGN KEY ("endpoint_id","organization_id") REFERENCES "public"."webhook_endpoints"("id","organization_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO "webhook_former_secrets" ("id", "organization_id", "endpoint_id", "secret_encrypted", "ends_at")
SELECT gen_random_uuid(), "organization_id", "id", "former_secret_encrypted", "former_secret_ends_at"
FROM "webhook_endpoints" WHERE "former_secret_ends_at" > now();--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP COLUMN "former_secret_encrypted";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP COLUMN "former_secret_ends_at";