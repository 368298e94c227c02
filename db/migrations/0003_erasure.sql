ALTER TABLE "contacts" ADD COLUMN "merged_into" uuid;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_organization_id_merged_into_contacts_organization_id_id_fk" FOREIGN KEY ("organization_id","merged_into") REFERENCES "public"."contacts"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "upstream_callbacks_kept_index" ON "upstream_callbacks" USING btree ("organization_id","received_at") WHERE "upstream_callbacks"."processed_at" is not null;--> statement-breakpoint
CREATE INDEX "contacts_merged_index" ON "contacts" USING btree ("merged_into") WHERE "contacts"."merged_into" is not null;--> statement-breakpoint
CREATE INDEX "contacts_erased_index" ON "contacts" USING btree ("erased_at") WHERE "contacts"."erased_at" is not null;--> statement-breakpoint
CREATE INDEX "message_attempts_ended_index" ON "message_attempts" USING btree ("message_id") WHERE "message_attempts"."outcome" in ('rejected', 'retry');--> statement-breakpoint
CREATE INDEX "messages_kept_index" ON "messages" USING btree ("conversation_id","accept_seq") WHERE "messages"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "messages_upload_index" ON "messages" USING btree ("upload_id") WHERE "messages"."upload_id" is not null;