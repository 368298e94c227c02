ALTER TABLE "organizations" ADD COLUMN "customer_file_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "organizations" o SET "customer_file_bytes" = f.bytes
FROM (SELECT organization_id, sum(size)::bigint AS bytes FROM "customer_files" WHERE state = 'stored' GROUP BY organization_id) f
WHERE f.organization_id = o.id;
