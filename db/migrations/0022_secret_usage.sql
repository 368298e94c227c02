CREATE TABLE "api_key_secret_usage" (
	"organization_id" uuid NOT NULL,
	"secret_id" uuid PRIMARY KEY NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_key_secret_usage" ADD CONSTRAINT "api_key_secret_usage_secret_id_api_key_secrets_id_fk" FOREIGN KEY ("secret_id") REFERENCES "public"."api_key_secrets"("id") ON DELETE no action ON UPDATE no action;