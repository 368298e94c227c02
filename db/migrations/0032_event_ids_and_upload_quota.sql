ALTER TABLE "organizations" ADD COLUMN "upload_quota_bytes" bigint DEFAULT 10737418240 NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "uploaded_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "id_in_body" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE organizations o SET uploaded_bytes = u.bytes
  FROM (SELECT organization_id, sum(size)::bigint AS bytes FROM uploads WHERE erased_at IS NULL GROUP BY organization_id) u
  WHERE u.organization_id = o.id;
