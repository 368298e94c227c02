DROP INDEX "upstream_callbacks_due_index";--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "marketing_wished_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "upstream_callbacks_waiting_index" ON "upstream_callbacks" USING btree ("channel_id","received_at") WHERE "upstream_callbacks"."processed_at" is null;