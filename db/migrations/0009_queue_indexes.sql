DROP INDEX "messages_queue_index";--> statement-breakpoint
DROP INDEX "messages_expiry_index";--> statement-breakpoint
CREATE INDEX "messages_queue_index" ON "messages" USING btree ("conversation_id","accept_seq") WHERE "messages"."is_queued" and "messages"."accept_seq" > 0;--> statement-breakpoint
CREATE INDEX "messages_expiry_index" ON "messages" USING btree ("created_at") WHERE "messages"."is_queued" and "messages"."created_at" > '-infinity';