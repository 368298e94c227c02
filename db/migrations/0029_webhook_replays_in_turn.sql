DROP INDEX "webhook_replays_running_index";--> statement-breakpoint
ALTER TABLE "webhook_replays" ADD COLUMN "is_count_exact" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_replays_running_index" ON "webhook_replays" USING btree ("endpoint_id","created_at") WHERE "webhook_replays"."finished_at" is null;