ALTER TABLE "api_requests" ADD COLUMN "recipient_hash" "bytea";--> statement-breakpoint
ALTER TABLE "api_requests" ADD COLUMN "conversation_id" uuid;--> statement-breakpoint
CREATE INDEX "contact_identities_prefix_index" ON "contact_identities" USING btree ("organization_id","canonical" text_pattern_ops) WHERE "contact_identities"."kind" = 'whatsapp';--> statement-breakpoint
CREATE INDEX "api_requests_recipient_index" ON "api_requests" USING btree ("recipient_hash","organization_id","refused_at","id") WHERE "api_requests"."recipient_hash" is not null;--> statement-breakpoint
CREATE INDEX "api_requests_conversation_index" ON "api_requests" USING btree ("conversation_id","organization_id","refused_at","id") WHERE "api_requests"."conversation_id" is not null;