ALTER TABLE "message_attempts" ALTER COLUMN "recipient" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "contacts_looked_at_until" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL;--> statement-breakpoint
CREATE INDEX "unmatched_statuses_age_index" ON "unmatched_statuses" USING btree ("created_at","organization_id");--> statement-breakpoint
CREATE INDEX "contacts_order_index" ON "contacts" USING btree ("organization_id","id") WHERE "contacts"."erased_at" is null;--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_retention_days_check" CHECK ("organizations"."retention_days" >= 2);