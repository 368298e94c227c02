-- Locks an endpoint until the end of the transaction. Returns how many more calls to it may start, over all processes:
-- none while it backs off, and one at a time until it has proved that it is reachable again. Also returns where the calls
-- go, and the secrets that sign them, the current one first.
-- The lock doesn't block transactions that only reference the row: events are stored for it concurrently.
-- It is a function, because each of its statements sees what was committed before it, also during the wait for the lock.
CREATE FUNCTION lock_webhook_slots(
  p_endpoint uuid, p_in_flight_max integer, OUT free integer, OUT url text, OUT secrets_encrypted text[]
) LANGUAGE plpgsql AS $$
DECLARE
  endpoint webhook_endpoints;
BEGIN
  SELECT * INTO endpoint FROM webhook_endpoints WHERE id = p_endpoint FOR NO KEY UPDATE;
  IF NOT FOUND OR endpoint.url IS NULL OR endpoint.disabled_at IS NOT NULL OR endpoint.deleted_at IS NOT NULL
    OR (endpoint.backoff_streak > 0 AND endpoint.backoff_until > clock_timestamp()) THEN
    free := 0;
    RETURN;
  END IF;
  free := CASE WHEN endpoint.backoff_streak = 0 THEN p_in_flight_max ELSE 1 END - (
    SELECT count(*) FROM webhook_deliveries d
    WHERE d.endpoint_id = p_endpoint AND d.is_pending AND d.claim_token IS NOT NULL
      AND d.claimed_until > clock_timestamp());
  url := endpoint.url;
  secrets_encrypted := array[endpoint.secret_encrypted] || array(
    SELECT f.secret_encrypted FROM webhook_former_secrets f
    WHERE f.endpoint_id = endpoint.id AND f.organization_id = endpoint.organization_id
      AND f.ends_at > clock_timestamp()
    ORDER BY f.ends_at DESC);
END $$;
