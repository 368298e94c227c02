ALTER TABLE "messages" ADD COLUMN "member_id" uuid;--> statement-breakpoint
CREATE INDEX "contact_identities_suffix_index" ON "contact_identities" USING btree (reverse("canonical") text_pattern_ops,"organization_id") WHERE "contact_identities"."kind" = 'whatsapp';--> statement-breakpoint
CREATE INDEX "messages_erased_index" ON "messages" USING btree ("conversation_id","accept_seq") WHERE "messages"."erased_at" is not null;--> statement-breakpoint
CREATE INDEX "messages_failed_index" ON "messages" USING btree ("organization_id","accept_seq") WHERE "messages"."error_code" is not null;--> statement-breakpoint
CREATE INDEX "messages_error_code_index" ON "messages" USING btree ("organization_id","error_code","accept_seq") WHERE "messages"."error_code" is not null;--> statement-breakpoint
CREATE INDEX "messages_waiting_index" ON "messages" USING btree ("organization_id","accept_seq") WHERE "messages"."is_queued" and "messages"."created_at" < 'infinity';--> statement-breakpoint
CREATE INDEX "messages_unconfirmed_index" ON "messages" USING btree ("organization_id","accept_seq") WHERE "messages"."is_queued" and "messages"."in_doubt_since" is not null and "messages"."created_at" < 'infinity';--> statement-breakpoint
CREATE INDEX "messages_resend_index" ON "messages" USING btree ("resend_of") WHERE "messages"."resend_of" is not null;